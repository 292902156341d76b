"""SemanticParser: forms from questions, answers from forms, and what is refused."""

from __future__ import annotations

import pickle
import time
from pathlib import Path
from typing import Any

import pytest

from structron import DataError, SemanticParser, SettingError, StructronError
from structron.io import Question, Term, parse_term
from structron.io.values.answers import answer_key
from structron.tasks.semantics.features import QuestionKeys
from structron.tasks.semantics.language.grammar import Grammar
from structron.tasks.semantics.words import Words

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
    asked = SemanticParser(GRAMMAR, epochs=8, executor=executor, seconds=0.1).fit(QUESTIONS, FORMS)
    assert asked.execute([NEW, QUESTIONS[1], QUESTIONS[0], ""]) == [None, [], None, None]


# A shop, so that forms have answers: three hats and two shirts, some of them red.
THINGS = {"hats": ["h1", "h2", "h3"], "shirts": ["s1", "s2"]}
RED = {"h1", "h2", "s1"}


def things(form: Term) -> list[str]:
    parts = [things(part) for part in form.arguments]
    if form.name == "red":
        return [each for each in parts[0] if each in RED]
    return parts[0] + parts[1] if form.name == "both" else THINGS[form.name]


def shop(form: Term) -> object:
    found = things(form.arguments[0])
    return len(set(found)) if form.name == "count" else found


ANSWERS = [shop(parse_term(form)) for form in FORMS]


@pytest.mark.parametrize("how", ["answers", "questions"])
def test_answers_alone_are_learned_from(how: str) -> None:
    parser = SemanticParser(GRAMMAR, executor=shop, epochs=8, rounds=3, candidates=20)
    stages: list[tuple[str, int, int]] = []
    if how == "answers":
        parser.fit(QUESTIONS, answers=ANSWERS, on_stage=lambda *told: stages.append(told))
        assert stages[-1] == ("search for forms, round 3", 6, 6)
        assert ("search for forms, round 1", 3, 3) in stages  # the shorter half comes first
    else:
        parser.fit([Question(text, None, answer) for text, answer in zip(QUESTIONS, ANSWERS)])
    assert list(map(answer_key, parser.execute(QUESTIONS))) == list(map(answer_key, ANSWERS))
    assert answer_key(parser.execute([NEW])[0]) == 2
    assert parser.unanswered_ == 0 and parser.executed_.raised == 0
    # All that was found has the answer, and nothing in it is idle.
    for forms, answer, form in zip(parser.found_, ANSWERS, FORMS):
        assert forms and all(answer_key(shop(parse_term(each))) == answer_key(answer) for each in forms)
        assert max(each.count("(") for each in forms) <= form.count("(") + 2
    assert parser.score([Question(QUESTIONS[0], None, ANSWERS[0])]) == 1.0


def test_training_is_resumed_with_the_same_development_data_alone(tmp_path: Path) -> None:
    def parser(epochs: int) -> SemanticParser:
        return SemanticParser(
            GRAMMAR, executor="tests.unit.tasks.semantics.test_semantic_parser:shop", epochs=epochs
        )

    dev: tuple[list[str], list[Any]] = (QUESTIONS[:2], FORMS[:2])
    parser(1).fit(QUESTIONS, FORMS, dev, checkpoint=tmp_path / "c")
    resumed = parser(2).fit(QUESTIONS, FORMS, dev, checkpoint=tmp_path / "c", resume=True)
    assert resumed.model_.to_bytes() == parser(2).fit(QUESTIONS, FORMS, dev).model_.to_bytes()
    with pytest.raises(StructronError, match="development data"):
        parser(3).fit(QUESTIONS, FORMS, (dev[0], FORMS[1:3]), checkpoint=tmp_path / "c", resume=True)
    # Equal answers are the same data, however they are ordered.
    questions = [Question(QUESTIONS[0], None, answer) for answer in (["s1", "s2"], {"s2", "s1"})]
    parser(3).fit(QUESTIONS, FORMS, questions[:1], checkpoint=tmp_path / "d")
    parser(4).fit(QUESTIONS, FORMS, questions[1:], checkpoint=tmp_path / "d", resume=True)


def test_a_question_whose_answer_no_form_has_is_left_out_and_counted() -> None:
    parser = SemanticParser(GRAMMAR, executor=shop, epochs=2, rounds=2, candidates=10)
    parser.fit([*QUESTIONS, "how many shoes are there"], answers=[*ANSWERS, 99])
    assert parser.unanswered_ == 1 and parser.found_[-1] == []
    assert parser.model_.about["unanswered"] == 1


def test_an_executor_that_fails_is_bounded_and_counted() -> None:
    def executor(form: Term) -> object:
        if "both" in str(form):
            raise ValueError("out of stock")
        while str(form).count("red") > 1:
            pass
        return shop(form)

    parser = SemanticParser(GRAMMAR, executor=executor, epochs=1, rounds=1, candidates=8, seconds=0.02)
    parser.fit(QUESTIONS[:4], answers=ANSWERS[:4])
    counts = parser.executed_
    assert counts.raised > 0 and counts.timed_out > 0 and counts.from_cache > 0
    assert "out of stock" in counts.first_message or "more than 0.02 seconds" in counts.first_message


def test_what_is_wrong_with_answers_is_told() -> None:
    def broken(form: Term) -> object:
        raise ValueError("no shop")

    one = ["how many hats are there"]
    for settings, X, given, told in (
        ({"executor": shop}, one, {"y": [FORMS[1]], "answers": [3]}, "forms and answers are given"),
        ({}, one, {"answers": [3]}, "there is no executor"),
        (
            {"executor": shop, "grammar": ""},
            one,
            {"answers": [3]},
            "answers do not say which forms there are",
        ),
        ({"executor": shop}, one, {"answers": [3, 4]}, "1 questions but 2 answers"),
        ({"executor": shop}, one, {"answers": [None]}, "sentence 1: None is not an answer"),
        ({"executor": shop}, one, {"answers": [iter([])]}, "sentence 1: an answer of type list_iterator"),
        (
            {"executor": shop},
            one,
            {"answers": [77]},
            "no form among the 5 best has the answer of its question",
        ),
        (
            {"executor": shop},
            [""],
            {"answers": [77]},
            "no form among the 5 best has the answer of its question",
        ),
        ({"executor": broken}, one, {"answers": [3]}, "no form could be executed, the first was .* no shop"),
        ({"executor": shop}, [*one, Question("a", parse_term(FORMS[0]))], {}, "y is missing"),
        (
            {"executor": shop},
            [Question("a", None, 3), Question("a", parse_term(FORMS[0]))],
            {},
            "some questions have a form and some an answer alone",
        ),
    ):
        more: dict[str, Any] = {"grammar": GRAMMAR, "epochs": 1, "rounds": 1, "candidates": 5} | settings
        with pytest.raises(DataError, match=told):
            SemanticParser(**more).fit(X, **given)
    for wrong in ({"rounds": 0}, {"candidates": 0}, {"seconds": 0}):
        with pytest.raises(SettingError):
            SemanticParser(GRAMMAR, executor=shop, **wrong).fit(one, answers=[3])
    batches = SemanticParser(GRAMMAR, epochs=1).partial_fit(QUESTIONS, FORMS)
    with pytest.raises(DataError, match="batches are learned from forms"):
        batches.partial_fit([Question("a", None, 3)])


def test_names_are_seen_as_their_types_unless_their_words_say_something_else() -> None:
    names = [(city, f"city('{city}')") for city in ("rome", "high point", "oslo", "bonn")]
    names += [("nile", "river('nile')"), ("oslo", "river('oslo')")]
    questions = ["size of rome", "high point of nile", "size of nile"]
    forms = ["size(city('rome'))", "top(river('nile'))", "size(river('nile'))"]
    parser = SemanticParser(names=names, epochs=1).fit(questions, forms)

    def seen(text: str) -> list[int]:
        words = Words.of(parser.grammar_, text.split())
        return list(parser.model_.task.space(words).question.words)

    own = QuestionKeys.of(["high", "point"]).words
    assert seen("size of bonn") == seen("size of rome") != seen("size of nile")
    assert seen("size of oslo")[-1] not in (seen("size of bonn")[-1], seen("size of nile")[-1])
    assert tuple(seen("high point")) == own, "a question has said them, so they are not only a name"
    assert parser.predict(["high point of oslo", "size of bonn"])[1] == "size(city('bonn'))"


def test_the_order_of_parts_is_learned() -> None:
    questions = [f"{a} then {b}" for a in ("hats", "shirts") for b in ("hats", "shirts")]
    forms = [f"names(both({b},{a}))" for a in ("hats", "shirts") for b in ("hats", "shirts")]
    names = [("hats", "hats"), ("shirts", "shirts")]
    parser = SemanticParser(GRAMMAR, names=names, epochs=5, templates=["p w", "p bare", "p order"])
    assert parser.fit(questions, forms).predict(questions) == forms
    parser = SemanticParser(GRAMMAR, names=names, epochs=5, templates=["p w", "p bare"])
    assert parser.fit(questions, forms).predict(questions) != forms


def test_every_search_update_and_learner_runs() -> None:
    for search in ("forest", "forest:1", "forest:3"):
        for update in ("standard", "skip", "early", "latest", "max_violation", "parallel"):
            for learner in ("perceptron", "perceptron:margin=1", "mira:3", "pa:C=0.1"):
                one = SemanticParser(GRAMMAR, epochs=1, search=search, update=update, learner=learner)
                assert all(one.fit(QUESTIONS, FORMS).predict(QUESTIONS))
    two = [SemanticParser(GRAMMAR, epochs=2, batch=2, threads=n).fit(QUESTIONS, FORMS) for n in (1, 2)]
    assert two[0].predict_kbest(QUESTIONS, 2) == two[1].predict_kbest(QUESTIONS, 2)
    assert SemanticParser(GRAMMAR, epochs=2, shards=2).fit(QUESTIONS, FORMS).predict([NEW]) != [None]


LONG = "which red hats are there " * 600  # 3,000 words
TOO_LARGE = "the chart of 3000 words would take [0-9]+ GiB of memory for each thread; fix it or leave it out"


def test_a_question_is_refused_whose_chart_would_be_too_large(parser: SemanticParser) -> None:
    for ask in (parser.predict, lambda X: parser.score(X, FORMS[:2])):
        with pytest.raises(DataError, match=f"^sentence 2: {TOO_LARGE}$"):
            ask([NEW, LONG])
    with pytest.raises(DataError, match="the chart of 3000 words would take"):
        parser.trace(LONG)
    asked = [Question(NEW, file="f", line=1), Question(LONG, file="f", line=2)]
    with pytest.raises(DataError, match=f"^f:2: {TOO_LARGE}$"):
        parser.predict(asked)
    assert parser.predict([NEW]) == [ITS_FORM] and parser.too_large(NEW) is None
    assert str(parser.too_large(LONG)).startswith("the chart of 3000 words")
    # The k best forms keep every way to build a node, and fewer words are too many.
    some = "which red hats are there " * 50
    with pytest.raises(DataError, match="sentence 2: the chart of the k best forms of 250 words would take"):
        parser.predict_kbest([NEW, some], 3)


def test_a_question_that_is_too_long_to_learn_from_is_named() -> None:
    one = SemanticParser(GRAMMAR, epochs=1)
    with pytest.raises(DataError, match=f"^sentence 7: {TOO_LARGE}$"):
        one.fit([*QUESTIONS, LONG], [*FORMS, ITS_FORM])
    told: list[Any] = []
    with pytest.raises(DataError, match=f"^sentence 1: {TOO_LARGE}$"):
        one.fit(QUESTIONS, FORMS, ([LONG], [ITS_FORM]), on_epoch=told.append)
    assert not told, "it is told before anything is learned"
    some = "which red hats are there " * 50
    with pytest.raises(SettingError, match="the chart of the k best forms of 250 words would take"):
        SemanticParser(GRAMMAR, epochs=1, learner="mira:2").fit([some], [ITS_FORM])


MANY = [
    ("hats red cheap", "find(all_of(hats,red(all),cheap(all)))"),
    ("red hats", "find(all_of(red(all),hats))"),
    ("cheap hats", "find(all_of(cheap(all),hats))"),
    ("new shirts red", "find(all_of(new(all),shirts,red(all)))"),
    ("cheap red shirts new", "find(all_of(cheap(all),red(all),shirts,new(all)))"),
    ("shirts cheap", "find(all_of(shirts,cheap(all)))"),
    ("new hats", "find(all_of(new(all),hats))"),
]


def test_conjunctions_may_have_more_parts_than_were_seen() -> None:
    parser = SemanticParser(epochs=20).fit(*zip(*MANY))
    assert parser.predict([question for question, _ in MANY]) == [form for _, form in MANY]
    assert parser.predict(["hats red new cheap shirts"]) == [
        "find(all_of(hats,red(all),new(all),cheap(all),shirts))"
    ]
    again = SemanticParser(epochs=20).fit(*zip(*reversed(MANY)))
    assert again.grammar_ == parser.grammar_
    restored = pickle.loads(pickle.dumps(parser))
    assert restored.predict_kbest(["cheap red hats"], 4) == parser.predict_kbest(["cheap red hats"], 4)
    assert "all_of(cheap|hats|new|red|shirts,cheap|hats|new|red|shirts...)" in str(parser.grammar_)


def test_models_with_a_production_for_each_number_of_parts_stay_as_they_were(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    with monkeypatch.context() as before:
        before.setattr(Grammar, "binarised", lambda self, *, read=False: self)
        SemanticParser(epochs=20).fit(*zip(*MANY)).save(tmp_path / "m")
    parser = SemanticParser.load(tmp_path / "m")
    assert "all_of({},{},{},{})" in parser.labels_ and not parser.grammar_.rests
    assert parser.predict([question for question, _ in MANY]) == [form for _, form in MANY]
    parser.partial_fit(*zip(*MANY[:2]))
    with pytest.raises(DataError, match="there is no production for all_of"):
        parser.partial_fit(["a"], ["find(all_of(hats,hats,hats,hats,hats))"])


def test_nested_conjunctions_stay_nested() -> None:
    nested = [
        ("a b c", "q(f(a,f(b,c)))"),
        ("b a c", "q(f(b,f(a,c)))"),
        ("a and b and c", "q(f(a,b,c))"),
        ("b and a", "q(f(b,a))"),
        ("c and a and b", "q(f(c,a,b))"),
        ("c a", "q(f(c,a))"),
    ]
    parser = SemanticParser(epochs=20).fit(*zip(*nested))
    assert parser.score(*map(list, zip(*nested))) == 1.0


def test_batches_may_bring_more_parts() -> None:
    parser = SemanticParser(epochs=1)
    texts = ["all_of({},{})", "all_of({},{},{})", "all_of({},{},{},{})"]
    parser.partial_fit(*zip(*MANY), classes=texts)
    parser.partial_fit(
        ["hats red new cheap shirts"], ["find(all_of(hats,red(all),new(all),cheap(all),shirts))"]
    )
    assert parser.unreachable_ == 0


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
