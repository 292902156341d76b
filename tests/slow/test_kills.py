"""Every task with every schedule, killed STRUCTRON_KILLS times at random moments: always the same bytes."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.kills import SCHEDULES, TASKS, WITHOUT_SCHEDULES, make_data, survive


@pytest.mark.parametrize(
    ("task", "schedule"),
    [(t, s) for t in TASKS for s in SCHEDULES if s == "serial" or t not in WITHOUT_SCHEDULES],
)
def test_any_number_of_kills_changes_no_byte(tmp_path: Path, task: str, schedule: str) -> None:
    # Several chunks of examples also for a shard, so that there are checkpoints within an epoch.
    make_data(tmp_path, 1000)
    survive(tmp_path, task, schedule, int(os.environ["STRUCTRON_KILLS"]))
