"""The same recipe, data and seed give the same bytes, in every process; and the average is the average."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from structron import Tagger, _core
from structron.fit import Learning, Serial, epochs
from structron.tasks.tagging.inputs import read_inputs
from structron.tasks.tagging.settings import TaggingRecipe
from structron.tasks.tagging.task_from_data import make_task
from tests.unit.estimators.corpora import Words, treebank

X, Y = treebank(40)

SCRIPT = """
import sys
import numpy as np
from structron import Tagger
from structron.synthetic import generate_treebank
trees = generate_treebank(40, np.random.default_rng(3))
X = [list(tree.words) for tree in trees]
Y = [list(tree.tags) for tree in trees]
# Sets and numbers together: the order of a set must not change a sum.
ready = [[{"n": len(w) / 7, "letters": set(w), "w": w, "d": {"s": {w[-1:], w[-2:]}}} for w in s] for s in X]
Tagger(epochs=2, seed=5).fit(X, Y).save(sys.argv[1] + "/words")
Tagger(epochs=2, seed=5, dictionary=2, search="exact", order=1).fit(X, Y).save(sys.argv[1] + "/dictionary")
Tagger(epochs=2, seed=5).fit(ready, Y).save(sys.argv[1] + "/ready")
Tagger(epochs=2).fit(X, Y, dev=(X[:5], Y[:5])).save(sys.argv[1] + "/dev")
"""


def test_two_processes_write_the_same_bytes(tmp_path: Path) -> None:
    running = []
    for seed in ("1", "2"):
        (tmp_path / seed).mkdir()
        env = os.environ | {"PYTHONHASHSEED": seed}
        running.append(subprocess.Popen([sys.executable, "-c", SCRIPT, str(tmp_path / seed)], env=env))
    assert [process.wait(timeout=120) for process in running] == [0, 0]
    names = sorted(path.name for path in (tmp_path / "1").iterdir())
    assert names == ["dev", "dictionary", "ready", "words"]
    for name in names:
        assert (tmp_path / "1" / name).read_bytes() == (tmp_path / "2" / name).read_bytes(), name


def test_another_seed_or_recipe_gives_another_file(tmp_path: Path) -> None:
    def file(**choices: object) -> bytes:
        Tagger(**({"epochs": 2} | choices)).fit(X, Y).save(tmp_path / "m")  # type: ignore[arg-type]
        return (tmp_path / "m").read_bytes()

    plain = file()
    assert file() == plain
    assert len({plain, file(seed=1), file(epochs=3), file(shuffle=False), file(search="greedy")}) == 5


def test_predicting_changes_nothing(tmp_path: Path) -> None:
    tagger = Tagger(epochs=2).fit(X, Y)
    tagger.save(tmp_path / "before")
    first = tagger.predict(X)
    for _ in range(3):
        tagger.predict_kbest(X[:9], 3)
        tagger.predict([["new", "words", f"w{_}"]])
        assert tagger.predict(X) == first
        assert [tagger.predict([words])[0] for words in X] == first
    tagger.save(tmp_path / "after")
    assert (tmp_path / "before").read_bytes() == (tmp_path / "after").read_bytes()


def packed(learning: Learning, averaged: bool) -> dict[tuple[int, int], float]:
    keys, offsets, actions, weights, _ = learning.weights.pack(averaged)
    spread = np.repeat(keys, np.diff(offsets))
    return {(int(k), int(a)): float(w) for k, a, w in zip(spread, actions, weights)}


@pytest.mark.parametrize("update", ["standard", "early", "max_violation", "laso"])
@pytest.mark.parametrize("learner", ["perceptron", "perceptron:margin=3"])
def test_the_average_is_the_mean_of_all_weights_along_the_way(update: str, learner: str) -> None:
    recipe = TaggingRecipe(search="beam:2", update=update, learner=learner)
    learning, trainer = started(recipe, X, Y)
    total: dict[tuple[int, int], float] = {}
    count = 1  # the weights before the first example are zero, and count
    for order in (range(len(X)), reversed(range(len(X)))):
        for i in order:
            trainer.run(np.array([i], np.uint32))
            count += 1
            for cell, weight in packed(learning, False).items():
                total[cell] = total.get(cell, 0.0) + weight
    averaged = packed(learning, True)
    naive = {cell: weight / count for cell, weight in total.items() if weight}
    assert averaged.keys() == naive.keys()
    assert all(abs(averaged[cell] - naive[cell]) <= 1e-5 * (1 + abs(naive[cell])) for cell in naive)


def test_one_by_one_or_all_at_once_is_the_same() -> None:
    recipe = TaggingRecipe(epochs=2, shuffle=False)
    together, _ = started(recipe, X, Y)
    list(epochs(together, Serial(together, together.pack(X, Y))))
    apart, trainer = started(recipe, X, Y)
    for i in [*range(len(X))] * 2:
        trainer.run(np.array([i], np.uint32))
    assert packed(apart, True) == packed(together, True)
    assert apart.weights.clock == together.weights.clock == 2 * len(X) + 1


def started(recipe: TaggingRecipe, X: Words, Y: Words) -> tuple[Learning, _core.Trainer]:
    learning = Learning.start(make_task(recipe, read_inputs(X), Y), recipe)
    return learning, learning.learner(learning.pack(X, Y))
