"""What a command imports: a short text should not wait for what it does not need."""

from __future__ import annotations

import ast
import pickle
import subprocess
import sys
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any

import click
import pytest

from structron import Lemmatizer, Parser, Segmenter, Tagger, Transducer, load
from structron.cli.app import app
from structron.cli.command_list import HELP, PLACES
from tests.unit.estimators.corpora import runs, treebank

# What trains, measures, explains and defines; and libraries that are not for predicting.
FILES = (
    *("structron.explaining.", "structron.metrics.", "structron.reference.", "structron.theory."),
    *("structron.fit.checkpoints.checkpoints", "structron.fit.cluster.cluster", "structron.fit.learning"),
    *("structron.fit.schedules.mixing", "structron.fit.schedules.schedule"),
)
LIBRARIES = {
    *("concurrent", "email", "html", "http", "logging", "socket", "ssl", "tempfile", "tomllib"),
    *("matplotlib", "numpy", "ray", "rich", "scipy", "sklearn"),
}
ROOT = Path(__file__).parents[3]
COUNT = (
    "import sys; from structron.cli import main; code = main(sys.argv[1:]); "
    "print(*sys.modules, file=sys.stderr); sys.exit(code)"
)


PREDICT = (
    "import ast, sys, structron; print(structron.load(sys.argv[1]).predict(ast.literal_eval(sys.argv[2]))); "
    "print(*sys.modules, file=sys.stderr)"
)


def run(program: str, *arguments: str) -> tuple[str, set[str]]:
    """What a new process prints, and the modules that it has in the end."""
    command = [sys.executable, "-c", program, *arguments]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    return done.stdout, set(done.stderr.split())


def imported(*arguments: str) -> set[str]:
    """The modules of a process that has run a command."""
    return run(COUNT, *arguments)[1]


def rooms(modules: set[str]) -> set[str]:
    """Packages that hold nothing but a docstring: they are counted as nothing."""
    found = set()
    for name in modules:
        place = ROOT.joinpath(*name.split("."), "__init__.py")
        if not name.startswith("structron.") or not place.exists():
            continue
        if len(ast.parse(place.read_text(encoding="utf-8")).body) == 1:
            found.add(name)
    return found


def heavy(modules: set[str]) -> list[str]:
    """Those that are too much; an empty package, whose names come on first use, is not."""
    files = modules - rooms(modules)
    return sorted(name for name in files if name.startswith(FILES) or name.partition(".")[0] in LIBRARIES)


def own(modules: set[str]) -> int:
    """How many are structron's."""
    return sum(name.startswith("structron") for name in modules - rooms(modules))


WORDS, TAGS = treebank(8)
TAGGED = [list(zip(*each)) for each in zip(WORDS, TAGS)]
FULL = [[(word, tag, "_") for word, tag in tokens] for tokens in TAGGED]
TREES = [([0, *range(1, len(words))], ["root", *["dep"] * (len(words) - 1)]) for words in WORDS]
TEXTS = ["Go on. Stop!", "Stop! Go."] * 3
SENTENCES = [[["Go", "on", "."], ["Stop", "!"]], [["Stop", "!"], ["Go", "."]]] * 3
SOURCES, TARGETS = ["ab", "ba", "aab"] * 2, ["x y", "y x", "x x y"] * 2


def parser(**settings: Any) -> Parser:
    return Parser(epochs=1, **settings).fit(TAGGED, TREES)


def segmenter(system: str = "labels") -> Segmenter:
    tagged = [[[(form, "X") for form in one] for one in text] for text in SENTENCES]
    return Segmenter(epochs=1, system=system).fit(TEXTS, tagged if system == "joint" else SENTENCES)


def with_files(folder: Path) -> Tagger:
    """A tagger with clusters and gazetteers."""
    (folder / "paths").write_text("00\tthe\t9\n01\ta\t8\n", encoding="utf-8")
    (folder / "names.txt").write_text("New York\n", encoding="utf-8")
    files = {"clusters": str(folder / "paths"), "gazetteers": [str(folder / "names.txt")]}
    return Tagger(epochs=1, **files).fit(WORDS, TAGS)


# Models of all kinds whose predictions are no arrays, with something to predict for.
MODELS: dict[str, tuple[Callable[[Path], Any], list[Any]]] = {
    "tagger": (lambda _: Tagger(epochs=1).fit(WORDS, TAGS), WORDS),
    "tagger of spans": (lambda _: Tagger(epochs=1).fit(WORDS, runs(TAGS)), WORDS),
    "tagger with a dictionary": (lambda _: Tagger(epochs=1, dictionary=2).fit(WORDS, TAGS), WORDS),
    "tagger with sub-labels": (
        lambda _: Tagger(epochs=1, hidden=2, dictionary=2).fit(WORDS, runs(TAGS)), WORDS
    ),
    "tagger with clusters": (with_files, WORDS),
    "parser": (lambda _: parser(), TAGGED),
    "parser with a tagger": (lambda _: parser(tagger="jackknife:2"), WORDS),
    "graph parser": (lambda _: parser(system="graph"), TAGGED),
    "combined parser": (lambda _: parser(combine="arcs+backward"), TAGGED),
    "segmenter": (lambda _: segmenter(), TEXTS),
    "segmenter by words": (lambda _: segmenter("words"), TEXTS),
    "segmenter that tags": (lambda _: segmenter("joint"), TEXTS),
    "transducer": (lambda _: Transducer(epochs=1).fit(SOURCES, TARGETS), SOURCES),
    "lemmatizer": (
        lambda _: Lemmatizer(epochs=1).fit(FULL, [[word.lower() for word in words] for words in WORDS]),
        FULL,
    ),
    "pipeline": (lambda _: load("en"), WORDS[:2]),
}  # fmt: skip


@pytest.mark.parametrize("name", MODELS)
def test_a_model_predicts_without_numpy_and_what_it_predicts_with_it(name: str, tmp_path: Path) -> None:
    make, X = MODELS[name]
    model = make(tmp_path)
    model.save(tmp_path / "m")
    printed, modules = run(PREDICT, str(tmp_path / "m"), repr(X))
    loaded = load(tmp_path / "m")
    assert printed == f"{model.predict(X)}\n" == f"{loaded.predict(X)}\n"
    assert not heavy(modules)
    # What a task keeps of a file is no view of it: other processes get it.
    task = loaded.model_.task
    assert pickle.loads(pickle.dumps(task)) == task == model.model_.task


def test_help_imports_no_command_and_no_numpy() -> None:
    modules = imported("--help")
    assert not heavy(modules)
    assert not {PLACES.get(name, f"structron.cli.commands.{name}") for name in HELP} & modules
    assert own(modules) < 20


def test_a_tagger_predicts_without_what_trains(tmp_path: Path) -> None:
    Tagger(epochs=1).fit(WORDS, TAGS).save(tmp_path / "m")
    (tmp_path / "text").write_text("the dog barks\n", encoding="utf-8")
    modules = imported("predict", str(tmp_path / "m"), str(tmp_path / "text"))
    assert not heavy(modules)
    assert own(modules) < 85


def test_a_parser_predicts_without_what_trains(tmp_path: Path) -> None:
    trees = ([([("dogs", "N"), ("bark", "V")])], [([2, 0], ["nsubj", "root"])])
    Parser(epochs=1, templates=["s0.w", "s0.t q0.t"]).fit(*trees).save(tmp_path / "m")
    lines = ["1\tdogs\t_\tN" + "\t_" * 6, "2\tbark\t_\tV" + "\t_" * 6, "", ""]
    (tmp_path / "text").write_text("\n".join(lines), encoding="utf-8")
    modules = imported("predict", str(tmp_path / "m"), str(tmp_path / "text"))
    assert not heavy(modules)
    assert own(modules) < 95


def test_a_segmenter_predicts_without_what_trains(tmp_path: Path) -> None:
    segmenter().save(tmp_path / "m")
    (tmp_path / "text").write_text("Go on. Stop!\n", encoding="utf-8")
    modules = imported("predict", str(tmp_path / "m"), str(tmp_path / "text"))
    assert not heavy(modules)
    assert own(modules) < 95


def test_a_transducer_predicts_without_what_trains() -> None:
    modules = imported("predict", "en-g2p", "telescope")
    assert not heavy(modules)
    assert own(modules) < 80


def test_a_pipeline_predicts_without_what_trains() -> None:
    modules = imported("predict", "en", "Dogs bark.")
    assert not heavy(modules)
    assert own(modules) < 145


def test_a_short_command_never_searches_for_cycles() -> None:
    count = "print([each['collections'] for each in gc.get_stats()])"
    command = "main(['predict', 'en', 'Dogs bark.'])"
    code = f"import gc; from structron.cli import main; {count}; {command}; {count}"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    lines = done.stdout.splitlines()
    assert lines[0] == lines[-1]


@pytest.mark.parametrize("name", HELP)
def test_a_command_is_the_function_of_its_name_and_says_what_the_list_says(name: str) -> None:
    command = getattr(import_module(PLACES.get(name, f"structron.cli.commands.{name}")), name)
    assert isinstance(command, click.Command) and command.name == name
    assert command.short_help == HELP[name]
    assert app.get_command(click.Context(app), name) is command


def test_the_list_has_every_command() -> None:
    assert app.list_commands(click.Context(app)) == list(HELP)
    assert app.get_command(click.Context(app), "nothing") is None


def test_the_process_ends_without_a_last_search_for_garbage() -> None:
    code = (
        "import atexit, gc; atexit.register(lambda: print(gc.get_freeze_count() > 0)); "
        "from structron.cli import main; main(['info', 'en', '--json']); print(gc.get_freeze_count())"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split()[-2:] == ["0", "True"]
