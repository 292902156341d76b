"""The theory: radius, margin, bounds, and an audit of every update.

``audit`` trains by the definition, so it takes a user's own task as it is; keep the examples few and short.
"""

from typing import TYPE_CHECKING

from structron.lazy import on_first_use

if TYPE_CHECKING:
    from structron.theory.audit import Audit, Measured, audit
    from structron.theory.bounds import FirstPass, first_pass_bound, theorem_2, updates_bound
    from structron.theory.confusion import confusion_set, mixed_set
    from structron.theory.differences import Differences
    from structron.theory.maximal_margin import MaximalMargin, maximal_margin
    from structron.theory.model_margins import output_margins, weights_of
    from structron.theory.plots import draw
    from structron.theory.table import findings, table
    from structron.theory.update_log import RecordingLearner, UpdateRecord
else:
    on_first_use(
        __name__,
        {
            "audit": ("Audit", "Measured", "audit"),
            "bounds": ("FirstPass", "first_pass_bound", "theorem_2", "updates_bound"),
            "confusion": ("confusion_set", "mixed_set"),
            "differences": ("Differences",),
            "maximal_margin": ("MaximalMargin", "maximal_margin"),
            "plots": ("draw",),
            "table": ("findings", "table"),
            "model_margins": ("output_margins", "weights_of"),
            "update_log": ("UpdateRecord", "RecordingLearner"),
        },
        renamed={"Judged": "UpdateRecord", "Watched": "RecordingLearner"},
    )

__all__ = [
    "Audit", "Differences", "FirstPass", "MaximalMargin", "Measured", "RecordingLearner", "UpdateRecord",
    "audit", "confusion_set", "draw", "findings", "first_pass_bound", "maximal_margin", "mixed_set",
    "output_margins", "table", "theorem_2", "updates_bound", "weights_of",
]  # fmt: skip
