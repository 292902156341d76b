"""Many inputs inside one process; another process that starts it again where one of them ended it.

Everything about an input follows from the seed and its number. Before an input is tried its number is written
down, so that the parent knows which one ended the process; `--again NUMBER` makes it once more.
"""

from __future__ import annotations

import faulthandler
import json
import os
import random
import resource
import signal
import subprocess
import sys
import time
import traceback
import unicodedata
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Protocol

from structron.errors import StructronError

CPU_SECONDS = 20  # an input may take so much; with a sanitizer everything takes several times as long
WALL_SECONDS = 300
MOST_MEGABYTES = 256  # an input may make the process grow by so much
LONGEST_MESSAGE = 1000


class Wrong(Exception):
    """A law of messages was broken."""


class Campaign(Protocol):
    """What is tried."""

    def input(self, rng: random.Random) -> tuple[bytes, str, Any]:
        """An input: its bytes, the end of its file's name, and whatever else is chosen for it."""
        ...

    def attempt(self, path: Path, chosen: Any) -> str:
        """Try it, and say in a word what became of it."""
        ...


def generator(seed: int, number: int) -> random.Random:
    """The source of chance of one input."""
    return random.Random(seed * 2**40 + number)


def check_message(error: StructronError, place: str) -> None:
    """One sentence that names the place."""
    said = str(error)
    unfit = any(unicodedata.category(c) in ("Cc", "Cs", "Zl", "Zp") for c in said)
    if not said or unfit or len(said) > LONGEST_MESSAGE:
        raise Wrong(f"the message is not one plain sentence: {said[:300]!r}")
    if place not in said:
        raise Wrong(f"the message does not name {place}: {said[:300]!r}")


def work(campaign: Campaign, folder: Path, seed: int, first: int, last: int) -> None:
    """Try the inputs of these numbers; what is found is written to the folder."""
    faulthandler.enable()
    faulthandler.register(signal.SIGPROF, chain=True)
    faulthandler.register(signal.SIGALRM, chain=True)
    os.fsync = lambda descriptor: None  # nothing that is written here has to outlive the machine
    place = os.open(folder / "at", os.O_RDWR | os.O_CREAT)
    tally: Counter[str] = Counter()
    known: Counter[str] = Counter()
    for number in range(first, last):
        data, suffix, chosen = campaign.input(generator(seed, number))
        path = folder / f"input{suffix}"
        path.write_bytes(data)
        os.pwrite(place, b"%020d" % number, 0)
        signal.setitimer(signal.ITIMER_PROF, CPU_SECONDS)
        signal.setitimer(signal.ITIMER_REAL, WALL_SECONDS)
        before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        try:
            outcome = campaign.attempt(path, chosen)
        except Exception as error:
            outcome = "finding"
            _note(folder, known, number, _kind(error), traceback.format_exc())
        grown = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) / 1024
        if grown > MOST_MEGABYTES + 40 * len(data) / 2**20:
            outcome = "finding"
            _note(folder, known, number, "memory", f"grew by {grown:.0f} MB on {len(data)} bytes")
        tally[outcome] += 1
        path.unlink(missing_ok=True)
        if number % 500 == 499 or number + 1 == last:
            os.pwrite(place, json.dumps(tally).encode().ljust(400), 20)
    signal.setitimer(signal.ITIMER_PROF, 0)
    signal.setitimer(signal.ITIMER_REAL, 0)
    os.pwrite(place, b"%020d" % last, 0)


def _kind(error: Exception) -> str:
    """Which fault it is: the error and where it came from; of a wrong message, where that was raised."""
    if isinstance(error, Wrong) and isinstance(error.__context__, StructronError):
        return f"a message: {_kind(error.__context__)}"
    frames = traceback.extract_tb(error.__traceback__)
    own = [f for f in frames if f"structron{os.sep}" in f.filename] or frames
    return f"{type(error).__name__} in {Path(own[-1].filename).name}:{own[-1].name}"


def _note(folder: Path, known: Counter[str], number: int, kind: str, told: str) -> None:
    known[kind] += 1
    if known[kind] <= 3:
        with (folder / "findings.jsonl").open("a") as file:
            file.write(json.dumps({"number": number, "kind": kind, "told": told[-3000:]}) + "\n")


def drive(name: str, folder: Path, seed: int, count: int, only: Sequence[str] = ()) -> int:
    """Go on where the folder's last run stopped, for `count` inputs; the number of findings."""
    folder.mkdir(parents=True, exist_ok=True)
    state = folder / "state.json"
    reached = json.loads(state.read_text()) if state.exists() else {"seed": seed, "tried": 0, "outcomes": {}}
    if reached["seed"] != seed:
        raise SystemExit(f"{folder}: it holds a run of seed {reached['seed']}; give that, or another folder")
    first, last = reached["tried"], reached["tried"] + count
    outcomes = Counter(reached["outcomes"])
    findings, began, at = 0, time.monotonic(), first
    # What was freed is kept for a while to be watched: little of it, so that growth is seen.
    options = f"{os.environ.get('ASAN_OPTIONS', '')}:quarantine_size_mb=16:malloc_context_size=8"
    while at < last:
        (folder / "at").write_bytes(b"%020d" % at)
        with (folder / "stderr").open("wb") as stderr:
            command = [sys.executable, "-m", "tests.fuzz", name, "--work", str(at), str(last)]
            child = subprocess.Popen(
                [
                    *command,
                    "--folder",
                    str(folder),
                    "--seed",
                    str(seed),
                    *(["--only", *only] if only else []),
                ],
                stderr=stderr,
                env=os.environ | {"ASAN_OPTIONS": options},
            )
            while True:
                try:
                    ended = child.wait(10)
                    break
                except subprocess.TimeoutExpired:
                    now, tally = _progress(folder)
                    _say(name, now, outcomes + tally, (now - first) / (time.monotonic() - began))
        now, tally = _progress(folder)
        outcomes += tally
        at = now
        if ended != 0:
            findings += 1
            outcomes["crash"] += 1
            told = (folder / "stderr").read_text("utf-8", "replace")
            _note(folder, Counter(), now, f"the process ended with {ended}", told)
            at = now + 1
        state.write_text(json.dumps({"seed": seed, "tried": at, "outcomes": outcomes}))
    _say(name, at, outcomes, (at - first) / (time.monotonic() - began))
    return findings + outcomes["finding"] - reached["outcomes"].get("finding", 0)


def _progress(folder: Path) -> tuple[int, Counter[str]]:
    data = (folder / "at").read_bytes()
    return int(data[:20]), Counter(json.loads(data[20:].strip() or b"{}"))


def _say(name: str, tried: int, outcomes: Counter[str], rate: float) -> None:
    told = ", ".join(f"{count:,} {outcome}" for outcome, count in sorted(outcomes.items()))
    print(f"{time.strftime('%H:%M:%S')} {name}: {tried:,} tried, {rate:,.0f} a second: {told}", flush=True)


def again(campaign: Campaign, folder: Path, seed: int, number: int) -> None:
    """Make one input again, keep it, and try it."""
    data, suffix, chosen = campaign.input(generator(seed, number))
    path = folder / f"input-{number}{suffix}"
    path.write_bytes(data)
    print(f"{path}: {len(data)} bytes, {chosen}", flush=True)
    faulthandler.enable()
    print(campaign.attempt(path, chosen))
