"""Pieces of one's own among the settings: a name for files, and the piece itself while it is at hand."""

from __future__ import annotations

from typing import Any

OWN = "own:"


class Piece(str):
    """The name of a piece, such as ``own:ideas.second_violation``; a file keeps the name alone.

    Attributes
    ----------
    piece
        What has the name.
    """

    piece: Any

    def __new__(cls, name: str, piece: Any = None) -> Piece:
        made = super().__new__(cls, name)
        made.piece = piece
        return made

    @classmethod
    def of(cls, piece: Any) -> Piece:
        """Name a function, or an object by its class."""
        named = piece if hasattr(piece, "__qualname__") else type(piece)
        return cls(f"{OWN}{named.__module__}.{named.__qualname__}", piece)


def is_piece(name: object) -> bool:
    """Return whether a setting names a piece of one's own."""
    return isinstance(name, str) and name.startswith(OWN)


def piece_of(name: str) -> Any:
    """Return the piece that a name has with it; None where a file has the name alone."""
    return name.piece if isinstance(name, Piece) else None
