"""Metrics: scores of a guess, measured against gold."""

from typing import TYPE_CHECKING

from structron.lazy import on_first_use

if TYPE_CHECKING:
    from structron.metrics.accuracy import (
        Confusion as Confusion,
        KnownAccuracy as KnownAccuracy,
        accuracy as accuracy,
        confusions as confusions,
        known_accuracy as known_accuracy,
        sentence_accuracy as sentence_accuracy,
    )
    from structron.metrics.attachment import (
        Attachment as Attachment,
        Relation as Relation,
        attachment as attachment,
    )
    from structron.metrics.bootstrap import Difference as Difference, paired_bootstrap as paired_bootstrap
    from structron.metrics.calibration import (
        Bin as Bin,
        Sigmoid as Sigmoid,
        calibration_error as calibration_error,
        reliability as reliability,
    )
    from structron.metrics.error_rate import (
        ErrorRate as ErrorRate,
        edit_distance as edit_distance,
        edits as edits,
        error_rate as error_rate,
        oracle_error_rate as oracle_error_rate,
        symbol_confusions as symbol_confusions,
    )
    from structron.metrics.meaning import (
        Understanding as Understanding,
        exact_match as exact_match,
        right_answers as right_answers,
        understanding as understanding,
    )
    from structron.metrics.reports import (
        Judgement as Judgement,
        LabelScore as LabelScore,
        Report as Report,
        Slice as Slice,
        difference as difference,
        judge_labels as judge_labels,
        judge_symbols as judge_symbols,
        judge_tags as judge_tags,
        judge_tree as judge_tree,
        report as report,
        score_of as score_of,
    )
    from structron.metrics.spans import Score as Score, Span as Span, span_f1 as span_f1, spans as spans

on_first_use(
    __name__,
    renamed={"Judged": "Judgement"}
    | {f"judged_{what}": f"judge_{what}" for what in ("labels", "symbols", "tags", "tree")},
)
