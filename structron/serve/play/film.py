"""The beam as a film: a trace as plain data, step by step, with what becomes of gold on its way.

What is in it is what `structron show` draws; the curve is Figure 3 of Huang, Fayong & Guo (2012).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from structron.data.trees import NO_LABEL
from structron.reference import METHODS, excess, fall_off, is_violation
from structron.reference.forest import ForestTrace
from structron.reference.trace import Trace
from structron.search import parse_search
from structron.serve.asking import fields_of, read
from structron.serve.forms import Json, kind_of, texts, words_of
from structron.serve.limits import Limits
from structron.serve.refusal import CONFLICT, TOO_LARGE, UNFIT, Refused
from structron.serve.shelf import Loaded, Shelf

FIELDS = ("model", "input", "gold", "search", "top")
SHOWN = ("standard", "early", "hybrid", "latest", "max_violation")
LEFT_OUT = "The model's pruner leaves no place for this gold tree; the best tree is shown."
LONGEST, WIDEST, TOP = 60, 64, 16  # words, items that are searched, items that are sent


def film(value: Json, shelf: Shelf, limits: Limits) -> Json:
    """What ``POST /play/film`` asks for."""
    value = fields_of(value, FIELDS)
    model = shelf.find(value.get("model"))
    if model.kind not in ("tagging", "parsing"):
        raise Refused(
            CONFLICT, f"model: films are made of taggers and parsers, not of {model.kind}; name another"
        )
    x = read(model, value.get("input"), "input", limits)
    if not 1 <= len(x) <= LONGEST:
        raise Refused(TOO_LARGE, f"input: a film has 1 to {LONGEST} words; give as many")
    search = _search(value.get("search"))
    gold = value.get("gold")
    if model.kind == "tagging":
        return _tagged(model, x, None if gold is None else _tags(model, x, gold), search)
    return _parsed(model, x, None if gold is None else _tree(model, x, gold), search)


def _search(name: Json) -> Any:
    if name is None:
        return None
    found = parse_search(name) if isinstance(name, str) else None
    if found is None or (found.width or 1) > WIDEST:
        raise Refused(UNFIT, f"search: give one such as beam:4, of at most {WIDEST} items")
    return found


def _tags(model: Loaded, x: Sequence[Any], gold: Json) -> list[str]:
    if not isinstance(gold, list):
        raise Refused(UNFIT, f"gold: {kind_of(gold)} is not possible here; give a list of tags")
    tags = texts(gold, "gold", "a list of tags")
    known = model.estimator.labels_
    if len(tags) != len(x) or not set(tags) <= set(known):
        raise Refused(UNFIT, "gold: there must be one tag of the model for each word; see GET /models")
    return tags


def _tree(model: Loaded, x: Sequence[Any], gold: Json) -> tuple[list[int], list[str]]:
    given = fields_of(gold, ("heads", "relations"))
    heads, relations = given.get("heads"), given.get("relations", [NO_LABEL] * len(x))
    if not isinstance(heads, list) or not isinstance(relations, list) or len(heads) != len(x):
        raise Refused(UNFIT, "gold: give heads and relations, one of each for each word")
    if len(relations) != len(x) or not all(type(head) is int and 0 <= head <= len(x) for head in heads):
        raise Refused(UNFIT, f"gold: heads are whole numbers from 0 to {len(x)}, with a relation for each")
    texts(relations, "gold.relations", "a list of relations")
    if not set(relations) <= {*model.estimator.labels_, NO_LABEL}:
        raise Refused(UNFIT, "gold: a relation is none of the model's; see GET /models")
    return heads, relations


def _tagged(model: Loaded, x: Sequence[Any], gold: list[str] | None, search: Any) -> Json:
    tagger = model.estimator
    task = tagger.model_.task
    trace = tagger.trace(x, gold, search)
    guess = task.labels_of(trace.best(trace.final).actions)
    found = {"words": words_of(x), "guess": {"tags": guess}, "gold": gold and {"tags": gold}}
    return _film(model, found, trace, list(task.tags), words_of(x), search, gold is not None)


def _parsed(model: Loaded, x: Sequence[Any], gold: tuple[list[int], list[str]] | None, search: Any) -> Json:
    parser = model.estimator
    tokens, tree, trace = parser.predict_traced(x, gold)
    if search is not None:
        trace = parser.trace(x, gold, search)
    found = {
        "words": words_of(tokens),
        "tags": [token[1] for token in tokens if len(token) > 1],
        "guess": {"heads": list(tree.heads), "relations": list(tree.labels)},
        "gold": gold and {"heads": gold[0], "relations": gold[1]},
    }
    if isinstance(trace, ForestTrace):
        return _chart(model, found, trace, search, gold is not None)
    actions = list(parser.model_.task.transitions)
    row = trace.gold if gold is not None else trace.best
    names = [actions[action] for action in row(trace.final).actions]
    return _film(model, found, trace, actions, names, search, gold is not None)


def _film(
    model: Loaded,
    found: dict[str, Any],
    trace: Trace,
    labels: list[str],
    names: Sequence[str],
    search: Any,
    has_gold: bool,
) -> Json:
    """The beams, and the three numbers of each step."""
    steps = []
    for step, row in enumerate(trace.beams):
        rank = next((rank for rank, item in enumerate(row) if item.good), None) if has_gold else None
        shown = [*range(min(TOP, len(row)))] + ([rank] if rank is not None and rank >= TOP else [])
        items = []
        for at in shown:
            path = [labels[action] for action in trace.path(step, at).actions]
            item = row[at]
            parent = item.parent if item.parent_step == step - 1 else None
            items.append(
                {
                    "rank": at + 1,
                    "score": item.score,
                    "gold": has_gold and item.good,
                    "path": path,
                    "parent": parent,
                }
            )
        gold = None
        if has_gold and not math.isnan(float(trace.gold_score[step])):
            gold = [labels[action] for action in trace.gold(step).actions]
        numbers = _numbers(trace, step, has_gold)
        steps.append(
            {
                "name": names[step] if step < len(names) else "",
                "items": items,
                "size": len(row),
                "goldPath": gold,
            }
            | numbers
        )
    return (
        found
        | {
            "kind": "beam",
            "task": model.kind,
            "search": str(search or model.estimator.model_.search),
            "steps": steps,
        }
        | _gold(trace, has_gold)
    )


def _chart(model: Loaded, found: dict[str, Any], trace: ForestTrace, search: Any, has_gold: bool) -> Json:
    """The cells that gold passes, or those of the best tree, bottom up; a word alone is no choice."""
    space: Any = trace.space
    words, labels = ["ROOT", *found["words"]], model.estimator.model_.task.labels
    # A pruner may leave nothing of gold in the chart: then there is the best tree to look at.
    has_gold = has_gold and not math.isnan(float(trace.gold_score[trace.final]))
    passed = (
        [node for node in range(len(trace.items)) if not math.isnan(float(trace.gold_score[node]))]
        if has_gold
        else sorted({use.node for use in trace.best(trace.final).uses})
    )

    def arcs(tree: Any) -> list[str]:
        return [
            f"{words[to]} {labels[label]} of {words[head]}" for head, to, label in sorted(space.arcs(tree))
        ]

    shown, steps = [], []
    for node in passed:
        begin, end, shape = space.items[node]
        if begin == end:
            continue
        shown.append(node)
        items = [
            {"rank": rank + 1, "score": item.score, "gold": has_gold and item.good, "path": arcs(item.tree())}
            for rank, item in enumerate(trace.items[node][:TOP])
        ]
        step = {
            "name": f"{shape} {words[begin]} … {words[end]}",
            "items": items,
            "size": len(trace.items[node]),
            "goldPath": arcs(trace.gold(node)) if has_gold else None,
        }
        steps.append(step | _numbers(trace, node, has_gold))
    own = {
        "kind": "chart",
        "task": model.kind,
        "search": str(search or model.estimator.model_.search),
        "note": None if has_gold or not found["gold"] else LEFT_OUT,
    }
    return found | own | {"steps": steps} | _gold(trace, has_gold, {node: i for i, node in enumerate(shown)})


def _numbers(trace: Any, step: int, has_gold: bool) -> Json:
    """The best score, gold's, the difference, and whether gold is in; null where there is none."""
    return {
        "best": _number(trace.best_score[step]),
        "goldScore": _number(trace.gold_score[step]) if has_gold else None,
        "excess": _number(excess(trace)[step]) if has_gold else None,
        "inBeam": bool(trace.gold_in_beam[step]) if has_gold else None,
        "violation": bool(is_violation(trace)[step]) if has_gold else None,
    }


def _gold(trace: Any, has_gold: bool, place: dict[int, int] | None = None) -> Json:
    """Where gold falls, and what each method would pick; `place` says which step shows a cell."""
    if not has_gold:
        return {"fall": None, "methods": []}
    fallen = fall_off(trace)
    where = (lambda row: row) if place is None else place.get
    amounts, violations = excess(trace), is_violation(trace)
    methods = []
    for name in SHOWN:
        row = METHODS[name](trace)
        assert not isinstance(row, tuple), "none of these chooses several"
        methods.append(
            {
                "method": name.replace("_", "-"),
                "step": None if row is None else where(row),
                "excess": None if row is None else _number(amounts[row]),
                "valid": row is not None and bool(violations[row]),
            }
        )
    return {"fall": None if fallen is None else where(fallen), "methods": methods}


def _number(value: Any) -> float | None:
    number = float(value)
    return number if math.isfinite(number) else None
