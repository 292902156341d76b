"""Tokens as they stand in a text, and the syntactic words that they consist of."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Word:
    """One syntactic word.

    Attributes
    ----------
    id
        The number in the sentence, from 1.
    start, end
        The place of its token in the text: ``text[start:end]``; None without text. All words of a multiword
        token have the same place.
    head
        The number of its head, 0 for the root; None without a tree.
    """

    id: int
    form: str
    lemma: str
    upos: str
    xpos: str
    feats: str
    head: int | None
    deprel: str
    start: int | None = None
    end: int | None = None


@dataclass(frozen=True, slots=True)
class Token:
    """One token as it stands in the text, and its words: those from `first` to before `beyond`."""

    text: str
    start: int | None
    end: int | None
    first: int
    beyond: int
