"""Models that python-crfsuite has trained give the same labels here."""

from __future__ import annotations

import struct
from pathlib import Path
from typing import Any

import pytest

from structron import ModelError, Tagger
from tests.unit.estimators.corpora import spans

pycrfsuite = pytest.importorskip(
    "pycrfsuite", reason="python-crfsuite is not installed; pip install python-crfsuite"
)

from structron.adapters.crfsuite import load, load_dump, read_dump, read_model, tagger_of  # noqa: E402


def features(sentence: list[tuple[str, str]]) -> list[dict[str, Any]]:
    """All that a dict may hold, and names that a dump could trip over."""
    made: list[dict[str, Any]] = []
    for i, (word, tag) in enumerate(sentence):
        before = sentence[i - 1][0] if i else "é --> ü: 1.5"
        made.append(
            {
                "bias": 1.0,
                "w": word,
                "length": len(word) / 7,
                "is long": len(word) > 4,
                "before": {"w": before, "ends": {before[-1:]: 0.5}},
                "affixes": [word[-2:], word[:1]],
                "tag": tag if i % 3 else tag + " --> O",
            }
        )
    return made


SENTENCES, LABELS = spans(160)
X = [features(sentence) for sentence in SENTENCES]


def trained(path: Path, algorithm: str, **params: Any) -> Any:
    trainer = pycrfsuite.Trainer(algorithm=algorithm, params=params, verbose=False)
    for x, y in zip(X[:80], LABELS[:80]):
        trainer.append(x, y)
    trainer.train(str(path))
    tagger = pycrfsuite.Tagger()
    tagger.open(str(path))
    return tagger


@pytest.mark.parametrize("algorithm", ["lbfgs", "averaged-perceptron", "arow"])
def test_the_labels_are_the_same(algorithm: str, tmp_path: Path) -> None:
    params = {"max_iterations": 20, "feature.possible_transitions": True} | (
        {"c1": 0.1, "c2": 0.01} if algorithm == "lbfgs" else {}
    )
    peer = trained(tmp_path / "m", algorithm, **(params if algorithm == "lbfgs" else {"max_iterations": 5}))
    wanted = [peer.tag(x) for x in X[80:]]
    tagger = load(tmp_path / "m")
    assert tagger.predict(X[80:]) == wanted
    assert sum(y == w for y, w in zip(LABELS[80:], wanted)) > 20  # it has learned something
    listed = [[["bias", f"w:{word}"] for word, _ in s] for s in SENTENCES[80:100]]
    for x, labels in zip(listed, tagger.predict(listed)):
        # Words that were never seen leave ties, which the two break each in their own way.
        best = peer.tag(x)
        assert labels == best or peer.probability(labels) == pytest.approx(peer.probability(best), rel=1e-5)
    # The weights are those that python-crfsuite itself reports, to the digits that it prints.
    told, weights = peer.info(), read_model(tmp_path / "m")
    own = {
        (name, weights.labels[label]): weight
        for name, cells in weights.attributes.items()
        for label, weight in cells.items()
    }
    assert own == pytest.approx(told.state_features, abs=1e-6)
    assert sum(map(len, weights.transitions.values())) == len(told.transitions)
    # A dump has the same, and its near ties may fall otherwise.
    peer.dump(str(tmp_path / "dump"))
    with (tmp_path / "dump").open(encoding="utf-8") as file:
        dumped = load_dump(file)
    assert dumped.labels_ == tagger.labels_
    same = sum(a == b for a, b in zip(dumped.predict(X[80:]), wanted))
    assert same >= len(wanted) - 1
    tagger.save(tmp_path / "own")
    assert Tagger.load(tmp_path / "own").predict(X[80:]) == wanted


def test_what_is_no_model_is_refused(tmp_path: Path) -> None:
    trained(tmp_path / "m", "averaged-perceptron", max_iterations=2)
    data = (tmp_path / "m").read_bytes()
    bad = tmp_path / "bad"
    weight = struct.unpack_from("<I", data, 28)[0] + 12 + 12  # of the first feature
    for change in (
        data[:-40],
        b"xCRF" + data[4:],
        data[:12] + struct.pack("<I", 7) + data[16:],
        data[:28] + struct.pack("<I", 2**31) + data[32:],
        data[:32] + struct.pack("<I", 5) + data[36:],
        data[:weight] + struct.pack("<d", float("nan")) + data[weight + 8 :],
        data[: weight - 4] + struct.pack("<I", 9999) + data[weight:],
        b"",
    ):
        bad.write_bytes(change)
        with pytest.raises(
            ModelError, match=r"bad: no model of CRFsuite, or a damaged one \(.+\); give a model"
        ):
            load(bad)
    with pytest.raises(ModelError, match="the file cannot be read"):
        load(tmp_path / "none")
    head = ["LABELS = {", "  0: A", "  1: B", "}", "TRANSITIONS = {"]
    for line, said in (
        ("  (1) A --> C: 1.0", "the dump:6: no weight can be read here"),
        ("  (1) C --> A: 1.0", "the dump:6: 'C' is not a label"),
        ("  (1) A -> B 1.0", "the dump:6: no weight can be read here"),
        ("  (1) A --> B: 1.0.0", "the dump:6: could not convert"),
    ):
        with pytest.raises(ModelError, match=said):
            read_dump([*head, line])
    with pytest.raises(ModelError, match="the dump:2: no label"):
        read_dump(["LABELS = {", "  3: A"])
    with pytest.raises(ModelError, match="there are no labels"):
        read_dump([])
    assert tagger_of(read_dump([*head, "  (1) A --> B: 1.0"])).labels_ == ["A", "B"]


@pytest.mark.parametrize("c2", [0.1, 2.0])
def test_the_objective_is_that_of_crfsuite(tmp_path: Path, c2: float) -> None:
    losses: list[float] = []

    class Trainer(pycrfsuite.BaseTrainer):  # type: ignore[misc,name-defined]
        def message(self, message: str) -> None:
            if message.startswith("Loss: "):
                losses.append(float(message.split()[1]))

    trainer = Trainer("lbfgs", verbose=False)
    trainer.set_params({"c1": 0.0, "c2": c2, "max_iterations": 12, "feature.possible_transitions": True})
    for x, y in zip(X[:40], LABELS[:40]):
        trainer.append(x, y)
    trainer.train(str(tmp_path / "model"))
    tagger = load(tmp_path / "model")
    weights = tagger.model_.rows.weights.astype(float)
    value = c2 * float(weights @ weights) - tagger.log_likelihood(X[:40], LABELS[:40])
    assert value == pytest.approx(losses[-1], rel=1e-6)


def test_marginals_are_those_of_crfsuite(tmp_path: Path) -> None:
    theirs = trained(tmp_path / "model", "lbfgs", c2=0.5, max_iterations=10)
    found = load(tmp_path / "model").predict_marginals(X[80:90])
    for x, tokens in zip(X[80:90], found):
        theirs.set(x)
        for i, token in enumerate(tokens):
            assert token == pytest.approx({y: theirs.marginal(y, i) for y in theirs.labels()}, abs=1e-5)
