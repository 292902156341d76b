"""What a model's header or a caller asks for is bounded by what is possible, in one sentence."""

from __future__ import annotations

import contextlib
import random
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from structron import ModelError, SettingError, _core
from structron.engine.rows import Rows
from structron.features.keys import combine, hash_bytes
from structron.fit import Learning
from structron.io.model_file.archive import read_archive, write_archive
from structron.model import Model
from structron.reference import Perceptron, decode, train
from structron.reference.learners.weights import Weights
from structron.search import Beam, Exact
from structron.tasks.parsing import ParsingTask
from structron.tasks.tagging import TaggingTask
from structron.tasks.tagging.settings import TaggingRecipe
from structron.tasks.transduction import Pair, TransductionTask
from structron.tasks.transduction.features import PRESETS
from structron.tasks.transduction.settings import TransductionRecipe
from tests.apart import limits_memory, run_apart
from tests.parity.search.test_graphs import assert_same
from tests.parity.tasks.test_parsing import FEW, corpus, live, weights_of

MANY = [f"L{i}" for i in range(20_000)]


def test_weights_have_columns_of_32_bits() -> None:
    assert _core.Weights(70_000).columns == 70_000
    said = r"^4294967295 columns are too many; weights have at most 4294967280$"
    with pytest.raises(ValueError, match=said):
        _core.Weights(2**32 - 1)
    with pytest.raises(ValueError, match=said):
        _core.Weights(2, 0, dense=2**32 - 1)
    with pytest.raises(ValueError, match=r"^bits must be from 0 to 32$"):
        _core.Weights(2, 33)


@pytest.mark.parametrize("swaps", [0, 1, 3, 10, 65535])
def test_no_more_swaps_than_there_are_pairs_of_words(swaps: int) -> None:
    rng = random.Random(swaps)
    X, Y = corpus(rng, 4, 5, projective=swaps == 0)
    task = ParsingTask.of_trees(Y, FEW, system="swap", swaps=swaps)
    learning, trainer = live(task, X, Y, Beam(4), "max_violation")
    examples = [(task.space(x), task.oracle(y)) for x, y in zip(X, Y)]
    weights = Weights()
    for _ in train(
        examples, search=Beam(4), update="max_violation", learner=Perceptron(), epochs=1, weights=weights
    ):
        trainer.run(np.arange(len(X), dtype=np.uint32))
    assert weights_of(learning.weights) == dict(weights.items())
    model = Model(task, Rows(*learning.weights.pack(False)), Beam(4))
    for x, y, (space, oracle) in zip(X, Y, examples):
        expected = decode(space, weights, Beam(4), oracle)
        n = len(x)
        assert len(expected.beams) == 2 * n + 2 * min(swaps * n, n * (n - 1) // 2)
        assert_same(model.trace(x, y), expected)


def test_a_hostile_number_of_swaps_costs_what_a_long_sentence_costs() -> None:
    X, Y = corpus(random.Random(1), 4, 6, projective=False)
    task = ParsingTask.of_trees(Y, FEW, system="swap", swaps=65535)
    engine = task.frozen(Rows(*_core.Weights(task.weight_columns).pack(False)))
    for length in (1, 30, 500):
        found = engine.trace([X[0][0]] * length, None, _core.Search(2, False))
        assert len(found["begin"]) == 2 * length + 2 * min(length * (length - 1) // 2, 65535)


@pytest.mark.parametrize("swaps", [-1, 65536, 2**31, 2**40])
def test_other_numbers_of_swaps_are_refused(tmp_path: Path, swaps: int) -> None:
    _, Y = corpus(random.Random(1), 4, 6, projective=False)
    task = ParsingTask.of_trees(Y, FEW, system="swap")
    path = tmp_path / "parser.safetensors"
    Model(task, Rows(*_core.Weights(task.weight_columns).pack(False)), Beam(2)).save(path)
    header, arrays = read_archive(path)
    write_archive(path, dict(header) | {"swaps": swaps}, arrays)
    with pytest.raises(ModelError, match=f"swaps = {swaps} is not possible; give a whole number from 0 to"):
        Model.load(path)


def tag_with_many_labels() -> None:
    import resource

    resource.setrlimit(resource.RLIMIT_AS, (2 << 30, resource.RLIM_INFINITY))
    task = TaggingTask(tuple(MANY), ("w[0]", "t[-1]", "t[-2] t[-1]", "t[-2]", "t[-1] w[0]"))
    X = [[f"w{i}" for i in range(j, j + 5)] for j in range(6)]
    Y: Any = [[f"L{i * 7}" for i in range(j, j + 5)] for j in range(6)]
    learning = Learning.start(task, TaggingRecipe(search="beam:4", batch=3))
    trainer = learning.learner(learning.pack(X, Y))
    for _ in range(6):
        trainer.run(np.arange(6, dtype=np.uint32), 3, 2)
    model = Model(task, Rows(*learning.weights.pack(False)), Beam(4))
    assert model.predict(X) == Y


@limits_memory
def test_many_labels_take_no_room_for_all_their_pairs() -> None:
    run_apart(tag_with_many_labels)


def test_exact_search_over_too_many_labels_is_refused() -> None:
    task = TaggingTask(tuple(MANY), ("w[0]", "t[-2] t[-1]"))
    model = Model(task, Rows(*_core.Weights(task.weight_columns).pack(False)), Exact())
    said = "exact search over 20000 labels would take 6 GiB of memory for each thread; use a beam"
    for ask in (model.predict, lambda X: model.kbest(X, 2), lambda X: model.trace(X[0])):
        with pytest.raises(Exception, match=said):
            ask([["a"]])
    learning = Learning.start(task, TaggingRecipe(search="exact"))
    with pytest.raises(SettingError, match=said):
        learning.learner(learning.pack([["a"]], [["L1"]]))
    plain = TaggingTask(tuple(MANY), ("w[0]",))
    assert Model(plain, Rows(*_core.Weights(20_000).pack(False)), Exact()).predict([["a"]]) == [["L0"]]


def test_ready_features_leave_no_words_to_look_up() -> None:
    words, tags = _core.Program([(1, [(0, 0, 0, 0)], 0)], 1), _core.Program([], 1)
    rows = Rows(*_core.Weights(2).pack(False))
    said = "ready features leave no words for templates or a dictionary to read"
    with pytest.raises(ValueError, match=said):
        _core.TaggingCorpus(words, _core.Weights(2), ["A", "B"], True)
    known = np.array([7], np.uint64), np.array([0, 1], np.uint32), np.array([1], np.uint16)
    with pytest.raises(ValueError, match=said):
        _core.tagging_predictor(tags, ["A", "B"], True, rows, None, None, *known)


def sort_what_is_no_number() -> None:
    """A hostile model's weights times the greatest values: sums that are infinite, and none."""
    labels = [f"L{i}" for i in range(40)]
    task = TaggingTask(tuple(labels), ("t[-1]",), ready=True)
    keys = [ready_key(name) for name in ("a", "b")]
    weights = np.resize(np.array([1e30, -1e30, 1e30, 1.0, -1e30], np.float32), 80)
    rows = Rows(
        np.sort(np.array(keys, np.uint64)),
        np.array([0, 40, 80], np.uint32),
        np.tile(np.arange(40, dtype=np.uint32), 2),
        weights,
    )
    for search in (Exact(), Beam(8), Beam(50)):
        with contextlib.suppress(RuntimeError):
            Model(task, rows, search).predict([[{"a": 1e15, "b": 1e15}, {"a": -1e15, "b": 1e15}] * 3])


def ready_key(name: str) -> int:
    return combine(0x52454144594B4559, hash_bytes(name.encode()))


def test_sums_that_are_no_number_do_not_crash_the_sort() -> None:
    run_apart(sort_what_is_no_number)


def transduce_many_histories() -> None:
    import resource

    resource.setrlimit(resource.RLIMIT_AS, (2 << 30, resource.RLIM_INFINITY))
    # Eight letters with twenty sounds each: what was emitted can have 20^7 histories.
    pairs = sorted(Pair((letter,), (f"{i}",)) for letter in "ab" for i in range(20))
    task = TransductionTask(tuple(pairs), tuple(PRESETS["rich"]))
    model = Model(task, Rows(*_core.Weights(task.weight_columns).pack(False)), Exact())
    said = "exact search over the outputs of a source of 8 symbols would take more than a million states; use"
    for ask in (model.predict, lambda X: model.kbest(X, 2), lambda X: model.trace(X[0])):
        with pytest.raises(SettingError, match=f"^{said}"):
            ask([["a", "b"] * 4])
    learning = Learning.start(task, TransductionRecipe(search="exact"))
    with pytest.raises(SettingError, match=f"^{said}"):
        learning.learner(learning.pack([["a", "b"] * 4], [[["1"] * 8]]))
    # What can be held is searched as ever.
    assert model.predict([["a", "b"]]) == [["0", "0"]]
    plain = TransductionTask(task.pairs, ("s[0]",))
    rows = Rows(*_core.Weights(plain.weight_columns).pack(False))
    assert Model(plain, rows, Exact()).predict([["a", "b"] * 50]) == [["0"] * 100]


@limits_memory
def test_exact_search_over_too_many_histories_is_refused() -> None:
    run_apart(transduce_many_histories)
