"""The playground as a page without a server: its own files, recordings, and the parser of this folder.

``python web/site.py build/docs/live`` makes it; `make docs` does. What is recorded are real films, trainings
and exhibits, by the functions that the server answers with. With what `make web` has built in ``web/built``
a sentence that is typed is parsed in the page; otherwise the recorded ones are all there is.
"""

from __future__ import annotations

import itertools
import json
import shutil
import sys
from pathlib import Path
from typing import Any

import structron
from structron.serve.limits import Limits
from structron.serve.play.exhibit import EXAMPLES, SEARCHES, UPDATES, exhibit
from structron.serve.play.films import film
from structron.serve.play.lessons import Lesson, wanted
from structron.serve.registry import ModelRegistry

HERE = Path(__file__).parent
BUILT = HERE / "built"
STATIC = Path(structron.__file__).parent / "serve" / "static"
OPENING = {
    "text": "The horse raced past the barn fell.",
    "gold": {
        "heads": [2, 7, 2, 6, 6, 3, 0, 7],
        "relations": ["det", "nsubj", "acl", "case", "det", "obl", "root", "punct"],
    },
}
GREEDY = "The complex houses married soldiers and their families."
WIDTHS = ("greedy", "beam:2", "beam:4", "beam:8", "beam:16")
SOUNDS = (
    ("mission", "M IH1 SH AH0 N"),
    ("mission", "M IH1 S IY0 AH0 N"),
    ("knight", "N AY1 T"),
    ("knight", "K N AY1 T"),
)
DATA: tuple[dict[str, Any], ...] = (  # as in lessons/standard.js
    {"english": True, "sentences": 600, "epochs": 4, "seed": 2},
    {"sentences": 300, "epochs": 5, "seed": 0},
)
TRAINED = tuple(
    itertools.product(DATA, ("greedy", "beam:2", "beam:8"), ("standard", "early", "max_violation"))
)
UPDATES_SHOWN = 60  # of an exhibit that never ends


def key_of(path: str, body: dict[str, Any]) -> str:
    """Return the name of an answer: what the page asks, in the order of its names (web/server.js)."""
    return f"{path} {json.dumps(dict(sorted(body.items())), separators=(',', ':'), ensure_ascii=False)}"


def recordings() -> dict[str, Any]:
    """Return what the page is told of the server, and its answers."""
    registry, answers = ModelRegistry.of(["en", "en-g2p"]), {}
    bodies: list[dict[str, Any]] = [
        {"model": "en", "input": OPENING["text"], "gold": gold, "search": "beam:8"}
        for gold in (OPENING["gold"], None)
    ]
    bodies += [{"model": "en", "input": GREEDY, "search": search} for search in WIDTHS]
    bodies += [
        {"model": "en-g2p", "input": word, "gold": sounds, "search": "beam:8"} for word, sounds in SOUNDS
    ]
    for body in bodies:
        answers[key_of("/play/film", body)] = film(body, registry, Limits())
    for data, search, update in TRAINED:
        body = {"task": "parsing", "learner": "perceptron", "search": search, "update": update} | data
        lesson = Lesson(0, wanted(body), lambda: None)
        lesson.run()
        answers[key_of("/play/lessons", body)] = lesson.events
    for example, search, update in itertools.product(EXAMPLES, SEARCHES, UPDATES):
        rows = list(itertools.islice(exhibit(example, search, update), UPDATES_SHOWN))
        answers[f"/play/exhibit?example={example}&search={search}&update={update}"] = rows
    return {"state": _state(registry), "answers": answers}


def _state(registry: ModelRegistry) -> dict[str, Any]:
    models = [
        model.about()
        | {"explains": False, "editor": "tree" if model.name == "en" else "output", "recorded": True}
        for model in registry.models.values()
    ]
    if (BUILT / "parser.wasm").exists() and (BUILT / "parser.bin").exists():
        live = {"name": "english", "task": "parsing", "editor": "tree", "explains": False, "live": True}
        models.insert(0, live | {"first": OPENING, "greedy": GREEDY, "search": "beam:8"})
    exhibits = {
        name: {"words": list(each.words), "said": each.said, "names": list(each.names)}
        for name, each in EXAMPLES.items()
    }
    return {
        "offline": True,
        "models": models,
        "choices": {
            "search": [*WIDTHS],
            "update": [],
            "learner": [],
            "task": [],
            "epochs": 5,
            "sentences": 300,
        },
        "exhibits": {"examples": exhibits, "search": list(SEARCHES), "update": list(UPDATES)},
    }


def main(folder: Path) -> None:
    """Write the site; a folder that is there is replaced."""
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(STATIC, folder / "static")
    for name in ("docs.html", "docs.js"):
        (folder / "static" / name).unlink()
    (folder / "static" / "index.html").rename(folder / "index.html")
    for name in ("server.js", "parser.js"):
        shutil.copy(HERE / name, folder / "static" / name)
    for name in ("parser.wasm", "parser.bin", "parser.json"):
        if (BUILT / name).exists():
            shutil.copy(BUILT / name, folder / name)
    text = json.dumps(recordings(), ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    (folder / "recorded.json").write_text(text, "utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
