"""From raw text to trees, beside UDPipe 1: `python benchmarks/raw_text.py [--treebanks NAME…] [--systems …]`

Every system is trained by a process of its own on a treebank's training file (and dev file, where it takes
one), and then analyses the raw text of its test set (`--on dev`: of its dev set). Scores are those of the
shared task's script (`udtools`). Times are CPU times of the process; all systems analyse the text in turn,
`--repeats` times, and medians are told: of the text right after the model was loaded, and, as *warm*, of the
same text after another one, the dev (or test) set's. With `--long` also, as *long*, of a text several times
as long that no parser has learned from, again right after loading. `--models FOLDER` keeps the models, so
that a run that was stopped goes on where it was; a model that somebody has put there is used as it is, and
its training is not timed.
Rows of treebanks and systems that are not asked for stay in the results as they were.
"""

from __future__ import annotations

import argparse
import json
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from corpora import folder
from systems import Unavailable
from systems.raw_text import ALL, ANALYSERS, raw, text_of

TREEBANKS = (
    *("English-EWT", "French-Sequoia", "Italian-ParTUT", "Greek-GDT"),
    *("Turkish-IMST", "Hungarian-Szeged", "Vietnamese-VTB", "Czech-CLTT"),
)
LONG = {"English-EWT": "English-GUM"}  # whose training part is the long text
RESULTS = Path(__file__).parent / "results"


def part(treebank: str, name: str) -> Path:
    (path,) = (folder() / "ud" / f"UD_{treebank}").glob(f"*-{name}.conllu.gz")
    return path


def child(verb: str, *arguments: str) -> dict[str, Any]:
    """Return what a process of its own answers to `verb`."""
    command = [sys.executable, __file__, "--child", verb, *arguments]
    done = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True)
    answer: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return answer


def train(system: str, treebank: str, model: str) -> dict[str, Any]:
    begin = time.process_time()
    ANALYSERS[system]().train(part(treebank, "train"), part(treebank, "dev"), Path(model))
    seconds = time.process_time() - begin
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1000
    return {"train_s": seconds, "train_mb": peak, "model_mb": Path(model).stat().st_size / 1e6}


def analyse(system: str, treebank: str, model: str, name: str, output: str) -> dict[str, Any]:
    analyser = ANALYSERS[system]()
    begin = time.process_time()
    analyser.load(Path(model))
    loaded = time.process_time()
    text = raw(part(treebank, name))
    before = time.process_time()
    found = analyser.analyse(text)
    seconds = time.process_time() - before
    Path(output).write_text(found, encoding="utf-8")
    return {"load_s": loaded - begin, "analyse_s": seconds, "warm_s": warm(system, treebank, model, name)}


def warm(system: str, treebank: str, model: str, name: str) -> float:
    """Measure the same with a system that has just analysed another text."""
    analyser = ANALYSERS[system]()
    analyser.load(Path(model))
    analyser.analyse(raw(part(treebank, "dev" if name == "test" else "test")))
    text = raw(part(treebank, name))
    before = time.process_time()
    analyser.analyse(text)
    return time.process_time() - before


def long(system: str, treebank: str, model: str) -> dict[str, Any]:
    """Return tokens that are found a second in the long text."""
    analyser = ANALYSERS[system]()
    analyser.load(Path(model))
    text = raw(part(LONG[treebank], "train"))
    before = time.process_time()
    found = analyser.analyse(text)
    seconds = time.process_time() - before
    return {"tokens_s": count(found) / seconds}


def count(text: str) -> int:
    """Return the lines of words in CoNLL-U, with those of tokens that are several words."""
    return sum(line[:1].isdigit() for line in text.splitlines())


def scores(gold: Path, found: Path, scratch: Path) -> dict[str, float]:
    """Return F1 of every row of the shared task's table, in per cent."""
    from udtools.udeval import evaluate, load_conllu_file

    plain = scratch / "gold.conllu"
    plain.write_text(text_of(gold), encoding="utf-8")
    told = evaluate(load_conllu_file(str(plain)), load_conllu_file(str(found)))
    return {row: 100 * told[row].f1 for row in ALL}


def measure(
    treebank: str, systems: list[str], models: Path, name: str, repeats: int, is_long: bool
) -> dict[str, Any]:
    trained: dict[str, dict[str, Any]] = {}
    for system in systems:
        model, kept = (models / f"{treebank}.{system}.{end}" for end in ("model", "json"))
        if not kept.is_file() and model.is_file():
            trained[system] = {"train_s": None, "train_mb": None, "model_mb": model.stat().st_size / 1e6}
            continue
        if not kept.is_file():
            print(f"{treebank}: {system} learns", file=sys.stderr, flush=True)
            kept.write_text(json.dumps(child("train", system, treebank, str(model))), encoding="utf-8")
        trained[system] = json.loads(kept.read_text(encoding="utf-8"))
    times: dict[str, list[dict[str, float]]] = {system: [] for system in systems}
    for _ in range(repeats):
        for system in systems:
            model, output = (models / f"{treebank}.{system}.{end}" for end in ("model", f"{name}.conllu"))
            told = child("analyse", system, treebank, str(model), name, str(output))
            if is_long and treebank in LONG:
                told["long"] = child("long", system, treebank, str(model))["tokens_s"]
            times[system].append(told)
    gold = part(treebank, name)
    tokens = count(text_of(gold))
    found: dict[str, Any] = {}
    for system in systems:
        told = scores(gold, models / f"{treebank}.{system}.{name}.conllu", models)
        analyser = ANALYSERS[system]()
        found[system] = {
            **trained[system],
            "tokens_s": tokens / statistics.median(each["analyse_s"] for each in times[system]),
            "warm_tokens_s": tokens / statistics.median(each["warm_s"] for each in times[system]),
            "long_tokens_s": statistics.median(each["long"] for each in times[system])
            if is_long and treebank in LONG
            else None,
            "scores": {row: told[row] if row in analyser.parts else None for row in ALL},
            "version": analyser.version,
            "settings": analyser.settings,
        }
    return found


def in_order(names: Iterable[str], found: dict[str, Any]) -> dict[str, Any]:
    """Return the entries with these names first, in their order."""
    return {name: found[name] for name in dict.fromkeys([*names, *found]) if name in found}


def page(found: dict[str, Any], name: str, notes: str = "") -> str:
    heads = ("", *ALL, "training, CPU s", "k tokens/s", "warm", "long", "model MB")
    lines = [f"# From raw text to trees, {name} sets", ""]
    lines += ["`python benchmarks/raw_text.py`; F1 by the CoNLL 2018 script; CPU time, one thread.", ""]
    lines += [notes] if notes else []
    for treebank, rows in found.items():
        lines += [f"## {treebank}", "", "| " + " | ".join(heads) + " |", "|---" * len(heads) + "|"]
        for system, told in rows.items():
            marks = ["" if told["scores"][row] is None else f"{told['scores'][row]:.2f}" for row in ALL]
            training = "" if told["train_s"] is None else f"{told['train_s']:.0f}"
            speeds = (told.get(kind) for kind in ("tokens_s", "warm_tokens_s", "long_tokens_s"))
            costs = [training, *(f"{each / 1000:.1f}" if each else "" for each in speeds)]
            costs.append(f"{told['model_mb']:.1f}")
            lines.append("| " + " | ".join([system, *marks, *costs]) + " |")
        lines.append("")
    settings = {s: f"{t['version']}, {t['settings']}" for rows in found.values() for s, t in rows.items()}
    return "\n".join([*lines, *(f"- {system}: {told}" for system, told in settings.items()), ""])


def main() -> None:
    if sys.argv[1:2] == ["--child"]:
        verb = {"train": train, "analyse": analyse, "long": long}[sys.argv[2]]
        print(json.dumps(verb(*sys.argv[3:])))
        return
    options = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    options.add_argument("--treebanks", nargs="+", default=TREEBANKS, metavar="NAME")
    options.add_argument("--systems", nargs="+", default=list(ANALYSERS), choices=list(ANALYSERS))
    options.add_argument("--models", type=Path)
    options.add_argument("--on", default="test", choices=("dev", "test"))
    options.add_argument("--repeats", type=int, default=3)
    options.add_argument("--long", action="store_true")
    options.add_argument("--out", type=Path, default=RESULTS / "raw_text")
    asked = options.parse_args()
    systems = []
    for system in asked.systems:
        try:
            ANALYSERS[system]()
            systems.append(system)
        except Unavailable as error:
            print(error, file=sys.stderr)
    with tempfile.TemporaryDirectory() as scratch:
        models = asked.models or Path(scratch)
        models.mkdir(parents=True, exist_ok=True)
        results = asked.out.with_suffix(".json")
        found = json.loads(results.read_text(encoding="utf-8")) if results.is_file() else {}
        for treebank in asked.treebanks:
            new = measure(treebank, systems, models, asked.on, asked.repeats, asked.long)
            found[treebank] = in_order(ANALYSERS, found.get(treebank, {}) | new)
            found = in_order(TREEBANKS, found)
            results.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")
            told = asked.out.with_suffix(".notes.txt")  # how the rows came about, by hand
            notes = told.read_text(encoding="utf-8") if told.is_file() else ""
            asked.out.with_suffix(".md").write_text(page(found, asked.on, notes), encoding="utf-8")
            print(page({treebank: new}, asked.on), flush=True)


if __name__ == "__main__":
    main()
