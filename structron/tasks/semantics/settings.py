"""The recipe of a semantic parser."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, ClassVar

from structron.errors import SettingError
from structron.fit.recipe import Recipe, Settings
from structron.search import Search
from structron.settings import setting, settings, templates_setting
from structron.tasks.semantics.features import PRESETS, parse_all
from structron.tasks.semantics.task import LONGEST_CHAIN
from structron.updates import Update

if TYPE_CHECKING:
    from structron.learners import Learner


@settings
class SemanticSettings(Settings):
    """The settings of a semantic parser, as they are given; `SemanticRecipe` says what they mean."""

    search: str | Search = "forest"
    update: str | Update = "standard"
    learner: str | Learner = setting(default="mira", tried=("perceptron", "perceptron:margin=5"))
    epochs: int = setting(default=10, tried=(5, 30))
    templates: str | Sequence[str] = templates_setting(PRESETS, default="hybrid")
    trust: float = setting(
        default=0.03,
        help="Initial weight of word associations, from IBM Model 1",
        metavar="X",
        low=0,
        tried=(0.0, 0.1, 0.3),
    )
    chain: int = setting(
        default=2,
        help="Most productions in a row without words",
        metavar="N",
        low=0,
        high=LONGEST_CHAIN,
        tried=(1, 3),
    )
    overlap: int = setting(
        default=0,
        help="Let slots take what N other types point to; 0 takes only what was seen",
        metavar="N",
        low=0,
    )
    rounds: int = setting(
        default=4, help="From answers: rounds of looking for forms with the right answer", metavar="N", low=1
    )
    candidates: int = setting(
        default=50, help="From answers: candidate forms for each question", metavar="K", low=1
    )


@settings
class SemanticRecipe(SemanticSettings, Recipe):
    """The recipe of a semantic parser; `Recipe` has what all tasks share.

    Parameters
    ----------
    search
        ``forest`` is exact; ``forest:16`` keeps 16 productions of a span.
    templates
        ``hybrid``, ``lexical``, or a list of templates, see `structron.tasks.semantics.features`.
    trust
        The weight of what Model 1 finds out about words before learning.
    chain
        How many productions may say nothing, one upon the other.
    overlap
        How far slots take more than was seen in them, see `Grammar.read`; 0 takes only that.
    rounds, candidates
        From answers alone: how often forms are looked for, and among how many of each question.
    """

    task: ClassVar[str] = "semantics"
    searches: ClassVar[tuple[str, ...]] = ("forest",)

    def __post_init__(self) -> None:
        super().__post_init__()
        self.take_templates(self.templates, PRESETS, parse_all)
        if self.cut:
            raise SettingError("cut: features of semantic parsing are first met in the search; use cut 0")

    @property
    def template_texts(self) -> tuple[str, ...]:
        """The templates it means."""
        return PRESETS[self.templates] if isinstance(self.templates, str) else tuple(self.templates)
