"""One algorithm, one bound, four kinds of outputs: two labels, many, sequences, and hidden derivations.

The perceptron is the same from Rosenblatt (1958) to the latent structured perceptron (Sun et al. 2009): find
the best output, and move towards gold where that is another. So is Novikoff's bound on its updates, R²/δ²,
with pairs of outputs in the place of points. This trains all four by the definition, on a few lines of data.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import click

from structron import theory
from structron.fit.estimator import AnyEstimator
from structron.tasks.classification import Classifier
from structron.tasks.tagging import Tagger
from structron.tasks.transduction import Transducer
from structron.theory.table import number

WOMEN = "anna maria laura ruth judith karen"
MEN = "peter john david thomas luca joshua"

MONTHS = {
    "de": "januar märz mai juni dezember",
    "en": "january march may june december",
    "fr": "janvier mars juillet juin décembre",
    "it": "gennaio marzo maggio giugno dicembre",
}

SENTENCES = (
    "the/D man/N bit/V the/D dog/N",
    "the/D dog/N can/V bark/V",
    "the/D can/N fell/V",
    "dogs/N bark/V",
    "the/D bark/N fell/V",
    "man/V the/D can/N",
)

SOUNDS = {
    "hope": "HH OW P",
    "top": "T AA P",
    "photo": "F OW T OW",
    "path": "P AE TH",
    "telephone": "T EH L AH F OW N",
}


@dataclass(frozen=True)
class Stop:
    """One kind of outputs, trained until nothing is wrong.

    Attributes
    ----------
    name, of
        What kind it is, and what it is shown with.
    outputs
        How many outputs, or derivations of them, the example with most has.
    audit
        What happened, update by update.
    """

    name: str
    of: str
    outputs: int
    audit: theory.Audit

    @property
    def measured(self) -> theory.Measured:
        """The pairs of a gold output and another, which the theorem is about."""
        return self.audit.sets[0]


def stops() -> Iterator[Stop]:
    """Return the four algorithms, each with features of a few templates."""
    letters = ["char(1)", "char(2)"]
    classifier = Classifier(templates=letters, weighting="count", intercept=True)
    yield _stop("binary", "names: woman or man", classifier, *_listed({"woman": WOMEN, "man": MEN}))
    yield _stop("multiclass", "months: their language", classifier, *_listed(MONTHS))
    pairs = [[word.split("/") for word in sentence.split()] for sentence in SENTENCES]
    tagger = Tagger(templates=["w[0]", "t[-1]"], order=1)
    X, y = [[word for word, _ in each] for each in pairs], [[tag for _, tag in each] for each in pairs]
    yield _stop("structured", "words: all their tags", tagger, X, y)
    transducer = Transducer()
    yield _stop("latent", "letters: sounds, pieces hidden", transducer, list(SOUNDS), list(SOUNDS.values()))


def _listed(by_label: Mapping[str, str]) -> tuple[list[str], list[str]]:
    pairs = [(word, label) for label, words in by_label.items() for word in words.split()]
    return [word for word, _ in pairs], [label for _, label in pairs]


def _stop(name: str, of: str, estimator: AnyEstimator, X: Sequence[object], y: Sequence[object]) -> Stop:
    examples = estimator.spaces(X, y)
    found = theory.audit(examples, search="exact", update="standard", learner="perceptron", limit=20_000)
    sets = [theory.confusion_set(*each, prefixes=False, limit=20_000) or [] for each in examples]
    return Stop(name, of, 1 + max(map(len, sets)), found)


def picture(found: list[Stop], width: int = 78) -> Iterator[str]:
    """Draw a table, and below it updates and bounds on a logarithmic scale."""
    head = f"{'':11}{'of what':31}{'outputs':>8}{'updates':>8}{'radius':>7}{'margin':>7}{'bound':>6}"
    yield click.style(head, bold=True)
    for stop in found:
        each = stop.measured
        margin = max(each.margin, each.maximal.margin if each.maximal else -math.inf)
        yield (
            f"{stop.name:11}{stop.of:31}{stop.outputs:>8,}{len(stop.audit.updates):>8}"
            f"{each.radius:>7.2f}{margin:>7.3f}{number(stop.audit.promised(each)):>6}"
        )
    yield ""
    most = max([1.0, *(bound for stop in found if math.isfinite(bound := stop.measured.bound))])
    room = width - 11
    for stop in found:
        made, bound = len(stop.audit.updates), stop.audit.promised(stop.measured)
        filled = _length(made, most, room)
        allowed = _length(bound, most, room) if math.isfinite(bound) else room
        yield f"{stop.name:11}" + "█" * filled + "░" * max(0, allowed - filled)
    yield f"{'':11}█ updates made   ░ what R²/δ² allows   (on a logarithmic scale)"


def _length(count: float, most: float, room: int) -> int:
    return max(1, round(room * math.log1p(count) / math.log1p(most))) if count else 0


def show_line() -> None:
    """Print it."""
    for text in picture(list(stops())):
        click.echo(text)
