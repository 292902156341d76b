"""Monotone transduction: source symbols become target symbols, piece by piece, from left to right.

An action is a pair of pieces: it consumes one or more source symbols and emits any number of target symbols.
Only pairs (source, target) of whole sequences are given. The derivation of one from the other is latent:
`structron.tasks.transduction.forced_decoding` treats every derivation that yields a reference as gold.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import fields
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar, Self

from structron import _core
from structron.engine.choices import Choices, engine_search
from structron.engine.rows import Arrays, Rows, is_text, texts, typed
from structron.engine.texts import pack_sequences, unpack_sequences
from structron.errors import ModelError, SettingError
from structron.features.keys import hash_bytes
from structron.records import dataclass
from structron.search import parse_search
from structron.task import Frozen
from structron.tasks.transduction.direction.reversal import BACKWARD, DIRECTIONS, FORWARD, BackwardCorpus
from structron.tasks.transduction.features import (
    REMEMBERED,
    TransductionTemplate,
    key_of,
    parse_all,
)
from structron.tasks.transduction.space import Pair, Symbols, TransductionSpace
from structron.tasks.transduction.words.vowels import NO_VOWELS, Vowels

if TYPE_CHECKING:
    import numpy.typing as npt

    from structron.tasks.transduction.experts.combined_transducer import TransductionExpert
    from structron.tasks.transduction.words.known_words import KnownWords

UNREACHABLE = ("skip", "nearest")
MOST_SYMBOLS = 65_520  # of targets; the engine numbers them with 16 bits


@dataclass(frozen=True)
class TransductionTask:
    """Rewriting of symbol sequences with an inventory of pairs.

    Parameters
    ----------
    pairs
        The inventory, sorted and without duplicates. Actions are numbered in this order. The last action
        skips a source symbol that is not the whole source of a pair, so that every input has a derivation.
    templates
        Feature templates, see `structron.tasks.transduction.features`.
    bits
        With b bits all features share 2^b rows (the hashing trick), which bounds memory; 0 avoids collisions.
    unreachable
        How to treat a training pair without a derivation: ``skip`` it, or learn the ``nearest`` reachable
        output. Such pairs are counted either way.
    vowels
        The symbols that are vowels for ``sv`` and ``tv`` of templates.
    direction
        ``forward``, or ``backward`` to read words from their ends. Then pairs are reversed, too; sources,
        references and outputs are not.
    experts
        Other transducers that are asked in this order if this one is uncertain.
    known_words
        The words that ``begin`` and ``end`` of templates look up, read in the same direction; without them,
        these templates have no keys.
    """

    kind: ClassVar[str] = "transduction"
    searches: ClassVar[tuple[str, ...]] = ("exact", "beam")
    dense: ClassVar[int] = 0

    pairs: tuple[Pair, ...]
    templates: tuple[str, ...]
    bits: int = 0
    unreachable: str = "skip"
    vowels: Vowels = NO_VOWELS
    direction: str = FORWARD
    experts: tuple[TransductionExpert, ...] = ()
    known_words: KnownWords | None = None

    def __post_init__(self) -> None:
        if not 0 <= self.bits <= 32:
            raise SettingError(f"bits = {self.bits} is not possible; give a whole number from 0 to 32")
        if self.unreachable not in UNREACHABLE:
            raise SettingError(
                f"unreachable {self.unreachable!r} is not known; use one of {', '.join(UNREACHABLE)}"
            )
        if not self.pairs:
            raise SettingError("the inventory is empty; give at least one pair")
        for pair in self.pairs:
            if not pair.source or len(pair.source) > 8 or len(pair.target) > 8:
                raise SettingError(f"pair {pair}: consume 1 to 8 symbols and emit at most 8")
            if not all(is_text(symbol) and symbol for piece in pair for symbol in piece):
                raise SettingError(f"pair {pair!r} is not text; give tuples of str, none empty")
        if any(a >= b for a, b in zip(self.pairs, self.pairs[1:])):
            raise SettingError("the inventory is not sorted or has a pair twice; use TransductionTask.of")
        symbols = len({symbol for pair in self.pairs for symbol in pair.target})
        if symbols > MOST_SYMBOLS:
            raise SettingError(f"{symbols} target symbols are too many; at most {MOST_SYMBOLS} are possible")
        if not all(is_text(symbol) for side in self.vowels for symbol in side):
            raise SettingError("a vowel is not text; give two tuples of str")
        if self.direction not in DIRECTIONS:
            raise SettingError(
                f"direction {self.direction!r} is not known; use one of {', '.join(DIRECTIONS)}"
            )
        if self.experts:
            from structron.tasks.transduction.experts.combined_transducer import check_order

            check_order(expert.name for expert in self.experts)
        _ = self.parsed

    @classmethod
    def of(
        cls, pairs: Iterable[tuple[Symbols, Symbols]], templates: Sequence[str], **others: Any
    ) -> TransductionTask:
        """Create a task with this inventory, given in any order."""
        unique = {Pair(tuple(source), tuple(target)) for source, target in pairs}
        return cls(tuple(sorted(unique)), tuple(templates), **others)

    def __getstate__(self) -> dict[str, Any]:
        # The engine's inventory is rebuilt on first use.
        return {each.name: getattr(self, each.name) for each in fields(self)}

    @cached_property
    def parsed(self) -> list[TransductionTemplate]:
        """Return the parsed templates."""
        return parse_all(self.templates)

    @property
    def skip(self) -> int:
        """Return the action that skips a symbol."""
        return len(self.pairs)

    @cached_property
    def columns(self) -> list[tuple[int, int, int]]:
        """Return the columns of each action in a row of weights: as a pair, by its output, by its size."""
        shapes = [(len(p.source), p.target) for p in self.pairs] + [(1, ())]
        emits: dict[tuple[str, ...], int] = {}
        sizes: dict[tuple[int, int], int] = {}
        for consumed, target in shapes:
            emits.setdefault(target, len(emits))
            sizes.setdefault((consumed, len(target)), len(sizes))
        first, second = len(shapes), len(shapes) + len(emits)
        return [(a, first + emits[t], second + sizes[n, len(t)]) for a, (n, t) in enumerate(shapes)]

    @property
    def actions(self) -> int:
        """Return the number of actions: all pairs, and skipping."""
        return len(self.pairs) + 1

    @property
    def called(self) -> str:
        """Return the name of the task for messages."""
        return self.kind

    @property
    def weight_columns(self) -> int:
        """Return the length of a row: all pairs, all outputs, all sizes."""
        return 1 + max(size for _, _, size in self.columns)

    @property
    def target_order(self) -> int:
        """Return how many target symbols back the templates look."""
        return max((back for t in self.parsed for back in (*t.targets, *t.target_vowels)), default=0)

    @property
    def action_order(self) -> int:
        """Return how many pairs back the templates look."""
        return max((back or REMEMBERED for t in self.parsed for back in t.actions), default=0)

    @cached_property
    def source_symbols(self) -> frozenset[str]:
        """Return the source symbols that pieces have."""
        return frozenset(symbol for pair in self.pairs for symbol in pair.source)

    @cached_property
    def by_source(self) -> dict[tuple[str, ...], list[int]]:
        """Return the actions of each source piece."""
        found: dict[tuple[str, ...], list[int]] = {}
        for action, pair in enumerate(self.pairs):
            found.setdefault(pair.source, []).append(action)
        return found

    @cached_property
    def hashes(self) -> list[int]:
        """Return the hash of each action for keys."""
        return [*map(key_of, self.pairs), hash_bytes(b"")]

    @cached_property
    def inventory(self) -> _core.Inventory:
        """Return pairs and templates as the engine runs them."""
        return _core.Inventory(
            [(list(p.source), list(p.target)) for p in self.pairs],
            [
                (t.base, t.source, t.source_vowels, t.hints, t.targets, t.target_vowels, t.actions, t.view)
                for t in self.parsed
            ],
            self.vowels.source,
            self.vowels.target,
            None if self.known_words is None else _core.KnownWords(*self.known_words.packed),
        )

    def turned(self, symbols: Symbols) -> list[str]:
        """Reverse symbols if words are read from their ends."""
        return list(symbols[::-1] if self.direction == BACKWARD else symbols)

    def emitted(self, actions: Iterable[int]) -> list[str]:
        """Return the output of a derivation."""
        taken = (self.pairs[action] for action in actions if action != self.skip)
        return self.turned([symbol for pair in taken for symbol in pair.target])

    def space(self, source: Symbols) -> TransductionSpace:
        """Return the search space of one input."""
        return TransductionSpace(self, self.turned(source))

    def start(self, seed: int) -> Mapping[tuple[int, int], float]:
        """Return no weights, since learning starts from zero."""
        return {}

    def corpus(self, weights: _core.Weights) -> _core.TransductionCorpus:
        """Create an empty corpus of sources and lists of references."""
        kind = BackwardCorpus if self.direction == BACKWARD else _core.TransductionCorpus
        return kind(self.inventory, weights, self.unreachable == "nearest")

    def live(
        self, corpus: _core.TransductionCorpus, weights: _core.Weights, choices: Choices
    ) -> _core.Trainer:
        """Create the engine's trainer on a packed corpus."""
        return _core.transduction_trainer(corpus, weights, *choices.arguments)

    def frozen(self, rows: Rows, kind: str = "beam") -> Frozen:
        """Create a predictor with these weights, together with the experts if there are any."""
        if not self.experts:
            return self.predictor(rows)
        from structron.tasks.transduction.experts.combined_transducer import (
            UNSURE,
            CombinedTransducer,
            Member,
        )

        unsure = UNSURE[tuple(expert.name for expert in self.experts)]
        members = [
            Member(
                expert.task.predictor(expert.rows),
                expert.weight,
                engine_search(parse_search(expert.search)),
                least,
            )
            for expert, least in zip(self.experts, unsure)
        ]
        return CombinedTransducer(self.predictor(rows), members)

    def predictor(self, rows: Rows) -> _core.TransductionPredictor:
        """Create the engine's transducer alone."""
        return _core.TransductionPredictor(
            self.inventory, rows, self.bits, backward=self.direction == BACKWARD
        )

    def header(self) -> dict[str, Any]:
        """Return plain data for a model file."""
        header: dict[str, Any] = {
            "templates": list(self.templates),
            "bits": self.bits,
            "unreachable": self.unreachable,
        }
        if any(self.vowels):
            header["vowels"] = [list(each) for each in self.vowels]
        if self.direction != FORWARD:
            header["direction"] = self.direction
        if self.experts:
            header["experts"] = [expert.header() for expert in self.experts]
        return header

    def arrays(self) -> dict[str, npt.NDArray[Any]]:
        """Return the inventory and the arrays of the experts."""
        own = {name: values for expert in self.experts for name, values in expert.arrays().items()}
        if self.known_words is not None:
            own |= self.known_words.arrays()
        own |= pack_sequences("pairs.source", [pair.source for pair in self.pairs])
        return own | pack_sequences("pairs.target", [pair.target for pair in self.pairs])

    @classmethod
    def restore(cls, header: Mapping[str, Any], arrays: Arrays) -> Self:
        """Restore the task from a model file."""
        experts: tuple[TransductionExpert, ...] = ()
        if "experts" in header:
            from structron.tasks.transduction.experts.combined_transducer import TransductionExpert

            listed = typed(header, "experts", list)
            experts = tuple(TransductionExpert.restore(each, arrays, cls.restore) for each in listed)
        return cls(
            tuple(_pairs(header, arrays)),
            tuple(texts(header, "templates")),
            typed(header, "bits", int),
            typed(header, "unreachable", str),
            _vowels(header),
            typed({"direction": FORWARD} | dict(header), "direction", str),
            experts,
            _known_words(arrays),
        )


def _known_words(arrays: Arrays) -> KnownWords | None:
    """Restore the known words of a model file, if it has any."""
    if "known.lengths" not in arrays:
        return None
    from structron.tasks.transduction.words.known_words import KnownWords

    return KnownWords.restore(arrays)


def _vowels(header: Mapping[str, Any]) -> Vowels:
    """Restore the vowels of a model file; they are missing if no template asks for them."""
    if "vowels" not in header:
        return NO_VOWELS
    sides = typed(header, "vowels", list)
    if len(sides) != 2 or not all(isinstance(side, list) for side in sides):
        raise ModelError("its vowels should be two lists")
    return Vowels(tuple(sides[0]), tuple(sides[1]))


def _pairs(header: Mapping[str, Any], arrays: Arrays) -> list[Pair]:
    """Restore the inventory of a model file; in older files it is part of the header."""
    if "pairs" not in header:
        sources = unpack_sequences(arrays, "pairs.source")
        targets = unpack_sequences(arrays, "pairs.target")
        if len(sources) != len(targets):
            raise ModelError("its pairs do not fit together")
        return [Pair(source, target) for source, target in zip(sources, targets)]
    pairs = typed(header, "pairs", list)
    if not all(isinstance(p, list) and len(p) == 2 and all(isinstance(x, list) for x in p) for p in pairs):
        raise ModelError("its pairs should be lists of two lists")
    return [Pair(tuple(source), tuple(target)) for source, target in pairs]
