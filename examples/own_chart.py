"""A chart of your own in plain Python: CKY for a toy grammar ("the cat saw a dog with a telescope")."""

import random

from structron.reference import Edge, check_forest, predict, train
from structron.search import Forest

State = tuple[str, str]  # what features see of a constituent: its symbol and its head word
RULES = [("S", "NP", "VP", 1), ("NP", "D", "N", 1), ("NP", "NP", "PP", 0), ("VP", "V", "NP", 0)]
RULES += [("VP", "VP", "PP", 0), ("PP", "P", "NP", 1)]  # the number says which part has the head
WORDS = {"D": ["the", "a"], "N": ["cat", "dog", "telescope", "hat"], "V": ["saw", "fed"], "P": ["with"]}
TAGS = {word: tag for tag, words in WORDS.items() for word in words}


class Sentence:  # a node is a span; one more node, the goal, wants an S over all words
    def __init__(self, words: list[str]) -> None:
        self.words, n = words, len(words)
        self.cells = [(i, i + size) for size in range(1, n + 1) for i in range(n - size + 1)]
        self.wrong = 2 if words[-1] == "telescope" else 4  # one sees with it, and one has a hat

    def nodes(self) -> int:
        return len(self.cells) + 1

    def group(self, node: int) -> int:
        return node

    def edges(self, node: int) -> list[Edge]:
        if node == len(self.cells):
            return [Edge((node - 1,), 0)]
        i, j = self.cells[node]
        splits = [(self.cells.index((i, k)), self.cells.index((k, j))) for k in range(i + 1, j)]
        return [Edge(tails, rule) for tails in splits for rule in range(len(RULES))] or [Edge((), 0)]

    def join(self, node: int, edge: Edge, states: tuple[State, ...]) -> State | None:
        if len(states) < 2:
            state = states[0] if states else (TAGS[self.words[node]], self.words[node])
            return state if state[0] == "S" or not states else None
        symbol, *parts, head = RULES[edge.action]
        return (str(symbol), states[int(head)][1]) if parts == [part for part, _ in states] else None

    def features(self, node: int, edge: Edge, states: tuple[State, ...]) -> dict[object, float]:
        return {(edge.action, *(head for _, head in states)): 1.0}

    def merge_key(self, state: State) -> State:
        return state

    def allows(self, node: int, edge: Edge, states: tuple[State, ...]) -> bool:
        return len(states) < 2 or edge.action != self.wrong


if __name__ == "__main__":
    rng = random.Random(1)
    data = [Sentence([rng.choice(WORDS[tag]) for tag in "DNVDNPDN"]) for _ in range(80)]
    check_forest(data[0], data[0])
    for search in (Forest(), Forest(1), Forest(4)):
        *_, epoch = train(list(zip(data[:40], data[:40])), search=search, update="max_violation", epochs=5)
        trees = [predict(each, epoch.weights.averaged(), search) for each in data[40:]]
        right = sum(all(each.allows(*use) for use in tree.parts) for each, tree in zip(data[40:], trees))
        print(f"{search!s:10}{right / 40:5.0%} right")
