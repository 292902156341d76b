"""Templates over parts of trees as numbers, for the engine."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

from structron.features.atoms import CODES
from structron.tasks.parsing.features.graph import PLACES, GraphAtom, GraphTemplate

# Place, offset, aspect, length, column, multiplier.
CompiledAtom: TypeAlias = tuple[int, int, int, int, int, int]


def compile_templates(templates: Sequence[GraphTemplate]) -> list[tuple[int, list[CompiledAtom]]]:
    """Return the base and the atoms of each template."""
    return [(t.base, [_compiled_atom(atom) for atom in t.atoms]) for t in templates]


def _compiled_atom(atom: GraphAtom) -> CompiledAtom:
    look = atom.look
    if look is None:
        return PLACES.index(atom.place), 0, 0, 0, 0, atom.multiplier
    return (
        PLACES.index(atom.place),
        atom.offset,
        CODES[look.aspect],
        look.length,
        look.column,
        atom.multiplier,
    )
