"""Segmentation by labels: the sentences and tokens of a text, and tokens of several words.

A text is cut into units, and the engine for labelling gives each unit a label: see `units`, `boundaries` and
`known_tokens`.
"""

from __future__ import annotations

from array import array
from collections.abc import Mapping, Sequence
from dataclasses import field, fields, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar

from structron import _core
from structron.engine.choices import Choices
from structron.engine.rows import Arrays, Rows, keys_of, texts, typed
from structron.errors import DataError, SettingError
from structron.features.atoms import ASPECTS
from structron.labelling.dictionary import Dictionary
from structron.labelling.templates import (
    Template,
    columns_read,
    order_of,
    parse_all,
    with_clusters,
    with_gazetteers,
)
from structron.records import dataclass
from structron.segments.boundaries import (
    Boundary,
    SomeTokens,
    Token,
    allowed,
    boundaries,
    conformed,
    known_as,
    rules,
    split_at_white,
)
from structron.segments.solid import kinds_of_header, kinds_to_header, solid_duties
from structron.segments.units import CLASSES, Unit, cut_by
from structron.tasks.segmentation.frozen_segmenter import FrozenSegmenter
from structron.tasks.segmentation.packed_texts import PackedTexts
from structron.tasks.segmentation.units.habits import Habits
from structron.tasks.segmentation.units.known_tokens import KnownTokens
from structron.tasks.segmentation.units.multiword import MultiwordRules
from structron.tasks.segmentation.words.task import WordTask

if TYPE_CHECKING:
    import numpy.typing as npt

    from structron.labelling.space import PartialOracle, TaggingSpace, TagOracle

_NO_TAGS = Dictionary.empty()


@dataclass(frozen=True)
class SegmentationTask:
    """Labels for the units of a text.

    Parameters
    ----------
    labels
        All labels of units, see `structron.segments.boundaries`.
    templates
        Templates of a tagger over units. A unit's word is its characters, after a blank if white space stands
        before it; its second column describes it by the known tokens.
    alone
        The classes of characters that form units of one character.
    known
        Tokens of several units seen in training.
    least
        How often a token must occur to be known during training.
    multiword
        The rules that split tokens of several words.
    bits
        With b bits all features share 2^b rows (the hashing trick). 0: exact.
    seen
        Keys of all tokens of the training data, to recognise new ones; stored if units are characters.
    by_text
        Apply `least` only to the tokens of the training text itself; known tokens then count the stretches of
        the training data that have them.
    spaces
        Allow white space in tokens (`structron.tasks.segmentation.white_space`).
    solid
        The kinds of pieces that are never cut (`structron.segments.solid`), as bits.
    habits
        What raw text taught about words.
    """

    kind: ClassVar[str] = "segmentation"
    searches: ClassVar[tuple[str, ...]] = ("exact", "beam")
    dense: ClassVar[int] = 0

    labels: tuple[str, ...]
    templates: tuple[str, ...]
    alone: tuple[str, ...] = ()
    known: KnownTokens = field(default_factory=KnownTokens.empty)
    multiword: MultiwordRules = field(default_factory=MultiwordRules)
    bits: int = 0
    seen: array[int] = field(default_factory=lambda: array("Q"))
    least: int = 2
    by_text: bool = False
    spaces: bool = True
    solid: int = 0
    habits: Habits = field(default_factory=Habits.empty)

    def __post_init__(self) -> None:
        if not self.labels or len(self.labels) > 65534:
            raise SettingError(f"{len(self.labels)} labels are not possible; there must be 1 to 65534")
        if len(set(self.labels)) < len(self.labels):
            raise SettingError("a label is given twice; give each once")
        if not 0 <= self.bits <= 32:
            raise SettingError(f"bits = {self.bits} is not possible; give a whole number from 0 to 32")
        strange = next((each for each in self.alone if each not in CLASSES), None)
        if strange is not None:
            raise SettingError(f"class {strange!r} is not known; use {', '.join(CLASSES)}")
        there = {0, 3} | ({1} if len(self.known.keys) else set()) | ({2} if self.habits else set())
        if not {atom.column for each in self.parsed for atom in each.atoms} <= there:
            raise SettingError("a template reads a column that units do not have; leave it out")
        if self.boundaries and any(each.ends for each in self.boundaries):
            told = {(each.begins > 0, each.ends) for each in self.boundaries}
            if len(told) < 4:
                raise SettingError("labels that say what ends need J, JE, T and TE; add them")
        if not any(each.begins for each in self.boundaries):
            raise SettingError("no label begins a token; add T or S")

    def __getstate__(self) -> dict[str, Any]:
        # The engine's program is rebuilt on first use.
        return {each.name: getattr(self, each.name) for each in fields(self)}

    @cached_property
    def boundaries(self) -> list[Boundary]:
        """Return the parsed labels."""
        return [Boundary.parse(label) for label in self.labels]

    @cached_property
    def parsed(self) -> list[Template]:
        """Return the parsed templates."""
        return with_gazetteers(with_clusters(parse_all(self.templates), None), ())

    @cached_property
    def columns(self) -> int:
        """Return the number of columns of a unit: itself, known tokens, habits, lines."""
        return max(2 if len(self.known.keys) else 1, columns_read(self.parsed))

    @cached_property
    def program(self) -> _core.Program:
        """Return the templates as the engine runs them."""
        return _core.Program(
            [
                (t.base, [(ASPECTS[a.aspect], a.length, a.column, a.offset) for a in t.atoms], t.tags)
                for t in self.parsed
            ],
            columns_read(self.parsed),
        )

    @cached_property
    def rules(self) -> tuple[bytes | None, bytes | None]:
        """Return the legal pairs of labels, and the legal last labels."""
        return rules(self.boundaries)

    @cached_property
    def allowed(self) -> list[bytes]:
        """Return the labels that are possible for each duty of a unit."""
        return allowed(self.boundaries)

    def duties(self, text: str) -> bytes:
        """Return the duty of each unit, set by white space and pieces; nothing if there is none."""
        return b"" if self.spaces and not self.solid else self.cutter.duties(text, self.spaces)

    @property
    def called(self) -> str:
        """Return the name of the task for messages."""
        return self.kind

    @property
    def weight_columns(self) -> int:
        """Return the number of labels."""
        return len(self.labels)

    @property
    def single(self) -> tuple[bool, bool, bool]:
        """Return the classes that form units of one character, as the engine takes them."""
        letters, others, digits = (name in self.alone for name in CLASSES)
        return letters, others, digits

    def start(self, seed: int) -> Mapping[tuple[int, int], float]:
        """Return no weights, since learning starts from zero."""
        return {}

    def units(self, text: str) -> list[tuple[int, int, tuple[str, ...]]]:
        """Return begin, end and columns of each unit, as the engine cuts them."""
        return self.cutter.units(text)

    def learned_units(self, text: str, tokens: Sequence[Token]) -> list[tuple[int, int, tuple[str, ...]]]:
        """Return the units of a training text with its tokens."""
        if not self.by_text:
            return self._learner.units(text)
        return self.cutter.units(text, self._lengths(text, tokens), self.least - 1)

    def _lengths(self, text: str, tokens: Sequence[Token]) -> list[int]:
        """Return the number of units in the token that begins at each unit.

        It is 0 if none begins there, or if it ends inside a unit.
        """
        begins, ends, _ = self.cutter.places(text)
        lengths = [0] * len(begins)
        where = {begin: i for i, begin in enumerate(begins.tolist())}
        until = {end: i + 1 for i, end in enumerate(ends.tolist())}
        for begin, end, *_ in tokens:
            if begin in where and end in until:
                lengths[where[begin]] = until[end] - where[begin]
        return lengths

    @cached_property
    def cutter(self) -> _core.UnitCutter:
        """Create the engine's cutter of texts into units."""
        return self._cutter(self.known)

    @cached_property
    def _learner(self) -> _core.UnitCutter:
        return self._cutter(self.known.seen(self.least))

    def _cutter(self, known: KnownTokens) -> _core.UnitCutter:
        keys, values, _ = self.habits
        return _core.UnitCutter(self.single, *known, keys, values, self.solid, self.columns)

    def _pieces(self, text: str) -> list[Unit]:
        return cut_by(self.cutter, text)

    def gold(self, text: str, tokens: Sequence[Token]) -> list[Any]:
        """Return the gold labels of a text's units; replace labels unknown to the model by the nearest.

        Tokens are cut at white space unless they may contain it, and are as pieces that are never cut ask.
        Where only some tokens are known, a unit may have one of several labels.
        """
        if isinstance(tokens, SomeTokens):
            from structron.tasks.segmentation.units.given import agreeing_labels

            return agreeing_labels(self, text, tokens)
        pieces = self._pieces(text)
        whole = tokens if self.spaces else split_at_white(pieces, tokens)
        labels = boundaries(pieces, whole, self.rules[0] is not None)
        if self.solid:
            labels = conformed(labels, solid_duties(text, pieces, self.solid))
        return [self._nearest(label) for label in labels]

    def _nearest(self, label: Boundary) -> str:
        text = str(label)
        return text if text in self._known_labels else str(known_as(label, self.boundaries))

    @cached_property
    def _known_labels(self) -> frozenset[str]:
        return frozenset(self.labels)

    def corpus(self, weights: _core.Weights) -> SegmentationCorpus:
        """Create an empty corpus whose features are rows of `weights`."""
        return SegmentationCorpus(self, weights)

    def live(self, corpus: SegmentationCorpus, weights: _core.Weights, choices: Choices) -> _core.Trainer:
        """Create the engine's trainer on a packed corpus."""
        after, end = self.rules
        keys, offsets, tags = _NO_TAGS
        return _core.tagging_trainer(
            corpus.packed, weights, *choices.arguments, after, end, keys, offsets, tags
        )

    def frozen(self, rows: Rows, kind: str = "beam") -> FrozenSegmenter:
        """Create the engine's segmenter with these weights."""
        engine = _core.segmentation_predictor(
            self.program, [(b.begins, b.multiword, list(b.inner)) for b in self.boundaries], rows,
            *self.rules, b"".join(self.allowed), self.spaces, self.single, *self.known,
            *self.habits[:2], self.solid, self.columns, self.bits,
        )  # fmt: skip
        return FrozenSegmenter(engine, lambda text, gold: [*map(self.labels.index, self.gold(text, gold))])

    def header(self) -> dict[str, Any]:
        """Return plain data for a model file."""
        header = {
            "labels": list(self.labels),
            "templates": list(self.templates),
            "alone": list(self.alone),
            "least": self.least,
            "bits": self.bits,
            "spaces": self.spaces,
        }
        # Omitted if false, as in older files.
        if self.by_text:
            header["by_text"] = True
        return header | kinds_to_header(self.solid)

    def arrays(self) -> dict[str, npt.NDArray[Any]]:
        """Return the known tokens and the rules for multiword tokens, if there are any."""
        import numpy as np

        arrays = self.known.arrays() | self.habits.arrays()
        if self.multiword.forms:
            arrays |= self.multiword.arrays()
        if len(self.seen):
            arrays["seen"] = np.asarray(self.seen)
        return arrays

    @classmethod
    def restore(cls, header: Mapping[str, Any], arrays: Arrays) -> SegmentationTask | WordTask:
        """Restore the task from a model file: by labels, or by words if that is its system."""
        if "system" in header:
            return WordTask.restore(header, arrays)
        multiword = MultiwordRules()
        if "multiword.forms.lengths" in arrays:
            multiword = MultiwordRules.restore(arrays)
        task = cls(
            tuple(texts(header, "labels")),
            tuple(texts(header, "templates")),
            tuple(texts(header, "alone")),
            KnownTokens.restore(arrays),
            multiword,
            typed(header, "bits", int),
            keys_of(arrays, "seen") if "seen" in arrays else array("Q"),
            typed(header, "least", int),
            "by_text" in header and typed(header, "by_text", bool),
            solid=kinds_of_header(header),
            habits=Habits.restore(arrays),
        )
        spaces = typed(header, "spaces", bool) if "spaces" in header else task._spaces_learned(arrays)
        return task if spaces else replace(task, spaces=False)

    def _spaces_learned(self, arrays: Arrays) -> bool:
        """Return True if tokens had white space in training, for a file that does not say so."""
        if self.bits:
            return False  # features share weights, which show nothing
        own = [
            t
            for t in self.parsed
            if not t.tags and [(a.offset, a.column) for a in t.atoms] == [(0, 0)]
            if t.atoms[0].aspect in ("w", "lower", "shape", "prefix", "lprefix")
            if t.atoms[0].length != 1  # a length of 1 would be the blank alone
        ]
        from structron.tasks.segmentation import white_space

        keys = {t.key([[f" {char}"]], 0) for char in white_space.PROBES for t in own}
        joined = [i for i, each in enumerate(self.boundaries) if not each.begins]
        return white_space.was_learned(arrays, keys - {0}, joined)

    def space(self, text: str, gold: Sequence[Token] | None = None) -> TaggingSpace:
        """Return the search space of one text; with its gold tokens, as in training."""
        from structron.labelling.restriction import open_tags
        from structron.labelling.space import TaggingSpace

        allowed: Sequence[bytes] = []
        if not isinstance(text, _core.Restricted):
            allowed = [self.allowed[duty] for duty in self.duties(text)]
        else:
            parts = [tuple(self.labels[label] for label in labels) for labels in text.parts]
            text = text.input
            kept = open_tags(parts, self.labels, self.rules)
            if kept is None:
                raise DataError("no tokens fit those given")
            allowed = kept
        units = self.units(text) if gold is None else self.learned_units(text, gold)
        return TaggingSpace(
            [columns for _, _, columns in units],
            len(self.labels),
            self.parsed,
            order_of(self.parsed),
            self.rules,
            _NO_TAGS,
            self.bits,
            allowed=allowed,
        )

    def oracle(self, text: str, tokens: Sequence[Token]) -> TagOracle | PartialOracle:
        """Return the oracle for the gold tokens of one text."""
        from structron.labelling.restriction import open_tags
        from structron.labelling.space import PartialOracle, TagOracle

        gold = self.gold(text, tokens)
        if isinstance(tokens, SomeTokens):
            return PartialOracle(open_tags(gold, self.labels, self.rules))
        return TagOracle([self.labels.index(label) for label in gold])


class SegmentationCorpus(PackedTexts):
    """Texts and their tokens as labelled units, packed like a tagger's sentences."""

    def __init__(self, task: SegmentationTask, weights: _core.Weights) -> None:
        self.task = task
        self.packed = _core.TaggingCorpus(
            task.program, weights, list(task.labels), False, allowed=b"".join(task.allowed)
        )
        super().__init__(self.packed)

    def add(self, text: str, tokens: Sequence[Token], /) -> None:
        """Add a text with its tokens."""
        units = [columns for _, _, columns in self.task.learned_units(text, tokens)]
        self.packed.add(units, self.task.gold(text, tokens), self.task.duties(text))
