"""A task of your own in plain Python: put the spaces back into text that has lost them (thecatsatatable)."""

import random

from structron.reference import check_oracle, check_space, predict, train
from structron.search import Beam, Exact, Greedy

State = tuple[int, str]
WORDS = {"D": ["a", "the", "at"], "N": ["cat", "cats", "man", "mango", "seat"], "V": ["sat", "ate", "go"]}


class Text:  # a state is (characters covered, last word), an action is the length of the next word
    def __init__(self, words: list[str]) -> None:
        self.letters = "".join(words)
        self.gold = {len("".join(words[:i])): len(word) for i, word in enumerate(words)}

    def initial(self) -> State:
        return 0, "<s>"

    def actions(self, state: State) -> range:
        return range(1, min(5, len(self.letters) - state[0]) + 1)

    def advance(self, state: State, length: int) -> State:
        return state[0] + length, self.letters[state[0] : state[0] + length]

    def features(self, state: State, length: int) -> dict[object, float]:
        word = self.advance(state, length)[1]
        return {word: 1.0, (state[1], word): 1.0, length: 1.0}

    def merge_key(self, state: State) -> State:
        return state

    def step(self, state: State) -> int:
        return state[0]

    def is_final(self, state: State) -> bool:
        return state[0] == len(self.letters)

    def allows(self, state: State, length: int) -> bool:
        return self.gold.get(state[0]) == length


def texts(rng: random.Random, count: int) -> list[Text]:
    return [Text([rng.choice(WORDS[kind]) for kind in "DNVDN"]) for _ in range(count)]


if __name__ == "__main__":
    data, test = texts(random.Random(1), 30), texts(random.Random(2), 30)
    check_space(data[0])
    check_oracle(data[0], data[0])
    for search in (Greedy(), Beam(2), Beam(4, merge=True), Exact()):
        for update in ("standard", "early", "max_violation", "laso"):
            epochs = list(train(list(zip(data, data)), search=search, update=update, epochs=3))
            paths = [predict(text, epochs[-1].weights.averaged(), search) for text in test]
            right = sum(list(path.actions) == list(text.gold.values()) for path, text in zip(paths, test))
            bad = sum(epoch.invalid for epoch in epochs)
            print(f"{search!s:13}{update:14}{bad:2} invalid updates {right / len(test):5.0%} right")
    print(" ".join(word for _, word in paths[0].states[1:]))
