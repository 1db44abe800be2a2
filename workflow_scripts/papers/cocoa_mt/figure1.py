"""Command: Figure 1 of CoCoA-MT (Section 6.1), accuracy and BLEU for increasing amounts of labelled data."""

from workflow_scripts.core.command import run
from workflow_scripts.papers.cocoa_mt.upsampling import upsampling

figure1 = upsampling("Figure 1", printed_in="de")

if __name__ == "__main__":
    run(figure1)
