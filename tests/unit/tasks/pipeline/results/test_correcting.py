"""Pipelines are corrected stage by stage, and taken back in all stages at once."""

from __future__ import annotations

import pytest

from structron import Pipeline
from structron.errors import DataError, SettingError
from structron.io import Format, Sentence
from tests.pipelines import treebank

TRAIN, DEV = treebank(60), treebank(30, seed=2)
COLUMNS = ("upos", "xpos", "feats", "head", "deprel")


@pytest.fixture
def nlp() -> Pipeline:
    global _BYTES
    if not _BYTES:
        stages = ("upos", "xpos", "feats", "lemma", "parser")
        own = Pipeline(prefer="speed", folds=2, stages=stages).fit(TRAIN)
        _BYTES = own.model_.to_bytes()
    from structron.model import Model

    return Pipeline.of_model(Model.from_bytes(_BYTES), "the model")


_BYTES = b""


def columns(sentence: Sentence) -> list[list[str]]:
    return [sentence.column(name) for name in COLUMNS]


def wrong(nlp: Pipeline, number: int) -> list[Sentence]:
    found = [s for s, own in zip(DEV, nlp.predict(DEV)) if columns(s) != columns(own)]
    assert len(found) >= number
    return found[:number]


def test_every_stage_that_was_wrong_is_right_and_what_was_right_stays(nlp: Pipeline) -> None:
    fixes = wrong(nlp, 3)
    before = [columns(own) == columns(s) for s, own in zip(TRAIN, nlp.predict(TRAIN))]
    bytes_before = nlp.model_.to_bytes()
    found = nlp.correct(fixes, keep=TRAIN)
    assert found and all(each.hold == len(each.outcomes) for each in found.values())
    assert [columns(own) for own in nlp.predict(fixes)] == [columns(s) for s in fixes]
    after = [columns(own) == columns(s) for s, own in zip(TRAIN, nlp.predict(TRAIN))]
    assert all(now for now, was in zip(after, before) if was)
    assert nlp.correct(fixes, keep=TRAIN) == {}  # all is right: nothing has to change
    said = nlp.undo()
    assert set(said["stages"]) == set(found) and nlp.model_.to_bytes() == bytes_before
    with pytest.raises(SettingError, match="no correction to take back"):
        nlp.undo()


def test_two_corrections_are_taken_back_one_by_one(nlp: Pipeline) -> None:
    first, second = wrong(nlp, 2)
    start = nlp.model_.to_bytes()
    nlp.correct([first])
    middle = nlp.model_.to_bytes()
    if nlp.correct([second]):
        nlp.undo()
    assert nlp.model_.to_bytes() == middle
    nlp.undo()
    assert nlp.model_.to_bytes() == start


def test_empty_columns_ask_for_nothing(nlp: Pipeline) -> None:
    (one,) = wrong(nlp, 1)
    rows = [[*row[:2], "_", *row[3:6], *["_"] * 4] for row in one.tokens]
    found = nlp.correct([Sentence(rows, Format("conllu"))])
    assert "parser" not in found
    rows[0][3] = "X"
    with pytest.raises(DataError, match=r"X.* was not there before"):
        nlp.correct([Sentence(rows, Format("conllu"))])
    bare = Sentence([[*row[:2], *["_"] * 8] for row in rows], Format("conllu"))
    with pytest.raises(DataError, match="no stage of this pipeline fills"):
        nlp.correct([bare])
    with pytest.raises(DataError, match="nothing to correct"):
        nlp.correct([])


def test_a_dry_run_changes_nothing(nlp: Pipeline) -> None:
    start = nlp.model_.to_bytes()
    assert nlp.correct(wrong(nlp, 1), dry_run=True) and nlp.model_.to_bytes() == start
