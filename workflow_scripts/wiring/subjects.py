"""All subjects of a run: the systems, models and files with which rules are written."""

from functools import cached_property

from workflow_scripts.wiring.control import Control
from workflow_scripts.wiring.corpora import Corpora
from workflow_scripts.wiring.dialogue import Dialogue
from workflow_scripts.wiring.language_models import LanguageModels
from workflow_scripts.wiring.manifests import Manifests
from workflow_scripts.wiring.output_raters import OutputRaters
from workflow_scripts.wiring.politeness import FormalityTexts, Politeness
from workflow_scripts.wiring.pretrained import Rewriters, Translators
from workflow_scripts.wiring.rated_texts import RatedTexts
from workflow_scripts.wiring.request_raters import RequestRaters
from workflow_scripts.wiring.rewrites import Rewrites
from workflow_scripts.wiring.run import Run
from workflow_scripts.wiring.systems import Systems
from workflow_scripts.wiring.translation import Backend
from workflow_scripts.wiring.translation_raters import TranslationRaters
from workflow_scripts.wiring.users import Users
from workflow_scripts.wiring.words import words


class Subjects:
    """The subjects of a run."""

    def __init__(self, run: Run) -> None:
        """Collect each subject; errors as for each."""
        self.run, self.settings = run, run.settings
        # Options of every command that computes with torch.
        self.torch = words({key: getattr(run.settings, key) for key in ("precision", "threads")})
        self.device = words({"device": run.settings.device})
        self.corpora = Corpora(run)
        self.models = LanguageModels(run.settings)
        self.backend = Backend(run, self.torch, self.device)
        self.systems = Systems(run, self.corpora, self.models)
        self.rewriters = Rewriters(self.systems)
        self.output_raters = OutputRaters(self.systems)
        self.rewrites = Rewrites(run, self.corpora)
        self.politeness = Politeness(run, self.corpora, self.models, self.backend)
        self.request_raters = RequestRaters(self.politeness)
        self.rated_texts = RatedTexts(self.systems, self.politeness)
        self.formality_texts = FormalityTexts(run, self.corpora)
        self.control = Control(run, self.corpora, self.models)
        self.translators = Translators(self.control)
        self.translation_raters = TranslationRaters(self.control)
        self.dialogue = Dialogue(run, self.corpora, self.models)
        self.users = Users(run, self.models)

    @cached_property
    def manifests(self) -> Manifests:
        """The manifests of XFORMAL's leaves, once rules of all systems have named their training files."""
        return Manifests(self.systems)
