"""Training that is killed goes on and ends with the same bytes."""

from __future__ import annotations

import pytest

from structron.registry import trained
from tests.kills import TASKS, make_data, survive


@pytest.mark.parametrize(
    ("task", "schedule"),
    [
        ("tagging", "shards"),
        ("parsing", "batch"),
        ("jackknife", "serial"),
        ("graph", "shards"),
        ("transduction", "serial"),
        ("translation", "serial"),
        ("classification", "batch"),
        ("semantics", "shards"),
        ("pipeline", "serial"),
    ],
)
def test_a_training_killed_at_random_moments_ends_with_the_same_bytes(tmp_path, task, schedule):
    make_data(tmp_path, 300)
    survive(tmp_path, task, schedule, kills=2)


def test_every_task_is_killed():
    assert {str(task[0]) for task in TASKS.values()} == set(trained())


def test_without_a_checkpoint_training_starts_and_says_so(run, training, tmp_path):
    model = tmp_path / "m"
    said = run(*training, "-o", model, "--resume", "--epochs", 1).stderr
    assert "m.checkpoint: there is no checkpoint; starting from the beginning" in said and model.exists()
