"""``structron explain``: the names and weights of the features behind a prediction."""

from __future__ import annotations

import itertools
import json
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import click

from structron.cli import task_cli
from structron.cli.command_list import HELP, LongHelp
from structron.cli.draw.trees import fit, pad
from structron.cli.files import streams
from structron.cli.files.text_arguments import told
from structron.cli.task_cli import Plain, Reading
from structron.errors import DataError, SettingError

if TYPE_CHECKING:
    from structron.cli.task_cli import AnyTaskCLI
    from structron.explaining import Decision, Explanation
    from structron.fit.estimator import AnyEstimator
    from structron.io import Names

NAME = 52  # characters of a feature's name: lines stay within 80
MOST = 2000  # examples of a corpus that features are looked for in


@click.command(cls=LongHelp, basic=("place", "sentence", "top", "as_json"), short_help=HELP["explain"])
@click.argument("model", type=click.Path())
@click.argument("words", metavar='["SOME WORDS"]', required=False)
@click.option("--input", "place", metavar="FILE", help="Take an example from a file.")
@click.option(
    "--sentence", type=click.IntRange(min=1), default=1, metavar="N", help="Which example of the file  [1]"
)
@click.option(
    "--top", type=click.IntRange(min=0), default=6, metavar="N", help="Features shown for a decision  [6]"
)
@click.option("--json", "as_json", is_flag=True, help="Print one line of JSON, with all features.")
@streams.search_option
@streams.format_option
@streams.columns_option
@streams.encoding_option
def explain(
    model: str,
    words: str | None,
    place: str | None,
    sentence: int,
    top: int,
    as_json: bool,
    search: str | None,
    format_name: str | None,
    columns: Names | None,
    encoding: str,
) -> None:
    """Explain what MODEL predicts for one input, decision by decision.

    Each decision is compared with the best other choice after the same history. Every feature is listed with
    what it adds to the score of each; together they add up to the score of the output. Give words as for
    `predict`: for a parser without a tagger, as word/tag.
    """
    if (words is None) == (place is None):
        raise click.UsageError("give the words of a sentence, or --input FILE")
    if place is None and sentence > 1:
        raise SettingError("--sentence is for --input; leave it out")
    if words is not None and not words.strip():
        raise SettingError("there are no words; give some between quotes")
    task, estimator = task_cli.load(model, search)
    words = words and told(words)
    reading = Reading(format_name, columns, encoding=encoding)
    item = next(itertools.islice(_items(task, estimator, words, place, reading), sentence - 1, None), None)
    if item is None or not len(item):
        if place is None:
            raise SettingError("there are no words; give some between quotes")
        raise DataError(f"{place}: there is no example {sentence}; check the file")
    found = estimator.explain(item)
    # A pipeline has one for each of its stages.
    stages: dict[str, Explanation] = found if isinstance(found, dict) else {"": found}
    if as_json:
        plain = {name: each.as_dict() for name, each in stages.items()}
        click.echo(json.dumps(plain.get("", plain)))
        return
    for number, (name, each) in enumerate(stages.items()):
        if name:
            click.echo(f"{chr(10) if number else ''}== {name}")
        click.echo("\n".join(_page(each, top)))


def _items(
    task: AnyTaskCLI,
    estimator: AnyEstimator,
    words: str | None,
    place: str | None,
    reading: Reading,
) -> Iterator[Any]:
    from structron.io import Report

    if words is not None and isinstance(task, task_cli.Staged):
        yield words.strip()  # explained from the text on
        return
    opened = streams.given(f"{words}\n") if words is not None else streams.opened(str(place))
    with opened as (_, stream):
        for item in task.read(estimator, stream, replace(reading, blanks=True), Report()):
            yield from task.inputs(estimator, [item])


def _page(found: Explanation, top: int) -> Iterator[str]:
    yield _cut(f"output  {found.output}", 80)
    yield f"score   {found.score:.2f}, the sum of what is chosen below"
    for each in found.decisions:
        yield ""
        yield from _decision(each, top)


def _decision(each: Decision, top: int) -> Iterator[str]:
    def sums(guess: float, runner_up: float) -> str:
        return f"{guess:+11.2f}" + ("" if each.runner_up is None else f" {runner_up:+11.2f}")

    head = pad(f"{each.about} → {each.guess}".replace("\t", " "), NAME + 2)
    yield click.style(head, bold=True) + f" {sums(each.score, each.runner_up_score)}"
    if each.runner_up is not None:
        yield f"  {'':{NAME}} {_cut(each.guess, 11):>11} {_cut(each.runner_up, 11):>11}"
    for feature in each.features[:top]:
        yield f"  {pad(feature.name, NAME)} {sums(feature.guess, feature.runner_up)}"
    if rest := each.features[top:]:
        left = sums(sum(f.guess for f in rest), sum(f.runner_up for f in rest))
        yield f"  {f'{len(rest)} more':{NAME}} {left}"


def _cut(text: str, width: int) -> str:
    return fit(text.replace("\t", " "), width)  # a tab is between tags that are found together


# ------------------------------------------------------------------------------------------------ of a corpus


def strongest_features(
    model: str, corpus: str, reading: Reading, top: int, label: str | None
) -> dict[str, list[Plain]]:
    """Return the strongest features that fire on the first examples of a file, by stage or for the model."""
    task, estimator = task_cli.load(model)
    items = [
        item for item in itertools.islice(_items(task, estimator, None, corpus, reading), MOST) if len(item)
    ]
    if not items:
        raise DataError(f"{corpus}: there are no {task.items} to look at; check the file")
    found = estimator.strongest(items, top, label)
    stages = found if isinstance(found, dict) else {"": found}
    return {name: [each._asdict() for each in own] for name, own in stages.items()}


def strongest_lines(found: Sequence[Plain]) -> list[str]:
    """Lay out strongest features as a table."""
    if not found:
        return ["no feature of these examples has a weight"]
    width = min(16, max(len("label"), *(len(each["label"]) for each in found)))
    lines = [click.style(f"{'weight':>9} {'times':>7}  {'label':{width}}  feature", bold=True)]
    for each in found:
        name = _cut(each["name"], 60 - width)
        lines.append(f"{each['weight']:+9.3f} {each['times']:7,}  {pad(each['label'], width)}  {name}")
    return lines
