"""The task of semantic parsing, for the engine and for the definition."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from functools import cached_property
from typing import Any, ClassVar, Self

import numpy as np
import numpy.typing as npt

from structron import _core
from structron.engine.choices import Choices
from structron.engine.rows import Arrays, Rows, array_of, texts, typed
from structron.errors import ModelError, SettingError
from structron.features.keys import hash_bytes
from structron.tasks.semantics.features import ProductionKeys, SemanticTemplate, parse_all
from structron.tasks.semantics.gold import HybridGold
from structron.tasks.semantics.language.association import LARGEST, Association
from structron.tasks.semantics.language.grammar import FormTree, Grammar
from structron.tasks.semantics.predictor import FrozenSemantics
from structron.tasks.semantics.space import HybridScoring, HybridSpace
from structron.tasks.semantics.words import Words

LONGEST_CHAIN = 8
FIRST_REST = 2**31  # the engine's number for types of rests


@dataclass(frozen=True)
class SemanticTask:
    """Forms of meaning for questions.

    Parameters
    ----------
    grammar
        The language of meaning.
    spoken
        The numbers of productions that may cover words. The others are names, found in the question.
    templates
        Feature templates, see `structron.tasks.semantics.features`.
    association, trust
        What is known of words before learning, and its weight.
    chain
        The longest chain of productions that cover no word themselves.
    bits
        With b bits all features share 2^b rows; 0 keeps them apart.
    """

    kind: ClassVar[str] = "semantics"
    searches: ClassVar[tuple[str, ...]] = ("forest",)
    dense: ClassVar[int] = 1
    weight_columns: ClassVar[int] = 1

    grammar: Grammar
    spoken: frozenset[int]
    templates: tuple[str, ...]
    association: Association
    trust: float = 0.03
    chain: int = 2
    bits: int = 0

    def __post_init__(self) -> None:
        if not 0 <= self.bits <= 32:
            raise SettingError(f"bits = {self.bits} is not possible; give a whole number from 0 to 32")
        if not 0 <= self.chain <= LONGEST_CHAIN:
            raise SettingError(f"chain = {self.chain} is not possible; give 0 to {LONGEST_CHAIN}")
        if not 0 <= self.trust < float("inf"):
            raise SettingError(f"trust = {self.trust} is not possible; give a number of at least 0")
        if not all(0 <= p < len(self.grammar) for p in self.spoken):
            raise SettingError("a production that is said is not in the grammar")
        parse_all(self.templates)

    def __getstate__(self) -> dict[str, Any]:
        # The engine's objects are rebuilt on first use.
        return {each.name: getattr(self, each.name) for each in fields(self)}

    @property
    def called(self) -> str:
        """Return the name of the task for messages."""
        return "semantic parsing"

    @cached_property
    def parsed(self) -> list[SemanticTemplate]:
        """Return the parsed templates."""
        return parse_all(self.templates)

    @cached_property
    def keys(self) -> list[ProductionKeys]:
        """Return each production as templates see it."""
        found = []
        for number, production in enumerate(self.grammar.productions):
            whole = hash_bytes(production.text.encode())
            of_type = hash_bytes(f"{production.result}/{production.arity}".encode())
            function = hash_bytes(production.function.encode())
            seen = whole if number in self.spoken else of_type
            found.append(ProductionKeys(whole, function, seen, of_type))
        return found

    @cached_property
    def engine(self) -> _core.SemanticGrammar:
        """Return grammar and templates as the engine runs them."""
        types = {name: i for i, name in enumerate(sorted({p.result for p in self.grammar.productions}))}
        # The rest of a conjunction always stands last; its type has a number beyond all others.
        types |= {name: types[name] + FIRST_REST for name in self.grammar.rests}
        productions = [
            (
                keys.whole,
                keys.function,
                keys.seen,
                keys.kind,
                types[production.result],
                number in self.spoken,
                [sorted(types[name] for name in slot) for slot in production.slots],
            )
            for number, (production, keys) in enumerate(zip(self.grammar.productions, self.keys))
        ]
        known = self.association
        return _core.SemanticGrammar(
            productions,
            sorted(types[name] for name in self.grammar.start),
            [(t.base, list(t.atoms)) for t in self.parsed],
            self.chain,
            known.words,
            known.productions,
            known.with_words,
            known.values,
            -LARGEST,
        )

    @cached_property
    def scoring(self) -> HybridScoring:
        """Return the features and associations for the definition."""
        known = self.association
        pairs = zip(known.productions.tolist(), known.with_words.tolist())
        return HybridScoring(
            self.grammar,
            self.spoken,
            self.keys,
            tuple(self.parsed),
            dict(zip(pairs, known.values.tolist())),
            -LARGEST,
            frozenset(known.words.tolist()),
            self.chain,
            self.bits,
        )

    def tree(self, preorder: Sequence[int]) -> FormTree | None:
        """Build a form from its productions, each before its parts; return None if there are none."""
        return self.grammar.tree(preorder) if preorder else None

    def too_large(self, words: Words) -> str | None:
        """Explain that the chart of a question would be too large; return None if it can be searched."""
        try:
            self.engine.check(words, False)
        except ValueError as error:
            return str(error)
        return None

    def space(self, words: Words) -> HybridSpace:
        """Return the search space of one question."""
        return HybridSpace(self.scoring, words, words.names)

    def gold(self, space: HybridSpace, forms: Sequence[FormTree]) -> HybridGold:
        """Return the gold derivations of these forms."""
        return HybridGold(space, forms)

    def start(self, seed: int) -> Mapping[tuple[int, int], float]:
        """Return the weight of what is known of words."""
        return {(_core.Weights.DENSE, 0): self.trust}

    def corpus(self, weights: _core.Weights) -> _core.SemanticCorpus:
        """Create an empty corpus of questions and lists of forms, each given by its productions in order."""
        return NamingCorpus(self, weights)

    def live(self, corpus: _core.SemanticCorpus, weights: _core.Weights, choices: Choices) -> _core.Trainer:
        """Create the engine's trainer on a packed corpus."""
        return _core.semantics_trainer(corpus, weights, *choices.arguments)

    def frozen(self, rows: Rows, kind: str = "forest") -> FrozenSemantics:
        """Create the engine's parser with these weights."""
        return FrozenSemantics(_core.semantics_predictor(self.engine, rows, self.bits), self.space, self.tree)

    def header(self) -> dict[str, Any]:
        """Return plain data for a model file."""
        return {
            "grammar": self.grammar.to_dict(),
            "spoken": sorted(self.spoken),
            "templates": list(self.templates),
            "trust": self.trust,
            "chain": self.chain,
            "bits": self.bits,
        }

    def arrays(self) -> dict[str, npt.NDArray[Any]]:
        """Return the prior knowledge of words."""
        return {f"association.{name}": array for name, array in self.association._asdict().items()}

    @classmethod
    def restore(cls, header: Mapping[str, Any], arrays: Arrays) -> Self:
        """Restore the task from a model file."""
        spoken = typed(header, "spoken", list)
        if not all(isinstance(p, int) and not isinstance(p, bool) for p in spoken):
            raise ModelError("its spoken productions should be numbers")
        kinds = {"words": np.uint64, "productions": np.uint32, "with_words": np.uint64, "values": np.float32}
        known = Association(**{k: array_of(arrays, f"association.{k}", kind) for k, kind in kinds.items()})
        if len({len(known.productions), len(known.with_words), len(known.values)}) > 1:
            raise ModelError("its associations differ in number")
        if not np.isfinite(known.values).all():
            raise ModelError("its associations should be numbers")
        return cls(
            Grammar.from_dict(typed(header, "grammar", dict)),
            frozenset(spoken),
            tuple(texts(header, "templates")),
            known,
            float(typed(header, "trust", float)),
            typed(header, "chain", int),
            typed(header, "bits", int),
        )


class NamingCorpus(_core.SemanticCorpus):
    """A corpus that finds the names in plain questions, such as those from another machine."""

    def __init__(self, task: SemanticTask, weights: _core.Weights) -> None:
        super().__init__(task.engine, weights)
        self._grammar = task.grammar

    def add(self, question: Sequence[str], forms: Sequence[Sequence[int]]) -> None:
        """Add a question with its forms."""
        super().add(question if isinstance(question, Words) else Words.of(self._grammar, question), forms)
