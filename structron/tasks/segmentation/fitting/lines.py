"""Lines of text, which treebanks have lost: passages are wrapped, quoted and listed again.

In mail and on the web a line end may be anything: wrapped text, the end of a heading, the next item of a
list. A treebank's text has blanks there. Some of its passages are learned from a second time, with line
ends: text that is wrapped at some width, the same quoted with ``>``, and sentences on lines of their own,
with or without a mark before each.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence

from structron.segments.boundaries import SENTENCE, SomeTokens, Token
from structron.tasks.segmentation.units.habits import NARROWEST

SHARE = 0.5  # of the passages with several sentences, or long enough to be wrapped
WIDTHS = (NARROWEST, 78)
MARKS = ("-", "*", "\u2022", "-", "*")
SEED = 40

Written = tuple[str, list[Token]]


def with_lines(xs: Sequence[str], ys: Sequence[Sequence[Token]]) -> tuple[list[str], list[list[Token]]]:
    """Return texts and tokens, and after them some again with line ends."""
    chance = random.Random(SEED)
    texts, tokens = list(xs), [y if isinstance(y, SomeTokens) else list(y) for y in ys]
    ways: list[Callable[[str, Sequence[Token], random.Random], Written]]
    ways = [_wrapped, _wrapped, _quoted, _listed, _apart, _headed]
    for text, gold in zip(xs, ys):
        if chance.random() < SHARE and len(gold) > 3 and not isinstance(gold, SomeTokens):
            made = chance.choice(ways)(text, gold, chance)
            texts.append(made[0])
            tokens.append(made[1])
    return texts, tokens


class _Writer:
    """A text under construction, token by token."""

    def __init__(self) -> None:
        self.text = ""
        self.tokens: list[Token] = []

    def put(self, before: str, form: str, flags: int) -> None:
        """Add a token after some white space."""
        self.text += before
        self.tokens.append((len(self.text), len(self.text) + len(form), flags))
        self.text += form

    @property
    def column(self) -> int:
        """Return the number of characters of the line that is open."""
        return len(self.text) - self.text.rfind("\n") - 1


def _rewritten(
    text: str, gold: Sequence[Token], breaks: Callable[[_Writer, int, int], bool], mark: str, marks_all: bool
) -> Written:
    """Write tokens anew; `breaks` says whether white space before a token becomes a line end.

    A mark goes before each line, or before those that begin a sentence; it begins the sentence then.
    """
    out = _Writer()
    last = 0
    for number, (begin, end, flags) in enumerate(gold):
        white = text[last:begin]
        line = not out.tokens or (white != "" and breaks(out, number, _word_end(text, begin) - begin))
        if line and out.tokens:
            white = "\n"
        if line and mark and (marks_all or flags & SENTENCE):
            out.put(white, mark, flags & SENTENCE)
            white, flags = " ", flags & ~SENTENCE
        out.put(white, text[begin:end], flags)
        last = end
    return out.text, out.tokens


def _word_end(text: str, begin: int) -> int:
    while begin < len(text) and not text[begin].isspace():
        begin += 1
    return begin


def _wrapped(text: str, gold: Sequence[Token], chance: random.Random, mark: str = "") -> Written:
    width = chance.randint(*WIDTHS)
    return _rewritten(text, gold, lambda out, _, size: out.column + 1 + size > width, mark, True)


def _quoted(text: str, gold: Sequence[Token], chance: random.Random) -> Written:
    mark = chance.choice((">", ">", ">>"))
    if chance.random() < 0.5:
        return _wrapped(text, gold, chance, mark)
    return _rewritten(text, gold, lambda _, number, __: bool(gold[number][2] & SENTENCE), mark, True)


def _listed(text: str, gold: Sequence[Token], chance: random.Random) -> Written:
    mark = chance.choice(MARKS)
    return _rewritten(text, gold, lambda _, number, __: bool(gold[number][2] & SENTENCE), mark, False)


def _apart(text: str, gold: Sequence[Token], chance: random.Random) -> Written:
    return _rewritten(text, gold, lambda _, number, __: bool(gold[number][2] & SENTENCE), "", False)


def _headed(text: str, gold: Sequence[Token], chance: random.Random) -> Written:
    """Put a line end after the first sentence, without its period, and wrap the rest."""
    firsts = [i for i, token in enumerate(gold) if token[2] & SENTENCE]
    second = firsts[1] if len(firsts) > 1 else len(gold)
    kept = list(gold)
    if second > 1 and text[gold[second - 1][0] : gold[second - 1][1]] == ".":
        begin, end, _ = kept.pop(second - 1)
        if second < len(gold):
            text = text[:begin] + " " * (end - begin) + text[end:]
        second -= 1
    width = chance.randint(*WIDTHS)
    return _rewritten(
        text, kept, lambda out, number, size: number == second or out.column + 1 + size > width, "", False
    )
