"""Ray Data: datasets of any size, annotated by workers of which each loads the model once."""

from __future__ import annotations

from typing import Any

from structron.adapters.arrow import OUTPUT, opened, with_annotations

try:
    import ray.data
except ImportError as error:
    raise ImportError(
        "structron.adapters.clusters.ray needs Ray Data; pip install 'structron[ray-data]'"
    ) from error

__all__ = ["Annotator", "annotated"]


class Annotator:
    """A worker for `map_batches`: it loads a model, and then annotates one batch after the other.

    Parameters
    ----------
    model
        The file or name of a model, which the worker must find on its own machine, or an estimator, which
        travels to it.
    """

    def __init__(self, model: Any, column: str, output: str = OUTPUT, threads: int | None = None) -> None:
        self.estimator, self.column, self.output = opened(model, threads), column, output

    def __call__(self, batch: Any) -> Any:
        """Return a table of Arrow with one more column."""
        return with_annotations(self.estimator, batch, self.column, self.output)


def annotated(
    dataset: Any,
    model: Any,
    column: str,
    output: str = OUTPUT,
    *,
    workers: int = 2,
    threads: int = 1,
    batch_size: int = 1024,
) -> Any:
    """Return a dataset with one more column; the work is done when it is read or written.

    Parameters
    ----------
    dataset
        A `ray.data.Dataset`.
    model
        See `Annotator`.
    workers
        How many workers there may be; fewer, where the cluster has no room for them beside what reads. One
        that dies is replaced, and its batch is done again.
    threads
        How many threads, and CPUs, each of them has.
    """
    return dataset.map_batches(
        Annotator,
        fn_constructor_args=(model, column, output, threads),
        batch_format="pyarrow",
        batch_size=batch_size,
        num_cpus=threads,
        compute=ray.data.ActorPoolStrategy(min_size=1, max_size=workers),
    )
