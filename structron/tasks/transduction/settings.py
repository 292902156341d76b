"""The recipe of a transducer."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, Self

from structron.fit.preference import ACCURACY, SPEED, PreferenceSettings
from structron.fit.recipe import Recipe
from structron.io.values.notation import WAYS
from structron.search import Search, parse_search
from structron.settings import setting, settings, templates_setting
from structron.tasks.transduction.direction.reversal import DIRECTIONS, FORWARD
from structron.tasks.transduction.features import PRESETS, parse_all
from structron.tasks.transduction.task import UNREACHABLE

if TYPE_CHECKING:
    from structron.alignment.pairs import Aligner
    from structron.engine.experts import Part

SEARCH = "beam:8"  # what auto means
# To predict with where `rich` is asked: what is as far behind as this, twice the margin of the usual learner,
# hardly ever wins. To learn with, it is too narrow (decision 42).
USUAL = "perceptron:margin=20"
NARROW = "beam:4+within=40"

# Those of the definition, which predicting has no need of.
_MAXIMISE = ("joint", "target_given_source", "source_given_target")


@settings
class TransductionSettings(PreferenceSettings):
    """The settings of a transducer, as they are given; `TransductionRecipe` says what they mean."""

    search: str | Search = setting(
        default="auto",
        help="Search: exact, greedy, beam:8, beam:8+within=20, ...",
        more=f"auto is {SEARCH}; to predict where a rich model is asked, {NARROW}",
        tried=("beam:4", "beam:8"),
    )
    cut: int | str = "auto"
    min_weight: float | str = "auto"
    templates: str | Sequence[str] = templates_setting(
        PRESETS, tried=("context", "fast", "joint", "rich", "rich_alike")
    )
    longest_source: int = setting(
        default=2, help="Most source symbols in a piece", metavar="N", low=1, high=8, tried=(1, 3)
    )
    longest_target: int = setting(
        default=2, help="Most target symbols in a piece", metavar="N", low=1, high=8, tried=(1, 3)
    )
    deletions: bool = setting(
        default=True,
        help="Allow deletions: source symbols without output",
        flags="--deletions/--no-deletions",
    )
    both: bool = setting(
        default=False,
        help="Allow several symbols on both sides of a piece, or on one side only",
        flags="--both/--no-both",
    )
    maximise: str = setting(
        default="joint", help="Probability that the aligner maximises", metavar="WHAT", choices=_MAXIMISE
    )
    min_count: int | str = setting(
        was="least", default="auto", help="Drop pieces seen fewer than N times", metavar="N", low=1
    )
    restart_every: int | str = setting(
        was="anew",
        default="auto",
        help="Restart training every N epochs and average all runs; 0 never restarts",
        metavar="N",
        low=0,
    )
    unreachable: str = setting(
        default="skip",
        help="What to do with words whose target cannot be derived",
        metavar="HOW",
        choices=UNREACHABLE,
    )
    combine: str = setting(
        default="auto",
        help="Models to ask where this one is unsure: none, opposite, rich, ...",
        more="opposite reads words from the other end; rich+opposite asks two",
        metavar="EXPERTS",
        young=True,
    )
    direction: str = setting(
        default="auto",
        help="Reading direction",
        metavar="WAY",
        choices=("auto", *DIRECTIONS),
        young=True,
    )
    source_symbols: str = setting(
        default="auto", help="How to split sources into symbols", metavar="WAY", choices=("auto", *WAYS)
    )
    target_symbols: str = setting(
        default="auto", help="How to split targets into symbols", metavar="WAY", choices=("auto", *WAYS)
    )


@settings
class TransductionRecipe(TransductionSettings, Recipe):
    """The recipe of a transducer; `Recipe` has what all tasks share.

    Parameters
    ----------
    templates
        ``auto``, a preset (``context``, ``fast``, ``joint``, ``rich``, ``fast_alike``, ``rich_alike``), or a
        list of templates; ``auto`` is ``rich``; for speed, and where an expert called ``rich`` is asked,
        ``fast``; with 30,000 words and more the same with ``_alike``, where known words are asked, too.
    search
        ``auto`` is ``beam:8``. Where an expert called ``rich`` is asked and the learner is the usual one, it
        is for learning only: predicting takes ``beam:4+within=40``.
    prefer, trials
        See `structron.fit.preference`. With 30,000 words and more ``auto`` leaves out what is rare
        for speed: ``min_count`` is 10, ``cut`` 3 and ``min_weight`` 1.5; and where an expert called ``rich``
        is asked: ``min_weight`` is 1 then. Otherwise it keeps all.
    longest_source, longest_target, deletions, both, maximise
        How pairs are aligned, see `structron.alignment.pairs.Aligner`.
    cut
        Counts features of the source alone. What looks at targets or pairs before is first met in the search,
        has no count before that, and stays.
    min_count
        Pieces that occur in fewer alignments are left out of the inventory.
    restart_every
        After so many epochs learning begins anew from zero, in another order; what counts is the mean over
        all runs, as if several models voted, in one set of weights. ``auto`` is 5 with few words; with 30,000
        and more there is one run.
    unreachable
        What becomes of a pair that no derivation yields: ``skip`` leaves it out, ``nearest`` learns the
        nearest output that can be reached. Either way they are counted.
    combine
        Other transducers that are asked where this one is unsure
        (`structron.tasks.transduction.experts.combined_transducer`).
        ``opposite`` reads words in the opposite direction, and beside templates ``rich`` has ``rich_alike``:
        learning takes twice as long, and predicting little longer. ``rich`` has templates of that name;
        ``rich+opposite`` has a third, as rich as the second, which is asked where both are still unsure.
        ``auto`` is ``opposite`` with fewer than 30,000 words and for accuracy, ``rich+opposite`` with more,
        unless templates are named, and ``none`` for speed.
    direction
        ``forward`` or ``backward``: whether words are read from their beginnings or their ends. ``auto`` is
        forward; with 30,000 words and more both are tried on a part of them.
    source_symbols, target_symbols
        How texts become symbols, see `structron.io.Notation`; ``auto`` takes characters for the source, and
        what they are made of where some are (é, the syllables of Hangul); for the target blanks if there are
        any.
    """

    task: ClassVar[str] = "transduction"
    exchanges: ClassVar[bool] = True
    suits: ClassVar[tuple[str, ...]] = (
        "search", "cut", "min_count", "min_weight", "restart_every", "templates", "trials", "combine",
        "direction",
    )  # fmt: skip

    def __post_init__(self) -> None:
        super().__post_init__()
        self.take_templates(self.templates, PRESETS, parse_all)
        if not self.is_auto("combine"):
            object.__setattr__(self, "combine", "+".join(map(str, self.experts)) or "none")

    @property
    def balanced(self) -> Mapping[str, Any]:
        """Return what ``auto`` means whatever the words are: nothing where many words would ask `rich`."""
        may_ask_rich = self.asks_rich or (self.is_auto("combine") and self.is_auto("templates"))
        return {} if may_ask_rich else {"search": SEARCH, **ALL_KEPT}

    def meaning(self, name: str) -> str:
        """Return the meaning of ``auto`` for the search."""
        return SEARCH

    @property
    def search_to_predict(self) -> Search:
        """Where `rich` is asked about what is uncertain anyway, what is far behind is given up early."""
        is_usual = self.learner == USUAL and str(self.search_choice) == SEARCH  # scores are of the usual size
        return parse_search(NARROW) if self.asks_rich and is_usual else self.search_choice

    @property
    def experts(self) -> tuple[Part, ...]:
        """Return the experts asked besides the transducer itself; an unsettled ``auto`` asks none."""
        if self.combine in ("auto", "none"):
            return ()
        from structron.tasks.transduction.experts.combined_transducer import parse_combination

        return parse_combination(self.combine)

    @property
    def asks_rich(self) -> bool:
        """Return whether it asks an expert with more templates where it is unsure."""
        return any(part.name == "rich" for part in self.experts)

    @property
    def rich_settings(self) -> dict[str, Any]:
        """Return the settings of the expert ``rich``, in a recipe that was suited to the words."""
        cut = min(self.cut, RICH_CUT) if isinstance(self.cut, int) else RICH_CUT
        templates = "rich_alike" if self.templates == "fast_alike" else "rich"
        return {"templates": templates, "cut": cut, "min_weight": 0.0}

    @property
    def search_of_experts(self) -> str:
        """Return the search of the experts when they are asked; they learn as this one does."""
        return str(self.search_to_predict)

    def suited(self, words: int) -> Self:
        """This recipe with what ``auto`` means for so many sources; of many, directions have to be tried."""
        asked = self.but(combine=self._asked(words))
        many, fast = words >= _MANY, self.prefer == SPEED
        left_out = ALL_KEPT
        if many and (fast or asked.asks_rich):
            left_out = LEFT_OUT if fast else RARE_LEFT_OUT
        named = {name: value for name, value in left_out.items() if self.is_auto(name)}
        if self.templates == "auto":
            named["templates"] = ("fast" if fast or asked.asks_rich else "rich") + ("_alike" if many else "")
        if self.is_auto("restart_every"):
            named["restart_every"] = 0 if many or self.learner_choice.is_gradient else RUN
        if self.is_auto("direction") and not many:
            named["direction"] = FORWARD
        return asked.but(search=str(asked.search_choice), **named)

    def _asked(self, words: int) -> str:
        """Return the meaning of ``combine`` for a number of sources."""
        if not self.is_auto("combine"):
            return self.combine
        if self.prefer == SPEED or self.search_choice.width == 1:  # one output leaves nothing to choose from
            return "none"
        if self.prefer == ACCURACY or words < _MANY:
            return "opposite"
        return "rich+opposite" if self.templates == "auto" else "none"

    @property
    def aligner(self) -> Aligner:
        """Return how pairs are aligned."""
        from structron.alignment.pairs import Aligner

        return Aligner(self.longest_source, self.longest_target, self.deletions, self.both, self.maximise)

    @property
    def least_pieces(self) -> int:
        """Return how often a piece must occur; an ``auto`` that has not been suited to data keeps all."""
        return self.min_count if isinstance(self.min_count, int) else 1

    @property
    def run_length(self) -> int:
        """Epochs of one run; an ``auto`` that has not been suited to data goes on."""
        return self.restart_every if isinstance(self.restart_every, int) else 0

    @property
    def template_texts(self) -> tuple[str, ...]:
        """The templates it means."""
        if not isinstance(self.templates, str):
            return tuple(self.templates)
        return tuple(PRESETS["rich" if self.templates == "auto" else self.templates])


# For speed: what is rare has many rows and few uses. Of few words nothing is frequent, and all is kept.
LEFT_OUT: dict[str, Any] = {"cut": 3, "min_count": 10, "min_weight": 1.5}
RARE_LEFT_OUT: dict[str, Any] = LEFT_OUT | {"min_weight": 1.0}
ALL_KEPT: dict[str, Any] = {"cut": 0, "min_count": 1, "min_weight": 0.0}
RICH_CUT = 2  # of what an expert called `rich` leaves out, at most
_MANY = 30_000
RUN = 5  # epochs after which few words are learned by heart, and a fresh start tells more
