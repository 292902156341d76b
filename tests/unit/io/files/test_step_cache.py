"""Steps that are kept in a file are found again, for the same work and for no other."""

from __future__ import annotations

import numpy as np
import pytest

from structron.errors import ModelError
from structron.io.files.step_cache import StepCache, cached_step, caching_in


def test_without_a_file_nothing_is_kept(tmp_path):
    step = cached_step("step", 1)
    step.keep({"a": 1}, {"b": np.arange(3)})
    assert not step.is_due and not cached_step("step", 1).header and not list(tmp_path.iterdir())


def test_a_step_is_known_by_all_that_it_is_made_of(tmp_path):
    words, other = [["a", "b"]], [["ab"]]
    with caching_in(StepCache(tmp_path / "d", resume=False)):
        cached_step("step", words, np.arange(3)).keep({"a": 1}, {"b": np.arange(3.0)})
    with caching_in(StepCache(tmp_path / "d", resume=True)):
        known = cached_step("step", words, np.arange(3))
        assert known.header == {"a": 1} and known.arrays["b"].tolist() == [0, 1, 2]
        for made_of in ((other, np.arange(3)), (words, np.arange(1, 4)), (words,), (words, np.arange(3), 0)):
            assert not cached_step("step", *made_of).header
        assert not cached_step("other", words, np.arange(3)).header
        with caching_in(None):  # as inside of another training, which has no file of its own
            assert cached_step("step", words, np.arange(3)).header
    with caching_in(StepCache(tmp_path / "d", resume=False)):
        assert not cached_step("step", words, np.arange(3)).header
    assert not list(tmp_path.iterdir())


def test_the_file_is_due_after_some_time(tmp_path):
    with caching_in(StepCache(tmp_path / "d", resume=False, minutes=1e-9)):
        assert cached_step("step").is_due
    with caching_in(StepCache(tmp_path / "d", resume=False, minutes=1e5)):
        assert not cached_step("step").is_due


def test_a_file_that_is_none_is_refused(tmp_path):
    (tmp_path / "d").write_bytes(b"nonsense")
    with pytest.raises(ModelError, match="d: "):
        StepCache(tmp_path / "d", resume=True)


def test_a_file_that_cannot_be_written_is_told_once(tmp_path):
    told = []
    with caching_in(StepCache(tmp_path / "none" / "d", resume=False, on_fault=told.append)):
        cached_step("step").keep({"a": 1}, {})
        cached_step("step", 2).keep({"a": 1}, {})
    assert len(told) == 1 and told[0].endswith("; the work continues, but cannot be resumed from here")
