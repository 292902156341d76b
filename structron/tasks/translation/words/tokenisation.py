"""Text as tokens and back: punctuation is cut off words, and marks on it say what stood without a blank.

A boundary between tokens is a blank, or nothing beside a character of a script without blanks (Chinese,
Japanese, Thai and others), each of which is a token. Where the text has it the other way, a mark says so: the
joiner, or the blank's. So `detokenise` gives back what `tokenise` took, with single blanks.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator
from functools import lru_cache

JOINER, BLANK = "￭", "␣"
BEFORE, AFTER = "before", "after"  # on which side of an apostrophe a word is cut

_STAND_INS = str.maketrans({JOINER: "■", BLANK: "_"})
_APOSTROPHES = "'’"
# Addresses stay whole, and so do numbers, words with hyphens, and initials in the middle of a text.
_WHOLE = re.compile(r"(?:https?://|www\.)\S*[^\s.,;:!?)\]}\"'»”]|[\w.+-]+@\w[\w-]*(?:\.\w[\w-]*)+")
_WORD, _CONTINUOUS, _OTHER, _MARK = range(4)
_INNER = {
    ".": (),
    "-": (),
    "‐": (),
    ",": "0123456789",
    ":": "0123456789",
}  # beside which characters they stay
_WITHOUT_BLANKS = re.compile("[⺀-〿ぁ-ヿ㄀-ㄯㆠ-ㆿ㇀-㏿㐀-䶿一-鿿豈-﫿！-･ก-๛ກ-ໟက-႟ក-៹\U00020000-\U0003ffff]")


@lru_cache(1 << 14)
def _kind(character: str) -> int:
    if unicodedata.category(character)[0] == "M":
        return _MARK
    if _WITHOUT_BLANKS.match(character):
        return _CONTINUOUS
    return _WORD if character.isalnum() or character == "_" else _OTHER


def tokenise(text: str, apostrophes: str = BEFORE) -> list[str]:
    """Return the tokens of a text.

    Examples
    --------
    >>> tokenise('He said: "It isn\\'t 3,5."')
    ['He', 'said', '￭:', '"￭', 'It', 'isn', "￭'t", '3,5', '￭.', '￭"']
    >>> detokenise(tokenise('He said: "It isn\\'t 3,5."'))
    'He said: "It isn\\'t 3,5."'
    """
    return tokenised(text, apostrophes)[0]


def tokenised(text: str, apostrophes: str = BEFORE) -> tuple[list[str], list[int]]:
    """Return the tokens of a text, and for each the number of the word between blanks that it is part of."""
    tokens: list[str] = []
    places: list[int] = []
    chunks = text.translate(_STAND_INS).split()
    for place, chunk in enumerate(chunks):
        is_last = place + 1 == len(chunks) and chunk.endswith(".")
        parts = list(_parts(chunk, apostrophes, is_last))
        # Beside a character without blanks, a blank is marked.
        if tokens and (_is_open(chunks[place - 1][-1]) or _is_open(chunk[0])):
            parts[0] = BLANK + parts[0]
        tokens += parts
        places += [place] * len(parts)
    return tokens, places


def detokenise(tokens: Iterable[str]) -> str:
    """Return the text of tokens."""
    return detokenised(tokens)[0]


def detokenised(tokens: Iterable[str]) -> tuple[str, list[int]]:
    """Return the text of tokens, and for each the number of the word between blanks that it is part of."""
    text: list[str] = []
    places: list[int] = []
    joined, last, place = True, "", 0
    for token in tokens:
        core, before, after = _unmarked(token)
        is_apart = before == BLANK or not (joined or _is_open(last) or _is_open(core[:1]))
        if text and before != JOINER and is_apart:
            text.append(" ")
            place += 1
        text.append(core)
        places.append(place)
        joined, last = after == JOINER, core[-1:] or last
    return "".join(text), places


def core_of(token: str) -> str:
    """Return a token without marks."""
    return _unmarked(token)[0]


def with_core(token: str, core: str) -> str:
    """Return a token with its marks around another core."""
    _, before, after = _unmarked(token)
    return f"{before}{core}{after}"


def _unmarked(token: str) -> tuple[str, str, str]:
    before = token[0] if token[:1] in (JOINER, BLANK) and len(token) > 1 else ""
    rest = token[len(before) :]
    after = JOINER if rest.endswith(JOINER) and len(rest) > 1 else ""
    return rest[: len(rest) - len(after)], before, after


def _is_open(character: str) -> bool:
    """Return whether nothing stands beside it where others have blanks."""
    return bool(character) and _kind(character) == _CONTINUOUS


@lru_cache(1 << 17)
def _parts(chunk: str, apostrophes: str, is_last: bool) -> tuple[str, ...]:
    """Split the text between blanks into marked parts."""
    parts = list(_cut(chunk, apostrophes, is_last))
    leads, trails = [""] * len(parts), [""] * len(parts)
    for i in range(1, len(parts)):
        if _is_open(parts[i - 1][-1]) or _is_open(parts[i][0]):
            continue
        # Marks are on punctuation, so that words look the same with and without it.
        if _is_wordlike(parts[i]) and not _is_wordlike(parts[i - 1]):
            trails[i - 1] = JOINER
        else:
            leads[i] = JOINER
    return tuple(map("".join, zip(leads, parts, trails)))


def _is_wordlike(part: str) -> bool:
    """Return whether it begins and ends as a word does, not with an apostrophe at a cut."""
    return _kind(part[0]) == _WORD and part[-1] not in _APOSTROPHES


def _cut(chunk: str, apostrophes: str, is_last: bool) -> Iterator[str]:
    """Yield the tokens of what stands between blanks."""
    i = 0
    while i < len(chunk):
        if (whole := _WHOLE.match(chunk, i)) is not None:
            yield whole[0]
            i = whole.end()
            continue
        begin, kind = i, _kind(chunk[i])
        i += 1
        if kind == _OTHER:
            while i < len(chunk) and chunk[i] == chunk[begin]:
                i += 1
        elif kind in (_WORD, _MARK):
            i = _end_of_word(chunk, i, is_last)
        while i < len(chunk) and _kind(chunk[i]) == _MARK:
            i += 1
        if kind == _WORD and (at := _apostrophe(chunk, i, apostrophes)) > 0:
            if apostrophes == AFTER:
                yield chunk[begin : i + 1]
                i += 1
            else:
                yield chunk[begin:i]
                yield chunk[i:at]
                i = at
            continue
        yield chunk[begin:i]


def _end_of_word(chunk: str, i: int, is_last: bool) -> int:
    """Return where a word ends that has begun before `i`."""
    begin, dots = i - 1, 0
    while i < len(chunk):
        kind, next_kind = _kind(chunk[i]), _kind(chunk[i + 1]) if i + 1 < len(chunk) else _OTHER
        if kind in (_WORD, _MARK):
            i += 1
        elif chunk[i] in _INNER and next_kind == _WORD and _stays(chunk, i):
            dots += chunk[i] == "."
            i += 1
        else:
            break
    # An initial or an abbreviation with inner points keeps its last one, but not at the end of a text.
    is_initial = i - begin == 1 and chunk[begin].isupper()
    if chunk[i : i + 1] == "." and (dots or is_initial) and not (is_last and i + 1 == len(chunk)):
        return i + 1 if chunk[i + 1 : i + 2] != "." else i
    return i


def _stays(chunk: str, i: int) -> bool:
    beside = _INNER[chunk[i]]
    return not beside or (chunk[i - 1] in beside and chunk[i + 1] in beside)


def _apostrophe(chunk: str, i: int, apostrophes: str) -> int:
    """Return where the word after an apostrophe at `i` ends; 0 if no word is cut there."""
    if chunk[i : i + 1] not in tuple(_APOSTROPHES) or i + 1 == len(chunk) or _kind(chunk[i + 1]) != _WORD:
        return 0
    end = i + 1
    while end < len(chunk) and _kind(chunk[end]) in (_WORD, _MARK):
        end += 1
    return end


_AROUND = re.compile(r"([^\W\d_]+)['’]([^\W\d_]+)")


def side_of_apostrophes(texts: Iterable[str]) -> str:
    """Return on which side of apostrophes words are cut: what has few forms is cut off (*'t*, *l'*)."""
    pairs = [found for text in texts for found in _AROUND.findall(text.lower())]
    firsts, seconds = {first for first, _ in pairs}, {second for _, second in pairs}
    return AFTER if len(firsts) < len(seconds) else BEFORE


_ATTACHED = re.compile(r"\w[.,;:!?](?=\s|$)|\w[。，、！？；：]")
_ALONE = re.compile(r"(?:^|\s)[.,;:!?。，、！？；：](?=\s|$)")
_PARTED = re.compile(f"{_WITHOUT_BLANKS.pattern}\\s+(?={_WITHOUT_BLANKS.pattern})")
_RUN = re.compile(f"{_WITHOUT_BLANKS.pattern}+")
_LONG = 6  # characters between blanks; words are shorter


def looks_raw(texts: Iterable[str]) -> bool:
    """Return whether punctuation stands at words more often than alone, or characters in long runs.

    Examples
    --------
    >>> looks_raw(["He came, and left."]), looks_raw(["He came , and left ."]), looks_raw(["he came"])
    (True, False, False)
    """
    raw = cut = 0
    for text in texts:
        raw += len(_ATTACHED.findall(text)) + sum(len(run) > _LONG for run in _RUN.findall(text))
        cut += len(_ALONE.findall(text)) + len(_PARTED.findall(text))
    return raw > cut


def is_without_blanks(texts: Iterable[str]) -> bool:
    """Return whether most characters are of scripts without blanks."""
    counts = [(len(text), sum(map(len, _RUN.findall(text)))) for text in texts]
    return 2 * sum(found for _, found in counts) > sum(size for size, _ in counts)
