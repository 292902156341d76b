"""How good and how fast sentences are translated: `python benchmarks/translation.py`, or `make bench`.

`Translator()` learns each pair of languages from its training data, tuned on its development data, and
translates the test set, the model fresh from its file each time; medians of several rounds, CPU time, one
thread. On German to English Thot does the same beside it, and a translator that learns sparse features, too.
Each has a process of its own, so that its peak memory is its own. With `--models FOLDER` what was trained
stays there, and `--speeds` measures again how fast all of it is: minutes, on a quiet machine.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import os
import sys
import tempfile
import time
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass, replace
from pathlib import Path
from statistics import median
from typing import Any

# Before any library counts the cores.
os.environ |= {f"{name}_NUM_THREADS": "1" for name in ("OMP", "OPENBLAS", "MKL")}

import report
from corpora import folder
from systems import Unavailable
from systems.thot import Thot
from worker import peak_mb

from structron import DataError, Translator
from structron.io.files import streams
from structron.tasks.translation.measures import figures_of

HERE = Path(__file__).resolve().parent
QUICK = 1500
PEER_PAIR = "de-en"
GOAL_BLEU, GOAL_SPARSE, GOAL_SPEED = 40.5, 41.3, 3_000
GOAL_TRAINING, GOAL_MEMORY, GOAL_SIZE = 30 * 60, 2_000, 60  # CPU s, MB, MB
TIMES_THOT, TIMES_MOSES = 8, 20  # words/s
# As good as any that was tried on the development data, see experiments/yu2013.
SPARSE = {
    "templates": "context",
    "update_towards": "local",
    "update": "standard",
    "learner": "perceptron:step=0.01",
    "epochs": 1,
}
# Measured once on the same test set, on other machines, and not made again by this script.
MOSES_SPEED = 98
ELSEWHERE = (
    ("Thot 3.5, 30 evaluations of its tuner", 32.65, 390, "HMM alignment, 3-grams"),
    ("Moses", 40.0, MOSES_SPEED, "fast_align, lexicalised reordering, 4-grams, batch MIRA, default stacks"),
    ("Transformer, 4 + 4 layers of 256", 42.5, None, "8,000 BPE pieces, beam 5; trained on a GPU in 430 s"),
)


@dataclass(frozen=True)
class Pair:
    """Two languages: where their files are, and how many references dev and test have."""

    name: str
    title: str
    place: str  # with split and language
    train: str
    dev: str
    test: str
    references: tuple[str, ...]

    def read(self, split: str, few: int | None) -> tuple[list[str], list[list[str]]]:
        """Return sources, and the references of each; one that is empty is none."""
        source, target = self.name.split("-")
        ends = self.references if split != self.train else ("",)
        sources, *sides = (
            _lines(folder() / self.place.format(split, language))[:few]
            for language in (source, *(target + end for end in ends))
        )
        return sources, [[text for text in texts if text] or [""] for texts in zip(*sides)]


def _lines(path: Path) -> list[str]:
    with streams.reading(path) as lines:
        return list(lines)


_FLICKR = ("mt/multi30k/{}.lc.norm.tok.{}.gz", "train", "val", "test_2016_flickr", ("",))
_TANAKA = ("mt/small_parallel_enja/{}.{}.gz", "train", "dev", "test", ("",))
_TATOEBA = ("mt/tatoeba_zhen/{}.{}.gz", "train", "dev", "test", (".0", ".1", ".2"))
PAIRS = {
    pair.name: pair
    for pair in (
        Pair("de-en", "Multi30k", *_FLICKR),
        Pair("fr-en", "Multi30k", *_FLICKR),
        Pair("en-ja", "Tanaka corpus", *_TANAKA),
        Pair("ja-en", "Tanaka corpus", *_TANAKA),
        Pair("zh-en", "Tatoeba", *_TATOEBA),
    )
}


def speed(load: Callable[[], Any], translate: Callable[[Any], Any], words: int, repeats: int) -> float:
    """Return source words a CPU second, each time from a fresh model; what loading takes is not counted."""
    found = []
    for _ in range(repeats):
        loaded = load()
        began = time.process_time()
        translate(loaded)
        found.append(words / (time.process_time() - began))
    return median(found)


class Watched(Translator):
    """A translator that remembers the model of the last epoch; `fit` drops it where the start is better."""

    last: Any = None

    def _finish(self, plan: Any, held_out: Any) -> Any:
        made = super()._finish(plan, held_out)

        def finish(model: Any) -> Any:
            self.last, notes = made(model)
            return self.last, notes

        return finish

    def keep_last(self) -> None:
        """Keep the model of the last epoch, however good the start's is."""
        self.last.about, self.last.parts = self.model_.about, self.model_.parts
        self._fitted = replace(self._learned(), model=self.last)


def measure(pair: Pair, repeats: int, few: int | None, model: Path, sparse: bool = False) -> dict[str, Any]:
    """Train, translate, score; if sparse, what the epoch learned, even if the start is better on dev."""
    (sources, targets), dev = pair.read(pair.train, few), pair.read(pair.dev, few)
    test, gold = pair.read(pair.test, few)
    translator = Watched(**SPARSE) if sparse else Translator()
    settings = str(translator).replace("Watched", "Translator")
    began = time.process_time()
    translator.fit(sources, [texts[0] for texts in targets], dev=dev)
    trained, peak = time.process_time() - began, peak_mb()
    if isinstance(translator, Watched):
        translator.keep_last()
    translator.save(model)
    found = figures_of(gold, Translator.load(model).predict(test))
    return {
        "date": report.about(repeats, few is not None)["date"],
        "machine": report.machine(),
        "settings": settings,
        "epochs": [epoch.record() for epoch in translator.history_],
        "compounds": translator.model_.task.source_words.splits,
        "corpus": pair.title,
        "references": max(map(len, gold)),
        "train_pairs": len(sources),
        "test_words": words_of(test),
        "train_s": trained,
        "peak_mb": peak,
        "phrases": translator.phrases_,
        "model_bytes": model.stat().st_size,
        "dev_bleu": 100 * translator.score(*dev),
        **{name: found[name] for name in ("bleu", "chrf", "length_ratio", "bleu_signature")},
        "words_s": our_speed(pair, repeats, few, model),
    }


def words_of(texts: list[str]) -> int:
    return sum(len(text.split()) for text in texts)


def our_speed(pair: Pair, repeats: int, few: int | None, model: Path) -> float:
    """Return the speed of a model in its file."""
    test, _ = pair.read(pair.test, few)
    return speed(lambda: Translator.load(model), lambda loaded: loaded.predict(test), words_of(test), repeats)


def measure_peer(
    pair: Pair, repeats: int, few: int | None, scratch: Path, evaluations: int
) -> dict[str, Any]:
    """Return the same for Thot, or why there is none."""
    scratch.mkdir(exist_ok=True)
    try:
        thot = Thot(scratch, evaluations)
    except Unavailable as reason:
        return {"skipped": str(reason)}
    sources, targets = pair.read(pair.train, few)
    test, gold = pair.read(pair.test, few)
    trained = thot.train(sources, [texts[0] for texts in targets])
    peak = peak_mb()
    found = figures_of(gold, thot.translate(thot.load(), test))
    return {
        "date": report.about(repeats, few is not None)["date"],
        "machine": report.machine(),
        "version": thot.version,
        "settings": thot.settings,
        "train_s": trained,
        "peak_mb": peak,
        "model_bytes": thot.model_bytes,
        **{name: found[name] for name in ("bleu", "chrf", "length_ratio")},
        "words_s": peer_speed(pair, repeats, few, scratch, evaluations),
    }


def peer_speed(pair: Pair, repeats: int, few: int | None, scratch: Path, evaluations: int) -> float:
    """Return the speed of a model of Thot in its folder."""
    thot = Thot(scratch, evaluations)
    test, _ = pair.read(pair.test, few)
    return speed(thot.load, lambda loaded: thot.translate(loaded, test), words_of(test), repeats)


def apart(function: Callable[..., Any], *given: Any) -> Any:
    """Return what a function gives in a process of its own, whose peak memory is nobody else's."""
    with ProcessPoolExecutor(1, multiprocessing.get_context("spawn")) as pool:
        return pool.submit(function, *given).result()


def markdown(found: dict[str, Any]) -> str:
    """Return the figures for people."""
    about, pairs = found["about"], found["pairs"]
    lines = [
        "# Translation",
        "",
        f"{about['date']} · {about['machine']} · CPU time, one thread",
        "",
        "Lower-cased tokens; BLEU and chrF as in sacreBLEU with `-tok none`. `Translator()` has no settings "
        "of its own for any of these; dense weights are tuned on the development data. Below, a row is of "
        "the time that stands in it. Memory is the peak of a process that reads, trains and tunes.",
    ]
    if "speeds" in about:
        lines += ["", f"Speeds: {about['speeds']}, in a run of their own from the same models."]
    if PEER_PAIR in pairs:
        lines += ["", "## Multi30k, German to English, test 2016", "", *_beside(found)]
    lines += [
        "",
        "## All pairs",
        "",
        "| | corpus | pairs | references | dev BLEU | BLEU | chrF | length | words/s | training, CPU s | "
        "peak, MB | model, MB | compounds | measured |",
        "|---|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---|---|",
    ]
    for name, it in pairs.items():
        lines.append(
            f"| {name} | {it['corpus']} | {it['train_pairs']:,} | {it['references']} | "
            f"{it['dev_bleu']:.2f} | {it['bleu']:.2f} | {it['chrf']:.2f} | {it['length_ratio']:.3f} | "
            f"{it['words_s']:,.0f} | {it['train_s']:,.0f} | {_memory(it)} | {it['model_bytes'] / 1e6:.1f} | "
            f"{'split' if it['compounds'] else 'whole'} | {_when(it, about)} |"
        )
    return "\n".join([*lines, ""])


def _memory(it: dict[str, Any]) -> str:
    """Return a cell; rows of earlier runs may have none."""
    return f"{it['peak_mb']:,.0f}" if "peak_mb" in it else "–"


def _when(it: dict[str, Any], about: dict[str, Any]) -> str:
    """Return the machine, if it is not that of the others."""
    return it["date"][:16] + ("" if it["machine"] == about["machine"] else f", {it['machine']}")


def _beside(found: dict[str, Any]) -> list[str]:
    """Return structron, Thot, and what is known of others."""
    ours, sparse, peer = found["pairs"][PEER_PAIR], found.get("sparse"), found.get("thot")
    lines = [
        "| system | BLEU | chrF | words/s | training, CPU s | peak, MB | model, MB | |",
        "|---|---:|---:|---:|---:|---:|---:|---|",
    ]
    measured = [("structron", ours, "`Translator()`")]
    if sparse is not None:
        pays = any(epoch["best"] for epoch in sparse["epochs"])
        kept = "" if pays else "; on dev the dense start is better, and `fit` would keep that"
        measured.append(("structron, sparse features", sparse, f"`{sparse['settings']}`{kept}"))
    has_peer = peer is not None and "skipped" not in peer
    if has_peer:
        measured.append(("Thot", peer, f"{peer['version']}; {peer['settings']}"))
    for name, it, note in measured:
        lines.append(
            f"| {name} | {it['bleu']:.2f} | {it['chrf']:.2f} | {it['words_s']:,.0f} | {it['train_s']:,.0f} | "
            f"{_memory(it)} | {it['model_bytes'] / 1e6:.1f} | {note}; {_when(it, found['about'])} |"
        )
    for name, score, words, note in ELSEWHERE:
        pace = "" if words is None else f"≈ {words:,}"
        lines.append(f"| *{name}* † | {score} | | {pace} | | | | {note} |")
    lines += ["", "† Measured once, on another machine; not part of this run."]
    if peer is not None and "skipped" in peer:
        lines += ["", f"Thot was left out: {peer['skipped']}."]
    met: dict[str, bool | None] = {
        f"BLEU {GOAL_BLEU}": ours["bleu"] >= GOAL_BLEU,
        f"{GOAL_SPEED:,} words/s": ours["words_s"] >= GOAL_SPEED,
        f"{GOAL_TRAINING // 60} CPU minutes": ours["train_s"] <= GOAL_TRAINING,
        f"a model of {GOAL_SIZE} MB": ours["model_bytes"] <= GOAL_SIZE * 1e6,
    }
    if "peak_mb" in ours:
        met[f"{GOAL_MEMORY:,} MB"] = ours["peak_mb"] <= GOAL_MEMORY
    met[f"BLEU {GOAL_SPARSE} with sparse features"] = sparse and sparse["bleu"] >= GOAL_SPARSE
    if sparse is not None:
        met["better than without"] = sparse["bleu"] > ours["bleu"]
    if has_peer:
        where = "" if peer["machine"] == ours["machine"] else " (of another machine)"
        met[f"{TIMES_THOT} times Thot's words/s{where}"] = ours["words_s"] >= TIMES_THOT * peer["words_s"]
    met[f"{TIMES_MOSES} times Moses' words/s †"] = ours["words_s"] >= TIMES_MOSES * MOSES_SPEED
    said = {True: "met", False: "open", None: "not measured"}
    goals = "; ".join(f"{name} {said[it]}" for name, it in met.items())
    return [*lines, "", f"Goals: {goals}."]


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="How good and how fast sentences are translated.")
    parser.add_argument("--pairs", nargs="*", choices=PAIRS, default=list(PAIRS), help="default: all")
    parser.add_argument("--repeats", type=int, default=3, help="rounds of translating (default 3)")
    parser.add_argument(
        "--thot",
        type=int,
        default=30,
        metavar="N",
        help="evaluations of Thot's tuner (30); 0: no Thot",
    )
    parser.add_argument("--sparse", action="store_true", help=f"learn sparse features on {PEER_PAIR}, too")
    parser.add_argument(
        "--keep", action="store_true", help="keep earlier figures of what is not measured now"
    )
    parser.add_argument("--models", type=Path, help="a folder for what is trained (default: one that goes)")
    parser.add_argument(
        "--speeds", action="store_true", help="measure again how fast those in --models are, and nothing else"
    )
    parser.add_argument("--quick", action="store_true", help=f"{QUICK:,} lines of each file, 1 round")
    args = parser.parse_args()
    if args.speeds and args.models is None:
        parser.error("--speeds needs --models, the folder of an earlier run")
    return args


def main() -> int:
    args = arguments()
    few, repeats = (QUICK, 1) if args.quick else (None, args.repeats)
    out = HERE / "results" / ("translation-quick" if args.quick else "translation")
    found: dict[str, Any] = {"pairs": {}}
    if (args.keep or args.speeds) and out.with_suffix(".json").exists():
        found = json.loads(out.with_suffix(".json").read_text(encoding="utf-8"))
    about = report.about(repeats, args.quick)
    about["command"] = " ".join(["python benchmarks/translation.py", *report.command().split()[2:]])
    if args.speeds:
        command = f"{about['command']} --models FOLDER"
        found["about"]["speeds"] = f"`{command}`, {about['date']}, medians of {repeats} rounds"
    else:
        found["about"] = about

    def write() -> None:
        out.with_suffix(".json").write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")
        out.with_suffix(".md").write_text(markdown(found), encoding="utf-8")

    with ExitStack() as cleared:
        folder = args.models
        if folder is None:
            folder = Path(cleared.enter_context(tempfile.TemporaryDirectory(prefix="structron-bench-")))
        folder.mkdir(parents=True, exist_ok=True)
        try:
            if args.speeds:
                speeds(found, folder, repeats, few, args.thot)
            else:
                measure_all(found, args, folder, repeats, few, write)
        except DataError as message:
            print(f"benchmarks: {message}, or set STRUCTRON_DATA", file=sys.stderr)
            return 2
    write()
    print(markdown(found))
    return 0


def measure_all(
    found: dict[str, Any],
    args: argparse.Namespace,
    folder: Path,
    repeats: int,
    few: int | None,
    write: Callable[[], None],
) -> None:
    """Measure what was asked for; a run that is interrupted keeps its results."""
    for name in args.pairs:
        found["pairs"][name] = apart(measure, PAIRS[name], repeats, few, folder / name)
        print(f"{name}: {found['pairs'][name]}", file=sys.stderr, flush=True)
        write()
    peer = PAIRS[PEER_PAIR]
    if args.sparse:
        found["sparse"] = apart(measure, peer, repeats, few, folder / "sparse", True)
        print(f"sparse: {found['sparse']}", file=sys.stderr, flush=True)
        write()
    if args.thot and PEER_PAIR in args.pairs:
        found["thot"] = apart(measure_peer, peer, repeats, few, folder / "thot", args.thot)


def speeds(found: dict[str, Any], folder: Path, repeats: int, few: int | None, evaluations: int) -> None:
    """Measure speeds again with the models of an earlier run."""
    for name, it in found["pairs"].items():
        it["words_s"] = apart(our_speed, PAIRS[name], repeats, few, folder / name)
    peer = PAIRS[PEER_PAIR]
    if "sparse" in found:
        found["sparse"]["words_s"] = apart(our_speed, peer, repeats, few, folder / "sparse")
    if "words_s" in found.get("thot", {}) and evaluations:
        found["thot"]["words_s"] = apart(peer_speed, peer, repeats, few, folder / "thot", evaluations)


if __name__ == "__main__":
    sys.exit(main())
