"""Template sets of both kinds: over parser states, or over parts of trees for system graph."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from structron.errors import SettingError
from structron.tasks.parsing.features.graph_presets import GRAPH_PRESETS, PRUNER, graph_with_case
from structron.tasks.parsing.features.presets import (
    PARSING_PRESETS,
    with_forms,
    with_one_tag,
    without_lemmas,
)
from structron.tasks.parsing.features.templates import ParseTemplate, columns_used, parse_templates

if TYPE_CHECKING:
    from structron.tasks.parsing.features.graph import GraphTemplate

GRAPH = "graph"  # the system that has no transitions
ALL_PRESETS = PARSING_PRESETS | GRAPH_PRESETS


def presets_of(system: str) -> Mapping[str, list[str]]:
    """Return the presets of a system."""
    return GRAPH_PRESETS if system == GRAPH else PARSING_PRESETS


def check_templates(templates: str | Sequence[str], system: str) -> None:
    """Refuse a set that is unknown, unreadable or meant for other systems."""
    if isinstance(templates, list | tuple):
        read_templates(templates, system)
        return
    own = presets_of(system)
    if templates in ("auto", *own):
        return
    if templates in ALL_PRESETS:
        other = "parts of trees" if templates in GRAPH_PRESETS else "states of transition systems"
        raise SettingError(
            f"templates {templates} are over {other}, not for system {system}; use auto, {', '.join(own)} "
            "or another system"
        )
    known = ", ".join(["auto", *own])
    raise SettingError(f"templates {templates!r} are not known; use {known} or a list of templates")


def read_templates(texts: Sequence[str], system: str) -> list[GraphTemplate] | list[ParseTemplate]:
    """Read templates of the kind that a system has."""
    try:
        return _graph(texts) if system == GRAPH else parse_templates(texts)
    except SettingError as error:
        what = _of_the_other_kind(texts, system)
        raise error if what is None else SettingError(what) from None


def _of_the_other_kind(texts: Sequence[str], system: str) -> str | None:
    """Explain that the templates belong to the other kind of system; return None if they do not."""
    try:
        (parse_templates if system == GRAPH else _graph)(texts)
    except SettingError:
        return None
    if system == GRAPH:
        seen, own = "parser states, and system graph has none", "h.w m.t d"
    else:
        seen, own = f"parts of trees, and system {system} has none", "s0.w q0.t"
    return f"templates such as '{texts[0]}' see {seen}; write them as '{own}', or use another system"


def pruner_templates(texts: Sequence[str]) -> list[str]:
    """Return templates for a parser's pruner, over the same columns; none for words alone."""
    seen = columns_seen(texts, GRAPH)
    if 2 in seen:
        return PRUNER if {3, 4} <= seen else with_forms(PRUNER)
    if 3 in seen:
        return graph_with_case(PRUNER) if 4 in seen else without_lemmas(graph_with_case(PRUNER))
    return with_one_tag(PRUNER) if 1 in seen else []


def columns_seen(texts: Sequence[str], system: str) -> set[int]:
    """Return the numbers of the columns that templates read."""
    if system != GRAPH:
        return columns_used(parse_templates(texts))
    return {atom.look.column for t in _graph(texts) for atom in t.atoms if atom.look}


def _graph(texts: Sequence[str]) -> list[GraphTemplate]:
    from structron.tasks.parsing.features.graph import parse_graph_templates

    return parse_graph_templates(texts)
