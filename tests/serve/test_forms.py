"""Every task has a form: what goes in and comes out is JSON, and is what the estimator says."""

from __future__ import annotations

import json

import pytest

pytest.importorskip("fastapi", reason="needs structron[serve]")

from structron.registry import learned, specs
from structron.serve.limits import Limits
from structron.serve.refusals import Refused
from tests.unit.estimators.test_alike import WORLD, fitted

KINDS = learned()
MORE_KINDS = {spec.kind: spec.help for spec in specs() if not spec.settings}

FORMS = {spec.kind: spec.load("json_form") for spec in specs() if spec.json_form}
LIMITS = Limits(longest=5, text=10)


def test_every_task_has_one() -> None:
    assert set(FORMS) == {*KINDS, *MORE_KINDS}


@pytest.mark.parametrize("kind", [*KINDS, "graph"])
def test_inputs_and_outputs_are_json(kind: str) -> None:
    estimator, X = fitted(kind), WORLD[kind].X
    form = FORMS[estimator.kind]
    given = json.loads(json.dumps([list(zip(*x)) for x in X] if estimator.kind == "parsing" else X))
    xs = [form.read(estimator, value, "input") for value in given]
    for x in xs:
        form.check(x, "input", LIMITS)
    answers = form.answers(estimator, xs, LIMITS)
    assert json.loads(json.dumps(answers)) == answers and len(answers) == len(X)
    outputs = estimator.predict(X)
    if kind == "tagging":
        assert [each["tags"] for each in answers] == outputs
    elif kind == "segmentation":
        own = [[sentence["words"] for sentence in each["sentences"]] for each in answers]
        assert own == [[sentence.words for sentence in each] for each in outputs]
    elif estimator.kind == "parsing":
        assert [(each["heads"], each["relations"]) for each in answers] == [
            (list(tree.heads), list(tree.labels)) for tree in outputs
        ]
    else:
        assert answers == outputs
    best = form.kbest(estimator, xs, 2)
    assert [each[0]["output"] for each in best] == answers and json.dumps(best)
    with pytest.raises(Refused, match=r"where 5 are allowed|where 10 are allowed"):
        form.check(
            form.read(estimator, "a " * 11, "input") if estimator.kind != "parsing" else X * 2,
            "input",
            LIMITS,
        )
    for wrong in (3, None, True, [3], [None]):
        with pytest.raises(Refused, match="is not possible here; give"):
            form.read(estimator, wrong, "input")


def test_a_question_whose_chart_would_be_too_large_is_refused() -> None:
    estimator = fitted("semantics")
    told = (
        "input 3: the chart of 9000 words would take [0-9]+ GiB of memory for each thread; cut it into pieces"
    )
    for long in ("hats " * 9000, ["hats"] * 9000):
        with pytest.raises(Refused, match=told):
            FORMS["semantics"].read(estimator, long, "input 3")


def test_what_was_never_seen_is_not_counted_for_ever() -> None:
    for kind, text in (("transduction", "zq"), ("translation", "never seen")):
        estimator = fitted(kind)
        FORMS[kind].answers(estimator, [text], LIMITS)
        assert not estimator.unseen_
