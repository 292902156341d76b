"""Sequence labelling: one action per token, its tag; a state is the last tags.

`TaggingTask` says what the problem is, for the engine and for the definition alike. `TaggingSpace` and
`TagOracle` are one sentence of it as the definition sees it. A label may own several tags, its hidden
sub-labels: then search and features know tags, gold and outputs labels.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields
from functools import cached_property
from typing import Any, ClassVar, NamedTuple, Self

import numpy as np
import numpy.typing as npt

from structron import _core
from structron.data.labels import SCHEMES, allowed_transitions
from structron.errors import SettingError
from structron.features.atoms import LOOKS
from structron.features.keys import fold, mix_tags
from structron.features.templates import Template, columns_read, order_of, parse_all
from structron.reference.mixed import mix
from structron.reference.trace import Path
from structron.tasks.hidden import Cells, HiddenOracle, start
from structron.tasks.task import Arrays, Choices, Rows, array_of, texts, typed

Tokens = Sequence[Any]


def is_text(label: Any) -> bool:
    """Whether it is a str that can be written: half of a surrogate pair cannot."""
    return isinstance(label, str) and (label.isascii() or not any("\ud800" <= c <= "\udfff" for c in label))


class Dictionary(NamedTuple):
    """Which tags a word may take: `keys[r]`, the hash of a word, owns `tags[offsets[r]:offsets[r + 1]]`."""

    keys: npt.NDArray[np.uint64]
    offsets: npt.NDArray[np.uint32]
    tags: npt.NDArray[np.uint16]

    @classmethod
    def empty(cls) -> Dictionary:
        """Every word may take every tag."""
        return cls(np.empty(0, np.uint64), np.zeros(1, np.uint32), np.empty(0, np.uint16))

    @classmethod
    def observed(cls, pairs: Iterable[tuple[str, str]], labels: Sequence[str], at_least: int) -> Dictionary:
        """The open dictionary: words seen `at_least` times keep to the tags they were seen with."""
        number = {label: i for i, label in enumerate(labels)}
        seen: dict[str, set[int]] = {}
        times: Counter[str] = Counter()
        for word, tag in pairs:
            times[word] += 1
            seen.setdefault(word, set()).add(number[tag])
        return cls._of(
            sorted((_core.hash_bytes(w.encode()), sorted(seen[w])) for w, n in times.items() if n >= at_least)
        )

    def widened(self, pairs: Iterable[tuple[str, str]], labels: Sequence[str]) -> Dictionary:
        """The same words, with the tags they are seen with here as well."""
        number = {label: i for i, label in enumerate(labels)}
        rows = {int(key): set(self.tags[a:b].tolist()) for key, a, b in zip(self.keys, *self._bounds())}
        for word, tag in pairs:
            row = rows.get(_core.hash_bytes(word.encode()))
            if row is not None:
                row.add(number[tag])
        return self._of(sorted((key, sorted(tags)) for key, tags in rows.items()))

    @classmethod
    def _of(cls, rows: Sequence[tuple[int, list[int]]]) -> Dictionary:
        offsets = np.cumsum([0, *(len(tags) for _, tags in rows)]).astype(np.uint32)
        keys = np.array([key for key, _ in rows], np.uint64)
        return cls(keys, offsets, np.array([t for _, tags in rows for t in tags], np.uint16))

    def _bounds(self) -> tuple[list[int], list[int]]:
        return self.offsets[:-1].tolist(), self.offsets[1:].tolist()

    def spread(self, hidden: int) -> Dictionary:
        """The same with all sub-labels of each label; what a file has out of range stays out of range."""
        if hidden == 1:
            return self
        tags = (self.tags.astype(np.int64)[:, None] * hidden + np.arange(hidden)).ravel()
        return Dictionary(
            self.keys,
            np.minimum(self.offsets.astype(np.int64) * hidden, 2**32 - 1).astype(np.uint32),
            np.minimum(tags, 2**16 - 1).astype(np.uint16),
        )

    def tags_of(self, word: str) -> list[int] | None:
        """The tags of a word, or None if it is open."""
        key = np.uint64(_core.hash_bytes(word.encode()))
        at = int(np.searchsorted(self.keys, key))
        if at == len(self.keys) or self.keys[at] != key:
            return None
        return [int(t) for t in self.tags[self.offsets[at] : self.offsets[at + 1]]]


@dataclass(frozen=True)
class TaggingTask:
    """What is predicted from what.

    Parameters
    ----------
    labels
        All labels, in the order of their numbers.
    templates
        Feature templates; for ready features only those on previous tags (and ``bias``).
    ready
        Whether tokens come as ready features instead of words.
    scheme
        ``bio``, ``iob1`` or ``bioes``: illegal sequences can never come out. None: anything goes.
    dictionary
        Which tags known words may take.
    bits
        With b bits all features share 2^b rows (the hashing trick): bounded memory, collisions. 0: exact.
    hidden
        How many tags each label owns (Sun et al. 2009): tag `t` belongs to label `t // hidden`. With 1 the
        labels are the tags.
    """

    kind: ClassVar[str] = "tagging"

    labels: tuple[str, ...]
    templates: tuple[str, ...]
    ready: bool = False
    scheme: str | None = None
    dictionary: Dictionary = field(default_factory=Dictionary.empty)
    bits: int = 0
    hidden: int = 1

    def __post_init__(self) -> None:
        if not self.labels:
            raise SettingError("there are no labels; give at least one labelled token")
        if not 0 <= self.bits <= 32:
            raise SettingError(f"bits = {self.bits} is not possible; give a whole number from 0 to 32")
        if self.hidden < 1:
            raise SettingError(f"hidden = {self.hidden} is not possible; a label owns at least 1 sub-label")
        if self.actions > 65534:
            raise SettingError(f"{self.actions} labels are too many; at most 65534 are possible")
        strange = next((label for label in self.labels if not is_text(label)), None)
        if strange is not None:
            raise SettingError(f"label {strange!r} is not text; give a str")
        if len(set(self.labels)) < len(self.labels):
            raise SettingError("a label is there twice; give each once")
        if self.scheme is not None and self.scheme not in SCHEMES:
            raise SettingError(f"scheme {self.scheme!r} is not known; use one of {', '.join(SCHEMES)}")
        if self.ready and any(t.atoms for t in self.parsed):
            raise SettingError(
                "ready features leave no words to read; use templates on tags only, such as t[-1]"
            )
        if self.scheme is not None and self.dead_end(self.labels, self.scheme):
            raise SettingError(f"these labels leave no legal {self.scheme} output for some sentences; add O")

    def __getstate__(self) -> dict[str, Any]:
        # The engine's program is made again where it is needed.
        return {each.name: getattr(self, each.name) for each in fields(self)}

    @staticmethod
    def dead_end(labels: Sequence[str], scheme: str) -> bool:
        """Whether search may come to a last word that the rules leave no label for, as B alone after E."""
        start, after, end = allowed_transitions(labels, scheme)
        reached = start.copy()
        for _ in labels:
            reached |= after[reached].any(axis=0)
        may_end = np.asarray((after & end).any(axis=1))
        return not bool((start & end).any() and may_end[reached].all())

    @cached_property
    def parsed(self) -> list[Template]:
        """The templates, read."""
        return parse_all(self.templates)

    @property
    def columns(self) -> int:
        """How many columns a token must have."""
        return columns_read(self.parsed)

    @property
    def order(self) -> int:
        """How many previous tags matter."""
        return order_of(self.parsed)

    @cached_property
    def program(self) -> _core.Program:
        """The templates as the engine runs them."""
        return _core.Program(
            [
                (t.base, [(LOOKS[a.look], a.length, a.column, a.offset) for a in t.atoms], t.tags)
                for t in self.parsed
            ],
            self.columns,
        )

    @cached_property
    def rules(self) -> tuple[npt.NDArray[np.uint8] | None, npt.NDArray[np.uint8] | None]:
        """What may follow what, as the engine reads it: [before or start, label] and [label at the end]."""
        if self.scheme is None:
            return None, None
        start, after, end = allowed_transitions(self.labels, self.scheme)
        after, start, end = (np.repeat(each, self.hidden, axis=-1) for each in (after, start, end))
        rows = [np.repeat(after, self.hidden, axis=0), start]
        return np.vstack(rows).astype(np.uint8).ravel(), end.astype(np.uint8)

    @property
    def actions(self) -> int:
        """One for each tag."""
        return len(self.labels) * self.hidden

    @property
    def tags(self) -> list[str]:
        """The names of the tags: the labels, or where these own several ``NN:1``, ``NN:2`` and so on."""
        if self.hidden == 1:
            return list(self.labels)
        return [f"{label}:{h + 1}" for label in self.labels for h in range(self.hidden)]

    def labels_of(self, tags: Iterable[int]) -> list[str]:
        """The labels that tags belong to."""
        return [self.labels[tag // self.hidden] for tag in tags]

    def start(self, seed: int) -> Cells:
        """The weights that learning starts from: none, unless sub-labels must be told apart."""
        return start(self, seed) if self.hidden > 1 else {}

    def corpus(self, weights: _core.Weights) -> _core.TaggingCorpus:
        """An empty corpus whose features are rows of `weights`."""
        return _core.TaggingCorpus(self.program, weights, list(self.labels), self.ready)

    def live(
        self, corpus: _core.TaggingCorpus, weights: _core.Weights, choices: Choices
    ) -> _core.LiveTagger | _core.LiveHiddenTagger:
        """The engine's trainer on a packed corpus."""
        keys, offsets, tags = self.dictionary.spread(self.hidden)
        search, update, skip_correct, learner = choices
        if self.hidden == 1:
            return _core.LiveTagger(
                corpus, weights, *self.rules, keys, offsets, tags, search, update, skip_correct, learner
            )
        return _core.LiveHiddenTagger(
            corpus, weights, *self.rules, keys, offsets, tags, search, update, skip_correct, learner,
            self.hidden,
        )  # fmt: skip

    def frozen(self, rows: Rows) -> _core.FrozenTagger | _core.FrozenHiddenTagger:
        """The engine's tagger with these weights."""
        keys, offsets, tags = self.dictionary.spread(self.hidden)
        names = list(self.labels)
        if self.hidden == 1:
            return _core.FrozenTagger(
                self.program, names, self.ready, *rows, *self.rules, keys, offsets, tags, self.bits
            )
        return _core.FrozenHiddenTagger(
            self.program, names, self.ready, *rows, *self.rules, keys, offsets, tags, self.hidden, self.bits
        )

    def header(self) -> dict[str, Any]:
        """Plain data for a model file."""
        return {
            "labels": list(self.labels),
            "templates": list(self.templates),
            "ready": self.ready,
            "scheme": self.scheme,
            "bits": self.bits,
        } | ({"hidden": self.hidden} if self.hidden > 1 else {})

    def arrays(self) -> dict[str, npt.NDArray[Any]]:
        """The dictionary, if there is one."""
        if not len(self.dictionary.keys):
            return {}
        return {f"dictionary.{name}": array for name, array in self.dictionary._asdict().items()}

    @classmethod
    def restore(cls, header: Mapping[str, Any], arrays: Arrays) -> Self:
        """The task of a model file."""
        dictionary = Dictionary.empty()
        if "dictionary.keys" in arrays:
            dictionary = Dictionary(
                array_of(arrays, "dictionary.keys", np.uint64),
                array_of(arrays, "dictionary.offsets", np.uint32),
                array_of(arrays, "dictionary.tags", np.uint16),
            )
        return cls(
            tuple(texts(header, "labels")),
            tuple(texts(header, "templates")),
            typed(header, "ready", bool),
            None if header["scheme"] is None else typed(header, "scheme", str),
            dictionary,
            typed(header, "bits", int),
            typed({"hidden": 1} | dict(header), "hidden", int),
        )

    def space(self, tokens: Tokens) -> TaggingSpace:
        """One sentence as the definition sees it."""
        return TaggingSpace(self, [(t,) if isinstance(t, str) else tuple(t) for t in tokens])

    def oracle(self, labels: Sequence[str]) -> TagOracle | HiddenOracle:
        """The gold labels of one sentence."""
        numbers = [self.labels.index(label) for label in labels]
        return TagOracle(numbers) if self.hidden == 1 else HiddenOracle(numbers, self.hidden)


class TagState(NamedTuple):
    """How far we are, and the last two tags; the number of tags stands for the sentence's start."""

    position: int
    t1: int
    t2: int


class TaggingSpace:
    """The search space of one sentence of words, in plain Python."""

    def __init__(self, task: TaggingTask, tokens: Sequence[Sequence[str]]) -> None:
        self.task, self.tokens = task, tokens
        self._keys = [[(t.key(tokens, i), t) for t in task.parsed] for i in range(len(tokens))]
        after, end = task.rules
        self._dictionary = task.dictionary.spread(task.hidden)
        n = task.actions
        self._after = None if after is None else after.reshape(n + 1, n).astype(bool)
        self._end = None if end is None else end.astype(bool)

    def initial(self) -> TagState:
        """Nothing is tagged yet."""
        n = self.task.actions
        return TagState(0, n, n)

    def actions(self, state: TagState) -> Sequence[int]:
        """The tags that rules and dictionary leave; the dictionary yields where none of its own is left."""
        if self.is_final(state):
            return []
        tags: list[int] = list(range(self.task.actions))
        if self._after is not None and self._end is not None:
            last = state.position + 1 == len(self.tokens)
            tags = [a for a in tags if self._after[state.t1, a] and not (last and not self._end[a])]
        known = self._dictionary.tags_of(self.tokens[state.position][0])
        if known is not None:
            tags = [a for a in tags if a in known] or tags
        return tags

    def advance(self, state: TagState, action: int) -> TagState:
        """One token further."""
        return TagState(state.position + 1, action, state.t1)

    def features(self, state: TagState, action: int) -> Iterator[tuple[tuple[int, int], float]]:
        """Pairs of (key, tag), each of value 1."""
        for key, template in self._keys[state.position]:
            if key:
                yield (fold(mix_tags(key, template.tags, state.t1, state.t2), self.task.bits), action), 1.0

    def merge_key(self, state: TagState) -> tuple[int, ...]:
        """The tags that features or rules still look at."""
        order = self.task.order
        if order == 2:
            return (state.t2, state.t1)
        return (state.t1,) if order == 1 or self._after is not None else ()

    def step(self, state: TagState) -> int:
        """Tokens tagged."""
        return state.position

    def mixed(self, gold: Sequence[int], guess: Sequence[int], positions: frozenset[int]) -> tuple[int, ...]:
        """The guess's tags in some positions and gold's elsewhere; the rules have no say in it."""
        return mix(gold, guess, positions)

    def loss(self, gold: Path, guess: Path) -> float:
        """How many labels differ; of sub-labels nothing is known to be wrong."""
        hidden = self.task.hidden
        return float(sum(a // hidden != b // hidden for a, b in zip(gold.actions, guess.actions)))

    def is_final(self, state: TagState) -> bool:
        """Whether all tokens are tagged."""
        return state.position == len(self.tokens)


class TagOracle:
    """Gold tags: one derivation."""

    def __init__(self, tags: Sequence[int]) -> None:
        self.tags = tags

    def allows(self, state: TagState, action: int) -> bool:
        """Whether this is the gold tag."""
        return self.tags[state.position] == action
