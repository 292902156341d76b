"""What the load generator counts, and that it has no more under way than it can open."""

from __future__ import annotations

import asyncio

import pytest

from benchmarks import serving

ANSWER = b"HTTP/1.1 %d X\r\nContent-Length: 2\r\n\r\nok"


class Peer:
    """A server that takes its time, and counts."""

    def __init__(self, seconds: float, statuses: list[int]) -> None:
        self.seconds, self.statuses = seconds, statuses
        self.asked = self.under_way = self.most = 0

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.under_way += 1
        self.most = max(self.most, self.under_way)
        try:
            while True:
                await reader.readuntil(b"{}")
                status = self.statuses[self.asked % len(self.statuses)]
                self.asked += 1
                await asyncio.sleep(self.seconds)
                if status == 0:
                    break
                writer.write(ANSWER % status)
        except (asyncio.IncompleteReadError, OSError):
            pass
        self.under_way -= 1
        writer.close()

    async def loaded(self, rate: float, seconds: float) -> dict[str, object]:
        server = await asyncio.start_server(self.serve, "127.0.0.1", 0)
        port = server.sockets[0].getsockname()[1]
        found = await serving.open_loop(port, [b"{}"], rate, seconds)
        server.close()
        return found


def test_what_cannot_be_sent_is_no_request_that_was_lost(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(serving, "MOST", 20)
    monkeypatch.setattr(serving, "LATE", 0.1)
    peer = Peer(0.1, [200])
    found = asyncio.run(peer.loaded(2000, 0.5))  # 20 at a time, each a tenth of a second: 200 a second
    assert peer.most <= 20
    assert found["unanswered"] == 0
    assert found["never_sent"] > 500
    assert 850 < peer.asked + found["never_sent"] < 1150  # 1,000 were due, with a deviation of 32


def test_each_end_of_a_request_is_counted() -> None:
    peer = Peer(0.0, [200, 503, 504, 400])
    found = asyncio.run(peer.loaded(200, 1.0))
    answered = peer.asked - found["refused_503"] - found["late_504"] - found["others"]["400"]
    assert found["refused_503"] == found["late_504"] + (peer.asked % 4 == 2) > 0
    assert answered == (peer.asked + 3) // 4
    assert found["unanswered"] == found["never_sent"] == 0


def test_a_connection_that_breaks_is_a_request_that_was_lost() -> None:
    peer = Peer(0.0, [0])
    found = asyncio.run(peer.loaded(100, 0.5))
    assert found["unanswered"] == sum(found["lost_by"].values()) > 0
