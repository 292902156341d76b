"""Word clusters as a setting names them."""

from __future__ import annotations

from pathlib import Path

from structron.data.clusters import read_clusters
from structron.features.clusters import WordClusters


def clusters_of(file: str) -> WordClusters | None:
    """The clusters of a file; none if that is what it says."""
    if file == "none":
        return None
    return WordClusters.of(((word, path) for path, word, _ in read_clusters(file)), Path(file).name)
