"""The tables of what goes together are true: every pair trains, or is refused in one sentence."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from typing import Any

import pytest

from structron.errors import SettingError
from structron.fit.combinations import (
    LEARNERS,
    SEARCHES,
    SUBJECTS,
    Subject,
    learners_of,
    refusal,
    searches_of,
    updates_of,
)
from structron.registry import estimator_of, learned
from structron.updates import UPDATES
from tests.unit.estimators.test_alike import WORLD

KINDS = learned()

ROOT = Path(__file__).resolve().parents[3]
BY_SUBJECT = pytest.mark.parametrize("subject", SUBJECTS, ids=str)


def trained(subject: Subject, **choices: str) -> None:
    """Train for an epoch with these choices; SettingError if they are refused."""
    X, y, _ = WORLD[subject.system if subject.system == "joint" else subject.kind]
    own: dict[str, Any] = {"epochs": 1, **subject.settings, **choices}
    if subject.kind == "translation":  # which learns nothing by updates unless it has templates
        own |= {"templates": "rules", "tuning": 0, "retuning": 0}
    if subject.kind == "semantics":
        own |= {"grammar": "Q -> show(T)\nQ -> count(T)\nT -> big(T)\nT -> s\nT -> t"}
    estimator_of(subject.kind)(**own).fit(X, y)


def assert_refused(subject: Subject, **choices: str) -> None:
    said = refusal(subject, **choices)
    assert said is not None and "\n" not in said and "; " in said, (subject, choices, said)
    with pytest.raises(SettingError):
        trained(subject, **choices)


def test_every_task_and_update_is_in_the_tables() -> None:
    assert {subject.kind for subject in SUBJECTS} == set(KINDS)
    assert {update for search in SEARCHES for update in updates_of(search)} == set(UPDATES)
    assert {search for subject in SUBJECTS for search in searches_of(subject)} == set(SEARCHES)
    assert {learner for subject in SUBJECTS for learner in learners_of(subject)} == set(LEARNERS)


@BY_SUBJECT
def test_a_task_trains_with_its_searches_and_refuses_the_others(subject: Subject) -> None:
    for search in SEARCHES:
        if search in searches_of(subject):
            trained(subject, search=search)
        else:
            assert_refused(subject, search=search)


@BY_SUBJECT
def test_a_search_trains_with_its_updates_and_refuses_the_others(subject: Subject) -> None:
    for search in searches_of(subject):
        for update in UPDATES:
            if update in updates_of(search):
                trained(subject, search=search, update=update)
            else:
                assert_refused(subject, search=search, update=update)


@BY_SUBJECT
def test_a_task_trains_with_its_learners_and_refuses_the_others(subject: Subject) -> None:
    for learner in LEARNERS:
        if learner in learners_of(subject):
            trained(subject, learner=learner)
        else:
            assert_refused(subject, learner=learner)


def test_the_page_is_what_the_recipes_say() -> None:
    place = ROOT / "tools" / "combinations.py"
    spec = importlib.util.spec_from_file_location("combinations_page", place)
    assert spec is not None and spec.loader is not None
    made = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(made)
    said = "the page is not what the recipes say; run python tools/combinations.py"
    assert made.PAGE.read_text(encoding="utf-8") == made.page(), said
