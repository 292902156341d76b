"""Mutated model files and checkpoints: behind a right digest, and with a wrong one."""

from __future__ import annotations

import hashlib
import io
import json
import random
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import structron
from structron.cli.commands import info, predict
from structron.cli.files import streams
from structron.cli.task_cli import Reading
from structron.errors import ModelError, StructronError
from structron.io import Report
from structron.io.files.streams import writing
from structron.io.model_file import archive
from structron.io.model_file.header import DIGEST_AT, DIGEST_END
from structron.io.values.trees import find_fault
from structron.model import Model
from structron.registry import cli_of, trained
from structron.search import parse_search
from tests.fuzz import mutating, subjects, texts, unfinished
from tests.fuzz.harness import Wrong, check_message

SEARCHES = (
    "greedy", "beam:3", "beam:2+merge", "exact", "dp:3", "forest", "forest:2", "forest:3+swaps", "mst",
    "beam:3+merge+by_class",
)  # fmt: skip
WAYS = ("own", "own", "own", "info", "kbest", "kbest", "evaluate", "explain", "save", "searched", "searched")
# What a model of each kind is used on if its file does not say another than it was made for.
USUAL = {
    "tagging": "slash", "parsing": "conllu", "transduction": "tsv", "translation": "source",
    "segmentation": "raw", "semantics": "questions", "classification": "documents", "pipeline": "raw",
}  # fmt: skip
GOLD = {"segmentation": "conllu", "pipeline": "conllu"}  # what it is scored on, if it is another text

NAMES = (
    "keys", "x", "dictionary.keys", "tagger.upos/keys", "a/b", "known.keys", "upos/weights", "features.keys",
    "mistakes.votes", "dense", "pruner_weights",
)  # fmt: skip

Stored = tuple[dict[str, Any], dict[str, Any]]

_AT, _END = DIGEST_AT, DIGEST_END
_SNIPPETS = (
    *(word.encode("utf-8", "replace") for word in mutating.WORDS), b'"', b"{}", b"[]", b",", b":", b"null",
    b'"F32"', b'"U64"', b"[0,0]", b'"__metadata__":{', b"1e999", b"-0",
)  # fmt: skip


def sealed(data: bytes) -> bytes:
    """The same bytes with the digest that they should have."""
    if len(data) < _END:
        return data
    digest = hashlib.sha256(data[:_AT] + b"0" * 64 + data[_END:]).hexdigest()
    return data[:_AT] + digest.encode() + data[_END:]


def packed(header: dict[str, Any], arrays: dict[str, Any]) -> bytes:
    """A model file as the library writes it."""
    return archive.archive_bytes(header, arrays, "input")


class Chosen(NamedTuple):
    """Which model or checkpoint a file was made of, and what is done with it."""

    of: int
    checkpoint: bool
    way: str
    search: int  # which of those that the task has; -1 for one that few have


class Models:
    """Loads each file as the commands do, and uses it where that works.

    Parameters
    ----------
    folder
        Has the texts, as long as the campaign lasts.
    only
        The beginnings of the names of what is mutated; all if there are none.
    """

    def __init__(self, folder: Path, only: Sequence[str] = ()) -> None:
        self.models = list(subjects.models(folder, only).values())
        self.checkpoints = list(unfinished.checkpoints(folder, only).values())
        self.stored = [self._read(folder, each.data) for each in self.models]
        self.stored_checkpoints = [self._read(folder, each.data) for each in self.checkpoints]
        self.headers = [header for header, _ in self.stored]
        self.arrays = [array for _, arrays in self.stored for array in arrays.values()]
        self.paths: dict[str, str] = {}
        for name, (text, suffix) in texts.TEXTS.items():
            path = folder / f"{name}{suffix}"
            path.write_text(text)
            self.paths[name] = str(path)

    @staticmethod
    def _read(folder: Path, data: bytes) -> Stored:
        path = folder / "subject"
        path.write_bytes(data)
        header, arrays = archive.read_archive(path)
        return header, {name: array.copy() for name, array in arrays.items()}

    def input(self, rng: random.Random) -> tuple[bytes, str, Chosen]:
        """One file in ten is a checkpoint: to go on from one takes longest."""
        checkpoint = bool(self.checkpoints) and rng.randrange(10) == 0
        of = rng.randrange(len(self.checkpoints if checkpoint else self.models))
        data = self.checkpoints[of].data if checkpoint else self.models[of].data
        stored = (self.stored_checkpoints if checkpoint else self.stored)[of]
        way = rng.randrange(10)
        if way < 6:
            made = self._structured(rng, stored)
        elif way < 8:
            made = self._described(rng, data)
        else:
            made = mutating.change_bytes(rng, data, _SNIPPETS)
            made = sealed(made) if way == 8 else made
        return made, ".model", Chosen(of, checkpoint, rng.choice(WAYS), rng.randrange(-1, 20))

    def _structured(self, rng: random.Random, stored: Stored) -> bytes:
        """Another header or other arrays, in a file that is well-formed."""
        header, arrays = stored
        for _ in range(rng.choice((1, 1, 1, 2, 3))):
            if rng.random() < 0.5 or not arrays:
                header = mutating.change_inside(rng, header, self.headers)
            else:
                arrays = self._other_arrays(rng, arrays)
        if not isinstance(header, dict):
            header = {"kind": header}
        try:
            return packed(header, arrays)
        except ModelError:  # what cannot be written, such as a name that is not text
            return packed(stored[0], arrays)

    def _other_arrays(self, rng: random.Random, arrays: dict[str, Any]) -> dict[str, Any]:
        found = dict(arrays)
        name = rng.choice(list(found))
        what = rng.randrange(10)
        if what == 0:
            del found[name]
        elif what == 1:
            found[rng.choice(NAMES)] = found.pop(name)
        elif what == 2:
            found[name] = rng.choice(self.arrays)
        elif what == 3:
            other = rng.choice(list(found))
            found[name], found[other] = found[other], found[name]
        else:
            found[name] = mutating.change_array(rng, found[name])
        return found

    @staticmethod
    def _described(rng: random.Random, data: bytes) -> bytes:
        """Another description of the arrays: types, shapes, offsets, or the text of it; rightly sealed."""
        length = int.from_bytes(data[:8], "little")
        text, rest = data[8 : 8 + length], data[8 + length :]
        if rng.random() < 0.6:
            entries = json.loads(text)
            name = rng.choice([n for n in entries if n != "__metadata__"])
            entries[name] = mutating.change_inside(rng, entries[name], [entries])
            metadata = entries.pop("__metadata__")
            head = json.dumps(metadata, separators=(",", ":"), sort_keys=True)
            text = f'{{"__metadata__":{head},{json.dumps(entries)[1:]}'.encode()
            text += b" " * (-(8 + len(text)) % 64)
        else:
            at = rng.randrange(_END - 8, len(text))
            text = text[:at] + mutating.change_bytes(rng, text[at:], _SNIPPETS)
        size = len(text) if rng.random() < 0.95 else rng.choice(mutating.NUMBERS) % 2**64
        return sealed(size.to_bytes(8, "little") + text + rest)

    def attempt(self, path: Path, chosen: Chosen) -> str:
        """Load it; where that works, use it."""
        if chosen.checkpoint:
            return self._resume(path, chosen.of)
        try:
            # As the commands do it, and for what has no command as a program does.
            estimator = structron.load(str(path))
        except StructronError as error:
            check_message(error, str(path))
            return "refused"
        try:
            self._use(path, estimator, chosen)
        except StructronError as error:
            check_message(error, "")
            return "loaded, refused to predict"
        return f"{chosen.way}: done"

    def _use(self, path: Path, estimator: Any, chosen: Chosen) -> None:
        kind, way, model = estimator.kind, chosen.way, estimator.model_
        cli = cli_of(kind) if kind in trained() else None
        subject = self.models[chosen.of]
        if way == "info" and cli is not None:
            "\n".join(info.page_of(info.about_model(str(path)))).encode()
        if way == "searched":
            own = [name for name in SEARCHES if parse_search(name).kind in model.task.searches]
            search = own[chosen.search % len(own)] if own and chosen.search >= 0 else "dp:3"
            # Exact search takes the cube of the tags, of which a file may rightly say that there are many.
            if search != "exact" or model.task.weight_columns < 100:
                model.search = parse_search(search)
        if way == "save":
            self._save(model)
        name = subject.text if subject.kind == kind else USUAL.get(kind)
        if name is None or cli is None:
            items: Any = subject.inputs if subject.kind == kind else subjects.PLAIN
            self._check(estimator, items)
            if way == "kbest" and hasattr(estimator, "predict_kbest"):
                estimator.predict_kbest(items, 3)
            return
        reading = Reading(is_gold=way == "evaluate", blanks=way != "evaluate")
        if way == "evaluate":
            items = self._gold(cli, estimator, GOLD.get(kind, name), reading)
            cli.measured(cli.measure(estimator, items, 3))
            return
        with streams.opened(self.paths[name]) as (_, stream):
            items = list(cli.read(estimator, stream, reading, Report()))
        if way == "explain":
            estimator.explain(_explained(items[0], kind))
            return
        if kind in ("tagging", "parsing"):
            self._check(estimator, items)
        elif kind == "segmentation":
            self._check(estimator, [getattr(item, "text", "She saw it.") for item in items])
        with writing(io.BytesIO()) as put:
            cli.write(cli.predicted(estimator, items, 3 if way == "kbest" else None), predict._Text(put))

    def _gold(self, cli: Any, estimator: Any, name: str, reading: Reading) -> list[Any]:
        if cli.sides:
            places = (self.paths["source"], self.paths["target"])
            return list(cli.labelled(places, reading, Report(), estimator.recipe.as_dict()))
        with streams.opened(self.paths[name]) as (_, stream):
            return list(cli.read(estimator, stream, reading, Report()))

    @staticmethod
    def _save(model: Any) -> None:
        """What was loaded can be saved, and what is saved can be loaded and is the same."""
        data = model.to_bytes()
        if Model.from_bytes(data).to_bytes() != data:
            raise Wrong("a model is another when it is saved and loaded")

    @staticmethod
    def _check(estimator: Any, items: Sequence[Any]) -> None:
        """Whatever the weights are, outputs are whole: a label for each token, and trees that are trees."""
        task = estimator.model_.task
        for item, found in zip(items, estimator.predict(items), strict=True):
            if task.kind == "segmentation":
                forms = "".join(form for sentence in found for form in sentence.forms)
                if "".join(forms.split()) != "".join(item.split()):
                    raise Wrong(f"{item!r} became {forms!r}")
            if task.kind in ("tagging", "lemmatisation") and len(found) != len(item):
                raise Wrong(f"{len(found)} labels for {len(item)} tokens")
            if (
                task.kind == "parsing"
                and found.heads
                and (fault := find_fault(found.heads, one_root=task.single_root))
            ):
                raise Wrong(f"{found.heads} is not a tree: {fault}")

    def _resume(self, path: Path, checkpoint: int) -> str:
        try:
            self.checkpoints[checkpoint].resume(str(path))
        except StructronError as error:
            check_message(error, str(path))
            return "checkpoint refused"
        return "checkpoint resumed"


def _explained(item: Any, kind: str) -> Any:
    """What `explain` of an estimator takes of an item."""
    if kind == "classification":
        return item.content
    if kind == "translation":
        return " ".join(item.sides[0])
    if kind in ("segmentation", "pipeline") and hasattr(item, "text"):
        return item.text
    if kind == "pipeline":
        return item.words()
    return item
