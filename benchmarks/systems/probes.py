"""Probes: texts with known sentences and tokens, in a short notation (`benchmarks/probes/`).

A line is a sentence, and lines without an empty line between them are a paragraph. Between two sentences
the text has a blank, or a line end if the line ends with ``⏎``. Within a sentence ``⏎`` is a line end, too.
What stands in braces is one token. Elsewhere a token is a number, a word with its inner apostrophes, a run
of dots, dashes, exclamation or question marks, or one character. ``##`` begins a group.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

FOLDER = Path(__file__).parents[1] / "probes"
_TOKEN = re.compile(
    r"\{([^}]+)\}|(\d+(?:[.,:]\d+)*|[^\W\d_]+(?:['’][^\W\d_]+)*|\.\.+|--+|[!?]+|>+|&[a-z]+;|\S)"
)

Span = tuple[int, int]


@dataclass
class Paragraph:
    """A paragraph: its group, its text, and where its sentences and tokens begin and end."""

    group: str
    text: str = ""
    sentences: list[Span] = field(default_factory=list)
    tokens: list[Span] = field(default_factory=list)

    def add(self, line: str) -> None:
        """Add a sentence in the notation."""
        text, begin = self.text, len(self.text)
        for piece in re.split(r"( |⏎)", line):
            if piece in (" ", "⏎"):
                text += " " if piece == " " else "\n"
                continue
            for match in _TOKEN.finditer(piece):
                token = match[1] or match[2]
                self.tokens.append((len(text), len(text) + len(token)))
                text += token
        self.sentences.append((begin, len(text.rstrip())))
        self.text = text if line.endswith("⏎") else text + " "


def read(name: str) -> Iterator[Paragraph]:
    """Yield the paragraphs of a probe."""
    group, open_one = "", None
    for line in [*(FOLDER / f"{name}.txt").read_text(encoding="utf-8").splitlines(), ""]:
        if line.startswith("## "):
            group = line[3:]
        elif line.strip():
            open_one = open_one or Paragraph(group)
            open_one.add(line)
        elif open_one is not None:
            open_one.text = open_one.text.rstrip()
            yield open_one
            open_one = None
