"""Ready sets of templates over parts of trees: `graph` for accuracy and `graph_fast` for speed.

Arcs are seen as by McDonald, Crammer & Pereira (2005): both words, their neighbours, the tags between them,
each with direction and distance and without; siblings and grandchildren as by McDonald & Pereira (2006) and
Carreras (2007).
"""

from __future__ import annotations

from structron.features.parsing.presets import with_case, with_forms, with_one_tag

# One end of an arc.
_ENDS = ["h.w h.t", "h.w", "h.t", "m.w m.t", "m.w", "m.t", "h.l", "m.l", "h.x", "m.x", "m.m", "h.m"]
# Both ends.
_PAIRS = [
    *["h.w h.t m.w m.t", "h.t m.w m.t", "h.w m.w m.t", "h.w h.t m.t", "h.w h.t m.w", "h.w m.w"],
    *["h.t m.t", "h.x m.x", "h.l m.l", "h.l m.t", "h.t m.l", "h.x m.l", "h.l m.x"],
    *["h.t m.m", "h.m m.m", "h.l m.m"],
]
# Both ends with the words beside them, and the modifier with its own neighbours.
_AROUND = [
    *["h[-1].t h.t m.t m[+1].t", "h.t h[+1].t m[-1].t m.t"],
    *["h[-1].t h.t m[-1].t m.t", "h.t h[+1].t m.t m[+1].t"],
    *["h.t h[+1].t m.t", "h[-1].t h.t m.t", "h.t m[-1].t m.t", "h.t m.t m[+1].t"],
    *["h[-1].x h.x m.x", "h.x m[-1].x m.x", "h.x m.x m[+1].x", "h.x h[+1].x m.x"],
    *["m[-1].w m.t", "m.t m[+1].w", "m[-1].t m.t m[+1].t", "m[-2].t m[-1].t m.t"],
]
# The modifier and the child of the same head before it.
_SIBLINGS = [
    *["h.t s.t m.t dir", "h.t s.t m.t", "s.t m.t dir", "s.w m.w", "s.w m.t", "s.t m.w", "s.l m.l"],
    *["h.w s.t m.t", "h.l s.l m.t", "h.x s.x m.x"],
]
# The modifier and an outermost child of its own.
_GRANDCHILDREN = [
    *["h.t m.t c.t dir", "h.t m.t c.t", "h.t c.t dir", "h.w c.t", "h.t c.w", "h.l c.l", "m.w c.w h.t"],
    *["h.x m.x c.x", "h.l m.t c.l", "h.t m.l c.t"],
]

ARCS = [
    *[text for seen in [*_ENDS, *_PAIRS, *_AROUND, "bias"] for text in (f"{seen} d", seen)],
    *["h.t between.t m.t", "h.x between.x m.x"],
]
GRAPH = [*ARCS, *_SIBLINGS, *_GRANDCHILDREN]

# Few templates that parse well, of arcs alone: fine tags and lemmas in pairs, coarse tags around them.
GRAPH_FAST = [
    *["h.l h.x d", "m.l m.x d", "h.x m.x d", "h.l m.l", "h.l m.x d", "h.x m.l d"],
    *["h.l h.x m.x", "h.x m.l m.x"],
    *["h[-1].t h.t m.t m[+1].t d", "h.t h[+1].t m[-1].t m.t d"],
    *["h[-1].t h.t m[-1].t m.t d", "h.t h[+1].t m.t m[+1].t d"],
    *["h.t between.t m.t", "m[-1].t m.t m[+1].t d", "h.t m.m d"],
]


def _with_case(templates: list[str]) -> list[str]:
    """As for parser states; of the words between a template sees one thing: their coarse tags."""
    return with_case([template.replace("between.x", "between.t") for template in templates])


GRAPH_PRESETS: dict[str, list[str]] = {
    "graph": GRAPH,
    "graph_case": _with_case(GRAPH),
    "graph_forms": with_forms(GRAPH),
    "graph_tags": with_one_tag(GRAPH),
    "graph_fast": GRAPH_FAST,
    "graph_fast_case": _with_case(GRAPH_FAST),
    "graph_fast_forms": with_forms(GRAPH_FAST),
    "graph_fast_tags": with_one_tag(GRAPH_FAST),
}
