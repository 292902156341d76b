"""Every command with every option, for every task, works or is refused in one sentence; never a traceback.

The table is made from what click declares (`tests/command_line/table.py`): a new option is in it by itself,
or has no value to try and fails here.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections import defaultdict
from pathlib import Path

import click
import pytest

from structron.cli.app import app
from structron.cli.command_list import HELP
from structron.registry import trained
from tests.apart import limits_memory
from tests.command_line.table import (
    ELSEWHERE,
    OF_NO_TASK,
    OF_TASKS,
    SMALL,
    Run,
    base,
    run,
    tried,
    write_files,
)

ROOT = Path(__file__).resolve().parents[3]
PATIENCE = 300  # seconds until a table that hangs is given up

# What some task refuses whatever the value, each by a sentence of its own; everything else must work.
MAY_BE_REFUSED = {
    "train": {"ray", "old_ray", "workers", "stream", "columns", "calibrate", "cut", "memory"},
    "predict": {
        "alignment", "columns", "confidence", "dictionary", "executor", "given", "output_format", "search",
        "stage", "start",
    },
    "evaluate": {
        "answers", "columns", "confusions", "executor", "plot", "search", "start", "target", "task_name",
        "train",
    },
    "show": {"gold", "search", "svg"},
    "explain": {"columns", "format_name", "search", "sentence"},
    "info": {"columns", "format_name", "label"},
    "calibrate": {"columns", "search"},
    "select": {"columns", "output_format", "search"},
    "correct": {"columns", "format_name", "new_labels", "undo"},
    "audit": {"system"},
    "cluster": {"columns", "ray", "workers"},
    "align": {"model"},  # where nothing was saved
}  # fmt: skip
# Tasks that a command is not for.
NOT_FOR = {
    "correct": {"translation"},  # its weights are tuned on dev data
    "calibrate": {"translation", "segmentation"},  # no output is right or wrong part by part
    "audit": {"translation", "pipeline"},
}


def table(task: str, folder: Path) -> list[Run]:
    """All runs of a task, made by one process."""
    done = subprocess.run(
        [sys.executable, "-m", "tests.command_line.table", task, str(folder)],
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        cwd=ROOT,
        env=os.environ | {"OPENBLAS_NUM_THREADS": "1", "PYTHONUTF8": "1", "MPLBACKEND": "agg"},
    )
    lines = done.stdout.splitlines()
    last = json.loads(lines[-1])[2] if lines else "nothing"
    assert done.returncode == 0, f"after {last}: {done.returncode}, {done.stderr[-2000:]}"
    return [Run(*json.loads(line)) for line in lines]


def fault(each: Run) -> str | None:
    """What is wrong with how a command ended."""
    if each.code not in (0, 1, 2) or "Traceback" in each.stderr:
        return "it ended with a traceback"
    said = each.stderr.strip().splitlines()[-1:] or [""]
    if each.code and (not said[0].startswith("structron") or "; " not in said[0]):
        return "it was refused without a reason and a way out"
    return None


@limits_memory
@pytest.mark.parametrize("task", trained())
def test_every_command_works_or_is_refused_in_one_sentence(task: str, tmp_path: Path) -> None:
    found = table(task, tmp_path)
    bad = [f"{' '.join(each.args)}: {said}: {each.stderr[-600:]}" for each in found if (said := fault(each))]
    assert not bad, "\n".join(bad)
    good: dict[str, dict[str, bool]] = defaultdict(dict)
    for each in found:
        good[each.command][each.option] = good[each.command].get(each.option, False) or each.code == 0
    for name, options in good.items():
        assert options[""] == (task not in NOT_FOR.get(name, ())), f"{name} for {task}"
        never = (
            {option for option, works in options.items() if option and not works} if options[""] else set()
        )
        assert never <= MAY_BE_REFUSED.get(name, set()), f"{name} for {task}: {never}"


def test_the_table_has_every_command() -> None:
    assert {*OF_TASKS, *OF_NO_TASK, *ELSEWHERE} == set(HELP)
    assert set(SMALL) == set(trained())


@pytest.mark.parametrize("task", trained())
def test_every_model_can_be_served(task: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """All options of the server, up to the moment at which it would answer."""
    pytest.importorskip("fastapi", reason="needs structron[serve]")
    from structron.serve import process as running

    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(running, "run", lambda app, service, listening, ready: (ready(), listening.close()))
    write_files(tmp_path)
    model = f"{task}.model"
    assert run([*base("train", task, model, "output"), "-o", model])[0] == 0
    code, _, said = run(["serve", model, "--port", "0"])
    assert code == 0 and f"{task}: {task}" in said and "serving 1 model on" in said, said
    if task != "tagging":
        return
    serve = app.get_command(click.Context(app), "serve")
    assert serve is not None
    for param in serve.params:
        if isinstance(param, click.Option) and param.name not in ("opens", "playground"):
            for more in tried(param, task, "serve"):
                code, _, said = run(["serve", model, "--port", "0", *more])
                assert code == 0 and "Traceback" not in said, (more, said)
