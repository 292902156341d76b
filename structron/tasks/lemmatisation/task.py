"""Lemmatisation: the label of each word is its edit script; known words need none.

It is tagging without history: a word's lemma depends only on its form and its tags, not on other words. So a
form with tags that was seen before has an answer at once, and the answer holds for all its tokens.
"""

from __future__ import annotations

from array import array
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import field, fields
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple, Self

from structron import _core
from structron.engine.rows import Arrays, keys_of, narrowed, numbers_of
from structron.engine.texts import pack_texts, unpack_texts
from structron.errors import ModelError
from structron.labelling.task import TaggingTask
from structron.records import dataclass
from structron.tasks.lemmatisation.scripts import applied, parse_script

if TYPE_CHECKING:
    import numpy.typing as npt

Word = tuple[str, ...]  # the form, then its tags


class Known(NamedTuple):
    """Lemmas of words seen before: `keys[i]`, the hash of form and tags, has `scripts[numbers[i]]`.

    Tags may be left out from the end, so that a word is also found if it was seen with other tags.
    """

    keys: array[int]
    numbers: array[int]
    scripts: tuple[str, ...]

    @classmethod
    def empty(cls) -> Known:
        """Return an empty table."""
        return cls(array("Q"), array("I"), ())

    @classmethod
    def observed(cls, seen: Iterable[tuple[Word, str]], least_tags: int = 1) -> Known:
        """Keep the most frequent script of each word; ties go to the first.

        Parameters
        ----------
        seen
            Words with their scripts, token by token.
        least_tags
            The least number of tags with which a word is kept.
        """
        counts: dict[Word, Counter[str]] = {}
        for word, script in seen:
            for size in range(least_tags + 1, len(word) + 1):
                counts.setdefault(word[:size], Counter())[script] += 1
        best = {word: scripts.most_common(1)[0][0] for word, scripts in counts.items()}
        scripts = tuple(sorted(set(best.values())))
        number = {script: i for i, script in enumerate(scripts)}
        rows = sorted((key_of(word), number[script]) for word, script in best.items())
        keys, numbers = zip(*rows) if rows else ((), ())
        return cls(array("Q", keys), array("I", numbers), scripts)


def key_of(word: Word) -> int:
    """Return the key of a form with its tags, which never contain a tab."""
    return _core.hash_bytes("\t".join(word).encode())


@dataclass(frozen=True)
class LemmatisationTask(TaggingTask):
    """Edit scripts as labels, with a table of known words; see `TaggingTask` for the rest.

    Parameters
    ----------
    known
        The lemmas of words seen before.
    least_tags
        The number of tags that a word must share with its entry.
    """

    kind: ClassVar[str] = "lemmatisation"

    known: Known = field(default_factory=Known.empty)
    least_tags: int = 1

    @cached_property
    def _engine(self) -> _core.KnownLemmas:
        keys, numbers, scripts = self.known
        return _core.KnownLemmas(keys, numbers, [*map(parse_script, scripts)])

    def known_lemma(self, word: Word) -> str | None:
        """Return the lemma of a word seen with these tags, or with the first of them; None if it is new."""
        keys, numbers, scripts = self.known
        for size in range(len(word), self.least_tags, -1):
            key = key_of(word[:size])
            at = bisect_left(keys, key)
            seen = at < len(keys) and keys[at] == key
            lemma = applied(scripts[numbers[at]], word[0]) if seen else None
            if lemma:
                return lemma
        return None

    def known_lemmas(self, words: Sequence[Word]) -> list[str | None]:
        """Return the lemmas of many words; words with non-ASCII letters go through `known_lemma`."""
        found = self._engine.lemmas(words, self.least_tags)
        return [self.known_lemma(word) if lemma is ... else lemma for word, lemma in zip(words, found)]

    def header(self) -> dict[str, Any]:
        """Return plain data for a model file."""
        return super().header() | {"least_tags": self.least_tags}

    def arrays(self) -> dict[str, npt.NDArray[Any]]:
        """Return the known words, besides the arrays of any tagger."""
        import numpy as np

        numbers = narrowed(np.asarray(self.known.numbers), np.uint8, np.uint16)
        own = {"known.keys": np.asarray(self.known.keys), "known.numbers": numbers}
        return super().arrays() | own | pack_texts("known.scripts", self.known.scripts)

    @classmethod
    def restore(cls, header: Mapping[str, Any], arrays: Arrays) -> Self:
        """Restore the task from a model file."""
        tagging = TaggingTask.restore(header, arrays)
        keys, numbers = keys_of(arrays, "known.keys"), numbers_of(arrays, "known.numbers")
        scripts = tuple(unpack_texts(arrays, "known.scripts"))
        if len(keys) != len(numbers) or _core.largest(numbers) >= max(len(scripts), 1):
            raise ModelError("its known words do not fit together")
        if (len(keys) and not scripts) or not _core.is_increasing(keys):
            raise ModelError("its known words are not in order")
        least = header["least_tags"]
        if type(least) is not int or not 0 <= least <= 255:
            raise ModelError("its least_tags should be a small number")
        inherited = {each.name: getattr(tagging, each.name) for each in fields(TaggingTask)}
        return cls(**inherited, known=Known(keys, numbers, scripts), least_tags=least)
