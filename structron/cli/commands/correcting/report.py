"""The report of a correction, as lines and as plain data."""

from __future__ import annotations

import shutil
import textwrap
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import click

from structron.cli.terminal.counting import counted, first_names

if TYPE_CHECKING:
    from structron.fit.correcting.correction import Correction

SHOWN = 10  # examples that cannot hold, and examples that changed
MOST = 3  # differences of one example


def pages(stages: Mapping[str, Correction], items: str) -> list[str]:
    """Return the report on each stage of a model; a model without stages has one, without a name."""
    if not stages:
        return ["every stage is right; nothing has to change"]
    lines: list[str] = []
    for name, found in stages.items():
        told_of = [folded for line in told(found, items) for folded in _folded(line)]
        lines += [*([""] if lines else []), *([f"== {name}"] if name else []), *told_of]
    return lines


def _folded(line: str) -> list[str]:
    """Return a line as several where the terminal is narrower."""
    room = min(shutil.get_terminal_size((80, 24)).columns, 108)
    return textwrap.wrap(
        line, room, subsequent_indent=" " * 8, break_long_words=False, break_on_hyphens=False
    )


def told(found: Correction, items: str) -> list[str]:
    """Return the report: the answer first, then side effects, then the size of the change."""
    cannot = [each for each in found.outcomes if not each.holds]
    lines = [click.style(_answer(found), bold=True)]
    lines += [f"{'cannot':8}{_reason(each)}" for each in cannot[:SHOWN]]
    if len(cannot) > SHOWN:
        lines.append(f"{'':8}and {len(cannot) - SHOWN:,} more, which --json tells")
    if found.new_labels:
        word = "label" if len(found.new_labels) == 1 else "labels"
        lines.append(f"{'new':8}{word} {first_names(found.new_labels)}")
    lines += _kept(found, items)
    if found.change.cells:
        size = (
            f"{counted(found.change.cells, 'weights')}, length {found.size:.2f}, largest {found.largest:.2f}"
        )
        lines.append(f"{'change':8}{size}")
        work = f"margin {found.margin:g}, {counted(found.rounds, 'rounds')}"
        lines.append(f"{'':8}{work}, {counted(found.constraints, 'constraints')}")
    else:
        lines.append(f"{'change':8}none")
    return lines


def _answer(found: Correction) -> str:
    all_of, hold = len(found.outcomes), found.hold
    verb = "holds" if hold == 1 or all_of == 1 else "hold"
    answer = f"{hold:,} of {counted(all_of, 'corrections')} {verb}"
    if found.were_right:
        answer += f", {found.were_right:,} {'was' if found.were_right == 1 else 'were'} right before"
    return answer


def _reason(outcome: Any) -> str:
    place, said = str(outcome).split(": cannot hold, ", 1)
    return f"{place}: {said}"


def _kept(found: Correction, items: str) -> list[str]:
    if not found.kept:
        return [f"{'kept':8}nothing; --keep names data that stay right, train --memory lets a model remember"]
    if not found.moved:
        return [f"{'kept':8}nothing else of {counted(found.kept, items)} changed"]
    were = "was" if found.kept == 1 else "were"
    right = f"{found.kept_right:,} of {counted(found.kept, items)} {were} right"
    stay = "all are still right" if not found.broken else f"{found.broken:,} of them are wrong now"
    lines = [f"{'kept':8}{right}, {stay}"]
    other = len(found.moved) - found.mended - found.broken
    lines.append(
        f"{'':8}{found.mended:,} {'is' if found.mended == 1 else 'are'} right that "
        f"{'was' if found.mended == 1 else 'were'} wrong, {other:,} wrong in another way"
    )
    for each in found.moved[:SHOWN]:
        verdict = "right now" if each.is_right else "wrong now" if each.was_right else "wrong as before"
        lines.append(f"{'changed':8}{each.place}: {differences(each.before, each.after)} ({verdict})")
    if len(found.moved) > SHOWN:
        lines.append(f"{'':8}and {len(found.moved) - SHOWN:,} more, which --json tells")
    return lines


def differences(before: Any, after: Any) -> str:
    """Return in which parts two outputs differ, each with its number from 1; of texts the tokens."""
    if isinstance(before, tuple) and all(isinstance(each, list) for each in (*before, *after)):
        before, after = (list(zip(*output)) for output in (before, after))
    if not isinstance(before, list) or not isinstance(after, list):
        return f"{_shown(before)} is {_shown(after)}"
    if any(isinstance(part, list) for part in (*before, *after)):
        return _listed(_in_text(before, after))
    if len(before) != len(after):
        return f"{_shown(before)} is {_shown(after)}"
    pairs = enumerate(zip(before, after), 1)
    return _listed(f"{i} {_shown(a)} is {_shown(b)}" for i, (a, b) in pairs if a != b)


def _listed(parts: Iterable[str]) -> str:
    """Return the first of what differs, and how much more does."""
    found = list(parts)
    return ", ".join(found[:MOST]) + (f" and {len(found) - MOST} more" if len(found) > MOST else "")


def _in_text(before: Sequence[Sequence[Any]], after: Sequence[Sequence[Any]]) -> Iterator[str]:
    """Yield where sentences of tokens differ, with a bar where a sentence ends."""
    from difflib import SequenceMatcher

    one, other = ([token for sentence in each for token in (*sentence, "|")] for each in (before, after))
    for what, i, j, k, m in SequenceMatcher(None, one, other, autojunk=False).get_opcodes():
        if what != "equal":
            # Where only the end of a sentence differs, the token before it says which.
            first = 1 if i and not {*one[i:j], *other[k:m]} - {"|"} else 0
            was, now = [*map(_shown, one[i - first : j])], [*map(_shown, other[k - first : m])]
            yield f"{_shown(was)} is {_shown(now)}"


def _shown(part: Any) -> str:
    if isinstance(part, tuple):
        return ":".join(map(str, part))
    text = " ".join(map(str, part)) if isinstance(part, list) else str(part)
    return text if len(text) <= 40 else text[:39] + "…"


def undone(about: Mapping[str, Any]) -> str:
    """Return the report on a correction that was taken back."""
    stages = about.get("stages")
    return f"taken back: {', '.join(stages) if stages else described(about)}"


def described(about: Mapping[str, Any]) -> str:
    """Return one correction of a model in a line, from what its file says of it."""
    said = f"{about.get('hold')} of {about.get('examples')} examples"
    size = about.get("size")
    length = f"{size:.2f}" if isinstance(size, float) else size
    new = about.get("labels")
    labels = f", new labels {first_names(new)}" if isinstance(new, list) and new else ""
    return f"{said}, {about.get('kept')} kept, {about.get('moved')} of them changed, length {length}{labels}"


def plain(found: Correction) -> dict[str, Any]:
    """Return all of it as plain data."""
    return found.record() | {
        "were_right": found.were_right,
        "kept_right": found.kept_right,
        "broken": found.broken,
        "mended": found.mended,
        "weights": found.change.cells,
        "largest": found.largest,
        "rounds": found.rounds,
        "constraints": found.constraints,
        "reasons": dict(Counter(each.reason for each in found.outcomes if each.reason)),
        "cannot": [_plain_outcome(each) for each in found.outcomes if not each.holds],
        "changed": [
            {
                "place": each.place,
                "differences": differences(each.before, each.after),
                "was_right": each.was_right,
                "is_right": each.is_right,
            }
            for each in found.moved
        ],
    }


def _plain_outcome(outcome: Any) -> dict[str, Any]:
    return {"place": outcome.place, "reason": outcome.reason, "detail": outcome.detail}
