"""The engine equals the definition on hybrid trees: gold, charts, weights, k best."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from structron import _core
from structron.engine.rows import Rows
from structron.errors import TaskError
from structron.learners import parse_learner
from structron.reference import train
from structron.reference.forest.forest import forest
from structron.reference.forest.forest_kbest import kbest
from structron.reference.forest.hypergraph import Tree
from structron.reference.learners.weights import Weights
from structron.search import Forest
from structron.tasks.semantics.features import ATOMS, PRESETS
from structron.tasks.semantics.language.association import Association
from structron.tasks.semantics.language.conjunctions import and_more
from structron.tasks.semantics.language.grammar import FormTree, Grammar, Production
from structron.tasks.semantics.space import HybridSpace
from structron.tasks.semantics.task import SemanticTask
from structron.tasks.semantics.words import Words
from structron.updates import UPDATES

Cells = dict[Any, float]
WORDS = ("a", "bé", "banana", "cccc", "ccccd")
TYPES = ("S", "T")
WIDTHS = st.sampled_from([None, 1, 2, 5])
METHODS = st.sampled_from(["standard", "skip", "early", "latest", "max_violation", "parallel"])
# What looks at several sides of a span has no table in the engine.
TEMPLATES = (
    *PRESETS["hybrid"],
    "p first last",
    "f before in",
    "p bare after any",
    "f bare",
    "prefix w[1]",
    "order",
)


@st.composite
def tasks(draw: st.DrawFn) -> SemanticTask:
    types = st.sampled_from([frozenset("S"), frozenset("T"), frozenset("ST")])
    made = [Production("s", "S"), Production("t", "T")]
    for number, arity in enumerate(draw(st.lists(st.integers(0, 3), min_size=1, max_size=4))):
        text = f"f{number % 3}" + (f"({','.join(['{}'] * arity)})" if arity else f"('{number}')")
        slots = tuple(draw(types) for _ in range(arity))
        production = Production(text, draw(st.sampled_from(TYPES)), slots)
        if (text, production.result, slots) not in {(p.text, p.result, p.slots) for p in made}:
            made.append(production)
    if draw(st.booleans()):  # a conjunction of two or more
        accepted = draw(types)
        head = Production("c({},{})", draw(st.sampled_from(TYPES)), (accepted, accepted))
        made += and_more(head, {*TYPES})
    grammar = Grammar(tuple(made), draw(types))
    named = draw(st.sets(st.sampled_from([p for p, each in enumerate(made) if not each.arity])))
    spoken = frozenset(range(len(made))) - named
    templates = draw(st.lists(st.sampled_from(TEMPLATES), min_size=1, max_size=4, unique=True))
    keys = [_core.hash_bytes(word.encode()) for word in WORDS]
    pairs = st.tuples(st.integers(0, len(made) - 1), st.sampled_from(keys))
    known = draw(st.dictionaries(pairs, st.integers(-3, 3), max_size=5))
    association = Association(
        np.array(sorted(draw(st.sets(st.sampled_from(keys)))), np.uint64),
        np.array([p for p, _ in known], np.uint32),
        np.array([word for _, word in known], np.uint64),
        np.array(list(known.values()), np.float32),
    )
    trust = draw(st.sampled_from([0.0, 0.5, 1.0]))
    bits = draw(st.sampled_from([0, 0, 0, 3]))
    return SemanticTask(grammar, spoken, tuple(templates), association, trust, draw(st.integers(0, 3)), bits)


@st.composite
def questions(draw: st.DrawFn, task: SemanticTask) -> Words:
    words = draw(st.lists(st.sampled_from(WORDS), min_size=1, max_size=4))
    names = [p for p in range(len(task.grammar)) if not task.grammar.productions[p].arity]
    places = st.tuples(st.integers(0, len(words) - 1), st.integers(1, 2), st.sampled_from(names))
    found = draw(st.sets(places, max_size=3))
    return Words(words, sorted((i, i + n, p) for i, n, p in found if i + n <= len(words)))


def form_of(space: HybridSpace, tree: Tree) -> FormTree:
    """States may be those of better ones with the same keys, so that it is built again."""
    stack: list[Any] = []
    for use in tree.uses:
        first = len(stack) - len(use.edge.tails)
        stack[first:] = [space.join(use.node, use.edge, tuple(stack[first:]))]
    form: FormTree = stack[-1]
    return form


def forms_in(space: HybridSpace) -> list[FormTree]:
    """The forms of some derivations."""
    try:
        trace = forest(space, Weights(), None)
    except TaskError:  # the goal cannot be built
        return []
    return list(dict.fromkeys(form_of(space, tree) for tree in trace.kbest(60)))


def cells_for(task: SemanticTask, space: HybridSpace, values: list[int]) -> Cells:
    """Weights of features that the forest has, some of them."""
    cells: Cells = {(_core.Weights.DENSE, 0): task.trust}
    at = 0
    for node in range(0, space.nodes() - 1, 3):
        for edge in space.edges(node)[:2]:
            states = tuple(FormTree(space.listed[tail].production) for tail in edge.tails)
            for name, _ in space.features(node, edge, states):
                if name not in cells:
                    cells[name] = float(values[at % len(values)])
                    at += 1
    return cells


def engine_weights(task: SemanticTask, cells: Cells) -> _core.Weights:
    weights = _core.Weights(1, 0 if task.bits == 0 else task.bits, 1)
    for (key, column), value in cells.items():
        weights.add(key, column, value)
    return weights


@settings(max_examples=60, deadline=None)
@given(st.data(), tasks(), WIDTHS, st.lists(st.integers(-2, 2), min_size=5, max_size=9))
def test_charts_are_the_same(
    data: st.DataObject, task: SemanticTask, width: int | None, values: list[int]
) -> None:
    words = data.draw(questions(task))
    space = task.space(words)
    forms = forms_in(space)
    search = _core.Search(width or 0, True)
    if not forms:
        frozen = task.frozen(Rows(*engine_weights(task, {}).pack(False)))
        assert frozen.predict([words], search) == [None]
        return
    cells = {(_core.Weights.DENSE, 0): task.trust} if task.bits else cells_for(task, space, values)
    weights = Weights(cells)
    gold = data.draw(st.lists(st.sampled_from(forms), min_size=1, max_size=2, unique=True))
    frozen = task.frozen(Rows(*engine_weights(task, cells).pack(False)))
    expected = forest(space, weights, width, task.gold(space, gold))
    found = frozen.trace(words, gold, search)
    for name in ("best_score", "gold_score", "gold_in_beam", "best_is_gold"):
        np.testing.assert_array_equal(found[name], getattr(expected, name))
    for side, listed in (("items", expected.items), ("gold_items", expected.gold_items)):
        for ours, theirs in zip(found[side], listed, strict=True):
            assert [(s, g, a, tails, good) for s, g, a, tails, _, good in ours] == [
                (i.score, i.gain, i.edge.action, [(t.node, t.rank) for t in i.tails], i.good) for i in theirs
            ]
    assert frozen.predict([words], search) == [form_of(space, expected.best(expected.final))]
    (best,) = frozen.kbest([words], 4, search)
    first: dict[FormTree, float] = {}
    for tree in kbest(expected.items[expected.final], 40, lambda each: form_of(space, each)):
        first.setdefault(form_of(space, tree), tree.score)
    assert best == list(first.items())[:4]


def learned_from(data: st.DataObject, task: SemanticTask) -> list[tuple[Words, list[FormTree]]]:
    """Some questions with forms that they can have."""
    examples = []
    for words in data.draw(st.lists(questions(task), min_size=1, max_size=3)):
        forms = forms_in(task.space(words))
        if forms:
            examples.append((words, data.draw(st.lists(st.sampled_from(forms), min_size=1, max_size=2))))
    return examples


class Engine:
    """The engine's trainer on examples, from given weights."""

    def __init__(
        self, task: SemanticTask, examples: list[tuple[Words, list[FormTree]]], cells: Cells
    ) -> None:
        self.weights = engine_weights(task, {})
        names = list(cells)  # with bits they are rows already, which `add` would fold once more
        self.weights.restore(
            np.array([key for key, _ in names], np.uint64),
            np.array([column for _, column in names], np.uint32),
            np.array([cells[name] for name in names], np.float32),
            np.zeros(len(names)),
            self.weights.clock,
        )
        self.corpus = task.corpus(self.weights)
        for words, forms in examples:
            self.corpus.add(words, [form.preorder() for form in forms])
        assert (self.corpus.sentences, self.corpus.unreachable) == (len(examples), 0)

    def trainer(self, width: int | None, update: str, learner: str) -> _core.Trainer:
        self.learner = parse_learner(learner).engine()
        search = _core.Search(width or 0, True)
        return _core.semantics_trainer(
            self.corpus, self.weights, search, UPDATES[update].code, False, self.learner
        )

    def cells(self) -> Cells:
        key, column, value, _ = self.weights.state()
        return {(int(k), int(c)): float(v) for k, c, v in zip(key, column, value) if v}


@settings(max_examples=40, deadline=None)
@given(st.data(), tasks(), WIDTHS, METHODS, st.sampled_from(["perceptron", "perceptron:margin=2"]))
def test_training_gives_the_same_weights(
    data: st.DataObject, task: SemanticTask, width: int | None, update: str, how: str
) -> None:
    examples = learned_from(data, task)
    start = {(_core.Weights.DENSE, 0): task.trust}
    engine = Engine(task, examples, start)
    trainer = engine.trainer(width, update, how)
    weights = Weights(start)
    spaces = [(space := task.space(words), task.gold(space, forms)) for words, forms in examples]
    learner = parse_learner(how).definition()
    for epoch in train(
        spaces, search=Forest(width), update=update, learner=learner, epochs=2, weights=weights
    ):
        counts = trainer.run(np.arange(len(examples), dtype=np.uint32))
        assert tuple(counts[2:]) == (epoch.errors, epoch.updates, epoch.invalid, epoch.early_stopped)
    assert engine.cells() == {name: value for name, value in weights.items() if value}


# Weights that the engine's floats hold exactly, and so their sums: what is equal for the definition is equal
# for the engine. Steps of MIRA are any numbers. After one of them derivations of equal score, which there
# are many of, may differ in the engine's last digit, and the next step may go either way.
FINE = 2.0**-10
# So small a cap binds every constraint: the change is this times the sum of all ΔΦ, which floats hold too.
CAP = 2.0**-20


@settings(max_examples=40, deadline=None)
@given(st.data(), tasks(), WIDTHS, METHODS, st.sampled_from(["mira", "mira:2"]))
def test_every_step_of_mira_is_the_same(
    data: st.DataObject, task: SemanticTask, width: int | None, update: str, how: str
) -> None:
    examples = learned_from(data, task)
    cells: Cells = {(_core.Weights.DENSE, 0): task.trust}
    for _ in range(2):
        for example in examples:
            capped = f"{how}{',' if ':' in how else ':'}C={CAP}"
            found, wanted = both_after_a_step(task, example, cells, width, update, capped)
            assert found == wanted, "not the same violations"
            found, wanted = both_after_a_step(task, example, cells, width, update, how)
            for name in found.keys() | wanted.keys():
                assert found.get(name, 0.0) == pytest.approx(wanted.get(name, 0.0), rel=1e-5, abs=1e-6)
            cells = {name: near for name, value in wanted.items() if (near := FINE * round(value / FINE))}
            cells[_core.Weights.DENSE, 0] = task.trust


def both_after_a_step(
    task: SemanticTask,
    example: tuple[Words, list[FormTree]],
    cells: Cells,
    width: int | None,
    update: str,
    how: str,
) -> tuple[Cells, Cells]:
    """The weights of the engine and of the definition after one example; what they count is equal."""
    engine = Engine(task, [example], cells)
    counts = engine.trainer(width, update, how).run(np.arange(1, dtype=np.uint32))
    words, forms = example
    space = task.space(words)
    weights = Weights(cells)
    (epoch,) = train(
        [(space, task.gold(space, forms))],
        search=Forest(width),
        update=update,
        learner=parse_learner(how).definition(),
        epochs=1,
        weights=weights,
    )
    assert tuple(counts[2:]) == (epoch.errors, epoch.updates, epoch.invalid, epoch.early_stopped)
    return engine.cells(), {name: value for name, value in weights.items() if value}


def test_the_engine_knows_as_many_atoms_and_refuses_what_is_no_template() -> None:
    none = np.zeros(0, np.uint64)
    rest = (2, none, np.zeros(0, np.uint32), none, np.zeros(0, np.float32), 0.0)
    production = (1, 2, 3, 4, 0, True, [])
    for number in range(len(ATOMS)):
        _core.SemanticGrammar([production], [0], [(1, [number])], *rest)
    for atoms in ([len(ATOMS)], [], [ATOMS.index("in"), ATOMS.index("p")], [*map(ATOMS.index, ("w", "c"))]):
        with pytest.raises(ValueError, match="template"):
            _core.SemanticGrammar([production], [0], [(1, atoms)], *rest)
