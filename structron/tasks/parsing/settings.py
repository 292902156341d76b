"""The recipe of a parser."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, Self

from structron.engine.experts import Part
from structron.errors import SettingError
from structron.fit.preference import ACCURACY, BALANCE, SPEED, PreferenceSettings
from structron.fit.raw_text.settings import ClusterSettings
from structron.fit.recipe import Recipe
from structron.learners import check_learner
from structron.search import Search
from structron.settings import setting, settings, templates_setting
from structron.task import check_search
from structron.tasks.parsing.experts.expert import WEIGHTS, parse_combination
from structron.tasks.parsing.features.graph_presets import GRAPH_CLUSTERED
from structron.tasks.parsing.features.presets import CLUSTERED, LEAN_CLUSTERED
from structron.tasks.parsing.features.sets import ALL_PRESETS, GRAPH, check_templates
from structron.tasks.parsing.graph.pruner import USUAL, Pruning, parse_pruning
from structron.tasks.parsing.transitions.systems import SYSTEMS, check_stacked
from structron.tasks.parsing.transitions.task import ParsingTask
from structron.tasks.parsing.trees.task import BY_CHART
from structron.updates import Update

if TYPE_CHECKING:
    from structron.learners import Learner
    from structron.tasks.parsing.features.choice import ColumnFigures

# What auto means, for transition systems and for the one system without transitions.
BY_TRANSITIONS = {"search": "beam:8", "learner": "perceptron:margin=30", "combine": "none"}
# Several times the margin of the usual learner: what is as far behind as this hardly ever wins (decision 38).
NARROW = "beam:8+within=200"
BY_GRAPH = {"search": "forest:4", "learner": "perceptron:margin=30", "combine": "none"}
PREFERRED = {
    (ACCURACY, "combine"): "graph+arcs+eager+backward",
    (SPEED, "search"): "greedy",
}
FAMILIES = {ACCURACY: "rich", BALANCE: "lean", SPEED: "fast"}
NAMES = (*SYSTEMS, GRAPH)
ORACLES = ("static", "dynamic")
CROSSING = ("pseudo", "lift", "leave-out", "refuse")
FOLDS = 5


@settings
class ParsingSettings(PreferenceSettings, ClusterSettings):
    """The settings of a parser, as they are given; `ParsingRecipe` says what they mean."""

    search: str | Search = setting(
        default="auto",
        help="Search: greedy, beam:8, dp:8, beam:8+within=20, ...",
        more=(
            "with system graph forest:4, forest (exact), or with crossing arcs "
            "forest:4+swaps or mst; auto is "
            f"{NARROW}, or {BY_TRANSITIONS['search']} with another learner, with graph {BY_GRAPH['search']}"
        ),
        tried=("greedy", "beam:4", "beam:16"),
    )
    update: str | Update = setting(
        default="auto",
        help="Update: standard, early, max-violation, laso, ...",
        more="also skip, hybrid and latest, with system graph parallel; auto is "
        "laso for greedy search, otherwise max-violation",
    )
    learner: str | Learner = setting(
        default="auto",
        help="Learner: perceptron, mira, mira:5, ...",
        more=(
            "with system graph also swvp:single,wm,balanced; options follow, with commas between them: "
            "plain (not averaged), "
            "margin=20, C=0.1; auto is {learner}, with graph {graph}".format(
                graph=BY_GRAPH["learner"], **BY_TRANSITIONS
            )
        ),
        tried=("perceptron", "perceptron:margin=5", "mira"),
    )
    epochs: int = 8
    cut: int | str = setting(default="auto", tried=(0, 2))
    half: bool = True
    templates: str | Sequence[str] = templates_setting(ALL_PRESETS)
    system: str = setting(
        default="arc-standard",
        help="Transitions, or a graph of all trees",
        metavar="SYSTEM",
        choices=NAMES,
        basic=True,
        tried=("arc-standard", "arc-hybrid", "arc-eager"),
    )
    oracle: str = setting(
        default="static",
        help="One derivation is gold, or every one that loses no arc",
        metavar="ORACLE",
        choices=ORACLES,
    )
    labelled: bool = setting(
        default=True, help="Predict relations, or heads alone", flags="--labelled/--unlabelled"
    )
    crossing: str = setting(
        default="pseudo", help="How to train on crossing arcs", metavar="HOW", choices=CROSSING
    )
    pruner: str | None = setting(
        default="auto",
        help=f"With system graph: arcs to look at, {USUAL}, or none for all",
        more="auto is the former, but none where crossing arcs are built",
        metavar="HEADS|none",
        none="none",
    )
    combine: str | None = setting(
        default="auto",
        help=f"Parsers to combine with: {', '.join(WEIGHTS)}, as in graph+backward, or none",
        more="auto is none, but all of them for accuracy",
        metavar="EXPERTS",
        none="none",
    )
    tagger: str | None = setting(
        default="none",
        help="Train taggers as part of the model, so that it parses plain words",
        metavar="jackknife[:K]",
        none="none",
    )


@settings
class ParsingRecipe(ParsingSettings, Recipe):
    """The recipe of a parser; `Recipe` has what all tasks share.

    Parameters
    ----------
    templates
        ``auto``, a preset (``lean``, ``huang_sagae``, ``zhang_nivre``, ...), or a list of templates. ``auto``
        looks at the columns of the training data: ``lean`` where XPOS tells more than UPOS, ``lean_case``
        where FEATS do instead, ``lean_forms`` without FEATS or lemmas, ``lean_tags`` for words and one tag
        (see `structron.tasks.parsing.features.choice`); for arc-eager ``zhang_nivre``; for graph ``graph``,
        ``graph_case``, ``graph_forms`` and ``graph_tags`` in the same way, and ``graph_fast`` and its like
        for exact search. Where accuracy is preferred, ``auto`` means ``rich`` and its like, where speed is,
        ``fast`` and its like, for graph ``graph_fast``.
    prefer, trials
        See `structron.fit.preference`. For accuracy ``combine`` is ``graph+arcs+eager+backward``, for
        speed search is ``greedy``.
    search, learner
        ``auto`` is ``beam:8+within=200`` and ``perceptron:margin=30``, for system graph ``forest:4`` and the
        same learner. With another learner, whose scores may be larger, or with experts, and for accuracy, it
        is ``beam:8``.
    cut
        ``auto`` leaves out features seen fewer than four times, for system graph those seen once; of fewer
        than 30,000 words it keeps all.
    system, oracle
        Transition system, and whether gold is one derivation (``static``) or every one that loses no more
        arcs (``dynamic``, for arc-eager and arc-hybrid). ``graph`` has no transitions: all trees without
        crossing arcs are searched at once, as a chart (Eisner 1996).
    labelled
        Whether relations are predicted besides heads.
    crossing
        What happens in training to trees with crossing arcs, unless they can be built (system ``swap``;
        system graph with search ``mst`` or ``forest:4+swaps``): ``pseudo`` lifts their words and says in the
        relation where they came from, so that they are put back in what is predicted (Nivre & Nilsson 2005);
        ``lift`` does not say it; ``leave-out`` and ``refuse`` do so.
    pruner
        With system graph, a log-linear model learns first which heads a word may have:
        ``heads:10+ratio=0.02`` leaves at most ten for each word, and none that is less probable than 0.02
        times the best (see `structron.tasks.parsing.graph.pruning`); ``none`` leaves all. ``auto`` is the
        former, but none where crossing arcs can be built. Search ``mst`` always looks at all arcs.
    combine
        Other parsers that have a say in which tree is the best (`structron.tasks.parsing.experts.expert`),
        trained first on the same trees: ``graph`` (what system graph is), ``arcs`` (the same of first
        order, searched exactly: much cheaper), ``eager`` (by arc-eager transitions), ``backward`` (by
        transitions, from the end of the sentence). Joined by ``+``, with weights if wanted:
        ``graph+arcs+eager+backward``, ``arcs:0.5+backward:0.2``. On a dev set epochs are measured by
        what the parser itself has learned, without them.
    tagger
        ``none``: tags come with the words. ``jackknife:5``: taggers become part of the model, and the
        training data get their tags by training on four parts and tagging the fifth, in turn.
    clusters
        A file of word clusters, as ``structron cluster`` writes it, for templates such as
        ``s0.cluster(4)``; the ready sets get some of these. The model keeps the clusters; experts see
        them, too. ``none`` for none.
    text
        Files of raw text without labels: clusters of its words are made from it, as a file for `clusters`
        would give them, and kept beside the text (`structron.fit.raw_text.clusters`). ``none`` for none.
    """

    task: ClassVar[str] = "parsing"
    systems_apart: ClassVar[tuple[str, ...]] = ("graph",)
    searches: ClassVar[tuple[str, ...]] = ParsingTask.searches
    suits: ClassVar[tuple[str, ...]] = ("search", "learner", "cut", "combine", "templates", "trials")

    def __post_init__(self) -> None:
        super().__post_init__()
        if isinstance(self.templates, list | tuple):
            object.__setattr__(self, "templates", tuple(self.templates))
        check_templates(self.templates, self.system)
        if self.system == GRAPH and self.templates != "auto":
            from structron.tasks.parsing.features.graph import parse_graph_templates
            from structron.tasks.parsing.graph.task import check_order

            check_order(self.search_choice.kind, parse_graph_templates(parsing_templates(self)))
        if self.oracle == "dynamic" and self.system not in ("arc-eager", "arc-hybrid"):
            raise SettingError(
                f"there is no dynamic oracle for {self.system}; use arc-eager, arc-hybrid or a static oracle"
            )
        if self.pruner != "auto":
            pruning = parse_pruning(self.pruner)
            object.__setattr__(self, "pruner", "none" if pruning is None else str(pruning))
            if pruning is not None and self.system != GRAPH:
                raise SettingError(f"{self.system} looks at no arcs to prune; use system graph, or no pruner")
        object.__setattr__(self, "tagger", _tagger(self.tagger))
        if not self.is_auto("combine"):
            object.__setattr__(self, "combine", "+".join(map(str, self.experts)) or "none")
        self._check_combination()

    @property
    def balanced(self) -> Mapping[str, Any]:
        """Nobody else is asked."""
        return {"combine": "none"}

    def _check_combination(self) -> None:
        """Experts are asked about trees without crossing arcs, and about more than one."""
        if not self.experts:
            return
        if self.system in (GRAPH, "swap"):
            raise SettingError(
                f"combine {self.combine}: system {self.system} takes no advice; use arc-standard or another "
                "that has transitions and builds no crossing arcs"
            )
        if self.search_choice.kind == "dp":
            raise SettingError(
                f"combine {self.combine}: search {self.search} finds one tree; use a beam as beam:8"
            )

    @property
    def experts(self) -> tuple[Part, ...]:
        """Return the parsers that have a say besides this one, and how much."""
        return parse_combination(self.meaning("combine") if self.is_auto("combine") else self.combine)

    def meaning(self, name: str) -> str:
        """Return what ``auto`` means for the search, the learner and the experts."""
        if self.system == GRAPH:
            is_crf = name == "search" and str(self.learner).partition(":")[0] == "crf"
            return "mst" if is_crf else BY_GRAPH[name]
        if name == "combine" and (self.system == "swap" or self.search_choice.kind == "dp"):
            return "none"  # they take no advice
        if name == "search" and self.prefer == BALANCE and self._is_usual:
            return NARROW
        return PREFERRED.get((self.prefer, name), BY_TRANSITIONS[name])

    @property
    def _is_usual(self) -> bool:
        """Return whether the margin is the usual one, and only the best tree is asked for."""
        return self.is_auto("learner") and self.combine in ("auto", "none")

    def check_choices(self) -> None:
        """Charts and mixed assignments are of system graph alone."""
        search = self.search_choice
        if self.system == GRAPH:
            check_search("system graph", BY_CHART, search)
            check_learner(
                self.learner_choice, search, self.update_choice, "system graph", exchanges=True, sums=("mst",)
            )
            if self.builds_crossing and self.learner_choice.constraints > 1:
                raise SettingError(
                    f"learner {self.learner}: search {search} finds one tree and not the k best; use mira, "
                    "or search forest:4"
                )
            super().check_order()
            return
        if search.kind in BY_CHART:
            raise SettingError(
                f"search {search}: {self.system} is searched by actions and not over a chart; use a beam as "
                "beam:8, or system graph"
            )
        super().check_choices()
        if search.kind == "dp":
            check_stacked(self.system)

    def suited(self, figures: ColumnFigures) -> Self:
        """This recipe with what ``auto`` means for a treebank."""
        from structron.tasks.parsing.features.choice import suited_cut, suited_preset

        templates = self.templates
        if templates == "auto":
            templates = suited_preset(figures, self.system, self.family)
        fast = isinstance(templates, str) and templates.startswith("fast")
        return self.but(
            templates=templates,
            cut=suited_cut(figures, self.system, fast=fast) if self.cut == "auto" else self.cut,
            search=str(self.search_choice),
            learner=str(self.learner_choice),
            combine="+".join(map(str, self.experts)) or "none",
        )

    @property
    def family(self) -> str:
        """The sets of templates that ``auto`` chooses from."""
        if self.system == GRAPH:
            # Exact search with all that the larger sets see of an item would take minutes a sentence.
            return "graph_fast" if self.prefer == SPEED or self.search_choice.is_exact else "graph"
        return FAMILIES[self.prefer]

    @property
    def builds_crossing(self) -> bool:
        """Return whether trees are learned as they are."""
        return self.system == "swap" or self.search_choice.kind in ("swaps", "mst")

    @property
    def task_crossing(self) -> str:
        """Return what the task does with crossing arcs, once sentences are left out."""
        if self.system == GRAPH and self.builds_crossing:
            return "build"
        if not self.labelled and self.crossing == "pseudo":
            return "lift"
        return "refuse" if self.crossing == "leave-out" else self.crossing

    @property
    def pruning(self) -> Pruning | None:
        """Return how many arcs a pruner leaves, or None if there is no pruner."""
        if self.system != GRAPH or self.search_choice.kind == "mst":  # which looks at all arcs
            return None
        if self.pruner == "auto":
            return None if self.builds_crossing else USUAL
        return parse_pruning(self.pruner)

    @property
    def folds(self) -> int:
        """Parts for jackknifing; 0 if there is no tagger."""
        return 0 if self.tagger == "none" else int(str(self.tagger).partition(":")[2])


def _tagger(text: object) -> str:
    """``none`` or ``jackknife:K``, whatever way it was written."""
    if text is None or text == "none":
        return "none"
    found = re.fullmatch(r"jackknife(?::([0-9]{1,3}))?", text) if isinstance(text, str) else None
    folds = int(found[1] or FOLDS) if found else 0
    if folds < 2:
        raise SettingError(f"tagger {text!r} is not known; use none, jackknife or jackknife:K with K from 2")
    return f"jackknife:{folds}"


def parsing_templates(recipe: ParsingRecipe) -> tuple[str, ...]:
    """The templates that a recipe means; ``auto`` must have been suited to a treebank."""
    chosen = recipe.templates
    if not isinstance(chosen, str):
        return tuple(chosen)
    return (*ALL_PRESETS[chosen], *(_clustered(recipe.system, chosen) if recipe.has_clusters else ()))


def _clustered(system: str, preset: str) -> Sequence[str]:
    """The templates over clusters that go with a preset."""
    if system == GRAPH:
        return GRAPH_CLUSTERED
    return LEAN_CLUSTERED if preset.startswith("lean") else CLUSTERED
