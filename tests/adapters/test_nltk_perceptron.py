"""NLTK's own tagger and its conversion give the same tags."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import pytest

from structron import ModelError, Tagger
from structron.adapters.nltk_perceptron import NltkPerceptron
from tests.unit.estimators.corpora import treebank

nltk = pytest.importorskip("nltk", reason="NLTK is not installed; pip install nltk")

X, Y = treebank(120)
STRANGE = [
    "1984",
    "12-year-old",
    "-lrb-",
    "3rd",
    "X",
    "",
    "-",
    "ÉTÉ",
    "straße",
    "İ",
    "２０２４",
    "--",
    "a-",
    "the",
]
SENTENCES = [*X[60:], *([word] for word in STRANGE), STRANGE, [*STRANGE[:2]], ["the", "dog"], []]


@pytest.fixture(scope="module")
def peer() -> Any:
    random.seed(3)
    tagger = nltk.tag.PerceptronTagger(load=False)
    mixed = [list(zip(x, y)) for x, y in zip(X[:60], Y[:60])]
    mixed += [[("1984", "CD"), ("X", "NNP")], [("12-year-old", "JJ")], [("ÉTÉ", "NN"), ("-", ":")]]
    tagger.train(mixed, nr_iter=4)
    tagger.tagdict["the"] = "DT"  # NLTK wants a word twenty times before it goes in
    return tagger


def written(tagger: Any, folder: Path, **instead: Any) -> Path:
    parts = dict(zip(("weights", "tagdict", "classes"), tagger.encode_json_obj())) | instead
    for name, part in parts.items():
        (folder / f"averaged_perceptron_tagger_eng.{name}.json").write_text(json.dumps(part))
    return folder


def test_the_tags_are_the_same(peer: Any, tmp_path: Path) -> None:
    wanted = [peer.tag(sentence) for sentence in SENTENCES]
    assert len({tag for sentence in wanted for _, tag in sentence}) > 15
    own = NltkPerceptron.read(written(peer, tmp_path))
    assert own.tag_sents(SENTENCES) == wanted
    assert [own.tag(sentence) for sentence in SENTENCES] == wanted
    assert NltkPerceptron.of(peer).tag_sents(SENTENCES) == wanted
    own.save(tmp_path / "m")
    assert NltkPerceptron.load(tmp_path / "m").tag_sents(SENTENCES) == wanted
    assert Tagger.load(tmp_path / "m").labels_ == sorted(peer.classes, reverse=True)


def test_every_weight_has_its_place(peer: Any) -> None:
    """Each kind of feature alone, with weights that nothing else could make up for."""
    tags = sorted(peer.classes)
    kinds: dict[str, dict[str, dict[str, float]]] = {}
    for name, weights in peer.model.weights.items():
        kinds.setdefault(name.rpartition(" ")[0].partition(" -")[0][:14], {})[name] = weights
    assert len(kinds) > 12
    made = nltk.tag.PerceptronTagger(load=False)
    made.classes = made.model.classes = set(tags)
    chance = random.Random(5)
    sentences = SENTENCES[40:]
    for own in kinds.values():
        made.model.weights = {name: {t: chance.randint(-9, 9) / 10 for t in tags} for name in own}
        assert NltkPerceptron.of(made).tag_sents(sentences) == [made.tag(s) for s in sentences]
    # Weights that are not rounded, as another trainer may leave them.
    made.model.weights = {name: {t: chance.gauss(0, 1) for t in tags} for name in peer.model.weights}
    assert NltkPerceptron.of(made).tag_sents(sentences) == [made.tag(s) for s in sentences]


def test_what_is_no_model_is_refused(peer: Any, tmp_path: Path) -> None:
    with pytest.raises(ModelError, match="0 files of weights where one is due"):
        NltkPerceptron.read(tmp_path)
    for instead, said in (
        ({"weights": []}, "there is no dict in it"),
        ({"weights": {"i word a": {"ZZ": 1.0}}}, r"no weights of NLTK's tagger \(KeyError: 'ZZ'\)"),
        ({"weights": {"j word a": {}}}, "there is no feature 'j word a'"),
        ({"weights": {"bias": {"NN": float("nan")}}}, "out of range"),
        ({"weights": {"bias": {"NN": "1"}}}, "TypeError"),
        ({"tagdict": {"the": "ZZ"}}, "KeyError: 'ZZ'"),
    ):
        with pytest.raises(ModelError, match=said):
            NltkPerceptron.read(written(peer, tmp_path, **instead))
    (tmp_path / "averaged_perceptron_tagger_eng.classes.json").write_text("{")
    with pytest.raises(ModelError, match=r"classes\.json: the file cannot be read"):
        NltkPerceptron.read(tmp_path)
