"""Is the evaluator right, and what can be derived? In `experiments`: `python -m geoquery.check`.

Executes all 880 forms and compares with the given answers; says how many test forms a grammar makes that is
read off the training forms, with and without the names of the database.
"""

from __future__ import annotations

import sys

from corpora import DataMissing

from geoquery import geography
from structron.data.answers import answer_key, render_answer
from structron.tasks.semantics.execution import Execution
from structron.tasks.semantics.grammar import Grammar


def main() -> int:
    try:
        train, test = (geography.load(part) for part in geography.PARTS)
        names = geography.gazetteer()
    except DataMissing as message:
        print(message, file=sys.stderr)
        return 2
    execution = Execution(geography.executor())
    wrong = 0
    for example in (*train, *test):
        outcome = execution.outcome(example.form)
        if outcome.key != answer_key(example.answer):
            wrong += 1
            print(f"{example.form}: {outcome.trouble or render_answer(outcome.answer)[:100]}")
    print(f"answers: {len(train) + len(test) - wrong} of {len(train) + len(test)} as given")
    grammar = Grammar.read(example.form for example in train)
    for title, each in (("forms alone", grammar), ("with names", grammar.extended(names))):
        made = sum(each.has(example.form) for example in test)
        print(f"{title}: {len(each)} productions make {made} of {len(test)} test forms")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
