"""Template sets for units of text: `words` if runs of letters are units, `characters` if letters are.

A unit's word begins with a blank if white space stands before it, so that ``w[1]`` also shows whether the
next unit stands apart. The second column describes it by the known tokens, ``col(2)`` by what raw text
taught, and ``col(3)`` says where lines begin.
"""

from __future__ import annotations

_KNOWN = ["p[0]", "p[-1]", "p[1]", "p[-1] p[0]"]

_HABITS = [
    *[f"col(2)[{i}]" for i in (-2, -1, 0, 1)],
    "col(2)[-1] col(2)[0]",
    "col(2)[0] col(2)[1]",
    "col(2)[0] shape[1]",
    "col(2)[-1] shape[0]",
    "col(2)[-1] col(2)[0] shape[0]",
    "col(2)[0] col(2)[1] shape[1]",
    "col(2)[0] shape[0] w[-1]",
    "col(2)[0] shape[0] shape[-1]",
    "col(2)[-2] w[-1] col(2)[0]",
    "t[-1] col(2)[-1] shape[0]",
    "t[-1] col(2)[-1] col(2)[0]",
]
_LINES = [
    "col(3)[0]",
    "col(3)[0] w[0]",
    "col(3)[0] w[-1]",
    "col(3)[0] shape[0]",
    "col(3)[0] shape[-1] shape[0]",
    "col(3)[0] lower[-1]",
    "col(3)[0] col(2)[0] shape[0]",
    "col(3)[0] w[0] shape[1]",
    "col(3)[0] w[-1] w[0] shape[1]",
    "col(3)[0] w[0] w[1] shape[2]",
    "col(3)[-1] w[-1] shape[0]",
    "col(3)[-1] w[-1] t[-1]",
    "col(3)[1]",
]

WORDS = [
    "bias",
    *[f"w[{i}]" for i in (-3, -2, -1, 0, 1, 2, 3)],
    *[f"lower[{i}]" for i in (-1, 0, 1)],
    *[f"shape[{i}]" for i in (-3, -2, -1, 0, 1, 2, 3)],
    *[f"lprefix({n})[0]" for n in (2, 3, 4)],
    *[f"lsuffix({n})[{i}]" for n in (1, 2, 3) for i in (-1, 0)],
    "lower[-2] lower[-1]",
    "lower[-1] lower[0]",
    "lower[0] lower[1]",
    "lower[0] lower[1] lower[2]",
    "lower[1] shape[2]",
    "shape[-2] shape[-1] shape[0]",
    "shape[-1] shape[0] shape[1]",
    "w[-1] shape[0] shape[1]",
    "lower[-2] lower[-1] shape[0]",
    *_KNOWN,
    *_HABITS,
    *_LINES,
    "t[-1]",
    "t[-2] t[-1]",
    "t[-1] w[0]",
    "t[-1] w[-1]",
]

CHARACTERS = [
    "bias",
    *[f"w[{i}]" for i in (-2, -1, 0, 1, 2)],
    *[f"w[{i}] w[{i + 1}]" for i in (-2, -1, 0, 1)],
    "w[-1] w[1]",
    *[f"w[{i}] w[{i + 1}] w[{i + 2}]" for i in (-2, -1, 0)],
    *[f"shape[{i}]" for i in (-1, 0, 1)],
    "shape[-1] shape[0] shape[1]",
    *_KNOWN,
    "p[0] p[1]",
    "w[0] p[0]",
    "t[-1]",
    "t[-1] w[0]",
]

PRESETS: dict[str, list[str]] = {"words": WORDS, "characters": CHARACTERS}
