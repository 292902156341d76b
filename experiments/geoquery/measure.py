"""How many questions are understood? In `experiments`: `python -m geoquery.measure en de el jobs`.

Trains on GeoQuery's 600 questions and measures on its 280, in each language named, and on the 500 and 140 of
Jobs; with `--folds` on each fifth of the training part, which is for choosing settings; with `--split 1` on
other fifths. A right answer is the one that FunQL gives; Jobs has none. With `--answers` no question comes
with its form. The grammar is that of the training forms, or with `--typed` the one that is written by hand.
"""

from __future__ import annotations

import argparse
import random
import sys
import time
from collections.abc import Sequence
from typing import NamedTuple

from corpora import DataMissing

from geoquery import geography, jobs
from geoquery.funql import Funql
from geoquery.geography import Example
from structron import SemanticParser
from structron.metrics import Understanding, understanding
from structron.tasks.semantics.language.grammar import Grammar

FOLDS = 5
STEPS = 5_000  # of one form while forms are looked for
HEAD = "           exact   answers  spurious  training, CPU s  questions/s"


class Measured(NamedTuple):
    """Scores, CPU seconds of training and of prediction, and what was found in training."""

    scores: Understanding
    trained: float
    predicted: float
    found: int = 0
    with_gold: int = 0
    best_is_gold: int = 0


def measured(parser: SemanticParser, train: Sequence[Example], test: Sequence[Example], how: str) -> Measured:
    """Train from forms or from answers, and measure."""
    questions = [example.question for example in train]
    began = time.process_time()
    if how == "answers":
        parser.fit(questions, answers=[example.answer for example in train])
    else:
        parser.fit(questions, [example.form for example in train])
    trained = time.process_time()
    asked = [example.question for example in test]
    forms = parser.predict(asked)
    done = time.process_time()
    gold = [example.form for example in test]
    answers = None
    if parser.executor is not None:
        parser.executor = geography.executor()
        answers = ([example.answer for example in test], parser.answers(forms))
    scores = understanding(forms=(gold, forms), answers=answers)
    pairs = [(str(example.form), found) for example, found in zip(train, parser.found_)]
    return Measured(
        scores,
        trained - began,
        done - trained,
        sum(bool(found) for _, found in pairs),
        sum(form in found for form, found in pairs),
        sum(found[:1] == [form] for form, found in pairs),
    )


def geography_parser(train: Sequence[Example], args: argparse.Namespace) -> SemanticParser:
    """Return the parser of questions about geography."""
    grammar: Grammar | str = ""
    forms = [example.form for example in train]
    if args.typed:
        grammar = geography.typed_grammar(forms)
    elif args.answers:
        grammar = Grammar.read(forms)
    return SemanticParser(
        grammar,
        names=geography.gazetteer(forms),
        executor=Funql(geography.facts(), STEPS),
        epochs=args.epochs,
        seed=args.seed,
    )


def jobs_parser(train: Sequence[Example], args: argparse.Namespace) -> SemanticParser:
    """Return the parser of questions about jobs; what is asked first is first in the form."""
    grammar = jobs.typed_grammar(example.form for example in train)
    return SemanticParser(grammar, epochs=args.epochs, seed=args.seed)


def examples(name: str, part: str) -> tuple[Example, ...]:
    """Return the examples of a language, or of Jobs."""
    if name != "jobs":
        return geography.load(part, name)
    return tuple(Example(q.text, q.form, None) for q in jobs.load(part) if q.form is not None)


def folds(train: Sequence[Example], split: int) -> list[tuple[Sequence[Example], Sequence[Example]]]:
    """Return training and test questions: every fifth for test, or fifths drawn at random."""
    order = list(range(len(train)))
    if split:
        random.Random(split).shuffle(order)
    held_out = [set(order[k::FOLDS]) for k in range(FOLDS)]
    return [
        tuple(tuple(e for i, e in enumerate(train) if (i in own) == inside) for inside in (False, True))
        for own in held_out
    ]


def report(name: str, results: Sequence[Measured], size: int) -> None:
    """Print one line, and from answers another for the forms that were found."""
    exact, right, spurious = (
        sum(getattr(each.scores, what) or 0 for each in results) for what in ("exact", "right", "spurious")
    )
    trained, spent = (sum(getattr(each, what) for each in results) for what in ("trained", "predicted"))
    answers = f"{100 * right / size:10.1f}{spurious:10}" if name != "jobs" else f"{'–':>10}{'–':>10}"
    print(f"{name:9}{100 * exact / size:7.1f}{answers}{trained:17.0f}{size / spent:13.0f}", flush=True)
    if any(each.found for each in results):
        found, gold, best = (
            sum(getattr(each, what) for each in results) for what in ("found", "with_gold", "best_is_gold")
        )
        told = f"found for {found}, gold among them for {gold}, the best is spurious for {found - best}"
        print(f"  in training, forms {told}", flush=True)


def main() -> int:
    parser = argparse.ArgumentParser(description="Semantic parsing of GeoQuery and Jobs.")
    parser.add_argument("names", nargs="+", choices=(*geography.LANGUAGES, "jobs"))
    parser.add_argument("--folds", action="store_true", help="inside of the training part")
    parser.add_argument("--split", type=int, default=0, help="which folds: 0 takes each fifth question")
    parser.add_argument("--answers", action="store_true", help="learn from answers alone")
    parser.add_argument("--typed", action="store_true", help="the grammar written by hand")
    parser.add_argument("--epochs", type=int, default=10)
    parser.add_argument("--seed", type=int, default=0)
    args = parser.parse_args()
    if args.answers and "jobs" in args.names:
        parser.error("Jobs has no answers; leave it out")
    print(HEAD)
    for name in args.names:
        try:
            train = examples(name, "train")
            parts = [(train, () if args.folds else examples(name, "test"))]
        except DataMissing as message:
            print(message, file=sys.stderr)
            return 2
        if args.folds:
            parts = folds(train, args.split)
        make = jobs_parser if name == "jobs" else geography_parser
        how = "answers" if args.answers else "forms"
        results = [measured(make(part[0], args), *part, how) for part in parts]
        report(name, results, sum(len(part[1]) for part in parts))
    return 0


if __name__ == "__main__":
    sys.exit(main())
