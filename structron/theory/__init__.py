"""The theory: radius, margin, bounds, and an audit of every update.

``audit`` trains by the definition, so it takes a user's own task as it is; keep the examples few and short.
"""

from typing import TYPE_CHECKING

from structron.lazy import on_first_use

if TYPE_CHECKING:
    from structron.theory.audit import Audit as Audit, Measured as Measured, audit as audit
    from structron.theory.bounds import (
        FirstPass as FirstPass,
        first_pass_bound as first_pass_bound,
        generalisation_bound as generalisation_bound,
        least_margins as least_margins,
        theorem_2 as theorem_2,
        updates_bound as updates_bound,
    )
    from structron.theory.confusion import confusion_set as confusion_set, mixed_set as mixed_set
    from structron.theory.differences import Differences as Differences
    from structron.theory.latent import latent_margin as latent_margin
    from structron.theory.maximal_margin import (
        MaximalMargin as MaximalMargin,
        maximal_margin as maximal_margin,
    )
    from structron.theory.model_margins import output_margins as output_margins, weights_of as weights_of
    from structron.theory.plots import draw as draw
    from structron.theory.table import findings as findings, table as table
    from structron.theory.update_log import RecordingLearner as RecordingLearner, UpdateRecord as UpdateRecord

on_first_use(__name__, renamed={"Judged": "UpdateRecord", "Watched": "RecordingLearner"})
