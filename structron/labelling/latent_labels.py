"""Latent sub-labels (Sun, Matsuzaki, Okanohara & Tsujii 2009): their initial weights.

Each label owns the same number of sub-labels. Search runs over sub-labels and features see them; gold is any
sequence of sub-labels of the gold labels. The same mechanism as in transduction, with another oracle.
"""

from __future__ import annotations

from collections.abc import Sequence

from structron.features.keys import combine, combine_tags, fold
from structron.labelling.templates import Template

Cells = dict[tuple[int, int], float]  # by a feature's key and a tag


def start(templates: Sequence[Template], tags: int, bits: int, seed: int) -> Cells:
    """Return small weights that distinguish sub-labels: learning with latent variables is not convex.

    From zero the sub-labels of a label differ only by the rule for ties. Each pair of tags that follow each
    other gets a weight from -1/8 to 1/8, by chance but always the same for the same seed.
    """
    found: Cells = {}
    places = range(tags + 1)
    for template in templates:
        if template.atoms or template.tags != 1:
            continue
        for before in places:
            key = fold(combine_tags(template.base, 1, before, 0), bits)
            for tag in range(tags):
                chance = combine(combine(seed + 1, key), tag)
                # Whole numbers of 1/1024: sums of them and of whole updates are exact in the engine's floats.
                found[key, tag] = (chance % 257 - 128) / 1024
    return found
