"""The task of phrase-based translation, for the engine and for the definition."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, replace
from functools import cached_property
from typing import Any, ClassVar, NamedTuple, Self

import numpy as np
import numpy.typing as npt

from structron import _core
from structron.alignment.vocabulary import Vocabulary
from structron.engine.choices import Choices
from structron.engine.rows import Arrays, Rows, texts, typed
from structron.errors import SettingError
from structron.io.values.ngrams import NGrams
from structron.tasks.translation.decoding.forced_decoding import CAP, ForcedDecoding
from structron.tasks.translation.decoding.space import DENSE, Scoring, TranslationSpace, check_limits
from structron.tasks.translation.decoding.targets import AIMS, AMONG, Target
from structron.tasks.translation.features import TranslationTemplate, parse_all
from structron.tasks.translation.hiero.task import HieroTask
from structron.tasks.translation.language_model.estimation import engine_of
from structron.tasks.translation.language_model.word_model import WordModel, word_bounds
from structron.tasks.translation.phrases.options import Option, Words, options_of
from structron.tasks.translation.phrases.table import PhraseTable
from structron.tasks.translation.shared_settings import SETTINGS, check_settings, numbers_of
from structron.tasks.translation.storage import pack_ngrams, pack_phrases, unpack_ngrams, unpack_phrases
from structron.tasks.translation.words.source_words import UNCHANGED, SourceWords
from structron.tasks.translation.writing import WORDS, Writing


class Tables(NamedTuple):
    """The tables estimated from a corpus of pairs."""

    phrases: PhraseTable
    language_model: NGrams


class OptionsOf:
    """The options of an array table, as the definition looks them up."""

    def __init__(self, table: PhraseTable) -> None:
        self._options: dict[tuple[str, ...], list[Option]] = {}
        for p in range(len(table.source_offsets) - 1):
            begin, end = int(table.source_offsets[p]), int(table.source_offsets[p + 1])
            source = tuple(table.source_vocabulary[word] for word in table.source_words[begin:end])
            numbers = range(int(table.first_option[p]), int(table.first_option[p + 1]))
            self._options[source] = [_option(table, o, len(source)) for o in numbers]
        self.longest = max(map(len, self._options), default=0)

    def of(self, source: tuple[str, ...]) -> Sequence[Option]:
        """Return the options of a source phrase."""
        return self._options.get(source, ())


def _option(table: PhraseTable, o: int, size: int) -> Option:
    begin, end = int(table.target_offsets[o]), int(table.target_offsets[o + 1])
    links = table.links.reshape(-1, 2)[int(table.link_offsets[o]) : int(table.link_offsets[o + 1])]
    return Option(
        0,
        size,
        tuple(table.target_vocabulary[word] for word in table.target_words[begin:end]),
        tuple(table.scores.reshape(-1, 4)[o].tolist()),
        tuple(table.reordering.reshape(-1, 6)[o].tolist()),
        tuple((int(i), int(j)) for i, j in links),
    )


@dataclass(frozen=True)
class TranslationTask:
    """Translation by phrases.

    Parameters
    ----------
    phrases
        The phrase table.
    language_model
        The n-grams of the target language.
    templates
        Sparse features, see `structron.tasks.translation.features`.
    distortion_limit
        The greatest distance of a phrase from the end of the one before, in source words.
    scale
        The factor of dense features; their own step size is its square.
    frozen_dense
        Leave the weights of dense features unchanged while the others are learned.
    bits
        With b bits all sparse features share 2^b rows; 0 keeps them apart.
    unreachable
        How to treat a training pair without a derivation: ``skip`` it, or learn the longest ``prefix`` of it
        that can be reached. Such pairs are counted either way.
    cap
        The most points of forced decoding with the same number of covered words.
    least
        The least remaining count of an option without the current training pair.
    tuned
        Initial weights of the dense features, without the scale; none is zero.
    aim, among
        The target of training: the ``reference``, or ``hope`` or ``local``, chosen among so many outputs; see
        `structron.tasks.translation.decoding.targets`.
    folds
        Tables and language models, each estimated without a part of the training pairs and used to learn from
        that part. They are not stored in a model.
    outlook
        Add the future cost of the rest to the scores when items of a stack compete.
    source_words
        The preparation of source words before they are looked up. Callers apply it: everything here takes
        words as the table knows them.
    writing
        How callers make words of raw text, and text of words.
    """

    kind: ClassVar[str] = "translation"
    system: ClassVar[str] = "phrases"
    searches: ClassVar[tuple[str, ...]] = ("beam", "classes")
    dense: ClassVar[int] = len(DENSE)
    dense_names: ClassVar[tuple[str, ...]] = DENSE
    weight_columns: ClassVar[int] = 1

    phrases: PhraseTable
    language_model: NGrams
    templates: tuple[str, ...] = ()
    distortion_limit: int = 6
    scale: float = 1.0
    frozen_dense: bool = False
    bits: int = 0
    unreachable: str = "skip"
    cap: int = CAP
    least: int = 1
    tuned: tuple[float, ...] = ()
    aim: str = "reference"
    among: int = AMONG
    folds: tuple[Tables, ...] = ()
    outlook: bool = True
    source_words: SourceWords = UNCHANGED
    writing: Writing = WORDS

    def __post_init__(self) -> None:
        check_settings(self)
        if self.aim not in AIMS:
            raise SettingError(f"aim {self.aim!r} is not known; use one of {', '.join(AIMS)}")
        if self.among < 1:
            raise SettingError(f"among = {self.among} is not possible; give at least 1")
        check_limits(self.distortion_limit, self.scale)
        _ = self.parsed

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
        return self.kind

    @cached_property
    def engine(self) -> _core.Phrases:
        """Return table, language model and templates as the engine runs them."""
        table = self.phrases
        numbers = Vocabulary(self.language_model.vocabulary).numbers(table.target_vocabulary)
        return _core.Phrases(
            table.source_vocabulary,
            table.target_vocabulary,
            engine_of(self.language_model),
            [
                table.source_words,
                table.source_offsets,
                table.first_option,
                table.target_words,
                table.target_offsets,
                np.array(numbers, np.uint32),
                table.link_offsets,
            ],
            word_bounds(self.language_model),
            table.links.reshape(-1),
            table.scores.reshape(-1),
            table.reordering.reshape(-1),
            [(t.base, list(t.atoms)) for t in self.parsed],
            self.distortion_limit,
            self.scale,
            self.frozen_dense,
            self.outlook,
        )

    @cached_property
    def scoring(self) -> Scoring:
        """Return the features and limits for the definition."""
        model = WordModel(self.language_model)
        templates = tuple(self.parsed)
        return Scoring(
            model,
            templates,
            self.distortion_limit,
            self.scale,
            self.frozen_dense,
            self.bits,
            self.outlook,
        )

    @cached_property
    def options(self) -> OptionsOf:
        """Return the table as the definition looks it up."""
        return OptionsOf(self.phrases)

    def space(self, source: Words) -> TranslationSpace:
        """Return the search space of one sentence."""
        return TranslationSpace(self.scoring, source, options_of(self.options, source))

    def start(self, seed: int) -> Mapping[tuple[int, int], float]:
        """Return the tuned dense weights, if there are any."""
        return {(_core.Weights.DENSE, i): value / self.scale for i, value in enumerate(self.tuned)}

    def corpus(self, weights: _core.Weights) -> _core.TranslationCorpus:
        """Create an empty corpus of sources and lists of references."""
        return _core.TranslationCorpus(
            self.engine,
            weights,
            self.unreachable == "prefix",
            self.cap,
            self.least,
            AIMS.index(self.aim),
            self.among,
            tuple(self.fold(i).engine for i in range(len(self.folds))),
        )

    def fold(self, number: int) -> TranslationTask:
        """Return the task with the tables of one of the folds."""
        tables = self.folds[number]
        return replace(self, phrases=tables.phrases, language_model=tables.language_model, folds=())

    def gold(self, space: TranslationSpace, references: Sequence[Words]) -> ForcedDecoding | Target:
        """Return the target of training, for the definition."""
        if self.aim == "reference":
            return ForcedDecoding(space, references, self.unreachable == "prefix", self.cap)
        return Target(space, references, self.aim, self.among, self.cap)

    def live(
        self, corpus: _core.TranslationCorpus, weights: _core.Weights, choices: Choices
    ) -> _core.Trainer:
        """Create the engine's trainer on a packed corpus."""
        if choices.kind == "classes":
            return _core.coverage_trainer(corpus, weights, *choices.arguments)
        return _core.translation_trainer(corpus, weights, *choices.arguments)

    def frozen(self, rows: Rows, kind: str = "beam") -> _core.TranslationPredictor:
        """Create the engine's translator with these weights."""
        return _core.translation_predictor(self.engine, rows, self.bits)

    def header(self) -> dict[str, Any]:
        """Return plain data for a model file."""
        lists = {"templates": list(self.templates), "tuned": list(self.tuned)}
        return (
            {name: getattr(self, name) for name in _SETTINGS}
            | lists
            | self.source_words.header
            | self.writing.header
        )

    def arrays(self) -> dict[str, npt.NDArray[Any]]:
        """Return phrase table, language model and source words."""
        tables = pack_phrases("phrases", self.phrases) | pack_ngrams("language_model", self.language_model)
        return tables | self.source_words.arrays | self.writing.arrays

    @classmethod
    def restore(cls, header: Mapping[str, Any], arrays: Arrays) -> Self | HieroTask:
        """Restore the task from a model file: by phrases, or by rules with gaps if that is its system."""
        if header.get("system") == HieroTask.system:
            return HieroTask.restore(header, arrays)
        return cls(
            unpack_phrases(arrays, "phrases"),
            unpack_ngrams(arrays, "language_model"),
            tuple(texts(header, "templates")),
            tuned=numbers_of(header, "tuned", float),
            source_words=SourceWords.restore(header, arrays),
            writing=Writing.restore(header, arrays),
            **{name: typed(header, name, kind) for name, kind in _SETTINGS.items()},
        )


# The entries of a header that are not lists.
_SETTINGS: Mapping[str, type] = {"distortion_limit": int, **SETTINGS}
