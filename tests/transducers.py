"""Random small transducers: inventories, templates, and pairs that some derivation yields, or none."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

from structron.reference.learners.weights import Weights
from structron.tasks.transduction import TransductionTask
from structron.tasks.transduction.words.known_words import KnownWords
from structron.tasks.transduction.words.vowels import Vowels

SOURCE, TARGET = "ab", "xy"
TEMPLATES = [
    "bias",
    "s[0]",
    "s[-1] s[0]",
    "s[0] s[1] s[2]",
    "emit",
    "size",
    "size s[1]",
    "emit t[-1]",
    "t[-1]",
    "s[0] t[-2] t[-1]",
    "emit t[-3] t[-1] s[-2]",
    "a[-1]",
    "s[1] a[-2] a[-1]",
    "emit a[-1] t[-2]",
    "s[0] again",
    "again a[-1]",
    "sv[-1] sv[0] sv[2]",
    "s[0] sv[1] tv[-2] t[-1]",
    "emit tv[-3] tv[-1]",
    "begin",
    "begin begin_agree s[1]",
    "emit end end_agree end_rest",
    "size begin_rest end",
]


def pieces(symbols: str, least: int, most: int) -> st.SearchStrategy[tuple[str, ...]]:
    return st.lists(st.sampled_from(symbols), min_size=least, max_size=most).map(tuple)


@st.composite
def tasks(draw: st.DrawFn, bits: bool = True) -> TransductionTask:
    pairs = draw(
        st.lists(st.tuples(pieces(SOURCE, 1, 2), pieces(TARGET, 0, 2)), min_size=1, max_size=9, unique=True)
    )
    templates = draw(st.lists(st.sampled_from(TEMPLATES), min_size=1, max_size=6, unique=True))
    # How a known word was cut need not be how this transducer can cut it.
    piece = st.sampled_from([*pairs, (("a",), ("x",)), (("b", "a"), ())])
    cut = draw(st.lists(st.lists(piece, min_size=1, max_size=4), max_size=5))
    return TransductionTask.of(
        pairs,
        templates,
        bits=draw(st.sampled_from([0, 0, 3])) if bits else 0,
        unreachable=draw(st.sampled_from(["skip", "nearest"])),
        vowels=Vowels(("a",), ("y",)),
        known_words=KnownWords.of(cut),
    )


# The symbol z is in no pair.
sources = st.lists(st.sampled_from(SOURCE + "abz"), max_size=5).map("".join)
references = st.lists(st.lists(st.sampled_from(TARGET), max_size=5).map("".join), min_size=1, max_size=3)


@st.composite
def examples(draw: st.DrawFn, task: TransductionTask) -> tuple[str, list[Any]]:
    """A source with references; most often one of them is what a random derivation yields."""
    source = draw(sources)
    wanted: list[Any] = draw(references)
    if draw(st.integers(0, 3)):
        space = task.space(source)
        state, taken = space.initial(), []
        while not space.is_final(state):
            taken.append(draw(st.sampled_from(space.actions(state))))
            state = space.advance(state, taken[-1])
        wanted = [*wanted[: draw(st.integers(0, 2))], task.emitted(taken)]
    return source, wanted


def outputs(task: TransductionTask, source: str, weights: Weights) -> dict[tuple[str, ...], float]:
    """Every output with the score of its best derivation, by enumeration.

    Derivations that have yielded the same and look the same have the same to come: the best is enough.
    """
    space = task.space(source)
    waiting: dict[Any, tuple[float, Any, tuple[str, ...]]] = {None: (0.0, space.initial(), ())}
    found: dict[tuple[str, ...], float] = {}
    while waiting:
        key = min(waiting, key=lambda each: space.step(waiting[each][1]))
        score, state, emitted = waiting.pop(key)
        if space.is_final(state):
            found[emitted] = max(score, found.get(emitted, -float("inf")))
        for action in space.actions(state):
            after = space.advance(state, action)
            gain = weights.score(space.features(state, action))
            yielded = (*emitted, *task.emitted([action]))
            same = (space.step(after), space.merge_key(after), yielded)
            if same not in waiting or waiting[same][0] < score + gain:
                waiting[same] = (score + gain, after, yielded)
    return found
