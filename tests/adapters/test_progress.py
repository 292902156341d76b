"""Progress bars of tqdm and rich: each shows what reports, and ends with its block."""

from __future__ import annotations

import io
import sys
from typing import Any

import pytest

from structron import Pipeline, SettingError, Tagger
from structron.adapters import progress
from structron.adapters.progress import progress_bar
from structron.progress import has_listener, progress_to, report_progress
from tests.unit.estimators.corpora import treebank

X, Y = treebank(20)


def test_trainings_and_pipes_report_to_whoever_listens() -> None:
    heard: list[tuple[str, int, int]] = []
    with progress_to(lambda *told: heard.append(told)):
        Tagger(epochs=2).fit(X, Y)
    trained = [(done, total) for name, done, total in heard if name == "training"]
    assert trained[-1] == (40, 40) and trained == sorted(trained)
    heard.clear()
    nlp = Pipeline.load("en")
    with progress_to(lambda *told: heard.append(told)):
        list(nlp.pipe(["Rain fell."] * 70))
    assert [told for told in heard if told[0] == "analysing texts"] == [
        ("analysing texts", 64, 0),
        ("analysing texts", 70, 0),
    ]


@pytest.mark.parametrize("library", ["tqdm", "rich"])
def test_each_library_shows_each_work_once(library: str, monkeypatch: pytest.MonkeyPatch) -> None:
    if library == "tqdm":
        pytest.importorskip("tqdm", reason="tqdm is not installed; pip install tqdm")
    shown = io.StringIO()
    monkeypatch.setattr(sys, "stderr" if library == "tqdm" else "stdout", shown)
    if library == "tqdm":
        monkeypatch.setattr(progress, "DELAY", 0.0)
    with progress_bar(library):
        for done in range(4):
            report_progress("reading", done, 3)
        report_progress("lines", 5, 0)
        report_progress("lines", 2, 0)  # begins again
    assert not has_listener()
    text = shown.getvalue()
    assert "reading" in text and text.count("lines") >= 2 and "100%" in text
    with pytest.raises(ZeroDivisionError), progress_bar(library):
        report_progress("reading", 1, 3)
        _ = 1 / 0
    assert not has_listener()


def test_the_library_that_is_there_is_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[str] = []

    class Shower:
        def __init__(self) -> None:
            made.append("one")

        def heard(self, *told: Any) -> None: ...

        def close(self) -> None: ...

    monkeypatch.setattr(progress, "find_spec", lambda name: None if name == "tqdm" else "here")
    monkeypatch.setattr(progress, "_Rich", Shower)
    with progress_bar():
        pass
    assert made == ["one"]
    said = "progress by 'tqdm' is not possible here; use rich"
    with pytest.raises(SettingError, match=said), progress_bar("tqdm"):
        pass
