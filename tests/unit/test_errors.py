"""A message is one line of reasonable length, whatever values of a file it quotes."""

from __future__ import annotations

import pickle

import pytest

from structron.errors import ClusterError, DataError, ModelError, SettingError, StructronError, TaskError

KINDS = [StructronError, DataError, ModelError, SettingError, TaskError, ClusterError]


@pytest.mark.parametrize("kind", KINDS)
def test_what_is_quoted_cannot_break_the_line_or_command_the_terminal(kind: type[StructronError]) -> None:
    said = str(kind("f:1: 'a\nb\r\x1b[2J\x00\u2028\ud800é' is no tag; fix it"))
    assert said == "f:1: 'a\\nb\\r\\x1b[2J\\x00\\u2028\\ud800é' is no tag; fix it"


def test_a_long_value_leaves_the_place_and_the_advice() -> None:
    said = str(DataError(f"f:1: {'x' * 10**6!r} is no tag; fix it"))
    assert len(said) < 1000
    assert said.startswith("f:1: 'xxx") and said.endswith("xxx' is no tag; fix it") and " … " in said


def test_an_error_travels_between_processes_as_it_is() -> None:
    error = SettingError("beam 0 is no beam; use 1")
    assert str(pickle.loads(pickle.dumps(error))) == str(error)
