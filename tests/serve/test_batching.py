"""Requests in batches: who is to blame is refused alone, who is gone or late dropped, and nothing is lost."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Any

import pytest

from structron.errors import DataError
from structron.serve.batching import Batcher
from structron.serve.limits import Limits
from structron.serve.metrics import Metrics
from structron.serve.refusals import Refused


class Doubling:
    """A model that doubles numbers, refuses those below 0, and fails on 13."""

    def __init__(self) -> None:
        self.batches: list[list[int]] = []
        self.form, self.estimator = self, None

    def answers(self, estimator: None, xs: Sequence[int], limits: Limits) -> list[int]:
        self.batches.append(list(xs))
        if min(xs) < 0:
            raise DataError("sentence 1: below 0; fix it")
        if 13 in xs:
            raise RuntimeError("a secret")
        return [2 * x for x in xs]

    def kbest(self, estimator: None, xs: Sequence[int], k: int) -> list[list[int]]:
        return [[2 * x] * k for x in xs]


def batched(work: Any, **settings: Any) -> Any:
    """Run a coroutine function with a batcher that works."""

    async def run() -> Any:
        limits = Limits(**{"seconds": 20.0} | settings)
        batcher = Batcher(limits, Metrics(), threads=2, linger=0.02)
        batcher.start()
        try:
            return await work(batcher)
        finally:
            await batcher.stop()

    return asyncio.run(run())


def test_one_batch_for_all_and_a_refusal_for_who_is_to_blame() -> None:
    model: Any = Doubling()

    async def work(batcher: Batcher) -> Any:
        jobs = [batcher.submit(model, xs, None) for xs in ([1, 2], [], [-1], [3], [13], [4])]
        more = batcher.submit(model, [5], 2)
        assert batcher.waiting == 8  # an empty request takes a place, too
        found = await asyncio.gather(*map(batcher.answered, [*jobs, more]), return_exceptions=True)
        assert batcher.waiting == 0
        return found

    first, empty, below, third, failed, last, more = batched(work)
    assert (first, empty, third, last, more) == ([2, 4], [], [6], [8], [[10, 10]])
    assert (below.status, str(below)) == (422, "sentence 1: below 0; fix it")
    assert failed.status == 500 and "secret" not in str(failed)
    assert model.batches[0] == [1, 2, -1, 3, 13, 4]


def test_who_is_gone_or_late_is_not_decoded() -> None:
    model: Any = Doubling()

    async def work(batcher: Batcher) -> None:
        gone, stays = batcher.submit(model, [1], None), batcher.submit(model, [2], None)
        gone.answer.cancel()
        assert await batcher.answered(stays) == [4] and model.batches == [[2]]
        late = batcher.submit(model, [3], None)
        late.late = asyncio.get_running_loop().time()
        with pytest.raises(Refused, match="no answer within 20 seconds") as refused:
            await batcher.answered(late)
        assert refused.value.status == 504 and refused.value.retry_after == 1
        await asyncio.sleep(0.1)
        assert model.batches == [[2]] and batcher.waiting == 0

    batched(work)


def test_a_full_queue_refuses_or_lets_wait_and_the_end_leaves_nobody_waiting() -> None:
    model: Any = Doubling()

    async def work(batcher: Batcher) -> Any:
        first = batcher.submit(model, [1, 2, 3], None)
        with pytest.raises(Refused, match="the queue is full") as refused:
            batcher.submit(model, [4, 5], None)
        assert refused.value.headers == {"Retry-After": "1"}
        with pytest.raises(Refused, match="more than can ever wait"):
            batcher.submit(model, [0] * 5, None)
        await batcher.room(2)  # until the first are taken
        second = batcher.submit(model, [4, 5], None)
        assert await batcher.answered(first) == [2, 4, 6] and await batcher.answered(second) == [8, 10]
        return batcher.submit(model, [6], None)

    left = batched(work, queue=4)
    assert left.is_over and isinstance(left.answer.exception(), Refused)
