"""A user's own language of meaning: the example is short, runs, and answers as the stock of the shop says."""

from __future__ import annotations

import runpy
from pathlib import Path

import pytest

from structron.tasks.semantics.execution.execution import Execution

SCRIPT = Path(__file__).parents[3] / "examples" / "own_meaning.py"


def test_the_example_is_short() -> None:
    assert len(SCRIPT.read_text(encoding="utf-8").splitlines()) < 80


def test_the_example_runs(capsys: pytest.CaptureFixture[str]) -> None:
    runpy.run_path(str(SCRIPT), run_name="__main__")
    shown = capsys.readouterr().out.splitlines()
    assert shown == [
        "which blue hats do you have? names(blue(hats)): ['beanie']",
        "how many red shirts are there? count(red(shirts)): 1",
        "show me the cheapest shoes? names(cheapest(shoes)): ['sneaker']",
        "what does the most expensive blue thing cost? price(dearest(blue(all))): [60]",
    ]


def test_what_the_shop_does_not_have_is_no_answer() -> None:
    shop = Execution(runpy.run_path(str(SCRIPT))["shop"])
    assert shop.answer("names(red(shoes))") == []
    assert shop.answer("price(cheapest(red(shoes)))") is None  # of nothing, nothing is cheapest
    assert shop.counts.raised == 1
