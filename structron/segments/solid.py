"""Pieces of a text that are never cut: addresses, numbers, tags of posts, HTML entities, pictures of several
characters.

Nothing in one of them begins a token. Which kinds there are is a set of bits, learned from training data: a
kind that gold cuts is not among them. `core/tasks/segmentation/solid.hpp` is the engine's twin.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from structron.engine.rows import typed
from structron.segments.boundaries import MUST_BEGIN, MUST_END, MUST_GO_ON, MUST_JOIN, Token
from structron.segments.units import Unit, class_of

URL, MAIL, DECIMAL, CLOCK, EXPONENT, HASHTAG, MENTION, CLUSTER, ENTITY = (1 << bit for bit in range(9))
KINDS = {
    "addresses of pages": URL,
    "addresses of mail": MAIL,
    "decimal numbers": DECIMAL,
    "times": CLOCK,
    "exponents": EXPONENT,
    "hashtags": HASHTAG,
    "mentions": MENTION,
    "grapheme clusters": CLUSTER,
    "HTML entities": ENTITY,
}
SCHEMES = ("http", "https", "ftp", "ftps", "file")
_ENDS_URL = '<>"\u201c\u201d\u00ab\u00bb|{}'
_AFTER_URL = ".,;:!?'\u2019\u2026*])"
_MAY_FOLLOW = "'\u2019-/_&"  # a mark after an address that may belong to the same token
_WORDS = ("letter", "other", "digit")
CUT_OFTEN = 20  # a kind is left out if gold cuts one in so many, or more


class _Chunk:
    """Units with no white space between them."""

    def __init__(self, text: str, units: Sequence[Unit]) -> None:
        self.words = [text[unit.begin : unit.end] for unit in units]
        self.first = [word[0] for word in self.words]
        self.kind = [class_of(char) for char in self.first]
        self.size = len(units)

    def is_word(self, i: int) -> bool:
        return self.kind[i] in _WORDS

    def is_digits(self, i: int) -> bool:
        return i < self.size and self.kind[i] == "digit"

    def has(self, i: int, chars: str) -> bool:
        return i < self.size and self.first[i] in chars

    # ------------------------------------------------------------------------------------------ addresses

    def addresses(self, kinds: int) -> Iterator[tuple[int, int]]:
        """Yield begin and end of each address."""
        done = 0
        for i in range(self.size):
            if i < done:
                continue
            begin, end = i, 0
            if kinds & URL and self._starts_url(i):
                end = self._url_end(i)
            elif kinds & MAIL and self.first[i] == "@" and i:
                begin = self._mail_begin(i, done)
                end = self._mail_end(i) if begin < i else 0
            if end > begin + 1:
                yield begin, end
                done = end

    def _starts_url(self, i: int) -> bool:
        if self.kind[i] != "letter" or (i and self.is_word(i - 1)):
            return False
        word = self.words[i].lower()
        if word in SCHEMES:
            return self.has(i + 1, ":") and self.has(i + 2, "/") and self.has(i + 3, "/")
        return word == "www" and self.has(i + 1, ".") and i + 2 < self.size and self.is_word(i + 2)

    def _url_end(self, i: int) -> int:
        end = i
        while end < self.size and self.first[end] not in _ENDS_URL:
            end += 1
        while end > i + 1 and self.first[end - 1] in _AFTER_URL:
            inside = self.first[i:end]
            if inside[-1] == ")" and inside.count("(") >= inside.count(")"):
                break
            end -= 1
        return end

    def _mail_begin(self, at: int, least: int) -> int:
        begin = at
        while begin > least and (self.is_word(begin - 1) or self.first[begin - 1] in "._%+-"):
            begin -= 1
        while begin < at and not self.is_word(begin):
            begin += 1
        return begin

    def _mail_end(self, at: int) -> int:
        end = at + 1
        while end < self.size and (self.is_word(end) or self.first[end] in ".-_"):
            end += 1
        while end > at + 1 and not self.is_word(end - 1):
            end -= 1
        return end if "." in self.first[at + 2 : end] else 0

    # -------------------------------------------------------------------------- numbers, tags, clusters

    def numbers(self, kinds: int) -> Iterator[tuple[int, int]]:
        """Yield begin and end of each number, with one unit or more."""
        i = 0
        while i < self.size:
            if not self.is_digits(i) or (i and self.is_word(i - 1)):
                i += 1
                continue
            end = i + 1
            while self.is_digits(end + 1) and kinds & self._separator(end):
                end += 2
            if kinds & EXPONENT and end < self.size and self.words[end] in ("e", "E"):
                if self.is_digits(end + 1):
                    end += 2
                elif self.has(end + 1, "+-\u2212") and self.is_digits(end + 2):
                    end += 3
            yield i, end
            i = end

    def _separator(self, i: int) -> int:
        return {":": CLOCK, ".": DECIMAL, ",": DECIMAL}.get(self.first[i], 0)

    def tags(self, kinds: int) -> Iterator[tuple[int, int]]:
        """Yield begin and end of each hashtag and mention."""
        for i in range(self.size - 1):
            wanted = kinds & {"#": HASHTAG, "@": MENTION}.get(self.first[i], 0)
            if not wanted or (i and (self.is_word(i - 1) or self.first[i - 1] in "#@&/")):
                continue
            end = i + 1
            while end < self.size and (self.is_word(end) or self.first[end] == "_"):
                end += 1
            if {"letter", "other"} & set(self.kind[i + 1 : end]):
                yield i, end

    def entities(self) -> Iterator[tuple[int, int]]:
        """Yield begin and end of each HTML entity: ``&amp;``, ``&frac12;``, ``&#39;``, ``&#x27;``."""
        for i, char in enumerate(self.first):
            if char == "&" and (end := self._entity_end(i)):
                yield i, end

    def _entity_end(self, i: int) -> int:
        """Return where an entity that begins here ends; 0 if none does."""
        begin = i + 2 if self.has(i + 1, "#") else i + 1
        end = begin
        while end < self.size and self.is_word(end) and self.words[end].isascii():
            end += 1
        if end == begin or not self.has(end, ";") or end - begin > 4:
            return 0
        if begin == i + 2:
            return end + 1 if self.kind[begin] == "digit" or self.words[begin][0] in "xX" else 0
        name = self.words[begin]
        if self.kind[begin] != "letter" or len(name) < 2:
            return 0
        # Within a word it may be R&D and a semicolon, but AT&amp;T and caf&eacute; are meant.
        within = i > 0 and self.is_word(i - 1)
        if within and not (name.islower() and (len(name) > 3 or name in ("amp", "lt", "gt"))):
            return 0
        return end + 1

    def clusters(self) -> Iterator[tuple[int, int]]:
        """Yield pairs of units that are one grapheme cluster (UAX #29): flags, joined pictures, tones."""
        flags = 0
        for i, char in enumerate(self.first):
            flag = _is_flag(char)
            if i:
                before = self.words[i - 1][-1]
                joined = before == "\u200d" and self.kind[i] == "mark" and char >= "\xa9"
                tone = "\U0001f3fb" <= char <= "\U0001f3ff"
                if tone or joined or (flag and flags % 2 and _is_flag(before)):
                    yield i - 1, i + 1
            flags = flags + 1 if flag else 0


def _is_flag(char: str) -> bool:
    return "\U0001f1e6" <= char <= "\U0001f1ff"


def _chunks(units: Sequence[Unit]) -> Iterator[tuple[int, int]]:
    """Yield the runs of several units with no white space between them."""
    begin = 0
    for end in range(1, len(units) + 1):
        if end == len(units) or units[end].white:
            if end > begin + 1:
                yield begin, end
            begin = end


def solid_duties(text: str, units: Sequence[Unit], kinds: int) -> bytearray:
    """Return the duties of each unit under these kinds of pieces."""
    found = bytearray(len(units))
    for begin, end in _chunks(units) if kinds else ():
        chunk = _Chunk(text, units[begin:end])
        for first, last in chunk.addresses(kinds):
            _join(found, begin + first, begin + last)
            _apart(found, begin + first)
            if last < chunk.size and chunk.kind[last] == "mark" and chunk.first[last] not in _MAY_FOLLOW:
                _apart(found, begin + last)
        pieces = [*chunk.numbers(kinds), *chunk.tags(kinds), *(chunk.clusters() if kinds & CLUSTER else ())]
        pieces += chunk.entities() if kinds & ENTITY else ()
        for first, last in pieces:
            _join(found, begin + first, begin + last)
    return found


def _join(duties: bytearray, begin: int, end: int) -> None:
    for i in range(begin + 1, end):
        duties[i] |= MUST_JOIN
        duties[i - 1] |= MUST_GO_ON


def _apart(duties: bytearray, i: int) -> None:
    duties[i] |= MUST_BEGIN
    if i:
        duties[i - 1] |= MUST_END


def kinds_kept(given: Sequence[tuple[str, Sequence[Unit], Sequence[Token]]]) -> int:
    """Return the kinds that gold keeps whole; those that it never has are among them."""
    kept = 0
    for kind in KINDS.values():
        seen = cut = 0
        for text, units, tokens in given:
            begins = {token[0] for token in tokens}
            for duty, unit in zip(solid_duties(text, units, kind), units):
                seen += bool(duty & MUST_JOIN)
                cut += bool(duty & MUST_JOIN) and unit.begin in begins
        if cut * CUT_OFTEN <= seen:
            kept |= kind
    return kept


def kinds_to_header(kinds: int) -> dict[str, Any]:
    """Return what the header of a model file says of kinds: entities only if not as in older files."""
    header: dict[str, Any] = {"solid": kinds & ~ENTITY} if kinds & ~ENTITY else {}
    if bool(kinds & ENTITY) != bool(kinds & URL):
        header["entities"] = bool(kinds & ENTITY)
    return header


def kinds_of_header(header: Mapping[str, Any]) -> int:
    """Return the kinds of a header; older files say nothing of entities, and few treebanks have any."""
    kinds = typed(header, "solid", int) if "solid" in header else 0
    entities = typed(header, "entities", bool) if "entities" in header else kinds & URL
    return kinds | ENTITY if entities else kinds
