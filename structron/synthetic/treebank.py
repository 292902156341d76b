"""A small English-like treebank, sampled from an ambiguous grammar.

It is hard on purpose: words with several tags (`saw`, `light`, `that`, `her`, `can`), phrases that may
attach in several places, unknown words known by their suffix only, and garden paths. The worst of these are
*chains*: in ``light , water and saw the plants`` every word is a verb, in ``light , water and saw fell``
every one is a noun, and only the word after the chain tells. A search that must choose at the first word is
often wrong, although the weights know better at the end.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import defaultdict
from dataclasses import dataclass
from functools import cache
from itertools import accumulate
from typing import NamedTuple

import numpy as np

from structron.synthetic.lexicon import Words, lexicon

# Symbol, weight, children. `*` marks the head; the others give their relation to it after a colon. A symbol
# without rules is a class of the lexicon. A rule with {F} stands for six, one for each form of the verb.
GRAMMAR = """
TOP         58   *S ./stop:punct
TOP         10   *VP-VB ./stop:punct
TOP          7   *QUESTION ./ask:punct
TOP         25   *GARDEN ./stop:punct

# Garden paths. Each pair begins alike and differs only after the chain.
GARDEN      20   *VERBS-VB OBJECT:obj
GARDEN      20   BARE:nsubj *PREDICATE
GARDEN      12   PLAIN:nsubj *VERBS-VBZ OBJECT:obj
GARDEN      12   FLIES:nsubj *PREDICATE
GARDEN      10   HEAD.sg:nsubj *VERBS-VBD OBJECT:obj
GARDEN      10   REDUCED:nsubj *VP-VBD
GARDEN       8   COLOURED:nsubj *VP-VBD
GARDEN       8   COLOURS:nsubj *VP-VBD
PREDICATE   60   *VP-VBD
PREDICATE   30   *VP-VBP
PREDICATE   10   MD:aux *VP-VB
BARE        30   *NN/a AND-NN:conj
BARE        50   *NN/a COMMA-NN:conj AND-NN:conj
BARE        20   *NN/a COMMA-NN:conj COMMA-NN:conj AND-NN:conj
PLAIN        1   DT/sg:det *NN/n
FLIES       40   DT/pl:det NN/n:compound *NNS/a AND-NNS:conj
FLIES       60   DT/pl:det NN/n:compound *NNS/a COMMA-NNS:conj AND-NNS:conj
REDUCED     50   *HEAD.sg PASSIVES:acl
REDUCED     50   *HEAD.sg PASSIVE:acl
PASSIVES     1   *VERBS-VBN BY:obl
PASSIVE     60   *VBN/t BY:obl
PASSIVE     40   *VBN/t PP:obl
COLOURED     1   DT/sg:det JJS:amod *NN/n
JJS         40   *JJ/j AND-JJ:conj
JJS         60   *JJ/j COMMA-JJ:conj AND-JJ:conj
COLOURS     40   DT/pl:det *NN/j AND-NNJ:conj
COLOURS     60   DT/pl:det *NN/j COMMA-NNJ:conj AND-NNJ:conj
VERBS-{F}   30   *{F}/a AND-{F}:conj
VERBS-{F}   50   *{F}/a COMMA-{F}:conj AND-{F}:conj
VERBS-{F}   20   *{F}/a COMMA-{F}:conj COMMA-{F}:conj AND-{F}:conj
AND-{F}      1   CC:cc *{F}/a
COMMA-{F}    1   ,:punct *{F}/a
AND-NN       1   CC:cc *NN/a
COMMA-NN     1   ,:punct *NN/a
AND-NNS      1   CC:cc *NNS/a
COMMA-NNS    1   ,:punct *NNS/a
AND-NNJ      1   CC:cc *NN/j
COMMA-NNJ    1   ,:punct *NN/j
AND-JJ       1   CC:cc *JJ/j
COMMA-JJ     1   ,:punct *JJ/j

# Clauses.
S           20   SUBJECT.sg:nsubj *VP-VBZ
S           16   SUBJECT.pl:nsubj *VP-VBP
S           24   SUBJECT:nsubj *VP-VBD
S           10   SUBJECT:nsubj MD:aux *VP-VB
S            3   SUBJECT.sg:nsubj VBZ/have:aux *VP-VBN
S            2   SUBJECT.pl:nsubj VBP/have:aux *VP-VBN
S            2   SUBJECT:nsubj VBD/have:aux *VP-VBN
S            3   SUBJECT.sg:nsubj VBZ/be:aux *VP-VBG
S            2   SUBJECT.pl:nsubj VBP/be:aux *VP-VBG
S            3   SUBJECT.sg:nsubj VBD/be1:cop *JJ/g
S            3   SUBJECT.pl:nsubj VBP/be:cop *JJ/g
S            4   SUBJECT.sg:nsubj:pass VBD/be1:aux:pass *PASSIVE
S            3   SUBJECT.pl:nsubj:pass VBD/be2:aux:pass *PASSIVE
S            4   SUBORDINATE:advcl ,:punct *S
S            4   *S SECOND:conj
SUBORDINATE  1   IN/sub:mark *S
SECOND       1   CC:cc *S
QUESTION    50   MD:aux SUBJECT:nsubj *VP-VB
QUESTION    15   VBZ/do:aux SUBJECT.sg:nsubj *VP-VB
QUESTION    15   VBP/do:aux SUBJECT.pl:nsubj *VP-VB
QUESTION    20   VBD/do:aux SUBJECT:nsubj *VP-VB

# Verb phrases.
VP-{F}      12   *{F}/i
VP-{F}      12   *{F}/i PP:obl
VP-{F}       5   *{F}/i RB/d:advmod
VP-{F}       3   *{F}/i RB/p:advmod
VP-{F}       4   *{F}/i ABOUT:advmod
VP-{F}       4   *{F}/i ALONG:obl
VP-{F}      28   *{F}/t OBJECT:obj
VP-{F}      10   *{F}/t OBJECT:obj PP:obl
VP-{F}       4   RB/d:advmod *{F}/t OBJECT:obj
VP-{F}       7   *{F}/s CLAUSE:ccomp
VP-{F}       7   *{F}/p OBJECT:obj VP-VB:xcomp
VP-{F}       4   *{F}/v INFINITIVE:xcomp
INFINITIVE   1   TO:mark *VP-VB
CLAUSE      65   IN/that:mark *S
CLAUSE      35   *S
ABOUT        1   *RB/p AND-RB:conj
AND-RB       1   CC:cc *RB/p
ALONG        1   PREPOSITIONS:case *NP
PREPOSITIONS 1   *IN/p AND-IN:conj
AND-IN       1   CC:cc *IN/p

# Noun phrases.
SUBJECT     60   *SUBJECT.sg
SUBJECT     40   *SUBJECT.pl
SUBJECT.sg  30   *PRP/3
SUBJECT.sg  70   *NP.sg
SUBJECT.pl  35   *PRP/1
SUBJECT.pl  65   *NP.pl
OBJECT      22   *PRP/o
OBJECT      78   *NP
NP          62   *NP.sg
NP          38   *NP.pl
NP.sg       46   *HEAD.sg
NP.sg       12   *NNP
NP.sg       12   PRP$:nmod:poss *N.sg
NP.sg        9   *HEAD.sg PP:nmod
NP.sg        4   *HEAD.sg RELATIVE.sg:acl:relcl
NP.sg        2   *HEAD.sg PASSIVE:acl
NP.sg        4   *NN/n
NP.pl       30   DT/pl:det *N.pl
NP.pl       24   *N.pl
NP.pl        8   PRP$:nmod:poss *N.pl
NP.pl        5   *N.pl PP:nmod
NP.pl        3   *N.pl RELATIVE.pl:acl:relcl
NP.pl        4   *NN/n AND-N:conj
AND-N        1   CC:cc *N.sg
HEAD.sg      1   DT/sg:det *N.sg
N.sg        56   *NN/n
N.sg        22   JJ/g:amod *NN/n
N.sg        12   NN/n:compound *NN/n
N.pl        60   *NNS/n
N.pl        24   JJ/g:amod *NNS/n
N.pl        12   NN/n:compound *NNS/n
PP          55   IN/q:case *NP
PP          35   IN/p:case *NP
PP          10   IN/q:case *PRP/o
BY          80   IN/by:case *NP
BY          20   IN/by:case *PRP/o
RELATIVE.sg 40   WDT:nsubj *VP-VBZ
RELATIVE.pl 40   WDT:nsubj *VP-VBP
RELATIVE.sg 25   WDT:nsubj *VP-VBD
RELATIVE.pl 25   WDT:nsubj *VP-VBD
RELATIVE.sg 35   *GAPPED
RELATIVE.pl 35   *GAPPED
GAPPED      60   WDT:obj SUBJECT:nsubj *VBD/t
GAPPED      40   SUBJECT:nsubj *VBD/t
"""
FORMS = ("VB", "VBP", "VBZ", "VBD", "VBN", "VBG")
LONGEST = 40  # words; a longer sentence is drawn again


@dataclass(frozen=True)
class Tree:
    """A sentence with its tags and its dependency tree.

    `heads` counts words from 1, and 0 is the root, as in CoNLL-U.
    """

    words: tuple[str, ...]
    tags: tuple[str, ...]
    heads: tuple[int, ...]
    labels: tuple[str, ...]

    def __len__(self) -> int:
        return len(self.words)


def generate_treebank(n: int, rng: np.random.Generator) -> list[Tree]:
    """Draw `n` sentences. Grammar and words are fixed, so a second call gives more of the same language.

    Examples
    --------
    >>> tree = generate_treebank(1, np.random.default_rng(3))[0]
    >>> len(tree.words) == len(tree.tags) == len(tree.heads) == len(tree.labels)
    True
    """
    trees: list[Tree] = []
    while len(trees) < n:
        derivation = _Derivation(rng)
        derivation.grow()
        if derivation.words:
            trees.append(derivation.tree())
    return trees


class _Child(NamedTuple):
    symbol: str
    label: str | None  # None: the head


class _Rules(NamedTuple):
    cumulative: list[float]
    children: list[list[_Child]]


@cache
def _grammar() -> dict[str, _Rules]:
    """Return the table parsed: for each symbol its rules and their cumulative probabilities."""
    rules: dict[str, list[tuple[float, list[_Child]]]] = defaultdict(list)
    for line in GRAMMAR.splitlines():
        if not line or line.startswith("#"):
            continue
        for form in FORMS if "{F}" in line else ("",):
            symbol, weight, *children = line.replace("{F}", form).split()
            rules[symbol].append((float(weight), [_child(child) for child in children]))
    grammar = {}
    for symbol, options in rules.items():
        total = sum(weight for weight, _ in options)
        cumulative = list(accumulate(weight / total for weight, _ in options))
        grammar[symbol] = _Rules(cumulative, [children for _, children in options])
    return grammar


def _child(text: str) -> _Child:
    if text.startswith("*"):
        return _Child(text[1:], None)
    symbol, _, label = text.partition(":")
    return _Child(symbol, label)


class _Derivation:
    """A sentence under construction, left to right."""

    def __init__(self, rng: np.random.Generator) -> None:
        self.rng = rng
        self.grammar: dict[str, _Rules] = _grammar()
        self.lexicon: dict[str, Words] = lexicon()
        self.words: list[str] = []
        self.tags: list[str] = []
        self.heads: list[int] = []
        self.labels: list[str] = []

    def grow(self) -> None:
        try:
            root = self._expand("TOP")
        except _TooLong:
            self.words.clear()
        else:
            self.heads[root], self.labels[root] = 0, "root"

    def _expand(self, symbol: str) -> int:
        """Append the words of `symbol`; return the place of its head word."""
        rules = self.grammar.get(symbol)
        if rules is None:
            return self._append(symbol)
        choice = min(bisect_right(rules.cumulative, self.rng.random()), len(rules.children) - 1)
        # A dependant's head may stand to its right, so heads are set when all children are there.
        places = [(self._expand(child.symbol), child.label) for child in rules.children[choice]]
        head = next(place for place, label in places if label is None)
        for place, label in places:
            if label is not None:
                self.heads[place], self.labels[place] = head + 1, label
        return head

    def _append(self, word_class: str) -> int:
        if len(self.words) == LONGEST:
            raise _TooLong
        self.words.append(self.lexicon[word_class].draw(self.rng))
        self.tags.append(word_class.partition("/")[0])
        self.heads.append(-1)
        self.labels.append("")
        return len(self.words) - 1

    def tree(self) -> Tree:
        following = [*self.words[1:], ""]
        words = (
            "an" if pair[0] == "a" and pair[1][:1] in "aeiou" else pair[0]
            for pair in zip(self.words, following)
        )
        return Tree(tuple(words), tuple(self.tags), tuple(self.heads), tuple(self.labels))


class _TooLong(Exception):
    """The sentence passed LONGEST words."""
