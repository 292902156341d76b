"""`spacy train` with the config and the commands that the guide prints, and the pipeline that comes of it."""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

spacy = pytest.importorskip("spacy", reason="spaCy is not installed; make test-adapters installs it")

from spacy import displacy  # noqa: E402
from spacy.tokens import DocBin  # noqa: E402

from tests.adapters.test_spacy import TREES, annotations, examples  # noqa: E402

GUIDE = Path(__file__).resolve().parents[2] / "docs" / "guides" / "spacy.md"


def block(language: str, begin: str) -> str:
    (found,) = re.findall(rf"^```{language}\n({re.escape(begin)}.*?)^```$", GUIDE.read_text(), re.M | re.S)
    return str(found)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A pipeline trained by the commands of the guide."""
    place = tmp_path_factory.mktemp("spacy")
    (place / "base.cfg").write_text(block("ini", "[paths]"))
    blank = spacy.blank("en")
    for name, part in (("train", slice(0, 70)), ("dev", slice(70, 90))):
        docs = [example.reference for example in examples(blank, part)]
        DocBin(docs=docs).to_disk(place / f"{name}.spacy")
    for line in block("bash", "python -m spacy").splitlines():
        program, *words = shlex.split(line)
        assert program == "python"
        done = subprocess.run([sys.executable, *words], cwd=place, capture_output=True, text=True)
        assert done.returncode == 0, (line, done.stdout, done.stderr)
        if "evaluate" in words:
            (place / "evaluated").write_text(done.stdout)
    return place


def test_it_trains_and_keeps_the_best(folder: Path) -> None:
    nlp = spacy.load(folder / "trained" / "model-best")
    assert nlp.pipe_names == ["structron_tagger", "structron_parser", "structron_ner"]
    scores = nlp.evaluate(examples(nlp, slice(70, 90)))
    assert scores["tag_acc"] > 0.65 and scores["dep_las"] > 0.4 and scores["ents_f"] > 0.4
    assert nlp.meta["performance"]["dep_las"] == pytest.approx(scores["dep_las"])
    assert f"{100 * scores['dep_las']:.2f}" in (folder / "evaluated").read_text()


def test_two_processes_give_what_one_gives(folder: Path) -> None:
    nlp = spacy.load(folder / "trained" / "model-best")

    def found(processes: int) -> list[Any]:
        texts = [" ".join(tree.words) for tree in TREES]
        return [annotations(doc) for doc in nlp.pipe(texts, n_process=processes, batch_size=20)]

    assert found(2) == found(1) and len(found(1)) == len(TREES)
    drawn = displacy.render(nlp(" ".join(TREES[71].words)), style="dep")
    assert drawn.count("displacy-arrow") >= len(TREES[71].words) - 1
