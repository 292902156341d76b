"""Learning from answers alone: search for forms and training in turns (Liang, Jordan & Klein 2011, section
4).

The gold of a question is every form among its k best whose answer is right. At first only the spelling of
words and function symbols is known, and that short forms are likelier than long ones. Training uses the forms
found so far, and the next search uses that model; short questions come first.
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import NamedTuple

from structron import _core
from structron.engine.rows import Rows
from structron.engine.weights import empty_weights
from structron.errors import DataError
from structron.fit import Learning, Serial, epochs
from structron.fit.schedules.schedule import Stage
from structron.model import Model, Place
from structron.tasks.semantics.execution.execution import Execution
from structron.tasks.semantics.features import parse
from structron.tasks.semantics.fitting.task_from_data import make_task, unnamed
from structron.tasks.semantics.language.association import associate_by_spelling
from structron.tasks.semantics.language.grammar import FormTree, Grammar
from structron.tasks.semantics.settings import SemanticRecipe
from structron.tasks.semantics.task import SemanticTask
from structron.tasks.semantics.words import Words

BATCH = 50  # questions between two calls of the stage
EPOCHS = 3  # between two searches
SLACK = 2  # how many more productions a form may have than the shortest with the same answer
# Before training: the weight of a word that begins like a symbol, and the cost of each production.
SPELLING, COST = 1.0, 1.0


class Answer(NamedTuple):
    """An answer, given instead of a form."""

    value: object


@dataclass(frozen=True)
class Search:
    """The search for forms whose answers are right.

    Parameters
    ----------
    recipe
        Its `rounds` and `candidates`, and the settings of training between two rounds.
    grammar
        The grammar of all possible forms, since no question comes with one.
    questions, keys, place
        Questions, the keys of their answers (`answer_key`), and their places.
    execution
        Finds the answers of forms.
    """

    recipe: SemanticRecipe
    grammar: Grammar
    questions: Sequence[Words]
    keys: Sequence[Hashable]
    place: Place
    execution: Execution
    threads: int = 1
    stage: Stage | None = None

    def forms(self) -> list[list[FormTree]]:
        """Return the right forms of each question, best first; none if none was found."""
        found: list[list[FormTree]] = [[] for _ in self.questions]
        order = sorted(range(len(found)), key=lambda i: len(self.questions[i]))
        rounds = self.recipe.rounds
        model = self._first()
        for turn in range(1, rounds + 1):
            share = min(1.0, turn / max(1, rounds - 1))
            self._look(model, order[: math.ceil(share * len(order))], found, turn)
            if not any(found):
                continue
            if turn < rounds:
                model = self._learned(found)
        if not any(found):
            raise DataError(self._nothing())
        return found

    def _place_in(self, batch: Sequence[int], k: int) -> str:
        """Name the place of question `k` of a batch."""
        return self.place(batch[k])

    def _look(
        self, model: Model[SemanticTask], due: Sequence[int], found: list[list[FormTree]], turn: int
    ) -> None:
        for begin in range(0, len(due), BATCH):
            if self.stage is not None:
                self.stage(f"search for forms, round {turn}", begin, len(due))
            batch = due[begin : begin + BATCH]
            best = model.kbest(
                [self.questions[i] for i in batch],
                self.recipe.candidates,
                place=partial(self._place_in, batch),
            )
            for i, candidates in zip(batch, best):
                right = [tree for tree, _ in candidates if tree is not None and self._is_right(i, tree)]
                # If no form among the best is right, take one that was right before.
                found[i] = _shortest(right) or found[i]
        if self.stage is not None:
            self.stage(f"search for forms, round {turn}", len(due), len(due))

    def _is_right(self, i: int, tree: FormTree) -> bool:
        return self.execution.is_right(self.grammar.term(tree), self.keys[i])

    def _first(self) -> Model[SemanticTask]:
        """Return a model that knows only spelling and length."""
        spoken = unnamed(self.grammar)
        symbols = [(p, self.grammar.productions[p].text) for p in sorted(spoken)]
        known = associate_by_spelling(symbols, (word for words in self.questions for word in words))
        template = parse("bare")
        task = SemanticTask(self.grammar, spoken, (template.text,), known, SPELLING, self.recipe.chain)
        weights = empty_weights(task)
        weights.add(_core.Weights.DENSE, 0, SPELLING)
        for bare in (False, True):
            weights.add(template.of_length(bare=bare), 0, -COST)
        return self._ready(Model(task, Rows(*weights.pack(False)), self.recipe.search_choice))

    def _learned(self, found: Sequence[Sequence[FormTree]]) -> Model[SemanticTask]:
        """Train a model on the forms found so far."""
        known = [(words, trees) for words, trees in zip(self.questions, found) if trees]
        task = make_task(self.recipe, self.grammar, unnamed(self.grammar), [(w, t[0]) for w, t in known])
        learning = Learning.start(task, self.recipe.but(epochs=EPOCHS))
        golds = [[tree.preorder() for tree in trees] for _, trees in known]
        schedule = Serial(learning, learning.pack([words for words, _ in known], golds), self.threads)
        model = learning.model()
        for _, learned in epochs(learning, schedule):
            model = learned
        return self._ready(model)

    def _ready(self, model: Model[SemanticTask]) -> Model[SemanticTask]:
        model.threads = self.threads
        return model

    def _nothing(self) -> str:
        """Explain why no question has a form."""
        counts = self.execution.counts
        if counts.ran and counts.raised + counts.timed_out == counts.ran:
            return f"no form could be executed, the first was {counts.first_message}; correct the executor"
        return (
            f"no form among the {self.recipe.candidates} best has the answer of its question, as that of "
            f"{self.place(0)}; check grammar, names and answers, or allow more candidates"
        )


def _shortest(trees: Sequence[FormTree]) -> list[FormTree]:
    """Keep the forms that are not much longer than the shortest.

    Additions that do not change the answer are meaningless.
    """
    least = min((len(tree.preorder()) for tree in trees), default=0)
    return [tree for tree in trees if len(tree.preorder()) <= least + SLACK]
