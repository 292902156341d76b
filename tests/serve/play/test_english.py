"""The real English of lesson 4: it is what it says it is, and the standard update gets worse on it."""

from __future__ import annotations

from typing import Any

from structron.serve.play.english import LEAST, MOST, TEXT, sentences
from structron.serve.play.lessons import Lesson, wanted


def test_the_text_is_analysed_once_and_begins_as_the_novel_does() -> None:
    assert TEXT.read_text("utf-8").startswith("It is a truth universally acknowledged")
    found = sentences(600)
    assert len(found) == 600 and sentences(2)[1] is found[1]
    assert found[0].words()[:5] == ["It", "is", "a", "truth", "universally"]
    assert all(LEAST <= len(sentence) <= MOST for sentence in found)


def test_max_violation_learns_more_than_the_standard_update() -> None:
    ended: dict[str, dict[str, Any]] = {}
    for update in ("standard", "max_violation"):
        lesson = Lesson(
            0,
            wanted(
                {"task": "parsing", "english": True, "sentences": 250, "epochs": 2, "seed": 2}
                | {"search": "beam:8", "update": update}
            ),
            lambda: None,
        )
        lesson.run()
        ended[update] = next(event for event in reversed(lesson.events) if event["kind"] == "epoch")
    standard, violation = ended["standard"], ended["max_violation"]
    assert violation["dev"] > standard["dev"] + 0.02
    assert violation["invalid"] == 0 and standard["invalid"] > 0.3 * standard["updates"]
