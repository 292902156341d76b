"""Series and tables of pandas go in, and come out with their index."""

from __future__ import annotations

import pytest
from sklearn.model_selection import cross_val_predict

from structron import Classifier, DataError, Parser, Tagger
from structron.io import Tree
from tests.unit.estimators.corpora import treebank

pd = pytest.importorskip("pandas", reason="pandas is not installed; pip install pandas")

from structron.adapters.pandas import predicted, sentences  # noqa: E402

X, Y = treebank(30)


def test_a_series_gives_a_series() -> None:
    index = [f"row {i}" for i in range(len(X))]
    frame = pd.DataFrame({"tokens": X, "tags": Y}, index=index)
    tagger = Tagger(epochs=2).fit(frame["tokens"], frame["tags"])
    found = tagger.predict(frame["tokens"][5:])
    assert isinstance(found, pd.Series) and list(found.index) == index[5:]
    assert found.tolist() == Tagger(epochs=2).fit(X, Y).predict(X[5:])
    assert tagger.score(frame["tokens"], frame["tags"]) == tagger.score(X, Y)
    frame["guess"] = tagger.predict(frame["tokens"])  # by the index
    assert frame["guess"].tolist() == tagger.predict(X)
    crossed = cross_val_predict(Tagger(epochs=1), frame["tokens"], frame["tags"], cv=2)
    assert [len(tags) for tags in crossed] == list(map(len, X))
    texts = pd.Series(["cheap pills", "a meeting", "cheap offer", "notes of a meeting"])
    labels = pd.Series(["spam", "ham"] * 2)
    assert Classifier(epochs=3).fit(texts, labels).predict(texts).tolist() == labels.tolist()


def test_a_table_with_a_row_for_each_token() -> None:
    rows = [(f"s{i}", w, t) for i, (words, tags) in enumerate(zip(X, Y)) for w, t in zip(words, tags)]
    frame = (
        pd.DataFrame(rows, columns=["sentence", "word", "tag"])
        .sample(frac=1, random_state=1)
        .sort_values("sentence", kind="stable")
    )  # rows in another order, with the index they had
    words, tags = (sentences(frame, name, by="sentence") for name in ("word", "tag"))
    assert sorted(map(len, words)) == sorted(map(len, X))
    tagger = Tagger(epochs=2).fit(words, tags)
    frame["guess"] = predicted(tagger, frame, "word", by="sentence")
    assert sentences(frame, "guess", by="sentence") == tagger.predict(sentences(frame, "word", by="sentence"))
    with pytest.raises(DataError, match="no column 'pos'; its columns are sentence, word, tag, guess"):
        sentences(frame, "pos", by="sentence")


def test_trees_are_two_columns() -> None:
    tokens = [("dogs", "N"), ("bark", "V")]
    parser = Parser(epochs=2).fit([tokens], [Tree([2, 0], ["nsubj", "root"])])
    frame = pd.DataFrame([("a", *token) for token in tokens], columns=["s", "w", "t"], index=[7, 9])
    found = predicted(parser, frame, "w", "t", by="s")
    assert found.to_dict() == {"head": {7: 2, 9: 0}, "relation": {7: "nsubj", 9: "root"}}
