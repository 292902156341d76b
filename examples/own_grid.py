"""A task of your own in plain Python, at the engine's speed: clean a picture, cell by cell, on a 2-D grid."""

import random
import sys
import time

from structron import own, reference
from structron.search import Beam

State = tuple[int, ...]  # the labels so far, as far back as the cell above
WIDTH, HEIGHT = 8, 8


class Picture:  # an action is the colour of the next cell, row by row
    def __init__(self, seen: list[int], clean: list[int]) -> None:
        self.seen, self.clean = seen, clean

    def initial(self) -> tuple[int, State]:
        return 0, (2,) * WIDTH

    def actions(self, state: tuple[int, State]) -> range:
        return range(2 if state[0] < len(self.seen) else 0)

    def advance(self, state: tuple[int, State], colour: int) -> tuple[int, State]:
        return state[0] + 1, (*state[1][1:], colour)

    def features(self, state: tuple[int, State], colour: int) -> dict[object, float]:
        at, labels = state
        left = labels[-1] if at % WIDTH else 2
        names = ("seen", self.seen[at], colour), ("left", left, colour), ("up", labels[0], colour)
        return dict.fromkeys(names, 1.0)

    def merge_key(self, state: tuple[int, State]) -> State:
        return state[1]

    def step(self, state: tuple[int, State]) -> int:
        return state[0]

    def is_final(self, state: tuple[int, State]) -> bool:
        return state[0] == len(self.seen)

    def allows(self, state: tuple[int, State], colour: int) -> bool:
        return colour == self.clean[state[0]]


def pictures(rng: random.Random, count: int) -> list[Picture]:
    """Return pictures of a rectangle each, of which a tenth of the cells is seen wrongly."""
    found = []
    for _ in range(count):
        x, y = rng.randrange(1, WIDTH - 3), rng.randrange(1, HEIGHT - 3)
        clean = [int(x <= i % WIDTH < x + 3 and y <= i // WIDTH < y + 3) for i in range(WIDTH * HEIGHT)]
        found.append(Picture([cell ^ (rng.random() < 0.1) for cell in clean], clean))
    return found


if __name__ == "__main__":
    data, test = pictures(random.Random(1), 30), pictures(random.Random(2), 30)
    epochs = int(sys.argv[1]) if len(sys.argv) > 1 else 5
    seconds = {}
    list(own.train(list(zip(data, data)), epochs=0))  # imports what is needed
    for where in (own, reference):
        began = time.process_time()
        pairs = list(zip(data, data))
        learned = list(where.train(pairs, search=Beam(8), update="max_violation", epochs=epochs))
        seconds[where] = time.process_time() - began
        print(where.__name__, [epoch.updates for epoch in learned])
        if where is own:
            outputs = learned[-1].weights.averaged().predict(test)
    right = sum(a == b for p, output in zip(test, outputs) for a, b in zip(p.clean, output))
    faster = seconds[reference] / seconds[own]
    print(f"{right / len(test) / WIDTH / HEIGHT:.1%} of cells right, {faster:.0f} times the definition")
