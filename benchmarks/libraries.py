"""The cost of libraries that would replace a few lines of our own: figures of decision 49.

pip install prometheus_client lazy_loader
python -m benchmarks.libraries
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import timeit
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import Any

from structron.fit.schedules.thread_pool import ThreadPool
from structron.serve.json_forms import Sentence
from structron.serve.metrics import Metrics


def micros(work: Callable[[], object], times: int) -> float:
    """Return the microseconds of one call, the median of five."""
    return median(timeit.repeat(work, number=times, repeat=5)) / times * 1e6


def seconds_to_start(code: str) -> float:
    """Return the seconds of a Python that runs this and ends, the median of eleven."""
    command = [sys.executable, "-c", code]
    return median(timeit.repeat(lambda: subprocess.run(command, check=True), number=1, repeat=11))


def metrics() -> None:
    """Count a request and write the page: ours, and `prometheus_client`."""
    from prometheus_client import CollectorRegistry, Counter, Histogram, generate_latest

    from structron.serve.metrics import SECONDS

    registry = CollectorRegistry()
    requests = Counter("structron_requests", "Requests.", ["route", "status"], registry=registry)
    latency = Histogram("structron_request_seconds", "Time.", ["route"], buckets=SECONDS, registry=registry)
    own = Metrics()

    def theirs() -> None:
        requests.labels("/predict", "200").inc()
        latency.labels("/predict").observe(0.003)

    print(f"metrics, a request: ours {micros(lambda: own.request('/predict', 200, 0.003), 20_000):.2f} us, "
          f"prometheus_client {micros(theirs, 20_000):.2f} us")  # fmt: skip
    print(f"metrics, the page: ours {micros(own.text, 200):.0f} us, "
          f"prometheus_client {micros(lambda: generate_latest(registry), 200):.0f} us")  # fmt: skip
    ours = seconds_to_start("import structron.serve.metrics")
    theirs_too = seconds_to_start("import structron.serve.metrics, prometheus_client")
    print(f"metrics, start: ours {1e3 * ours:.0f} ms, with prometheus_client {1e3 * theirs_too:.0f} ms")


def requests() -> None:
    """Check a request of a thousand sentences: ours, and a model of pydantic."""
    from pydantic import BaseModel, ConfigDict, ValidationError

    class Columns(BaseModel):
        model_config = ConfigDict(extra="forbid", strict=True)
        words: list[str]
        tags: list[str] | None = None

    class Body(BaseModel):
        model_config = ConfigDict(extra="forbid", strict=True)
        inputs: list[str | list[str] | list[list[str]] | Columns]
        model: str | None = None
        kbest: int | None = None

    body = json.dumps({"inputs": ["the dogs bark at the old man ."] * 500 + [["the", "dogs"] * 5] * 500})
    form = Sentence()

    def ours() -> None:
        for i, value in enumerate(json.loads(body)["inputs"]):
            form.read(None, value, f"inputs[{i}]")

    print(f"requests, a thousand inputs: ours {micros(ours, 20):.0f} us, "
          f"pydantic {micros(lambda: Body.model_validate_json(body), 20):.0f} us")  # fmt: skip
    try:
        Body.model_validate({"inputs": ["fine", ["a", 3]]})
    except ValidationError as error:
        print(f"requests, what pydantic says of one number among words: {error.error_count()} errors, "
              f"of which the first: {error.errors()[0]['msg']}")  # fmt: skip
    try:
        form.read(None, ["a", 3], "inputs[1]")
    except Exception as error:
        print(f"requests, what ours says: {error}")


def threads() -> None:
    """Run a thousand small jobs, and start more threads than the system does."""

    def work(pool: Any) -> None:
        list(pool.map(abs, range(1000)))

    with ThreadPool(4) as ours, ThreadPoolExecutor(4) as theirs:
        print(f"threads, a thousand jobs: ours {micros(lambda: work(ours), 5):.0f} us, "
              f"ThreadPoolExecutor {micros(lambda: work(theirs), 5):.0f} us")  # fmt: skip
    code = """
import threading
{0}
usual = threading.Thread.start
count = [0]
def start(self):
    count[0] += 1
    if count[0] > 2: raise RuntimeError("can't start new thread")
    usual(self)
threading.Thread.start = start
with Pool(8) as pool:
    print(sum(pool.map(abs, range(8))))
"""
    for name, line in (
        ("ours", "from structron.fit.schedules.thread_pool import ThreadPool as Pool"),
        ("ThreadPoolExecutor", "from concurrent.futures import ThreadPoolExecutor as Pool"),
    ):
        done = subprocess.run([sys.executable, "-c", code.format(line)], capture_output=True, text=True)
        said = (done.stdout + done.stderr).strip().splitlines()[-1]
        print(f"threads, where two of eight can be started: {name}: {said}")


def names() -> None:
    """Start with names that are imported on first use, and import a file that has the name it offers."""
    place = Path(__file__).parents[1] / "structron" / "lazy.py"
    ours = (
        f"import importlib.util as u; s = u.spec_from_file_location('lazy', {str(place)!r}); "
        "s.loader.exec_module(u.module_from_spec(s))"
    )
    both = "import typing, collections.abc, importlib.util; "  # what structron imports anyway
    for name, code in (("neither", ""), ("ours", ours), ("lazy_loader", "import lazy_loader")):
        print(f"names, start: {name} {1e3 * seconds_to_start(both + code):.1f} ms")
    with TemporaryDirectory() as folder:
        package = Path(folder) / "package"
        package.mkdir()
        (package / "accuracy.py").write_text("def accuracy(): return 1\n")
        told = "import package.accuracy; from package import accuracy; print(type(accuracy).__name__)"
        for name, code in (
            ("ours", "from typing import TYPE_CHECKING\nfrom structron.lazy import on_first_use\n"
             "if TYPE_CHECKING: from package.accuracy import accuracy\non_first_use(__name__)\n"),
            ("lazy_loader", "import lazy_loader\n__getattr__, __dir__, __all__ = "
             "lazy_loader.attach(__name__, submod_attrs={'accuracy': ['accuracy']})\n"),
        ):  # fmt: skip
            (package / "__init__.py").write_text(code)
            paths = os.pathsep.join((folder, str(place.parents[1]), os.environ.get("PYTHONPATH", "")))
            done = subprocess.run(
                [sys.executable, "-c", told], env={**os.environ, "PYTHONPATH": paths},
                capture_output=True, text=True, check=True,
            )  # fmt: skip
            print(f"names, after the file was imported: {name}: the package offers the {done.stdout.strip()}")


if __name__ == "__main__":
    metrics()
    requests()
    threads()
    names()
