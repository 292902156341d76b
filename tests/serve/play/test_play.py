"""What the playground asks for: films, lessons and the exhibit, from a real server and from the functions."""

from __future__ import annotations

import contextlib
import itertools
import json
import math
import signal
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from structron import (
    Classifier,
    Parser,
    Segmenter,
    SemanticParser,
    StructronError,
    Transducer,
    Translator,
    load,
)
from structron.reference import METHODS, excess, fall_off
from structron.registry import estimator_of
from structron.serve.limits import Limits
from structron.serve.play.exhibit import EXAMPLES, exhibit
from structron.serve.play.films import film
from structron.serve.play.lessons import Lesson, wanted
from structron.serve.play.routes import plain, shortened
from structron.serve.play.task_play import learned, play_of
from structron.serve.refusals import Refused
from structron.serve.registry import ModelRegistry
from tests.serve.conftest import Served
from tests.serve.test_bad_requests import HEAD, raw

GOLD = ["N", "V"]


def test_a_film_is_the_trace(models: Path) -> None:
    registry = ModelRegistry.of([str(models / "pos.model"), str(models / "trees.model")])
    tagger = load(models / "pos.model")
    for search in (None, "beam:2", "greedy"):
        asked = {"model": "pos", "input": "bark dogs", "gold": ["V", "N"]} | (
            {"search": search} if search else {}
        )
        found = json.loads(json.dumps(film(asked, registry, Limits())))
        trace = tagger.trace(["bark", "dogs"], ["V", "N"], search)
        assert [[item["score"] for item in step["items"]] for step in found["steps"]] == [
            [item.score for item in row] for row in trace.beams
        ]
        assert [step["excess"] for step in found["steps"]] == excess(trace).tolist()
        assert found["fall"] == fall_off(trace)
        assert {each["method"]: each["step"] for each in found["methods"]} == {
            name.replace("_", "-"): METHODS[name](trace)
            for name in ("standard", "early", "hybrid", "latest", "max_violation")
        }
    tokens = [["dogs", "N"], ["bark", "V"]]
    parsed = film(
        {"model": "trees", "input": tokens, "gold": {"heads": [0, 1], "relations": ["root", "nsubj"]}},
        registry,
        Limits(),
    )
    assert parsed["kind"] == "beam" and parsed["guess"]["heads"] == [2, 0] and parsed["methods"]
    assert not film({"model": "trees", "input": tokens}, registry, Limits())["methods"]


def test_a_film_of_a_chart_has_the_cells_that_gold_passes() -> None:
    sentences = [(["dogs", "bark"], ["N", "V"]), (["cats", "sleep"], ["N", "V"])] * 3
    registry = ModelRegistry()
    for name, pruner in (("graph", None), ("pruned", "auto")):
        parser = Parser(system="graph", search="forest:2", epochs=2, pruner=pruner)
        registry.add(name, parser.fit(sentences, [([2, 0], ["nsubj", "root"])] * 6))
    gold = {"heads": [0, 1], "relations": ["root", "nsubj"]}
    tokens = [["dogs", "N"], ["bark", "V"]]
    found = film({"model": "graph", "input": tokens, "gold": gold}, registry, Limits())
    assert found["kind"] == "chart" and json.dumps(found, allow_nan=False)
    assert found["steps"][-1]["goldPath"] == ["dogs root of ROOT", "bark nsubj of dogs"]
    assert found["steps"][-1]["items"][0]["path"] == ["bark root of ROOT", "dogs nsubj of bark"]
    # What the picture is drawn from: arcs of each item, and the cells of both derivations with their parts.
    assert found["steps"][-1]["items"][0]["built"] == [[2, 0, "root"], [1, 2, "nsubj"]]
    assert found["steps"][-1]["cell"] == [0, 2]
    for drawn in found["derivations"].values():
        assert {(begin, end) for begin, end, _, _ in drawn} >= {(0, 2), (1, 2)}
        assert all(begin <= start <= stop <= end for begin, end, start, stop in drawn)
    pruned = film({"model": "pruned", "input": tokens, "gold": gold}, registry, Limits())
    assert "pruner" in pruned["note"] and pruned["steps"] and not pruned["methods"]
    standard = found["methods"][0]
    assert standard["step"] == len(found["steps"]) - 1 and standard["valid"] and standard["excess"] > 0


def test_an_explanation_is_plain_and_short() -> None:
    @dataclass
    class Decision:
        about: str
        features: tuple[tuple[str, float], ...]

    explained = plain({"decisions": (Decision("dogs", (("w=dogs", 1.5),) * 50),), "of": {1}, "by": len})
    assert shortened(explained)["decisions"] == [{"about": "dogs", "features": [["w=dogs", 1.5]] * 40}]
    assert explained["of"] == [1] and "len" in explained["by"]


def test_gold_with_crossing_arcs_is_lifted_and_that_is_said() -> None:
    words = ["the", "old", "man", "saw", "the", "light", "."]
    play = play_of("parsing")
    X, y = play.examples(60, 0)
    registry = ModelRegistry()
    for system in ("arc-standard", "swap"):
        parser = Parser(epochs=1, system=system, templates="fast_tags", tagger="jackknife:2").fit(X, y)
        registry.add(system, parser)
    gold = {
        "heads": [3, 6, 4, 0, 6, 4, 4],
        "relations": ["det", "amod", "nsubj", "root", "det", "obj", "punct"],
    }
    found = film({"model": "arc-standard", "input": words, "gold": gold}, registry, Limits())
    assert found["gold"] == gold and found["learned"]["heads"] == [4, 4, 4, 0, 6, 4, 4], found["learned"]
    assert "Gold has crossing arcs, which system arc-standard does not build" in found["note"]
    assert "“old” depends on “saw”, and not on “light”" in found["note"]
    built = {(child, head) for child, head, _ in found["steps"][-1]["goldBuilt"]}
    assert built == set(enumerate(found["learned"]["heads"], 1))  # what is shown is what was searched for
    swapped = film({"model": "swap", "input": words, "gold": gold}, registry, Limits())
    assert swapped["note"] is None and "learned" not in swapped


def test_a_tree_grows_with_its_beam() -> None:
    X, y = play_of("parsing").examples(40, 0)
    registry = ModelRegistry()
    registry.add("it", Parser(epochs=1, search="beam:4", tagger="jackknife:2").fit(X, y))
    found = film({"model": "it", "input": X[0][0]}, registry, Limits())
    sizes = [len(step["items"][0]["built"]) for step in found["steps"]]
    assert sizes[0] == 0 and sizes[-1] == len(X[0][0])
    for at, step in enumerate(found["steps"][1:], 1):
        for item in step["items"]:
            parent = found["steps"][item["parentStep"]]["items"][item["parent"]]
            assert item["parentStep"] == at - 1
            assert item["path"][:-1] == parent["path"]
            assert len(item["built"]) - len(parent["built"]) in (0, 1)
    last = {tuple(arc) for arc in found["steps"][-1]["items"][0]["built"]}
    assert last == {(i, *each) for i, each in enumerate(zip(*found["guess"].values()), 1)}


def test_a_pipeline_has_films_of_its_parser() -> None:
    registry = ModelRegistry.of(["en"])
    asked = {"model": "en", "input": "Time flies. It does.", "search": "beam:4"}
    found = film(asked, registry, Limits())
    assert found["sentences"] == [["Time", "flies", "."], ["It", "does", "."]]
    assert found["words"] == ["Time", "flies", "."] and found["editor"] == "tree"
    (document,) = registry.find("en").estimator.pipe([asked["input"]])
    assert found["guess"]["heads"] == [word.head for word in document.sentences[0].words]
    gold = {"heads": [0, 1, 1], "relations": ["root", "dep", "punct"]}
    second = film(asked | {"sentence": 1, "gold": gold}, registry, Limits())
    assert second["words"][0] == "It" and second["methods"] and second["search"] == "beam:4"
    with pytest.raises(Refused, match="sentence: give a whole number from 0 to 1"):
        film(asked | {"sentence": 2}, registry, Limits())
    with pytest.raises(Refused, match="input: a film has 1 to 60 words"):
        film(asked | {"input": "word " * 61}, registry, Limits())


SPELLINGS = [("knight", "N AY T"), ("phone", "F OW N"), ("nine", "N AY N"), ("tip", "T IH P")]
RAW, CUT = ["Go on. Stop!", "Stop! Go."], [[["Go", "on", "."], ["Stop", "!"]], [["Stop", "!"], ["Go", "."]]]
FILMED: dict[str, tuple[Any, str, str | None]] = {
    "symbols": (Transducer(epochs=2).fit(*zip(*SPELLINGS)), "knight", None),
    "units": (Segmenter(epochs=2).fit(RAW * 3, CUT * 3), "Go on. Stop!", "Go on .\nStop !"),
    "labels": (Classifier(epochs=2).fit(["a b", "c d", "a d"], ["x", "y", "z"]), "a b", "y"),
    "phrases": (Translator(epochs=1).fit(["a b", "b a", "a"] * 2, ["x y", "y x", "x"] * 2), "a b", "y x"),
}


@pytest.mark.parametrize("name", FILMED)
def test_every_task_that_leaves_a_trace_has_films(name: str) -> None:
    estimator, text, gold = FILMED[name]
    gold = gold or estimator.predict_kbest([text], 2)[0][1][0]
    registry = ModelRegistry()
    registry.add("it", estimator)
    plainly = film({"model": "it", "input": text}, registry, Limits())
    found = film({"model": "it", "input": text, "gold": gold}, registry, Limits())
    json.dumps([plainly, found], allow_nan=False)
    assert plainly["editor"] == "output" and isinstance(plainly["guess"], str) and not plainly["methods"]
    trace = estimator.trace(text)
    rows = [row for row in trace.beams if row]
    assert [len(step["items"]) for step in plainly["steps"]] == [min(16, len(row)) for row in rows]
    *_, last = found["steps"]
    assert last["goldPath"] and len(found["methods"]) == 5
    # Where gold is what is predicted, nothing is to be fixed.
    right = film({"model": "it", "input": text, "gold": plainly["guess"]}, registry, Limits())
    assert right["methods"][0]["step"] is None and right["steps"][-1]["inBeam"]
    with pytest.raises((Refused, StructronError)):
        film({"model": "it", "input": text, "gold": " "}, registry, Limits())


def test_a_film_of_stacks_tells_which_words_are_translated() -> None:
    registry = ModelRegistry()
    registry.add("it", FILMED["phrases"][0])
    found = film({"model": "it", "input": "a b", "gold": "y x"}, registry, Limits())
    assert found["kind"] == "stacks" and found["words"] == ["a", "b"]
    for step in found["steps"]:
        covered = {sum(end - start for start, end, _ in item["built"]) for item in step["items"]}
        assert len(covered) == 1  # a stack is of items that have translated as many words
    best = max(found["steps"][-1]["items"], key=lambda item: item["score"])
    assert " ".join(said for _, _, said in best["built"]) == found["guess"]
    assert sorted(found["steps"][-1]["goldBuilt"]) and found["methods"]


def test_what_has_no_beams_has_no_film() -> None:
    registry = ModelRegistry()
    forms = ["answer(capital(stateid('texas')))", "answer(capital(stateid('utah')))"] * 2
    registry.add("it", SemanticParser(epochs=1).fit(["capital of texas", "capital of utah"] * 2, forms))
    with pytest.raises(Refused, match="model: semantics leaves a chart of parts, and films are of beams"):
        film({"model": "it", "input": "capital of utah"}, registry, Limits())


@pytest.mark.parametrize("task", learned())
def test_a_lesson_learns_what_fit_learns(task: str) -> None:
    body = {"task": task, "sentences": 25, "epochs": 2, "search": "beam:2", "update": "early"}
    lesson = Lesson(1, wanted(body), lambda: None)
    lesson.run()
    assert [event["kind"] for event in lesson.events if event["kind"] != "point"] == [
        "start",
        "epoch",
        "epoch",
        "end",
    ], lesson.events
    epoch = lesson.events[-2]
    # All updates of early are violations, so that the theorem holds: ‖w‖ ≤ R√t.
    assert epoch["invalid"] == 0 and 0 < epoch["norm"] <= epoch["bound"]
    allowed = [event for event in lesson.events if event.get("most") is not None]
    assert allowed and all(event["updates"] <= event["most"] * (1 + 1e-6) for event in allowed)
    # The history of a weight ends where the weight is; R is the length of an update, and not of the weights.
    assert lesson.watch is not None
    state = {
        tuple(cell): value
        for *cell, value in zip(*(part.tolist() for part in lesson.watch.weights.state()[:3]))
    }
    longest = max(float(np.sqrt(np.square(each[3]).sum())) for each in lesson.watch.log)
    assert lesson.watch.radius == pytest.approx(longest)
    named = lesson.features()
    assert named and all(each["name"] for each in named)
    columns = list(lesson.estimator.account(lesson.shown[0]).columns())
    for each in named[:5]:
        curves = lesson.history(int(each["key"]))
        assert curves and all(label in columns for label in (curve["label"] for curve in curves))
        strongest = max(abs(value) for (key, _), value in state.items() if key == int(each["key"]))
        assert any(abs(curve["points"][-1][1]) == pytest.approx(strongest) for curve in curves)
    play = play_of(task)
    X, y = play.examples(25, 1)
    assert y is not None
    settings = {"search": "beam:2", "update": "early", "learner": "perceptron", "epochs": 2}
    own = estimator_of(task)(**settings | dict(play.settings)).fit(X[5:], y[5:])
    assert [e["epochErrors"] for e in lesson.events if e["kind"] == "epoch"] == [
        e.errors for e in own.history_
    ]
    assert lesson.estimator.predict(X[:5]) == own.predict(X[:5])
    assert epoch["dev"] == own.score(X[:5], y[:5])
    assert lesson.estimator.model_.about["recipe"] == own.model_.about["recipe"]


FILES = {
    "transduction": "phone\tF OW N\nknight\tN AY T\ntip\tT IH P\n" * 3,
    "classification": "x\tgood\ny\tbad thing\nx\tgood thing\n" * 3,
    "segmentation": "1\tGo\t_\t_\t_\t_\t0\troot\t_\tSpaceAfter=No\n2\t.\t_\t_\t_\t_\t1\tx\t_\t_\n\n" * 6,
}


@pytest.mark.parametrize("task", FILES)
def test_a_lesson_reads_the_files_of_its_task(task: str) -> None:
    lesson = Lesson(1, wanted({"task": task, "epochs": 1, "text": FILES[task]}), lambda: None)
    lesson.run()
    assert lesson.events[-1]["kind"] == "end" and lesson.model_bytes(), lesson.events
    bad = Lesson(2, wanted({"task": task, "text": "\x00\n\x00"}), lambda: None)
    bad.run()
    assert bad.events[-1]["kind"] == "error" and play_of(task).formats in bad.events[-1]["error"]


def test_the_exhibit_never_ends_or_converges_as_the_theorems_say() -> None:
    for name in EXAMPLES:
        rows = list(itertools.islice(exhibit(name, "greedy", "standard"), 100))
        assert len(rows) == 100 and rows[-1]["invalid"] > 90 and rows[-1]["norm"] > rows[-1]["bound"]
        *_, last = exhibit(name, "beam:2", "max_violation")
        assert last["over"] and last["right"]
    for row in itertools.islice(exhibit("fruit", "greedy", "early"), 100):
        assert row["valid"] and row["norm"] <= row["bound"] * (1 + 1e-12) and not math.isnan(row["norm"])
    with pytest.raises(Refused, match="exhibit: give example fruit or time"):
        exhibit("nix", "greedy", "standard")


@pytest.fixture(scope="module")
def played(models: Path) -> Iterator[Served]:
    served = Served(
        models / "pos.model", models / "trees.model", "--playground", "--body", 20_000, "--seconds", 4
    )
    try:
        yield served
        served.signal(signal.SIGTERM)  # lessons and exhibits that nobody sees any more do not hold it up
        status, said = served.end()
        assert status == 0 and "Traceback" not in said
    finally:
        served.kill()


def events(served: Served, path: str, most: int = 1000) -> list[dict[str, Any]]:
    """The first server-sent events; then the connection is dropped."""
    found = []
    with contextlib.closing(served.connect()) as connection:
        connection.request("GET", path)
        response = connection.getresponse()
        assert response.status == 200 and response.headers["content-type"].startswith("text/event-stream")
        while len(found) < most and (line := response.readline()):
            if line.startswith(b"data: "):
                found.append(json.loads(line[6:]))
    return found


SLASH = "dogs/N bark/V\ncats/N sleep/V\nthe/D dogs/N bark/V\n" * 3
BAD: list[tuple[str, Any, int, str]] = [
    ("film", [], 422, "body: a list is not possible here"),
    ("film", {"model": "pos"}, 422, "input: null is not possible here"),
    ("film", {"model": "pos", "input": ""}, 413, "input: a film has 1 to 60 words"),
    ("film", {"model": "pos", "input": "a", "gold": ["N", "V"]}, 422, "gold: there must be one tag"),
    ("film", {"model": "pos", "input": "a", "gold": ["zz"]}, 422, "gold: there must be one tag"),
    ("film", {"model": "pos", "input": "a", "search": "beam:1000"}, 422, "search: give one such as beam:4"),
    ("film", {"model": "pos", "input": "a", "search": "nix"}, 422, "search 'nix' is not known"),
    (
        "film",
        {"model": "trees", "input": [["a", "N"]], "gold": {"heads": [7], "relations": ["root"]}},
        422,
        "gold: heads are",
    ),
    (
        "film",
        {"model": "trees", "input": [["a", "N"]], "gold": {"heads": [1], "relations": ["root"]}},
        422,
        "word 1",
    ),
    ("film", b"", 400, "body: it is empty"),
    ("film", '{"model": "pos"}'.encode("utf-16"), 400, "is not UTF-8"),
    ("film", {"model": "pos", "input": "a " * 61}, 413, "input: a film has 1 to 60 words"),
    ("film", {"model": "pos", "input": "a" * 30_000}, 413, "body: more than 20,000 bytes"),
    ("film", {"model": "pos", "input": "a", "gold": {"heads": [0]}}, 422, "gold: an object is not possible"),
    ("film", {"model": "trees", "input": [["a", "N"]], "gold": ["N"]}, 422, "gold: a list is not possible"),
    ("film", {"model": "trees", "input": "dogs"}, 422, "input: the model has no tagger"),
    ("explain", {"model": "nix", "input": "a"}, 404, "model: there is none"),
    ("explain", {"model": "pos"}, 422, "input: null is not possible here"),
    ("explain", {"model": "pos", "input": ["\ud800"]}, 422, "input[0]: half of a surrogate pair"),
    ("explain", {"model": "pos", "input": "a " * 61}, 413, "input: 60 words at most are explained"),
    ("explain", {"model": "pos", "input": "a", "why": 1}, 422, "body: there is no field 'why'"),
    ("explain", b"{", 400, "body: not JSON"),
    ("lessons", {"task": "translation"}, 422, "task: give tagging, parsing, transduction, segmentation or"),
    ("lessons", {"epochs": 10**9}, 422, "epochs: give a whole number from 1 to 100"),
    ("lessons", {"sentences": "all"}, 422, "sentences: give a whole number"),
    ("lessons", {"text": 3}, 422, "text: a number without examples"),
    ("lessons", {"english": 1}, 422, "english: give true or false"),
    ("lessons", {"english": True, "text": "a/N"}, 422, "english: give true or false; true without text"),
    ("lessons", {"task": "transduction", "english": True}, 422, "for a task that has lessons on it"),
    ("lessons", {"search": 3}, 422, "search: a number is not possible here"),
    ("lessons", b"\xff", 400, "body: byte 1 (0xff) is not UTF-8"),
    ("lessons/99/stop", {}, 404, "lesson: there is none of this number"),
    ("lessons/x/stop", {}, 404, "lesson: there is none of this number"),
]


def test_the_routes_and_what_they_refuse(played: Served) -> None:
    state = played.ask("GET", "/play/state").body
    assert [model["name"] for model in state["models"]] == ["pos", "trees"]
    for path, body, status, message in BAD:
        answer = played.ask("POST", f"/play/{path}", body)
        assert answer.status == status and message in answer.body["error"], (path, body, answer)
    assert played.ask("GET", "/play/exhibit?example=nix").status == 422
    assert played.ask("GET", "/").status == 200
    assert played.ask("GET", "/static/../app.py").status == 404
    for name in ("app.js", "beam/view.js", "style.css"):
        page = played.ask("GET", f"/static/{name}")
        assert page.status == 200 and "http://" not in page.body.replace("http://www.w3.org/2000/svg", "")
    rows = events(played, "/play/exhibit?example=fruit", 2)  # which would go on for ever
    assert [row["label"] for row in rows] == ["N N N .", "N V N ."]
    # An uploaded file, its events, its model; and one that is no data.
    begun = played.ask("POST", "/play/lessons", {"text": SLASH, "epochs": 2}).body
    seen = events(played, f"/play/lessons/{begun['lesson']}/events")
    assert seen[0]["train"] == 8 and seen[-1] == {"kind": "end", "stopped": False, "model": begun["model"]}
    assert played.ask("GET", "/play/lessons/98/model").status == 404
    (first, *_) = played.ask("GET", f"/play/lessons/{begun['lesson']}/features").body["features"]
    moved = played.ask("GET", f"/play/lessons/{begun['lesson']}/features/{first['key']}").body["curves"]
    assert moved and moved[0]["points"][0] == [0, 0.0]
    for key, status in (("7", 200), ("x", 404), (str(2**64), 404), ("-1", 404)):
        assert played.ask("GET", f"/play/lessons/{begun['lesson']}/features/{key}").status == status
    with contextlib.closing(played.connect()) as connection:
        connection.request("GET", f"/play/lessons/{begun['lesson']}/model")
        assert connection.getresponse().read()[8:9] == b"{"  # a model file's header
    told = played.predict({"model": begun["model"], "input": "dogs bark"})
    assert told.body["output"]["tags"] == GOLD
    for text, message in (
        ("just words\n", "the file: its first lines"),
        ("1\tdogs\n\n2\n", "give CoNLL-U, columns or word/tag lines"),
    ):
        bad = played.ask("POST", "/play/lessons", {"text": text}).body
        last = events(played, f"/play/lessons/{bad['lesson']}/events")[-1]
        assert last["kind"] == "error" and message in last["error"] and "--" not in last["error"], last
    long = played.ask("POST", "/play/lessons", {"sentences": 2000, "epochs": 100}).body
    (running,) = played.ask("GET", "/play/lessons").body["lessons"]
    assert running["lesson"] == long["lesson"] and running["place"] == 0
    key = {"key": long["key"]}
    assert played.ask("POST", f"/play/lessons/{long['lesson']}/pause", key).body == {"pause": True}
    assert played.ask("POST", f"/play/lessons/{long['lesson']}/fly", key).status == 404
    assert played.ask("GET", f"/play/lessons/{long['lesson']}/model").status == 409
    # Whose training it is not, does not stop it.
    for other in ({}, {"key": begun["key"]}, {"key": 3}, {"key": "ü"}):
        for verb in ("stop", "pause", "step", "resume"):
            denied = played.ask("POST", f"/play/lessons/{long['lesson']}/{verb}", other)
            assert denied.status == 403 and "another page began this training" in denied.body["error"]
    assert "key" not in running
    assert played.ask("POST", f"/play/lessons/{long['lesson']}/stop", key).body == {"stopped": True}
    assert events(played, f"/play/lessons/{long['lesson']}/events")[-1]["stopped"]
    answer = played.ask("POST", "/play/film", {"model": "pos", "input": "a"}, Content_Type="text/plain")
    assert answer.status == 415 and "'text/plain' is not taken here" in answer.body["error"]
    why = played.ask("POST", "/play/explain", {"model": "pos", "input": "dogs bark"}).body["explanation"]
    assert [each["guess"] for each in why["decisions"]] == GOLD


def test_the_playground_outlives_clients_that_are_slow_or_break_off(played: Served) -> None:
    """On the routes that take a body, and on those that go on for ever."""
    made = played.ask("POST", "/play/lessons", {"sentences": 2000, "epochs": 100}).body
    begun = made["lesson"]
    ways = [HEAD.replace(b"/predict", f"/play/{name}".encode()) for name in ("film", "explain", "lessons")]
    with ThreadPoolExecutor() as pool:
        slow = [pool.submit(raw, played, way + b"Content-Length: 100\r\n\r\n{") for way in ways]
        for _ in range(10):
            for way in ways:
                raw(played, way + b"Content-Length: 2\r\n\r\n{}", close=True)
            for path in (f"/play/lessons/{begun}/events", "/play/exhibit"):
                raw(played, f"GET {path} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode(), close=True)
        assert played.predict({"model": "pos", "input": "dogs bark"}).status == 200
    assert all(b" 408 " in each.result() for each in slow)
    played.ask("POST", f"/play/lessons/{begun}/stop", {"key": made["key"]})
    assert events(played, f"/play/lessons/{begun}/events")[-1]["stopped"]


def test_a_classroom_is_open_to_other_machines_and_says_where() -> None:
    served = Served("--classroom", "--token", "a b")
    try:
        assert served.ask("GET", "/").status == 200
        assert served.ask("GET", "/health", Host="teacher.local").status == 200
        assert served.ask("GET", "/play/state").status == 401
        told = [line for line in served.said if line.startswith("for the class: ")]
        assert all(line.endswith(f":{served.port}/#token=a%20b\n") for line in told)
    finally:
        served.kill()
