"""Random dependency trees, and parsing tasks over them, for laws and parity tests."""

from __future__ import annotations

import random

from hypothesis import strategies as st

from structron.tasks.parsing import ParsingTask

Tree = tuple[list[int], list[str]]
LABELS = ("a", "b", "c")
SYSTEMS = ("arc-standard", "arc-eager", "arc-hybrid", "swap")


def random_heads(rng: random.Random, n: int, roots: int = 1) -> list[int]:
    """Any tree: words join in random order, each below one that has joined before."""
    order = rng.sample(range(1, n + 1), n)
    heads = [0] * n
    for i, word in enumerate(order):
        heads[word - 1] = 0 if i < roots else rng.choice(order[:i])
    return heads


def random_projective_heads(rng: random.Random, n: int) -> list[int]:
    """A tree without crossing arcs: a span's root, and the subtrees of the spans on both sides."""
    heads = [0] * n

    def fill(first: int, last: int, head: int) -> None:
        """Cut the span into pieces, each with a root of its own below `head`."""
        while first <= last:
            cut = rng.randint(first, last)
            top = rng.randint(first, cut)
            heads[top - 1] = head
            fill(first, top - 1, top)
            fill(top + 1, cut, top)
            first = cut + 1

    if n:
        top = rng.randint(1, n)
        fill(1, top - 1, top)
        fill(top + 1, n, top)
    return heads


def is_tree(heads: tuple[int, ...], *, crossing: bool) -> bool:
    """Whether each word leads to the root, and whether arcs may cross."""
    for word in range(1, len(heads) + 1):
        seen = set()
        while word:
            if word in seen:
                return False
            seen.add(word)
            word = heads[word - 1]
    arcs = [tuple(sorted((h, m))) for m, h in enumerate(heads, 1)]
    return crossing or not any(a < c < b < d for a, b in arcs for c, d in arcs)


def labelled(rng: random.Random, heads: list[int]) -> Tree:
    return heads, ["root" if head == 0 else rng.choice(LABELS) for head in heads]


@st.composite
def trees(draw: st.DrawFn, *, most: int = 7, projective: bool = True) -> Tree:
    """Labelled trees with one root."""
    rng = random.Random(draw(st.integers(0, 2**32 - 1)))
    n = draw(st.integers(1, most))
    return labelled(rng, random_projective_heads(rng, n) if projective else random_heads(rng, n))


def full_task(system: str, templates: tuple[str, ...] = ("s0.w",), **choices: object) -> ParsingTask:
    """A task that knows every relation in both directions, whatever trees come."""
    both: list[Tree] = [([2, 0, 2], [label, "root", label]) for label in LABELS]
    return ParsingTask.of_trees(both, templates, system=system, **choices)
