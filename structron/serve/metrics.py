"""Metrics in the text format of Prometheus (version 0.0.4), without a dependency."""

from __future__ import annotations

import resource
import sys
import time
from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from itertools import accumulate
from pathlib import Path

CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8"
SECONDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0)
SIZES = (1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024)

Labels = tuple[tuple[str, str], ...]


class Histogram:
    """Counts of values up to each bound."""

    def __init__(self, bounds: Sequence[float]) -> None:
        self.bounds, self.counts, self.total = bounds, [0] * (len(bounds) + 1), 0.0

    def add(self, value: float) -> None:
        """Count one."""
        self.counts[bisect_left(self.bounds, value)] += 1
        self.total += value

    def lines(self, name: str, labels: Labels = ()) -> Iterator[str]:
        """Yield the lines that Prometheus reads; counts are cumulative."""
        reached = list(accumulate(self.counts))
        for bound, count in zip((*map(_number, self.bounds), "+Inf"), reached):
            yield f"{name}_bucket{_labels((*labels, ('le', bound)))} {count}"
        yield f"{name}_sum{_labels(labels)} {_number(self.total)}"
        yield f"{name}_count{_labels(labels)} {reached[-1]}"


class Metrics:
    """All counts of a server. Labels come from our own tables, so that no client can make them grow.

    Used in the event loop alone, so that there is nothing to lock.
    """

    def __init__(self) -> None:
        self.began = time.time()
        self.requests: Counter[Labels] = Counter()
        self.inputs: Counter[Labels] = Counter()
        self.refusals: Counter[Labels] = Counter()
        self.reloads: Counter[Labels] = Counter()
        self.latency: dict[str, Histogram] = {}
        self.batches, self.decoding = Histogram(SIZES), Histogram(SECONDS)
        self.gauges: dict[str, tuple[str, Callable[[], float]]] = {}

    def request(self, route: str, status: int, seconds: float) -> None:
        """Count a request that is over."""
        self.requests[("route", route), ("status", str(status))] += 1
        self.latency.setdefault(route, Histogram(SECONDS)).add(seconds)

    def answered(self, model: str, inputs: int) -> None:
        """Count inputs that were answered."""
        self.inputs[(("model", model),)] += inputs

    def refused(self, reason: str) -> None:
        """Count a request refused for want of room or time."""
        self.refusals[(("reason", reason),)] += 1

    def reloaded(self, *, well: bool) -> None:
        """Count a model that was read again, or could not be."""
        self.reloads[(("result", "ok" if well else "failed"),)] += 1

    def batch(self, inputs: int, seconds: float) -> None:
        """Count a batch of the engine."""
        self.batches.add(inputs)
        self.decoding.add(seconds)

    def text(self) -> str:
        """Return the whole page."""
        return "\n".join([*self._lines(), ""])

    def _lines(self) -> Iterator[str]:
        counters = (
            ("structron_requests_total", "Requests by route and status.", self.requests),
            ("structron_inputs_total", "Inputs answered, by model.", self.inputs),
            ("structron_refused_total", "Requests refused for want of room or time.", self.refusals),
            ("structron_reloads_total", "Models read again.", self.reloads),
        )
        for name, help, counts in counters:
            yield from _head(name, help, "counter")
            for labels, count in sorted(counts.items()):
                yield f"{name}{_labels(labels)} {count}"
        yield from _head("structron_request_seconds", "Time from request to answer, by route.", "histogram")
        for route, histogram in sorted(self.latency.items()):
            yield from histogram.lines("structron_request_seconds", (("route", route),))
        yield from _head("structron_batch_inputs", "Inputs in one call of the engine.", "histogram")
        yield from self.batches.lines("structron_batch_inputs")
        yield from _head("structron_batch_seconds", "Time of one call of the engine.", "histogram")
        yield from self.decoding.lines("structron_batch_seconds")
        for name, (help, read) in self.gauges.items():
            yield from _head(name, help, "gauge")
            yield f"{name} {_number(read())}"
        yield from _process(self.began)


def _process(began: float) -> Iterator[str]:
    """Yield the usual metrics of a process in Prometheus."""
    used = resource.getrusage(resource.RUSAGE_SELF)
    yield from _head("process_cpu_seconds_total", "CPU time, of user and system.", "counter")
    yield f"process_cpu_seconds_total {_number(used.ru_utime + used.ru_stime)}"
    yield from _head("process_resident_memory_bytes", "Memory in use.", "gauge")
    yield f"process_resident_memory_bytes {_resident(used.ru_maxrss)}"
    yield from _head("process_start_time_seconds", "When the process began.", "gauge")
    yield f"process_start_time_seconds {_number(began)}"


def _resident(most: int) -> int:
    """Return the memory in use on Linux, and the most there was elsewhere."""
    try:
        pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    except (OSError, ValueError, IndexError):
        return most * (1 if sys.platform == "darwin" else 1024)
    return pages * resource.getpagesize()


def _head(name: str, help: str, kind: str) -> Iterator[str]:
    yield f"# HELP {name} {help}"
    yield f"# TYPE {name} {kind}"


def _labels(labels: Labels) -> str:
    if not labels:
        return ""
    return "{" + ",".join(f'{name}="{_escaped(value)}"' for name, value in labels) + "}"


def _escaped(value: str) -> str:
    return value.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")


def _number(value: float) -> str:
    return str(int(value)) if value == int(value) else repr(float(value))
