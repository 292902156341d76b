"""A dependency tree for the eye: one word a line, its arcs to the left; `structron.io.values.tree_svg` has
SVG.

Pure functions: nothing here prints, and colours are those that `click.echo` takes out for files and pipes.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import click

from structron.io.values.tree_svg import Arcs, Spans, cells, tree_svg

__all__ = ["cells", "draw_tree", "fit", "pad", "tree_svg"]

_UP, _DOWN, _LEFT, _RIGHT = 1, 2, 4, 8
_LINES = dict(zip((0, 1, 2, 3, 5, 6, 7, 9, 10, 11, 4, 8, 12, 13, 14, 15), " ╵╷│╯╮┤╰╭├╴╶─┴┬┼"))
_PLAIN = str.maketrans("╵╷│╯╮┤╰╭├╴╶─┴┬┼…", "|||'.+`,+---+++~")


def draw_tree(
    words: Sequence[str],
    guess: Arcs,
    *,
    tags: Sequence[str] | None = None,
    gold: Arcs | None = None,
    spans: Spans = (),
    width: int = 80,
    plain: bool = False,
) -> Iterator[str]:
    """Draw a tree line by line: a word hangs on the line from its head, its own words on its line.

    Parameters
    ----------
    guess
        The tree; of two empty lists words and tags are drawn alone.
    gold
        Where it differs from the guess, the line says so.
    spans
        What is bracketed on the right: the first word, from 0, the one after the last, and a label.
    width
        No line is longer; what does not fit is cut with a …
    plain
        Only ASCII in the drawing, for terminals without Unicode.

    Examples
    --------
    >>> print(*draw_tree(["time", "flies", "."], ([2, 0, 2], ["nsubj", "root", "punct"])), sep="\\n")
    ╭── time   nsubj
    ┼── flies  root
    ╰── .      punct
    """
    heads, labels = guess
    picture = _arcs(heads, max(4, width // 2)) if heads else [""] * len(words)
    beside = _brackets(spans, len(words))
    width -= max(map(cells, beside), default=0)
    longest = max(map(cells, words), default=0)
    room = width - max(map(len, picture), default=0) - 1
    form = min(longest, max(8, room // 2))
    tagged = max(map(len, tags), default=0) if tags else 0
    lines = []
    for i, word in enumerate(words):
        text = f"{picture[i]} {pad(word, form)}" if heads else pad(word, form)
        if tags:
            text += f"  {tags[i]:{tagged}}"
        text += f"  {labels[i]}" if labels else ""
        wrong = "" if gold is None else _wrong(words, (heads[i], labels[i]), (gold[0][i], gold[1][i]))
        if plain:
            text, wrong = text.translate(_PLAIN), wrong.replace("✗", "x")
        text = fit(text, width, plain)
        lines.append((text, fit(wrong, max(0, width - cells(text)), plain)))
    edge = max((cells(text) + cells(wrong) for text, wrong in lines), default=0)
    for (text, wrong), bracket in zip(lines, beside):
        line = text + click.style(wrong, fg="red") if wrong.strip() else text
        if not bracket:
            yield line.rstrip()
            continue
        bracket = bracket.translate(_PLAIN) if plain else bracket
        yield line + " " * (edge - cells(text) - cells(wrong)) + click.style(bracket, fg="cyan")


def _wrong(words: Sequence[str], guess: tuple[int, str], gold: tuple[int, str]) -> str:
    """Return gold's arc where it differs, otherwise nothing."""
    head, label = gold
    if guess == gold:
        return ""
    return f"  ✗ gold: {label} of {words[head - 1]}" if head else f"  ✗ gold: {label}, the root"


def _brackets(spans: Spans, count: int) -> list[str]:
    """Return the text after each word: the bracket of its span, with the label on the first line."""
    beside = [""] * count
    for first, beyond, label in spans:
        middle = "  │ "
        beside[first:beyond] = [middle] * (beyond - first)
        beside[beyond - 1] = "  ╯ "
        beside[first] = f"  {'╮' if beyond - first > 1 else '╶'} {fit(label, 20)}"
    return [bracket.rstrip() for bracket in beside]


def _arcs(heads: Sequence[int], room: int) -> list[str]:
    """Draw the lines before the words: each head has a column for the line down its words."""
    spans = _spans(heads)
    columns = _columns(heads, spans)
    last = max(columns.values(), default=0)
    step = 2 if 2 * last + 3 <= room else 1
    grid = [[0] * (step * last + 3) for _ in heads]
    for word, head in enumerate(heads, 1):
        row = grid[word - 1]
        begin = step * columns[head] if head else -1
        if head:
            row[begin] |= _RIGHT
        for column in range(begin + 1, len(row)):
            row[column] |= _LEFT | _RIGHT
    for head, (first, end) in spans.items():
        at = step * columns[head]
        for word in range(first, end + 1):
            row = grid[word - 1]
            if word == head or heads[word - 1] == head:
                row[at] |= (_UP if word > first else 0) | (_DOWN if word < end else 0)
            else:
                row[at] = _UP | _DOWN  # over the line of another word, if there is one: no joint
    return ["".join(_LINES[cell] for cell in row) for row in grid]


def _spans(heads: Sequence[int]) -> dict[int, tuple[int, int]]:
    """Return, for each head, the first and the last row of the line its words hang on."""
    spans: dict[int, tuple[int, int]] = {}
    for word, head in enumerate(heads, 1):
        if head:
            first, last = spans.get(head, (head, head))
            spans[head] = (min(first, word), max(last, word))
    return spans


def _columns(heads: Sequence[int], spans: dict[int, tuple[int, int]]) -> dict[int, int]:
    """Give each line a column to the right of its head's, where no other line passes."""
    columns: dict[int, int] = {}
    for head in sorted(spans, key=lambda head: (_depth(heads, head), head)):
        first, last = spans[head]
        # In a projective tree the next one is always free.
        taken = {columns[h] for h in columns if spans[h][0] <= last and first <= spans[h][1]}
        above = heads[head - 1]
        column = columns[above] + 1 if above else 0
        while column in taken:
            column += 1
        columns[head] = column
    return columns


def _depth(heads: Sequence[int], word: int) -> int:
    depth = 0
    while heads[word - 1] and depth < len(heads):
        word, depth = heads[word - 1], depth + 1
    return depth


def fit(text: str, width: int, plain: bool = False) -> str:
    """Cut the text with a … where it is wider."""
    if cells(text) <= width:
        return text
    while text and cells(text) > width - 1:
        text = text[:-1]
    return (text + ("~" if plain else "…"))[:width] if width else ""


def pad(text: str, width: int) -> str:
    """Fit the text to a number of columns."""
    text = fit(text, width)
    return text + " " * (width - cells(text))
