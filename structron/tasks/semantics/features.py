"""Templates of semantic parsing: what they see of a production's words, parts and span.

A template is a list of atoms separated by blanks:

=========================  =====================================================================
``p``, ``f``               the production, and its outermost function symbol
``w``, ``prefix``          a word that the production itself covers, and its first four characters
``w[-1]``, ``w[1]``        the words beside that one
``c``, ``g``               a part: its production, and its function symbol
``s``                      the slot that the part fills
``first``, ``last``        the words at the edges of its span
``before``, ``after``      the words beside its span
``in``, ``any``            each word of its span, and each word of the question
``bare``                   whether it covers no word itself
``name``                   the production, where ``p`` and ``c`` see only the type of a name
``order``                  whether the parts of its two slots stand in the question as in the form,
                           if both slots take the same types
=========================  =====================================================================

A template with ``w``, ``prefix``, ``w[-1]`` or ``w[1]`` is used once for each word that a production itself
covers, one with ``c``, ``g`` or ``s`` once for each of its parts, one with ``order`` once for a production
with two slots, and every other one once for its span.

A word that was only ever seen in names is seen as the types of these names: what is learned of Texas holds
for Utah, and ``w`` alone learns the cost of passing over a name.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass

from structron.errors import SettingError
from structron.features.atoms import check_distinct
from structron.features.keys import BOUNDARY, combine, hash_bytes

PREFIX = 4  # characters

# The atoms in the order of their numbers, which the engine shares.
ATOMS = (
    "p",
    "f",
    "name",
    "w",
    "prefix",
    "w[-1]",
    "w[1]",
    "c",
    "g",
    "s",
    "first",
    "last",
    "before",
    "after",
    "bare",
    "in",
    "any",
    "order",
)
_OF_WORD = ("w", "prefix", "w[-1]", "w[1]")
_OF_PART = ("c", "g", "s")
_OF_ORDER = ("order",)
_OF_SPAN = ("first", "last", "before", "after", "bare", "in", "any")
_EACH = ("in", "any")
WORD, PART, SPAN, ORDER = range(4)
_ALL = 2**64 - 1

PRESETS = {
    "hybrid": (
        "p w",
        "f w",
        "p prefix",
        "p w w[-1]",
        "p w w[1]",
        "f s g",
        "p s c",
        "p bare",
        "p before",
        "p after",
        "p first",
        "p last",
        "p in",
        "p any",
        "name",
        "p order",
        "w",
    ),
    "lexical": ("p w", "f w", "p w w[-1]", "f s g", "p s c", "p bare"),
}


@dataclass(frozen=True)
class ProductionKeys:
    """The keys that templates see of a production: all of it, its function symbol, and the type of a name.

    `kind` is the type for all productions, and the key of words that occur in its name only.
    """

    whole: int
    function: int
    seen: int
    kind: int


@dataclass(frozen=True)
class QuestionKeys:
    """Hashes of a question's words and of their beginnings."""

    words: tuple[int, ...]
    prefixes: tuple[int, ...]

    @classmethod
    def of(cls, words: Sequence[str]) -> QuestionKeys:
        """Hash these words."""
        return cls(
            tuple(hash_bytes(word.encode("utf-8", "surrogatepass")) for word in words),
            tuple(hash_bytes(word[:PREFIX].encode("utf-8", "surrogatepass")) for word in words),
        )

    def naming(self, kinds: Mapping[int, Set[int]]) -> QuestionKeys:
        """Replace words in names by the types of these names; `kinds` has the types by position."""
        seen = {i: combine(BOUNDARY, sum(each) & _ALL) for i, each in kinds.items()}
        words, prefixes = (
            tuple(seen.get(i, key) for i, key in enumerate(keys)) for keys in (self.words, self.prefixes)
        )
        return QuestionKeys(words, prefixes)

    def word(self, i: int) -> int:
        """Return the hash of a word, or of what is beyond the ends."""
        return self.words[i] if 0 <= i < len(self.words) else BOUNDARY


@dataclass(frozen=True)
class SemanticTemplate:
    """One parsed template: the numbers of its atoms."""

    text: str
    base: int
    atoms: tuple[int, ...]

    @property
    def kind(self) -> int:
        """Return its use: `WORD`, `PART`, `ORDER` or `SPAN`."""
        names = {ATOMS[atom] for atom in self.atoms}
        for kind, atoms in ((WORD, _OF_WORD), (PART, _OF_PART), (ORDER, _OF_ORDER)):
            if names & set(atoms):
                return kind
        return SPAN

    def of_word(self, p: ProductionKeys, question: QuestionKeys, i: int) -> int:
        """Return its key for a word that a production itself covers."""
        values = {"w": question.words[i], "prefix": question.prefixes[i]}
        values |= {"w[-1]": question.word(i - 1), "w[1]": question.word(i + 1)}
        return self._key(self._of(p) | values)

    def of_part(self, p: ProductionKeys, slot: int, c: ProductionKeys) -> int:
        """Return its key for a part that fills a slot."""
        return self._key(self._of(p) | {"c": c.seen, "g": c.function, "s": slot + 1})

    def of_order(self, p: ProductionKeys, *, turned: bool) -> int:
        """Return its key for a production with two slots, whose parts stand as in the form or turned."""
        return self._key(self._of(p) | {"order": 1 + turned})

    def of_span(
        self, p: ProductionKeys, question: QuestionKeys, begin: int, end: int, *, bare: bool
    ) -> Iterator[int]:
        """Yield its keys for a production over a span: one, or one for each word."""
        values = {
            "first": question.word(begin),
            "last": question.word(end - 1),
            "before": question.word(begin - 1),
            "after": question.word(end),
            "bare": 1 + bare,
        }
        key = self._key(self._of(p) | values)
        each = ATOMS[self.atoms[-1]]
        if each not in _EACH:
            yield key
            return
        for word in question.words if each == "any" else question.words[begin:end]:
            yield combine(key, word)

    def of_length(self, *, bare: bool) -> int:
        """Return its key for any production, if ``bare`` is its only atom."""
        return self._key({"bare": 1 + bare})

    def _key(self, values: dict[str, int]) -> int:
        key = self.base
        for atom in self.atoms:
            if ATOMS[atom] not in _EACH:
                key = combine(key, values[ATOMS[atom]])
        return key

    @staticmethod
    def _of(p: ProductionKeys) -> dict[str, int]:
        return {"p": p.seen, "f": p.function, "name": p.whole}


def parse(text: str) -> SemanticTemplate:
    """Read one template.

    >>> parse("p   w").text
    'p w'
    """
    if not isinstance(text, str) or not text.split():
        raise SettingError("a template is empty; write atoms such as 'p w' into it")
    names = text.split()
    for name in names:
        if name not in ATOMS:
            raise SettingError(f"template '{text}': there is no atom '{name}'; use {', '.join(ATOMS)}")
    normal = " ".join(names)
    if sum(bool({*kind} & {*names}) for kind in (_OF_WORD, _OF_PART, _OF_ORDER, _OF_SPAN)) > 1:
        raise SettingError(
            f"template '{normal}' looks at words, parts, order or spans together; write one for each"
        )
    if any(name in _EACH for name in names[:-1]):
        raise SettingError(f"template '{normal}': '{_EACH[0]}' and '{_EACH[1]}' stand last; put them there")
    return SemanticTemplate(normal, hash_bytes(normal.encode()), tuple(map(ATOMS.index, names)))


def parse_all(templates: Sequence[str]) -> list[SemanticTemplate]:
    """Read templates; refuse duplicates."""
    if not templates:
        raise SettingError("there are no templates; give at least one, such as 'p w'")
    found = [parse(text) for text in templates]
    check_distinct(template.text for template in found)
    return found
