"""Terms: what is written is read back, what is wrong is told by its column, and no text is too deep."""

from __future__ import annotations

import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st

from structron.errors import DataError
from structron.io.values.terms import MAX_DEPTH, Term, parse_term

NAMES = st.text(st.characters(codec="utf-8", exclude_categories=["Cc", "Zl", "Zp"]), max_size=6)
LEAVES = st.builds(Term, NAMES, st.just(()), st.booleans())
TERMS = st.recursive(
    LEAVES,
    lambda parts: st.builds(Term, NAMES, st.lists(parts, min_size=1, max_size=3).map(tuple), st.booleans()),
    max_leaves=8,
)


@given(TERMS)
def test_what_is_written_is_read_back(term: Term) -> None:
    again = parse_term(str(term))
    assert again == term and hash(again) == hash(term) and str(again) == str(term)
    assert pickle.loads(pickle.dumps(term)) == term


@given(st.text(alphabet="ab(),' _1{}[]", max_size=12))
def test_any_text_is_a_term_or_told(text: str) -> None:
    try:
        term = parse_term(text)
    except DataError as error:
        assert str(error).startswith("column ") and "; " in str(error)
    else:
        assert parse_term(str(term)) == term


@pytest.mark.parametrize(
    ("text", "normal"),
    [
        ("answer(city(loc_2(stateid('virginia'))))", "answer(city(loc_2(stateid('virginia'))))"),
        (" size( cityid ( 'new york' , _ ) ) ", "size(cityid('new york',_))"),
        ("job(salary_greater_than(40000,year))", "job(salary_greater_than(40000,year))"),
        ("language_1(const(c++))", "language_1(const(c++))"),
        ("const('visual j++')", "const('visual j++')"),
        ("const(tcp/ip)", "const(tcp/ip)"),
        ("isle('martha''s vineyard')", "isle('martha''s vineyard')"),
        ("f('')", "f('')"),
    ],
)
def test_normal_form(text: str, normal: str) -> None:
    assert str(parse_term(text)) == normal


def test_quotes_count_only_where_they_mean_something() -> None:
    assert parse_term("stateid('texas')") == parse_term("stateid(texas)")
    assert len({parse_term("stateid('texas')"), parse_term("stateid(texas)")}) == 1
    assert str(Term("new york")) == "'new york'"
    for text in ("5", "0.5", "-2e3", "_", "{}"):
        assert parse_term(text) != parse_term(f"'{text}'")
    assert parse_term("f(a)") != parse_term("f(a,a)") != parse_term("f")


def test_values() -> None:
    assert [parse_term(text).value for text in ("5", "-0.5", "'5'", "'new york'")] == [
        5,
        -0.5,
        "5",
        "new york",
    ]
    whole = parse_term("f(5)")
    assert whole.value is whole
    assert parse_term("9" * 5000).value == float("inf")  # no number of Python's, and no error either


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "column 1: the form is empty; write it as f(g('a'),_)"),
        ("f(", "column 3: the end where a name is needed; correct the form"),
        ("f(a", "column 4: the bracket of column 2 is not closed; correct the form"),
        ("f(a))", "column 5: a closing bracket too many; correct the form"),
        ("f()", "column 3: ')' where a name is needed; correct the form"),
        ("f(a,)", "column 5: ')' where a name is needed; correct the form"),
        ("f(new york)", "column 7: 'y' where a comma or a closing bracket is needed; put a name with blanks"),
        ("f('a)", "column 3: the quote is not closed; correct the form"),
        ("f('a''", "column 3: the quote is not closed; correct the form"),
        ("f(a) g", "column 6: 'g' after the end of the form; correct the form"),
        ("(a)", "column 1: '(' where a name is needed; correct the form"),
        ("f('a\tb')", r"column 3: the name 'a\tb' holds '\t', which no form can hold; leave it out"),
    ],
)
def test_faults_are_told_by_their_column(text: str, message: str) -> None:
    with pytest.raises(DataError) as caught:
        parse_term(text)
    assert str(caught.value).startswith(message)


def test_no_text_is_too_deep() -> None:
    deepest = "f(" * (MAX_DEPTH - 1) + "a" + ")" * (MAX_DEPTH - 1)
    term = parse_term(deepest)
    assert str(term) == deepest and pickle.loads(pickle.dumps(term)) == term
    with pytest.raises(DataError, match="more than 100 levels"):
        parse_term(f"f({deepest})")
    with pytest.raises(DataError, match="column 200: a form of more than 100 levels"):
        parse_term("f(" * 100_000)
    with pytest.raises(DataError, match="more than 100 levels"):
        Term("f", (term,))
    with pytest.raises(DataError, match="must be text, not int"):
        parse_term(5)  # type: ignore[arg-type]
