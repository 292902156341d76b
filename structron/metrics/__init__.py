"""Metrics: scores of a guess, measured against gold."""

from typing import TYPE_CHECKING

from structron.lazy import on_first_use

if TYPE_CHECKING:
    from structron.metrics.accuracy import (
        Confusion,
        KnownAccuracy,
        accuracy,
        confusions,
        known_accuracy,
        sentence_accuracy,
    )
    from structron.metrics.attachment import Attachment, Relation, attachment
    from structron.metrics.bootstrap import Difference, paired_bootstrap
    from structron.metrics.calibration import Bin, Sigmoid, calibration_error, reliability
    from structron.metrics.error_rate import (
        ErrorRate,
        edit_distance,
        edits,
        error_rate,
        oracle_error_rate,
        symbol_confusions,
    )
    from structron.metrics.meaning import Understanding, exact_match, right_answers, understanding
    from structron.metrics.reports import (
        Judgement,
        LabelScore,
        Report,
        Slice,
        difference,
        judge_labels,
        judge_symbols,
        judge_tags,
        judge_tree,
        report,
        score_of,
    )
    from structron.metrics.spans import Score, Span, span_f1, spans
else:
    on_first_use(
        __name__,
        {
            "accuracy": (
                "Confusion",
                "KnownAccuracy",
                "accuracy",
                "confusions",
                "known_accuracy",
                "sentence_accuracy",
            ),
            "attachment": ("Attachment", "Relation", "attachment"),
            "bootstrap": ("Difference", "paired_bootstrap"),
            "calibration": ("Bin", "Sigmoid", "calibration_error", "reliability"),
            "error_rate": (
                "ErrorRate",
                "edit_distance",
                "edits",
                "error_rate",
                "oracle_error_rate",
                "symbol_confusions",
            ),
            "meaning": ("Understanding", "exact_match", "right_answers", "understanding"),
            "reports": (
                "Judgement",
                "LabelScore",
                "Report",
                "Slice",
                "difference",
                "judge_labels",
                "judge_symbols",
                "judge_tags",
                "judge_tree",
                "report",
                "score_of",
            ),
            "spans": ("Score", "Span", "span_f1", "spans"),
        },
        renamed={"Judged": "Judgement"}
        | {f"judged_{what}": f"judge_{what}" for what in ("labels", "symbols", "tags", "tree")},
    )

__all__ = [
    "Attachment", "Bin", "Confusion", "Difference", "ErrorRate", "Judgement", "KnownAccuracy",
    "LabelScore", "Relation", "Report", "Score", "Sigmoid", "Slice", "Span", "Understanding", "accuracy",
    "attachment", "calibration_error", "confusions", "difference", "edit_distance", "edits", "error_rate",
    "exact_match", "judge_labels", "judge_symbols", "judge_tags", "judge_tree", "known_accuracy",
    "oracle_error_rate", "paired_bootstrap", "reliability", "report", "right_answers", "score_of",
    "sentence_accuracy", "span_f1", "spans", "symbol_confusions", "understanding",
]  # fmt: skip
