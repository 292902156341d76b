"""Attachment scores of dependency trees: UAS, LAS and CLAS as the CoNLL 2018 shared task counts them.

With gold tokenisation, which is all there is here: every word counts, punctuation too; a relation is its part
before the colon (``nsubj:pass`` is ``nsubj``). UAS and LAS are shares of words; CLAS is the F1 of those words
whose relation is one of content, which gold and guess may see differently.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from structron.errors import DataError

Heads = tuple[Sequence[int], Sequence[str]]  # the head of each word, and its relation
Trees = Sequence[Heads]

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
        The counts of every relation.
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
    tally = _Tally(str if subtypes else universal)
    for number, (right, found) in enumerate(zip(gold, guess)):
        if len(right[0]) != len(found[0]):
            raise DataError(
                f"sentence {number + 1}: {len(right[0])} gold heads but {len(found[0])} guessed; "
                "score the same words"
            )
        counted = [*range(len(right[0]))]
        if not punctuation:
            tagged = tags[number] if tags is not None else ()
            counted = [i for i in counted if not _is_punctuation(right[1][i], tagged[i : i + 1])]
        tally.add(right, found, counted)
    if not tally.words:
        raise DataError("there is nothing to score; check that the file has sentences")
    return tally.scores()


class _Tally:
    """Counts of the words and sentences compared so far."""

    def __init__(self, name: Callable[[str], str]) -> None:
        self.name = name
        self.words = self.heads = self.arcs = self.exact = self.sentences = 0
        self.gold, self.guess = Counter[str](), Counter[str]()
        self.attached, self.right = Counter[str](), Counter[str]()

    def add(self, gold: Heads, guess: Heads, counted: Sequence[int]) -> None:
        """Count the words at some places of one sentence."""
        arcs = 0
        for i in counted:
            label, guessed = self.name(gold[1][i]), self.name(guess[1][i])
            attached = gold[0][i] == guess[0][i]
            right = attached and label == guessed
            arcs += right
            self.heads += attached
            self.gold[label] += 1
            self.guess[guessed] += 1
            self.attached[label] += attached
            self.right[label] += right
        self.words += len(counted)
        self.arcs += arcs
        self.sentences += bool(counted)
        self.exact += bool(counted) and arcs == len(counted)

    def scores(self) -> Attachment:
        """Return the scores of all sentences."""
        relations = {
            label: Relation(self.gold[label], self.guess[label], self.attached[label], self.right[label])
            for label in sorted(self.gold.keys() | self.guess.keys())
        }
        content = [r for label, r in relations.items() if universal(label) in CONTENT]
        totals = (sum(r.gold for r in content), sum(r.guess for r in content), sum(r.right for r in content))
        return Attachment(self.words, self.heads, self.arcs, totals, self.sentences, self.exact, relations)


def _is_punctuation(label: str, tag: Sequence[str]) -> bool:
    return universal(label) == "punct" or any(t in PUNCTUATION_TAGS for t in tag)
