"""A lesson: a training that is watched example by example."""

from __future__ import annotations

import secrets
import tempfile
import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from structron.errors import StructronError
from structron.fit import Learning, Packed
from structron.registry import estimator_of
from structron.serve.json_forms import Json, kind_of
from structron.serve.play.english import sentences
from structron.serve.play.task_play import learned, play_of
from structron.serve.play.watch import Watch
from structron.serve.refusals import UNFIT, Refused
from structron.serve.requests import fields_of

FIELDS = ("task", "text", "english", "sentences", "search", "update", "learner", "epochs", "seed")
SENTENCES, EPOCHS, WIDEST = 2000, 100, 64
NAMED = 20  # examples whose features can be watched


@dataclass(frozen=True)
class Wanted:
    """The choices for a lesson.

    Attributes
    ----------
    text
        An uploaded file; None for examples that are made up.
    english
        Real English instead of either.
    """

    task: str
    text: str | None
    english: bool
    sentences: int
    epochs: int
    seed: int
    settings: dict[str, str]


def wanted(value: Json) -> Wanted:
    """Return the lesson that the body of ``POST /play/lessons`` asks for."""
    value = fields_of(value, FIELDS)
    tasks, text = learned(), value.get("text")
    task = value.get("task", tasks[0])
    if task not in tasks:
        raise Refused(UNFIT, f"task: give {', '.join(tasks[:-1])} or {tasks[-1]}")
    if text is not None and (not isinstance(text, str) or not text.strip()):
        raise Refused(UNFIT, f"text: {kind_of(text)} without examples; {play_of(task).formats}")
    english = value.get("english", False)
    if type(english) is not bool or (english and (text is not None or play_of(task).english is None)):
        raise Refused(
            UNFIT, "english: give true or false; true without text, for a task that has lessons on it"
        )
    numbers = {
        name: _whole(name, value.get(name, usual), least, most)
        for name, usual, least, most in (
            ("sentences", 200, 1, SENTENCES),
            ("epochs", 10, 1, EPOCHS),
            ("seed", 0, 0, 2**31),
        )
    }
    settings = {}
    for name, usual in (("search", "beam:4"), ("update", "max_violation"), ("learner", "perceptron")):
        settings[name] = value.get(name, usual)
        if not isinstance(settings[name], str):
            raise Refused(UNFIT, f"{name}: {kind_of(settings[name])} is not possible here; give a name")
    return Wanted(task, text, english, **numbers, settings=settings)


def _whole(name: str, value: Json, least: int, most: int) -> int:
    if type(value) is not int or not least <= value <= most:
        raise Refused(UNFIT, f"{name}: give a whole number from {least} to {most}")
    return int(value)


class Stopped(Exception):
    """Somebody has seen enough."""


@dataclass(eq=False)
class Lesson:
    """A training, its events so far, and its end.

    Attributes
    ----------
    events
        What has been seen, for those who come later too; a thread appends, others only read.
    key
        What its page proves itself by. Numbers can be guessed, and only who began a lesson may stop it.
    watch
        Its curves, once it learns.
    shown
        The first inputs, whose features have names.
    """

    number: int
    wanted: Wanted
    notify: Callable[[], None]
    events: list[dict[str, Any]] = field(default_factory=list)
    estimator: Any = None
    is_over: bool = False
    key: str = field(default_factory=lambda: secrets.token_urlsafe(16))
    watch: Watch | None = None
    shown: Any = ()
    _stop: threading.Event = field(default_factory=threading.Event)
    _paused: threading.Event = field(default_factory=threading.Event)
    _steps: threading.Semaphore = field(default_factory=lambda: threading.Semaphore(0))

    @property
    def name(self) -> str:
        """The name of its model."""
        return f"lesson-{self.number}"

    def stop(self) -> None:
        """End it soon, and keep what was learned."""
        self._stop.set()

    def pause(self) -> None:
        """Hold it before the next example; `step` lets one through, `resume` all."""
        self._paused.set()

    def step(self) -> None:
        """Learn from one example, and hold again."""
        self._paused.set()
        self._steps.release()

    def resume(self) -> None:
        """Go on."""
        self._paused.clear()

    def tell_place(self, place: int) -> None:
        """Tell those who watch how many are before it in the queue."""
        self._tell({"kind": "queue", "place": place})

    def give_up(self) -> None:
        """End it before it has begun."""
        self.is_over = True
        self._tell({"kind": "end", "stopped": True, "model": None})

    def run(self) -> None:
        """Learn, in a thread."""
        try:
            self._learn()
            model = None if self.estimator is None else self.name
            self._tell({"kind": "end", "stopped": self._stop.is_set(), "model": model})
        except (StructronError, Refused) as error:
            self._tell({"kind": "error", "error": str(error)})
        except Exception:
            self._tell({"kind": "error", "error": "the training failed; please report it"})
        finally:
            self.is_over = True
            if self.watch is not None:
                self.watch.forget()
            self.notify()

    def features(self) -> list[Json]:
        """Return the features of some examples that have weights now, those with the greatest first."""
        if self.estimator is None or self.watch is None:
            return []
        names: dict[int, str] = {}
        for x in self.shown:
            names |= {each.key: each.name for each in self.estimator.account(x).features()}
        return [{"key": str(key), "name": names[key]} for key in self.watch.greatest(names)]

    def history(self, key: int) -> list[Json]:
        """Return how the weights of a feature moved, for each label that it speaks for or against."""
        if self.estimator is None or self.watch is None or not len(self.shown):
            return []
        return self.watch.history(key, self.estimator.account(self.shown[0]).columns())

    def model_bytes(self) -> bytes:
        """Return the model's file."""
        with tempfile.TemporaryDirectory() as folder:
            place = Path(folder) / "lesson.model"
            self.estimator.save(place)
            return place.read_bytes()

    def _tell(self, event: dict[str, Any]) -> None:
        self.events.append(event)
        self.notify()

    def _hold(self, example: dict[str, Any]) -> None:
        """Say which example comes next, and wait until somebody lets it through."""
        self._tell({"kind": "paused", "model": self.name} | example)
        while self._paused.is_set() and not self._stop.is_set() and not self._steps.acquire(timeout=0.1):
            pass

    def _learn(self) -> None:
        play = play_of(self.wanted.task)
        given, most = self.wanted.text, self.wanted.sentences
        if self.wanted.english:
            X, y = play.analysed(sentences(most))
        else:
            X, y = play.examples(most, self.wanted.seed + 1) if given is None else play.read(given, most)
        cut = max(1, len(X) // 5) if len(X) > 1 else 0
        train = X[cut:], None if y is None else y[cut:]
        dev = X[:cut], None if y is None else y[:cut]
        kind: Any = estimator_of(self.wanted.task)
        own = {"epochs": self.wanted.epochs, "seed": self.wanted.seed}
        usual: Any = play.english if self.wanted.english else play.settings
        estimator = kind(**{**self.wanted.settings, **usual, **own})
        _check_width(estimator)
        plan: Any = estimator.plan(*train)
        learning = Learning.start(plan.task, plan.recipe)
        corpus = learning.pack(plan.examples.xs, plan.examples.ys, plan.examples.place)
        live = learning.learner(corpus)
        self._tell({"kind": "start", "train": len(train[0]), "dev": cut, "settings": self.wanted.settings})
        chosen = plan.recipe.learner_choice, self.wanted.settings["update"]
        watch = self.watch = Watch(learning, *chosen, corpus.sentences * self.wanted.epochs)
        self.shown = train[0][:NAMED]
        rng = np.random.default_rng(self.wanted.seed)
        for epoch in range(1, self.wanted.epochs + 1):
            order = np.arange(corpus.sentences, dtype=np.uint32)
            rng.shuffle(order)
            counts = np.zeros(6, np.int64)
            for i in range(len(order)):
                is_step = self._paused.is_set()
                if is_step:  # what is shown of a held training is the model as it would be saved
                    self.estimator = estimator.finished(plan, learning, Packed.of(corpus))
                    self._hold(play.shown(*_pair(train, plan.examples, int(order[i]))))
                if self._stop.is_set():
                    break
                made = live.run(order[i : i + 1], 1, 1)
                counts += made
                if (point := watch.example(made, is_step)) is not None:
                    self._tell(point)
            self.estimator = estimator.finished(plan, learning, Packed.of(corpus))
            score = self.estimator.score(*dev) if cut else None
            _, _, errors, updates, invalid, early = (int(count) for count in counts)
            self._tell(
                watch.point()
                | {
                    "kind": "epoch",
                    "epoch": epoch,
                    "epochErrors": errors,
                    "epochUpdates": updates,
                    "epochInvalid": invalid,
                    "early": early,
                    "dev": score,
                }
            )
            if self._stop.is_set() or not updates:
                break


def _pair(train: tuple[Any, Any], examples: Any, i: int) -> tuple[Any, Any]:
    """Return an example as people gave it, or as the engine has it if some were left out."""
    X, y = train
    if y is not None and len(X) == len(examples.xs):
        return X[i], y[i]
    return examples.xs[i], None if examples.ys is None else examples.ys[i]


def _check_width(estimator: Any) -> None:
    """Refuse a search that would keep the whole machine busy."""
    width = estimator.recipe.search_choice.width
    if width is not None and width > WIDEST:
        raise Refused(UNFIT, f"search: at most {WIDEST} items in front of a class; give fewer")
