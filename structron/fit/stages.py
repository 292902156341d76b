"""Training inside training: its progress is a stage of what comes after it."""

from __future__ import annotations

from structron.fit.schedules.schedule import Progress, Stage


def stage_of(stage: Stage | None, name: str, epochs: int) -> Progress | None:
    """The progress of an estimator, told under a name; None if nobody listens."""
    if stage is None:
        return None
    report = stage
    return lambda epoch, done, total: report(name, (epoch - 1) * total + done, epochs * total)
