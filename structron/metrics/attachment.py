"""Attachment scores of dependency trees: UAS, LAS and CLAS as the CoNLL 2018 shared task counts them.

With gold tokenisation, which is all there is here: every word counts, punctuation too; a relation is its part
before the colon (``nsubj:pass`` is ``nsubj``). UAS and LAS are shares of words; CLAS is the F1 of those words
whose relation is one of content, which gold and guess may see differently.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from structron.errors import DataError

Trees = Sequence[tuple[Sequence[int], Sequence[str]]]

_CONTENT = """
nsubj obj iobj csubj ccomp xcomp obl vocative expl dislocated advcl advmod discourse nmod appos nummod acl
amod conj fixed flat compound list parataxis orphan goeswith reparandum root dep
"""
CONTENT = frozenset(_CONTENT.split())
"""The relations of content words (Universal Dependencies 2); function words and punctuation are not in it."""

# Tags of punctuation in Universal Dependencies and in the Penn Treebank, where it is left out by custom.
PUNCTUATION_TAGS = frozenset(["PUNCT", "``", "''", ",", ".", ":"])


class Relation(NamedTuple):
    """The counts of one relation: words that have it in gold, in the guess, and those that are right."""

    gold: int
    guess: int
    attached: int  # of the gold ones, those with the right head
    right: int  # head and relation

    @property
    def f1(self) -> float:
        """Return F1 of head and relation together."""
        return 2 * self.right / (self.gold + self.guess) if self.gold + self.guess else 0.0


@dataclass(frozen=True)
class Attachment:
    """Counts of words, and the scores made from them.

    Attributes
    ----------
    words, heads, arcs
        Words scored, those with the right head, and those with the right head and relation.
    content
        Content words of gold, of the guess, and the right ones of gold.
    sentences, exact
        Sentences, and those with every head and relation right.
    relations
        The same for every relation.
    """

    words: int
    heads: int
    arcs: int
    content: tuple[int, int, int]
    sentences: int
    exact: int
    relations: dict[str, Relation]

    @property
    def uas(self) -> float:
        """Return the unlabelled attachment score: the share of words with the right head."""
        return self.heads / self.words

    @property
    def las(self) -> float:
        """Return the labelled attachment score: the share of words with the right head and relation."""
        return self.arcs / self.words

    @property
    def clas(self) -> float:
        """Return the content-word labelled attachment score (Nivre & Fang 2017), an F1."""
        gold, guess, right = self.content
        return 2 * right / (gold + guess) if gold + guess else 0.0

    def table(self) -> str:
        """Return a line for each relation, in per cent."""
        width = max(len(name) for name in ["relation", *self.relations])
        lines = [f"{'relation':{width}} {'attached':>9} {'F1':>7} {'gold':>7} {'guess':>7}"]
        for name, relation in self.relations.items():
            attached = 100 * relation.attached / relation.gold if relation.gold else 0.0
            shares = f"{attached:9.2f} {100 * relation.f1:7.2f}"
            lines.append(f"{name:{width}} {shares} {relation.gold:7} {relation.guess:7}")
        return "\n".join(lines)


def universal(label: str) -> str:
    """Return a relation without its subtype: ``nsubj:pass`` becomes ``nsubj``."""
    return label.partition(":")[0]


def attachment(
    gold: Trees,
    guess: Trees,
    *,
    tags: Sequence[Sequence[str]] | None = None,
    punctuation: bool = True,
    subtypes: bool = False,
) -> Attachment:
    """Score guessed trees over the same words.

    Parameters
    ----------
    gold, guess
        Pairs of heads (0 is the root) and relations.
    tags
        Gold tags, by which punctuation is known where trees have no relations; needed only without it.
    punctuation
        Whether punctuation counts. It does in Universal Dependencies; for the Penn Treebank words are left
        out whose gold tag is one of `PUNCTUATION_TAGS` or whose gold relation is ``punct``.
    subtypes
        Whether ``nsubj:pass`` and ``nsubj`` are two relations; in the shared task they are one.

    Examples
    --------
    >>> score = attachment([([2, 0], ["nsubj", "root"])], [([2, 0], ["obj", "root"])])
    >>> score.uas, score.las, score.clas
    (1.0, 0.5, 0.5)
    """
    if len(gold) != len(guess):
        raise DataError(f"{len(gold)} gold trees but {len(guess)} guessed; score the same sentences")
    name = str if subtypes else universal
    words = heads = arcs = exact = sentences = 0
    counts: dict[str, Counter[str]] = {key: Counter() for key in ("gold", "guess", "attached", "right")}
    for number, ((gold_heads, gold_labels), (guess_heads, guess_labels)) in enumerate(zip(gold, guess)):
        if len(gold_heads) != len(guess_heads):
            raise DataError(
                f"sentence {number + 1}: {len(gold_heads)} gold heads but {len(guess_heads)} guessed; "
                "score the same words"
            )
        before, right_before, counted = words, arcs, [*range(len(gold_heads))]
        if not punctuation:
            tagged = tags[number] if tags is not None else ()
            counted = [i for i in counted if not _is_punctuation(gold_labels[i], tagged[i : i + 1])]
        for i in counted:
            label, guessed = name(gold_labels[i]), name(guess_labels[i])
            attached = gold_heads[i] == guess_heads[i]
            right = attached and label == guessed
            words, heads, arcs = words + 1, heads + attached, arcs + right
            counts["gold"][label] += 1
            counts["guess"][guessed] += 1
            counts["attached"][label] += attached
            counts["right"][label] += right
        if words > before:
            sentences += 1
            exact += arcs - right_before == words - before
    if not words:
        raise DataError("there is nothing to score; check that the file has sentences")
    relations = {
        label: Relation(*(counts[key][label] for key in ("gold", "guess", "attached", "right")))
        for label in sorted(counts["gold"].keys() | counts["guess"].keys())
    }
    content = [r for label, r in relations.items() if universal(label) in CONTENT]
    totals = (sum(r.gold for r in content), sum(r.guess for r in content), sum(r.right for r in content))
    return Attachment(words, heads, arcs, totals, sentences, exact, relations)


def _is_punctuation(label: str, tag: Sequence[str]) -> bool:
    return universal(label) == "punct" or any(t in PUNCTUATION_TAGS for t in tag)
