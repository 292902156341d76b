"""The choice of a tagger's template set, by what its labels mark and what its tokens are."""

from __future__ import annotations

from typing import NamedTuple

# Chunks cover most words of a sentence (CoNLL-2000: seven in eight), names few (a tenth to a sixth).
_MOST = 0.5
# Tokens are characters, except for numbers and foreign words that were not split.
_LETTERS = 0.8


class TokenFigures(NamedTuple):
    """The properties of sentences and labels.

    Attributes
    ----------
    ready
        True if tokens are ready features.
    columns
        The number of columns of every token.
    spans
        True if labels mark spans.
    covered, letters
        The shares of tokens in spans, and of tokens that are one character.
    labels
        The number of labels.
    """

    ready: bool
    columns: int
    spans: bool
    covered: float = 1.0
    letters: float = 0.0
    labels: int = 0


def suited_set(figures: TokenFigures) -> str:
    """Return the name of the template set that suits such tokens and labels best.

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
    """Return the other sets for which such tokens have the columns, for trials."""
    if figures.ready:
        return []
    possible = ["ner_pos", "chunk", "ner", "pos"] if figures.columns > 1 else ["ner", "pos"]
    if figures.letters >= _LETTERS:
        possible = ["characters", *possible]
    return [name for name in possible if name != suited_set(figures)]
