"""Clusters of words that have vectors: bisecting k-means (Steinbach, Karypis & Kumar 2000).

The cluster with the largest error is split in two, again and again; which half a word is in is one more
bit of its path. So the clusters are a binary tree as those of `structron.fit.clustering.clustering` are. Sums
are taken in a fixed order and in double precision: the same vectors and seed give the same clusters.
"""

from __future__ import annotations

import heapq
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from structron.fit.clustering.clustering import Clustered, check_classes
from structron.progress import report_progress

_Floats = npt.NDArray[np.float64]
_ROUNDS = 20  # of 2-means, which hardly ever needs as many


def vector_clusters(
    words: Sequence[str], vectors: npt.NDArray[np.float32], classes: int, seed: int = 0
) -> list[Clustered]:
    """Cluster words by the directions of their vectors; how often words were seen is not known here.

    There are fewer clusters where vectors are equal.
    """
    check_classes(classes)
    directions = vectors.astype(np.float64)
    lengths = np.sqrt(np.einsum("ij,ij->i", directions, directions))
    directions /= np.where(lengths > 0, lengths, 1.0)[:, None]
    rng = np.random.default_rng(seed)
    # By error, the largest first; of equals the path that comes first.
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
    return [Clustered(path, words[i], 0) for path, i in sorted(found)]


def _error(points: _Floats) -> float:
    """The squared distance from the mean, of all points; one that is only rounded is none."""
    apart = points - points.mean(axis=0)
    error = float(np.einsum("ij,ij->", apart, apart))
    return error if error > 1e-12 * len(points) else 0.0


def _halved(points: _Floats, rng: np.random.Generator) -> npt.NDArray[np.bool_]:
    """Which points are in the second half, by 2-means from a random point and the one farthest from it."""
    one = points[rng.integers(len(points))]
    other = points[int(np.argmax(np.einsum("ij,ij->i", points - one, points - one)))]
    right = np.zeros(len(points), bool)
    for _ in range(_ROUNDS):
        # Nearer to the other: beyond the plane half-way between the two.
        normal = other - one
        nearer: npt.NDArray[np.bool_] = (
            np.einsum("ij,j->i", points, normal) > float((normal * (one + other)).sum()) / 2
        )
        if np.array_equal(nearer, right) or not nearer.any() or nearer.all():
            return nearer
        right = nearer
        one, other = points[~right].mean(axis=0), points[right].mean(axis=0)
    return right
