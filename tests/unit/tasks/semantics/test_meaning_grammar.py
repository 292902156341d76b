"""Grammars of forms: read off forms, written by hand, from plain data; what they make and what not."""

from __future__ import annotations

import copy
import random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from structron.errors import DataError, ModelError, SettingError, StructronError
from structron.io.values.terms import MAX_DEPTH, Term, parse_term
from structron.tasks.semantics.language.gazetteer import Gazetteer
from structron.tasks.semantics.language.grammar import FormTree, Grammar, Production

FORMS = [
    "answer(city(loc_2(stateid('virginia'))))",
    "answer(state(next_to_2(state(all))))",
    "answer(size(city(cityid('new york',_))))",
    "answer(intersection(state(all),next_to_2(stateid('texas'))))",
    "answer(lake(all))",
]
FUNCTIONS, LITERALS = ("f", "g", "h"), ("a", "b", "5", "_", "'x y'", "'5'")
RANDOM = st.recursive(
    st.sampled_from([parse_term(text) for text in LITERALS]),
    lambda parts: st.builds(
        Term, st.sampled_from(FUNCTIONS), st.lists(parts, min_size=1, max_size=3).map(tuple)
    ),
    max_leaves=8,
)


def bare(grammar: Grammar) -> Any:
    """A grammar but for quotes, which its lines may need to tell a literal from a type."""
    return grammar.start, [(each.result, each.pattern, each.slots) for each in grammar.productions]


def test_productions_are_read_off_forms() -> None:
    grammar = Grammar.read(FORMS)
    assert str(grammar).splitlines() == [
        "start: answer",
        "answer -> answer(city|intersection|lake|size|state)",
        "city -> city(cityid|loc_2)",
        "cityid -> cityid('new york',_)",
        "intersection -> intersection(state,next_to_2)",
        "lake -> lake(all)",
        "loc_2 -> loc_2(stateid)",
        "next_to_2 -> next_to_2(state|stateid)",
        "size -> size(city)",
        "state -> state(all)",  # the one literal that fills slots says nothing by itself
        "state -> state(next_to_2)",
        "stateid -> stateid('texas')",
        "stateid -> stateid('virginia')",
    ]
    assert [production.arity for production in grammar.productions] == [1, 1, 0, 2, 0, 1, 1, 1, 0, 1, 0, 0]
    assert grammar.productions[3] == Production(
        "intersection({},{})", "intersection", (frozenset(["state"]), frozenset(["next_to_2"]))
    )
    assert grammar.productions[3].function == "intersection"


def test_what_is_a_constant_can_be_said() -> None:
    forms = ["price('shirt')", "count(in('shirts','red'))"]
    assert "price -> price('shirt')" in str(Grammar.read(forms))
    said = str(Grammar.read(forms, constants=["in"]))
    assert "price -> price(shirt)\n" in said and "shirt -> 'shirt'" in said
    assert Grammar.read(forms, constants=["in"]).has("price(shirt)")


def test_slots_can_be_wider_than_what_was_seen() -> None:
    forms = ["q(f(a))", "q(f(b))", "q(g(b))", "q(g(c))", "q(h(c))", "q(h(d))", "q(g(k(e)))", "q(k(e))"]
    forms += ["q(f(k(e)))", "q(m(e))", "q(n(e))"]
    assert [Grammar.read(forms, overlap=n).has("q(f(c))") for n in (0, 1, 2, 3)] == [False, True, True, False]
    assert [Grammar.read(forms, overlap=n).has("q(f(d))") for n in (0, 1, 2)] == [False, False, False]
    # That most types fit q is no sign that they are alike: else f would take m, since both it and q take k.
    assert not Grammar.read(forms, overlap=1).has("q(f(m(e)))")
    for wrong in (-1, True, 0.5):
        with pytest.raises(SettingError, match="give a whole number of at least 0"):
            Grammar.read(forms, overlap=wrong)  # type: ignore[arg-type]


@given(st.lists(RANDOM, min_size=1, max_size=6), st.integers(0, 3))
def test_a_wider_grammar_makes_all_that_the_narrow_one_makes(forms: list[Term], overlap: int) -> None:
    narrow, wide = Grammar.read(forms), Grammar.read(forms, overlap=overlap)
    assert [each.text for each in narrow.productions] == [each.text for each in wide.productions]
    for a, b in zip(narrow.productions, wide.productions):
        assert all(x <= y for x, y in zip(a.slots, b.slots, strict=True))
    assert all(wide.derive(form) == narrow.derive(form) for form in forms)


@given(st.lists(RANDOM, min_size=1, max_size=6), st.integers(0, 99))
def test_a_grammar_makes_the_forms_it_was_read_off(forms: list[Term], seed: int) -> None:
    grammar = Grammar.read(forms)
    for form in forms:
        tree = grammar.derive(form)
        assert grammar.term(tree) == form
        assert grammar.tree(tree.preorder()) == tree
    assert Grammar.from_dict(grammar.to_dict()) == grammar
    assert bare(Grammar.parse(str(grammar))) == bare(grammar)
    shuffled = forms + forms[:1]
    random.Random(seed).shuffle(shuffled)
    assert Grammar.read(shuffled).to_dict() == grammar.to_dict()


@given(st.lists(RANDOM, min_size=1, max_size=4), st.lists(RANDOM, min_size=1, max_size=4))
def test_what_it_makes_it_makes_back_and_all_else_is_told(forms: list[Term], others: list[Term]) -> None:
    grammar = Grammar.read(forms)
    for form in others:
        if grammar.has(form):
            assert grammar.term(grammar.derive(form)) == form
        else:
            with pytest.raises(DataError, match="; add it to the grammar, or correct the form"):
                grammar.derive(form)


@pytest.mark.parametrize(
    ("form", "message"),
    [
        ("answer(city(loc_2(stateid('ohio'))))", "there is no production for stateid('ohio')"),
        ("answer(city(cityid('new york','ny')))", "there is no production for cityid('new york','ny')"),
        ("answer(city(loc_2(river(all))))", "there is no production for river(all)"),
        ("answer(size(city(loc_2(state(all)))))", "loc_2({}) does not take state(all)"),
        ("answer(state(all,all))", "there is no production for state(all,all)"),
        ("state(all)", "no form begins with state"),
    ],
)
def test_the_part_that_is_not_made_is_told(form: str, message: str) -> None:
    with pytest.raises(DataError) as caught:
        Grammar.read(FORMS).derive(form)
    assert str(caught.value) == f"{message}; add it to the grammar, or correct the form"


def test_forms_that_cannot_be_read() -> None:
    with pytest.raises(DataError, match="there are no forms"):
        Grammar.read([])
    with pytest.raises(DataError, match="has an open part"):
        Grammar.read(["f(g({}),a)"])
    with pytest.raises(DataError, match="column 3"):
        Grammar.read(["f("])
    deep = "f(" * (MAX_DEPTH - 1) + "a" + ")" * (MAX_DEPTH - 1)
    grammar = Grammar.read([deep])
    tree = grammar.derive(deep)
    assert grammar.term(tree) == parse_term(deep)
    for _ in range(5000):
        tree = FormTree(1, (tree,))
    with pytest.raises(DataError, match="more than 100 levels"):
        grammar.term(tree)


HAND = """
# states and cities
QUERY -> answer(PLACE)
QUERY -> answer(count(PLACE))
PLACE -> STATE
PLACE -> CITY
STATE -> next_to_2(STATE)
STATE -> loc_1(CITY)
STATE -> stateid('texas')
CITY -> loc_2(STATE)
CITY -> cityid('austin',_)
"""


def test_a_grammar_can_be_written_by_hand() -> None:
    grammar = Grammar.parse(HAND)
    assert grammar.start == {"QUERY"} and len(grammar) == 7
    assert grammar.productions[0].slots == (frozenset(["STATE", "CITY"]),)
    tree = grammar.derive("answer(count(next_to_2(loc_1(cityid(austin,_)))))")
    assert tree.preorder() == [1, 2, 3, 6]
    assert str(grammar.term(tree)) == "answer(count(next_to_2(loc_1(cityid('austin',_)))))"
    assert not grammar.has("answer(next_to_2(cityid('austin',_)))")
    assert Grammar.parse(str(grammar)) == grammar


def test_of_several_ways_the_lowest_is_taken() -> None:
    grammar = Grammar.parse(["Q -> f(A|B)", "A -> x(B)", "B -> x(B)", "B -> y"])
    assert grammar.derive("f(x(y))").preorder() == [0, 1, 3]
    assert grammar.derive("f(x(x(y)))").preorder() == [0, 1, 2, 3]


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        ("", "grammar: no productions; write lines as STATE -> next_to_2(STATE)"),
        ("A -> f(A)\nA f(a)", "grammar:2: no production; write TYPE -> form, as STATE -> next_to_2(STATE)"),
        ("A -> f(a", "grammar:1: column 4: the bracket of column 2 is not closed; correct the form"),
        ("A -> f({})", "grammar:1: {} does not say which type it takes; name the type"),
        ("A -> f(A|B)", "grammar:1: 'B' is not a type here, but A|B names one; write a production for it"),
        ("A B -> f", "grammar:1: production 'f': 'A B' cannot be a type; use a word, without blanks"),
        ("A -> f\nA -> f", "grammar:1: A -> f is there twice; leave one out"),
        ("start: B\nA -> f", "grammar:1: no production has the type 'B'; write one, or start with another"),
        ("A -> f(B)\nB -> C\nC -> B", "grammar:1: production 'f({})' has a slot that nothing fits"),
    ],
)
def test_faults_of_a_grammar_are_told_by_their_line(lines: str, message: str) -> None:
    with pytest.raises(DataError) as caught:
        Grammar.parse(lines)
    assert str(caught.value).startswith(message)


def test_names_extend_a_grammar() -> None:
    names = Gazetteer.of(
        [
            (("virginia",), parse_term("stateid('virginia')")),
            (("new", "york"), parse_term("stateid('new york')")),
            (("new", "york"), parse_term("cityid('new york',_)")),
            (("new", "york", "city"), parse_term("cityid('new york',_)")),
            (("tahoe",), parse_term("lakeid('tahoe')")),
            (("red",), parse_term("red")),
        ]
    )
    plain = Grammar.read(FORMS)
    grammar = plain.extended(names)
    assert [p.text for p in grammar.productions[len(plain) :]] == ["stateid('new york')"]
    assert [p.text for p in grammar.productions[: len(plain)]] == [p.text for p in plain.productions]
    assert not plain.has("answer(city(loc_2(stateid('new york'))))")
    assert grammar.has("answer(city(loc_2(stateid('new york'))))")
    found = [
        (begin, end, grammar.productions[number].text)
        for begin, end, number in grammar.anchors(["is", "New", "York", "city", "in", "virginia"])
    ]
    assert found == [
        (1, 3, "cityid('new york',_)"),
        (1, 3, "stateid('new york')"),
        (1, 4, "cityid('new york',_)"),
        (5, 6, "stateid('virginia')"),
    ]
    assert Grammar.from_dict(grammar.to_dict()) == grammar
    assert grammar.extended(names) == grammar
    hand = Grammar.parse(HAND).extended(Gazetteer.of([(("ohio",), parse_term("stateid(ohio)"))]))
    assert hand.productions[-1] == Production("stateid(ohio)", "STATE", (), (("ohio",),))


def damaged(data: Any, rng: random.Random) -> Any:
    """The same data with one value, anywhere in it, replaced."""
    data = copy.deepcopy(data)
    inside = data
    while True:
        key = rng.choice(list(inside) if isinstance(inside, dict) else list(range(len(inside))))
        if isinstance(inside[key], (dict, list)) and inside[key] and rng.random() < 0.8:
            inside = inside[key]
        else:
            inside[key] = rng.choice([None, 5, "", "f({}", "{}", [], {}, ["x"], [5], [[""]], "answer({},{})"])
            return data


def test_nothing_of_a_model_file_is_trusted() -> None:
    whole = (
        Grammar.read(FORMS).extended(Gazetteer.of([(("v",), parse_term("stateid('virginia')"))])).to_dict()
    )
    rng = random.Random(1)
    for _ in range(500):
        try:
            made = Grammar.from_dict(damaged(whole, rng))
        except ModelError as error:
            assert str(error).startswith("its grammar is damaged (")
        else:
            assert Grammar.from_dict(made.to_dict()) == made
    for bad in ({}, {"start": ["a"]}, {"start": [], "productions": []}):
        with pytest.raises(ModelError, match="its grammar is damaged"):
            Grammar.from_dict(bad)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: Production("f({})", "f"), "production 'f({})': 1 slots, 0 with types; make them equal"),
        (lambda: Production("{}", "f", (frozenset("a"),)), "a production cannot be a slot alone"),
        (lambda: Production("f(", "f"), "production 'f(': column 3"),
        (lambda: Production("f", "a b"), "production 'f': 'a b' cannot be a type"),
        (lambda: Production("f", "_"), "production 'f': '_' cannot be a type"),
        (lambda: Production("f", "f", (), ((),)), "production 'f' has a name without words"),
        (lambda: Grammar((), frozenset("a")), "the grammar has no productions"),
        (lambda: Grammar((Production("f", "f"),), frozenset()), "the grammar has no type for whole forms"),
        (lambda: Grammar((Production("f", "f"),), frozenset("a")), "no production has the type 'a'"),
        (lambda: Grammar((Production("f", "f"),) * 2, frozenset("f")), "f -> f is there twice"),
        (lambda: Grammar.read(FORMS).tree([0]), "the list of productions ends too early"),
        (lambda: Grammar.read(FORMS).tree([2, 2]), "the list of productions makes 2 trees"),
        (lambda: Grammar.read(FORMS).tree([99]), "there is no production 99"),
        (lambda: Grammar.read(FORMS).term(FormTree(99)), "there is no production 99"),
        (lambda: Grammar.read(FORMS).term(FormTree(0, (FormTree(2),))), "production 2, cityid"),
        (lambda: Gazetteer((((), parse_term("a")),)), "the name of a has no words"),
    ],
)
def test_what_is_wrong_is_told(make: Any, message: str) -> None:
    with pytest.raises(StructronError) as caught:
        make()
    assert str(caught.value).startswith(message)
    assert isinstance(caught.value, (DataError, SettingError))


CONJUNCTIONS = [
    "q(and(a(x),b(y)))",
    "q(and(b(x),a(y),c(z)))",
    "q(and(a(y),c(z),b(x),a(x)))",
    "q(and(and(a(x),b(y)),c(z)))",
    "q(and(c(z),and(a(x),b(y))))",
]


def test_conjunctions_of_read_grammars_take_any_number_of_parts() -> None:
    whole = Grammar.read(CONJUNCTIONS)
    grammar = whole.binarised(read=True)
    assert "and -> and(a|and|b|c,a|and|b|c...)" in str(grammar).splitlines()
    assert bare(Grammar.parse(str(grammar))) == bare(grammar)
    assert Grammar.from_dict(grammar.to_dict()) == grammar
    assert grammar.binarised(read=True) == grammar, "what is broken stays as it is"
    longer = "q(and(a(x),b(y),c(z),a(y),b(x),c(z)))"
    for form in (*CONJUNCTIONS, longer):
        assert str(grammar.term(grammar.derive(form))) == form
    assert not whole.has(longer)
    assert len({grammar.derive(form) for form in CONJUNCTIONS}) == len(CONJUNCTIONS)
    assert [each.rest for each in grammar.productions].count(True) == 1
    numbers = {each.result: number for number, each in enumerate(grammar.productions)}
    assert grammar.is_exchangeable(numbers["and"]) and grammar.is_exchangeable(numbers["and+"])
    with pytest.raises(DataError, match="and has more than 200 parts"):
        grammar.derive(f"q(and({','.join(['a(x)'] * 201)}))")


@given(st.lists(RANDOM, min_size=1, max_size=6))
def test_breaking_conjunctions_loses_no_form(forms: list[Term]) -> None:
    whole = Grammar.read(forms)
    grammar = whole.binarised(read=True)
    for form in forms:
        assert grammar.term(grammar.derive(form)) == form
    assert bare(Grammar.parse(str(grammar))) == bare(grammar)


def test_conjunctions_of_written_grammars_take_as_many_parts_as_are_written() -> None:
    lines = ["start: Q", "Q -> q(T)"]
    lines += [f"T -> and({','.join(['C'] * n)})" for n in (2, 3, 4)] + ["C -> a", "C -> b"]
    whole = Grammar.parse(lines)
    grammar = whole.binarised()
    assert str(grammar).splitlines() == str(whole).splitlines() == lines
    assert sum(each.rest for each in grammar.productions) == 2
    assert {each.arity for each in grammar.productions} == {0, 1, 2}
    for form in ("q(and(a,b))", "q(and(b,b,a))", "q(and(a,b,a,b))"):
        assert str(grammar.term(grammar.derive(form))) == form
    for form in ("q(and(a,b,a,b,a))", "q(and(a,and(b,a)))", "q(and(a))"):
        assert not whole.has(form) and not grammar.has(form)


@pytest.mark.parametrize(
    "lines",
    [
        "Q -> f(A,A)\nA -> a\n",  # one number of parts
        "Q -> f(A,A)\nQ -> f(A,A,B)\nA -> a\nB -> b\n",  # slots are not alike
        "Q -> f(A,A)\nQ -> f(A,A,A,A)\nA -> a\n",  # a number is left out
        "Q -> f(A,A)\nA -> f(A,A,A)\nA -> a\n",  # of different types
        "Q -> f(A,A,A)\nQ -> f(A,all)\nA -> a\n",  # an argument that is no slot
    ],
)
def test_what_is_no_conjunction_stays_as_it_is(lines: str) -> None:
    grammar = Grammar.parse(lines)
    assert grammar.binarised() == grammar


def test_functions_of_several_arities_are_no_conjunctions() -> None:
    forms = ["q(fly(p(a),t(b)))", "q(fly(p(b),t(a),d(c)))"]
    assert Grammar.read(forms).binarised(read=True) == Grammar.read(forms)


def test_a_rest_that_is_out_of_place_is_refused() -> None:
    data = Grammar.read(CONJUNCTIONS).binarised(read=True).to_dict()
    productions = data["productions"]
    head, rest, query = (
        next(each for each in productions if each["result"] == name) for name in ("and", "and+", "q")
    )
    assert rest["rest"] is True and "rest" not in head
    for wrong in (
        {"start": ["and+"]},
        {"productions": [*productions, query | {"slots": [["and+"]], "result": "other"}]},
        {
            "productions": [
                each if each is not head else head | {"slots": head["slots"][::-1]} for each in productions
            ]
        },
        {"productions": [*productions, rest | {"text": "or({},{})"}]},
        {"productions": [*productions, rest | {"text": "and({})", "slots": [["a"]]}]},
        {"productions": [*productions, head | {"result": "and+", "slots": [["a"], ["b"]]}]},
    ):
        with pytest.raises(ModelError, match="conjunction"):
            Grammar.from_dict(data | wrong)
