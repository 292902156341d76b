"""The small models of the playground, learned in seconds from a synthetic treebank."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from structron import registry
from structron.synthetic import Tree, generate_treebank


def trees(count: int, seed: int) -> list[Tree]:
    """Return sentences with tags and trees."""
    return generate_treebank(count, np.random.default_rng(seed))


def small_models() -> Iterator[tuple[str, Any]]:
    """Yield the small models that tasks declare for the playground, learned from made-up examples."""
    for spec in registry.specs():
        for name, count, settings in spec.load("play").small_models if spec.play else ():
            X, y = spec.load("play").examples(count, 0)
            yield name, spec.load("estimator")(**settings).fit(X, y)
