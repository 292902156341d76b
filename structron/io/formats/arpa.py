"""Language models as text, in the ARPA format: n-grams with logarithms to the base 10.

Written values have nine digits, so that a model which is read again is the same one.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from itertools import pairwise

import numpy as np

from structron.errors import DataError
from structron.io.files import streams
from structron.io.files.encoding import Encoding
from structron.io.files.streams import Lines, Place
from structron.io.formats.parallel_text import words_of
from structron.io.values.ngrams import MOST_ORDERS, SPECIAL, UNKNOWN, NGrams

_TEN = math.log(10.0)
_LEAST = -100.0  # what an unknown word costs where a file does not say, as in KenLM
_BINARY = "mmap lm http://kheafield.com/code"  # how binary files of KenLM begin
_SIZE = re.compile(r"ngram +([0-9]{1,2}) *= *([0-9]{1,10})$")
_Found = dict[tuple[int, ...], tuple[float, float]]


def write_arpa(ngrams: NGrams, place: Place, encoding: str | Encoding = "utf-8") -> None:
    """Write a model; a path gets its new content only when all went well."""
    for word in ngrams.vocabulary:
        if words_of(word) != [word] or "\n" in word:
            raise DataError(f"{streams.name_of(place)}: the word {word!r} does not fit into an ARPA file")
    with streams.writing(place, encoding) as put:
        put("\\data\\\n")
        for order, size in enumerate(ngrams.sizes.tolist(), 1):
            put(f"ngram {order}={size}\n")
        last = 0
        for ngram, logprob, backoff in ngrams.each():
            if len(ngram) != last:
                last = len(ngram)
                put(f"\n\\{last}-grams:\n")
            text = " ".join([ngrams.vocabulary[word] for word in ngram])
            tail = f"\t{backoff / _TEN:.9g}" if last < ngrams.order else ""
            put(f"{logprob / _TEN:.9g}\t{text}{tail}\n")
        put("\n\\end\\\n")


def read_arpa(place: Place, encoding: str | Encoding = "utf-8") -> NGrams:
    """Read a model; whatever is wrong with the file raises DataError with its line."""
    with streams.reading(place, encoding) as lines:
        if any(line.startswith(_BINARY) for line in lines.peek(1)):
            raise DataError(f"{lines.file}: a binary file of KenLM; give the ARPA file it was made from")
        numbered = _stripped(lines)
        sizes = _read_sizes(lines.file, numbered)
        numbers = {word: number for number, word in enumerate(SPECIAL)}
        levels: list[_Found] = []
        for order in range(1, len(sizes) + 1):
            before: _Found = levels[-1] if levels else {(): (0.0, 0.0)}
            levels.append(_read_level(lines.file, numbered, order, sizes, numbers, before))
        where, line = next(numbered, (0, ""))
        if line != "\\end\\":
            raise DataError(f"{lines.file}:{where}: \\end\\ should stand here; fetch or make the file again")
    for number in range(len(SPECIAL)):
        levels[0].setdefault((number,), (_LEAST * _TEN if number == UNKNOWN else 0.0, 0.0))
    return packed(tuple(numbers), levels)


def _stripped(lines: Lines) -> Iterator[tuple[int, str]]:
    for number, line in enumerate(lines, 1):
        if number in lines.broken:
            raise DataError(f"{lines.file}:{number}: {lines.broken[number]}")
        if text := line.strip(" \t"):
            yield number, text


def _read_sizes(file: str, numbered: Iterator[tuple[int, str]]) -> list[int]:
    for _, line in numbered:
        if line == "\\data\\":
            break
    sizes: list[int] = []
    for number, line in numbered:
        if line == "\\1-grams:":
            if sizes:
                return sizes
            break
        found = _SIZE.match(line)
        if found is None or int(found[1]) != len(sizes) + 1 or len(sizes) == MOST_ORDERS:
            raise DataError(
                f"{file}:{number}: {line!r} where ngram {len(sizes) + 1}=COUNT should stand; "
                "give an ARPA file"
            )
        sizes.append(int(found[2]))
    raise DataError(f"{file}: no \\data\\ with the numbers of n-grams; give an ARPA file")


def _read_level(
    file: str,
    numbered: Iterator[tuple[int, str]],
    order: int,
    sizes: list[int],
    numbers: dict[str, int],
    before: _Found,
) -> _Found:
    """Read the n-grams of one order; the heading of the first has been read."""
    found: _Found = {}
    if order > 1:
        number, line = next(numbered, (0, ""))
        if line != f"\\{order}-grams:":
            raise DataError(
                f"{file}:{number}: \\{order}-grams: should stand after {sizes[order - 2]:,} n-grams of the "
                "order before; fetch or make the file again"
            )
    for _ in range(sizes[order - 1]):
        number, line = next(numbered, (0, ""))
        where = f"{file}:{number}"
        fields = words_of(line)
        if not number or len(fields) not in (order + 1, order + 2) or fields[0].startswith("\\"):
            raise DataError(f"{where}: not a {order}-gram with its logarithm; fetch or make the file again")
        if order == 1:
            numbers.setdefault(fields[1], len(numbers))
        try:
            ngram = tuple(numbers[word] for word in fields[1 : order + 1])
            logprob = min(float(fields[0]) * _TEN, 0.0)
            backoff = float(fields[order + 1]) * _TEN if len(fields) == order + 2 else 0.0
        except KeyError as missing:
            raise DataError(
                f"{where}: the word {missing} is not among the unigrams; check the file"
            ) from None
        except ValueError:
            raise DataError(f"{where}: a logarithm is not a number; check the file") from None
        if ngram in found or ngram[:-1] not in before:
            what = "occurs twice" if ngram in found else "has a beginning that is not there"
            raise DataError(f"{where}: the n-gram {' '.join(fields[1 : order + 1])!r} {what}; check the file")
        if math.isnan(logprob) or not math.isfinite(backoff):
            raise DataError(f"{where}: a logarithm is not a number; check the file")
        # A probability of nothing would make sentences impossible; it is as unlikely as can be instead.
        found[ngram] = (max(logprob, _LEAST * _TEN), backoff)
    return found


def packed(vocabulary: tuple[str, ...], levels: list[_Found]) -> NGrams:
    """Pack n-grams with their two natural logarithms into arrays, one order after the other."""
    order = [sorted(level) for level in levels]
    first: list[int] = []
    begin = 0
    for level, longer in pairwise(order):
        begin += len(level)
        at = 0
        for ngram in level:
            first.append(begin + at)
            while at < len(longer) and longer[at][:-1] == ngram:
                at += 1
    ngrams = [(level[g], g) for level, keys in zip(levels, order) for g in keys]
    lower = sum(map(len, order[:-1]))
    return NGrams(
        vocabulary,
        np.array([len(level) for level in order], np.uint64),
        np.array([g[-1] for _, g in ngrams], np.uint32),
        np.array([*first, len(ngrams)], np.uint32),
        np.array([values[0] for values, _ in ngrams], np.float32),
        np.array([values[1] for values, _ in ngrams[:lower]], np.float32),
    )
