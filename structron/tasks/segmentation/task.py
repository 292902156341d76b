"""Segmentation: where the sentences and tokens of a text begin, and which tokens are several words.

A text becomes units, and each unit gets a label by the engine that labels words: see `units`, `boundaries`
and `known_tokens` beside this file.
"""

from __future__ import annotations

from array import array
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar, TypeAlias

from structron import _core
from structron.engine.choices import Choices
from structron.engine.rows import Arrays, Rows, keys_of, texts, typed
from structron.errors import SettingError
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
from structron.segments.boundaries import (
    Boundary,
    Token,
    allowed,
    boundaries,
    duties,
    known_as,
    rules,
    split_at_white,
)
from structron.segments.units import CLASSES, Unit, cut_by
from structron.tasks.segmentation.packed_texts import PackedTexts
from structron.tasks.segmentation.units.known_tokens import KnownTokens
from structron.tasks.segmentation.units.multiword import MultiwordRules
from structron.tasks.segmentation.words.task import WordTask

if TYPE_CHECKING:
    import numpy.typing as npt

    from structron.labelling.space import TaggingSpace, TagOracle
    from structron.tasks.segmentation.words.task import Numbers

Spans: TypeAlias = "tuple[Numbers, Numbers, Numbers]"  # begins, ends and flags of tokens
_NO_TAGS = Dictionary.empty()


@dataclass(frozen=True)
class SegmentationTask:
    """What is predicted from what.

    Parameters
    ----------
    labels
        All labels of units, see `structron.segments.boundaries`.
    templates
        Those of the tagger, over units: a unit's word is its characters, after a blank if white space stands
        before it; its second column is what the known tokens say of it.
    alone
        The classes of characters that are cut into units of one character.
    known
        Tokens of several units that were seen.
    least
        How often a token must have been seen to be known while the model learns.
    multiword
        How tokens of several words are split.
    bits
        With b bits all features share 2^b rows (the hashing trick). 0: exact.
    seen
        Keys of all tokens of the training data, to tell later which are new; kept where units are characters.
    by_text
        Whether only the tokens of a text itself must have been seen so often to be known while it is learned
        from; known tokens then count the stretches of the training data that have them.
    spaces
        Whether tokens may hold white space (`structron.tasks.segmentation.white_space`).
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
        if columns_read(self.parsed) > self.columns:
            raise SettingError("a template reads a column that units do not have; leave it out")
        if self.boundaries and any(each.ends for each in self.boundaries):
            told = {(each.begins > 0, each.ends) for each in self.boundaries}
            if len(told) < 4:
                raise SettingError("labels that say what ends need J, JE, T and TE; add them")
        if not any(each.begins for each in self.boundaries):
            raise SettingError("no label begins a token; add T or S")

    def __getstate__(self) -> dict[str, Any]:
        # The engine's program is made again where it is needed.
        return {each.name: getattr(self, each.name) for each in fields(self)}

    @cached_property
    def boundaries(self) -> list[Boundary]:
        """The labels, read."""
        return [Boundary.parse(label) for label in self.labels]

    @cached_property
    def parsed(self) -> list[Template]:
        """The templates, read."""
        return with_gazetteers(with_clusters(parse_all(self.templates), None), ())

    @property
    def columns(self) -> int:
        """What units have besides their characters is what the known tokens say."""
        return 2 if len(self.known.keys) else 1

    @cached_property
    def program(self) -> _core.Program:
        """The templates as the engine runs them."""
        return _core.Program(
            [
                (t.base, [(ASPECTS[a.aspect], a.length, a.column, a.offset) for a in t.atoms], t.tags)
                for t in self.parsed
            ],
            columns_read(self.parsed),
        )

    @cached_property
    def rules(self) -> tuple[bytes | None, bytes | None]:
        """Which label may follow which, and be the last."""
        return rules(self.boundaries)

    @cached_property
    def allowed(self) -> list[bytes]:
        """Which labels units with each duty may have."""
        return allowed(self.boundaries)

    def duties(self, text: str) -> bytes:
        """Return what white space asks of each unit of a text; nothing if tokens may hold it."""
        return b"" if self.spaces else duties(self._pieces(text))

    @property
    def called(self) -> str:
        """What it is called in messages."""
        return self.kind

    @property
    def weight_columns(self) -> int:
        """One for each label."""
        return len(self.labels)

    @property
    def single(self) -> tuple[bool, bool, bool]:
        """Which classes are cut into single characters, as the engine takes it."""
        letters, others, digits = (name in self.alone for name in CLASSES)
        return letters, others, digits

    def start(self, seed: int) -> Mapping[tuple[int, int], float]:
        """Learning starts from zero."""
        return {}

    def units(self, text: str) -> list[tuple[int, int, tuple[str, ...]]]:
        """Begin, end and columns of each unit, as the engine cuts them."""
        return self.cutter.units(text)

    def learned_units(self, text: str, tokens: Sequence[Token]) -> list[tuple[int, int, tuple[str, ...]]]:
        """The same of a text that is learned from, with its tokens."""
        if not self.by_text:
            return self._learner.units(text)
        return self.cutter.units(text, self._lengths(text, tokens), self.least - 1)

    def _lengths(self, text: str, tokens: Sequence[Token]) -> list[int]:
        """How many units the token has that begins with each; 0 where none begins, or ends inside a unit."""
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
        """Cuts texts into units."""
        return _core.UnitCutter(self.single, *self.known)

    @cached_property
    def _learner(self) -> _core.UnitCutter:
        return _core.UnitCutter(self.single, *self.known.seen(self.least))

    def _pieces(self, text: str) -> list[Unit]:
        return cut_by(self.cutter, text)

    def gold(self, text: str, tokens: Sequence[Token]) -> list[str]:
        """The labels that the units of a text should get; what the model does not have becomes the nearest.

        Tokens are cut at white space if they may hold none.
        """
        pieces = self._pieces(text)
        whole = tokens if self.spaces else split_at_white(pieces, tokens)
        return [self._nearest(label) for label in boundaries(pieces, whole, self.rules[0] is not None)]

    def _nearest(self, label: Boundary) -> str:
        text = str(label)
        return text if text in self._known_labels else str(known_as(label, self.boundaries))

    @cached_property
    def _known_labels(self) -> frozenset[str]:
        return frozenset(self.labels)

    def corpus(self, weights: _core.Weights) -> SegmentationCorpus:
        """An empty corpus whose features are rows of `weights`."""
        return SegmentationCorpus(self, weights)

    def live(self, corpus: SegmentationCorpus, weights: _core.Weights, choices: Choices) -> _core.Trainer:
        """The engine's trainer on a packed corpus."""
        after, end = self.rules
        keys, offsets, tags = _NO_TAGS
        return _core.tagging_trainer(
            corpus.packed, weights, *choices.arguments, after, end, keys, offsets, tags
        )

    def frozen(self, rows: Rows, kind: str = "beam") -> FrozenSegmenter:
        """The engine's segmenter with these weights."""
        return FrozenSegmenter(self, rows)

    def header(self) -> dict[str, Any]:
        """Plain data for a model file."""
        header = {
            "labels": list(self.labels),
            "templates": list(self.templates),
            "alone": list(self.alone),
            "least": self.least,
            "bits": self.bits,
            "spaces": self.spaces,
        }
        # Files of others say nothing of it, as those of before.
        return header | {"by_text": True} if self.by_text else header

    def arrays(self) -> dict[str, npt.NDArray[Any]]:
        """Known tokens and rules for multiword tokens, if there are any."""
        import numpy as np

        arrays = self.known.arrays()
        if self.multiword.forms:
            arrays |= self.multiword.arrays()
        if len(self.seen):
            arrays["seen"] = np.asarray(self.seen)
        return arrays

    @classmethod
    def restore(cls, header: Mapping[str, Any], arrays: Arrays) -> SegmentationTask | WordTask:
        """The task of a model file: by labels or, if that is its system, by words."""
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
        )
        spaces = typed(header, "spaces", bool) if "spaces" in header else task._spaces_learned(arrays)
        return task if spaces else replace(task, spaces=False)

    def _spaces_learned(self, arrays: Arrays) -> bool:
        """Return whether tokens held white space in training, for a file that does not say so."""
        if self.bits:
            return False  # features share their weights, which show nothing
        own = [
            t
            for t in self.parsed
            if not t.tags and [(a.offset, a.column) for a in t.atoms] == [(0, 0)]
            if t.atoms[0].aspect in ("w", "lower", "shape", "prefix", "lprefix")
            if t.atoms[0].length != 1  # which would be the blank alone
        ]
        from structron.tasks.segmentation import white_space

        keys = {t.key([[f" {char}"]], 0) for char in white_space.PROBES for t in own}
        joined = [i for i, each in enumerate(self.boundaries) if not each.begins]
        return white_space.was_learned(arrays, keys - {0}, joined)

    def space(self, text: str, gold: Sequence[Token] | None = None) -> TaggingSpace:
        """One text as the definition sees it; with its gold tokens, as it is learned from."""
        from structron.labelling.space import TaggingSpace

        units = self.units(text) if gold is None else self.learned_units(text, gold)
        return TaggingSpace(
            [columns for _, _, columns in units],
            len(self.labels),
            self.parsed,
            order_of(self.parsed),
            self.rules,
            _NO_TAGS,
            self.bits,
            allowed=[self.allowed[duty] for duty in self.duties(text)],
        )

    def oracle(self, text: str, tokens: Sequence[Token]) -> TagOracle:
        """The gold tokens of one text."""
        from structron.labelling.space import TagOracle

        return TagOracle([self.labels.index(label) for label in self.gold(text, tokens)])


class SegmentationCorpus(PackedTexts):
    """Texts and their tokens as labelled units, packed as the sentences of a tagger are."""

    def __init__(self, task: SegmentationTask, weights: _core.Weights) -> None:
        self.task = task
        self.packed = _core.TaggingCorpus(
            task.program, weights, list(task.labels), False, allowed=b"".join(task.allowed)
        )
        super().__init__(self.packed)

    def add(self, text: str, tokens: Sequence[Token], /) -> None:
        """One text with its tokens."""
        units = [columns for _, _, columns in self.task.learned_units(text, tokens)]
        self.packed.add(units, self.task.gold(text, tokens), self.task.duties(text))


class FrozenSegmenter:
    """A predictor: tokens straight from texts."""

    def __init__(self, task: SegmentationTask, rows: Rows) -> None:
        self.task = task
        self._engine = _core.segmentation_predictor(
            task.program, [(b.begins, b.multiword, list(b.inner)) for b in task.boundaries], rows,
            *task.rules, b"".join(task.allowed), task.spaces, task.single, *task.known,
            task.bits,
        )  # fmt: skip

    @property
    def decode_seconds(self) -> float:
        """CPU time spent searching."""
        return self._engine.decode_seconds

    @property
    def evictions(self) -> int:
        """How often units met before were let go."""
        return self._engine.evictions

    def predict(self, xs: Sequence[str], /, search: _core.Search, threads: int = 1) -> list[Spans]:
        """The begins, ends and flags of the tokens of each text."""
        return [*self._engine.predict(xs, search, threads)]

    def kbest(
        self, xs: Sequence[str], /, k: int, search: _core.Search, threads: int = 1
    ) -> list[list[tuple[Spans, float]]]:
        """The same for the k best that differ in their labels."""
        return [[*best] for best in self._engine.kbest(xs, k, search, threads)]

    def trace(self, x: str, gold: Sequence[Token] | None, search: _core.Search) -> dict[str, Any]:
        """What the search leaves behind on one text."""
        labels = None if gold is None else [*map(self.task.labels.index, self.task.gold(x, gold))]
        return self._engine.trace(x, labels, search)
