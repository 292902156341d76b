"""Who decodes what, when: recipes, epochs, and the schedules."""

from __future__ import annotations

from typing import TYPE_CHECKING

from structron.lazy import on_first_use

if TYPE_CHECKING:
    from structron.fit.checkpoints.checkpoints import Checkpoint, CheckpointWriter, Preparation
    from structron.fit.cluster.cluster import Cluster
    from structron.fit.cluster.distributed import ClusterBatches, ClusterMixing
    from structron.fit.cluster.hosts import OwnFiles
    from structron.fit.epoch import Epoch
    from structron.fit.learning import Learning, Packed
    from structron.fit.recipe import Recipe
    from structron.fit.schedules.hooks import logged
    from structron.fit.schedules.mixing import Mixing
    from structron.fit.schedules.schedule import (
        Finish,
        Progress,
        Schedule,
        Stage,
        Watch,
        Worker,
        epochs,
        one_pass,
    )
    from structron.fit.schedules.serial import Serial, Streamed
    from structron.fit.streaming.examples import Stream
    from structron.fit.streaming.store import Store, prepare

else:
    on_first_use(
        __name__,
        {
            "checkpoints.checkpoints": ("Checkpoint", "CheckpointWriter", "Preparation"),
            "cluster.cluster": ("Cluster",),
            "cluster.distributed": ("ClusterBatches", "ClusterMixing"),
            "epoch": ("Epoch",),
            "cluster.hosts": ("OwnFiles",),
            "learning": ("Learning", "Packed"),
            "schedules.hooks": ("logged",),
            "schedules.mixing": ("Mixing",),
            "recipe": ("Recipe",),
            "schedules.schedule": (
                "Finish",
                "Progress",
                "Schedule",
                "Stage",
                "Watch",
                "Worker",
                "epochs",
                "one_pass",
            ),
            "schedules.serial": ("Serial", "Streamed"),
            "streaming.examples": ("Stream",),
            "streaming.store": ("Store", "prepare"),
        },
    )

__all__ = [
    "Checkpoint",
    "CheckpointWriter",
    "Cluster",
    "ClusterBatches",
    "ClusterMixing",
    "Epoch",
    "Finish",
    "Learning",
    "Mixing",
    "OwnFiles",
    "Packed",
    "Preparation",
    "Progress",
    "Recipe",
    "Schedule",
    "Serial",
    "Stage",
    "Store",
    "Stream",
    "Streamed",
    "Watch",
    "Worker",
    "epochs",
    "logged",
    "one_pass",
    "prepare",
]
