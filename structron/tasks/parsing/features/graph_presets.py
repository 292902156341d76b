"""Ready sets of templates over parts of trees: `graph` for accuracy, `graph_fast` of arcs alone for speed.

Arcs are seen much as by McDonald, Crammer & Pereira (2005): both words, their neighbours, what is between
them; siblings and grandchildren as by McDonald & Pereira (2006) and Carreras (2007), siblings of siblings as
by Koo & Collins (2010), relations and counts of children as by Zhang & McDonald (2012).
"""

from __future__ import annotations

from structron.features.lazy_presets import Made
from structron.tasks.parsing.features.presets import (
    with_case,
    with_forms,
    with_lemmas,
    with_one_tag,
    without_lemmas,
)

# Both ends of an arc.
_PAIRS = [
    *["h.w m.w dir", "h.l m.l dir", "h.l m.l d", "h.w m.t d", "h.t m.w d", "h.l m.x d", "h.x m.l d"],
    *["h.x m.x d", "h.t m.t d", "h.x m.w dir", "h.w m.x dir"],
    *["h.x m.m dir", "h.m m.m dir", "h.l m.m dir", "h.t m.m d"],
]
# One end.
_ENDS = [
    *["m.w d", "m.l dir", "m.x d", "m.t d", "m.m d", "h.w d", "h.l dir", "h.x d", "h.t d", "h.m d", "bias d"],
    *["m[-1].x m.x m[+1].x d", "m[-2].x m[-1].x m.x dir", "m.x m[+1].x m[+2].x dir"],
    *["m[-1].w m.x dir", "m.x m[+1].w dir", "m[-1].w m.w dir", "m.w m[+1].w dir"],
]
# Both ends with the words beside them, and the words between.
_AROUND = [
    *["h[-1].x h.x m.x m[+1].x dir", "h.x h[+1].x m[-1].x m.x dir"],
    *["h[-1].x h.x m[-1].x m.x dir", "h.x h[+1].x m.x m[+1].x dir"],
    *["h.x h[+1].x m.x d", "h[-1].x h.x m.x d", "h.x m[-1].x m.x d", "h.x m.x m[+1].x d"],
    *["h[-1].t h.t m.t m[+1].t d", "h.t h[+1].t m[-1].t m.t d"],
    *["h.x h[+1].w m.x dir", "h[-1].w h.x m.x dir", "m[-1].l h.l m.x dir"],
    *["h.t between.t m.t dir", "h.x between.x m.x dir", "between.l h.x m.x"],
]
# The modifier and the children of the same head before it.
_SIBLINGS = [
    *["h.t s.t m.t dir", "h.x s.x m.x dir", "s.x m.x dir", "s.t m.t d", "s.w m.w dir", "s.l m.x dir"],
    *["s.x m.l dir", "s.l m.l dir", "h.l s.x m.x dir", "h.x s.l m.x dir", "h.x s.x m.l dir"],
    *["h.l s.l m.x dir", "h.w s.x m.x dir", "h.t s.t m.t d", "h.l m.l s.l"],
    *["ss.x s.x m.x h.x dir", "ss.x m.x h.x dir", "ss.x s.x m.x dir", "ss.l m.l dir"],
    *["h.l ss.x s.x m.x dir", "ss.x s.x m.r h.x dir"],
]
# The modifier and an outermost child of its own.
_GRANDCHILDREN = [
    *["h.t m.t c.t side dir", "h.x m.x c.x side dir", "h.x c.x side dir", "h.l c.x side dir"],
    *["h.x c.l side dir", "h.l c.l side dir", "h.l m.x c.l side dir", "h.l m.l c.x side dir"],
    *["h.x m.l c.l side", "h.x m.x c.l side dir", "m.x c.w h.x side", "h.l m.x c.x side dir"],
]
# Relations of neighbouring arcs, and numbers of children.
_RELATIONS = [
    *["m.r s.r h.x dir", "m.r s.r m.x dir", "m.r s.l h.l dir", "m.l s.r h.l dir", "m.r s.r h.l dir"],
    *["m.r s.r m.l", "m.r s.x h.x dir", "m.x s.r h.x dir"],
    *["m.r c.r m.x side dir", "m.r c.r m.l side", "m.r c.x m.x side dir", "m.r c.l m.l side"],
    *["c.r m.x h.x side dir", "m.r c.r h.x side dir", "m.r c.r h.l side"],
]
_COUNTS = [
    *["h.x h.v m.x dir", "h.l h.v m.r dir", "h.x h.v m.r dir"],
    *["m.x m.v side dir", "m.l m.v side m.r", "m.x m.v side m.r", "m.x m.v h.x side dir"],
]

GRAPH_FAST = [*_PAIRS, *_ENDS, *_AROUND]
GRAPH = [*GRAPH_FAST, *_SIBLINGS, *_GRANDCHILDREN, *_RELATIONS, *_COUNTS]

# For a pruner, which scores every arc and should not learn the training data by heart.
PRUNER = [
    *["h.t m.t d", "h.x m.x d", "h.t m.w dir", "h.w m.t dir", "h.l m.l", "h.t d", "m.t d", "m.x d", "h.x d"],
    *["h[-1].t h.t m.t m[+1].t dir", "h.t h[+1].t m[-1].t m.t dir", "h[-1].x h.x m.x d"],
    *["h.x m.x m[+1].x d", "h.x m[-1].x m.x d", "h.x h[+1].x m.x d", "h.t between.t m.t dir"],
]


def graph_with_case(templates: list[str]) -> list[str]:
    """Replace fine tags as for parser states; for words between, templates see the coarse tag alone."""
    return with_case([template.replace("between.x", "between.t") for template in templates])


GRAPH_PRESETS = Made(
    {
        "graph": lambda: GRAPH,
        "graph_case": lambda: graph_with_case(GRAPH),
        "graph_forms": lambda: with_forms(GRAPH),
        "graph_lemmas": lambda: with_lemmas(GRAPH),
        "graph_case_forms": lambda: without_lemmas(graph_with_case(GRAPH)),
        "graph_tags": lambda: with_one_tag(GRAPH),
        "graph_fast": lambda: GRAPH_FAST,
        "graph_fast_case": lambda: graph_with_case(GRAPH_FAST),
        "graph_fast_forms": lambda: with_forms(GRAPH_FAST),
        "graph_fast_lemmas": lambda: with_lemmas(GRAPH_FAST),
        "graph_fast_case_forms": lambda: without_lemmas(graph_with_case(GRAPH_FAST)),
        "graph_fast_tags": lambda: with_one_tag(GRAPH_FAST),
    }
)

# Templates added to each of these sets if words have clusters (Koo et al. 2008).
GRAPH_CLUSTERED = [
    *["h.cluster d", "m.cluster d", "h.cluster m.cluster dir", "h.cluster(4) m.cluster(4) d"],
    *[
        "h.cluster(6) m.cluster(6) d",
        "h.cluster m.t dir",
        "h.t m.cluster dir",
        "h.w m.cluster",
        "h.cluster m.w",
    ],
]
