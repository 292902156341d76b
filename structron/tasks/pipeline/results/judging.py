"""Judgements of a pipeline: what each stage has right and wrong about a treebank, from raw text or words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from structron.io import Sentence
from structron.io.values.misc import SPANS, attribute
from structron.metrics.attachment import universal
from structron.metrics.conll18 import aligned_words, cuts_of
from structron.metrics.reports import Judgement, judge_tags
from structron.metrics.segmentation import judge_cuts
from structron.tasks.pipeline.names.entities import has_names, labels_of
from structron.tasks.pipeline.names.measures import is_treebank

if TYPE_CHECKING:
    from collections.abc import Collection

COLUMNS = ("upos", "xpos", "feats", "lemma")
# The column that is empty where gold says nothing of a stage; words without features have a tag.
FILLED = {"upos": 3, "xpos": 4, "feats": 3, "lemma": 2, "parser": 6}


def judged(
    gold: Sequence[Sentence], found: Sequence[Sentence], stages: Collection[str], *, from_text: bool
) -> dict[str, list[Judgement]]:
    """Return each gold sentence as each stage has it; a word that was cut otherwise has no label.

    A stage of which gold says nothing is left out: words with names, and no treebank, judge that of names.
    """
    places = [sentence.place for sentence in gold]
    by_stage: dict[str, list[Judgement]] = {}
    paired = _Paired(gold, found)
    is_whole = any(map(is_treebank, gold)) or "names" not in stages
    if is_whole and from_text:
        by_stage["segmenter"] = judge_cuts(cuts_of(gold), cuts_of(found), places)
    filled = {name for name, at in FILLED.items() if name in stages and _says(gold, at)}
    for name in COLUMNS:
        if name in filled:
            by_stage[name] = paired.tagged(name)
    if "parser" in filled:
        by_stage["parser"] = paired.parsed()
    if "names" in stages and (not is_whole or has_names(gold)):
        by_stage["names"] = paired.named()
    return by_stage


def _says(gold: Sequence[Sentence], column: int) -> bool:
    """Return True if gold fills a column."""
    return any(row[column] != "_" for sentence in gold for row in sentence.tokens)


class _Paired:
    """Gold sentences, and the words of others that are the same."""

    def __init__(self, gold: Sequence[Sentence], found: Sequence[Sentence]) -> None:
        self.gold = gold
        partners = aligned_words(gold, found)
        rows = [row for sentence in found for row in sentence.tokens]
        begins: list[int] = []
        for sentence in found:
            begins += [len(begins)] * len(sentence.tokens)
        back = {other: own for own, other in partners.items()}
        self.sizes: list[int] = []  # words found in the place of each gold sentence
        self.words: list[list[tuple[list[str], int] | None]] = []  # their row, and where the head is in gold
        beyond = counted = 0
        for i, sentence in enumerate(gold):
            begin, beyond = beyond, beyond + len(sentence.tokens)
            own = [partners.get(word) for word in range(begin, beyond)]
            last = max((each for each in own if each is not None), default=counted - 1)
            end = len(rows) if i + 1 == len(gold) else last + 1
            self.sizes.append(end - counted)
            counted = end
            self.words.append(
                [
                    None if at is None else (rows[at], _head(rows[at][6], begins[at], back, begin, beyond))
                    for at in own
                ]
            )

    def tagged(self, name: str) -> list[Judgement]:
        """Return the sentences with the labels of a column."""
        at = {"lemma": 2, "upos": 3, "xpos": 4, "feats": 5}[name]
        judged = []
        for sentence, own, size in zip(self.gold, self.words, self.sizes):
            gold = tuple(row[at] for row in sentence.tokens)
            guess = tuple("" if each is None else each[0][at] for each in own)
            # A lemma that gold does not have is right whatever it is.
            guess = tuple(a if name == "lemma" and a == "_" and b else b for a, b in zip(gold, guess))
            right = tuple(a == b for a, b in zip(gold, guess))
            judged.append(_judgement(sentence, gold, guess, right, size, f"{name} F1"))
        return judged

    def parsed(self) -> list[Judgement]:
        """Return the sentences with their relations and heads."""
        judged = []
        for sentence, own, size in zip(self.gold, self.words, self.sizes):
            gold = tuple(universal(row[7]) for row in sentence.tokens)
            guess = tuple("" if each is None else universal(each[0][7]) for each in own)
            heads = tuple(
                (int(row[6]), -1 if each is None else each[1]) for row, each in zip(sentence.tokens, own)
            )
            right = tuple(a == b and x == y for a, b, (x, y) in zip(gold, guess, heads))
            judged.append(_judgement(sentence, gold, guess, right, size, "LAS F1", heads))
        return judged

    def named(self) -> list[Judgement]:
        """Return the sentences with the labels of names; a word that was cut otherwise is in none."""
        judged = []
        for sentence, own in zip(self.gold, self.words):
            guess = ["O" if each is None else attribute(each[0][9], SPANS) or "O" for each in own]
            words, gold = sentence.words(), labels_of(sentence)
            judged.append(judge_tags(sentence.place, words, gold, guess, by_span=True))
        return judged


def _head(head: str, first: int, back: Mapping[int, int], begin: int, beyond: int) -> int:
    """Return the number in the gold sentence of the head of a word that was found; -1 if it is elsewhere."""
    if head == "0":
        return 0
    gold = back.get(first + int(head) - 1, -1) if head.isdecimal() else -1
    return gold - begin + 1 if begin <= gold < beyond else -1


def _judgement(
    sentence: Sentence,
    gold: tuple[str, ...],
    guess: tuple[str, ...],
    right: tuple[bool, ...],
    size: int,
    measure: str,
    heads: tuple[tuple[int, int], ...] = (),
) -> Judgement:
    tally = (sum(right), len(gold), size)
    words = tuple(sentence.words())
    return Judgement(sentence.place, words, gold, guess, right, tally, measure, len(words), heads)
