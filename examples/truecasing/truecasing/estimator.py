"""What surrounds the task: how it is fitted, read, scored, served and played with."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from random import Random
from typing import Any, ClassVar

from structron.cli.task_cli import Plain
from structron.own import OwnCLI, OwnEstimator, OwnForm, OwnPlay, OwnRecipe
from structron.own.cli import Line
from structron.settings import settings
from truecasing.task import TruecasingTask


@settings
class TruecasingRecipe(OwnRecipe):
    """The settings that all tasks share."""

    task: ClassVar[str] = "truecasing"


class Truecaser(OwnEstimator):
    """Give words back their capitals: ``Truecaser().fit(lower, true).predict(["i saw anna ."])``."""

    kind = "truecasing"
    recipe_type = TruecasingRecipe
    task_type = TruecasingTask

    def make_task(self, xs: Sequence[Any], ys: Sequence[Any]) -> TruecasingTask:
        """Collect words that are written with capitals inside, each in its most frequent form."""
        seen = Counter(word for y in ys for word in y.split())
        odd = [word for word in seen if word not in (word.lower(), word.capitalize(), word.upper())]
        best = sorted(odd, key=lambda word: (word.lower(), seen[word], word))
        return TruecasingTask(bits=self.bits, usual=tuple({word.lower(): word for word in best}.values()))


class TruecasingCLI(OwnCLI):
    """Files are plain text, a sentence a line: what was learned from is what it should look like."""

    items, parts = "sentences", "characters"
    estimator = Truecaser

    def parse(self, line: str, where: str) -> Line:
        text = " ".join(line.split())
        return Line(text.lower(), text, where)

    def measure(self, estimator: OwnEstimator, items: list[Line], confused: int) -> Plain:
        """Add the share of words that are right."""
        pairs = [
            (right, said)
            for line, guess in zip(items, estimator.predict([line.text for line in items]))
            for right, said in zip((line.output or "").split(), guess.split())
        ]
        right = sum(gold == said for gold, said in pairs) / max(1, len(pairs))
        return super().measure(estimator, items, confused) | {"word_accuracy": right, "words": len(pairs)}

    def measured(self, figures: Plain) -> list[str]:
        words = f"words  {100 * figures['word_accuracy']:7.2f} %   of {figures['words']:,} words"
        return [words, *super().measured(figures)]


class TruecasingForm(OwnForm):
    """A sentence without capitals, and the same with them."""

    takes = "a sentence, words between blanks"
    gives = "the sentence with its capitals"
    example = "anna saw the river thames ."


class TruecasingPlay(OwnPlay):
    """Lessons are of made-up sentences about people and places."""

    def examples(self, count: int, seed: int) -> Any:
        rng = Random(seed)
        people = ["Anna", "Tom Brown", "Mr Hill"]
        seen = ["a brown dog", "the hill", *people]
        places = ["Paris", "the River Thames", "New York", "the USA"]
        made = [
            f"{rng.choice(people)} saw {rng.choice(seen)} in {rng.choice(places)} ." for _ in range(count)
        ]
        return [sentence.lower() for sentence in made], made


CLI, FORM, PLAY = TruecasingCLI(), TruecasingForm(), TruecasingPlay()
