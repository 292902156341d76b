"""Figures of spans: all of them, and by type."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from structron.cli.task_cli import Plain
    from structron.metrics.spans import Score


def span_figures(score: Score) -> Plain:
    """Return precision, recall and F1 as plain data."""
    return {
        "precision": score.precision,
        "recall": score.recall,
        "f1": score.f1,
        "types": {
            kind: {"precision": s.precision, "recall": s.recall, "f1": s.f1, "gold": s.gold, "guess": s.guess}
            for kind, s in sorted(score.per_type.items())
        },
        "spans": {"right": score.right, "gold": score.gold, "guess": score.guess},
    }


def span_table(figures: Plain) -> list[str]:
    """Return them as lines, the total last."""
    width = max(len(kind) for kind in ["type", "all", *figures["types"]])
    lines = [f"{'type':{width}}  precision   recall       F1    gold   guess"]
    for kind, s in [*figures["types"].items(), ("all", figures | figures["spans"])]:
        shares = f"{100 * s['precision']:9.2f} {100 * s['recall']:8.2f} {100 * s['f1']:8.2f}"
        lines.append(f"{kind:{width}}  {shares} {s['gold']:7,} {s['guess']:7,}")
    return lines
