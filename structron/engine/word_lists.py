"""Clusters and gazetteers in the engine."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from structron import _core

if TYPE_CHECKING:
    from structron.engine.rows import Arrays
    from structron.features.clusters import WordClusters
    from structron.features.gazetteers import Gazetteers


def restored_clusters(header: Mapping[str, Any], arrays: Arrays) -> WordClusters | None:
    """Read the clusters of a model file, if it has any."""
    if "clusters" not in header:
        return None
    from structron.features.clusters import WordClusters

    return WordClusters.restore(header["clusters"], arrays)


def engine_clusters(clusters: WordClusters | None) -> _core.WordClusters | None:
    """Pass the clusters to the engine."""
    return None if clusters is None else _made(clusters)


@lru_cache(1)  # all stages of a pipeline have the same
def _made(clusters: WordClusters) -> _core.WordClusters:
    return _core.WordClusters(clusters.lines, clusters.of_words, clusters.tree)


def engine_gazetteers(gazetteers: Gazetteers) -> _core.Gazetteers | None:
    """Pass the lists to the engine; return None if there are none."""
    if not len(gazetteers):
        return None
    return _core.Gazetteers(["".join(f"{entry}\n" for entry in entries) for entries in gazetteers.lists])
