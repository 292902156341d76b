"""The compiled engine: arrays in, arrays out. Algorithms are in ``core/``, this face of them in ``bind/``."""

from array import array
from collections.abc import Callable, Sequence
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

_U8 = npt.NDArray[np.uint8]
_U16 = npt.NDArray[np.uint16]
_U32 = npt.NDArray[np.uint32]
_U64 = npt.NDArray[np.uint64]
_F32 = npt.NDArray[np.float32]
_F64 = npt.NDArray[np.float64]
_Held = bytes | memoryview | array[int] | array[float]  # memory with numbers, where numpy is not needed
_Counts = tuple[int, int, int, int, int, int]
_Cells = tuple[_U64, _U32, _F32, _F64]
_Rows = tuple[_U64, _U32, _U32, _F32, _F32]  # keys, offsets, columns, weights, dense weights
_Found = tuple[_U32, _U32, _U8, _F64, _F64, _U64, _U64, _U32, _F32]

def seen_as(data: _U8 | _Held, kind: str, shape: Sequence[int]) -> memoryview: ...
def widened(values: npt.NDArray[Any] | _Held) -> memoryview: ...
def offsets_of(lengths: npt.NDArray[Any] | _Held) -> memoryview: ...
def largest(values: npt.NDArray[Any] | _Held) -> float: ...
def is_increasing(keys: _U64 | _Held) -> bool: ...
def hash_bytes(data: bytes, /) -> int: ...
def combine(a: int, b: int, /) -> int: ...
def token_width(sentence: object) -> int: ...

class Stopped(Exception): ...
class SearchTooLarge(ValueError): ...
class ChoiceRefused(ValueError): ...

class ChartTooLarge(ValueError):
    input: int | None  # set where it is one of many inputs

class Stop:
    def __init__(self) -> None: ...
    def set(self) -> None: ...
    def enter(self) -> None: ...
    def leave(self) -> None: ...

class Restricted:
    input: Any
    parts: Any
    def __init__(self, input: Any, parts: Any) -> None: ...

class TokenColumns:
    def __init__(self, columns: tuple[list[str], ...]) -> None: ...

def aspect(what: int, length: int, text: str, clusters: WordClusters | None = None) -> int: ...

class WordClusters:
    def __init__(self, words: _U8 | _Held, of_words: _U32 | _Held, paths: _U8 | _Held) -> None: ...

class Gazetteers:
    def __init__(self, lists: Sequence[str]) -> None: ...
    def mark(self, words: Sequence[str]) -> list[list[str]]: ...

class BigramCounter:
    def __init__(self, most_pairs: int = ..., most_words: int = ...) -> None: ...
    def add(self, sentence: Sequence[str]) -> None: ...
    def settle(self) -> None: ...
    def part(self) -> tuple[list[str], _U64, _U32, _U32, _U32, int, int]: ...
    def add_part(
        self,
        words: list[str],
        times: _U64,
        left: _U32,
        right: _U32,
        both: _U32,
        sentences: int,
        tokens: int,
    ) -> None: ...
    def give(self, least: int) -> Bigrams: ...
    @property
    def tokens(self) -> int: ...

class Bigrams:
    @property
    def words(self) -> list[str]: ...
    @property
    def times(self) -> _U64: ...
    @property
    def neighbours(self) -> _U32: ...

class Exchange:
    def __init__(self, bigrams: Bigrams, classes: int) -> None: ...
    def run(self, first: int, last: int, threads: int = 1) -> int: ...
    @property
    def classes(self) -> int: ...
    @property
    def of_words(self) -> _U32: ...
    @property
    def quality(self) -> int: ...

class Agglomeration:
    def __init__(self, exchange: Exchange) -> None: ...
    def run(self, merges: int, threads: int = 1) -> list[tuple[int, int]]: ...
    @property
    def left(self) -> int: ...

class Search:
    def __init__(
        self, width: int, merge: bool, within: float = ..., keep: Callable[..., Any] | None = None
    ) -> None: ...
    @property
    def width(self) -> int: ...
    @property
    def merge(self) -> bool: ...
    @property
    def within(self) -> float: ...

def limit_combinations(most: float) -> float: ...

class Program:
    def __init__(
        self,
        templates: Sequence[tuple[int, Sequence[tuple[int, int, int, int]], int]],
        columns: int,
        clusters: WordClusters | None = None,
    ) -> None: ...
    @property
    def columns(self) -> int: ...
    @property
    def order(self) -> int: ...

class Weights:
    DENSE: ClassVar[int]
    clock: int
    def __init__(self, columns: int, bits: int = 0, dense: int = 0) -> None: ...
    @property
    def columns(self) -> int: ...
    @property
    def dense(self) -> int: ...
    @property
    def features(self) -> int: ...
    @property
    def bytes(self) -> int: ...
    @property
    def longest_probe(self) -> int: ...
    def tick(self) -> None: ...
    def get(self, key: int, column: int, /) -> float: ...
    def add(self, key: int, column: int, change: float, /) -> None: ...
    def pack(self, averaged: bool, negligible: float = 0.0) -> _Rows: ...
    def state(self) -> _Cells: ...
    def restore(self, key: _U64, column: _U32, weight: _F32, past: _F64, clock: int, /) -> None: ...
    def copy(self) -> Weights: ...
    def keys_from(self, first: int, /) -> _U64: ...
    def take_keys(self, keys: _U64, /) -> None: ...
    def mark(self) -> None: ...
    def changes(self) -> _Cells: ...
    def mix(
        self, changes: Sequence[_Cells], clocks: Sequence[int], shares: Sequence[float], threads: int = 1
    ) -> tuple[_Cells, float, int]: ...
    def adopt(self, cells: _Cells, scale: float, clock: int) -> None: ...
    def add_all(self, key: _U64, column: _U32, value: _F32, /) -> None: ...

_Delta = Sequence[tuple[int, int, float]]

class Learner:
    @property
    def margin(self) -> float: ...
    @property
    def constraints(self) -> int: ...
    def change(
        self, violations: Sequence[tuple[_Delta, float, float, int, int]]
    ) -> tuple[list[tuple[int, int, float]], int, int]: ...

class Perceptron(Learner):
    def __init__(
        self, margin: float = 0.0, step: float = 1.0, mean: bool = False, guesses: int = 1
    ) -> None: ...

class SummingPredictor(Predictor):
    def marginals(self, inputs: Sequence[Any], threads: int = 1) -> list[_F32]: ...
    def log_likelihoods(self, inputs: Sequence[Any], gold: Sequence[Any]) -> list[float]: ...

class Gradient(Learner):
    def __init__(
        self, sums: bool, c2: float, step: float, examples: float, of_gold: bool = False
    ) -> None: ...
    def grown(self, seen: int) -> float: ...

class OutsideLearner(Learner):
    def __init__(
        self, ask: Callable[..., Any], margin: float, constraints: int, close_calls: bool
    ) -> None: ...

class Mira(Learner):
    def __init__(self, k: int, C: float, augmented: bool, squared: bool = False) -> None: ...

class SWVP(Learner):
    def __init__(
        self,
        jj: int,
        n: int,
        gamma: int,
        beta: float,
        aggressive: bool,
        enforced: bool,
        printed: bool,
        margin: float,
        guesses: int = 1,
    ) -> None: ...

class ClosestChange:
    def __init__(self) -> None: ...
    @property
    def size(self) -> int: ...
    def add(self, keys: _U64, columns: _U32, values: _F32) -> None: ...
    def solve(
        self, lacking: _F64, tolerance: float, sweeps: int, start: _F64
    ) -> tuple[_F64, _F64, tuple[_U64, _U32, _F64]]: ...

def with_change(
    rows: tuple[Any, ...], keys: _U64 | _Held, columns: _U32 | _Held, values: _F32 | _Held
) -> tuple[memoryview, memoryview, memoryview, memoryview, memoryview]: ...
def make_change(
    weights: Weights, learner: Learner, found: Sequence[_Found]
) -> tuple[tuple[int, int, int], tuple[_U64, _U32, _F32]]: ...

class Trainer:
    def run(self, order: _U32, batch: int = 1, threads: int = 1) -> _Counts: ...
    def find(self, examples: _U32, numbers: _U32, threads: int = 1) -> tuple[_Counts, _Found]: ...
    @property
    def waited_seconds(self) -> float: ...
    @property
    def change_seconds(self) -> float: ...
    def trace(self, example: int) -> dict[str, Any]: ...
    def choose_with(self, ask: Callable[..., Any]) -> None: ...

class Predictor:
    @property
    def decode_seconds(self) -> float: ...
    @property
    def evictions(self) -> int: ...
    def predict(self, xs: Sequence[Any], search: Search, threads: int = 1) -> list[Any]: ...
    def kbest(
        self, xs: Sequence[Any], k: int, search: Search, threads: int = 1
    ) -> list[list[tuple[Any, float]]]: ...
    def trace(self, x: Any, gold: Any, search: Search) -> dict[str, Any]: ...

class TaggingCorpus:
    def __init__(
        self,
        program: Program,
        weights: Weights,
        labels: Sequence[str],
        ready: bool,
        gazetteers: Gazetteers | None = None,
        allowed: _U8 | _Held | None = None,
    ) -> None: ...
    @property
    def sentences(self) -> int: ...
    @property
    def tokens(self) -> int: ...
    def add(
        self, sentence: Sequence[Any], tags: Sequence[str], duties: _U8 | _Held | None = None
    ) -> None: ...
    def arrays(self) -> tuple[_U32, _U32, _U32, _U64, _U16]: ...
    def restore(self, arrays: tuple[_U32, _U32, _U32, _U64, _U16], /) -> None: ...
    def counts(self) -> tuple[_U64, _U32]: ...
    def keep(self, keys: _U64, /) -> None: ...

def tagging_trainer(
    corpus: TaggingCorpus,
    weights: Weights,
    search: Search,
    update: int,
    skip_correct: bool,
    learner: Learner,
    after: _U8 | _Held | None,
    end: _U8 | _Held | None,
    dict_keys: _U64 | _Held,
    dict_offsets: _U32 | _Held,
    dict_tags: _U16 | _Held,
    hidden: int | None = None,
) -> Trainer: ...
def tagging_predictor(
    program: Program,
    labels: Sequence[str],
    ready: bool,
    rows: _Rows,
    after: _U8 | _Held | None,
    end: _U8 | _Held | None,
    dict_keys: _U64 | _Held,
    dict_offsets: _U32 | _Held,
    dict_tags: _U16 | _Held,
    bits: int = 0,
    room: int = ...,
    gazetteers: Gazetteers | None = None,
    hidden: int | None = None,
) -> Predictor: ...

_Tree = tuple[Sequence[int], Sequence[str]]
_Place = tuple[int, int, int]

def projective(heads: Sequence[int]) -> bool: ...

class ParsingProgram:
    def __init__(
        self,
        templates: Sequence[tuple[int, Sequence[tuple[int, _Place, _Place, int, int, int, int]]]],
        columns: int,
        clusters: WordClusters | None = None,
    ) -> None: ...
    @property
    def columns(self) -> int: ...

class ParsingCorpus:
    def __init__(
        self,
        program: ParsingProgram,
        labels: Sequence[str],
        system: int,
        single_root: bool,
        transitions: Sequence[tuple[int, int]],
        swaps: int,
        bits: int = 0,
    ) -> None: ...
    @property
    def sentences(self) -> int: ...
    @property
    def tokens(self) -> int: ...
    def add(self, tokens: Sequence[Any], tree: _Tree, /) -> None: ...
    def counts(self) -> tuple[_U64, _U32]: ...
    def keep(self, keys: _U64, /) -> None: ...

def parsing_trainer(
    corpus: ParsingCorpus,
    weights: Weights,
    search: Search,
    update: int,
    skip_correct: bool,
    learner: Learner,
    dynamic: bool,
) -> Trainer: ...
def parsing_predictor(
    program: ParsingProgram,
    labels: Sequence[str],
    system: int,
    single_root: bool,
    transitions: Sequence[tuple[int, int]],
    swaps: int,
    dynamic: bool,
    rows: _Rows,
    bits: int = 0,
    room: int = ...,
) -> Predictor: ...
def dp_parsing_trainer(
    corpus: ParsingCorpus,
    weights: Weights,
    search: Search,
    update: int,
    skip_correct: bool,
    learner: Learner,
) -> Trainer: ...

class TreeScorer:
    def __init__(self, predictor: Predictor) -> None: ...
    def scores(self, sentence: Sequence[Any], trees: Sequence[_Tree]) -> list[float]: ...

def combined_predictor(
    own: Predictor,
    experts: Sequence[tuple[Predictor, float, Search, bool, int]],
    least: int,
    turned: Callable[[Any], Any],
) -> Predictor: ...

class DPParsingPredictor(Predictor):
    def __init__(
        self,
        program: ParsingProgram,
        labels: Sequence[str],
        system: int,
        single_root: bool,
        transitions: Sequence[tuple[int, int]],
        swaps: int,
        rows: _Rows,
        bits: int = 0,
        room: int = ...,
    ) -> None: ...
    def derivations(self, sentence: Sequence[Any], search: Search) -> float: ...

class Graph:
    def __init__(
        self,
        weights: Weights,
        steps: Sequence[int],
        merge_keys: Sequence[int],
        arcs: Sequence[tuple[int, int, int, bool, Sequence[tuple[int, float]]]],
        actions: int,
        futures: Sequence[float] = ...,
        dense: Sequence[Sequence[tuple[int, float]]] = ...,
    ) -> None: ...
    def train(self, search: Search, update: int, learner: Learner, skip_correct: bool = False) -> _Counts: ...
    def trace(self, search: Search, margin: float = 0.0) -> dict[str, Any]: ...
    def kbest(self, k: int, search: Search) -> list[tuple[list[int], float]]: ...

class RankedGraph:
    def __init__(
        self,
        weights: Weights,
        steps: Sequence[int],
        merge_keys: Sequence[int],
        arcs: Sequence[tuple[int, int, int, bool, Sequence[tuple[int, float]]]],
        actions: int,
        futures: Sequence[float] = ...,
        dense: Sequence[Sequence[tuple[int, float]]] = ...,
    ) -> None: ...
    def train(self, search: Search, update: int, learner: Learner, skip_correct: bool = False) -> _Counts: ...
    def trace(self, search: Search, margin: float = 0.0) -> dict[str, Any]: ...
    def kbest(self, k: int, search: Search) -> list[tuple[list[int], float]]: ...

class Aligner:
    def __init__(
        self,
        sources: _U32,
        source_offsets: _U64,
        targets: _U32,
        target_offsets: _U64,
        m: int,
        n: int,
        deletions: bool,
        both: bool,
        maximise: int,
    ) -> None: ...
    def alignable(self) -> _U8: ...
    def expect(self) -> float: ...
    def maximise(self) -> None: ...
    def restore(self, weights: _F64, counts: _F64, steps: int) -> None: ...
    @property
    def steps(self) -> int: ...
    def pieces(self) -> tuple[_U64, _U32, _U64, _U32]: ...
    def weights(self) -> _F64: ...
    def counts(self) -> _F64: ...
    def best(self) -> tuple[_U64, _U32]: ...

class KnownWords:
    def __init__(
        self,
        pieces: Sequence[tuple[Sequence[str], Sequence[str]]],
        numbers: _Held,
        lengths: _Held,
        by_end: _Held,
    ) -> None: ...

class Inventory:
    def __init__(
        self,
        pairs: Sequence[tuple[Sequence[str], Sequence[str]]],
        templates: Sequence[
            tuple[
                int,
                Sequence[int],
                Sequence[int],
                Sequence[int],
                Sequence[int],
                Sequence[int],
                Sequence[int],
                int,
            ]
        ],
        source_vowels: Sequence[str] = ...,
        target_vowels: Sequence[str] = ...,
        known_words: KnownWords | None = ...,
    ) -> None: ...
    @property
    def columns(self) -> int: ...
    def nearest(self, source: Sequence[str], reference: Sequence[str], /) -> tuple[list[str], int]: ...
    def reaches(self, source: Sequence[str], references: Sequence[Sequence[str]], /) -> bool: ...

class TransductionCorpus:
    def __init__(self, inventory: Inventory, weights: Weights, nearest: bool = False) -> None: ...
    @property
    def sentences(self) -> int: ...
    @property
    def tokens(self) -> int: ...
    @property
    def unreachable(self) -> int: ...
    def add(self, source: Sequence[str], references: Sequence[Sequence[str]], /) -> None: ...
    def counts(self) -> tuple[_U64, _U32]: ...
    def keep(self, keys: _U64, /) -> None: ...

def transduction_trainer(
    corpus: TransductionCorpus,
    weights: Weights,
    search: Search,
    update: int,
    skip_correct: bool,
    learner: Learner,
) -> Trainer: ...

class TransductionPredictor(Predictor):
    def __init__(
        self, inventory: Inventory, rows: _Rows, bits: int = 0, room: int = ..., backward: bool = False
    ) -> None: ...
    def kbest(
        self, xs: Sequence[Any], k: int, search: Search, threads: int = 1, lead: float = ...
    ) -> list[list[tuple[Any, float]]]: ...

class Vectorizer:
    def __init__(
        self,
        templates: Sequence[tuple[int, bool, int]],
        lowered: bool,
        tf: int,
        idf: bool,
        l2: bool,
        intercept: float,
        bits: int,
        keys: _U64,
        times: _U32,
        documents: int,
    ) -> None: ...
    def bags(self, xs: Sequence[Any]) -> tuple[list[CountedBag], tuple[_U64, _U32]]: ...
    def vector(self, x: Any) -> tuple[_U64, _F64]: ...

class CountedBag:
    def arrays(self) -> tuple[_U64, _F32]: ...
    def digest(self) -> int: ...

class ClassificationCorpus:
    def __init__(
        self, vectorizer: Vectorizer, weights: Weights, labels: Sequence[str], many: bool
    ) -> None: ...
    @property
    def sentences(self) -> int: ...
    @property
    def tokens(self) -> int: ...
    def add(self, x: Any, y: Sequence[str], scale: float = 1.0) -> None: ...

def classification_trainer(
    corpus: ClassificationCorpus,
    weights: Weights,
    search: Search,
    update: int,
    skip_correct: bool,
    learner: Learner,
    ballot: Ballot | None = None,
) -> Trainer: ...

class ClassificationPredictor(Predictor):
    def scores(self, xs: Sequence[Any], threads: int = 1) -> _F32: ...

def classification_predictor(
    vectorizer: Vectorizer, labels: Sequence[str], many: bool, rows: _Rows
) -> ClassificationPredictor: ...
def voted_predictor(
    vectorizer: Vectorizer,
    labels: Sequence[str],
    many: bool,
    rows: _Rows,
    examples: int,
    mistakes: tuple[_U32, ...],
) -> ClassificationPredictor: ...

class Ballot:
    def __init__(self) -> None: ...
    def pack(self) -> tuple[int, _Rows, tuple[_U32, _U32, _U32, _U32]]: ...

class Forest:
    def __init__(
        self,
        weights: Weights,
        groups: Sequence[int],
        spans: Sequence[tuple[int, int]],
        edges: Sequence[
            tuple[int, Sequence[int], int, bool, Sequence[tuple[int, Sequence[tuple[int, float]]]]]
        ],
        keys: int,
    ) -> None: ...
    def train(self, search: Search, update: int, learner: Learner, skip_correct: bool = False) -> _Counts: ...
    def trace(self, search: Search, margin: float = 0.0) -> dict[str, Any]: ...
    def kbest(self, k: int, search: Search) -> list[tuple[list[int], float]]: ...

class GraphProgram:
    def __init__(
        self,
        templates: Sequence[tuple[int, Sequence[tuple[int, int, int, int, int, int]]]],
        columns: int,
        pruning: Sequence[tuple[int, Sequence[tuple[int, int, int, int, int, int]]]] = ...,
        clusters: WordClusters | None = None,
    ) -> None: ...
    @property
    def columns(self) -> int: ...

class GraphPruner:
    def __init__(self, weights: _F32 | _Held, heads: int, ratio: float) -> None: ...

class HeadChoice:
    def __init__(self, corpus: GraphCorpus, bits: int, rate: float) -> None: ...
    def run(self, order: npt.NDArray[np.uint32]) -> None: ...
    @property
    def weights(self) -> npt.NDArray[np.float32]: ...

class GraphCorpus:
    def __init__(
        self,
        program: GraphProgram,
        labels: Sequence[str],
        single_root: bool = True,
        bits: int = 0,
        pruner: GraphPruner | None = None,
        crossing: bool = False,
    ) -> None: ...
    def counts(self) -> tuple[npt.NDArray[np.uint64], npt.NDArray[np.uint32]]: ...
    def keep(self, keys: npt.NDArray[np.uint64], /) -> None: ...
    def pruned(self) -> tuple[int, int]: ...
    def arcs(self, sentence: int, /) -> list[tuple[int, int]]: ...
    def add(
        self, sentence: Sequence[Sequence[str]], tree: tuple[Sequence[int], Sequence[str]], /
    ) -> None: ...
    @property
    def sentences(self) -> int: ...
    @property
    def tokens(self) -> int: ...

def chart_trainer(
    corpus: GraphCorpus,
    weights: Weights,
    search: Search,
    update: int,
    skip_correct: bool,
    learner: Learner,
) -> Trainer: ...
def chart_predictor(
    program: GraphProgram,
    labels: Sequence[str],
    single_root: bool,
    rows: _Rows,
    bits: int = 0,
    pruner: GraphPruner | None = None,
    room: int = ...,
) -> Predictor: ...
def spanning_trainer(
    corpus: GraphCorpus,
    weights: Weights,
    search: Search,
    update: int,
    skip_correct: bool,
    learner: Learner,
) -> Trainer: ...
def spanning_predictor(
    program: GraphProgram,
    labels: Sequence[str],
    single_root: bool,
    rows: _Rows,
    bits: int = 0,
    pruner: GraphPruner | None = None,
    room: int = ...,
) -> Predictor: ...
def climbing_trainer(
    corpus: GraphCorpus,
    weights: Weights,
    search: Search,
    update: int,
    skip_correct: bool,
    learner: Learner,
) -> Trainer: ...
def climbing_predictor(
    program: GraphProgram,
    labels: Sequence[str],
    single_root: bool,
    rows: _Rows,
    bits: int = 0,
    pruner: GraphPruner | None = None,
    room: int = ...,
) -> Predictor: ...
def spanning_tree(scores: _F64, single_root: bool) -> tuple[list[int], int]: ...
def estimate_language_model(
    words: _U32, offsets: _U64, vocabulary: int, order: int
) -> tuple[_U64, _U32, _U32, _F32, _F32]: ...

class LanguageModel:
    def __init__(self, sizes: _U64, words: _U32, first: _U32, logprob: _F32, backoff: _F32) -> None: ...
    @property
    def order(self) -> int: ...
    @property
    def words(self) -> int: ...
    @property
    def bytes(self) -> int: ...
    def begin(self) -> int: ...
    def score(self, state: int, word: int) -> tuple[float, int]: ...
    def end(self, state: int) -> float: ...
    def context(self, state: int) -> _U32: ...
    def sentences(self, words: _U32, offsets: _U64) -> _F64: ...

class Phrases:
    def __init__(
        self,
        source_vocabulary: Sequence[str],
        target_vocabulary: Sequence[str],
        model: LanguageModel,
        numbers: Sequence[_U32],
        model_bounds: _F32,
        links: npt.NDArray[np.uint8],
        scores: _F32,
        reordering: _F32,
        templates: Sequence[tuple[int, Sequence[int]]],
        distortion_limit: int,
        scale: float,
        frozen: bool,
        outlook: bool = True,
    ) -> None: ...
    def options(self, source: Sequence[str]) -> list[tuple[int, int, int | None]]: ...
    def reach(
        self, source: Sequence[str], references: Sequence[Sequence[str]], prefix: bool = False, cap: int = ...
    ) -> tuple[int, bool]: ...

class TranslationCorpus:
    def __init__(
        self,
        phrases: Phrases,
        weights: Weights,
        prefix: bool = False,
        cap: int = ...,
        least: int = 1,
        aim: int = 0,
        among: int = 50,
        others: Sequence[Phrases] = (),
    ) -> None: ...
    @property
    def sentences(self) -> int: ...
    @property
    def tokens(self) -> int: ...
    @property
    def unreachable(self) -> int: ...
    @property
    def prefixes(self) -> int: ...
    def add(
        self,
        source: Sequence[str],
        references: Sequence[Sequence[str]],
        left: tuple[_U32, _U32, _F32, _F32] | None = None,
        book: int = 0,
    ) -> None: ...

def translation_trainer(
    corpus: TranslationCorpus,
    weights: Weights,
    search: Search,
    update: int,
    skip_correct: bool,
    learner: Learner,
) -> Trainer: ...
def coverage_trainer(
    corpus: TranslationCorpus,
    weights: Weights,
    search: Search,
    update: int,
    skip_correct: bool,
    learner: Learner,
) -> Trainer: ...

class TranslationPredictor(Predictor):
    def derivations(self, xs: Sequence[Any], search: Search, threads: int = 1) -> list[list[Any]]: ...
    def listed(
        self, xs: Sequence[Any], k: int, search: Search, threads: int = 1
    ) -> list[tuple[list[list[str]], _F64, _F64]]: ...
    def trace(
        self, x: Any, gold: Any, search: Search, prefix: bool = False, cap: int = ...
    ) -> dict[str, Any]: ...

def translation_predictor(phrases: Phrases, rows: _Rows, bits: int = 0) -> TranslationPredictor: ...
def symmetrise(
    forth: tuple[_U64, _U32, _U32], back: tuple[_U64, _U32, _U32], method: int
) -> tuple[_U64, _U32, _U32]: ...

class WordAligner:
    def __init__(
        self,
        sources: _U32,
        source_offsets: _U64,
        targets: _U32,
        target_offsets: _U64,
        source_words: int,
        target_words: int,
        null: float,
        uniform: float,
        agree: bool,
        threads: int,
    ) -> None: ...
    def step(self, hmm: bool) -> tuple[float, float]: ...
    def restore(self, direction: int, lexical: _F64, null: _F64, jumps: _F64, steps: int) -> None: ...
    @property
    def steps(self) -> int: ...
    def best(self, direction: int) -> _U32: ...
    def posteriors(self, direction: int, pair: int) -> _F64: ...
    def pairs(self) -> _U64: ...
    def lexical(self, direction: int) -> _F64: ...
    def null(self, direction: int) -> _F64: ...
    def jumps(self, direction: int) -> _F64: ...

def phrase_table(
    sources: _U32,
    source_offsets: _U64,
    targets: _U32,
    target_offsets: _U64,
    link_offsets: _U64,
    link_sources: _U32,
    link_targets: _U32,
    source_words: int,
    target_words: int,
    longest: int,
    least: int,
    most: int,
) -> tuple[int, int, tuple[_U32, _U32, _U32, _U32, _U32, _U32, _U32, _U32, _F32, _F32, _U32, _U8]]: ...
def phrase_spans(
    sources: int, targets: int, link_sources: _U32, link_targets: _U32, longest: int
) -> _U32: ...

class LeaveOneOut:
    def __init__(
        self,
        source_words: _U32,
        source_offsets: _U32,
        source_counts: _U32,
        first_option: _U32,
        target_words: _U32,
        target_offsets: _U32,
        target_counts: _U32,
        counts: _U32,
        longest: int,
        least: float,
    ) -> None: ...
    def without(
        self, source: _U32, target: _U32, link_sources: _U32, link_targets: _U32
    ) -> tuple[_U32, _U32, _F32, _F32]: ...

def rule_table(
    sources: _U32,
    source_offsets: _U64,
    targets: _U32,
    target_offsets: _U64,
    link_offsets: _U64,
    link_sources: _U32,
    link_targets: _U32,
    source_words: int,
    target_words: int,
    words: int,
    symbols: int,
    least: int,
    most: int,
) -> tuple[int, int, tuple[_U32, _U32, _U32, _U32, _U32, _U32, _U32, _U32, _F32, _U32, _U8]]: ...

class Rules:
    def __init__(
        self,
        source_vocabulary: Sequence[str],
        target_vocabulary: Sequence[str],
        model: LanguageModel,
        numbers: Sequence[_U32],
        scores: _F32,
        links: _U8,
        templates: Sequence[tuple[int, Sequence[int]]],
        span_limit: int,
        scale: float,
        frozen: bool,
        limits: tuple[int, int],
    ) -> None: ...
    def matched(
        self, source: Sequence[str]
    ) -> tuple[list[list[int | None]], list[tuple[int, int, int, list[tuple[int, int]]]]]: ...
    def reach(
        self, source: Sequence[str], references: Sequence[Sequence[str]], prefix: bool = False, cap: int = ...
    ) -> tuple[int, bool]: ...

class HieroCorpus:
    def __init__(
        self, rules: Rules, weights: Weights, prefix: bool = False, cap: int = ..., least: int = 1
    ) -> None: ...
    def add(
        self,
        source: Sequence[str],
        references: Sequence[Sequence[str]],
        links: Sequence[tuple[_U32, _U32]] | None = None,
    ) -> None: ...
    @property
    def sentences(self) -> int: ...
    @property
    def tokens(self) -> int: ...
    @property
    def unreachable(self) -> int: ...
    @property
    def prefixes(self) -> int: ...

def hiero_trainer(
    corpus: HieroCorpus,
    weights: Weights,
    search: Search,
    update: int,
    skip_correct: bool,
    learner: Learner,
) -> Trainer: ...
def hiero_predictor(rules: Rules, rows: _Rows, bits: int = 0) -> TranslationPredictor: ...
def cut_out(source: str, begins: Sequence[int], ends: Sequence[int], first: int, last: int) -> list[str]: ...
def conllu(
    source: str,
    begins: list[int],
    ends: list[int],
    several: dict[int, tuple[str, ...]],
    first: int,
    last: int,
    offset: int,
    comments: str,
    columns: tuple[Sequence[str] | Sequence[int] | None, ...],
) -> str | None: ...

class KnownLemmas:
    def __init__(
        self, keys: _U64 | _Held, numbers: _U32 | _Held, scripts: Sequence[tuple[str, int, str, int, str]]
    ) -> None: ...
    def lemmas(self, words: Sequence[tuple[str, ...]], least: int) -> list[Any]: ...

class LemmaMemory:
    def __init__(self, most: int) -> None: ...
    def lemmas(
        self,
        sentences: Sequence[Sequence[tuple[str, ...]]] | Sequence[TokenColumns],
        columns: int,
        find: Callable[[list[tuple[str, ...]]], list[str]],
    ) -> list[list[str]]: ...

_Alone = tuple[bool, bool, bool]

def joined(
    paragraphs: Sequence[tuple[_Held, ...]], offsets: Sequence[int]
) -> tuple[list[int], list[int], list[int], list[int]]: ...

class UnitCutter:
    def __init__(
        self,
        alone: _Alone,
        known: _U64 | _Held,
        whole: _U8 | _Held,
        habits: _U64 | _Held,
        values: _U8 | _Held,
        solid: int,
        columns: int,
    ) -> None: ...
    def duties(self, text: str, spaces: bool) -> bytes: ...
    def units(
        self, text: str, lengths: Sequence[int] = ..., less: int = 0
    ) -> list[tuple[int, int, tuple[str, ...]]]: ...
    def places(self, text: str) -> tuple[memoryview, memoryview, memoryview]: ...

class WordProgram:
    def __init__(
        self,
        tags: int,
        sentences: bool,
        spaces: bool,
        templates: Sequence[tuple[int, Sequence[tuple[int, int]], int, int]],
    ) -> None: ...
    @property
    def columns(self) -> int: ...

class WordCorpus:
    def __init__(
        self, program: WordProgram, weights: Weights, known: _U64 | _Held, whole: _U8 | _Held, less: int
    ) -> None: ...
    @property
    def sentences(self) -> int: ...
    @property
    def tokens(self) -> int: ...
    def add(self, text: str, actions: Sequence[int], /) -> None: ...
    def counts(self) -> tuple[_U64, _U32]: ...
    def keep(self, keys: _U64, /) -> None: ...

def word_trainer(
    corpus: WordCorpus,
    weights: Weights,
    search: Search,
    update: int,
    skip_correct: bool,
    learner: Learner,
) -> Trainer: ...
def word_predictor(
    program: WordProgram, rows: _Rows, known: _U64 | _Held, whole: _U8 | _Held, bits: int = 0
) -> Predictor: ...
def segmentation_predictor(
    program: Program,
    boundaries: Sequence[tuple[int, bool, Sequence[int]]],
    rows: _Rows,
    after: _U8 | _Held | None,
    end: _U8 | _Held | None,
    allowed: _U8 | _Held,
    spaces: bool,
    alone: _Alone,
    known: _U64 | _Held,
    whole: _U8 | _Held,
    habits: _U64 | _Held,
    values: _U8 | _Held,
    solid: int,
    columns: int,
    bits: int = 0,
    room: int = ...,
) -> Predictor: ...

class SemanticGrammar:
    def __init__(
        self,
        productions: Sequence[tuple[int, int, int, int, int, bool, Sequence[Sequence[int]]]],
        start: Sequence[int],
        templates: Sequence[tuple[int, Sequence[int]]],
        chain: int,
        words: _U64,
        associated: _U32,
        with_words: _U64,
        values: _F32,
        least: float,
    ) -> None: ...
    def check(self, question: Any, all_ways: bool) -> None: ...

class SemanticCorpus:
    def __init__(self, grammar: SemanticGrammar, weights: Weights) -> None: ...
    def add(self, question: Sequence[str], forms: Sequence[Sequence[int]]) -> None: ...
    @property
    def sentences(self) -> int: ...
    @property
    def tokens(self) -> int: ...
    @property
    def unreachable(self) -> int: ...

def semantics_trainer(
    corpus: SemanticCorpus,
    weights: Weights,
    search: Search,
    update: int,
    skip_correct: bool,
    learner: Learner,
) -> Trainer: ...
def semantics_predictor(grammar: SemanticGrammar, rows: _Rows, bits: int = 0) -> Predictor: ...

class OwnCorpus:
    def __init__(self, weights: Weights) -> None: ...
    @property
    def sentences(self) -> int: ...
    @property
    def tokens(self) -> int: ...
    def add(self, space: Any, oracle: Any) -> None: ...

def own_trainer(
    corpus: OwnCorpus,
    weights: Weights,
    search: Search,
    update: int,
    skip_correct: bool,
    learner: Learner,
) -> Trainer: ...
def own_predictor(bits: int, rows: _Rows) -> Predictor: ...
def scored_tags_loss(
    scores: _F32,
    offsets: _U64,
    after: _F32,
    labels: int,
    gold: _U32,
    margin: float,
    search: Search,
    update: int,
    ask: Callable[..., Any] | None,
    threads: int,
) -> tuple[_F64, _F32, _F32, int]: ...
def scored_trees_loss(
    scores: _F32,
    words: _U64,
    labels: int,
    heads: _U32,
    relations: _U32,
    margin: float,
    crossing: bool,
    update: int,
    ask: Callable[..., Any] | None,
    threads: int,
) -> tuple[_F64, _F32, _F32, int]: ...
def scored_transitions_loss(
    scores: _F32,
    words: _U64,
    relations: int,
    system: int,
    heads: _U32,
    names: _U32,
    margin: float,
    search: Search,
    update: int,
    ask: Callable[..., Any] | None,
    threads: int,
) -> tuple[_F64, _F32, _F32, int]: ...
def scored_transitions(
    scores: _F32, words: _U64, relations: int, system: int, search: Search
) -> tuple[_U32, _U32]: ...
def transition_steps(words: _U64, relations: int, system: int, heads: _U32, names: _U32) -> _U32: ...
def scored_tags(scores: _F32, offsets: _U64, after: _F32, labels: int, search: Search) -> _U32: ...
def scored_trees(scores: _F32, words: _U64, labels: int, crossing: bool) -> tuple[_U32, _U32]: ...
