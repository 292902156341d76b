"""The task of hierarchical phrase-based translation, for the engine and for the definition."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from functools import cached_property
from typing import Any, ClassVar, Self

import numpy as np
import numpy.typing as npt

from structron import _core
from structron.alignment.vocabulary import Vocabulary
from structron.engine.choices import Choices
from structron.engine.rows import Arrays, Rows, texts, typed
from structron.errors import ModelError
from structron.io.values.ngrams import NGrams
from structron.tasks.translation.features import TranslationTemplate, parse_all
from structron.tasks.translation.hiero.forced_decoding import CAP, HieroGold
from structron.tasks.translation.hiero.matching import Rule, SentenceRules, Side
from structron.tasks.translation.hiero.predictor import FrozenHiero
from structron.tasks.translation.hiero.rules import GAPS, USUAL, CountedRule, Limits
from structron.tasks.translation.hiero.space import (
    DENSE,
    HieroScoring,
    HieroSpace,
    check_limits,
    check_templates,
)
from structron.tasks.translation.hiero.table import RuleTable, pack_rules, unpack_rules
from structron.tasks.translation.language_model.estimation import engine_of
from structron.tasks.translation.language_model.word_model import WordModel
from structron.tasks.translation.phrases.options import Words
from structron.tasks.translation.shared_settings import SETTINGS, check_settings, numbers_of
from structron.tasks.translation.storage import pack_ngrams, unpack_ngrams
from structron.tasks.translation.words.source_words import UNCHANGED, SourceWords
from structron.tasks.translation.writing import WORDS, Writing


@dataclass(frozen=True)
class HieroTask:
    """Translation by rules with gaps.

    Parameters
    ----------
    rules
        The table of rules.
    language_model, templates, scale, frozen_dense, bits, unreachable, cap, least, tuned, source_words,
    writing
        As in `TranslationTask`; templates see a rule and the source words around it.
    span_limit
        The most source words of a span that rules with gaps may cover.
    limits
        The limits of rule extraction, with which a training pair is left out of the counts.
    """

    kind: ClassVar[str] = "translation"
    system: ClassVar[str] = "hiero"
    searches: ClassVar[tuple[str, ...]] = ("forest",)
    dense: ClassVar[int] = len(DENSE)
    dense_names: ClassVar[tuple[str, ...]] = DENSE
    weight_columns: ClassVar[int] = 1

    rules: RuleTable
    language_model: NGrams
    templates: tuple[str, ...] = ()
    span_limit: int = 10
    scale: float = 1.0
    frozen_dense: bool = False
    bits: int = 0
    unreachable: str = "skip"
    cap: int = CAP
    least: int = 1
    tuned: tuple[float, ...] = ()
    limits: Limits = USUAL
    source_words: SourceWords = UNCHANGED
    writing: Writing = WORDS

    def __post_init__(self) -> None:
        check_settings(self)
        check_limits(self.span_limit, self.scale)
        check_templates(self.parsed)

    def __getstate__(self) -> dict[str, Any]:
        # The engine's objects are rebuilt on first use.
        return {each.name: getattr(self, each.name) for each in fields(self)}

    @cached_property
    def parsed(self) -> list[TranslationTemplate]:
        """Return the parsed templates."""
        return parse_all(self.templates)

    @property
    def called(self) -> str:
        """Return the name of the task for messages."""
        return "translation by rules with gaps"

    @property
    def phrases(self) -> RuleTable:
        """Return the table, by the name that it has in every system."""
        return self.rules

    @cached_property
    def engine(self) -> _core.Rules:
        """Return rules, language model and templates as the engine runs them."""
        table = self.rules
        numbers = Vocabulary(self.language_model.vocabulary).numbers(table.target_vocabulary)
        return _core.Rules(
            table.source_vocabulary,
            table.target_vocabulary,
            engine_of(self.language_model),
            [*table.numbers, np.array(numbers, np.uint32)],
            table.scores,
            table.links,
            [(t.base, list(t.atoms)) for t in self.parsed],
            self.span_limit,
            self.scale,
            self.frozen_dense,
            (self.limits.words, self.limits.symbols),
        )

    @cached_property
    def scoring(self) -> HieroScoring:
        """Return the features and limits for the definition."""
        return HieroScoring(
            WordModel(self.language_model),
            self.language_model.order - 1,
            tuple(self.parsed),
            self.span_limit,
            self.scale,
            self.frozen_dense,
            self.bits,
        )

    @cached_property
    def table(self) -> dict[Side, list[Rule]]:
        """Return the rules as the definition looks them up."""
        found: dict[Side, list[Rule]] = {}
        for rule in self.rules.each():
            plain = self.plain(rule)
            found.setdefault(plain.source, []).append(plain)
        return found

    def plain(self, rule: CountedRule) -> Rule:
        """Return a rule in words."""
        sides = (rule.source, self.rules.source_vocabulary), (rule.target, self.rules.target_vocabulary)
        source, target = (
            tuple(GAPS.index(symbol) if symbol in GAPS else words[symbol] for symbol in symbols)
            for symbols, words in sides
        )
        return Rule(source, target, rule.scores, rule.links)

    def space(self, source: Words) -> HieroSpace:
        """Return the search space of one sentence, with the rules that the engine finds for it."""
        sides, _ = self.engine.matched(source)
        wanted = sorted(entry for options in sides for entry in options if entry is not None)
        table: dict[Side, list[Rule]] = {}
        for rule in self.rules.some(wanted):
            plain = self.plain(rule)
            table.setdefault(plain.source, []).append(plain)
        return HieroSpace(self.scoring, SentenceRules(table, source, self.span_limit))

    def gold(self, space: HieroSpace, references: Sequence[Words]) -> HieroGold:
        """Return the target of training, for the definition."""
        return HieroGold(space, references, self.unreachable == "prefix", self.cap)

    def start(self, seed: int) -> Mapping[tuple[int, int], float]:
        """Return the tuned dense weights, if there are any."""
        return {(_core.Weights.DENSE, i): value / self.scale for i, value in enumerate(self.tuned)}

    def corpus(self, weights: _core.Weights) -> _core.HieroCorpus:
        """Create an empty corpus of sources and lists of references."""
        return _core.HieroCorpus(self.engine, weights, self.unreachable == "prefix", self.cap, self.least)

    def live(self, corpus: _core.HieroCorpus, weights: _core.Weights, choices: Choices) -> _core.Trainer:
        """Create the engine's trainer on a packed corpus."""
        return _core.hiero_trainer(corpus, weights, *choices.arguments)

    def frozen(self, rows: Rows, kind: str = "forest") -> FrozenHiero:
        """Create the engine's translator with these weights."""
        engine = _core.hiero_predictor(self.engine, rows, self.bits)
        return FrozenHiero(engine, self.space, prefix=self.unreachable == "prefix", cap=self.cap)

    def header(self) -> dict[str, Any]:
        """Return plain data for a model file."""
        lists = {
            "templates": list(self.templates),
            "tuned": list(self.tuned),
            "limits": [self.limits.words, self.limits.symbols],
        }
        settings = {name: getattr(self, name) for name in _SETTINGS}
        return {"system": self.system} | settings | lists | self.source_words.header | self.writing.header

    def arrays(self) -> dict[str, npt.NDArray[Any]]:
        """Return rules, language model and source words."""
        tables = pack_rules("rules", self.rules) | pack_ngrams("language_model", self.language_model)
        return tables | self.source_words.arrays | self.writing.arrays

    @classmethod
    def restore(cls, header: Mapping[str, Any], arrays: Arrays) -> Self:
        """Restore the task from a model file."""
        limits = numbers_of(header, "limits", int)
        if len(limits) != 2:
            raise ModelError("its limits should be two numbers")
        return cls(
            unpack_rules(arrays, "rules"),
            unpack_ngrams(arrays, "language_model"),
            tuple(texts(header, "templates")),
            tuned=numbers_of(header, "tuned", float),
            limits=Limits(*limits),
            source_words=SourceWords.restore(header, arrays),
            writing=Writing.restore(header, arrays),
            **{name: typed(header, name, kind) for name, kind in _SETTINGS.items()},
        )


# The entries of a header that are not lists.
_SETTINGS: Mapping[str, type] = {"span_limit": int, **SETTINGS}
