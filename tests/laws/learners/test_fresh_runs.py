"""Runs that begin anew: what was learned stays in the mean, and an interruption changes nothing."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from structron import Transducer
from structron.engine.rows import Rows
from structron.errors import SettingError
from structron.fit import Epoch, Learning
from structron.fit.cluster.hosts import Host
from structron.fit.cluster.payload import pack
from structron.synthetic import generate_spellings

WORDS = generate_spellings(60, np.random.default_rng(0))


@pytest.mark.parametrize("shards", [1, 2])
def test_the_mean_of_two_equal_runs_is_each_of_them(shards: int) -> None:
    def rows(epochs: int, anew: int) -> Rows:
        learned = Transducer(epochs=epochs, restart_every=anew, shuffle=False, shards=shards).fit(WORDS)
        return learned.model_.rows

    one, two, longer = rows(2, 0), rows(4, 2), rows(4, 0)
    assert np.array_equal(one.keys, two.keys) and np.array_equal(one.columns, two.columns)
    # The mean is over the weights at the start and after each example.
    seen = 2 * len(WORDS) // shards
    np.testing.assert_allclose(
        2 * (seen + 1) * one.weights.astype(float), (2 * seen + 1) * two.weights.astype(float), rtol=1e-4
    )
    assert len(longer.weights) != len(one.weights) or np.abs(longer.weights - one.weights).max() > 1


@pytest.mark.parametrize("after", [1, 2, 3])
def test_an_interruption_changes_nothing(after: int, tmp_path: Path) -> None:
    class Stopped(Exception):
        pass

    def stop(epoch: Epoch) -> None:
        if epoch.epoch == after:
            raise Stopped

    whole = Transducer(epochs=4, restart_every=2).fit(WORDS)
    with pytest.raises(Stopped):
        Transducer(epochs=4, restart_every=2).fit(WORDS, on_epoch=stop, checkpoint=tmp_path / "half")
    resumed = Transducer(epochs=4, restart_every=2).fit(WORDS, checkpoint=tmp_path / "half", resume=True)
    for each, other in zip(whole.model_.rows, resumed.model_.rows):
        assert np.array_equal(each, other)


def test_few_words_begin_anew() -> None:
    assert Transducer().fit(WORDS).model_.about["settled"]["anew"] == 5


def test_what_is_no_number_of_epochs_is_refused() -> None:
    with pytest.raises(SettingError, match="restart_every = -1 is not possible; give a whole number at"):
        Transducer(restart_every=-1).fit(WORDS)


def test_a_worker_that_takes_weights_has_none_of_its_own() -> None:
    """It had a cell that is zero in those it takes, which does not come."""
    plan = Transducer(epochs=1).plan(WORDS, None)
    host = Host(0, (plan.task, plan.recipe), pack((plan.examples.xs, plan.examples.ys)), None)
    common = Learning.start(plan.task, plan.recipe).weights
    common.add(12, 0, 2.0)
    host.learning.weights.add(5, 0, 1.0)
    host._start((common.state(), 7))
    for each, other in zip(host.learning.weights.state(), common.state()):
        assert np.array_equal(each, other)
    assert host.learning.weights.clock == 7
