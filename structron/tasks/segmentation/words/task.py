"""Segmentation by words: a beam over words, with their tags or without (Zhang & Clark 2007, 2008, 2011).

See `word_space` beside this file for what is searched, and `structron.tasks.segmentation.features.words`
for what
is seen.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import field, fields, replace
from functools import cached_property
from itertools import chain
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple, Self, TypeAlias, TypeVar

from structron import _core
from structron.engine.choices import Choices
from structron.engine.rows import Arrays, Rows, is_text, keys_of, texts, typed
from structron.errors import DataError, SettingError
from structron.features.keys import combine, hash_bytes
from structron.records import dataclass
from structron.segments.boundaries import SENTENCE
from structron.segments.units import plain_cutter
from structron.tasks.segmentation.features.words import NAMES, WordTemplate, parse_all
from structron.tasks.segmentation.packed_texts import PackedTexts
from structron.tasks.segmentation.units.known_tokens import BLANK, KnownTokens
from structron.tasks.segmentation.words.characters import Characters
from structron.tasks.segmentation.words.clauses import Text, clauses, text_of

if TYPE_CHECKING:
    import numpy.typing as npt

    from structron.tasks.segmentation.words.space import WordOracle, WordSpace

T = TypeVar("T")
NO_TAG = ""
MOST_TAGS = 30_000
COLUMNS = ("upos", "xpos")


Numbers: TypeAlias = "memoryview | array[int]"  # what the engine has filled, or will read


class TaggedSpans(NamedTuple):
    """The tokens of one text: begins, ends, flags, and the numbers of their tags."""

    begins: Numbers
    ends: Numbers
    flags: Numbers
    tags: Numbers


@dataclass(frozen=True)
class WordTask:
    """Words of a text, built one by one, with or without tags.

    Parameters
    ----------
    tags
        All tags of words; a single empty one if words have none.
    templates
        See `structron.tasks.segmentation.features.words`.
    sentences
        Find sentences, too.
    known
        Words of several characters, with the number of stretches of the training data that have them.
    least
        The number of stretches that must have a word for it to be known in training.
    bits
        With b bits all features share 2^b rows (the hashing trick). 0: exact.
    seen
        Keys of all words of the training data, to recognise new ones.
    column
        The column of tags in CoNLL-U, ``upos`` or ``xpos``.
    clauses
        Cut texts into clauses that are searched separately.
    spaces
        Allow white space in words (`structron.tasks.segmentation.white_space`).
    """

    kind: ClassVar[str] = "segmentation"
    searches: ClassVar[tuple[str, ...]] = ("exact", "beam")
    dense: ClassVar[int] = 0

    tags: tuple[str, ...]
    templates: tuple[str, ...]
    sentences: bool = False
    known: KnownTokens = field(default_factory=KnownTokens.empty)
    bits: int = 0
    seen: array[int] = field(default_factory=lambda: array("Q"))
    least: int = 2
    column: str = "upos"
    clauses: bool = False
    spaces: bool = True

    def __post_init__(self) -> None:
        if not 1 <= len(self.tags) <= MOST_TAGS:
            raise SettingError(f"{len(self.tags)} tags are not possible; there must be 1 to {MOST_TAGS}")
        if not all(map(is_text, self.tags)) or len(set(self.tags)) < len(self.tags):
            raise SettingError("tags must be different texts; give each once")
        if NO_TAG in self.tags and len(self.tags) > 1:
            raise SettingError("a tag is empty; give each word a tag, or none")
        if not 0 <= self.bits <= 32:
            raise SettingError(f"bits = {self.bits} is not possible; give a whole number from 0 to 32")
        if self.column not in COLUMNS:
            raise SettingError(f"column {self.column!r} has no tags; use {' or '.join(COLUMNS)}")
        _ = self.parsed

    def __getstate__(self) -> dict[str, Any]:
        # The engine's program is rebuilt on first use.
        return {each.name: getattr(self, each.name) for each in fields(self)}

    @property
    def system(self) -> str:
        """Return ``words``, or ``joint`` if words have tags."""
        return "words" if self.tags == (NO_TAG,) else "joint"

    @property
    def labels(self) -> tuple[str, ...]:
        """Return the tags; none if words have none."""
        return () if self.system == "words" else self.tags

    @property
    def called(self) -> str:
        """Return the name of the task for messages."""
        return self.kind

    @cached_property
    def parsed(self) -> list[WordTemplate]:
        """Return the parsed templates."""
        return parse_all(self.templates)

    @property
    def weight_columns(self) -> int:
        """Return two columns for each tag, and four that all tags share."""
        return 2 * len(self.tags) + 4

    @cached_property
    def program(self) -> _core.WordProgram:
        """Return the templates as the engine runs them."""
        found = []
        for t in self.parsed:
            columns = t.columns(len(self.tags))
            atoms = [(NAMES.index(name), offset) for name, offset in t.atoms]
            found.append((t.base, atoms, columns.start, columns.stop))
        return _core.WordProgram(len(self.tags), self.sentences, self.spaces, found)

    def start(self, seed: int) -> Mapping[tuple[int, int], float]:
        """Return no weights, since learning starts from zero."""
        return {}

    @cached_property
    def cutter(self) -> _core.UnitCutter:
        """Create the engine's cutter of texts into characters."""
        return plain_cutter((True, True, True))

    def pieces(self, x: Text) -> list[Text]:
        """Return the parts of a text that are searched separately; a word that is given is in one of them."""
        if not self.clauses:
            return [x]
        if isinstance(x, str):
            return [x[begin:end] for begin, end in clauses(x)]
        from structron.tasks.segmentation.words.given import cut_between_words

        return cut_between_words(x, self.cutter.places(x.input)[0].tolist())

    def units(self, text: str) -> list[tuple[int, int, tuple[str, ...]]]:
        """Return begin, end and text of each character with its attached signs, as the engine cuts them."""
        return self.cutter.units(text)

    @cached_property
    def _numbers(self) -> dict[str, int]:
        return {tag: i for i, tag in enumerate(self.tags)}

    def gold(self, text: str, tokens: Sequence[Sequence[Any]]) -> list[int]:
        """Return the gold action for each character of a text, without the last, which ends it.

        A token that does not begin at a character joins the one before it. Unless words may contain white
        space, tokens are cut there; each part has the tag of the whole.
        """
        from structron.tasks.segmentation.words.space import APPEND

        actions: list[int] = []
        at, n = -1, len(self.tags)
        begins, _, whites = self.cutter.places(text)
        for begin, white in zip(begins, whites):
            before = at
            while at + 1 < len(tokens) and tokens[at + 1][0] <= begin:
                at += 1
            if at == before and actions and (self.spaces or not white):
                actions.append(APPEND)
                continue
            token = tokens[max(at, 0)]
            tag = self._numbers.get(token[3] if len(token) > 3 and self.labels else NO_TAG)
            if tag is None:
                raise DataError(_no_tag(token))
            sentence = self.sentences and token[2] & SENTENCE and actions and at > before
            actions.append(n + 2 + tag if sentence else 1 + tag)
        return actions

    def spans(self, text: str, actions: Iterable[int]) -> TaggedSpans:
        """Return the tokens that these actions build."""
        from structron.tasks.segmentation.words.space import APPEND

        begins, ends, _ = self.cutter.places(text)
        done, n = list(actions), len(self.tags)
        begun = [(i, action) for i, action in enumerate(done) if action != APPEND]
        last = [i - 1 for i, _ in begun[1:]] + [len(done) - 1] * bool(begun)
        return TaggedSpans(
            array("I", [begins[i] for i, _ in begun]),
            array("I", [ends[i] for i in last]),
            array("B", [SENTENCE * (i == begun[0][0] or action > n) for i, action in begun]),
            array("H", [action - n - 2 if action > n else action - 1 for _, action in begun]),
        )

    def corpus(self, weights: _core.Weights) -> TextCorpus:
        """Create an empty corpus whose features are rows of `weights`."""
        return TextCorpus(self, weights)

    def live(self, corpus: TextCorpus, weights: _core.Weights, choices: Choices) -> _core.Trainer:
        """Create the engine's trainer on a packed corpus."""
        return _core.word_trainer(corpus.packed, weights, *choices.arguments)

    def frozen(self, rows: Rows, kind: str = "beam") -> FrozenWords:
        """Create the engine's segmenter with these weights."""
        return FrozenWords(self, rows)

    def header(self) -> dict[str, Any]:
        """Return plain data for a model file."""
        return {
            "system": self.system,
            "tags": list(self.tags),
            "templates": list(self.templates),
            "sentences": self.sentences,
            "column": self.column,
            "clauses": self.clauses,
            "least": self.least,
            "bits": self.bits,
            "spaces": self.spaces,
        }

    def arrays(self) -> dict[str, npt.NDArray[Any]]:
        """Return the known words, and the keys of all words."""
        import numpy as np

        return {"seen": np.asarray(self.seen), **self.known.arrays()}

    @classmethod
    def restore(cls, header: Mapping[str, Any], arrays: Arrays) -> Self:
        """Restore the task from a model file."""
        task = cls(
            tuple(texts(header, "tags")),
            tuple(texts(header, "templates")),
            typed(header, "sentences", bool),
            KnownTokens.restore(arrays),
            typed(header, "bits", int),
            keys_of(arrays, "seen"),
            typed(header, "least", int),
            typed(header, "column", str),
            "clauses" in header and typed(header, "clauses", bool),  # older files have no clauses
        )
        spaces = typed(header, "spaces", bool) if "spaces" in header else task._spaces_learned(arrays)
        return task if spaces else replace(task, spaces=False)

    def _spaces_learned(self, arrays: Arrays) -> bool:
        """Return True if words had white space in training, for a file that does not say so."""
        if self.bits:
            return False  # features share weights, which show nothing
        n = len(self.tags)
        own = [t for t in self.parsed if t.atoms == (("c", 0),)]
        from structron.tasks.segmentation import white_space

        symbols = [hash_bytes(char.encode()) ^ BLANK for char in white_space.PROBES]
        keys = {combine(t.base, symbol) for t in own for symbol in symbols}
        joined = [*range(n + 1, 2 * n + 1), 2 * n + 2]
        return white_space.was_learned(arrays, keys, joined)

    def space(self, x: Text, tokens: Sequence[Sequence[Any]] | None = None) -> WordSpace:
        """Return the search space of one text; with its gold tokens, as in training."""
        from structron.tasks.segmentation.words.space import WordSpace

        text, duties = text_of(x), () if isinstance(x, str) else x.parts
        own = {} if tokens is None else self._own(self.gold(text, tokens))
        characters = Characters(text, self.known, own)
        how = self.sentences, self.bits, self.spaces, duties
        return WordSpace(characters, len(self.tags), self.parsed, *how)

    def _own(self, actions: Sequence[int]) -> dict[tuple[int, int], int]:
        """Return the words of a text, so that those of its own stretch alone count as unknown."""
        from structron.tasks.segmentation.words.space import APPEND

        begins = [i for i, action in enumerate(actions) if action != APPEND]
        ends = [*begins[1:], len(actions)]
        return {(begin, end - begin): self.least - 1 for begin, end in zip(begins, ends)}

    def oracle(self, text: str, tokens: Sequence[Sequence[Any]]) -> WordOracle:
        """Return the oracle for the gold tokens of one text."""
        from structron.tasks.segmentation.words.space import WordOracle

        return WordOracle([*self.gold(text, tokens), len(self.tags) + 1])


def _no_tag(token: Sequence[Any]) -> str:
    if len(token) < 4:
        return "a token has no tag; give each as a pair of form and tag"
    return f"tag {token[3]!r} is not known; name it when learning begins"


def best_of_pieces(found: Sequence[Sequence[tuple[T, float]]], k: int) -> list[tuple[tuple[T, ...], float]]:
    """Return the `k` best combinations of one output for each piece; ties prefer earlier outputs."""
    best: list[tuple[tuple[T, ...], float]] = [((), 0.0)]
    for ways in found:
        both = [((*before, now), a + b) for before, a in best for now, b in ways]
        best = sorted(both, key=lambda each: -each[1])[:k]
    return best


class TextCorpus(PackedTexts):
    """Texts and their tokens as characters with actions."""

    def __init__(self, task: WordTask, weights: _core.Weights) -> None:
        self.task = task
        self.packed = _core.WordCorpus(task.program, weights, *task.known, task.least - 1)
        super().__init__(self.packed)

    def add(self, text: str, tokens: Sequence[Sequence[Any]], /) -> None:
        """Add a text with its tokens."""
        self.packed.add(text, self.task.gold(text, tokens))


class FrozenWords:
    """A predictor of tokens with their tags."""

    def __init__(self, task: WordTask, rows: Rows) -> None:
        self.task = task
        self._engine = _core.word_predictor(task.program, rows, *task.known, task.bits)

    @property
    def decode_seconds(self) -> float:
        """Return the CPU time spent searching."""
        return self._engine.decode_seconds

    @property
    def evictions(self) -> int:
        """Return how often cached values were evicted."""
        return self._engine.evictions

    def predict(self, xs: Sequence[Text], /, search: _core.Search, threads: int = 1) -> list[TaggedSpans]:
        """Return the tokens of each text."""
        pieces = [self.task.pieces(text) for text in xs]
        found = iter(self._engine.predict([piece for each in pieces for piece in each], search, threads))
        actions = [[next(found) for _ in each] for each in pieces]
        return [self.task.spans(text_of(x), chain.from_iterable(each)) for x, each in zip(xs, actions)]

    def kbest(
        self, xs: Sequence[Text], /, k: int, search: _core.Search, threads: int = 1
    ) -> list[list[tuple[TaggedSpans, float]]]:
        """Return the k best, with their scores."""
        pieces = [self.task.pieces(text) for text in xs]
        found = iter(self._engine.kbest([piece for each in pieces for piece in each], k, search, threads))
        answers = []
        for x, each in zip(xs, pieces):
            text = text_of(x)
            best = best_of_pieces([next(found) for _ in each], k)
            answers.append(
                [(self.task.spans(text, chain.from_iterable(parts)), score) for parts, score in best]
            )
        return answers

    def trace(self, x: Text, gold: Sequence[Sequence[Any]] | None, search: _core.Search) -> dict[str, Any]:
        """Return the trace of the search on one text."""
        return self._engine.trace(x, None if gold is None else self.task.gold(text_of(x), gold), search)
