"""Checkpoints: what is in them, and which ones are refused."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from structron import ModelError, SettingError, Tagger
from structron.fit import Checkpoint
from structron.io.model_file.archive import read_archive, write_archive

X = [["the", "old", "man", "the", "boats"], ["old", "boats"], ["the", "man"]] * 200
Y = [["D", "N", "V", "D", "N"], ["A", "N"], ["D", "N"]] * 200


class Killed(Exception):
    """Stands for the end of the process."""


def stop_at(when: int):
    calls = 0

    def progress(epoch: int, done: int, total: int) -> None:
        nonlocal calls
        calls += 1
        if calls == when:
            raise Killed

    return progress


@pytest.mark.parametrize("learner", ["perceptron", "perceptron:plain", "perceptron:margin=2"])
@pytest.mark.parametrize("when", [1, 2, 4, 8])
def test_going_on_is_as_if_nothing_had_happened(tmp_path: Path, when: int, learner: str) -> None:
    settings = {"epochs": 3, "search": "beam:2", "learner": learner, "seed": 4}
    Tagger(**settings).fit(X, Y, dev=(X[:5], Y[:5])).save(tmp_path / "whole")
    file = Checkpoint(tmp_path / "c", minutes=1e-9)
    with pytest.raises(Killed):
        Tagger(**settings).fit(X, Y, dev=(X[:5], Y[:5]), checkpoint=file, progress=stop_at(when))
    resumed = Tagger(**settings).fit(X, Y, dev=(X[:5], Y[:5]), checkpoint=file, resume=True)
    resumed.save(tmp_path / "resumed")
    assert [e.epoch for e in resumed.history_] == [1, 2, 3]
    assert (tmp_path / "resumed").read_bytes() == (tmp_path / "whole").read_bytes()


def test_a_finished_training_has_nothing_left_to_do(tmp_path: Path) -> None:
    first = Tagger(epochs=2).fit(X, Y, checkpoint=tmp_path / "c")
    again = Tagger(epochs=2).fit(X, Y, checkpoint=tmp_path / "c", resume=True)
    assert [e.record() for e in again.history_] == [e.record() for e in first.history_]
    assert again.predict(X[:3]) == first.predict(X[:3])


def test_a_checkpoint_of_other_training_is_refused_by_what_differs(tmp_path: Path) -> None:
    def said(X=X, Y=Y, dev=(X[:5], Y[:5]), **settings) -> str:
        with pytest.raises(SettingError) as caught:
            Tagger(**{"epochs": 1, "order": 1} | settings).fit(
                X, Y, dev=dev, checkpoint=tmp_path / "c", resume=True
            )
        return str(caught.value)

    Tagger(epochs=1, order=1).fit(X, Y, dev=(X[:5], Y[:5]), checkpoint=tmp_path / "c")
    begin, end = f"{tmp_path / 'c'}: ", "; use the same, or start again (--restart)"
    assert said(templates="ner") == (f"{begin}templates is ner, the checkpoint was made with auto{end}")
    assert "search is greedy, the checkpoint was made with auto, and seed is 3, the" in said(
        search="greedy", seed=3
    )
    assert "hidden is 2, the checkpoint was made with 1" in said(hidden=2)
    assert said(X[1:], Y[1:]) == f"{begin}the checkpoint was made with different training data{end}"
    assert said(dev=(X[:4], Y[:4])) == f"{begin}the checkpoint was made with different development data{end}"
    assert said(dev=None) == f"{begin}the checkpoint was made with different development data{end}"


@pytest.mark.parametrize("dev", [None, (X[:5], Y[:5])])
@pytest.mark.parametrize("settings", [{}, {"batch": 16}, {"shards": 3}])
def test_more_epochs_are_a_continuation(tmp_path: Path, settings: dict[str, int], dev) -> None:
    Tagger(epochs=5, **settings).fit(X, Y, dev=dev).save(tmp_path / "whole")
    Tagger(epochs=2, **settings).fit(X, Y, dev=dev, checkpoint=tmp_path / "c")
    Tagger(epochs=5, **settings).fit(X, Y, dev=dev, checkpoint=tmp_path / "c", resume=True).save(
        tmp_path / "extended"
    )
    assert (tmp_path / "extended").read_bytes() == (tmp_path / "whole").read_bytes()
    with pytest.raises(SettingError, match="5 epochs are done already; ask for 5 or more"):
        Tagger(epochs=3, **settings).fit(X, Y, dev=dev, checkpoint=tmp_path / "c", resume=True)


def test_training_goes_on_where_no_checkpoint_can_be_written(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    said: list[str] = []
    file = Checkpoint(tmp_path / "file" / "c", on_fault=said.append)
    tagger = Tagger(epochs=3).fit(X, Y, checkpoint=file)
    assert len(tagger.history_) == 3
    assert said == [
        f"{file.path}: there is no directory {tmp_path / 'file'}; training continues, but cannot be "
        "resumed from here"
    ]
    with pytest.warns(UserWarning, match="training continues, but cannot be resumed"):
        Tagger(epochs=1).fit(X, Y, checkpoint=tmp_path / "file" / "c")


def test_what_is_no_checkpoint_is_refused(tmp_path: Path) -> None:
    tagger = Tagger(epochs=1).fit(X, Y, checkpoint=tmp_path / "c")
    tagger.save(tmp_path / "model")
    with pytest.raises(ModelError, match="this is not a checkpoint"):
        Tagger(epochs=1).fit(X, Y, checkpoint=tmp_path / "model", resume=True)
    whole = (tmp_path / "c").read_bytes()
    (tmp_path / "c").write_bytes(whole[:-10])
    with pytest.raises(ModelError):
        Tagger(epochs=1).fit(X, Y, checkpoint=tmp_path / "c", resume=True)
    with pytest.raises(SettingError, match="minutes"):
        Checkpoint("c", minutes=0)


@pytest.mark.parametrize(
    ("header", "arrays", "said"),
    [
        ({"origin": []}, {}, "the checkpoint was made by another version"),
        ({"clock": -1}, {}, "-1 is not a number from 1 on"),
        ({"number": "2"}, {}, "'2' is not a number"),
        ({"number": 9}, {}, "what it says of its epochs does not fit together"),
        ({"history": []}, {}, "what it says of its epochs does not fit together"),
        ({"done": 7}, {}, "7 is not a number from 0"),
        ({"history": [{"epoch": 1}]}, {}, "its header is not as structron writes it"),
        ({"round": []}, {}, "its header is not as structron writes it"),
        ({"round": {"0": [1, 0.0]}}, {}, "its array 'shard.0.key' is missing"),
        ({"chance": {"bit_generator": "MT19937"}}, {}, "must be for a PCG64"),
        ({}, {"order": np.array([10**6], np.uint32)}, "its order is not one of these examples"),
        ({}, {"order": np.zeros(600, np.float32)}, "its array 'order' is missing or of the wrong kind"),
        ({}, {"counts": np.zeros(5, np.int64)}, "its counts are not valid"),
        ({}, {"action": np.zeros(1, np.uint16)}, "its weights do not fit together"),
        ({}, {"weight": np.nan}, "a weight is out of range"),
        ({}, {"past": np.inf}, "a weight is out of range"),
    ],
)
def test_a_damaged_checkpoint_is_told_in_words(tmp_path: Path, header: dict, arrays: dict, said: str) -> None:
    path = tmp_path / "c"
    Tagger(epochs=2, templates=["w[0]"]).fit(X, Y, checkpoint=path)
    kept, stored = read_archive(path)
    for name, values in arrays.items():
        arrays[name] = values if np.ndim(values) else np.full_like(stored[name], values)
    write_archive(path, kept | header, {name: np.array(array) for name, array in (stored | arrays).items()})
    with pytest.raises((ModelError, SettingError), match=said) as caught:
        Tagger(epochs=2, templates=["w[0]"]).fit(X, Y, checkpoint=path, resume=True)
    assert str(caught.value).startswith(f"{path}: ")


def test_a_checkpoint_without_its_best_model_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "c"
    Tagger(epochs=2, templates=["w[0]"]).fit(X, Y, checkpoint=path)
    header, arrays = read_archive(path)
    write_archive(path, header, {name: a for name, a in arrays.items() if not name.startswith("best.")})
    with pytest.raises(ModelError, match="what it says of its epochs does not fit together"):
        Tagger(epochs=2, templates=["w[0]"]).fit(X, Y, checkpoint=path, resume=True)


def test_a_checkpoint_of_an_older_version_is_gone_on_from(tmp_path: Path) -> None:
    """It has columns of sixteen bits, however small they are, and knows nothing of dense features."""
    path = tmp_path / "c"
    Tagger(epochs=2, seed=4).fit(X, Y, dev=(X[:5], Y[:5]), checkpoint=path)
    header, arrays = read_archive(path)
    assert arrays["action"].dtype == np.uint8
    older = {name: np.array(array) for name, array in arrays.items() if name != "best.dense"}
    older |= {name: older[name].astype(np.uint16) for name in ("action", "best.actions")}
    write_archive(path, header, older)
    resumed = Tagger(epochs=4, seed=4).fit(X, Y, dev=(X[:5], Y[:5]), checkpoint=path, resume=True)
    whole = Tagger(epochs=4, seed=4).fit(X, Y, dev=(X[:5], Y[:5]))
    for ours, theirs in zip(resumed.model_.rows, whole.model_.rows, strict=True):
        np.testing.assert_array_equal(ours, theirs)
