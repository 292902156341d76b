"""How time and memory grow with the data: one epoch of tagging on so many copies of the Brown corpus.

`python benchmarks/scale.py [1 3 10]` prints a line of JSON for each number of copies, measured in a process
of its own: CPU seconds of packing and of an epoch, and the greatest resident memory.
"""

from __future__ import annotations

import json
import resource
import subprocess
import sys
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent


def measure(copies: int) -> None:
    sys.path.insert(0, str(HERE.parent / "experiments"))
    from corpora import load

    from structron import Tagger
    from structron.training import Learning, Serial, epochs

    corpus = load("brown")
    X = [[token[0] for token in sentence] for sentence in corpus.train[0]]
    Y = corpus.train[1]
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e3
    tagger = Tagger(epochs=1)
    plan = tagger.plan(X * copies, Y * copies)
    learning, examples = Learning.start(plan.task, plan.recipe), plan.examples
    began = time.process_time()
    packed = learning.pack(examples.xs, examples.ys)
    packing = time.process_time() - began
    (epoch, model), *_ = epochs(learning, Serial(learning, packed))
    print(
        json.dumps(
            {
                "copies": copies,
                "sentences": packed.sentences,
                "tokens": packed.tokens,
                "packing_cpu_seconds": round(packing, 2),
                "epoch_cpu_seconds": round(epoch.cpu_seconds, 2),
                "rows": learning.weights.features,
                "weights": len(model.rows.weights),
                "weights_mb": round(learning.weights.bytes / 1e6),
                "resident_mb_before": round(before),
                "resident_mb": round(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e3),
            }
        ),
        flush=True,
    )


def main() -> None:
    given = sys.argv[1:]
    if given[:1] == ["--one"]:
        measure(int(given[1]))
        return
    for copies in given or ["1", "3", "10"]:
        subprocess.run([sys.executable, __file__, "--one", copies], check=True)


if __name__ == "__main__":
    main()
