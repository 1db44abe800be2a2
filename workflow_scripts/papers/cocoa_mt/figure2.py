"""Command: Figure 2 of CoCoA-MT (Appendix B), accuracy and BLEU for increasing amounts of labelled data."""

from workflow_scripts.core.command import run
from workflow_scripts.papers.cocoa_mt.upsampling import upsampling

figure2 = upsampling("Figure 2", printed_in="ja")

if __name__ == "__main__":
    run(figure2)
