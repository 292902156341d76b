"""Links from the words of a translation to source words, taken from the phrases that it consists of."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from typing import Any, NamedTuple

from structron.tasks.translation.hiero.rules import GAPS
from structron.tasks.translation.hiero.table import RuleTable
from structron.tasks.translation.phrases.table import PhraseTable

Link = tuple[int, int]
# A phrase of a derivation: the source words from start to end, and its number in the table; None is a copy.
Used = tuple[int, int, int | None]
# A rule of a derivation, with its number of gaps before its own number; it follows the contents of its gaps.
UsedRule = tuple[int, int, int, int | None]


def words_and_links(
    table: PhraseTable | RuleTable, source: Sequence[str], used: Sequence[Any]
) -> tuple[list[str], list[Link]]:
    """Return the target words of a derivation, and their links to source words, counted from 0, sorted.

    A phrase has its most frequent links in the training data; without any, all its words are linked.

    Examples
    --------
    Copied words are linked to themselves.

    >>> from structron.tasks.translation import Translator
    >>> translator = Translator(tuning=0).fit(["das haus", "das buch"], ["the house", "the book"])
    >>> translator.predict_with_alignment(["das xylophon"])
    (['the xylophon'], [[(0, 0), (1, 1)]])
    """
    if isinstance(table, RuleTable):
        words, links = _by_rules(table, source, used)
    else:
        words, links = _by_phrases(table, source, used)
    return words, sorted(links)


def _by_phrases(
    table: PhraseTable, source: Sequence[str], used: Sequence[Used]
) -> tuple[list[str], list[Link]]:
    words: list[str] = []
    links: list[Link] = []
    for start, end, number in used:
        at = len(words)
        if number is None:
            words += source[start:end]
            links += [(start, at)]
            continue
        begin, stop = int(table.target_offsets[number]), int(table.target_offsets[number + 1])
        words += [table.target_vocabulary[word] for word in table.target_words[begin:stop]]
        inside = table.links[int(table.link_offsets[number]) : int(table.link_offsets[number + 1])].tolist()
        inside = inside or product(range(end - start), range(stop - begin))
        links += [(start + i, at + j) for i, j in inside]
    return words, links


class _SpanTranslation(NamedTuple):
    """The target words of a source span that ends at `end`, and their links, counted from its beginning."""

    end: int
    words: list[str]
    links: list[Link]


def _by_rules(
    table: RuleTable, source: Sequence[str], used: Sequence[UsedRule]
) -> tuple[list[str], list[Link]]:
    stack: list[_SpanTranslation] = []
    for start, end, gaps, number in used:
        inside = stack[len(stack) - gaps :]
        del stack[len(stack) - gaps :]
        if number is None:
            stack.append(_SpanTranslation(end, [source[start]], [(start, 0)]))
        else:
            stack.append(_filled(table, number, start, end, inside))
    words: list[str] = []
    links: list[Link] = []
    for said in stack:
        links += [(i, len(words) + j) for i, j in said.links]
        words += said.words
    return words, links


def _filled(
    table: RuleTable, number: int, start: int, end: int, inside: Sequence[_SpanTranslation]
) -> _SpanTranslation:
    """Return a rule with the target words of its gaps."""
    (rule,) = table.some([number])
    at, places = start, []
    for symbol in rule.source:
        places.append(at)
        at = inside[GAPS.index(symbol)].end if symbol in GAPS else at + 1
    words: list[str] = []
    links: list[Link] = []
    targets = []
    for symbol in rule.target:
        targets.append(len(words))
        if symbol in GAPS:
            gap = inside[GAPS.index(symbol)]
            links += [(i, len(words) + j) for i, j in gap.links]
            words += gap.words
        else:
            words.append(table.target_vocabulary[symbol])
    own = rule.links or (() if inside else product(range(len(places)), range(len(targets))))
    return _SpanTranslation(end, words, links + [(places[i], targets[j]) for i, j in own])
