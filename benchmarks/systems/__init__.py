"""The systems compared, all behind the same few verbs."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path
from typing import Any, Protocol

from corpora import Split, Tags, Task, Tokens


class Unavailable(Exception):
    """The system cannot run here, or not on this task; the message says why in one line."""


@dataclass
class Training:
    """What one training cost: CPU seconds of each epoch, and the epoch that was best on the dev set.

    A system that keeps its epochs to itself gives their `count`; `shared` says that another has trained.
    """

    epochs: list[float]
    best_epoch: int | None = None
    count: int = 0
    shared: bool = False
    notes: list[str] = field(default_factory=list)


class System(Protocol):
    """One tagger. Times are taken by the caller, except those of single epochs, which only it can see."""

    name: str
    version: str
    settings: str
    remembers: bool  # whether tagging a word leaves something behind that makes its next visit cheaper
    retrain: int  # epochs of the short trainings that are repeated for their time; 0: too slow to repeat

    def train(self, train: Split, dev: Split | None, epochs: int | None = None) -> Training: ...

    def save(self, path: Path) -> Path: ...

    def load(self, path: Path) -> None: ...

    def tag(self, inputs: Tokens) -> Tags: ...

    def prepare(self, inputs: Tokens) -> Any: ...  # None where decoding cannot be told from the rest

    def decode(self, prepared: Any) -> Any: ...  # CPU seconds (a float) by a clock of its own, or anything


# name -> (module, arguments of its `make`); modules are imported by the one process that needs them.
SYSTEMS: dict[str, tuple[str, dict[str, Any]]] = {
    "structron": ("structron_tagger", {"configuration": "default"}),
    "structron-dev": ("structron_tagger", {"configuration": "dev"}),
    "structron-exact": ("structron_tagger", {"configuration": "exact"}),
    "structron-beam1": ("structron_tagger", {"configuration": "beam1"}),
    "crfsuite-ap": ("crfsuite", {"algorithm": "ap"}),
    "crfsuite-pa": ("crfsuite", {"algorithm": "pa"}),
    "crfsuite-lbfgs": ("crfsuite", {"algorithm": "lbfgs"}),
    "nltk": ("nltk_tagger", {}),
    "vw-search": ("vw", {}),
    "structron-rich": ("structron_parser", {"configuration": "rich"}),
    "structron-rich-case": ("structron_parser", {"configuration": "rich-case"}),
    "structron-rich-greedy": ("structron_parser", {"configuration": "rich-greedy"}),
    "structron-fast": ("structron_parser", {"configuration": "fast"}),
    "structron-fast-case": ("structron_parser", {"configuration": "fast-case"}),
    "structron-fast-within": ("structron_parser", {"configuration": "fast-within"}),
    "structron-fast-greedy": ("structron_parser", {"configuration": "fast-greedy"}),
    "structron-graph": ("structron_parser", {"configuration": "graph"}),
    "structron-graph-exact": ("structron_parser", {"configuration": "graph-exact"}),
    "structron-combined": ("structron_parser", {"configuration": "combined"}),
    "structron-combined-arcs": ("structron_parser", {"configuration": "combined-arcs"}),
    "udpipe": ("udpipe", {"beam": 0}),
    "udpipe-beam5": ("udpipe", {"beam": 5}),
    "spacy": ("spacy_parser", {}),
}
PARSERS = tuple(
    name for name, (module, _) in SYSTEMS.items() if module in ("structron_parser", "udpipe", "spacy_parser")
)


def takes(name: str, task: Task) -> bool:
    """Return whether a system is one for this task: taggers tag, parsers parse."""
    return (name in PARSERS) == (task.metric == "LAS")


def make(name: str, task: Task, scratch: Path) -> System:
    """Build the system called `name` for a task; `scratch` is a folder it may fill."""
    module, arguments = SYSTEMS[name]
    builder: Callable[..., System] = import_module(f"systems.{module}").make
    return builder(name, task, scratch, **arguments)


def require(module: str, package: str) -> Any:
    """Import a peer, or say in one line what to install."""
    try:
        return import_module(module)
    except ImportError as error:
        raise Unavailable(f"{package} cannot be imported ({error}); pip install -e '.[bench]'") from error
