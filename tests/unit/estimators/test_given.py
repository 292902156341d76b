"""What users give by mistake: sets, labels that say nothing, other labels than before, no path at all."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import structron
from structron import (
    Classifier,
    Lemmatizer,
    Parser,
    Pipeline,
    Segmenter,
    SemanticParser,
    Tagger,
    Transducer,
    Translator,
)
from structron.errors import DataError, ModelError

# By estimator, inputs and outputs that can be learned from, all of them hashable.
DATA: dict[type[Any], tuple[list[Any], list[Any]]] = {
    Tagger: ([("a", "b"), ("c",)], [("X", "Y"), ("X",)]),
    Classifier: (["a b", "c d"], ["x", "y"]),
    Parser: ([(("a", "N"), ("b", "V")), (("c", "N"),)], [((2, 0), ("s", "r")), ((0,), ("r",))]),
    Segmenter: (["ab c", "d"], [(("ab", "c"),), (("d",),)]),
    Transducer: (["phone", "top"], ["F OW N", "T AA P"]),
    Translator: (["das haus", "das buch"], ["the house", "the book"]),
    SemanticParser: (["what is a", "what is b"], ["answer(a)", "answer(b)"]),
    Lemmatizer: ([(("dogs", "N", "_"),), (("ran", "V", "_"),)], [("dog",), ("run",)]),
}


def made(kind: type[Any]) -> Any:
    return kind(epochs=1)


@pytest.mark.parametrize("kind", DATA, ids=lambda kind: kind.__name__)
@pytest.mark.parametrize("unordered", [set, frozenset, dict.fromkeys])
def test_what_has_no_order_is_refused(kind: type[Any], unordered: Callable[[Any], Any]) -> None:
    X, y = DATA[kind]
    if kind is Parser:  # lists of (word, tag): tuples of tuples would be columns
        X = [list(sentence) for sentence in X]
    message = " is a (set, which has no order|dict); give a list$"
    if kind is not Parser:
        with pytest.raises(DataError, match=f"^X{message}"):
            made(kind).fit(unordered(X), y)
        with pytest.raises(DataError, match=f"^X{message}"):
            made(kind).fit(X, y).predict(unordered(X))
    with pytest.raises(DataError, match=f"^y{message}"):
        made(kind).fit(X, unordered(y))


def test_what_has_no_order_inside_is_refused() -> None:
    for kind, X, y in (
        (Tagger, [{"a", "b"}, ["c"]], [["X", "Y"], ["X"]]),
        (Tagger, [["a", "b"], ["c"]], [{"X", "Y"}, ["X"]]),
        (Transducer, [{"p", "h"}, ["t"]], ["F", "T"]),
        (Transducer, ["ph", "t"], [{"F", "N"}, ["T"]]),
        (Segmenter, ["ab c", "d"], [[{"ab", "c"}], [["d"]]]),
        (Translator, [{"das", "haus"}, "das"], ["the house", "the"]),
        (Lemmatizer, [[("dogs", "N", "_")]], [{"dog"}]),
    ):
        with pytest.raises(DataError, match=r"is a set, which has no order; give a list$"):
            made(kind).fit(X, y)
    with pytest.raises(DataError, match=r"is a set, which has no order; give a list$"):
        Parser(epochs=1).fit({(("a", "N"),)}, [([0], ["r"])])
    # The labels of one input have no order, and the features of a token have none.
    own = Classifier(epochs=1, multilabel=True).fit(["a", "b"], [{"x", "y"}, {"x"}])
    assert own.labels_ == ["x", "y"]
    assert Tagger(epochs=1).fit([[{"f", "g"}]], [["X"]]).labels_ == ["X"]


@pytest.mark.parametrize(
    ("label", "message"),
    [
        ("", "'' is empty; give it a name$"),
        (" \t", r"' \\t' is empty; give it a name$"),
        ("a\nb", r"'a\\nb' holds a line end, which no file can hold; change it$"),
        ("a\rb", r"'a\\rb' holds a line end, which no file can hold; change it$"),
        (7, "7 is not text; give a str$"),
    ],
)
def test_labels_that_no_file_can_hold_are_refused(label: Any, message: str) -> None:
    with pytest.raises(DataError, match=f"^sentence 1, token 2: label .*{message}"):
        Tagger().fit([["a", "b"]], [["X", label]])
    with pytest.raises(DataError, match=f"^sentence 1, word 2: relation .*{message}"):
        Parser().fit([(["a", "b"], ["N", "V"])], [([2, 0], ["s", label])])
    for kind, X, y in ((Tagger, [["a"]], [["X"]]), (Parser, [(["a"], ["N"])], [([0], ["r"])])):
        with pytest.raises(DataError, match=f"^classes: label .*{message}"):
            made(kind).partial_fit(X, y, classes=["X", "r", label])
    if isinstance(label, str):
        with pytest.raises(DataError, match=f"^input 2: label .*{message}"):
            Classifier().fit(["a", "b"], ["x", label])
        with pytest.raises(DataError, match=f"^input 2: label .*{message}"):
            Classifier(multilabel=True).fit(["a", "b"], [["x"], ["x", label]])


def test_blanks_and_line_ends_are_welcome_where_they_do_no_harm() -> None:
    """A label of two words is a label; a word with a line end is a word, and the same each time."""
    assert Classifier(epochs=3).fit(["a\nb", "c"], ["New York", "Rome"]).predict(["b a"]) == ["New York"]
    own = Tagger(epochs=3).fit([["a\nb", "a b"], ["c"]], [["proper noun", "verb"], ["verb"]])
    assert own.predict([["a\nb", "a b"]]) == [["proper noun", "verb"]]
    assert Transducer(epochs=3).fit(["a\nb", "c"], ["X Y Z", "V"]).predict(["a\nb"]) == ["X Y Z"]


def test_labels_announced_later_are_refused() -> None:
    message = (
        "^classes: label 'new' was not there before; pass all labels on the first call, and the same or none"
    )
    for kind, classes in ((Tagger, ["X", "Y"]), (Classifier, ["x", "y"]), (Parser, ["r", "s"])):
        X, y = DATA[kind]
        X = [list(sentence) for sentence in X] if kind is Parser else X
        own = made(kind).partial_fit(X, y, classes=set(classes))
        before = own.labels_
        assert own.partial_fit(X, y, classes=classes[::-1]).partial_fit(X, y).labels_ == before
        for later in ([*classes, "new"], ["new"]):
            with pytest.raises(DataError, match=message):
                own.partial_fit(X, y, classes=later)
        with pytest.raises(DataError, match=message):
            made(kind).fit(X, y).partial_fit(X, y, classes=["new"])
        with pytest.raises(DataError, match=r"^classes is a single string; give a list of labels$"):
            made(kind).partial_fit(X, y, classes="XY")
    with pytest.raises(DataError, match=r"^label 'y' is not among classes; pass all labels$"):
        made(Classifier).partial_fit(*DATA[Classifier], classes=["x"])
    with pytest.raises(DataError, match=r"^classes: None is not a label; leave it out$"):
        made(Classifier).partial_fit(*DATA[Classifier], classes=["x", "y", None])


@pytest.mark.parametrize("kind", [*DATA, Pipeline, structron], ids=lambda kind: kind.__name__)
def test_what_is_no_path_is_refused(kind: Any) -> None:
    for given, what in ((None, "None"), (3, "something of type int"), (b"m", "something of type bytes")):
        with pytest.raises(ModelError, match=f"^load: {what} is not a path; give the name of a model's file"):
            kind.load(given)
    with pytest.raises(ModelError, match=r"^load: the name of the file is empty; give the name of a model's"):
        kind.load("")


def test_a_model_is_saved_under_a_name_only() -> None:
    own = made(Tagger).fit(*DATA[Tagger])
    for given, what in ((None, "None"), (3, "something of type int"), (b"m", "something of type bytes")):
        with pytest.raises(ModelError, match=f"^save: {what} is not a path; give the name of a model's file"):
            own.save(given)
    with pytest.raises(ModelError, match=r"^save: the name of the file is empty; give the name of a model's"):
        own.save("")


def test_what_are_no_bytes_is_refused() -> None:
    for given in (None, 3, "text"):
        with pytest.raises(ModelError, match=r"^the model: of type \w+; give the bytes of a model's file$"):
            Tagger.from_bytes(given)  # type: ignore[arg-type]
