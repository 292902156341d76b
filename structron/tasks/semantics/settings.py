"""The recipe of a semantic parser."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from structron.errors import SettingError
from structron.fit.recipe import Recipe
from structron.settings import setting
from structron.tasks.semantics.features import PRESETS, parse_all
from structron.tasks.semantics.task import LONGEST_CHAIN


@dataclass(frozen=True)
class SemanticRecipe(Recipe):
    """How a semantic parser is made; see `Recipe` for what all tasks share.

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
    tried: ClassVar[Mapping[str, tuple[Any, ...]]] = {
        "learner": ("perceptron", "perceptron:margin=5"),
        "trust": (0.0, 0.1, 0.3),
        "chain": (1, 3),
        "epochs": (5, 30),
    }

    search: str = "forest"
    update: str = "standard"
    learner: str = "mira"
    epochs: int = 10
    templates: str | tuple[str, ...] = setting(
        "hybrid", f"Features: {', '.join(PRESETS)}, or a file with one template a line", "PRESET|FILE"
    )
    trust: float = setting(0.03, "How much to trust Model 1 before learning", "X")
    chain: int = setting(2, "Productions that may say nothing, one upon the other", "N")
    overlap: int = setting(0, "Let slots take what N other types point to; 0 takes what was seen", "N")
    rounds: int = setting(4, "From answers: how often to look for forms with the right answer", "N")
    candidates: int = setting(50, "From answers: among how many forms of a question to look", "K")

    def __post_init__(self) -> None:
        super().__post_init__()
        if isinstance(self.templates, list | tuple):
            object.__setattr__(self, "templates", tuple(self.templates))
            parse_all(self.templates)
        elif self.templates not in PRESETS:
            raise SettingError(
                f"templates {self.templates!r} are not known; use {', '.join(PRESETS)} or a list of templates"
            )
        self.check_whole("chain", 0, LONGEST_CHAIN)
        self.check_whole("overlap", 0)
        self.check_whole("rounds", 1)
        self.check_whole("candidates", 1)
        if not isinstance(self.trust, int | float) or not 0 <= self.trust < float("inf"):
            raise SettingError(f"trust = {self.trust!r} is not possible; give a number of at least 0")
        object.__setattr__(self, "trust", float(self.trust))
        if self.cut:
            raise SettingError("cut: features of semantic parsing are first met in the search; use cut 0")

    @property
    def template_texts(self) -> tuple[str, ...]:
        """The templates it means."""
        return self.templates if isinstance(self.templates, tuple) else PRESETS[self.templates]
