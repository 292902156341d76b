"""How many questions are understood? In `experiments`: `python -m geoquery.measure en de el`.

Trains on GeoQuery's 600 questions and measures on its 280, in each language named; with `--folds` on each
fifth of the training part, which is for choosing settings. A right answer is the one that FunQL gives.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Sequence

from corpora import DataMissing

from geoquery import geography
from geoquery.geography import Example
from structron import SemanticParser
from structron.metrics import Understanding, understanding

FOLDS = 5


def measured(
    train: Sequence[Example], test: Sequence[Example], epochs: int
) -> tuple[Understanding, float, float]:
    """Scores, CPU seconds of training, and of prediction."""
    parser = SemanticParser(names=geography.gazetteer(), executor=geography.executor(), epochs=epochs)
    began = time.process_time()
    parser.fit([example.question for example in train], [example.form for example in train])
    trained = time.process_time()
    questions = [example.question for example in test]
    forms = parser.predict(questions)
    done = time.process_time()
    found = understanding(
        forms=([example.form for example in test], forms),
        answers=([example.answer for example in test], parser.execute(questions)),
    )
    return found, trained - began, done - trained


def main() -> int:
    parser = argparse.ArgumentParser(description="Semantic parsing of GeoQuery.")
    parser.add_argument("languages", nargs="+", choices=geography.LANGUAGES)
    parser.add_argument("--folds", action="store_true", help="inside of the training part")
    parser.add_argument("--epochs", type=int, default=10)
    args = parser.parse_args()
    print("           exact   answers  spurious  training, CPU s  questions/s")
    for language in args.languages:
        try:
            train = geography.load("train", language)
            test = () if args.folds else geography.load("test", language)
        except DataMissing as message:
            print(message, file=sys.stderr)
            return 2
        parts = [(train, test)]
        if args.folds:
            parts = [
                (tuple(e for i, e in enumerate(train) if i % FOLDS != k), train[k::FOLDS])
                for k in range(FOLDS)
            ]
        results = [measured(*part, args.epochs) for part in parts]
        size = sum(len(part[1]) for part in parts)
        exact = 100 * sum(each.exact or 0 for each, _, _ in results) / size
        right = 100 * sum(each.right or 0 for each, _, _ in results) / size
        spurious = sum(each.spurious or 0 for each, _, _ in results)
        seconds, spent = (sum(each[k] for each in results) for k in (1, 2))
        print(
            f"{language:9}{exact:7.1f}{right:10.1f}{spurious:10}{seconds:17.0f}{size / spent:13.0f}",
            flush=True,
        )
    return 0


if __name__ == "__main__":
    sys.exit(main())
