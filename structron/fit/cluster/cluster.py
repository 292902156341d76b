"""Ray clusters: their address, and the connection to them."""

from __future__ import annotations

import re
import socket
from dataclasses import dataclass
from typing import Any

from structron.errors import ClusterError, SettingError
from structron.fit.recipe import Recipe

# Settings of a cluster that is started here. By default Ray's workers have a low priority, and nodes that do
# not answer soon count as dead. On a busy machine workers would get no time and be killed, and a node that
# counts as dead ends the driver too.
LOCAL = {
    "worker_niceness": 0,
    "worker_register_timeout_seconds": 600,
    "health_check_timeout_ms": 60_000,
}

# Seconds to wait for an address to answer.
ANSWER_SECONDS = 10.0

# Ray gives a node half a minute to start, which cannot be changed; on a busy machine, try again.
STARTS = 3


@dataclass(frozen=True)
class Cluster:
    """A cluster to train on.

    Parameters
    ----------
    address
        ``auto`` for the cluster of this machine, ``host:port``, or ``local`` to start one here.
    workers
        The number of workers.
    deadline
        A worker that has not answered after this many seconds is replaced.
    patience
        How often a worker is replaced in one epoch before training gives up.
    """

    address: str = "auto"
    workers: int = 2
    deadline: float = 600.0
    patience: int = 3

    def __post_init__(self) -> None:
        if isinstance(self.workers, bool) or not isinstance(self.workers, int) or self.workers < 1:
            raise SettingError(f"workers = {self.workers!r} is not possible; give a whole number from 1")

    def check(self, recipe: Recipe) -> None:
        """Refuse a recipe that gives the cluster nothing to do."""
        if recipe.shards == 1 and recipe.batch == 1:
            raise SettingError(
                "a cluster trains in batches or on shards; set batch (64, say) or shards (as many as workers)"
            )
        if recipe.shards > 1 and recipe.shards != self.workers:
            raise SettingError(
                f"{self.workers} workers for {recipe.shards} shards: each shard has one worker; "
                "give the same number of both"
            )

    def connect(self) -> Any:
        """Connect to Ray; raise ClusterError with one sentence if that fails."""
        try:
            import ray
        except ImportError:
            raise ClusterError("Ray is not installed; pip install ray") from None
        if ray.is_initialized():
            return ray
        quiet: dict[str, Any] = {"log_to_driver": False, "logging_level": "ERROR"}
        try:
            if self.address == "local":
                self._start(ray, quiet)
            else:
                _check_reachable(self.address)
                ray.init(address=self.address, **quiet)
        except OSError as error:
            if "Authentication" in f"{error} {error.__cause__} {error.__context__}":
                raise ClusterError(
                    f"{self.address}: asks for a token that is missing or wrong here; "
                    "see 'token authentication' in Ray's documentation"
                ) from None
            raise ClusterError(
                f"{self.address}: no cluster answers; start one with 'ray start --head', or use --ray local"
            ) from None
        except Exception as error:  # Ray also raises plain exceptions when a cluster starts slowly
            what = " ".join(str(error).split()) or type(error).__name__
            if "Version mismatch" in what:
                found = re.findall(r"Ray: (\S+) Python: (\S+)", what)
                versions = ", here ".join(f"Ray {theirs} with Python {python}" for theirs, python in found)
                raise ClusterError(f"{self.address}: has {versions}; install the same") from None
            raise ClusterError(f"{self.address}: cannot be used ({what[:200]}); check the cluster") from None
        return ray

    def _start(self, ray: Any, quiet: dict[str, object]) -> None:
        """Start another cluster on this machine, even if there is one already."""
        own = {"num_cpus": self.workers, "include_dashboard": False, "_system_config": LOCAL}
        for attempt in range(1, STARTS + 1):
            try:
                ray.init("local", **own, **quiet)
                return
            except Exception as error:
                ray.shutdown()
                if attempt == STARTS or "timed out" not in str(error):
                    raise


def _check_reachable(address: str) -> None:
    """Fail at once if nothing answers there; Ray itself would try for a quarter of an hour."""
    found = re.fullmatch(r"(?:ray://)?\[?([^/]+?)\]?:(\d{1,5})", address)
    if found is not None:
        socket.create_connection((found[1], int(found[2])), timeout=ANSWER_SECONDS).close()
