"""Invented English-like words and their pronunciations, for the demo and the tests.

Words are syllables put together at random; sounds follow from the spelling by the rules below, as in English:
letters that stand together for one sound, one letter for two, silent letters, and letters whose sound depends
on those around them. Some spellings have two sounds, and then the word has two pronunciations.
"""

from __future__ import annotations

import re
from functools import cache
from itertools import product

import numpy as np

from structron.errors import SettingError
from structron.io.formats.pairs import Pair

ONSETS = (
    "b bl br c ch cl cr d dr f fl fr g gl gr h j k kn l m n p ph pl pr qu r s sc sh sl sp st t th tr v w wr"
)
NUCLEI = "a e i o u ai ea ee oa oo ou igh"
CODAS = "b ck d ff g l ll m mb n nd ng nk nt p r rd rk rt ss st t tch x zz"
ENDINGS = "age ate e er ice ine ing ion le ous tion ture y"
MOST_SYLLABLES = 3

# Left context, letters between brackets, right context, and their sounds: < and > are the ends of the word, V
# is a vowel, C a consonant; sounds after / are as good. The first rule that fits is taken.
RULES = """
<[kn] N      | <[wr] R        | [tch] CH      | [ture]> CH ER | [tion]> SH AH N | [ous]> AH S
[igh] AY     | [mb]> M        | [ck] K        | [ch] CH       | [sh] SH         | [th] TH
[ph] F       | [ng]> NG       | [n]k NG       | [qu] K W      | [x] K S         | [ll] L
[ff] F       | [ss] S         | [zz] Z        | C[le]> AH L   | [age]> IH JH    | [ate]> EY T / AH T
[ice]> IH S  | [ine]> IY N / AY N | [ion]> Y AH N | [er]> ER  | [ing]> IH NG    | [sc]e S
[sc]i S      | [c]e S         | [c]i S        | [c]y S        | [c] K           | [g]e JH
[g]i JH      | [g]y JH        | V[s]V Z       | [s] S         | [ai] EY         | [ead]> EH D / IY D
[ea] IY      | [ee] IY        | [oa] OW       | [ook] UH K    | [oo] UW         | [ou] AW
[ar] AA R    | [or] AO R      | [ir] ER       | [ur] ER       | [y]> IY         | [a]Ce> EY
[e]Ce> IY    | [i]Ce> AY      | [o]Ce> OW     | [u]Ce> Y UW   | C[e]> -         | [a] AE
[e] EH       | [i] IH         | [o] AA        | [u] AH        | [b] B           | [d] D
[f] F        | [g] G          | [h] HH        | [j] JH        | [k] K           | [l] L
[m] M        | [n] N          | [p] P         | [r] R         | [t] T           | [v] V
[w] W        | [y] Y          | [z] Z
"""
_CLASSES = {"<": "^", ">": "$", "V": "[aeiou]", "C": "[^aeiou]"}


def pronounce(word: str) -> list[str]:
    """Return all pronunciations of a word by the rules, sounds separated by blanks.

    Examples
    --------
    >>> pronounce("phone"), pronounce("knead")
    (['F OW N'], ['N EH D', 'N IY D'])
    """
    ways: list[list[str]] = []
    at = 0
    while at < len(word):
        for pattern, sounds in _rules():
            if found := pattern.match(word, at):
                ways.append(sounds)
                at = found.end()
                break
        else:
            raise SettingError(f"no rule pronounces {word[at]!r} in {word!r}; use the letters a to z")
    return [" ".join(" ".join(way).split()) for way in product(*ways)]


@cache
def _rules() -> list[tuple[re.Pattern[str], list[str]]]:
    found = []
    for rule in RULES.replace("\n", "|").split("|"):
        if rule.strip():
            context, _, sounds = rule.strip().partition(" ")
            left, letters, right = re.split(r"[\[\]]", context)
            before, after = ("".join(_CLASSES.get(c, c) for c in side) for side in (left, right))
            pattern = re.compile(f"(?<={before}){letters}(?={after})" if left != "<" else f"^{letters}")
            found.append((pattern, [way.strip().removeprefix("-") for way in sounds.split("/")]))
    return found


def generate_spellings(count: int, rng: np.random.Generator) -> list[Pair]:
    """Invent words, no two alike, with all their pronunciations.

    Examples
    --------
    >>> len(generate_spellings(100, np.random.default_rng(0)))
    100
    """
    parts = [part.split() for part in (ONSETS, NUCLEI, CODAS)]
    endings = ["", *ENDINGS.split()]
    # Half of all possible words of up to two syllables are never too many to ask for.
    most = len(endings) * np.prod([len(part) for part in parts]) ** 2 // 2
    if not 0 <= count <= most:
        raise SettingError(f"{count} words cannot be invented; ask for 0 to {most}")
    found: dict[str, Pair] = {}
    while len(found) < count:
        syllables = 1 + int(rng.binomial(MOST_SYLLABLES - 1, 0.3))
        word = "".join(part[rng.integers(len(part))] for _ in range(syllables) for part in parts)
        word += endings[rng.integers(len(endings))] if rng.random() < 0.4 else ""
        found.setdefault(word, Pair(word, tuple(pronounce(word))))
    return list(found.values())
