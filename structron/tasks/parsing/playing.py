"""Parsers in the playground: arcs are corrected by dragging; a graph-based parser has a film of its chart."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from structron.io import Sentence, read, tree_of
from structron.io.values.trees import NO_LABEL
from structron.reference.forest.forest import ForestTrace
from structron.serve.json_forms import Json, texts, words_of
from structron.serve.play.beams import TOP, Grow, beams, golden, numbers
from structron.serve.play.small_models import trees
from structron.serve.play.task_play import Correcting, Examples, Play
from structron.serve.refusals import UNFIT, Refused
from structron.serve.registry import Loaded
from structron.serve.requests import fields_of

LEFT_OUT = "The model's pruner leaves no place for this gold tree; the best tree is shown."
CROSSING = (
    "Gold has crossing arcs, which {system} does not build. "
    "The nearest tree it can build is gold here: {what}."
)


class Parsing(Play):
    """A head and a relation for each word."""

    editor = "tree"
    small_models = (
        (
            "parser",
            300,
            {
                "epochs": 4,
                "search": "beam:8",
                "system": "arc-standard",
                "templates": "fast_tags",
                "tagger": "jackknife:2",
            },
        ),
        ("chart", 200, {"epochs": 3, "system": "graph", "tagger": "jackknife:2"}),
    )
    formats = "give CoNLL-U, columns or word/tag lines"
    # Small sets of templates learn quickly, and what they lack is the same for all settings.
    settings = {"templates": "fast_tags", "system": "arc-standard", "tagger": "jackknife:2"}  # noqa: RUF012
    # As in Section 6.2 of Huang, Fayong & Guo (2012): their templates, heads alone, tags of the model.
    english = {"templates": "huang_sagae_50", "system": "arc-standard", "labelled": False}  # noqa: RUF012

    def gold(self, model: Loaded, x: Any, value: Json) -> tuple[list[int], list[str]]:
        """Return heads from 0 to the last word, and relations of the model."""
        given = fields_of(value, ("heads", "relations"), "gold")
        heads, relations = given.get("heads"), given.get("relations", [NO_LABEL] * len(x))
        if not isinstance(heads, list) or not isinstance(relations, list) or len(heads) != len(x):
            raise Refused(UNFIT, "gold: give heads and relations, one of each for each word")
        if len(relations) != len(x) or not all(type(head) is int and 0 <= head <= len(x) for head in heads):
            raise Refused(
                UNFIT, f"gold: heads are whole numbers from 0 to {len(x)}, with a relation for each"
            )
        texts(relations, "gold.relations", "a list of relations")
        if not set(relations) <= {*model.estimator.labels_, NO_LABEL}:
            raise Refused(UNFIT, "gold: a relation is none of the model's; see GET /models")
        return heads, relations

    def teaches(self, estimator: Any) -> bool:
        """Return True for parsers by transitions; their words are forms, with a tag or without."""
        return bool(estimator.model_.task.columns <= 2 and estimator.model_.search.kind == "beam")

    def lesson(self, model: Loaded, x: Any, gold: Any, others: list[str]) -> Correcting:
        """Return made-up sentences without tags where the parser has a tagger."""
        found = super().lesson(model, x, gold, others)
        if isinstance(x[0], str):
            found = found._replace(keep=([words for words, _ in found.keep[0]], found.keep[1]))
        return found

    def words(self, model: Loaded, x: Any) -> list[str]:
        """Return the forms, with tags beside them or without."""
        tokens = x[0] if isinstance(x, tuple) else x
        return list(tokens) if all(isinstance(each, str) for each in tokens) else words_of(tokens)

    def film(self, model: Loaded, x: Any, given: Json) -> Json:
        """Return the beams, or the cells that gold passes."""
        parser, gold = model.estimator, None if given is None else self.gold(model, x, given)
        tokens, tree, trace = parser.predict_traced(x, gold)
        shown = {
            "words": words_of(tokens),
            "tags": [token[1] for token in tokens if len(token) > 1],
            "guess": {"heads": list(tree.heads), "relations": list(tree.labels)},
            "gold": gold and {"heads": gold[0], "relations": gold[1]},
            "labels": parser.labels_,
            "note": None,
        }
        if gold is not None:
            shown |= _lifted(model, shown)
        if isinstance(trace, ForestTrace):
            return _chart(model, shown, trace, gold is not None)
        namer = getattr(parser.account(x), "namer", None)
        return shown | beams(trace, namer, gold is not None, namer and _growing(namer.space))

    def shown(self, x: Any, y: Any) -> dict[str, Any]:
        """Return an example of a lesson as the page would ask for its film."""
        (words, _), (heads, relations) = x, y
        return {"text": " ".join(words), "gold": {"heads": list(heads), "relations": list(relations)}}

    def examples(self, count: int, seed: int) -> Examples:
        """Return sentences of the synthetic treebank, with tags."""
        data = trees(count, seed)
        return [(list(tree.words), list(tree.tags)) for tree in data], [
            (list(tree.heads), list(tree.labels)) for tree in data
        ]

    def read(self, given: str, most: int) -> Examples:
        """Read words with UPOS, and trees."""
        return self.analysed(self.first(lambda lines: filter(len, read(lines)), given, most))

    def analysed(self, sentences: Sequence[Sentence]) -> Examples:
        """Return words with UPOS, and trees."""
        gold = [tree_of(sentence) for sentence in sentences]
        tokens = [list(zip(sentence.words(), sentence.column("upos"))) for sentence in sentences]
        return tokens, [(list(tree.heads), list(tree.labels)) for tree in gold]


def _growing(space: Any) -> Grow:
    """Return how a tree grows: each part is a word, its head and the relation."""

    def grow(arcs: list[Json], state: Any, action: int) -> list[Json]:
        arc = space.system.attached(state, action, len(space.tokens))
        return arcs if arc is None else [*arcs, [arc.dependent, arc.head, space.labels[arc.label]]]

    return grow


def _lifted(model: Loaded, shown: dict[str, Any]) -> dict[str, Any]:
    """Return the tree that the system builds for gold with crossing arcs; nothing if it builds gold."""
    task, (heads, relations) = model.estimator.model_.task, shown["gold"].values()
    built = task.projected((heads, relations))
    if task.system == "swap" or list(built[0]) == heads:
        return {}
    words = ["the root", *shown["words"]]
    moved = [
        f"“{words[i]}” depends on “{words[new]}”, and not on “{words[old]}”"
        for i, (new, old) in enumerate(zip(built[0], heads), 1)
        if new != old
    ]
    note = CROSSING.format(system=task.called, what="; ".join(moved))
    return {"note": note, "learned": {"heads": list(built[0]), "relations": list(built[1])}}


def _chart(model: Loaded, found: dict[str, Any], trace: ForestTrace, has_gold: bool) -> Json:
    """Return the cells that gold passes, or those of the best tree, bottom up; single words are left out."""
    space: Any = trace.space
    words, labels = ["ROOT", *found["words"]], model.estimator.model_.task.labels
    # A pruner may leave nothing of gold in the chart: then there is the best tree to look at.
    has_gold = has_gold and not math.isnan(float(trace.gold_score[trace.final]))
    passed = (
        [node for node in range(len(trace.items)) if not math.isnan(float(trace.gold_score[node]))]
        if has_gold
        else sorted({use.node for use in trace.best(trace.final).uses})
    )

    def built(tree: Any) -> list[list[Json]]:
        return [[to, head, labels[label]] for head, to, label in sorted(space.arcs(tree))]

    def arcs(tree: Any) -> list[str]:
        return [f"{words[to]} {label} of {words[head]}" for to, head, label in built(tree)]

    shown, steps = [], []
    for node in passed:
        begin, end, shape = space.items[node]
        if begin == end:
            continue
        shown.append(node)
        items = [
            {
                "rank": rank + 1,
                "score": item.score,
                "gold": has_gold and item.good,
                "path": arcs(item.tree()),
                "built": built(item.tree()),
            }
            for rank, item in enumerate(trace.items[node][:TOP])
        ]
        step = {
            "name": f"{shape} {words[begin]} … {words[end]}",
            "items": items,
            "size": len(trace.items[node]),
            "goldPath": arcs(trace.gold(node)) if has_gold else None,
            "cell": [begin, end],
        }
        steps.append(step | numbers(trace, node, has_gold))
    note = found["note"] if has_gold or not found["gold"] else LEFT_OUT
    place = {node: i for i, node in enumerate(shown)}
    drawn = {"best": _derivation(space, trace.best(trace.final))}
    if has_gold:
        drawn["gold"] = _derivation(space, trace.gold(trace.final))
    about = {"kind": "chart", "note": note, "steps": steps, "derivations": drawn}
    return found | about | golden(trace, has_gold, place)


def _derivation(space: Any, tree: Any) -> list[list[int]]:
    """Return the cells of a derivation, each with those that it is made of; items of one cell are one."""
    spans = {(*_span(space, use.node), *_span(space, tail)) for use in tree.uses for tail in use.edge.tails}
    return [[*pair] for pair in sorted(spans) if pair[:2] != pair[2:]]


def _span(space: Any, node: int) -> tuple[int, int]:
    begin, end, _ = space.items[node]
    return begin, end


PLAY = Parsing()
