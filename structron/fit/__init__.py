"""Training: recipes, epochs, and the schedules that say who decodes what, and when."""

from __future__ import annotations

from typing import TYPE_CHECKING

from structron.lazy import on_first_use

if TYPE_CHECKING:
    from structron.fit.checkpoints.checkpoints import (
        Checkpoint as Checkpoint,
        CheckpointWriter as CheckpointWriter,
        Preparation as Preparation,
    )
    from structron.fit.cluster.cluster import Cluster as Cluster
    from structron.fit.cluster.schedules import (
        ClusterBatches as ClusterBatches,
        ClusterMixing as ClusterMixing,
    )
    from structron.fit.cluster.hosts import OwnFiles as OwnFiles
    from structron.fit.epoch import Epoch as Epoch
    from structron.fit.learning import Learning as Learning, Packed as Packed
    from structron.fit.recipe import Recipe as Recipe
    from structron.fit.schedules.hooks import logged as logged
    from structron.fit.schedules.mixing import Mixing as Mixing
    from structron.fit.schedules.schedule import (
        Finish as Finish,
        Progress as Progress,
        Schedule as Schedule,
        Stage as Stage,
        Watch as Watch,
        Worker as Worker,
        epochs as epochs,
        one_pass as one_pass,
    )
    from structron.fit.schedules.serial import Serial as Serial, Streamed as Streamed
    from structron.fit.streaming.examples import Stream as Stream
    from structron.fit.streaming.store import Store as Store, prepare as prepare

on_first_use(__name__)
