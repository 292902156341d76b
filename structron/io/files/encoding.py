"""Encoding: the encoding of a text, its line ends, and its byte order mark."""

from __future__ import annotations

import codecs
from collections.abc import Callable
from dataclasses import dataclass

from structron.errors import SettingError


@dataclass
class Encoding:
    """The encoding of a file; the reader records in it what the writer needs to produce the same bytes.

    Parameters
    ----------
    name
        Any text encoding that Python knows: ``utf-8``, ``latin-1``, ``cp1252``, ``utf-16``, ...
    mark
        Whether the file begins with a byte order mark.
    crlf
        Whether lines end as on Windows; the first line of a file decides for all of it.

    Examples
    --------
    >>> Encoding("Latin-1").name
    'latin-1'
    """

    name: str = "utf-8"
    mark: bool = False
    crlf: bool = False

    def __post_init__(self) -> None:
        try:
            known = codecs.lookup(self.name)
            # Long enough for codecs of names and the like, which are not encodings of text.
            ("a" * 100 + "\n").encode(self.name).decode(self.name)
        except (LookupError, TypeError, ValueError):
            raise SettingError(
                f"encoding {self.name!r} is not known; use a name such as utf-8, latin-1, cp1252 or utf-16"
            ) from None
        self.name = "latin-1" if known.name == "iso8859-1" else known.name.removesuffix("-sig")

    @classmethod
    def of(cls, encoding: str | Encoding) -> Encoding:
        """Look up an encoding by its name; return an `Encoding` unchanged."""
        return encoding if isinstance(encoding, Encoding) else cls(encoding)

    @property
    def is_wide(self) -> bool:
        """Return True if a line end is more than one byte, as in UTF-16."""
        return "\n".encode(self.name) != b"\n"

    def begun(self, block: bytes) -> bytes:
        """Return the first lines of a file, with one byte for each line end and no mark; record both."""
        if self.name.startswith("utf") and block.startswith(codecs.BOM_UTF8):
            self.mark, block = True, block[len(codecs.BOM_UTF8) :]
        self.crlf = block[: block.find(b"\n")].endswith(b"\r")
        return block

    def decoder(self) -> codecs.IncrementalDecoder:
        """Return an incremental decoder."""
        return codecs.getincrementaldecoder(self.name)()

    def encoder(self) -> Callable[[str], bytes]:
        """Return an incremental encoder; it uses what the reader has recorded by the first piece."""
        encode = codecs.getincrementalencoder(self.name)().encode
        begun = False

        def put(text: str) -> bytes:
            nonlocal begun
            written = text.replace("\n", "\r\n") if self.crlf else text
            try:
                encoded = encode("\ufeff" + written if self.mark and not begun else written)
            except UnicodeEncodeError as error:  # which may call its encoding "charmap"
                raise UnicodeEncodeError(self.name, *error.args[1:]) from None
            begun = True
            return encoded

        return put


def unfit(error: UnicodeEncodeError) -> str:
    """Return the reason why a text cannot be written, in words."""
    lost = error.object[error.start : error.end]
    if error.encoding.startswith("utf"):
        return f"{lost!r} is not text; change the value"
    return f"{lost!r} does not exist in {error.encoding}; use another encoding, such as utf-8"
