"""Compare structron with its peers: `python benchmarks/run.py`, or `make bench`.

Every system trains in a process of its own. Then all of them tag the test set in turn, round after round, so
that whatever else the machine does disturbs them alike; the medians are reported. All times are CPU times.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from statistics import median
from typing import Any

import report
from corpora import TASKS, USUAL, DataMissing, Task, check
from systems import SYSTEMS, takes

HERE = Path(__file__).resolve().parent
QUICK_SENTENCES = 1500
ONE_THREAD = {f"{name}_NUM_THREADS": "1" for name in ("OMP", "OPENBLAS", "MKL", "NUMEXPR", "RAYON")}


class Failed(Exception):
    """A system gave up; the message is one line."""


class Process:
    """A worker, seen from here: ask it, and it answers."""

    def __init__(self, system: str, task: Task, scratch: Path, limit: int) -> None:
        scratch.mkdir(parents=True, exist_ok=True)
        self.log = scratch / "log"
        with self.log.open("wb") as errors:
            self.child = subprocess.Popen(
                [sys.executable, str(HERE / "worker.py"), system, task.name, str(scratch), str(limit)],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=errors,
                text=True,
                env={**os.environ, **ONE_THREAD, "PYTHONHASHSEED": "0"},
            )
        self.about = self.answer()

    def ask(self, command: str) -> dict[str, Any]:
        assert self.child.stdin is not None
        try:
            self.child.stdin.write(command + "\n")
            self.child.stdin.flush()
        except BrokenPipeError:
            pass  # the answer below says what happened
        return self.answer()

    def answer(self) -> dict[str, Any]:
        assert self.child.stdout is not None
        line = self.child.stdout.readline()
        if not line:
            self.child.wait()
            last = self.log.read_text(encoding="utf-8", errors="replace").strip().splitlines()[-1:]
            raise Failed(f"ended with status {self.child.returncode}: {' '.join(last) or 'no message'}")
        answer: dict[str, Any] = json.loads(line)
        for kind in ("unavailable", "error"):
            if kind in answer:
                raise Failed(answer[kind])
        return answer

    def close(self) -> None:
        assert self.child.stdin is not None and self.child.stdout is not None
        self.child.stdin.close()
        self.child.wait()
        self.child.stdout.close()


def say(text: str) -> None:
    print(f"[{time.strftime('%H:%M:%S')}] {text}", file=sys.stderr, flush=True)


@contextmanager
def room(models: Path | None, task: Task) -> Iterator[Path]:
    """Yield a folder for the task's models: one that stays, if it was named."""
    if models is not None:
        yield models / task.name
    else:
        with tempfile.TemporaryDirectory(prefix="structron-bench-") as folder:
            yield Path(folder)


def run_task(
    task: Task, systems: list[str], repeats: int, limit: int, models: Path | None = None
) -> dict[str, Any]:
    """Train every system once, then time all of them round-robin."""
    running: dict[str, Process] = {}
    results: dict[str, dict[str, Any]] = {}
    skipped: dict[str, str] = {}
    tokens = {}

    def drop(name: str, reason: Failed) -> None:
        skipped[name] = str(reason)
        results.pop(name, None)
        running.pop(name, None)
        say(f"{task.name}: {name} left out: {reason}")

    with room(models, task) as folder:
        try:
            for name in systems:
                try:
                    process = Process(name, task, folder / name, limit)
                    running[name] = process
                    about = process.about
                    tokens = {key: about.pop(key) for key in ("train_tokens", "test_tokens")}
                    say(f"{task.name}: {name} trains")
                    results[name] = about | process.ask("train")
                    results[name] |= {"tag_tok_s": [], "later_tok_s": [], "decode_tok_s": []}
                    spent = results[name]["train_s"]
                    took = "trained before" if spent is None else f"{spent:.1f} s"
                    say(f"{task.name}: {name} {results[name]['score']:.2f}, {took}")
                except Failed as reason:
                    drop(name, reason)
            for turn in range(repeats):
                say(f"{task.name}: round {turn + 1} of {repeats}")
                for name in list(running):
                    try:
                        one_round(running[name], results[name])
                    except Failed as reason:
                        drop(name, reason)
        finally:
            for process in running.values():
                process.close()
    for result in results.values():
        for key in ("tag_tok_s", "later_tok_s", "decode_tok_s", "epoch_s"):
            result[key + "_all"] = result[key]
            result[key] = median(result[key]) if result[key] else None
    about_task = {"title": task.title, "metric": task.metric, **tokens}
    return about_task | {"systems": results, "skipped": skipped}


def one_round(process: Process, result: dict[str, Any]) -> None:
    tagged = process.ask("tag")
    result["tag_tok_s"].append(tagged["tok_s"])
    result["later_tok_s"].append(tagged["later_tok_s"])
    decoded = process.ask("decode")["tok_s"]
    if decoded is not None:
        result["decode_tok_s"].append(decoded)
    result["epoch_s"] += process.ask("epochs")["epoch_s"]


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Compare structron with its peers.")
    parser.add_argument(
        "--tasks", nargs="+", choices=TASKS, default=list(USUAL), help=f"default: {' '.join(USUAL)}"
    )
    parser.add_argument("--systems", nargs="+", choices=SYSTEMS, default=list(SYSTEMS), help="default: all")
    parser.add_argument("--repeats", type=int, default=5, help="rounds of the repeated timings (default 5)")
    parser.add_argument(
        "--quick", action="store_true", help=f"the first {QUICK_SENTENCES} sentences of each file, 2 rounds"
    )
    parser.add_argument("--reference", choices=SYSTEMS, default="structron", help="whom the ratios refer to")
    parser.add_argument(
        "--out", type=Path, help="write OUT.json and OUT.md (default: benchmarks/results/bench, or quick)"
    )
    parser.add_argument(
        "--models",
        type=Path,
        help="keep the trained models in this folder; peers too slow to train twice (UDPipe, spaCy) are not "
        "trained again when they are there",
    )
    return parser.parse_args()


def main() -> int:
    args = arguments()
    if args.quick:
        args.repeats = min(args.repeats, 2)
    tasks = [TASKS[name] for name in args.tasks]
    try:
        check(tasks)
    except DataMissing as message:
        print(message, file=sys.stderr)
        return 2
    results: dict[str, Any] = {"about": report.about(args.repeats, args.quick), "tasks": {}}
    out = args.out or HERE / "results" / ("quick" if args.quick else "bench")
    for task in tasks:
        results["tasks"][task.name] = run_task(
            task,
            [name for name in args.systems if takes(name, task)],
            args.repeats,
            QUICK_SENTENCES if args.quick else 0,
            args.models,
        )
        # Written after every task: a run that is broken off keeps what it had.
        report.write(results, out, args.reference)
    print(report.markdown(results, args.reference))
    return 0


if __name__ == "__main__":
    sys.exit(main())
