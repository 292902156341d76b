"""Streams that do not end well: nobody is left waiting, and the client is told why."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from typing import Any

import pytest

from structron.serve.batching import Batcher
from structron.serve.limits import Limits
from structron.serve.lines import LineByLine
from structron.serve.metrics import Metrics

pytest.importorskip("fastapi", reason="needs structron[serve]")


def line_by_line() -> LineByLine:
    model: Any = None  # the lines below are not even JSON
    return LineByLine(model, Batcher(Limits(), Metrics()), Metrics())


def test_a_reader_does_not_outlive_its_answers() -> None:
    async def endless() -> AsyncIterator[bytes]:
        while True:
            yield b"nonsense\n" * 500

    async def run() -> set[asyncio.Task[Any]]:
        answers = line_by_line().answers(endless())
        assert "error" in json.loads(await anext(answers))
        await asyncio.sleep(0)  # the reader fills its queue, and waits
        await asyncio.wait_for(answers.aclose(), 5)  # type: ignore[attr-defined]
        return asyncio.all_tasks() - {asyncio.current_task()}  # type: ignore[arg-type]

    assert not asyncio.run(run())


def test_a_stream_that_fails_says_so() -> None:
    async def failing() -> AsyncIterator[bytes]:
        yield b"nonsense\n"
        raise RuntimeError("a secret")

    async def run() -> list[bytes]:
        return [line async for line in line_by_line().answers(failing())]

    first, last = map(json.loads, asyncio.run(run()))
    assert first["status"] == 400
    assert last == {"error": "the server failed on this stream; please report it", "status": 500}
