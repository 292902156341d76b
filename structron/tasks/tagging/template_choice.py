"""Which template set suits a tagger's data: chosen by what the labels mark and what the tokens are."""

from __future__ import annotations

from typing import NamedTuple

# Chunks cover nearly all words of a sentence (CoNLL-2000: seven in eight), names few (a tenth to a sixth).
_MOST = 0.5
# Tokens that are characters, but for numbers and foreign words that were left whole.
_LETTERS = 0.8


class TokenFigures(NamedTuple):
    """What sentences and labels are made of.

    Attributes
    ----------
    ready
        Whether tokens are features made elsewhere.
    columns
        How many columns every token has.
    spans
        Whether labels mark spans.
    covered, letters
        The share of tokens that are in spans, and of those that are one character.
    labels
        How many there are.
    """

    ready: bool
    columns: int
    spans: bool
    covered: float = 1.0
    letters: float = 0.0
    labels: int = 0


def suited_set(figures: TokenFigures) -> str:
    """The name of the template set that is best for such tokens and labels.

    Examples
    --------
    >>> suited_set(TokenFigures(False, 2, True, covered=0.1))
    'ner_pos'
    >>> suited_set(TokenFigures(False, 2, True, covered=0.9))
    'chunk'
    """
    if figures.ready:
        return "ready"
    if not figures.spans:
        return "pos"
    if figures.letters >= _LETTERS:
        return "characters"
    if figures.columns < 2:
        return "ner"
    return "chunk" if figures.covered >= _MOST else "ner_pos"


def other_sets(figures: TokenFigures) -> list[str]:
    """The other sets that such tokens have the columns for: for trials."""
    if figures.ready:
        return []
    possible = ["ner_pos", "chunk", "ner", "pos"] if figures.columns > 1 else ["ner", "pos"]
    if figures.letters >= _LETTERS:
        possible = ["characters", *possible]
    return [name for name in possible if name != suited_set(figures)]
