"""Sentence: the fields of a sentence in a file, with everything that must survive a round trip."""

from __future__ import annotations

from collections.abc import Sequence

from structron.errors import DataError, SettingError
from structron.io.files.format import Format

FIX = "fix the line or pass --skip-bad"


class Sentence:
    """One sentence as it stood in the file.

    Parameters
    ----------
    rows
        The fields of every token line; in CoNLL-U also those of multiword ranges and empty nodes.
    format
        The format it came in, which also names the columns.
    comments
        CoNLL-U comment lines; in slash lines, the tab-separated fields before the words.
    file, line
        Where its first line (comment or token) stands.
    tokens
        The rows of the syntactic words, if the caller has them already.
    given
        Columns whose values prediction keeps, where they are filled.

    Examples
    --------
    >>> sentence = Sentence([["time", "NN"], ["flies", "VBZ"]], Format("columns"))
    >>> sentence.words(), sentence.column("label")
    (['time', 'flies'], ['NN', 'VBZ'])
    """

    __slots__ = ("comments", "file", "format", "given", "line", "rows", "tokens")

    def __init__(
        self,
        rows: list[list[str]],
        format: Format,
        *,
        comments: list[str] | None = None,
        file: str = "(memory)",
        line: int = 0,
        tokens: list[list[str]] | None = None,
        given: tuple[str, ...] = (),
    ) -> None:
        self.given = given
        self.rows = rows
        self.format = format
        self.comments = comments if comments is not None else []
        self.file = file
        self.line = line
        if tokens is None:
            # Ranges (3-4) and empty nodes (8.1) are lines of the file but not words of the tree.
            tokens = [row for row in rows if row[0].isdecimal()] if format.name == "conllu" else rows
        self.tokens = tokens

    @classmethod
    def of(
        cls, words: Sequence[str], labels: Sequence[str] | None = None, format: Format | None = None
    ) -> Sentence:
        """Make a sentence from words, and labels for the target column of its format (columns by default)."""
        if format is None:
            format = Format("columns") if labels is not None else Format("text")
        if format.name == "conllu":
            rows = [[str(i), word, *["_"] * 8] for i, word in enumerate(words, 1)]
        else:
            rows = [[word, *[""] * (len(format.columns) - 1)] for word in words]
        sentence = cls(rows, format)
        target = format.target
        if labels is None or target is None:
            return sentence
        return sentence.with_column(target, labels)

    @property
    def names(self) -> tuple[str, ...]:
        """Return the names of the columns."""
        return self.format.columns

    @property
    def place(self) -> str:
        """Return ``file:line`` of the first line, for messages."""
        return f"{self.file}:{self.line}" if self.line else self.file

    def place_of(self, token: int) -> str:
        """Return ``file:line`` of one syntactic word (counted from 0)."""
        if not self.line or self.format.name in ("slash", "text"):
            return self.place
        row = next(i for i, row in enumerate(self.rows) if row is self.tokens[token])
        return f"{self.file}:{self.line + len(self.comments) + row}"

    def words(self) -> list[str]:
        """Return the forms of the syntactic words."""
        return self.column("form")

    def column(self, column: str | int) -> list[str]:
        """Return one column, by name or index, of the syntactic words."""
        index = self._find(column)
        return [row[index] for row in self.tokens]

    def with_column(self, column: str | int, values: Sequence[str]) -> Sentence:
        """Return a copy with one column replaced, or added at the end if the format allows it."""
        if len(values) != len(self.tokens):
            raise SettingError(
                f"{self.place}: {len(values)} values for {len(self.tokens)} words; give one for each"
            )
        index = self.format.find(column)
        full = self.format.name == "conllu" or (self.format.name == "slash" and len(self.names) == 2)
        if index is None and (full or not isinstance(column, str)):
            self._find(column)
        if index is None:
            rows = [[*row, value] for row, value in zip(self.rows, values)]
            return Sentence(
                rows,
                self.format.with_column(str(column)),
                comments=self.comments,
                file=self.file,
                line=self.line,
                given=self.given,
            )
        tokens = [row.copy() for row in self.tokens]
        for row, value in zip(tokens, values):
            row[index] = value
        rows = tokens
        if self.tokens is not self.rows:
            changed = {id(old): new for old, new in zip(self.tokens, tokens)}
            rows = [changed.get(id(row), row) for row in self.rows]
        return Sentence(
            rows,
            self.format,
            comments=self.comments,
            file=self.file,
            line=self.line,
            tokens=tokens,
            given=self.given,
        )

    def keeping(self, given: tuple[str, ...]) -> Sentence:
        """Return the sentence with columns that prediction must keep."""
        return Sentence(
            self.rows,
            self.format,
            comments=self.comments,
            file=self.file,
            line=self.line,
            tokens=self.tokens,
            given=given,
        )

    def values(self, column: str | int) -> list[str | None]:
        """Return one column; None where it has no value, or ``_``."""
        return [None if value in ("", "_") else value for value in self.column(column)]

    def _find(self, column: str | int) -> int:
        index = self.format.find(column)
        if index is None:
            raise DataError(
                f"{self.place}: no column {column!r}; "
                f"choose one of {', '.join(self.names)}, or name the columns with --columns"
            )
        return index

    def __len__(self) -> int:
        return len(self.tokens)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Sentence):
            return NotImplemented
        return (self.rows, self.comments, self.format) == (other.rows, other.comments, other.format)

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"<Sentence {self.place}: {' '.join(row[self._find('form')] for row in self.tokens)}>"


def missing(sentence: Sentence, target: str | int) -> DataError | None:
    """Return an error for the first word without a value in the target column, or None if all have one."""
    values = sentence.column(target)
    index = sentence.format.find(target)
    # In CoNLL-U "_" means "not annotated" in these four, but "none" in features or remarks.
    unsaid = sentence.format.name == "conllu" and index in (3, 4, 6, 7)
    for token, value in enumerate(values):
        if not value or (unsaid and value == "_"):
            word = sentence.words()[token]
            name = sentence.names[index] if index is not None else target
            return DataError(f"{sentence.place_of(token)}: word {word!r} has no {name}; {FIX}")
    return None
