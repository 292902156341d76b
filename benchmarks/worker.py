"""One system on one task in a process of its own, which answers the commands of `run.py` line by line.

The process is the system's alone, so its peak memory and CPU time are the system's too.
"""

from __future__ import annotations

import gc
import json
import os
import resource
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TextIO

from corpora import TASKS, Split, Task, Tokens, attached, fresh, load, score
from systems import System, Unavailable, make

ENOUGH = 0.3  # CPU seconds of one timing; a shorter one is repeated until it has taken as long


def peak_mb() -> float:
    """Return the largest resident set of this process so far, in MB of 10^6 bytes."""
    unit = 1 if sys.platform == "darwin" else 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit / 1e6


@dataclass
class Worker:
    """The commands: `train` once, then `tag`, `decode` and `epochs` as often as asked."""

    system: System
    task: Task
    scratch: Path
    train_split: Split
    dev: Split | None
    test: Split
    path: Path = Path()

    def train(self) -> dict[str, Any]:
        """Train, save, load, and score; a system too slow for that twice is found as it was left."""
        kept = self.scratch / "trained.json"
        if not self.system.retrain and kept.is_file():
            answer: dict[str, Any] = json.loads(kept.read_text(encoding="utf-8"))
            self.path = self.scratch / answer.pop("path")
            self.reload()
            return answer
        answer = self.trained()
        where = os.path.relpath(self.path, self.scratch)
        kept.write_text(json.dumps(answer | {"path": where}), encoding="utf-8")
        return answer

    def trained(self) -> dict[str, Any]:
        begin = time.process_time()
        training = self.system.train(self.train_split, self.dev)
        total = time.process_time() - begin
        peak = peak_mb()
        path = self.system.save(self.scratch / "model")
        self.path = path
        loading = self.reload()
        guess = self.system.tag(fresh(self.test.inputs))
        best = training.best_epoch
        uas = {"uas": attached(self.test.gold, guess, labelled=False)} if self.task.metric == "LAS" else {}
        return {
            "score": score(self.task, self.test.gold, guess),
            **uas,
            "train_s": None if training.shared else total,
            "to_best_s": None if best is None else total - sum(training.epochs[best:]),
            "best_epoch": best,
            "epochs": training.count or len(training.epochs),
            "epoch_s": training.epochs,
            "rss_mb": peak,
            "model_mb": path.stat().st_size / 1e6,
            "load_s": loading,
        }

    def reload(self) -> float:
        """Load the model file anew and return the CPU seconds until it is ready, one sentence included."""
        begin = time.process_time()
        self.system.load(self.path)
        self.system.tag(self.train_split.inputs[:1])  # an engine may be built at its first use
        return time.process_time() - begin

    def tag(self) -> dict[str, Any]:
        """Return speed on text never seen before: at once, and after a long text for systems that keep words.

        A system that keeps what it computed for a word would otherwise know the whole test set by the second
        timing, which no user's text is like.
        """

        def at_once() -> Tokens:
            self.reload()
            return fresh(self.test.inputs)

        def after_long_text() -> Tokens:
            self.reload()
            self.system.tag(fresh(self.train_split.inputs))
            return fresh(self.test.inputs)

        first = self.rate(at_once, self.system.tag)
        later = self.rate(after_long_text, self.system.tag) if self.system.remembers else first
        return {"tok_s": first, "later_tok_s": later}

    def decode(self) -> dict[str, Any]:
        prepared = self.system.prepare(fresh(self.test.inputs))
        if prepared is None:
            return {"tok_s": None}
        return {"tok_s": self.rate(lambda: prepared, self.system.decode)}

    def epochs(self) -> dict[str, Any]:
        if not self.system.retrain:
            return {"epoch_s": []}
        # A second system learns, so that the trained one keeps the model it tags with.
        other = make(self.system.name, self.task, self.scratch)
        return {"epoch_s": other.train(self.train_split, None, other.retrain).epochs}

    def rate(self, supply: Callable[[], Any], work: Callable[[Any], Any]) -> float:
        """Return tokens of the test set per CPU second of `work`, or per second of the clock it keeps itself.

        What `supply` does is not timed.
        """
        spent, times = 0.0, 0
        while spent < ENOUGH:
            inputs = supply()
            begin = time.process_time()
            own = work(inputs)
            spent += own if isinstance(own, float) else time.process_time() - begin
            times += 1
        return self.test.tokens * times / spent


def commands() -> Iterator[str]:
    for line in sys.stdin:
        yield line.strip()


def say(out: TextIO, **answer: Any) -> None:
    out.write(json.dumps(answer) + "\n")
    out.flush()


def main() -> None:
    name, task_name, scratch, limit = sys.argv[1], sys.argv[2], Path(sys.argv[3]), int(sys.argv[4]) or None
    # Peers may print: the answers get the real standard output, everybody else the error stream.
    out = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    task = TASKS[task_name]
    try:
        system = make(name, task, scratch)
    except Unavailable as reason:
        say(out, unavailable=str(reason))
        return
    train, dev = load(task, "train", limit), load(task, "dev", limit)
    test = load(task, "test", limit)
    assert train is not None and test is not None
    worker = Worker(system, task, scratch, train, dev, test)
    gc.collect()
    gc.freeze()  # the corpus is not the system's garbage to look through
    say(
        out,
        version=system.version,
        settings=system.settings,
        start_mb=peak_mb(),
        train_tokens=train.tokens,
        test_tokens=test.tokens,
    )
    for command in commands():
        try:
            say(out, **getattr(worker, command)())
        except Exception as error:  # the other systems go on without this one
            say(out, error=f"{command}: {type(error).__name__}: {error}")
            raise


if __name__ == "__main__":
    main()
