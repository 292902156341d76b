"""SemanticParser: forms from questions, answers from forms, and what is refused."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from structron import DataError, SemanticParser, SettingError
from structron.data import Term

GRAMMAR = "Q -> count(T)\nQ -> names(T)\nT -> red(T)\nT -> both(T,T)\nT -> hats\nT -> shirts\n"
QUESTIONS = [
    "which shirts are there",
    "how many hats are there",
    "which red hats are there",
    "how many red shirts are there",
    "which hats and shirts are there",
    "how many hats and shirts are there",
]
FORMS = [
    "names(shirts)",
    "count(hats)",
    "names(red(hats))",
    "count(red(shirts))",
    "names(both(hats,shirts))",
    "count(both(hats,shirts))",
]
NEW, ITS_FORM = "how many red hats are there", "count(red(hats))"


@pytest.fixture(scope="module")
def parser() -> SemanticParser:
    return SemanticParser(GRAMMAR, epochs=20).fit(QUESTIONS, FORMS)


def test_forms_are_learned_and_loaded(parser: SemanticParser, tmp_path: Path) -> None:
    assert parser.predict([*QUESTIONS, NEW]) == [*FORMS, ITS_FORM]
    assert parser.score(QUESTIONS, FORMS) == 1.0 and parser.unreachable_ == 0
    parser.save(tmp_path / "m")
    again = SemanticParser.load(tmp_path / "m")
    assert again.predict_kbest([NEW], 3) == parser.predict_kbest([NEW], 3)
    assert str(again.grammar_) == str(parser.grammar_)


def test_a_question_without_words_has_no_form_and_new_words_are_no_trouble(parser: SemanticParser) -> None:
    assert parser.predict(["", "zz qq"])[0] is None
    assert parser.predict(["", "zz qq"])[1] is not None


def test_forms_are_executed(parser: SemanticParser) -> None:
    def executor(form: Term) -> object:
        if form.name == "count" and form.arguments[0].name == "red":
            raise ValueError("no colours")
        while form.name == "names":
            time.sleep(0.01)
        return []

    with pytest.raises(DataError, match="there is no executor"):
        parser.execute([NEW])
    asked = SemanticParser(GRAMMAR, epochs=8, executor=executor).fit(QUESTIONS, FORMS)
    assert asked.execute([NEW, QUESTIONS[1], QUESTIONS[0], ""]) == [None, [], None, None]


def test_every_search_update_and_learner_runs() -> None:
    for search in ("forest", "forest:1", "forest:3"):
        for update in ("standard", "skip", "early", "latest", "max_violation", "parallel"):
            for learner in ("perceptron", "perceptron:margin=1", "mira:3", "pa:C=0.1"):
                one = SemanticParser(GRAMMAR, epochs=1, search=search, update=update, learner=learner)
                assert all(one.fit(QUESTIONS, FORMS).predict(QUESTIONS))
    two = [SemanticParser(GRAMMAR, epochs=2, batch=2, threads=n).fit(QUESTIONS, FORMS) for n in (1, 2)]
    assert two[0].predict_kbest(QUESTIONS, 2) == two[1].predict_kbest(QUESTIONS, 2)
    assert SemanticParser(GRAMMAR, epochs=2, shards=2).fit(QUESTIONS, FORMS).predict([NEW]) != [None]


def test_what_is_wrong_is_told() -> None:
    parser = SemanticParser(GRAMMAR)
    for X, y, told in (
        (QUESTIONS, FORMS[:1], "6 questions but 1 forms"),
        (QUESTIONS, None, "y is missing"),
        (["a"], ["names(shoes)"], "there is no production for shoes"),
        (["a"], ["names("], "the end where a name is needed"),
        (["a"], [3], "a form is of type int"),
        ([5], ["names(hats)"], "is of type int"),
        ([["a", 5]], ["names(hats)"], "a word is of type int"),
        ([], [], "nothing to learn from"),
        (["a"], ["names(red(red(both(hats,hats))))"], "none of 1 questions has a derivation"),
        (["\ud800"], ["names(hats)"], "half of a surrogate pair"),
    ):
        with pytest.raises(DataError, match=told):
            parser.fit(X, y)
    for settings in ({"chain": -1}, {"trust": -1.0}, {"overlap": -1}, {"templates": "zz"}, {"cut": 2}):
        with pytest.raises(SettingError):
            SemanticParser(GRAMMAR, **settings).fit(QUESTIONS, FORMS)
