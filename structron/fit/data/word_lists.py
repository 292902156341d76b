"""Word clusters and gazetteers as settings name them."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from structron.features.clusters import WordClusters
from structron.features.gazetteers import Gazetteers
from structron.io.formats.clusters import read_clusters, read_gazetteer


def clusters_of(file: str) -> WordClusters | None:
    """The clusters of a file; none if that is what it says."""
    if file == "none":
        return None
    return WordClusters.of(((word, path) for path, word, _ in read_clusters(file)), Path(file).name)


def gazetteers_of(files: Sequence[str], names: tuple[str, ...]) -> Gazetteers:
    """The lists of these files."""
    return Gazetteers(names, tuple(tuple(read_gazetteer(file)) for file in files))
