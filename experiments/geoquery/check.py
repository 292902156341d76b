"""Is the evaluator right, and what can be derived? In `experiments`: `python -m geoquery.check`.

Executes all 880 forms of GeoQuery and compares with the given answers. Then it says, for GeoQuery and Jobs,
how many forms a grammar makes that is read off other forms: each tenth of the training part by the rest of
it, and the test part by the training part; with and without the names of the database, and with wider slots.
One grammar is written by hand.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence

from corpora import DataMissing

from geoquery import geography, jobs
from structron.io import Term
from structron.io.values.answers import answer_key, render_answer
from structron.tasks.semantics.execution.execution import Execution
from structron.tasks.semantics.language.gazetteer import Gazetteer
from structron.tasks.semantics.language.grammar import Grammar

FOLDS = 10
OVERLAPS = (0, 3, 2, 1)


def wrong_answers() -> int:
    """Return how many forms do not have the given answer; they are printed."""
    execution = Execution(geography.executor())
    examples = [example for part in geography.PARTS for example in geography.load(part)]
    wrong = 0
    for example in examples:
        outcome = execution.outcome(example.form)
        if outcome.key != answer_key(example.answer):
            wrong += 1
            print(f"{example.form}: {outcome.trouble or render_answer(outcome.answer)[:100]}")
    print(f"answers: {len(examples) - wrong} of {len(examples)} as given")
    return wrong


def derivable(train: Sequence[Term], test: Sequence[Term], names: Gazetteer | None, overlap: int) -> int:
    """Return how many test forms are made by a grammar of the training forms."""
    grammar = Grammar.read(train, overlap=overlap)
    grammar = grammar if names is None else grammar.extended(names)
    return sum(grammar.has(form) for form in test)


def table(title: str, train: Sequence[Term], test: Sequence[Term], names: Gazetteer) -> None:
    """Print what is derivable."""
    folds = [(train[k::FOLDS], [f for i, f in enumerate(train) if i % FOLDS != k]) for k in range(FOLDS)]
    print(f"{title}: forms derivable of {len(train)} in training, by folds, and of {len(test)} in test")
    for overlap in OVERLAPS:
        for named in (None, names):
            inside = sum(derivable(rest, fold, named, overlap) for fold, rest in folds)
            told = f"overlap {overlap}, {'with' if named else 'without'} names"
            print(f"  {told:26}{inside:5}{derivable(train, test, named, overlap):5}")


def main() -> int:
    try:
        wrong = wrong_answers()
        forms = [[example.form for example in geography.load(part)] for part in geography.PARTS]
        table("GeoQuery", forms[0], forms[1], geography.gazetteer())
        typed = geography.typed_grammar()
        print(f"  by hand, with types{'':7}", *(f"{sum(map(typed.has, part)):4}" for part in forms))
        forms = [[q.form for q in jobs.load(part) if q.form is not None] for part in jobs.PARTS]
        table("Jobs", forms[0], forms[1], jobs.gazetteer())
    except DataMissing as message:
        print(message, file=sys.stderr)
        return 2
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
