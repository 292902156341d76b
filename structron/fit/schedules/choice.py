"""Which schedule a training takes: from its recipe, from where its examples are, and from the machines."""

from __future__ import annotations

from typing import Any

from structron.fit.cluster.cluster import Cluster
from structron.fit.data.examples import Examples
from structron.fit.learning import Learning
from structron.fit.schedules.schedule import Schedule, Watch
from structron.fit.streaming.examples import StreamedExamples


def schedule_of(
    learning: Learning[Any],
    examples: Examples[Any],
    threads: int,
    on_workers: Watch | None = None,
    cluster: Cluster | None = None,
) -> Schedule:
    """Return who decodes what, when; the examples are packed for it."""
    from structron import fit

    if cluster is not None:
        kind = fit.ClusterMixing if learning.recipe.shards > 1 else fit.ClusterBatches
        own = None
        if isinstance(examples, StreamedExamples):
            own = fit.OwnFiles(examples.files, examples.read)
        return kind(learning, cluster, examples.xs, examples.ys, examples.place, on_workers, own)
    if isinstance(examples, StreamedExamples):
        return fit.Streamed(learning, examples.store(learning), threads)
    corpus = learning.pack(examples.xs, examples.ys, examples.place)
    if learning.recipe.shards > 1:
        return fit.Mixing(learning, corpus, threads, on_workers, examples.file_of)
    return fit.Serial(learning, corpus, threads)
