"""SemanticParser: questions to forms, forms to answers, in scikit-learn's shape."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Self

from structron.data.answers import answer_key
from structron.data.files import reading
from structron.data.questions import Question
from structron.data.terms import Term, parse_term
from structron.errors import DataError
from structron.estimators.estimator import Estimator
from structron.estimators.examples import Examples
from structron.estimators.fitted import Fitted, Plan
from structron.estimators.listing import check_text, listed
from structron.estimators.locking import exclusive
from structron.estimators.predictor import Metric
from structron.estimators.semantics.problem import derived, make_task
from structron.learners import Learner
from structron.model import Model, numbered
from structron.reference.forest import ForestTrace
from structron.reference.training import Example
from structron.search import Search, parse_search
from structron.tasks.semantics.execution import Execution
from structron.tasks.semantics.gazetteer import Gazetteer
from structron.tasks.semantics.grammar import FormTree, Grammar
from structron.tasks.semantics.task import SemanticTask
from structron.tasks.semantics.words import Words
from structron.training.learning import Packed
from structron.training.schedule import Stage
from structron.training.semantics import SemanticRecipe
from structron.violations import Update


@dataclass(frozen=True)
class Findings:
    """What a semantic parser finds out about its data.

    Attributes
    ----------
    grammar
        The language of meaning, with the names.
    unreachable
        Questions of which no derivation yields the form.
    """

    grammar: Grammar
    unreachable: int = 0


SemanticPlan = Plan[SemanticTask, SemanticRecipe, None, Findings]


class SemanticParser(Estimator[SemanticTask, SemanticRecipe, None, Findings, str | None]):
    """Finds the form of a question: a term of a language of meaning, which may be executed.

    ``SemanticParser().fit(questions, forms)`` is the good choice. Which words mean what is not given: every
    derivation of a form is gold (hybrid trees, Lu et al. 2008, with a latent perceptron).

    X is a list of questions, each a str, a list of words, or a `Question` from a file; y has for each a form,
    such as ``"answer(capital(loc_2(stateid('texas'))))"``. A question without words has no form: None.

    Parameters
    ----------
    grammar
        The productions of the language: a `Grammar`, its lines, or a file; else it is read off the forms.
    names
        A `Gazetteer`, pairs of a name and its constant, or a file: names stand where the question has them.
    executor
        A function from a form (a `Term`) to its answer. It is no part of the model file.
    templates, search, update, learner, epochs, seed, shuffle
        How it learns.
    trust, chain, overlap
        How much is known of words before learning; how many productions may say nothing, one upon the other;
        how far slots take more than was seen in them.
    cut, bits, negligible, half, skip_correct
        What is left out, or shares a row.
    batch, shards, mixing
        How many examples are decoded before an update, and into how many shards the data are split.
    threads
        Number of threads; the result does not depend on it.

    Attributes
    ----------
    labels_ : list of str
        The productions.
    history_ : list of Epoch
    model_ : Model
    grammar_ : Grammar
    unreachable_ : int
        Questions of the last fit of which no derivation yields the form.
    """

    kind = "semantics"
    recipe_type = SemanticRecipe

    def __init__(
        self,
        grammar: Grammar | str | Path = "",
        *,
        names: Gazetteer | Iterable[tuple[str, str]] | str | Path = "",
        executor: Callable[[Term], object] | None = None,
        templates: str | Sequence[str] = "hybrid",
        search: str | Search = "forest",
        update: str | Update = "standard",
        learner: str | Learner = "mira",
        epochs: int = 15,
        seed: int = 0,
        shuffle: bool = True,
        trust: float = 0.03,
        chain: int = 2,
        overlap: int = 0,
        cut: int = 0,
        bits: int = 0,
        negligible: float = 0.0,
        half: bool = False,
        skip_correct: bool = False,
        batch: int = 1,
        shards: int = 1,
        mixing: str = "uniform",
        threads: int = 1,
    ) -> None:
        self.grammar = grammar
        self.names = names
        self.executor = executor
        self.templates = templates
        self.search = search
        self.update = update
        self.learner = learner
        self.epochs = epochs
        self.seed = seed
        self.shuffle = shuffle
        self.trust = trust
        self.chain = chain
        self.overlap = overlap
        self.cut = cut
        self.bits = bits
        self.negligible = negligible
        self.half = half
        self.skip_correct = skip_correct
        self.batch = batch
        self.shards = shards
        self.mixing = mixing
        self.threads = threads

    # -------------------------------------------------------------------------------------- what was learned

    @property
    def grammar_(self) -> Grammar:
        """The language of meaning, with the names."""
        return self._learned().findings.grammar

    @property
    def unreachable_(self) -> int:
        """Questions of which no derivation yields the form."""
        return self._learned().findings.unreachable

    # -------------------------------------------------------------------------------------------- learning

    @exclusive
    def partial_fit(
        self,
        X: Iterable[object],
        y: Iterable[object] | None = None,
        classes: Sequence[str] | None = None,
    ) -> Self:
        """One pass over one batch; call it again with the next. The grammar is that of the first.

        Parameters
        ----------
        classes
            On the first call, productions that will come later: refused if the grammar has not all of them.
        """
        return self._batch(X, y, lambda recipe, given: self._plan(recipe, given, classes=classes))

    def _examples(
        self, X: Iterable[object], y: Iterable[object] | None, findings: Findings | None = None
    ) -> Examples[None]:
        items = listed(X, "X", "give a list of questions")
        place = _place_of(items)
        words = [_words_of(item, place(i)) for i, item in enumerate(items)]
        if y is None:
            if not all(isinstance(item, Question) and item.form is not None for item in items):
                raise DataError("y is missing; give a form for each question")
            forms: list[object] = [item.form for item in items if isinstance(item, Question)]
        else:
            forms = listed(y, "y", "give a list of forms")
        if len(forms) != len(items):
            raise DataError(f"{len(items):,} questions but {len(forms):,} forms; give one for each")
        return Examples(words, [_form_of(form, place(i)) for i, form in enumerate(forms)], None, place)

    def _plan(
        self,
        recipe: SemanticRecipe,
        given: Examples[None],
        stage: Stage | None = None,
        classes: Sequence[str] | None = None,
    ) -> SemanticPlan:
        if not given.xs:
            raise DataError("there is nothing to learn from; give at least one question with its form")
        grammar = _grammar(self.grammar) or Grammar.read(given.ys, overlap=recipe.overlap)
        if self.names:
            grammar = grammar.extended(_gazetteer(self.names))
        missing = sorted(set(classes or ()) - {production.text for production in grammar.productions})
        if missing:
            raise DataError(f"the grammar has no production {missing[0]!r}; pass grammar= with all of them")
        trees = derived(grammar, given.ys, given.place)
        questions = [Words.of(grammar, words) for words in given.xs]
        task = make_task(recipe, grammar, questions, trees)
        examples = replace(given, xs=questions, ys=[[tree.preorder()] for tree in trees])
        return Plan(recipe, task, examples, Findings(grammar))

    def _next_plan(
        self, recipe: SemanticRecipe, given: Examples[None], fitted: Fitted[SemanticTask, Findings]
    ) -> SemanticPlan:
        task = fitted.model.task
        trees = derived(task.grammar, given.ys, given.place)
        examples = replace(
            given,
            xs=[Words.of(task.grammar, words) for words in given.xs],
            ys=[[tree.preorder()] for tree in trees],
        )
        return Plan(recipe, task, examples, fitted.findings)

    def _packed(self, findings: Findings, packed: Packed) -> Findings:
        if not packed.sentences:
            raise DataError(
                f"none of {packed.unreachable} questions has a derivation of its form; allow a longer chain, "
                "or give questions with more words"
            )
        return replace(findings, unreachable=packed.unreachable)

    def _seen(self, examples: Examples[None], findings: Findings) -> Examples[None]:
        return replace(examples, xs=[Words.of(findings.grammar, words) for words in examples.xs])

    def _metric(self, task: SemanticTask) -> Metric:
        """Exact match of forms."""

        def matches(gold: Sequence[Term], guess: Sequence[FormTree | None]) -> float:
            right = sum(
                tree is not None and task.grammar.term(tree) == form for form, tree in zip(gold, guess)
            )
            return right / max(1, len(gold))

        return matches

    def _labels(self, task: SemanticTask) -> list[str]:
        return [production.text for production in task.grammar.productions]

    def _spaces(self, plan: SemanticPlan) -> list[Example]:
        """Those without a derivation are left out."""
        found: list[Example] = []
        for words, forms in zip(plan.examples.xs, plan.examples.ys):
            space: Any = plan.task.space(words)
            gold: Any = plan.task.gold(space, [plan.task.grammar.tree(form) for form in forms])
            if gold.reachable:
                found.append((space, gold))
        return found

    def _about(self, examples: Examples[None], findings: Findings) -> dict[str, object]:
        return {"unreachable": findings.unreachable}

    @classmethod
    def _findings_of(cls, model: Model[SemanticTask], where: str) -> Findings:
        return Findings(model.task.grammar, int(model.about.get("unreachable", 0)))

    # ------------------------------------------------------------------------------------------ predicting

    def execute(self, X: Iterable[object], k: int = 1) -> list[object]:
        """The answer of each question; None where there is none.

        Parameters
        ----------
        k
            Of so many best forms the first is taken whose answer is not empty.
        """
        if self.executor is None:
            raise DataError("there is no executor; set one, a function from a form to its answer")
        execution = Execution(self.executor)
        answers: list[object] = []
        for best in self.predict_kbest(X, k):
            found: object = None
            for form, _ in best:
                answer = None if form is None else execution.answer(parse_term(form))
                found = answer if found is None else found
                if answer is not None and answer_key(answer) not in _EMPTY:
                    found = answer
                    break
            answers.append(found)
        return answers

    def trace(self, x: object, gold: object = None, search: str | Search | None = None) -> ForestTrace:
        """What the search leaves behind on one question; with gold, a form, where it falls."""
        fitted = self._ready()
        (words,) = self._inputs([x], fitted).xs
        trees = None if gold is None else [fitted.findings.grammar.derive(_form_of(gold, "gold"))]
        return fitted.model.chart(words, trees, None if search is None else parse_search(search))

    def _inputs(self, X: Iterable[object], fitted: Fitted[SemanticTask, Findings]) -> Examples[None]:
        items = listed(X, "X", "give a list of questions")
        place = _place_of(items)
        found = [Words.of(fitted.findings.grammar, _words_of(item, place(i))) for i, item in enumerate(items)]
        return Examples(found, (), None, place)

    def _output(self, found: FormTree | None, findings: Findings) -> str | None:
        return None if found is None else str(findings.grammar.term(found))


_EMPTY = (answer_key([]), answer_key(()))


def _place_of(items: Sequence[object]) -> Callable[[int], str]:
    def place(i: int) -> str:
        item = items[i]
        return item.place if isinstance(item, Question) else numbered(i)

    return place


def _words_of(item: object, where: str) -> list[str]:
    if isinstance(item, Question):
        return [word.lower() for word in item.words]
    if isinstance(item, str):
        check_text(item, where)
        return item.lower().split()
    words = listed(item, where, "give a str or a list of words")
    for word in words:
        if not isinstance(word, str):
            raise DataError(f"{where}: a word is of type {type(word).__name__}; give a list of str")
        check_text(word, where)
    return [str(word).lower() for word in words]


def _form_of(form: object, where: str) -> Term:
    if isinstance(form, Term):
        return form
    if not isinstance(form, str):
        raise DataError(f"{where}: a form is of type {type(form).__name__}; give a str, such as 'city(all)'")
    try:
        return parse_term(form)
    except DataError as error:
        raise DataError(f"{where}: {error}") from None


def _grammar(given: Grammar | str | Path) -> Grammar | None:
    """A grammar, its lines, or a file with them."""
    if not given:
        return None
    if isinstance(given, Grammar):
        return given
    if isinstance(given, str) and "->" in given:
        return Grammar.parse(given)
    with reading(given) as found:
        return Grammar.parse(list(found), str(given))


def _gazetteer(names: Gazetteer | Iterable[tuple[str, str]] | str | Path) -> Gazetteer:
    """Names, or a file with them."""
    if isinstance(names, Gazetteer):
        return names
    if isinstance(names, str | Path):
        return Gazetteer.read(names)
    return Gazetteer.of((name.split(), parse_term(constant)) for name, constant in names)
