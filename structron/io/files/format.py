"""Format: the kind of a file, its separator, and the names of its columns."""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property

from structron.errors import SettingError
from structron.records import dataclass

CONLLU = ("id", "form", "lemma", "upos", "xpos", "feats", "head", "deprel", "deps", "misc")

# The defaults of each format: separator and columns.
_USUAL = {
    "conllu": ("\t", CONLLU),
    "columns": ("\t", ("form", "label")),
    "slash": (" ", ("form", "tag")),
    "text": (" ", ("form",)),
}


@dataclass(frozen=True)
class Format:
    """The format of a file, so that the output looks like the input.

    Parameters
    ----------
    name
        ``conllu``; ``columns`` (one token a line, a blank line between sentences); ``slash`` (one sentence a
        line, ``word/tag``); ``text`` (one sentence a line, words only).
    separator
        The separator of fields: a tab or a blank.
    columns
        The names of the columns. A slash or columns file without labels has ``("form",)`` alone.

    Examples
    --------
    >>> Format("slash").columns
    ('form', 'tag')
    """

    name: str
    separator: str = ""
    columns: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if self.name not in _USUAL:
            raise SettingError(f"unknown format {self.name!r}; choose one of {', '.join(_USUAL)}")
        separator, columns = _USUAL[self.name]
        object.__setattr__(self, "separator", self.separator or separator)
        object.__setattr__(self, "columns", tuple(self.columns) or columns)
        if self.separator not in ("\t", " "):
            raise SettingError(
                f"the separator {self.separator!r} is neither a tab nor a blank; choose one of them"
            )
        if self.name == "conllu" and (self.separator, self.columns) != (separator, columns):
            raise SettingError("CoNLL-U has ten fixed columns between tabs; use format columns for others")
        if self.name in ("slash", "text") and (self.separator != " " or len(self.columns) > len(columns)):
            raise SettingError(f"format {self.name} has {' and '.join(columns)} between blanks, nothing else")

    @property
    def target(self) -> str | None:
        """Return the column a tagger predicts by default, or None if there is only ``form``."""
        if self.name == "conllu":
            return "upos"
        return self.columns[-1] if len(self.columns) > 1 else None

    def find(self, column: str | int) -> int | None:
        """Return the index of a column given by name or index (``-1`` is the last), None if missing."""
        if isinstance(column, str):
            index = self._indices.get(column)
            if index is not None:
                return index
            if not column.isdecimal():
                return None
            column = int(column)
        width = len(self.columns)
        return column % width if -width <= column < width else None

    @cached_property
    def _indices(self) -> dict[str, int]:
        # A damaged file may have thousands of columns, each of which is asked for; of equal names the first.
        return {name: index for index, name in reversed(list(enumerate(self.columns)))}

    def with_column(self, name: str) -> Format:
        """Return this format with one more column; plain text becomes words with tags."""
        if self.name == "text":
            return Format("slash", columns=(*self.columns, name))
        return replace(self, columns=(*self.columns, name))
