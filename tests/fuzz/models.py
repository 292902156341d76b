"""Mutated model files and checkpoints: behind a right digest, and with a wrong one."""

from __future__ import annotations

import hashlib
import io
import json
import random
from pathlib import Path
from typing import Any

from structron.cli import info
from structron.cli.face import load
from structron.data import Sentence, archive
from structron.data.pairs import Pair
from structron.data.trees import find_fault
from structron.errors import ModelError, StructronError
from structron.search import parse_search
from tests.fuzz import mutating, subjects
from tests.fuzz.harness import Wrong, check_message

SEARCHES = ("greedy", "beam:3", "beam:2+merge", "exact", "dp:3", "forest", "forest:2")
WAYS = ("own", "own", "info", "kbest", *SEARCHES)

Stored = tuple[dict[str, Any], dict[str, Any]]

_AT, _END = archive._DIGEST_AT, archive._DIGEST_END
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
    return b"".join(bytes(piece) for piece in archive._seal(*archive._layout("input", header, arrays)))


class Models:
    """Loads each file as the commands do, and predicts with it where that works."""

    def __init__(self, folder: Path) -> None:
        self.models = list(subjects.models(folder).values())
        self.checkpoints = list(subjects.checkpoints(folder).values())
        self.stored = [self._read(folder, data) for data in self.models]
        self.stored_checkpoints = [self._read(folder, each.data) for each in self.checkpoints]
        self.headers = [header for header, _ in self.stored]
        self.arrays = [array for _, arrays in self.stored for array in arrays.values()]
        self.sentences = subjects.corpus(folder, "conllu")[:2]
        self.rows = subjects.corpus(folder, "columns")[:1]
        self.pairs = [Pair("phoneX", ()), Pair("PHOTO", ("F",))]

    @staticmethod
    def _read(folder: Path, data: bytes) -> Stored:
        path = folder / "subject"
        path.write_bytes(data)
        header, arrays = archive.read_archive(path)
        return header, {name: array.copy() for name, array in arrays.items()}

    def input(self, rng: random.Random) -> tuple[bytes, str, Any]:
        """One file in ten is a checkpoint: to go on from one takes longest."""
        checkpoint = rng.randrange(10) == 0
        of = rng.randrange(len(self.checkpoints if checkpoint else self.models))
        data = self.checkpoints[of].data if checkpoint else self.models[of]
        stored = (self.stored_checkpoints if checkpoint else self.stored)[of]
        way = rng.randrange(10)
        if way < 6:
            made = self._structured(rng, stored)
        elif way < 8:
            made = self._described(rng, data)
        else:
            made = mutating.change_bytes(rng, data, _SNIPPETS)
            made = sealed(made) if way == 8 else made
        return made, ".model", (of if checkpoint else None, rng.choice(WAYS))

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
            found[rng.choice(("keys", "x", "dictionary.keys", "tagger.upos/keys", "a/b"))] = found.pop(name)
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

    def attempt(self, path: Path, chosen: Any) -> str:
        """Load it; where that works, describe it and predict."""
        checkpoint, way = chosen
        if checkpoint is not None:
            return self._resume(path, checkpoint)
        try:
            face, estimator = load(str(path))
        except StructronError as error:
            check_message(error, str(path))
            return "refused"
        if way == "info":
            "\n".join(info._page(info._about(str(path)))).encode()
        try:
            items = self._items(estimator)
            # Exact search takes the cube of the tags, of which a file may rightly say that there are many.
            if way in SEARCHES and (way != "exact" or estimator.model_.task.weight_columns < 100):
                estimator.model_.search = parse_search(way)
            if way != "info":
                self._check(estimator, items)
            if isinstance(items[0], Sentence | Pair):
                face.write(face.predicted(estimator, items, 3 if way == "kbest" else None), io.BytesIO())
        except StructronError as error:
            check_message(error, "")
            return "loaded, refused to predict"
        return "predicted"

    def _items(self, estimator: Any) -> list[Any]:
        task = estimator.model_.task
        if task.kind == "transduction":
            return self.pairs
        if task.kind == "segmentation":
            return ["She saw it. Dogs bark", "It.\n\n3 \ud800"]
        if getattr(task, "ready", False):
            return subjects.READY
        return self.rows if task.kind == "tagging" and task.columns > 1 else self.sentences

    @staticmethod
    def _check(estimator: Any, items: list[Any]) -> None:
        """Whatever the weights are, outputs are whole: a label for each token, and trees that are trees."""
        task = estimator.model_.task
        for item, found in zip(items, estimator.predict(items), strict=True):
            if task.kind == "segmentation":
                forms = "".join(form for sentence in found for form in sentence.forms)
                if "".join(forms.split()) != "".join(item.split()):
                    raise Wrong(f"{item!r} became {forms!r}")
            if task.kind == "tagging" and len(found) != len(item):
                raise Wrong(f"{len(found)} labels for {len(item)} tokens")
            if (
                task.kind == "parsing"
                and found.heads
                and (fault := find_fault(found.heads, one_root=task.single_root))
            ):
                raise Wrong(f"{found.heads} is no tree: {fault}")

    def _resume(self, path: Path, checkpoint: int) -> str:
        try:
            self.checkpoints[checkpoint].resume(str(path))
        except StructronError as error:
            check_message(error, str(path))
            return "checkpoint refused"
        return "checkpoint resumed"
