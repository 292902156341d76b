"""Taggers that decide from left to right, and how DAgger and SEARN train them; all in plain Python.

The learner is the same everywhere: an averaged multiclass perceptron over sparse features, sensitive to
costs where there are any. Only the histories it learns from differ.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]
Word = tuple[str, str]
History = tuple[int, int]
# What is known of a decision: features, and what each label costs.
Example = tuple[tuple[object, ...], Floats]
Policy = Callable[["Sentence", int, History], int]

ROLLOUT = 3  # steps after which what was decided is not seen any more, and one for luck
TRIED = 3  # labels whose cost is found by going on
BETA = 0.3  # share of the new policy in SEARN's mixture


@dataclass(frozen=True)
class Sentence:
    """What features can see of each word, and the gold labels."""

    seen: list[tuple[object, ...]]
    gold: list[int]


def sentence_of(words: Sequence[Word], gold: Sequence[int]) -> Sentence:
    """Return a sentence: the word (rare ones are one), its affixes, and its neighbours."""
    known = ["<s>", *(word for _, word in words), "</s>"]
    seen = []
    for i, (spelled, _) in enumerate(words, 1):
        affixes = (
            ("s", spelled[-3:]),
            ("s2", spelled[-2:]),
            ("p", spelled[:2]),
            ("c", spelled[:1].isupper()),
        )
        seen.append((("w", known[i]), ("-", known[i - 1]), ("+", known[i + 1]), *affixes))
    return Sentence(seen, [*gold])


def features(sentence: Sentence, i: int, history: History) -> tuple[object, ...]:
    """Return the features of a decision: those of the word, and the two labels before it."""
    return (*sentence.seen[i], ("t", history[1]), ("tt", history))


@dataclass
class Classifier:
    """The averaged perceptron; a policy once it has learned."""

    labels: int
    weights: dict[object, Floats] = field(default_factory=dict)
    past: dict[object, Floats] = field(default_factory=dict)
    seen: int = 0

    def scores(self, found: Iterable[object]) -> Floats:
        total = np.zeros(self.labels)
        for name in found:
            if (row := self.weights.get(name)) is not None:
                total += row
        return total

    def learn(self, example: Example) -> None:
        """Move from the guess to the cheapest label, by as much as the guess costs more."""
        found, costs = example
        self.seen += 1
        guess, best = int(self.scores(found).argmax()), int(costs.argmin())
        step = costs[guess] - costs[best]
        if step <= 0:
            return
        for name in found:
            row = self.weights.setdefault(name, np.zeros(self.labels))
            past = self.past.setdefault(name, np.zeros(self.labels))
            for label, by in ((best, step), (guess, -step)):
                row[label] += by
                past[label] += by * self.seen

    def averaged(self) -> Classifier:
        """Return the mean of all weights so far."""
        means = {name: row - self.past[name] / (self.seen + 1) for name, row in self.weights.items()}
        return Classifier(self.labels, means)

    def __call__(self, sentence: Sentence, i: int, history: History) -> int:
        return int(self.scores(features(sentence, i, history)).argmax())


def expert(sentence: Sentence, i: int, history: History) -> int:
    """Return the gold label, whatever went before: with a loss for each word it is optimal."""
    return sentence.gold[i]


def decide(policy: Policy, sentence: Sentence, first: int, history: History, most: int) -> list[int]:
    """Go on for some steps."""
    made = []
    for i in range(first, min(len(sentence.gold), first + most)):
        made.append(policy(sentence, i, history))
        history = history[1], made[-1]
    return made


def tags(policy: Policy, sentence: Sentence, labels: int) -> list[int]:
    """Tag from left to right; before the first word there is the label after the last."""
    return decide(policy, sentence, 0, (labels, labels), len(sentence.gold))


def histories(made: Sequence[int], labels: int) -> list[History]:
    padded = [labels, labels, *made]
    return [(padded[i], padded[i + 1]) for i in range(len(made))]


def zero_one(gold: int, labels: int) -> Floats:
    costs = np.ones(labels)
    costs[gold] = 0
    return costs


def visited(data: Sequence[Sentence], policy: Policy, labels: int) -> list[Example]:
    """Return a decision for each word, with the history that a policy leads to."""
    return [
        (features(s, i, history), zero_one(s.gold[i], labels))
        for s in data
        for i, history in enumerate(histories(tags(policy, s, labels), labels))
    ]


def taught(examples: list[Example], labels: int, passes: int, rng: random.Random) -> Classifier:
    """Train a classifier from nothing."""
    made = Classifier(labels)
    for _ in range(passes):
        order = list(range(len(examples)))
        rng.shuffle(order)
        for i in order:
            made.learn(examples[i])
    return made.averaged()


def local(data: Sequence[Sentence], labels: int, rounds: int, rng: random.Random) -> list[Policy]:
    """Return classifiers that learn from gold histories alone, after one pass, two, and so on."""
    examples = visited(data, expert, labels)
    made, found = Classifier(labels), list[Policy]()
    for _ in range(rounds):
        rng.shuffle(examples)
        for example in examples:
            made.learn(example)
        found.append(made.averaged())
    return found


def dagger(data: Sequence[Sentence], labels: int, rounds: int, rng: random.Random) -> list[Policy]:
    """Return the policies of DAgger (Ross, Gordon & Bagnell 2011): each learns from all histories so far."""
    examples, policies = list[Example](), list[Policy]()
    for _ in range(rounds):
        examples += visited(data, policies[-1] if policies else expert, labels)
        policies.append(taught(examples, labels, 2, rng))
    return policies


def searn(data: Sequence[Sentence], labels: int, rounds: int, rng: random.Random) -> list[Policy]:
    """Return the policies of SEARN (Daumé, Langford & Marcu 2009).

    Each is a mixture: of its members one is drawn for every decision. A label costs what the mixture goes on
    to lose after it; the last policies do without the expert.
    """
    members: list[tuple[float, Policy]] = [(1.0, expert)]
    found: list[Policy] = []
    for _ in range(rounds):
        policy = _mixture(members, rng)
        learned = taught(list(_costs(data, policy, members, labels)), labels, 2, rng)
        members = [(share * (1 - BETA), each) for share, each in members] + [(BETA, learned)]
        found.append(_mixture(members[1:], rng))
    return found


def _mixture(members: Sequence[tuple[float, Policy]], rng: random.Random) -> Policy:
    shares, policies = [share for share, _ in members], [policy for _, policy in members]

    def decision(sentence: Sentence, i: int, history: History) -> int:
        return rng.choices(policies, shares)[0](sentence, i, history)

    return decision


def _costs(
    data: Sequence[Sentence], policy: Policy, members: Sequence[tuple[float, Policy]], labels: int
) -> Iterable[Example]:
    """Yield each decision of the policy's own way with what the likeliest labels cost."""
    last = members[-1][1]
    for s in data:
        for i, history in enumerate(histories(tags(policy, s, labels), labels)):
            found = features(s, i, history)
            costs = zero_one(s.gold[i], labels)
            if isinstance(last, Classifier):
                likely = {s.gold[i], *np.argsort(-last.scores(found))[:TRIED].tolist()}
                for label in likely:
                    onward = decide(policy, s, i + 1, (history[1], label), ROLLOUT)
                    costs[label] += sum(a != b for a, b in zip(onward, s.gold[i + 1 :]))
                least = min(costs[label] for label in likely)
                costs = np.where(np.isin(np.arange(labels), list(likely)), costs, costs + least) - least
            yield found, costs
