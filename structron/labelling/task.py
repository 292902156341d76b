"""Sequence labelling: one action per token, its tag; a state is the last tags.

`TaggingTask` says what the problem is, for the engine and for the definition alike. A label may own several
tags, its hidden sub-labels: then search and features know tags, gold and outputs labels.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import field, fields, replace
from functools import cached_property
from operator import and_
from typing import TYPE_CHECKING, Any, ClassVar, Self

from structron import _core
from structron.engine.choices import Choices
from structron.engine.rows import Arrays, Rows, is_text, keys_of, texts, typed, view_of
from structron.engine.word_lists import engine_clusters, engine_gazetteers, restored_clusters
from structron.errors import DataError, SettingError
from structron.features.atoms import CODES
from structron.features.gazetteers import Gazetteers
from structron.features.keys import combine, hash_bytes
from structron.io.values.labels import SCHEMES, allowed_transitions
from structron.labelling.dictionary import Dictionary
from structron.labelling.latent_labels import Cells, start
from structron.labelling.templates import (
    Template,
    columns_read,
    order_of,
    parse_all,
    with_clusters,
    with_gazetteers,
)
from structron.records import dataclass

if TYPE_CHECKING:
    import numpy.typing as npt

    from structron.features.clusters import WordClusters
    from structron.labelling.restriction import Known
    from structron.labelling.space import HiddenOracle, PartialOracle, TaggingSpace, TagOracle

Tokens = Sequence[Any]
NOTHING_FITS = "no sequence of labels that the rules allow has all labels given"


@dataclass(frozen=True)
class TaggingTask:
    """The task of giving each token of a sentence a label.

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
    clusters
        Clusters of words, for templates that use them.
    gazetteers
        Lists of names, for templates that look at them.
    """

    kind: ClassVar[str] = "tagging"
    searches: ClassVar[tuple[str, ...]] = ("exact", "beam")
    dense: ClassVar[int] = 0

    labels: tuple[str, ...]
    templates: tuple[str, ...]
    ready: bool = False
    scheme: str | None = None
    dictionary: Dictionary = field(default_factory=Dictionary.empty)
    bits: int = 0
    hidden: int = 1
    clusters: WordClusters | None = None
    gazetteers: Gazetteers = field(default_factory=Gazetteers)

    def __post_init__(self) -> None:
        if not self.labels:
            raise SettingError("there are no labels; give at least one labelled token")
        if not 0 <= self.bits <= 32:
            raise SettingError(f"bits = {self.bits} is not possible; give a whole number from 0 to 32")
        if self.hidden < 1:
            raise SettingError(f"hidden = {self.hidden} is not possible; a label owns at least 1 sub-label")
        if self.actions > 65534:  # the states of a search hold tags in 16 bits
            raise SettingError(f"{self.actions} labels are too many; at most 65534 are possible")
        strange = next((label for label in self.labels if not is_text(label)), None)
        if strange is not None:
            raise SettingError(f"label {strange!r} is not text; give a str")
        if len(set(self.labels)) < len(self.labels):
            raise SettingError("a label is given twice; give each once")
        if self.scheme is not None and self.scheme not in SCHEMES:
            raise SettingError(f"scheme {self.scheme!r} is not known; use one of {', '.join(SCHEMES)}")
        if self.ready and any(t.atoms for t in self.parsed):
            raise SettingError(
                "ready features leave no words to read; use templates on tags only, such as t[-1]"
            )
        if self.scheme is not None and self.dead_end(self.labels, self.scheme):
            raise SettingError(f"these labels leave no legal {self.scheme} output for some sentences; add O")

    def __getstate__(self) -> dict[str, Any]:
        # The engine's program is rebuilt on first use.
        return {each.name: getattr(self, each.name) for each in fields(self)}

    @staticmethod
    def dead_end(labels: Sequence[str], scheme: str) -> bool:
        """Return True if rules may leave no label for the last word, as B alone after E."""
        start, after, end = allowed_transitions(labels, scheme)
        reached, new = set[int](), {i for i, may in enumerate(start) if may}
        while new:
            reached |= new
            new = {b for a in new for b, may in enumerate(after[a]) if may} - reached
        return not any(map(and_, start, end)) or not all(any(map(and_, after[a], end)) for a in reached)

    @cached_property
    def parsed(self) -> list[Template]:
        """Return the parsed templates."""
        return with_gazetteers(with_clusters(parse_all(self.templates), self.clusters), self.gazetteers.names)

    @property
    def columns(self) -> int:
        """Return how many columns a token must have."""
        return columns_read(self.parsed)

    def word_key(self, word: str) -> int | None:
        """Return the key of a word alone; None if features share rows, or no template sees words alone."""
        if self.bits or self.ready or "w[0]" not in self.templates:
            return None
        return combine(hash_bytes(b"w[0]"), hash_bytes(word.encode()))

    @property
    def order(self) -> int:
        """Return how many previous tags matter."""
        return order_of(self.parsed)

    @cached_property
    def program(self) -> _core.Program:
        """Return the templates as the engine runs them."""
        return _core.Program(
            [
                (t.base, [(CODES[a.aspect], a.length, a.column, a.offset) for a in t.atoms], t.tags)
                for t in self.parsed
            ],
            self.columns + len(self.gazetteers),
            engine_clusters(self.clusters),
        )

    @cached_property
    def rules(self) -> tuple[bytes | None, bytes | None]:
        """Return the rules for the engine: [previous label or start, label], and [label at the end]."""
        if self.scheme is None:
            return None, None
        start, after, end = allowed_transitions(self.labels, self.scheme)
        rows = [row for row in after for _ in range(self.hidden)] + [start]
        return b"".join(map(self._spread, rows)), self._spread(end)

    def _spread(self, labels: Iterable[bool]) -> bytes:
        """Copy a property of each label to all its tags."""
        return bytes(label for label in labels for _ in range(self.hidden))

    @property
    def actions(self) -> int:
        """Return the number of tags."""
        return len(self.labels) * self.hidden

    def with_labels(self, labels: Sequence[str]) -> tuple[TaggingTask, range]:
        """Return the task with more labels, and which column each of its columns becomes."""
        return replace(self, labels=(*self.labels, *labels)), range(self.actions)

    @property
    def called(self) -> str:
        """Return the name of the task for messages."""
        return self.kind

    @property
    def weight_columns(self) -> int:
        """Return one for each action."""
        return self.actions

    @property
    def tags(self) -> list[str]:
        """Return the names of the tags: the labels, or sub-labels such as ``NN:1``, ``NN:2``."""
        if self.hidden == 1:
            return list(self.labels)
        return [f"{label}:{h + 1}" for label in self.labels for h in range(self.hidden)]

    def labels_of(self, tags: Iterable[int]) -> list[str]:
        """Return the labels that tags belong to."""
        return [self.labels[tag // self.hidden] for tag in tags]

    def start(self, seed: int) -> Cells:
        """Return the initial weights: none, unless sub-labels must be distinguished."""
        return start(self.parsed, self.actions, self.bits, seed) if self.hidden > 1 else {}

    def corpus(self, weights: _core.Weights) -> _core.TaggingCorpus:
        """Return an empty corpus whose features are rows of `weights`."""
        return _core.TaggingCorpus(self.program, weights, list(self.labels), self.ready, self._lists)

    @cached_property
    def _lists(self) -> _core.Gazetteers | None:
        return engine_gazetteers(self.gazetteers)

    def live(self, corpus: _core.TaggingCorpus, weights: _core.Weights, choices: Choices) -> _core.Trainer:
        """Return the engine's trainer on a packed corpus."""
        known = self.dictionary.spread(self.hidden)
        hidden = None if self.hidden == 1 else self.hidden
        return _core.tagging_trainer(corpus, weights, *choices.arguments, *self.rules, *known, hidden)

    def frozen(self, rows: Rows, kind: str = "beam") -> _core.Predictor:
        """Return the engine's tagger with these weights."""
        known = self.dictionary.spread(self.hidden)
        hidden = None if self.hidden == 1 else self.hidden
        return _core.tagging_predictor(
            self.program, list(self.labels), self.ready, rows, *self.rules, *known, self.bits,
            gazetteers=self._lists, hidden=hidden,
        )  # fmt: skip

    def header(self) -> dict[str, Any]:
        """Return plain data for a model file."""
        return {
            "labels": list(self.labels),
            "templates": list(self.templates),
            "ready": self.ready,
            "scheme": self.scheme,
            "bits": self.bits,
            **({"hidden": self.hidden} if self.hidden > 1 else {}),
            **({"clusters": self.clusters.name} if self.clusters is not None else {}),
            **({"gazetteers": list(self.gazetteers.names)} if len(self.gazetteers) else {}),
        }

    def arrays(self) -> dict[str, npt.NDArray[Any]]:
        """Return the dictionary, the clusters and the gazetteers, if any."""
        import numpy as np

        found = self.gazetteers.arrays() | ({} if self.clusters is None else self.clusters.arrays())
        if len(self.dictionary.keys):
            found |= {
                f"dictionary.{name}": np.asarray(own) for name, own in self.dictionary._asdict().items()
            }
        return found

    @classmethod
    def restore(cls, header: Mapping[str, Any], arrays: Arrays) -> Self:
        """Read the task of a model file."""
        dictionary = Dictionary.empty()
        if "dictionary.keys" in arrays:
            dictionary = Dictionary(
                keys_of(arrays, "dictionary.keys"),
                array("I", view_of(arrays, "dictionary.offsets", "U32").tobytes()),
                array("H", view_of(arrays, "dictionary.tags", "U16").tobytes()),
            )
        return cls(
            tuple(texts(header, "labels")),
            tuple(texts(header, "templates")),
            typed(header, "ready", bool),
            None if header["scheme"] is None else typed(header, "scheme", str),
            dictionary,
            typed(header, "bits", int),
            typed({"hidden": 1} | dict(header), "hidden", int),
            restored_clusters(header, arrays),
            Gazetteers.restore(texts({"gazetteers": []} | dict(header), "gazetteers"), arrays),
        )

    def space(self, tokens: Tokens) -> TaggingSpace:
        """Return the search space of one sentence; of labels that are given, it has no others."""
        from structron.labelling.space import TaggingSpace

        allowed: Sequence[bytes] = ()
        if isinstance(tokens, _core.Restricted):
            from structron.labelling.restriction import open_tags

            found = open_tags(tokens.parts, self.labels, self.rules, self.hidden)
            if found is None:
                raise DataError(NOTHING_FITS)
            allowed = found
        listed = [(t,) if isinstance(t, str) else tuple(t) for t in tokens]
        if len(self.gazetteers):
            marks = self.gazetteers.marks([token[0] for token in listed])
            listed = [(*token[: self.columns], *marked) for token, marked in zip(listed, marks)]
        dictionary = self.dictionary.spread(self.hidden)
        return TaggingSpace(
            listed, self.actions, self.parsed, self.order, self.rules, dictionary, self.bits, self.hidden,
            allowed,
        )  # fmt: skip

    def oracle(self, labels: Sequence[Known]) -> TagOracle | HiddenOracle | PartialOracle:
        """Return the gold labels of one sentence."""
        from structron.labelling.restriction import is_partial, open_tags
        from structron.labelling.space import HiddenOracle, PartialOracle, TagOracle

        if is_partial(labels):
            return PartialOracle(open_tags(labels, self.labels, self.rules, self.hidden))
        numbers = [self.labels.index(str(label)) for label in labels]
        return TagOracle(numbers) if self.hidden == 1 else HiddenOracle(numbers, self.hidden)
