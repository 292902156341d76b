"""The recipe of a segmenter."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar, Self

from structron.errors import SettingError
from structron.fit.preference import ACCURACY, BALANCE, SPEED, PreferSettings
from structron.fit.raw_text.settings import TextSettings
from structron.fit.recipe import Recipe
from structron.labelling.templates import columns_read, parse_all
from structron.search import Search
from structron.segments.units import CLASSES
from structron.settings import dictionary_file_setting, setting, settings, templates_setting
from structron.tasks.segmentation.features import PRESETS, WORD_PRESETS, words

if TYPE_CHECKING:
    from structron.learners import Learner

UNITS = ("auto", "runs", "characters")
ENDS = ("auto", "yes", "no")
LABELS = "labels"
SYSTEMS = (LABELS, *WORD_PRESETS)
CHARACTERS = "characters"
# What auto means. Where characters get labels, one label depends on those around it.
SEARCHES = {
    LABELS: {SPEED: "greedy", BALANCE: "greedy", ACCURACY: "beam:4"},
    CHARACTERS: {SPEED: "greedy", BALANCE: "beam:4", ACCURACY: "beam:16"},
    "words": {SPEED: "beam:4", BALANCE: "beam:8", ACCURACY: "beam:16"},
    "joint": {SPEED: "beam:4", BALANCE: "beam:8", ACCURACY: "beam:16"},
}


@settings
class SegmentationSettings(TextSettings, PreferSettings):
    """The settings of a segmenter, as they are given; `SegmentationRecipe` says what they mean."""

    search: str | Search = setting(
        default="auto",
        help="Search: exact, greedy, beam:8, ...",
        more=(
            "auto is "
            + ", ".join(f"{SEARCHES[system][BALANCE]} for {system}" for system in SYSTEMS)
            + f", and {SEARCHES[CHARACTERS][BALANCE]} for labels of characters"
        ),
        tried=("greedy", "beam:4", "beam:16"),
    )
    learner: str | Learner = setting(
        default="perceptron:margin=20", tried=("perceptron", "perceptron:margin=5", "mira")
    )
    templates: str | Sequence[str] = templates_setting([*PRESETS, *WORD_PRESETS])
    system: str = setting(
        default=LABELS,
        help="Label units, or search over words, alone or jointly with tags",
        metavar="SYSTEM",
        choices=SYSTEMS,
        basic=True,
    )
    tags: str = setting(default="auto", help="With system joint: the column with the tags", metavar="COLUMN")
    units: str = setting(
        default="auto",
        help="Units to label: runs of letters, or characters",
        metavar="WHAT",
        choices=UNITS,
        tried=("runs", "characters"),
    )
    ends: str = setting(
        default="auto", help="Label the last unit of each token too", metavar="WHETHER", choices=ENDS
    )
    dictionary: int = setting(
        default=2,
        help="Look up tokens that were seen N times in training; 0 looks up none",
        metavar="N",
        low=0,
    )
    dictionary_file: str | Path | None = dictionary_file_setting()
    inner: int = setting(
        default=2,
        help="Learn to begin tokens inside units where this was seen N times",
        metavar="N",
        low=1,
        tried=(1, 4),
    )
    passage: int = setting(
        default=8, help="Most sentences in a training example", metavar="N", low=1, tried=(2, 16)
    )


@settings
class SegmentationRecipe(SegmentationSettings, Recipe):
    """The recipe of a segmenter; `Recipe` has what all tasks share.

    Parameters
    ----------
    system
        ``labels``: each unit of a text gets a label. ``words``: a beam over words, for scripts that have no
        blanks (Zhang & Clark 2007). ``joint``: the same, and words get tags (Zhang & Clark 2008, 2011).
    templates
        ``auto``, a preset, or a list of templates. For ``labels`` they are over units, and the presets
        ``words`` and ``characters``; ``auto`` takes the one that goes with the units. For the others they are
        over words and characters (`structron.tasks.segmentation.features.words`), with presets of the same
        names.
    search
        ``auto``: ``greedy`` for labels of runs, ``beam:4`` for labels of characters, ``beam:8`` for the rest,
        and narrower or wider as `prefer` says.
    prefer
        See `structron.fit.preference`.
    tags
        With system joint, the column of files that tags are in; ``auto``: ``upos`` or the last one.
    units
        ``runs`` of letters, ``characters``, or ``auto``: characters of those classes that the training data
        begin tokens inside of, as in Chinese.
    ends
        Whether labels also say which unit is the last of its token, so that only whole tokens can come out
        (B, M, E and S); ``auto``: where units are characters.
    dictionary
        Tokens of several units that were seen are known; while the model learns, only those seen at least so
        often. With 1 all that is learned from is known, and nothing is learned about new tokens; 0 for none.
        Where words are built or characters get labels, those of a text must have been seen in so many
        twentieths of the data; what only looks like a word there is known as it will be in new text.
    dictionary_file
        A file of tokens, one a line, as ``predict --dictionary`` takes it. They win over the tokens of the
        training data, whose parts are joined, and in all that is predicted; the model keeps them. ``none``
        for none.
    inner
        A way to begin a token inside a unit must be seen so often to be learned.
    passage
        Examples have at most so many sentences of a paragraph.
    text
        Files of raw text: what stands before periods there, and the case of words, become features
        (`structron.tasks.segmentation.units.habits`). Only where units are runs of letters. The model keeps
        what it needs. ``none`` for none.
    """

    task: ClassVar[str] = "segmentation"
    systems_apart: ClassVar[tuple[str, ...]] = ("joint",)
    exchanges: ClassVar[bool] = True
    suits: ClassVar[tuple[str, ...]] = ("search",)

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.system == LABELS:
            self.take_templates(self.templates, PRESETS, _check_columns)
        else:
            self.take_templates(self.templates, WORD_PRESETS, words.parse_all)
        if not isinstance(self.tags, str) or not self.tags:
            raise SettingError(f"tags = {self.tags!r} is not possible; give the name of a column, or auto")

    def meaning(self, name: str) -> str:
        """Return what ``auto`` means for the search, unless data say that characters get labels."""
        return SEARCHES[self.system][self.prefer]

    def suited(self, characters: bool) -> Self:
        """This recipe with the search that ``auto`` means; `characters`: whether these get labels."""
        if characters and self.is_auto("search"):
            return self.but(search=SEARCHES[CHARACTERS][self.prefer])
        return self.but(search=str(self.search_choice))

    @property
    def word_templates(self) -> tuple[str, ...]:
        """The templates it means, where words are built."""
        chosen = self.system if self.templates == "auto" else self.templates
        if not isinstance(chosen, str):
            return tuple(chosen)
        preset = WORD_PRESETS[chosen]
        return tuple(preset) if self.dictionary else words.without_known(preset)


def _check_columns(templates: Sequence[str]) -> None:
    if columns_read(parse_all(templates)) > 4:
        raise SettingError("units have four columns; read them as w[0], p[0], col(2)[0] and col(3)[0]")


def templates_for(
    recipe: SegmentationRecipe, alone: tuple[str, ...], known: bool, habits: bool = False
) -> tuple[str, ...]:
    """The templates a recipe means; those on known tokens, habits and lines go where there are none."""
    chosen = recipe.templates
    if chosen == "auto":
        chosen = "characters" if "other" in alone or len(alone) == len(CLASSES) else "words"
    texts = PRESETS[chosen] if isinstance(chosen, str) else chosen
    there = {0, *([1] if known else []), *([2] if habits else []), *([] if alone else [3])}
    kept = tuple(t.text for t in parse_all(texts) if {atom.column for atom in t.atoms} <= there)
    if not kept:
        raise SettingError("no template is left without known tokens; give one such as w[0]")
    return kept
