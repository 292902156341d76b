"""FunQL over a few facts: what each function means, what is an error, and that it ends."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from structron.errors import DataError
from structron.io.values.answers import render_answer
from structron.io.values.terms import parse_term
from structron.tasks.semantics.language.gazetteer import Gazetteer
from structron.tasks.semantics.language.grammar import FormTree, Grammar
from tests.papers.loading import experiment_modules

FOLDER = Path(__file__).resolve().parents[2] / "experiments"
NAMES = ("facts", "funql", "geography", "jobs", "plan", "results")

# Three states of a land that is none, two of whose cities share a name.
FACTS = """
% state(name, abbreviation, capital, population, area, number, four cities)
state('north','no','alba',2000.0e+3,100.0e+3,1,'alba','dell','fort','york').
state('south','so','brook',500.0e+3,50.0e+3,2,'brook','dell','glen','york').
state('isle','is','cove',10.0e+3,8.0e+3,3,'cove','hull','jett','york').
city('north','no','alba',300000).
city('north','no','dell',160000).
city('south','so','dell',90000).
city('south','so','brook',40000).
river('long',900,['north','south']).
river('short',100,['south']).
border('north','no',['south']).
border('south','so',['north']).
border('isle','is',[]).
highlow('north','no','mount alba',4000,'deep lake',-10).
highlow('south','so','hill',300,'sea',0).
highlow('isle','is','cliff',50,'sea',0).
mountain('north','no','alba',4000).
lake('deep',800,['north','south']).
country('usa',2510000,158000).
/* a rule, which is no fact */
major(X) :- city(X), population(X,P), P > 150000.
"""


@pytest.fixture(scope="module")
def code() -> Iterator[SimpleNamespace]:
    with experiment_modules(*(f"geoquery.{name}" for name in NAMES)) as modules:
        yield SimpleNamespace(**dict(zip(NAMES, modules)))


@pytest.fixture(scope="module")
def funql(code: SimpleNamespace) -> Any:
    return code.funql.Funql(code.facts.parse_facts(FACTS))


@pytest.mark.parametrize(
    ("form", "answer"),
    [
        ("city(loc_2(stateid('north')))", "[cityid(alba,no),cityid(dell,no)]"),
        ("state(all)", "[stateid(isle),stateid(north),stateid(south)]"),
        # Where a city is: in the country, and in each state that has one of its name.
        ("loc_1(cityid('dell',_))", "[countryid(usa),stateid(north),stateid(south)]"),
        ("state(loc_1(cityid('dell','so')))", "[stateid(south)]"),
        # A capital without a fact of its own is a city of its state, but no city.
        ("loc_2(stateid('isle'))", "[cityid(cove,is),placeid(cliff),placeid(sea)]"),
        ("city(loc_2(stateid('isle')))", "[]"),
        ("capital(loc_2(stateid('isle')))", "[cityid(cove,is)]"),
        ("capital(cityid('cove',_))", "[cityid(cove,is)]"),
        ("capital_1(stateid('north'))", "[cityid(alba,no)]"),
        ("capital_2(cityid('alba',_))", "[stateid(north)]"),
        ("state(next_to_2(stateid('north')))", "[stateid(south)]"),
        ("next_to_1(stateid('isle'))", "[]"),
        ("river(traverse_2(stateid('south')))", "[riverid(long),riverid(short)]"),
        ("traverse_2(countryid('usa'))", "[riverid(long),riverid(short)]"),
        ("state(traverse_1(riverid('long')))", "[stateid(north),stateid(south)]"),
        # An open city is the first of its name, unless another will do.
        ("population_1(cityid('dell',_))", "[160000]"),
        ("major(city(cityid('dell',_)))", "[cityid(dell,no)]"),
        ("major(city(all))", "[cityid(alba,no),cityid(dell,no)]"),
        ("major(river(all))", "[riverid(long)]"),
        ("major(lake(loc_2(stateid('north'))))", "[lakeid(deep)]"),
        ("lake(all)", "[deep,lakeid(deep)]"),
        ("mountain(loc_2(countryid('usa')))", "[mountainid(alba)]"),
        ("largest(city(all))", "[cityid(alba,no)]"),
        ("smallest(state(all))", "[stateid(isle)]"),
        ("longest(river(all))", "[riverid(long)]"),
        ("highest(place(loc_2(stateid('north'))))", "[placeid('mount alba')]"),
        ("lowest(place(all))", "[placeid('deep lake')]"),
        ("size(largest(state(all)))", "[100000.0]"),
        ("size(population_1(stateid('north')))", "[2000000.0]"),
        ("density_1(stateid('south'))", "[10.0]"),
        ("density_1(cityid('alba',_))", "[]"),
        ("len(riverid('long'))", "[900]"),
        ("elevation_1(placeid('hill'))", "[300]"),
        ("elevation_2(0)", "[placeid(sea)]"),
        ("elevation_2(elevation_1(placeid('hill')))", "[placeid(hill)]"),
        ("higher_2(placeid('hill'))", "[mountainid(alba),placeid('mount alba')]"),
        ("place(lower_2(placeid('cliff')))", "[placeid('deep lake'),placeid(sea)]"),
        ("higher_1(placeid('cliff'))", "[placeid('deep lake'),placeid(sea)]"),
        ("longer(riverid('short'))", "[lakeid(deep),riverid(long)]"),
        ("state(high_point_2(higher_2(high_point_1(stateid('south')))))", "[stateid(north)]"),
        ("low_point_1(countryid('usa'))", "[placeid('death valley')]"),
        # What repeats counts again for a sum, and once for a count.
        ("sum(population_1(state(next_to_2(state(next_to_2(state(all)))))))", "[2500000.0]"),
        ("sum(len(loc_2(state(all))))", "[3500]"),
        ("count(loc_1(river(all)))", "[3]"),
        ("largest_one(population_1(state(all)))", "[stateid(north)]"),
        ("smallest_one(area_1(state(all)))", "[stateid(isle)]"),
        ("most(river(loc_2(state(all))))", "[stateid(south)]"),
        ("fewest(city(loc_2(state(all))))", "[stateid(isle)]"),
        ("most(state(traverse_1(river(all))))", "[riverid(long)]"),
        ("each(state(next_to_2(stateid('north'))))", "[stateid(south)]"),
        ("exclude(state(all),next_to_2(state(all)))", "[stateid(isle)]"),
        ("exclude(city(loc_2(stateid('north'))),cityid('dell',_))", "[cityid(alba,no)]"),
        ("intersection(cityid('dell',_),loc_2(stateid('south')))", "[cityid(dell,so)]"),
        ("intersection(loc_2(stateid('south')),cityid('dell',_))", "[cityid(dell,so)]"),
        # Well written and without meaning.
        ("all", "[]"),
        ("loc_2(all)", "[]"),
        ("largest(elevation_2(5))", "[]"),
        ("most(state(all))", "[]"),
        ("most(city(population_1(state(all))))", "[]"),
        ("largest_one(population_1(river(all)))", "[]"),
    ],
)
def test_what_the_functions_mean(funql: Any, form: str, answer: str) -> None:
    assert render_answer(funql(f"answer({form})")) == answer
    assert render_answer(funql(f"answer({form})")) == answer  # remembered


@pytest.mark.parametrize(
    ("form", "message"),
    [
        ("answer(capitol(all))", "capitol: there is no such function; write a form of FunQL"),
        ("answer(city(loc_3(state(all))))", "loc_3: there is no such function; write a form of FunQL"),
        ("answer(state(all,all))", "state: it takes 1, not 2 parts; write a form of FunQL"),
        ("state(all)", "state: a query must be answer(...); write it around the form"),
        ("answer(sum(state(all)))", "sum: it adds numbers, and these are things; ask for a measure of them"),
        ("answer(most(population_1(state(all))))", "most: it counts things, and these are numbers"),
        ("answer(largest_one(loc_2(state(all))))", "largest_one: it compares numbers, and these are things"),
    ],
)
def test_errors_are_one_sentence(funql: Any, form: str, message: str) -> None:
    with pytest.raises(DataError) as caught:
        funql(form)
    assert str(caught.value).startswith(message)


def test_lists_without_end_are_ended(code: SimpleNamespace) -> None:
    funql = code.funql.Funql(code.facts.parse_facts(FACTS), steps=1000)
    form = "state(all)"
    for _ in range(30):
        form = f"loc_1(loc_2({form}))"
    for _ in range(2):
        with pytest.raises(DataError, match="more than 1000 steps; ask for less, or allow more steps"):
            funql(f"answer({form})")
    assert len(funql("answer(state(all))")) == 3


def grown(grammar: Grammar, accepted: frozenset[str], depth: int, rng: random.Random) -> FormTree:
    """A random tree; below the depth by productions with few slots."""
    numbers = [n for n, production in enumerate(grammar.productions) if production.result in accepted]
    if depth <= 0:
        least = min(grammar.productions[n].arity for n in numbers)
        numbers = [n for n in numbers if grammar.productions[n].arity == least]
    number = rng.choice(numbers)
    slots = grammar.productions[number].slots
    return FormTree(number, tuple(grown(grammar, slot, depth - 1, rng) for slot in slots))


def test_whatever_is_well_typed_can_be_executed(code: SimpleNamespace, funql: Any) -> None:
    grammar = Grammar.parse((FOLDER / "geoquery" / "funql.grammar").read_text(encoding="utf-8"))
    rng = random.Random(1)
    met: set[int] = set()
    for _ in range(400):
        tree = grown(grammar, grammar.start, 5, rng)
        form = grammar.term(tree)
        assert grammar.has(form) and isinstance(funql(form), list)
        met |= set(tree.preorder())
    assert len(met) == len(grammar)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("city('a',1)", "facts:1: the clause has no full stop; end it with one"),
        ("a(1).\n\ncity.", "facts:3: no fact; write name(value, value)."),
        ("city('a',+).", "facts:1: '+' where a value is needed; write name(value, value)."),
        ("river('a',[b).", "facts:1: the list is not closed; write [value, value]"),
        ("river('a',[[b]]).", "facts:1: a list in a list; write one list"),
        ("river('a')).", "facts:1: a bracket too many; write name(value, value)."),
        ("river('a).", 'facts:1: "\'" where a value is needed; write name(value, value).'),
    ],
)
def test_faults_of_facts_are_told_by_their_line(code: SimpleNamespace, text: str, message: str) -> None:
    with pytest.raises(DataError) as caught:
        code.facts.parse_facts(text)
    assert str(caught.value) == message


def test_a_city_has_a_state_only_where_it_is_named(code: SimpleNamespace) -> None:
    names = code.geography.names(code.facts.parse_facts(FACTS), ["usa", "the land"])
    gazetteer = Gazetteer.of((name.split(), constant) for name, constant in names)
    found = gazetteer.matches(["is", "dell", "south", "on", "the", "long", "or", "in", "dell", "no"])
    assert [(begin, end, str(constant)) for begin, end, constant in found] == [
        (1, 3, "cityid('dell','so')"),
        (1, 2, "cityid('dell',_)"),
        (2, 3, "stateid('south')"),
        (5, 6, "riverid('long')"),
        (8, 10, "cityid('dell','no')"),
        (8, 9, "cityid('dell',_)"),
    ]
    grammar = Grammar.read(["answer(population_1(cityid('alba',_)))"]).extended(gazetteer)
    assert grammar.has("answer(population_1(cityid('dell','so')))")
    assert parse_term("cityid('dell','so')") in gazetteer.by_constant


def test_tables_of_update_methods_come_from_the_record(code: SimpleNamespace, tmp_path: Path) -> None:
    runs = code.plan.runs()["updates"]
    assert len(runs) == len(set(runs)) == code.plan.SEEDS * len(code.plan.CHOICES)
    entries = [
        {
            "run": {"search": run.search, "update": run.update, "learner": run.learner},
            "best_dev": 70.0 + run.seed,
            "best_epoch": 2,
            "dev": [60.0, 70.0 + run.seed],
            "updates": [4, 4],
            "invalid": [1, 1],
            "cpu": [1.0, 3.0],
            "cpu_with_dev": 5.0,
        }
        for run in runs
    ]
    code.results.write(entries, tmp_path)
    text = (tmp_path / "README.md").read_text(encoding="utf-8")
    assert "| standard, mira       |       71.00 ± 0.58 |" in text.split("<!-- methods forest -->")[1]
    assert "| parallel, perceptron" in text.split("<!-- methods forest -->")[0]
    assert f"{len(runs)} trainings in 2.5 minutes of CPU time." in text
    assert (tmp_path / "epochs.svg").is_file()


def test_names_of_jobs_have_types_and_spellings(
    code: SimpleNamespace, monkeypatch: pytest.MonkeyPatch
) -> None:
    listed = (("LANGUAGE", parse_term("const('c++')")), ("PLACE", parse_term("const('new york')")))
    monkeypatch.setattr(code.jobs, "database", lambda: listed)
    forms = [
        "answer(job(intersect(company_1(const('Dell')),salary_greater_than(50000,year))))",
        "answer(job(req_exp_1(const(2))))",
    ]
    grammar = code.jobs.typed_grammar(map(parse_term, forms))
    for form in (
        "answer(job(intersect(language_1(const('c++')),loc_1(const('new york')),not(req_deg(job(all))))))",
        "answer(company_0(req_deg(job(all))))",
        *forms,
    ):
        assert grammar.has(form)
    assert not grammar.has("answer(job(language_1(const('Dell'))))")
    assert not grammar.has("answer(job(not(intersect(req_deg(job(all)),intersect(job(all),job(all))))))")
    found = [
        grammar.productions[p].text for _, _, p in grammar.anchors(["'c++'", "dells", "new", "york", "2"])
    ]
    assert found == ["const('c++')", "const('Dell')", "const('new york')", "const(2)"]
