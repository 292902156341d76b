"""The recipe of a transducer."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Self

from structron.data.notation import WAYS
from structron.errors import SettingError
from structron.features.transduction import PRESETS, parse_all
from structron.reference.alignment import MAXIMISE
from structron.tasks.transduction import UNREACHABLE
from structron.tasks.transduction.directions import DIRECTIONS, FORWARD
from structron.training.preference import (
    ACCURACY,
    BALANCE,
    SPEED,
    check_preference,
    prefer_setting,
    trials_setting,
)
from structron.training.recipe import Recipe
from structron.training.setting import setting

if TYPE_CHECKING:
    from structron.tasks.experts import Part
    from structron.tasks.transduction.alignment import Aligner

SEARCH = "beam:8"  # what auto means


@dataclass(frozen=True)
class TransductionRecipe(Recipe):
    """How a transducer is made; see `Recipe` for what all tasks share.

    Parameters
    ----------
    templates
        ``auto``, a preset (``context``, ``fast``, ``joint``, ``rich``), or a list of templates; ``auto`` is
        ``rich``, for speed ``fast``.
    prefer, trials
        See `structron.training.preference`. For speed, with 30,000 words and more, ``auto`` leaves out
        what is rare: ``least`` is 10, ``cut`` 3 and ``negligible`` 1.5. Otherwise it keeps all.
    longest_source, longest_target, deletions, both, maximise
        How pairs are aligned, see `structron.tasks.transduction.alignment.Aligner`.
    cut
        Counts features of the source alone. What looks at targets or pairs before is first met in the search,
        has no count before that, and stays.
    least
        Pieces that occur in fewer alignments are left out of the inventory.
    anew
        After so many epochs learning begins anew from zero, in another order; what counts is the mean over
        all runs, as if several models voted, in one set of weights. ``auto`` is 5 with few words; with 30,000
        and more there is one run.
    unreachable
        What becomes of a pair that no derivation yields: ``skip`` leaves it out, ``nearest`` learns the
        nearest output that can be reached. Either way they are counted.
    combine
        ``opposite`` learns a second transducer, which reads words in the opposite direction and is asked
        where the first is unsure (`structron.tasks.transduction.combined`): learning takes twice as long, and
        predicting little longer. ``auto`` does so with fewer than 30,000 words and for accuracy, but not for
        speed.
    direction
        ``forward`` or ``backward``: whether words are read from their beginnings or their ends. ``auto`` is
        forward; with 30,000 words and more both are tried on a part of them.
    source_symbols, target_symbols
        How texts become symbols, see `structron.data.Notation`; ``auto`` takes characters for the source, and
        what they are made of where some are (é, the syllables of Hangul); for the target blanks if there are
        any.
    """

    task: ClassVar[str] = "transduction"
    exchanges: ClassVar[bool] = True
    suits: ClassVar[tuple[str, ...]] = (
        "search", "cut", "least", "negligible", "anew", "templates", "trials", "combine", "direction",
    )  # fmt: skip
    balanced: ClassVar[Mapping[str, Any]] = {"search": SEARCH, "cut": 0, "least": 1, "negligible": 0.0}
    tried: ClassVar[Mapping[str, tuple[Any, ...]]] = {
        "learner": ("perceptron", "mira"),
        "search": ("beam:4", "beam:8"),
        "longest_source": (1, 3),
        "longest_target": (1, 3),
        "templates": ("context", "fast", "joint", "rich"),
    }

    search: str = setting(
        "auto",
        "How to search for the best output: exact, greedy, beam:8, beam:8+merge or beam:8+within=20; auto is "
        f"{SEARCH}",
        "SEARCH",
    )
    cut: int | str = "auto"
    negligible: float | str = "auto"
    templates: str | tuple[str, ...] = setting(
        "auto", f"Features: auto, {', '.join(PRESETS)}, or a file with one template a line", "PRESET|FILE"
    )
    longest_source: int = setting(2, "Source symbols of a piece at most", "N")
    longest_target: int = setting(2, "Target symbols of a piece at most", "N")
    deletions: bool = setting(
        True, "A source symbol may stand for nothing, or not", flags="--deletions/--no-deletions"
    )
    both: bool = setting(
        False, "Both sides of a piece may have several symbols, or one only", flags="--both/--no-both"
    )
    maximise: str = setting("joint", "What a piece's weight is a share of", "WHAT", choices=MAXIMISE)
    least: int | str = setting("auto", "Leave out pieces seen fewer than N times", "N")
    anew: int | str = setting(
        "auto", "Begin anew after every N epochs, and take the mean of all; 0 never does", "N"
    )
    unreachable: str = setting(
        "skip", "What to do with words whose target has no derivation", "HOW", choices=UNREACHABLE
    )
    combine: str = setting(
        "auto",
        "Ask another transducer where this one is unsure: none, or opposite, which reads from the other end",
        "EXPERT",
    )
    direction: str = setting(
        "auto", "Read words from the beginning or from the end", "WAY", choices=("auto", *DIRECTIONS)
    )
    source_symbols: str = setting("auto", "What the symbols of a source are", "WAY", choices=("auto", *WAYS))
    target_symbols: str = setting("auto", "What the symbols of a target are", "WAY", choices=("auto", *WAYS))
    prefer: str = prefer_setting()
    trials: int | str = trials_setting()

    def __post_init__(self) -> None:
        check_preference(self)
        super().__post_init__()
        if isinstance(self.templates, list | tuple):
            object.__setattr__(self, "templates", tuple(self.templates))
            parse_all(self.templates)
        elif self.templates not in ("auto", *PRESETS):
            known = ", ".join(["auto", *PRESETS])
            raise SettingError(
                f"templates {self.templates!r} are not known; use {known} or a list of templates"
            )
        for name in ("longest_source", "longest_target"):
            self.check_whole(name, 1, 8)
        if not self.is_auto("least"):
            self.check_whole("least", 1)
        if not self.is_auto("anew"):
            self.check_whole("anew", 0)
        for name in ("deletions", "both"):
            self.check_bool(name)
        if not self.is_auto("combine"):
            object.__setattr__(self, "combine", "+".join(map(str, self.experts)) or "none")
        self.check_known("maximise", MAXIMISE)
        self.check_known("unreachable", UNREACHABLE)
        self.check_known("direction", ("auto", *DIRECTIONS))
        for name in ("source_symbols", "target_symbols"):
            self.check_known(name, ("auto", *WAYS))

    def as_dict(self) -> dict[str, Any]:
        """Plain data; of what is as it always was nothing is said."""
        usual = {"prefer": BALANCE, "trials": "auto", "combine": "auto", "direction": "auto"}
        return {name: v for name, v in super().as_dict().items() if usual.get(name) != v}

    def meaning(self, name: str) -> str:
        """What ``auto`` means for the search."""
        return SEARCH

    @property
    def experts(self) -> tuple[Part, ...]:
        """Who is asked besides the transducer itself; an ``auto`` that has not been suited asks nobody."""
        if self.combine in ("auto", "none"):
            return ()
        from structron.tasks.transduction.combined import parse_combination

        return parse_combination(self.combine)

    def suited(self, words: int) -> Self:
        """This recipe with what ``auto`` means for so many sources; of many, directions have to be tried."""
        fast = self.prefer == SPEED
        left_out = LEFT_OUT if fast and words >= _MANY else ALL_KEPT
        named = {name: value for name, value in left_out.items() if self.is_auto(name)}
        if self.templates == "auto":
            named["templates"] = "fast" if fast else "rich"
        if self.is_auto("anew"):
            named["anew"] = 0 if words >= _MANY else RUN
        if self.is_auto("direction") and words < _MANY:
            named["direction"] = FORWARD
        if self.is_auto("combine"):
            is_worth_it = self.prefer == ACCURACY or (words < _MANY and not fast)
            # A single output leaves nothing to choose from.
            named["combine"] = "opposite" if is_worth_it and self.search_choice.width != 1 else "none"
        return self.but(search=str(self.search_choice), **named)

    @property
    def aligner(self) -> Aligner:
        """How pairs are aligned."""
        from structron.tasks.transduction.alignment import Aligner

        return Aligner(self.longest_source, self.longest_target, self.deletions, self.both, self.maximise)

    @property
    def least_pieces(self) -> int:
        """How often a piece must occur; an ``auto`` that has not been suited to data keeps all."""
        return self.least if isinstance(self.least, int) else 1

    @property
    def run_length(self) -> int:
        """Epochs of one run; an ``auto`` that has not been suited to data goes on."""
        return self.anew if isinstance(self.anew, int) else 0

    @property
    def template_texts(self) -> tuple[str, ...]:
        """The templates it means."""
        if isinstance(self.templates, tuple):
            return self.templates
        return tuple(PRESETS["rich" if self.templates == "auto" else self.templates])


# For speed: what is rare has many rows and few uses. Of few words nothing is frequent, and all is kept.
LEFT_OUT: dict[str, Any] = {"cut": 3, "least": 10, "negligible": 1.5}
ALL_KEPT: dict[str, Any] = {"cut": 0, "least": 1, "negligible": 0.0}
_MANY = 30_000
RUN = 5  # epochs after which few words are learned by heart, and a fresh start tells more


RECIPE = TransductionRecipe
