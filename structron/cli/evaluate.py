"""``structron evaluate``: how good a model is on labelled data."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import click

from structron.cli import inputs
from structron.errors import DataError

if TYPE_CHECKING:
    from structron.data import Names, Sentence
    from structron.estimators import Tagger


@click.command(short_help="Score a model on labelled data.")
@click.argument("model", type=click.Path())
@click.argument("gold", metavar="GOLD|-")
@click.option("--json", "as_json", is_flag=True, help="One machine-readable line.")
@click.option(
    "--confusions", type=click.IntRange(min=0), default=0, metavar="N", help="The N most frequent mistakes."
)
@inputs.format_option
@inputs.columns_option
@inputs.search_option
@inputs.skip_option
def evaluate(
    model: str,
    gold: str,
    as_json: bool,
    confusions: int,
    format_name: str | None,
    columns: Names | None,
    search: str | None,
    skip_bad: bool,
) -> None:
    """Score MODEL on the labelled sentences of GOLD.

    Accuracy by word and by sentence; where labels mark spans, precision, recall and F1 of spans, as conlleval
    counts them.
    """
    from structron.data import Report

    tagger = inputs.load_tagger(model, search)
    report = Report()
    with inputs.opened(gold) as (source, stream):
        sentences = list(
            inputs.read_for(tagger, stream, format_name, columns, skip_bad=skip_bad, report=report)
        )
    if said := inputs.told(report, source.name):
        click.echo(said, err=True)
    if not sentences:
        raise DataError(f"{source.name}: there are no sentences to score; check the file")
    figures = _measure(tagger, sentences, confusions) | {
        "model": model,
        "gold": source.name,
        "left_out": report.bad,
    }
    click.echo(json.dumps(figures) if as_json else _page(figures))


def _measure(tagger: Tagger, sentences: list[Sentence], confused: int) -> dict[str, Any]:
    from structron.data.labels import is_bio, is_span_label
    from structron.data.sentence import missing
    from structron.estimators.estimator import checksum
    from structron.metrics import accuracy, confusions, sentence_accuracy, span_f1

    gold = []
    for sentence in sentences:
        column = inputs.target_column(tagger, sentence)
        if sentence.format.find(column) is None:
            raise DataError(
                f"{sentence.place}: there are no labels to score against; give labelled sentences"
            )
        if error := missing(sentence, column):
            raise error
        gold.append(sentence.column(column))
    guess = tagger.predict(sentences)
    task = tagger.model_.task
    figures: dict[str, Any] = {
        "sentences": len(gold),
        "tokens": sum(map(len, gold)),
        "accuracy": accuracy(gold, guess),
        "sentence_accuracy": sentence_accuracy(gold, guess),
    }
    if is_bio(task.labels) and all(is_span_label(label) for labels in gold for label in labels):
        score = span_f1(gold, guess)
        figures |= {"precision": score.precision, "recall": score.recall, "f1": score.f1}
        figures["types"] = {
            kind: {"precision": s.precision, "recall": s.recall, "f1": s.f1, "gold": s.gold, "guess": s.guess}
            for kind, s in sorted(score.per_type.items())
        }
        figures["spans"] = {"right": score.right, "gold": score.gold, "guess": score.guess}
    if confused:
        figures["confusions"] = [found._asdict() for found in confusions(gold, guess)[:confused]]
    figures["search"] = str(tagger.model_.search)
    figures["signature"] = dict(tagger.model_.about.get("signature", {}))
    figures["signature"]["evaluated_on"] = checksum([sentence.words() for sentence in sentences], gold)
    return figures


def _page(figures: dict[str, Any]) -> str:
    words, sentences = figures["tokens"], figures["sentences"]
    lines = [
        f"accuracy           {100 * figures['accuracy']:7.2f} %   of {words:,} words",
        f"whole sentences    {100 * figures['sentence_accuracy']:7.2f} %   of {sentences:,} sentences",
    ]
    if "f1" in figures:
        lines += [f"span F1            {100 * figures['f1']:7.2f}", "", *_span_table(figures)]
    if figures.get("confusions"):
        width = max(len(c[side]) for c in figures["confusions"] for side in ("gold", "guess"))
        width = max(width, len("guess"))
        lines += ["", f"{'gold':{width}}  {'guess':{width}}  times"]
        for found in figures["confusions"]:
            lines.append(f"{found['gold']:{width}}  {found['guess']:{width}}  {found['times']:5,}")
    signature = " · ".join(f"{name} {value}" for name, value in figures["signature"].items())
    return "\n".join([*lines, "", f"{figures['search']} · {signature}"])


def _span_table(figures: dict[str, Any]) -> list[str]:
    width = max(len(kind) for kind in ["type", "all", *figures["types"]])
    lines = [f"{'type':{width}}  precision   recall       F1    gold   guess"]
    for kind, s in [*figures["types"].items(), ("all", figures | figures["spans"])]:
        shares = f"{100 * s['precision']:9.2f} {100 * s['recall']:8.2f} {100 * s['f1']:8.2f}"
        lines.append(f"{kind:{width}}  {shares} {s['gold']:7,} {s['guess']:7,}")
    return lines
