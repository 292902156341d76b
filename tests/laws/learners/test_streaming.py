"""Data that stay on disk give the bytes of data in memory, whatever happened while they were packed."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from structron import Parser, Tagger, _core
from structron.errors import DataError, SettingError
from structron.fit import Stream
from structron.fit.streaming import store as stores
from structron.io import Files, Format, Sentence, write
from structron.io.files.training_files import Position
from tests.unit.estimators.corpora import treebank

SPANS = {"DT": "B-NP", "NN": "I-NP"}


@pytest.fixture
def files(tmp_path: Path) -> Path:
    """Three files of words with tags, and one more column."""
    X, Y = treebank(90)
    (tmp_path / "data").mkdir()
    shape = Format("columns", columns=("form", "pos", "label"))
    for number in range(3):
        some = slice(30 * number, 30 * number + 30)
        sentences = [
            Sentence([[word, tag, SPANS.get(tag, "O")] for word, tag in zip(x, y)], shape)
            for x, y in zip(X[some], Y[some])
        ]
        write(sentences, tmp_path / "data" / f"{number}.tsv")
    return tmp_path / "data"


def saved(tagger: Tagger, place: Path) -> bytes:
    tagger.save(place)
    return place.read_bytes()


@pytest.mark.parametrize(
    "settings",
    [
        {"bits": 12},
        {"target": "1", "batch": 8, "threads": 2},
        {"learner": "mira:2", "shuffle": False, "templates": ["w[0]", "t[-1]", "w[0] w[1]"], "bits": 8},
        {"hidden": 2, "target": "1", "order": 1},
    ],
    ids=str,
)
def test_a_stream_gives_the_bytes_of_memory(files: Path, tmp_path: Path, settings: dict[str, Any]) -> None:
    def made() -> Tagger:
        return Tagger(epochs=3, block=20, **settings)

    data = Files(str(files))
    in_memory = saved(made().fit(data), tmp_path / "a")
    assert saved(made().fit(data, stream=tmp_path / "shards"), tmp_path / "b") == in_memory
    assert len(list((tmp_path / "shards").glob("*.shard"))) == 5
    assert saved(made().fit([str(files)], stream=str(tmp_path / "shards")), tmp_path / "c") == in_memory


def test_packing_goes_on_where_it_was_killed(
    files: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """After any number of shards, with a shard half-written, or damaged since."""
    expected = saved(Tagger(epochs=1, block=20, bits=12).fit(Files(str(files))), tmp_path / "a")
    folder, told = tmp_path / "shards", list[str]()
    write_archive = stores.write_archive
    for killed_at in range(5):

        def write(path: Any, *rest: Any, at: int = killed_at) -> None:
            if Path(path).name == f"{at:06d}.shard":
                raise KeyboardInterrupt
            write_archive(path, *rest)

        monkeypatch.setattr(stores, "write_archive", write)
        with pytest.raises(KeyboardInterrupt):
            Tagger(epochs=1, block=20, bits=12).fit(str(files), stream=folder)
        assert len(list(folder.glob("*.shard"))) == killed_at
        (folder / f".{killed_at:06d}.shard.abcd.part").write_bytes(b"half")
    monkeypatch.setattr(stores, "write_archive", write_archive)
    tagger = Tagger(epochs=1, block=20, bits=12).fit(str(files), stream=Stream(folder, told.append))
    assert saved(tagger, tmp_path / "b") == expected
    assert told[1:] == [f"{folder}: 4 shards are packed already; packing the rest"]
    assert not list(folder.glob(".*.part"))
    damaged = bytearray((folder / "000002.shard").read_bytes())
    damaged[-3] ^= 1
    (folder / "000002.shard").write_bytes(damaged)
    again = Tagger(epochs=1, block=20, bits=12).fit(str(files), stream=Stream(folder, told.append))
    assert saved(again, tmp_path / "c") == expected
    assert told[3:] == [f"{folder}: 2 shards are packed already; packing the rest"]


def test_other_data_templates_or_settings_make_new_shards(files: Path, tmp_path: Path) -> None:
    folder = tmp_path / "shards"

    def told(**settings: Any) -> list[str]:
        said: list[str] = []
        Tagger(epochs=1, block=20, **settings).fit(str(files), stream=Stream(folder, said.append))
        return said[1:]

    new = [f"{folder}: these shards are of other data, templates or settings; packing new ones"]
    assert told(bits=12) == []
    assert told(bits=12, learner="mira", seed=5, batch=4) == [], "what packing does not depend on"
    assert told(bits=12, templates=["w[0]", "t[-1]"]) == new
    assert told(bits=13, templates=["w[0]", "t[-1]"]) == new
    text = (files / "1.tsv").read_text()
    (files / "1.tsv").write_text(text.replace("the", "dhe", 1))
    assert told(bits=13, templates=["w[0]", "t[-1]"]) == new
    (folder / "survey.json").write_text(json.dumps({"of": 3}))
    assert told(bits=13, templates=["w[0]", "t[-1]"]) == [], "a survey that is no good is made again"


def test_a_training_that_streams_is_resumed_within_an_epoch(files: Path, tmp_path: Path) -> None:
    from structron.fit import Checkpoint

    expected = saved(
        Tagger(epochs=2, block=20, bits=12).fit(str(files), stream=tmp_path / "s"), tmp_path / "a"
    )
    checkpoint = Checkpoint(str(tmp_path / "c"), 1e-9)

    def stop(epoch: int, done: int, total: int) -> None:
        if epoch == 2 and done >= 50:
            raise KeyboardInterrupt

    tagger = Tagger(epochs=2, block=20, bits=12)
    with pytest.raises(KeyboardInterrupt):
        tagger.fit(str(files), stream=tmp_path / "s", checkpoint=checkpoint, progress=stop)
    tagger = Tagger(epochs=2, block=20, bits=12)
    tagger.fit(str(files), stream=tmp_path / "s", checkpoint=checkpoint, resume=True)
    assert saved(tagger, tmp_path / "b") == expected


def test_what_cannot_stream_says_so(files: Path, tmp_path: Path) -> None:
    def refused(
        error: type[Exception], match: str, tagger: Any = None, X: Any = str(files), y: Any = None
    ) -> None:
        with pytest.raises(error, match=match):
            (tagger or Tagger()).fit(X, y, stream=tmp_path / "s")

    refused(SettingError, "cut counts features of all data", Tagger(cut=2))
    refused(SettingError, "a dictionary counts words of all data", Tagger(dictionary=2))
    refused(SettingError, "leave shards or stream out", Tagger(shards=2))
    refused(SettingError, "parsing is learned from data in memory; leave stream out", Parser())
    refused(DataError, "stream reads files, and X has list; give their names", X=[["a", "b"]])
    refused(DataError, "y cannot be given with stream", y=[["A"]])
    with (files / "2.tsv").open("a") as file:
        file.write("broken\n\n")
    refused(DataError, r"2\.tsv:\d+: ")
    kept = Tagger(epochs=1, bits=10).fit(Files(str(files), skip_bad=True), stream=tmp_path / "s")
    assert kept.model_.about["trained_on"]["sentences"] == 90
    refused(DataError, r"0\.tsv:\d+: label 'B-NP' is out of place in iob1", Tagger(constraints="iob1"),
            Files(str(files), skip_bad=True))  # fmt: skip


def test_files_are_read_on_from_any_sentence(files: Path) -> None:
    data = Files([str(files)])
    all_of_them = list(data.since(Position()))
    for at in (0, 29, 30, 64, 89):
        rest = list(data.since(all_of_them[at][0]))
        assert [(p, s.rows) for p, s in rest] == [(p, s.rows) for p, s in all_of_them[at + 1 :]]


def test_nothing_in_a_shard_is_trusted() -> None:
    tagger = Tagger(templates=["w[0]", "t[-1] w[0]"])
    task = tagger.plan([["a", "b"]], [["X", "Y"]]).task
    weights = _core.Weights(2)
    corpus = task.corpus(weights)
    corpus.add(["a", "b"], ["X", "Y"])
    arrays = corpus.arrays()
    for index, bad in enumerate([[0, 3], [0, 2, 1], [0, 9], [1], [0, 7]]):
        broken = list(arrays)
        broken[index] = np.array(bad, arrays[index].dtype)
        with pytest.raises(ValueError, match="not those of a corpus with these features"):
            task.corpus(weights).restore(tuple(broken))
    again = task.corpus(weights)
    again.restore(arrays)
    assert (again.sentences, again.tokens) == (1, 2)
    with pytest.raises(ValueError, match="takes no more sentences"):
        again.add(["a"], ["X"])
    with pytest.raises(ValueError, match="a feature has a number already"):
        weights.take_keys(weights.keys_from(0)[:1])
