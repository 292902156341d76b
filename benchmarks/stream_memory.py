"""Memory of `structron predict` on a long stream: `python benchmarks/stream_memory.py MODEL TEXT [TOKENS…]`

TEXT, plain or compressed, goes through a pipe again and again until so many words have passed; the peak of
the process is read from the system each time, and so is the time until the first paragraph is answered.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import IO

from structron.io.files import streams

PIECE = 1 << 16


def measure(model: str, text: bytes, words: int) -> dict[str, float]:
    """Return peak memory in MB, seconds, and how many bytes came out, for so many words."""
    child = subprocess.Popen(
        [sys.executable, "-m", "structron", "predict", model],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    )
    assert child.stdin is not None and child.stdout is not None
    begin = time.monotonic()
    feeder = threading.Thread(target=feed, args=(child.stdin, text, words))
    feeder.start()
    peak, first, out = 0.0, 0.0, 0
    while piece := child.stdout.read1(PIECE):  # type: ignore[attr-defined]
        first = first or time.monotonic() - begin
        out += len(piece)
        if out % 50 == 0 or out < 10 * PIECE:
            peak = max(peak, peak_of(child.pid))
    feeder.join()
    if status := child.wait():
        raise SystemExit(f"predict ended with {status} after {out} bytes")
    return {
        "words": words,
        "peak_mb": peak,
        "seconds": time.monotonic() - begin,
        "first_s": first,
        "bytes": out,
    }


def feed(pipe: IO[bytes], text: bytes, words: int) -> None:
    """Write the text until so many words have passed."""
    each = len(text.split())
    with pipe:
        while words > 0:
            pipe.write(text[: len(text) * min(words, each) // each])
            pipe.write(b"\n\n")
            words -= each


def peak_of(process: int) -> float:
    """Return the most memory a process has had, in MB."""
    status = Path(f"/proc/{process}/status").read_text()
    return next(int(line.split()[1]) / 1000 for line in status.splitlines() if line.startswith("VmHWM"))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("model")
    parser.add_argument("text", type=Path)
    parser.add_argument("tokens", type=int, nargs="*", default=[10**6, 10**7])
    options = parser.parse_args()
    with streams.reading(options.text) as lines:
        text = "\n".join(lines).encode()
    for words in options.tokens:
        print(json.dumps(measure(options.model, text, words)), flush=True)


if __name__ == "__main__":
    main()
