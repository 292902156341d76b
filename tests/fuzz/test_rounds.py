"""A round of `make fuzz` tries all properties and nothing else."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests import conftest


def fixed() -> None:
    """Stands for a test without examples."""


@pytest.mark.parametrize("fuzzing", [True, False])
def test_a_round_is_for_what_new_examples_can_change(fuzzing: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("STRUCTRON_FUZZ", raising=False)
    if fuzzing:
        monkeypatch.setenv("STRUCTRON_FUZZ", "1")
    left_out: list[Any] = []
    hook = SimpleNamespace(pytest_deselected=lambda items: left_out.extend(items))
    both = [SimpleNamespace(obj=fixed), SimpleNamespace(obj=given(st.integers())(lambda number: None))]
    items: list[Any] = list(both)
    conftest.pytest_collection_modifyitems(SimpleNamespace(hook=hook), items)
    assert items == (both[1:] if fuzzing else both)
    assert left_out == (both[:1] if fuzzing else [])
