"""Random small tagging tasks whose labels own hidden sub-labels, with sentences and starting weights."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping

import numpy as np
from hypothesis import strategies as st

from structron.fit import Learning
from structron.reference.learners.weights import Weights
from structron.tasks.tagging import Dictionary, TaggingTask, TagState
from tests.parity.tasks.test_tagging import weights_of

WORDS = ["a", "b", "cd"]
TEMPLATES = ["bias", "w[0]", "w[-1] w[0]", "suffix(1)[0]", "t[-1]", "t[-2] t[-1]", "t[-1] w[0]", "t[-2] w[1]"]
LABELS = {None: ("X", "Y", "Z"), "bio": ("B-X", "I-X", "O")}

Sentence = tuple[list[str], list[str]]


@st.composite
def tasks(draw: st.DrawFn, least: int = 1) -> TaggingTask:
    scheme = draw(st.sampled_from([None, "bio"]))
    labels = LABELS[scheme]
    dictionary = Dictionary.empty()
    if draw(st.booleans()):
        seen = draw(st.lists(st.tuples(st.sampled_from(WORDS), st.sampled_from(labels)), max_size=4))
        dictionary = Dictionary.observed(seen, labels, 1)
    return TaggingTask(
        labels,
        tuple(draw(st.lists(st.sampled_from(TEMPLATES), min_size=1, max_size=5, unique=True))),
        scheme=scheme,
        dictionary=dictionary,
        bits=draw(st.sampled_from([0, 0, 4])),
        hidden=draw(st.integers(least, 3)),
    )


@st.composite
def sentences(draw: st.DrawFn, task: TaggingTask, most: int = 3) -> Sentence:
    """Words with labels that some sequence of tags yields."""
    words = draw(st.lists(st.sampled_from(WORDS), min_size=1, max_size=most))
    space = task.space(words)
    state, taken = space.initial(), []
    while not space.is_final(state):
        taken.append(draw(st.sampled_from(space.actions(state))))
        state = space.advance(state, taken[-1])
    return words, task.labels_of(taken)


def shaken(learning: Learning, words: list[list[str]], seed: int) -> Weights:
    """Random whole weights for all features of these sentences, in the engine and in the definition alike."""
    rng = np.random.default_rng(seed)
    cells: dict[tuple[int, int], float] = {}
    tags = range(learning.task.actions)
    for sentence in words:
        space = learning.task.space(sentence)
        for place in itertools.product(range(len(sentence)), [*tags, len(tags)], [*tags, len(tags)]):
            for tag in tags:
                for name, _ in space.features(TagState(*place), tag):
                    if name not in cells:
                        cells[name] = float(rng.integers(-4, 5))
    return started(learning, cells)


def started(learning: Learning, cells: Mapping[tuple[int, int], float]) -> Weights:
    """Learning starts from these weights; the definition's are the same."""
    learning.weights.restore(
        np.array([key for key, _ in cells], np.uint64),
        np.array([action for _, action in cells], np.uint32),
        np.array(list(cells.values()), np.float32),
        np.zeros(len(cells)),
        learning.weights.clock,
    )
    return Weights(weights_of(learning))


def paths(task: TaggingTask, words: list[str]) -> Iterator[tuple[int, ...]]:
    """Every sequence of tags that rules and dictionary allow, in order."""
    space = task.space(words)

    def after(state: TagState, taken: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
        if space.is_final(state):
            yield taken
        for action in space.actions(state):
            yield from after(space.advance(state, action), (*taken, action))

    return after(space.initial(), ())


def outputs(task: TaggingTask, words: list[str], weights: Weights) -> dict[tuple[str, ...], float]:
    """Every sequence of labels with the score of its best tags, by enumeration."""
    space = task.space(words)
    found: dict[tuple[str, ...], float] = {}
    for path in paths(task, words):
        score, state = 0.0, space.initial()
        for action in path:
            score += weights.score(space.features(state, action))
            state = space.advance(state, action)
        labels = tuple(task.labels_of(path))
        found[labels] = max(score, found.get(labels, -float("inf")))
    return found
