"""A tagger whose labels own hidden sub-labels: same shape, files, schedules and rules as any other."""

from __future__ import annotations

from pathlib import Path

import click
import numpy as np
import pytest

from structron import SettingError, Tagger
from structron.io.model_file.archive import read_archive
from structron.io.values.labels import illegal
from structron.tasks.tagging.showing import page
from tests.unit.estimators.corpora import spans, treebank

X, Y = treebank(40)


def test_it_comes_back_from_its_file(tmp_path: Path) -> None:
    tagger = Tagger(hidden=2, epochs=2, dictionary=2).fit(X, Y)
    tagger.save(tmp_path / "m")
    again = Tagger.load(tmp_path / "m")
    assert again.hidden == 2 and again.model_.task.hidden == 2
    assert again.labels_ == tagger.labels_ == sorted({tag for y in Y for tag in y})
    assert again.predict(X) == tagger.predict(X)
    assert again.predict_kbest(X[:5], 3) == tagger.predict_kbest(X[:5], 3)
    again.save(tmp_path / "n")
    assert (tmp_path / "m").read_bytes() == (tmp_path / "n").read_bytes()


def test_one_sub_label_leaves_no_trace_in_the_file(tmp_path: Path) -> None:
    for name, tagger in {"plain": Tagger(epochs=1), "one": Tagger(epochs=1, hidden=1)}.items():
        tagger.fit(X, Y).save(tmp_path / name)
    assert (tmp_path / "plain").read_bytes() == (tmp_path / "one").read_bytes()
    header, _ = read_archive(tmp_path / "one")
    assert "hidden" not in header and "hidden" not in header["about"]["recipe"]


@pytest.mark.parametrize("choices", [{"batch": 6}, {"shards": 3}, {"shards": 2, "batch": 3}], ids=str)
def test_threads_change_no_bit(choices: dict[str, int]) -> None:
    rows = []
    for threads in (1, 3):
        tagger = Tagger(hidden=3, epochs=2, **choices)  # type: ignore[arg-type]
        tagger.threads = threads
        rows.append(tagger.fit(X, Y).model_.rows)
    for one, other in zip(*rows):
        np.testing.assert_array_equal(one, other)


def test_it_learns_labels_as_well_as_a_plain_tagger_here() -> None:
    assert Tagger(hidden=2, epochs=5).fit(X, Y).score(X, Y) > 0.99


@pytest.mark.parametrize("search", ["greedy", "beam:3", "beam:3+merge", "exact"])
def test_illegal_sequences_never_come_out(search: str) -> None:
    C, Z = spans(20)
    tagger = Tagger(hidden=2, epochs=1, order=1, search=search, seed=3).fit(C, Z)
    assert tagger.model_.task.scheme == "bio"
    strange = [[("zz", "??")] * n for n in (1, 2, 5)] + C
    assert all(illegal(y, "bio") is None for y in tagger.predict(strange))
    for found in tagger.predict_kbest(strange, 4):
        assert all(illegal(y, "bio") is None for y, _ in found)
        assert len({tuple(y) for y, _ in found}) == len(found)


def test_batches_go_on_from_what_was_learned(tmp_path: Path) -> None:
    tagger = Tagger(hidden=2).partial_fit(X[:20], Y[:20], labels=sorted({t for y in Y for t in y}))
    tagger.save(tmp_path / "m")
    assert tagger.partial_fit(X[20:], Y[20:]).model_.task.hidden == 2
    # A loaded model starts from its own weights and from nothing else.
    loaded = Tagger.load(tmp_path / "m")
    before = loaded.model_.rows
    loaded.partial_fit([["."]], [loaded.predict([["."]])[0]])
    assert set(before.keys.tolist()) <= set(loaded.model_.rows.keys.tolist())


def test_show_draws_sub_labels() -> None:
    tagger = Tagger(hidden=2, epochs=1, search="beam:2").fit(X, Y)
    drawn = "\n".join(click.unstyle(line) for line in page(tagger, X[0], [*Y[0][:-1], Y[1][0]]))
    label = tagger.labels_[0]
    assert "hidden " in drawn and tagger.model_.task.tags[:2] == [f"{label}:1", f"{label}:2"]
    assert any(f"{Y[0][0]}:{h}" in drawn for h in (1, 2))
    assert [line for line in drawn.splitlines() if line.startswith("gold ")]


def test_what_cannot_be_is_told() -> None:
    for hidden in (0, -1, 1.5, 100_000):
        with pytest.raises(SettingError, match="hidden"):
            Tagger(hidden=hidden).fit(X, Y)  # type: ignore[arg-type]


def test_mixed_assignments_are_of_the_best_sub_labels() -> None:
    tagger = Tagger(hidden=2, learner="swvp:single,wm,balanced", epochs=3).fit(X, Y)
    assert tagger.score(X, Y) > 0.5
