"""Clusters of words with vectors: bisecting k-means (Steinbach, Karypis & Kumar 2000).

The cluster with the largest error is split in two, again and again; the half of a word adds one bit to its
path. So the clusters are a binary tree like those of `structron.fit.clustering.clustering`. Sums are taken in
a fixed order and in double precision: the same vectors and seed give the same clusters.
"""

from __future__ import annotations

import heapq
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from structron.fit.clustering.clustering import ClusteredWord, check_classes
from structron.progress import report_progress

_Floats = npt.NDArray[np.float64]
_ROUNDS = 20  # of 2-means, which rarely needs as many


def vector_clusters(
    words: Sequence[str], vectors: npt.NDArray[np.float32], classes: int, seed: int = 0
) -> list[ClusteredWord]:
    """Cluster words by the directions of their vectors; counts of words are unknown.

    Equal vectors may lead to fewer clusters.
    """
    check_classes(classes)
    directions = vectors.astype(np.float64)
    lengths = np.sqrt(np.einsum("ij,ij->i", directions, directions))
    directions /= np.where(lengths > 0, lengths, 1.0)[:, None]
    rng = np.random.default_rng(seed)
    # By error, the largest first; ties go to the first path.
    leaves = [(-_error(directions), "", np.arange(len(words)))]
    while len(leaves) < classes and leaves[0][0] < 0:
        report_progress("splitting clusters", len(leaves), classes)
        _, path, members = heapq.heappop(leaves)
        right = _halved(directions[members], rng)
        if not right.any() or right.all():
            heapq.heappush(leaves, (0.0, path, members))
            continue
        for bit, half in (("0", members[~right]), ("1", members[right])):
            heapq.heappush(leaves, (-_error(directions[half]), path + bit, half))
    found = [(path, int(i)) for _, path, members in leaves for i in members]
    return [ClusteredWord(path, words[i], 0) for path, i in sorted(found)]


def _error(points: _Floats) -> float:
    """Return the summed squared distance of points from their mean; rounding errors count as 0."""
    apart = points - points.mean(axis=0)
    error = float(np.einsum("ij,ij->", apart, apart))
    return error if error > 1e-12 * len(points) else 0.0


def _halved(points: _Floats, rng: np.random.Generator) -> npt.NDArray[np.bool_]:
    """Split points by 2-means from a random one and the one farthest away; True is the second half."""
    one = points[rng.integers(len(points))]
    other = points[int(np.argmax(np.einsum("ij,ij->i", points - one, points - one)))]
    right = np.zeros(len(points), bool)
    for _ in range(_ROUNDS):
        # A point is nearer to the other beyond the plane half-way between the two.
        normal = other - one
        nearer: npt.NDArray[np.bool_] = (
            np.einsum("ij,j->i", points, normal) > float((normal * (one + other)).sum()) / 2
        )
        if np.array_equal(nearer, right) or not nearer.any() or nearer.all():
            return nearer
        right = nearer
        one, other = points[~right].mean(axis=0), points[right].mean(axis=0)
    return right
