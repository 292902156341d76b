"""Confidences beside predictions, in the place that each format has for them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

import click

from structron import registry
from structron.cli import task_cli
from structron.errors import SettingError

if TYPE_CHECKING:
    from structron.cli.task_cli import AnyTaskCLI
    from structron.fit.confidence import Confidence
    from structron.fit.estimator import AnyEstimator


calibrate_option = click.option(
    "--calibrate",
    is_flag=True,
    help="Learn from --dev, after training, how sure the model can be; for predict --confidence.",
)


def check_calibrate(task: str, dev: object) -> None:
    """Refuse to calibrate without data, or what has no margins, before anything is read."""
    if dev is None:
        raise SettingError("--calibrate learns from development data; give --dev")
    check_judging(registry.cli_of(task), "--calibrate")


def check_judging(task: AnyTaskCLI, option: str) -> None:
    """Refuse tasks whose outputs are not right or wrong part by part."""
    if not isinstance(task, task_cli.Judging) or not getattr(task, "has_confidence", True):
        raise SettingError(
            f"{option} is not for {task.estimator.kind}, whose outputs are not right or wrong part by part; "
            "structron select lists those that a model is least sure of"
        )


def with_confidence(predicted: Iterable[Any], items: Sequence[Any], estimator: AnyEstimator) -> Iterator[Any]:
    """Add to predictions how likely they are right."""
    for item, output, sure in zip(items, predicted, estimator.predict_confidence(items), strict=True):
        if not len(item):
            yield output
        elif isinstance(output, str):
            yield f"{output.removesuffix(chr(10))}\t{sure.whole:.4f}\n"
        elif isinstance(output, task_cli.Certain):
            yield output.with_confidence(f"{sure.whole:.4f}")
        else:
            yield _in_sentence(output, sure)


def _in_sentence(sentence: Any, sure: Confidence) -> Any:
    """Write confidences: in CoNLL-U to MISC and a comment; in columns to one more; else in front of the
    line."""
    whole, parts = f"{sure.whole:.4f}", [f"{part:.4f}" for part in sure.parts]
    name = sentence.format.name
    if name == "conllu":
        before = sentence.column("misc")
        notes = [
            f"Conf={own}" if old in ("_", "") else f"{old}|Conf={own}" for old, own in zip(before, parts)
        ]
        found = sentence.with_column("misc", notes)
        found.comments = [*found.comments, f"# confidence = {whole}"]
        return found
    if name == "columns":
        return sentence.with_column("confidence", parts)
    sentence.comments = [*sentence.comments, whole]
    return sentence
