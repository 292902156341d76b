"""How time and memory grow with the data: one epoch of tagging on so many copies of the Brown corpus.

`python benchmarks/scale.py [1 3 10]` prints a line of JSON for each number of copies, measured in a process
of its own: CPU seconds of packing and of an epoch, and the greatest resident memory.

`python benchmarks/scale.py --stream [1 5]` does the same for millions of tokens of a treebank with fresh
noise in its words, so that the vocabulary grows, in memory and streamed from disk (`--stream-only`: not in
memory). Both must give the same weights. The text and the shards are made in the system's folder for
temporary files, or in `--folder`, and removed afterwards.

`python benchmarks/scale.py --shards [1 2 4]` mixes shards of such data, four files of 100,000 tokens, on this
machine and on a local Ray cluster whose workers read their own files: both must give the same weights.
"""

from __future__ import annotations

import hashlib
import json
import random
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent


def measure(copies: int) -> None:
    sys.path.insert(0, str(HERE.parent / "experiments"))
    from corpora import load

    from structron import Tagger
    from structron.fit import Learning, Serial, epochs

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


LETTERS = "abcdefghijklmnopqrstuvwxyz"
BITS, BLOCK = 22, 16_384


def noisy(word: str, rng: random.Random) -> str:
    """Return the word with one letter more, or another one."""
    at = rng.randrange(len(word))
    return word[:at] + rng.choice(LETTERS) + word[at + rng.randrange(2) :]


def write_noise(folder: Path, files: int, size: int = 1_000_000) -> None:
    """Write files of so many tokens each: the treebank repeated, with fresh noise in one word of ten."""
    from structron.io import read

    sys.path.insert(0, str(HERE.parent / "experiments"))
    from corpora import find

    sentences = [
        (s.words(), s.column("upos")) for s in read(find("ud/UD_English-EWT/en_ewt-ud-train.conllu.gz"))
    ]
    rng = random.Random(0)
    for number in range(files):
        tokens = 0
        with (folder / f"{number:04d}.tsv").open("w", encoding="utf-8") as file:
            while tokens < size:
                words, tags = sentences[rng.randrange(len(sentences))]
                tokens += len(words)
                for word, tag in zip(words, tags):
                    file.write(f"{noisy(word, rng) if rng.random() < 0.1 else word}\t{tag}\n")
                file.write("\n")


def measure_stream(folder: Path, streams: bool) -> None:
    """Measure one epoch on the files of a folder, in memory or streamed."""
    from structron import Tagger
    from structron.fit import Serial, Streamed
    from structron.io import Files

    held: dict[str, float] = {}
    began = time.process_time()

    def moment(name: str) -> None:
        held[f"{name}_cpu_seconds"] = round(time.process_time() - began, 1)
        held[f"{name}_mb"] = round(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e3)

    pass_over = (Streamed if streams else Serial).epoch

    def epoch(self, state, report):  # type: ignore[no-untyped-def]
        moment("packed")
        pass_over(self, state, report)
        moment("learned")
        held["weights_mb"] = round(self.learning.weights.bytes / 1e6)
        held["features"] = self.learning.weights.features

    (Streamed if streams else Serial).epoch = epoch  # type: ignore[method-assign]
    moment("started")
    tagger = Tagger(epochs=1, bits=BITS, block=BLOCK)
    files = Files(str(folder))
    tagger.fit(files, stream=folder.parent / "shards") if streams else tagger.fit(files)
    moment("ended")
    done = tagger.history_[0]
    rows = tagger.model_.rows
    digest = hashlib.sha256(b"".join(array.tobytes() for array in rows)).hexdigest()[:12]
    found = {
        "streamed": streams,
        "tokens": done.tokens,
        "sentences": done.examples,
        "epoch_cpu_microseconds_a_token": round(1e6 * done.cpu_seconds / done.tokens, 3),
        "weights": digest,
        **held,
    }
    if streams:
        shards = sum(each.stat().st_size for each in (folder.parent / "shards").iterdir())
        found["shards_mb"] = round(shards / 1e6)
    print(json.dumps(found), flush=True)


def measure_shards(folder: Path, shards: int, far: bool) -> None:
    """Measure two epochs of mixing on the files of a folder, here or by Ray workers that read them."""
    from structron import Tagger
    from structron.fit import Cluster
    from structron.io import Files

    tagger = Tagger(epochs=2, bits=BITS, shards=shards)
    cluster = Cluster("local", shards) if far else None
    stream = folder.parent / "survey" if far else None
    tagger.fit(Files(str(folder)), cluster=cluster, stream=stream)
    rows = tagger.model_.rows
    found = {
        "shards": shards,
        "cluster": far,
        "tokens": tagger.history_[0].tokens,
        "learning_cpu_seconds": round(sum(epoch.cpu_seconds for epoch in tagger.history_), 1),
        "seconds": round(sum(epoch.seconds for epoch in tagger.history_), 1),
        "driver_mb": round(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e3),
        "weights": hashlib.sha256(b"".join(array.tobytes() for array in rows)).hexdigest()[:12],
    }
    print(json.dumps(found), flush=True)


def compare_shards(counts: list[int], place: str | None) -> None:
    with tempfile.TemporaryDirectory(dir=place) as made:
        text = Path(made) / "text"
        text.mkdir()
        write_noise(text, 4, 100_000)
        for count in counts:
            for how in ("here", "far") if count > 1 else ("here",):
                subprocess.run([sys.executable, __file__, "--mixed", how, str(count), str(text)], check=True)


def compare(millions: list[int], only: bool, place: str | None) -> None:
    for count in millions:
        with tempfile.TemporaryDirectory(dir=place) as made:
            text = Path(made) / "text"
            text.mkdir()
            write_noise(text, count)
            for how in ("--streamed",) if only else ("--in-memory", "--streamed"):
                subprocess.run([sys.executable, __file__, how, str(text)], check=True)


def main() -> None:
    given = sys.argv[1:]
    place = None
    if "--folder" in given:
        at = given.index("--folder")
        place = given[at + 1]
        del given[at : at + 2]
    if given[:1] in (["--streamed"], ["--in-memory"]):
        measure_stream(Path(given[1]), given[0] == "--streamed")
        return
    if given[:1] == ["--mixed"]:
        measure_shards(Path(given[3]), int(given[2]), given[1] == "far")
        return
    if given[:1] == ["--shards"]:
        compare_shards([int(n) for n in given[1:]] or [1, 2, 4], place)
        return
    if given[:1] in (["--stream"], ["--stream-only"]):
        compare([int(n) for n in given[1:]] or [1, 5], given[0] == "--stream-only", place)
        return
    if given[:1] == ["--one"]:
        measure(int(given[1]))
        return
    for copies in given or ["1", "3", "10"]:
        subprocess.run([sys.executable, __file__, "--one", copies], check=True)


if __name__ == "__main__":
    main()
