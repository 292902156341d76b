"""Translation as a task: from parallel text to translations, and what is refused in one sentence."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import hypothesis
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from structron import _core
from structron.alignment.bitext import BitextAligner
from structron.alignment.vocabulary import Vocabulary
from structron.engine.rows import Rows
from structron.errors import SettingError
from structron.fit import Learning
from structron.metrics.bleu import References, smoothed
from structron.model import Model
from structron.reference import decode
from structron.reference.learners.weights import Weights
from structron.search import Beam
from structron.tasks.translation.decoding.forced_decoding import ForcedDecoding
from structron.tasks.translation.decoding.sentence_bleu import SentenceBleu
from structron.tasks.translation.decoding.space import DENSE
from structron.tasks.translation.decoding.targets import Target
from structron.tasks.translation.decoding.task import TranslationTask
from structron.tasks.translation.language_model.estimation import estimate_ngrams
from structron.tasks.translation.phrases.table import PhraseExtractor
from structron.tasks.translation.settings import TranslationRecipe
from tests.translators import TARGET, words

BITEXT = [
    ("das haus ist klein", "the house is small"),
    ("das haus ist gross", "the house is big"),
    ("das buch ist klein", "the book is small"),
    ("ein buch", "a book"),
    ("ein haus", "a house"),
    ("ist das haus klein", "is the house small"),
]
WIDE = _core.Search(10, True)


@pytest.fixture(scope="module")
def task() -> TranslationTask:
    sources, targets = [x.split() for x, _ in BITEXT], [y.split() for _, y in BITEXT]
    vocabularies = Vocabulary.of(sources), Vocabulary.of(targets)
    texts = vocabularies[0].number(sources), vocabularies[1].number(targets)
    links = BitextAligner().align_numbered(*texts, (len(vocabularies[0]), len(vocabularies[1])))
    table = PhraseExtractor(least=1).extract(*texts, links, vocabularies).table
    return TranslationTask(table, estimate_ngrams(texts[1], vocabularies[1], 3), ("rule", "ngram(2)"))


def dense_weights() -> _core.Weights:
    weights = _core.Weights(1, 0, len(DENSE))
    for name, value in {"phrase": 0.5, "language_model": 1.0, "distortion": 0.25, "copies": -1.0}.items():
        weights.add(_core.Weights.DENSE, DENSE.index(name), value)
    return weights


def translator(task: TranslationTask) -> _core.TranslationPredictor:
    return task.frozen(Rows(*dense_weights().pack(False)))


def test_what_was_learned_is_translated(task: TranslationTask) -> None:
    sources = [x.split() for x, _ in BITEXT]
    assert translator(task).predict(sources, WIDE) == [y.split() for _, y in BITEXT]
    assert translator(task).predict([["ein", "buch", "ist", "gross"]], WIDE) == [["a", "book", "is", "big"]]


def test_the_definition_finds_the_same(task: TranslationTask) -> None:
    source = ["das", "buch", "ist", "gross"]
    values = {
        (_core.Weights.DENSE, i): dense_weights().get(_core.Weights.DENSE, i) for i in range(len(DENSE))
    }
    trace = decode(task.space(source), Weights(values), Beam(10, merge=True))
    assert [list(trace.best(trace.final).states[-1].output)] == translator(task).predict([source], WIDE)
    gold = ForcedDecoding(task.space(source), [["the", "book", "is", "big"]])
    assert (gold.words, gold.reachable) == task.engine.reach(source, gold.references)


def test_unknown_words_are_copied(task: TranslationTask) -> None:
    assert translator(task).predict([["das", "blorp", "ist", "klein"]], WIDE) == [
        ["the", "blorp", "is", "small"]
    ]
    assert [number for *_, number in task.engine.options(["blorp", "\0"])] == [None, None]
    assert translator(task).predict([[], ["<s>"], ["\0", ""]], WIDE) == [[], ["<s>"], ["\0", ""]]


def test_a_long_sentence(task: TranslationTask) -> None:
    source = ["das", "haus", "ist", "klein"] * 60
    assert translator(task).predict([source], _core.Search(4, True)) == [["the", "house", "is", "small"] * 60]
    words = ["blorp"] * 1000
    assert translator(task).predict([words], _core.Search(2, True)) == [words]


def test_leaving_one_out_takes_a_pairs_own_phrases(task: TranslationTask) -> None:
    sources, targets = [x.split() for x, _ in BITEXT], [y.split() for _, y in BITEXT]
    vocabularies = Vocabulary.of(sources), Vocabulary.of(targets)
    texts = vocabularies[0].number(sources), vocabularies[1].number(targets)
    links = BitextAligner().align_numbered(*texts, (len(vocabularies[0]), len(vocabularies[1])))
    engine: Any = PhraseExtractor(least=1).leave_one_out(task.phrases)
    weights = dense_weights()
    corpus = task.corpus(weights)
    for i, (source, target) in enumerate(zip(sources, targets)):
        numbers = [np.array(each[i], np.uint32) for each in texts]
        places = np.array(links[i], np.uint32).reshape(-1, 2)
        left = engine.without(*numbers, places[:, 0].copy(), places[:, 1].copy())
        corpus.add(source, [target], left)
    assert corpus.sentences + corpus.unreachable == len(BITEXT)


def test_a_model_file_keeps_it(task: TranslationTask) -> None:
    again = TranslationTask.restore(task.header(), task.arrays())
    assert again.header() == task.header()
    source = ["das", "buch", "ist", "klein"]
    found = [
        each.frozen(Rows(*dense_weights().pack(False))).kbest([source], 5, WIDE) for each in (task, again)
    ]
    assert found[0] == found[1]


@pytest.mark.parametrize("search", ["beam:5+merge", "beam:5+merge+by_class"])
def test_it_learns_as_every_task_does(task: TranslationTask, search: str) -> None:
    """From wrong dense weights sparse features alone put things right, in minibatches with threads."""
    wrong = replace(
        task, frozen_dense=True, tuned=tuple(-1.0 if name == "language_model" else 0.0 for name in DENSE)
    )
    learning = Learning.start(wrong, TranslationRecipe(search=search, learner="perceptron"))
    sources, targets = [x.split() for x, _ in BITEXT], [[y.split()] for _, y in BITEXT]
    corpus = learning.pack(sources, targets)
    trainer = learning.learner(corpus)
    order = np.arange(corpus.sentences, dtype=np.uint32)
    counts = [trainer.run(order, 2, 2) for _ in range(20)]
    assert counts[0][2] > 0 == counts[-1][2]
    rows = Rows(*learning.weights.pack(False))
    assert rows.dense.tolist() == list(wrong.tuned)
    model = Model(wrong, rows, Beam(5, merge=True))
    assert model.predict(sources) == [y for (y,) in targets]


def test_refusals() -> None:
    nothing: Any = None
    for settings, message in (
        ({"distortion_limit": 64}, "distortion limit 64 is not possible; give 0 to 63 words"),
        ({"scale": 0.0}, "scale 0.0 is not possible; give a number above 0"),
        ({"unreachable": "all"}, "unreachable 'all' is not known; use one of skip, prefix"),
        ({"bits": 40}, "bits = 40 is not possible; give a whole number from 0 to 32"),
        ({"cap": 0}, "cap = 0 is not possible; give at least 1"),
    ):
        with pytest.raises(SettingError) as error:
            TranslationTask(nothing, nothing, **settings)
        assert str(error.value) == message


def test_bad_input_is_refused(task: TranslationTask) -> None:
    with pytest.raises(TypeError, match=r"source 1: a source must be a list of str, not str"):
        translator(task).predict(["das haus"], WIDE)
    with pytest.raises(TypeError, match=r"source 2: a word must be a str, not int"):
        translator(task).predict([["das"], [1]], WIDE)  # type: ignore[list-item]
    with pytest.raises(ValueError, match=r"there is no reference"):
        task.corpus(dense_weights()).add(["das"], [])
    with pytest.raises(ValueError, match=r"no derivation yields the reference"):
        translator(task).trace(["das"], [["nonsense"]], WIDE)
    with pytest.raises(ValueError, match=r"the weights do not fit translation"):
        _core.TranslationCorpus(task.engine, _core.Weights(1))


@hypothesis.settings(max_examples=60, deadline=None)
@given(st.lists(words(TARGET, 0, 6), min_size=1, max_size=3), words(TARGET, 0, 7))
def test_what_targets_are_chosen_by_is_smoothed_bleu_times_length(
    wanted: list[tuple[str, ...]], output: tuple[str, ...]
) -> None:
    counts = References(wanted).counts(output)
    expected = float(smoothed(counts) * counts[-1])
    assert SentenceBleu(wanted).gain(output) == pytest.approx(expected, abs=1e-12)


def test_a_target_that_was_not_chosen_is_told(task: TranslationTask) -> None:
    space = task.space(["ein", "buch"])
    with pytest.raises(SettingError, match="call aim first"):
        Target(space, [("x",)]).allows(space.initial(), 0)
    with pytest.raises(SettingError, match="aim 'bold' is not known; use one of hope, local"):
        Target(space, [("x",)], "bold")
