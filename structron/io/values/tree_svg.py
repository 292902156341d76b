"""Dependency trees as SVG pictures: words in a row, arcs above them.

A pure function from words and arcs to text, for whoever writes pictures: commands and notebooks.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from html import escape

Arcs = tuple[Sequence[int], Sequence[str]]  # heads (0 is the root) and relations
Spans = Sequence[tuple[int, int, str]]  # the first word, from 0, the one after the last, and a label

_FONT, _CHAR, _LEVEL, _GAP, _EDGE = 15, 8.2, 30, 18, 16
_GUESS, _WRONG, _GOLD, _SPAN = "#444444", "#c62828", "#1565c0", "#00695c"


def cells(text: str) -> int:
    """Count the columns a text takes in a terminal: some characters take two, combining ones none."""
    wide = sum(unicodedata.east_asian_width(c) in "WF" for c in text)
    return len(text) + wide - sum(unicodedata.combining(c) > 0 for c in text)


def tree_svg(
    words: Sequence[str],
    guess: Arcs,
    *,
    tags: Sequence[str] | None = None,
    gold: Arcs | None = None,
    spans: Spans = (),
) -> str:
    """Draw a tree as an SVG picture: words in a row, labelled arcs above them from head to word.

    With `gold`, wrong arcs of the guess are red, and the gold ones in their place blue and dashed. `spans`
    are lines below the words, with their labels.
    """
    arcs = [(head, word, label, _GUESS) for word, (head, label) in enumerate(zip(*guess), 1)]
    if gold is not None:
        for word, right in enumerate(zip(*gold), 1):
            if right != (guess[0][word - 1], guess[1][word - 1]):
                arcs[word - 1] = (*arcs[word - 1][:3], _WRONG)
                arcs.append((right[0], word, right[1], _GOLD))
    levels = _levels([(head, word) for head, word, _, _ in arcs])
    places, width = _places(words, tags, arcs)
    base = _EDGE + _LEVEL * (max(levels, default=0) + 1)
    height = base + 2.6 * _FONT + (1.4 * _FONT if tags else 0) + (1.4 * _FONT if spans else 0)
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:.0f}" height="{height:.0f}" '
        f'viewBox="0 0 {width:.0f} {height:.0f}" font-family="DejaVu Sans, Helvetica, sans-serif" '
        f'font-size="{_FONT}" text-anchor="middle">',
        f'<rect width="{width:.0f}" height="{height:.0f}" fill="#ffffff"/>',
    ]
    starts = _starts(arcs, places)
    for (_, word, label, colour), level, (begin, end) in zip(arcs, levels, starts):
        lines += _arc(begin if begin is not None else places[word - 1], end, base, level, label, colour)
    for i, form in enumerate(words):
        lines.append(f'<text x="{places[i]:.1f}" y="{base + 1.4 * _FONT:.1f}">{_xml(form)}</text>')
        if tags:
            small = f'font-size="{_FONT - 4}" fill="#888888"'
            lines.append(
                f'<text x="{places[i]:.1f}" y="{base + 2.6 * _FONT:.1f}" {small}>{_xml(tags[i])}</text>'
            )
    below = base + (3.2 if tags else 2.0) * _FONT
    for first, beyond, label in spans:
        lines += _span(words, places, first, beyond, below, label)
    return "\n".join([*lines, "</svg>", ""])


def _span(
    words: Sequence[str], places: Sequence[float], first: int, beyond: int, at: float, label: str
) -> list[str]:
    """Draw the line under the words of a span, and its label."""
    ends = [(places[i], max(cells(words[i]), 2) * _CHAR / 2) for i in (first, beyond - 1)]
    begin, end = ends[0][0] - ends[0][1], ends[1][0] + ends[1][1]
    small = f'font-size="{_FONT - 4}" fill="{_SPAN}"'
    return [
        f'<path d="M{begin:.1f},{at:.1f} L{end:.1f},{at:.1f}" stroke="{_SPAN}" stroke-width="2"/>',
        f'<text x="{(begin + end) / 2:.1f}" y="{at + 1.1 * _FONT:.1f}" {small}>{_xml(label)}</text>',
    ]


def _xml(text: str) -> str:
    """Remove the characters that XML cannot hold."""
    return escape("".join(c if c >= " " and not 0xD800 <= ord(c) < 0xE000 else "\ufffd" for c in text))


def _levels(arcs: Sequence[tuple[int, int]]) -> list[int]:
    """Return the height of each arc: above all shorter arcs it overlaps; root arcs are the highest."""
    levels = [0] * len(arcs)
    done: list[tuple[int, int, int]] = []
    for i in sorted(range(len(arcs)), key=lambda i: (abs(arcs[i][0] - arcs[i][1]), i)):
        low, high = sorted(arcs[i])
        if low:
            levels[i] = 1 + max((lv for lo, hi, lv in done if lo < high and low < hi), default=-1)
            done.append((low, high, levels[i]))
    top = 1 + max((level for *_, level in done), default=-1)
    return [level if head else top for level, (head, _) in zip(levels, arcs)]


def _places(
    words: Sequence[str], tags: Sequence[str] | None, arcs: Sequence[tuple[int, int, str, str]]
) -> tuple[list[float], float]:
    """Return the middle of each word, spaced so that the relations between neighbours fit, and the width."""
    need = [max(cells(word), len(tags[i]) if tags else 0, 2) * _CHAR for i, word in enumerate(words)]
    places: list[float] = []
    for i, size in enumerate(need):
        if not places:
            places.append(_EDGE + size / 2 + 12)
            continue
        labels = [len(label) for head, word, label, _ in arcs if {head, word} == {i, i + 1} and head]
        apart = max((need[i - 1] + size) / 2 + _GAP, max(labels, default=0) * 0.8 * _CHAR + 2 * _GAP)
        places.append(places[-1] + apart)
    right = (places[-1] + need[-1] / 2 if places else 0.0) + _EDGE + 12
    return places, max(right, 60.0)


def _starts(
    arcs: Sequence[tuple[int, int, str, str]], places: Sequence[float]
) -> list[tuple[float | None, float]]:
    """Return the two ends of each arc: arcs on one side of a word stand a little apart, long ones inside."""
    ends: dict[tuple[int, int], list[int]] = {}  # (word, side) -> arcs that touch it there
    for number, (head, word, _, _) in enumerate(arcs):
        if head:
            side = 1 if head < word else -1
            ends.setdefault((head, side), []).append(number)
            ends.setdefault((word, -side), []).append(number)
    shift: dict[tuple[int, int], float] = {}
    for (word, side), numbers in ends.items():
        numbers.sort(key=lambda n: -abs(arcs[n][0] - arcs[n][1]))
        for rank, number in enumerate(numbers):
            shift[word, number] = side * (3.0 + 3.0 * min(rank, 3))
    return [
        (places[head - 1] + shift[head, n] if head else None, places[word - 1] + shift.get((word, n), 0.0))
        for n, (head, word, _, _) in enumerate(arcs)
    ]


def _arc(begin: float, end: float, base: float, level: int, label: str, colour: str) -> list[str]:
    top = base - _LEVEL * (level + 1) + 8
    if abs(begin - end) < 1.0:  # the root: straight from above
        path = _path("ML", (end, top), (end, base - 3))
    else:
        bend = min(12.0, abs(end - begin) / 2) * (1 if end > begin else -1)
        up = [(begin, base), (begin, top + 8), (begin, top), (begin + bend, top)]
        down = [(end - bend, top), (end, top), (end, top + 8), (end, base - 3)]
        path = _path("MLQ LQ L", *up, *down)
    dashed = ' stroke-dasharray="5 3"' if colour == _GOLD else ""
    at = f'x="{(begin + end) / 2:.1f}" y="{top - 3:.1f}"'
    return [
        f'<path d="{path}" fill="none" stroke="{colour}"{dashed}/>',
        f'<path d="M{end:.1f},{base:.1f} l-3.5,-7 l7,0 z" fill="{colour}"/>',
        f'<text {at} font-size="{_FONT - 4}" fill="{colour}">{_xml(label)}</text>',
    ]


def _path(commands: str, *points: tuple[float, float]) -> str:
    return " ".join(f"{command.strip()}{x:.1f},{y:.1f}" for command, (x, y) in zip(commands, points))
