"""Clusters of words: like words are together, files are checked line by line, models keep their clusters."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from structron import DataError, ModelError, Parser, SettingError, Tagger, load
from structron.features.clusters import WordClusters
from structron.fit.clustering.clustering import brown_clusters
from structron.fit.clustering.vector_clusters import vector_clusters
from structron.io.formats.clusters import read_clusters, read_vectors, write_clusters

NOUNS, VERBS = ["dog", "cat", "cow", "pig"], ["barks", "sleeps", "eats", "runs"]
TEXT = [["the", noun, verb] for noun in NOUNS for verb in VERBS] * 2


def test_words_in_the_same_places_are_in_one_cluster() -> None:
    found = {each.word: each.path for each in brown_clusters(TEXT, 3)}
    assert len({found[noun] for noun in NOUNS}) == len({found[verb] for verb in VERBS}) == 1
    assert len(set(found.values())) == 3


@pytest.mark.parametrize(
    ("sentences", "least", "said"),
    [
        ([], 1, "there are no words in the text; give more text"),
        (TEXT, 99, "no word is seen 99 times; give more text, or a smaller --min-count"),
    ],
)
def test_text_without_words_is_told(sentences: list[list[str]], least: int, said: str) -> None:
    with pytest.raises(DataError, match=said):
        brown_clusters(sentences, 2, least=least)


def test_files_come_back_as_they_were(tmp_path: Path) -> None:
    found = brown_clusters([*TEXT, ["New York"] * 3], 3)
    write_clusters(found, tmp_path / "paths.gz")
    assert read_clusters(tmp_path / "paths.gz") == [tuple(each) for each in found]


@pytest.mark.parametrize(
    ("lines", "said"),
    [
        ("", "there are no clusters; make some"),
        ("01\tdog\t3\n01 cat 2\n", "line 2: not a path of bits, a word and a count"),
        ("012\tdog\t3\n", "line 1: not a path of bits"),
        ("01\tdog\tmany\n", "line 1: a count is missing or wrong"),
        ("01\t\t1\n", "line 1: the word is missing or wrong"),
        ("01\tdog\t3\n\n1\tdog\t3\n", "line 3: word 'dog' has a cluster already, in line 1"),
    ],
)
def test_wrong_lines_of_paths_are_told(tmp_path: Path, lines: str, said: str) -> None:
    (tmp_path / "paths").write_text(lines)
    with pytest.raises(DataError, match=said):
        read_clusters(tmp_path / "paths")


@pytest.mark.parametrize(
    ("lines", "said"),
    [
        ("2 3\n", "there are no vectors"),
        ("2 2\ndog 1 2\ncat 1 2 3\n", "line 3: 3 numbers after the word, not 2"),
        ("dog 1 2\ncat 1\n", "line 2: 1 numbers after the word, not 2"),
        ("dog 1 x\n", "line 1: not all fields after the word are numbers"),
        ("dog 1 nan\n", "line 1: not all fields after the word are numbers"),
        ("dog 1 2\ndog 1 3\n", "line 2: word 'dog' has a vector already, in line 1"),
    ],
)
def test_wrong_lines_of_vectors_are_told(tmp_path: Path, lines: str, said: str) -> None:
    (tmp_path / "vectors").write_text(lines)
    with pytest.raises(DataError, match=said):
        read_vectors(tmp_path / "vectors")


def test_vectors_that_point_alike_are_in_one_cluster(tmp_path: Path) -> None:
    rng = np.random.default_rng(0)
    middles = rng.normal(size=(4, 5)) * 9
    rows = [middles[i % 4] + rng.normal(size=5) / 9 for i in range(40)]
    lines = [f"w{i} {' '.join(map(str, row))}" for i, row in enumerate(rows)]
    (tmp_path / "vectors").write_text("40 5\n" + "\n".join(lines))
    words, vectors = read_vectors(tmp_path / "vectors")
    found = vector_clusters(words, vectors, 4, seed=1)
    assert found == vector_clusters(words, vectors, 4, seed=1)
    of = {each.word: each.path for each in found}
    assert [len({of[f"w{i}"] for i in range(k, 40, 4)}) for k in range(4)] == [1] * 4
    assert len(set(of.values())) == 4
    same = np.ones((6, 3), np.float32)  # which no plane can part
    assert {each.path for each in vector_clusters(list("abcdef"), same, 3)} == {""}


def test_a_word_is_looked_for_in_lower_case_too() -> None:
    clusters = WordClusters.of([("us", "01"), ("US", "110")])
    assert [clusters.path(word) for word in ("us", "Us", "US", "them")] == ["01", "01", "110", None]
    assert clusters.prefix("US", 2) == clusters.prefix("US", 2) != clusters.prefix("US", 0)
    assert clusters.prefix("us", 9) == clusters.prefix("us", 0) and clusters.prefix("them", 0) == 0


@pytest.fixture
def paths(tmp_path: Path) -> Path:
    words = [*((f"0{i:b}", noun) for i, noun in enumerate([*NOUNS, "ox"])), *(("1", verb) for verb in VERBS)]
    write_clusters(((path, word, 1) for path, word in words), tmp_path / "animals.paths")
    return tmp_path / "animals.paths"


def test_a_tagger_keeps_its_clusters(paths: Path, tmp_path: Path) -> None:
    X, y = [["the", noun] for noun in NOUNS] + [["the", "red"]] * 4, [["D", "N"]] * 4 + [["D", "A"]] * 4
    templates = ["cluster(1)[0]", "cluster[-1] lower[0]", "w[0]"]
    tagger = Tagger(templates=templates, clusters=paths, epochs=3, order=0).fit(X, y)
    paths.unlink()
    assert tagger.predict([["the", "Ox"]]) == [["D", "N"]]  # a word that training data do not have
    tagger.save(tmp_path / "model")
    again = load(tmp_path / "model")
    assert again.predict([["the", "Ox"]]) == [["D", "N"]]
    assert again.model_.task.clusters == tagger.model_.task.clusters
    assert again.model_.task.clusters.name == "animals.paths"


def test_another_file_of_the_same_name_is_another_training(paths: Path, tmp_path: Path) -> None:
    X, y = [["the", "dog"]], [["D", "N"]]
    tagger = Tagger(clusters=paths, epochs=1)
    first = tagger.fit(X, y, checkpoint=tmp_path / "checkpoint").model_.about["signature"]
    write_clusters([("0", "dog", 1)], paths)
    assert tagger.fit(X, y).model_.about["signature"]["word_lists"] != first["word_lists"]
    with pytest.raises(SettingError, match="clusters or gazetteers"):
        tagger.set_params(epochs=2).fit(X, y, checkpoint=tmp_path / "checkpoint", resume=True)


def test_the_ready_sets_get_templates_of_clusters(paths: Path) -> None:
    plain, clustered = Tagger(), Tagger(clusters=paths)
    X, y = [["the", "dog"]], [["D", "N"]]
    before, after = (tagger.plan(X, y).task.templates for tagger in (plain, clustered))
    assert set(before) < set(after) and all("cluster" in t for t in set(after) - set(before))
    assert "clusters" not in plain.recipe.as_dict() and clustered.recipe.as_dict()["clusters"] == str(paths)
    for system in ("arc-standard", "graph"):
        parser = Parser(clusters=paths, system=system, epochs=1, pruner="none")
        parser.fit([[("the", "D"), ("dog", "N")]], [([2, 0], ["det", "root"])])
        assert any("cluster" in t for t in parser.model_.task.templates)
        assert parser.predict([[("the", "D"), ("ox", "N")]])[0].heads == [2, 0]


@pytest.mark.parametrize(
    ("make", "said"),
    [
        (lambda: Tagger(templates=["cluster[0]"]), "'cluster.0.' needs clusters of words; give clusters"),
        (lambda: Tagger(templates=["cluster(0)[0]"]), "cluster takes from 1 to 64 bits"),
        (lambda: Tagger(clusters=3), "clusters = 3 is not possible; name a file, or give none"),
    ],
)
def test_clusters_that_cannot_be_are_told(make: object, said: str) -> None:
    with pytest.raises(SettingError, match=said):
        make().fit([["a"]], [["x"]])  # type: ignore[operator]
    with pytest.raises(SettingError, match=r"template 's0\.cluster' needs clusters of words"):
        Parser(templates=["s0.cluster"]).fit([[("a", "b")]], [([0], ["root"])])


def test_clusters_of_a_broken_model_are_refused() -> None:
    good = WordClusters.of([("a", "0"), ("b", "1")], "file")
    assert WordClusters.restore("file", good.arrays()) == good
    arrays = good.arrays()
    for name, bad in {
        "clusters.words": arrays["clusters.words"][:2],
        "clusters.of_words": arrays["clusters.of_words"] + 5,
        "clusters.paths": np.array([255, 10], np.uint8),
    }.items():
        with pytest.raises(ModelError, match="its word clusters"):
            WordClusters.restore("file", arrays | {name: bad})
