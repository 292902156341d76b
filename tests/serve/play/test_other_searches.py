"""A film, its output, its reasons and what is taught are those of the search on the page."""

from __future__ import annotations

from typing import Any

import pytest

from structron import Classifier, Segmenter, Transducer, Translator
from structron.serve.limits import Limits
from structron.serve.play.correcting import corrected
from structron.serve.play.films import film, searched
from structron.serve.refusals import Refused
from structron.serve.registry import ModelRegistry

# The model's own search, a narrow beam, finds another tree than a beam of 8.
TEXT = "The horse raced past the barn fell."
GOLD = {
    "heads": [2, 7, 2, 6, 6, 3, 0, 7],
    "relations": ["det", "nsubj", "acl", "case", "det", "obl", "root", "punct"],
}


@pytest.fixture(scope="module")
def registry() -> ModelRegistry:
    return ModelRegistry.of(["en"])


def ask(registry: ModelRegistry, **body: Any) -> Any:
    return film({"input": TEXT} | body, registry, Limits())


def last(found: Any) -> dict[str, list[Any]]:
    """The tree that the best item of the last step has built."""
    arcs = {child: (head, label) for child, head, label in found["steps"][-1]["items"][0]["built"]}
    heads, relations = zip(*(arcs[i] for i in sorted(arcs)))
    return {"heads": list(heads), "relations": list(relations)}


def test_the_output_is_what_the_search_on_the_page_found(registry: ModelRegistry) -> None:
    own = ask(registry, model="en")
    assert own["search"] != "beam:8" and own["guess"] == last(own)
    wide = ask(registry, model="en", search="beam:8")
    assert wide["search"] == "beam:8" and wide["guess"] == last(wide) != own["guess"]
    # The guess as gold is no mistake, so that there is nothing to update.
    again = ask(registry, model="en", search="beam:8", gold=wide["guess"])
    standard = again["methods"][0]
    assert standard["method"] == "standard" and standard["step"] is None


def test_reasons_are_those_of_that_search(registry: ModelRegistry) -> None:
    for search in ("greedy", "beam:8"):
        found = ask(registry, model="en", search=search)
        own = searched(registry.find("en"), search).estimator.explain(found["words"])["parser"]
        assert [each.guess for each in own.decisions] == found["steps"][-1]["items"][0]["path"]


def test_what_is_taught_holds_with_that_search(registry: ModelRegistry) -> None:
    body = {"model": "en", "input": TEXT, "gold": GOLD, "search": "beam:8", "others": []}
    taught = corrected(body, registry, Limits())
    assert taught["holds"]
    found = ask(registry, model=taught["model"], search="beam:8", gold=GOLD)
    assert found["guess"] == GOLD and found["methods"][0]["step"] is None  # standard has nothing to fix


@pytest.mark.parametrize(
    ("estimator", "x"),
    [
        (Transducer(epochs=1).fit(["ab", "ba"], ["x y", "y x"]), "ab"),
        (
            Segmenter(epochs=1).fit(["Go on. Stop!"] * 3, [[["Go", "on", "."], ["Stop", "!"]]] * 3),
            "Go on. Stop!",
        ),
        (Classifier(epochs=1).fit(["a b", "c d"], ["x", "y"]), "a b"),
        (Translator(epochs=1).fit(["a b", "b a", "a"] * 2, ["x y", "y x", "x"] * 2), "a b"),
    ],
    ids=lambda each: type(each).__name__,
)
def test_models_of_all_tasks_are_shown_with_another_search(estimator: Any, x: str) -> None:
    registry = ModelRegistry()
    registry.add("it", estimator)
    own = estimator.model_.search
    found = film({"model": "it", "input": x, "search": "beam:2"}, registry, Limits())
    assert found["search"] == "beam:2" and all(step["size"] <= 2 for step in found["steps"])
    assert estimator.model_.search == own


def test_a_search_that_is_none_or_too_wide_is_refused(registry: ModelRegistry) -> None:
    for search in ("beam:65", 5):
        with pytest.raises(Refused, match="search: give one such as beam:4, of at most 64 items"):
            searched(registry.find("en"), search)
    with pytest.raises(Refused, match="search 'foo' is not known"):
        searched(registry.find("en"), "foo")
