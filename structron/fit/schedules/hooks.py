"""Hooks for those who watch a training: from inside another one, or from TensorBoard and the like."""

from __future__ import annotations

from collections.abc import Callable

from structron.fit.epoch import Epoch
from structron.fit.schedules.schedule import Progress, Stage

Log = Callable[[str, float, int], object]
FIGURES = ("dev_score", "errors", "updates", "invalid", "invalid_share", "early_stopped", "tokens_per_second")


def logged(log: Log, prefix: str = "structron/") -> Callable[[Epoch], None]:
    """Return what `fit` takes as `on_epoch`: calls ``log(name, value, epoch)`` for each figure of an epoch.

    Parameters
    ----------
    log
        ``SummaryWriter().add_scalar`` of TensorBoard as it is; for Weights & Biases
        ``lambda name, value, step: wandb.log({name: value}, step=step)``; for MLflow
        ``lambda name, value, step: mlflow.log_metric(name, value, step=step)``.
    prefix
        What the names begin with.

    Examples
    --------
    >>> seen = []
    >>> logged(lambda *figure: seen.append(figure))(Epoch(1, 2, 9, 1, 1, 0, 0, 0.5, True, 3.0, 3.0))
    >>> seen[0], len(seen)
    (('structron/dev_score', 0.5, 1), 7)
    """

    def on_epoch(epoch: Epoch) -> None:
        values = {name: getattr(epoch, name) for name in FIGURES} | dict(epoch.notes)
        for name, value in values.items():
            if value is not None:
                log(f"{prefix}{name}", float(value), epoch.epoch)

    return on_epoch


def stage_of(stage: Stage | None, name: str, epochs: int) -> Progress | None:
    """Return a callback that reports a nested training under a name; None if nobody listens."""
    if stage is None:
        return None
    report = stage
    return lambda epoch, done, total: report(name, (epoch - 1) * total + done, epochs * total)
