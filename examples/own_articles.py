"""A task of your own on real text: put a, an and the back where they were. Run: own_articles.py TRAIN DEV"""

import sys

from structron import own
from structron.io import read
from structron.reference import Features

ARTICLES = ("", "a", "an", "the")


class Gaps:  # an action says which article, if any, stood before the next word
    def __init__(self, text: list[str]) -> None:
        self.words, self.gold, waiting = [word for word in text if word not in ARTICLES], list[int](), 0
        for word in text:
            if word in ARTICLES:
                waiting = ARTICLES.index(word)
            else:
                self.gold.append(waiting)
                waiting = 0
        self.padded = ["<", *self.words, ">", ">"]

    def initial(self) -> tuple[int, int]:
        return 0, 0

    def actions(self, state: tuple[int, int]) -> range:
        return range(0 if self.is_final(state) else len(ARTICLES))

    def advance(self, state: tuple[int, int], article: int) -> tuple[int, int]:
        return state[0] + 1, article

    def features(self, state: tuple[int, int], article: int) -> Features:
        before, word, after, then = self.padded[state[0] : state[0] + 4]
        seen = ("bias",), ("w", word), ("w-1", before), ("w+1", after), ("w-1 w", before, word)
        more = ("w w+1", word, after), ("s s+1", word[-3:], after[-3:]), ("s+1 s+2", after[-3:], then[-3:])
        last = ("first", word[0]), ("article before", state[1])
        return {(*feature, article): 1.0 for feature in (*seen, *more, *last)}

    def merge_key(self, state: tuple[int, int]) -> int:
        return state[1]

    def step(self, state: tuple[int, int]) -> int:
        return state[0]

    def is_final(self, state: tuple[int, int]) -> bool:
        return state[0] == len(self.words)

    def allows(self, state: tuple[int, int], article: int) -> bool:
        return self.gold[state[0]] == article


def f1(gaps: list[Gaps], outputs: list[tuple[int, ...]]) -> float:
    """Return how well articles are found: the right word, and the right one of the three."""
    pairs = [pair for each, output in zip(gaps, outputs) for pair in zip(each.gold, output)]
    right = sum(gold == guess > 0 for gold, guess in pairs)
    return 2 * right / max(1, sum((gold > 0) + (guess > 0) for gold, guess in pairs))


if __name__ == "__main__":
    texts = ([word.lower() for word in s.words()] for s in read(sys.argv[1]))
    train = [gaps for text in texts if (gaps := Gaps(text)).words]
    dev = [gaps for s in read(sys.argv[2]) if (gaps := Gaps([word.lower() for word in s.words()])).words]
    for search, update in (("greedy", "standard"), ("greedy", "max_violation"), ("beam:4", "max_violation")):
        for epoch in own.train([(g, g) for g in train], search=search, update=update, epochs=3):
            invalid = epoch.invalid / max(1, epoch.updates)
        found = f1(dev, epoch.weights.averaged().predict(dev))
        print(f"{search:8} {update:14} {found:.2%} F1, {invalid:.0%} of the last updates invalid")
