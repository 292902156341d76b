"""How sure estimators are: margins by definition, calibration in the file, selection of what to annotate."""

from __future__ import annotations

import math
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from structron import Classifier, ModelError, Parser, Segmenter, SettingError, Tagger, Transducer
from structron.cli.app import main
from structron.fit.confidence import Calibration, margins_of
from structron.io import Format, Sentence, write
from structron.synthetic import generate_spellings, generate_treebank

TREES = generate_treebank(130, np.random.default_rng(5))
WORDS = [list(t.words) for t in TREES]
TAGS = [list(t.tags) for t in TREES]
PAIRS = generate_spellings(60, np.random.default_rng(2))
STATES = ["s0.w", "s0.t s1.t", "s1.w s0.w", "s0.t q0.t"]
ARCS = [(list(t.heads), list(t.labels)) for t in TREES]

CASES: dict[str, tuple[Any, list[Any], list[Any]]] = {
    "tagging": (Tagger(search="exact", order=1), WORDS, TAGS),
    "a beam": (Tagger(search="beam:2"), WORDS, TAGS),
    "greedy": (Tagger(search="greedy"), WORDS, TAGS),
    "parsing": (Parser(templates=STATES, search="beam:2"), list(zip(WORDS, TAGS)), ARCS),
    "graph": (
        Parser(templates=["h.w m.w", "h.t m.t d"], system="graph", search="forest", pruner="none"),
        list(zip(WORDS, TAGS)),
        ARCS,
    ),
    "transduction": (Transducer(), [p.source for p in PAIRS], [p.targets[0] for p in PAIRS]),
    "classification": (Classifier(), [" ".join(x) for x in WORDS], ["abc"[len(x) % 3] for x in WORDS]),
}


@pytest.mark.parametrize("name", CASES)
def test_margins_and_confidences_of_every_task(name: str, tmp_path: Path) -> None:
    estimator, X, y = CASES[name]
    estimator.set_params(epochs=1).fit(X[:30], y[:30])
    held, gold = X[30:50], y[30:50]
    with pytest.raises(SettingError, match="never calibrated, so that its margins are not probabilities"):
        estimator.predict_confidence(held)
    sure = estimator.calibrate(held, gold).predict_confidence(held)
    margins = estimator.margins(held)
    for each, own, output in zip(sure, margins, estimator.predict(held)):
        assert 0 < each.whole < 1 and all(0 < part < 1 for part in each.parts)
        parts = len(output.heads) if hasattr(output, "heads") else len(output)
        assert len(each.parts) == (1 if name in ("transduction", "classification") else parts)
        assert own.whole <= min(own.parts, default=math.inf) + 1e-6
    estimator.save(tmp_path / "model")
    again = type(estimator).load(tmp_path / "model")
    assert again.predict_confidence(held) == sure
    assert estimator.fit(X[:8], y[:8]).model_.about.get("confidence") is None
    with pytest.raises(SettingError, match="margins are calibrated on held-out data; give dev"):
        estimator.fit(X[:8], y[:8], calibrate=True)


def test_fit_calibrates_on_development_data() -> None:
    tagger, dev = Tagger(epochs=1, order=0), (WORDS[30:50], TAGS[30:50])
    sure = tagger.fit(WORDS[:30], TAGS[:30], dev=dev).calibrate(*dev).model_.about["confidence"]
    again = tagger.fit(WORDS[:30], TAGS[:30], dev=tuple(map(iter, dev)), calibrate=True)  # type: ignore[arg-type]
    assert again.model_.about["confidence"] == sure


def test_margins_are_those_of_the_k_best() -> None:
    tagger = Tagger(epochs=1, order=0, search="exact", templates=["w[0]", "bias"]).fit(WORDS[:40], TAGS[:40])
    for words in WORDS[40:50]:
        (found,) = tagger.margins([words])
        many = tagger.predict_kbest([words], 32)[0]
        assert found.whole == pytest.approx(many[0][1] - many[1][1])
        for i, tag in enumerate(many[0][0]):
            rivals = [score for tags, score in many if tags[i] != tag] or [many[-1][1]]
            assert found.parts[i] == pytest.approx(many[0][1] - rivals[0])


def test_margins_by_hand() -> None:
    best = [("ab", 5.0), ("ac", 3.0), ("bb", 1.0)]
    assert margins_of("ab", best).parts == (4.0, 2.0) and margins_of("ab", best).whole == 2.0
    assert margins_of("ac", best).whole == 0.0  # a wider search has found a better one
    assert margins_of("zz", best).parts == (0.0, 0.0)  # and this one is not among them
    assert margins_of("ab", best[:1]).parts == (math.inf, math.inf)
    assert margins_of("", [("", 0.0)]).mean == math.inf


def test_what_has_no_margins_is_refused() -> None:
    segmenter = Segmenter(epochs=1).fit(["Go. Stop!"] * 4, [[["Go", "."], ["Stop", "!"]]] * 4)
    with pytest.raises(SettingError, match="judge is not for segmentation"):
        segmenter.calibrate(["Go. Stop!"], [[["Go", "."], ["Stop", "!"]]])
    parser = Parser(epochs=1, templates=["h.w m.w"], system="graph", search="mst", pruner="none")
    parser.fit(list(zip(WORDS, TAGS))[:5], ARCS[:5])
    with pytest.raises(SettingError, match="search mst finds one tree, and a margin needs two"):
        parser.margins([(WORDS[0], TAGS[0])])
    for bad in ({"parts": [1.0], "whole": [1.0, 2.0]}, {"parts": [math.nan, 1.0], "whole": [1.0, 2.0]}):
        with pytest.raises(ModelError, match="calibration is not as structron writes it; calibrate it again"):
            Calibration.of_model({"confidence": bad})


# ------------------------------------------------------------------------------------------- the command line


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("sure")
    for suffix, name in (("conllu", "conllu"), ("tsv", "columns"), ("txt", "slash")):
        made = [Sentence.of(words, tags, Format(name)) for words, tags in zip(WORDS, TAGS)]
        write(made[40:], folder / f"dev.{suffix}")
    sentences = [Sentence.of(words, tags, Format("conllu")) for words, tags in zip(WORDS, TAGS)]
    Tagger(epochs=1).fit(sentences[:40]).save(folder / "raw")
    Classifier(epochs=1).fit([" ".join(x) for x in WORDS[:40]], ["ab"[len(x) % 2] for x in WORDS[:40]]).save(
        folder / "texts"
    )
    (folder / "dev.texts").write_text("".join(f"{'ab'[len(x) % 2]}\t{' '.join(x)}\n" for x in WORDS[40:]))
    return folder


def run(capsys: pytest.CaptureFixture[str], *args: object, code: int = 0) -> str:
    capsys.readouterr()
    found = main(list(map(str, args)))
    out, err = capsys.readouterr()
    assert found == code, (out, err)
    return out if code == 0 else err


def test_confidence_goes_where_the_format_has_room(world, tmp_path, capsys) -> None:
    model = tmp_path / "sure"
    said = run(capsys, "calibrate", world / "raw", world / "dev.conllu", "-o", model)
    assert said.count("calibration error") == 2 and max(map(len, said.splitlines())) <= 80
    sure = Tagger.load(model).predict_confidence(WORDS[40:])
    out = tmp_path / "out"
    run(capsys, "predict", model, world / "dev.conllu", "--confidence", "-o", out)
    text = out.read_text()
    assert re.findall(r"# confidence = (.*)", text) == [f"{each.whole:.4f}" for each in sure]
    assert re.findall(r"Conf=(.*)", text) == [f"{part:.4f}" for each in sure for part in each.parts]
    run(capsys, "predict", model, world / "dev.tsv", "--confidence", "-o", out)
    assert out.read_text().splitlines()[0].split("\t")[-1] == f"{sure[0].parts[0]:.4f}"
    run(capsys, "predict", model, world / "dev.txt", "--confidence", "-o", out)
    assert out.read_text().splitlines()[0].split("\t")[0] == f"{sure[0].whole:.4f}"
    run(capsys, "calibrate", world / "texts", world / "dev.texts", "-o", tmp_path / "t", "--format", "tsv")
    args = ["predict", tmp_path / "t", world / "dev.texts", "--confidence", "-o", out, "--format", "tsv"]
    run(capsys, *args)
    assert all(re.search(r"\t0\.\d{4}$", line) for line in out.read_text().splitlines())


def test_what_is_selected_has_more_mistakes(world, tmp_path, capsys) -> None:
    wrong: list[float] = []
    tagger = Tagger.load(world / "raw")
    gold = {" ".join(words): tags for words, tags in zip(WORDS, TAGS)}
    for budget in (15, 90):
        out = tmp_path / f"chosen{budget}.txt"
        run(capsys, "select", world / "raw", world / "dev.txt", "--budget", budget, "-o", out)
        lines = [
            [token.rpartition("/")[::2] for token in line.split()] for line in out.read_text().splitlines()
        ]
        assert len(lines) == budget
        pairs = [
            (tag, right)
            for line in lines
            for (_, tag), right in zip(line, gold[" ".join(w for w, _ in line)])
        ]
        wrong.append(sum(a != b for a, b in pairs) / len(pairs))
    assert wrong[0] > wrong[1]
    (first,) = tagger.margins([[word for word, _ in lines[0]]])
    assert first.mean == min(each.mean for each in tagger.margins(WORDS[40:]))


def test_bad_input_is_told(world, tmp_path, capsys) -> None:
    (tmp_path / "one.conllu").write_text("1\ta\t_\tDT\t_\t_\t_\t_\t_\t_\n\n")
    raw, dev = world / "raw", world / "dev.conllu"
    for args, code, said in (
        (["predict", raw, dev, "--confidence"], 1, "the model was never calibrated"),
        (["predict", raw, dev, "--confidence", "--kbest", 2], 1, "--confidence is of the best output alone"),
        (["calibrate", raw, tmp_path / "one.conllu", "-o", tmp_path / "x"], 1, "1 sentence cannot calibrate"),
        (["calibrate", raw, dev, "-o", raw], 1, "-o would overwrite MODEL; choose another file for -o"),
        (["calibrate", raw, dev], 2, "issing option '-o'"),
        (["select", raw, tmp_path / "none"], 1, "no such file or directory; check the path"),
        (["select", raw, dev, "--budget", 0], 2, "--budget"),
    ):
        assert said in run(capsys, *args, code=code)
