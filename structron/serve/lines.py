"""A stream of JSON lines: read no faster than it is answered, and answered in order."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from typing import Any

from structron.serve.batching import Batcher, Job
from structron.serve.json_forms import Json
from structron.serve.metrics import Metrics
from structron.serve.refusals import FAILED, TOO_LARGE, Refused
from structron.serve.registry import Loaded
from structron.serve.requests import check_kbest, fields_of, parsed, read

WINDOW = 256  # lines on their way through the engine

Step = Job | Refused | None  # None: the end


async def lines_of(chunks: AsyncIterator[bytes], longest: int) -> AsyncIterator[bytes]:
    """Yield the lines of a body as they come; a line that is too long ends it."""
    rest = b""
    async for chunk in chunks:
        *whole, rest = (rest + chunk).split(b"\n")
        for line in whole:
            yield line
        if len(rest) > longest:
            raise Refused(TOO_LARGE, f"a line has more than {longest:,} bytes; cut it into pieces")
    if rest:
        yield rest


class LineByLine:
    """Answers to a stream, a line for each line: ``{"output": ...}`` or ``{"error": ...}``.

    A bad line is answered by what is wrong with it, and the stream goes on. Empty lines are passed over.
    """

    def __init__(self, model: Loaded, batcher: Batcher, metrics: Metrics) -> None:
        self.model, self.batcher, self.metrics = model, batcher, metrics
        self._steps: asyncio.Queue[Step] = asyncio.Queue(WINDOW)

    async def answers(self, chunks: AsyncIterator[bytes]) -> AsyncIterator[bytes]:
        """Yield the lines of the answer."""
        reader = asyncio.create_task(self._read(chunks))
        try:
            while (step := await self._steps.get()) is not None:
                yield await self._line(step)
        finally:
            reader.cancel()  # the client is gone, or all is said
            await asyncio.gather(reader, return_exceptions=True)

    async def _read(self, chunks: AsyncIterator[bytes]) -> None:
        number = 0
        try:
            async for line in lines_of(chunks, self.batcher.limits.body):
                number += 1
                if line.strip():
                    await self.batcher.room()
                    await self._steps.put(self._step(line, f"line {number}"))
        except Refused as refused:
            await self._steps.put(refused)
        except Exception:
            await self._steps.put(Refused(FAILED, "the server failed on this stream; please report it"))
        # Not where it is cancelled: nobody takes steps any more, and a full queue would never have room.
        await self._steps.put(None)

    def _step(self, line: bytes, where: str) -> Step:
        try:
            value, kbest = parsed(line, where), None
            if isinstance(value, dict) and "input" in value:
                fields = fields_of(value, ("input", "kbest"))
                value, kbest = fields["input"], fields.get("kbest")
            limits = self.batcher.limits
            x: Any = read(self.model, value, where, limits)
            return self.batcher.submit(self.model, [x], check_kbest(self.model, kbest, limits))
        except Refused as refused:
            return refused

    async def _line(self, step: Job | Refused) -> bytes:
        said: Json
        try:
            if isinstance(step, Refused):
                raise step
            (output,) = await self.batcher.answered(step)
            self.metrics.answered(self.model.name, 1)
            warning = self.model.form.warning(self.model.estimator, step.inputs)
            said = {"output": output} | warning
        except Refused as refused:
            said = refused.body | {"status": refused.status}
        return json.dumps(said, ensure_ascii=False).encode() + b"\n"
