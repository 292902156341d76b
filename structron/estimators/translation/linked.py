"""Which source words each word of a translation comes from: the links inside the phrases it is made of."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product

from structron.tasks.translation.phrases import PhraseTable

Link = tuple[int, int]
# A phrase of a derivation: the source words from start to end, and its number in the table; None is a copy.
Used = tuple[int, int, int | None]


def words_and_links(
    table: PhraseTable, source: Sequence[str], used: Sequence[Used]
) -> tuple[list[str], list[Link]]:
    """The target words of a derivation, and their links to source words, both counted from 0, sorted.

    A phrase has the links that it had most often where it was extracted; one without any is linked whole.

    Examples
    --------
    Words that are copied are linked to themselves.

    >>> from structron.estimators.translation import Translator
    >>> translator = Translator(tuning=0).fit(["das haus", "das buch"], ["the house", "the book"])
    >>> translator.predict_with_alignment(["das xylophon"])
    (['the xylophon'], [[(0, 0), (1, 1)]])
    """
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
    return words, sorted(links)
