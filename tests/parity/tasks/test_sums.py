"""A CRF and a structured SVM of the engine equal the definition, on sentences with rules, dictionary, columns."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from structron.fit import Learning
from structron.learners import CRF, SSVM, parse_learner
from structron.reference import train
from structron.reference.learners.weights import Weights
from structron.tasks.tagging import TaggingTask
from structron.tasks.tagging.settings import TaggingRecipe
from tests.parity.tasks.test_tagging import CASES, weights_of

# The engine's weights and gains are floats, and it leaves out probabilities below one in a million.
CLOSE = 2e-4


@pytest.mark.parametrize("kind", ["crf", "ssvm"])
@pytest.mark.parametrize("case", CASES, ids=lambda case: case[0])
def test_training_gives_the_same_weights(case: tuple[str, TaggingTask, Any, Any], kind: str) -> None:
    _, task, X, Y = case
    few, batch = (2, 1) if task.order == 2 else (4, 1 if task.scheme is None else 3)
    X = [x for x in X if len(x) <= 5]
    Y = [y for y in Y if len(y) <= 5]
    X, Y = X[:few], Y[:few]
    learner = f"{kind}:step=0.5,c2={few / 4}"  # margins are halves, so that ties are ties in both
    recipe = TaggingRecipe(search="exact", update="standard", learner=learner)
    learning = Learning.start(task, recipe)
    corpus = learning.pack(X, Y)
    learning.examples = few
    trainer = learning.learner(corpus)
    chosen = parse_learner(learner)
    assert isinstance(chosen, CRF | SSVM)
    examples = [(task.space(x), task.oracle(y)) for x, y in zip(X, Y)]
    weights = Weights()
    for epoch in train(
        examples,
        search="exact",
        update="standard",
        learner=chosen.definition(few),
        epochs=2,
        weights=weights,
        batch=batch,
    ):
        counts = trainer.run(np.arange(few, dtype=np.uint32), batch)
        assert tuple(counts[2:5]) == (epoch.errors, epoch.updates, epoch.invalid)
    found = weights_of(learning)
    wanted = dict(weights.items())
    assert max(abs(found.get(each, 0.0) - wanted.get(each, 0.0)) for each in {*found, *wanted}) <= (
        CLOSE if kind == "crf" else 0
    )
    assert len(found) > 0.3 * len(wanted) > 0
