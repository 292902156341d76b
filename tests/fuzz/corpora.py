"""Mutated corpora of every format: read, predicted on, evaluated on and learned from, as commands do it."""

from __future__ import annotations

import gzip
import io
import random
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from structron.alignment.pairs import Aligner
from structron.cli.commands import predict
from structron.cli.files import streams
from structron.cli.task_cli import Reading, ReadingMore, extra_settings
from structron.errors import SettingError, StructronError
from structron.io import Report
from structron.io.files.streams import writing
from structron.io.formats.aligned_pairs import read_aligned
from structron.io.formats.arpa import read_arpa
from structron.io.formats.clusters import read_clusters
from structron.io.formats.pharaoh import read_links
from structron.model import Model
from structron.registry import cli_of, trained
from structron.settings import settings_of
from structron.tasks.semantics.inputs import grammar_of
from structron.tasks.semantics.language.gazetteer import Gazetteer
from tests.fuzz import mutating, subjects, texts
from tests.fuzz.harness import check_message

NO_FORMAT = (None,) * 5  # most formats are told by looking
FORMATS = (
    "conllu", "columns", "slash", "text", "tsv", "counted", "cmudict", "csv", "jsonl", "svmlight"
)  # fmt: skip
OWN = {"blanks": "columns", "raw": "text", "documents": "tsv", "questions": "tsv", "source": "text"}
# What is read from a text: some task's examples, or something that trainings take besides.
KINDS = {
    "conllu": ("tagging", "tagging", "parsing", "parsing", "segmentation", "pipeline"),
    "columns": ("tagging",),
    "blanks": ("tagging",),
    "slash": ("tagging",),
    "text": ("tagging", "segmentation", "translation"),
    "raw": ("segmentation", "pipeline"),
    **dict.fromkeys(("tsv", "counted", "cmudict"), ("transduction",)),
    **dict.fromkeys(("documents", "csv", "jsonl", "svmlight"), ("classification",)),
    "questions": ("semantics",),
    "source": ("translation",),
    "target": ("translation",),
}
NO_NAMES = (None,) * 30  # most files are read without names for their columns
SNIPPETS = (
    *(word.encode("utf-8", "surrogatepass") for word in mutating.WORDS),
    b"\r\n", b"\r", b"\n\n", b"\t", b"\t\t", b" ", b"\0", b"\x0b", b"\x0c", b"\x1c", b"\x85", b"\xc2\x85",
    b"\xef\xbb\xbf", b"\xff\xfe", b"\x1f\x8b", b"\xc3", b"\xed\xa0\x80", b"\xf4\x90\x80\x80", b"\xe2\x80\xa8",
    b"1-1\t", b"2-1\t", b"1.1\t", b"999999999999\t", b"-1\t", b"\n# x\n", b"#", b"x/y", b"/", b"//", b"\\/",
    b"(2)", b";;;", b"x}y", b"|", b"\\", "\u0e33\u0300\u200d".encode(), "\u1100\u1161\u11a8".encode(),
    b"\tB-X\n", b"\tI-X\n", b'"', b'""', b",", b'{"label":', b'"text": null', b"[", b"]}", b"1:1e999",
    b"0:nan", b":",
    b"(", b")", b"f(", b"'", b" -> ", b"\\end\\", b"\\data\\", b"ngram 9=9", b"ngram 2=99999999", b"-inf",
    b"0-99999999999 ", b"1-", b"<s>", b"</s>",
)  # fmt: skip
TRAINED: dict[str, dict[str, Any]] = {
    "parsing": {"templates": subjects.PARSE_TEMPLATES},
    "translation": subjects.FEW | {"templates": "rules"},
    "pipeline": {"folds": 2, "prefer": "speed"},
}


def _read_aligned(path: Path) -> None:
    pieces = list(read_aligned(path))
    sources = ["".join(s for source, _ in line for s in source) for line in pieces]
    targets = [[t for _, target in line for t in target] for line in pieces]
    Aligner(iterations=2).align(list(zip(sources, targets)))


LONGEST = 150  # words of a question: its chart takes the cube of them, as it must

# What is read besides examples.
READERS: dict[str, Callable[[Path], object]] = {
    "aligned": _read_aligned,
    "links": read_links,
    "grammar": grammar_of,
    "names": Gazetteer.read,
    "clusters": read_clusters,
    "arpa": read_arpa,
}


class Chosen(NamedTuple):
    """What is done with a file."""

    way: str
    model: int
    reading: Reading
    kbest: int | None
    side: int  # of files side by side, which one it is


class Corpora:
    """Texts are mutated by byte, by line and by field; packed ones also before they are packed."""

    def __init__(self, folder: Path, only: Sequence[str] = ()) -> None:
        self.texts = {
            name: text for name, text in texts.texts().items() if not only or name.removesuffix(".gz") in only
        }
        self.names = list(self.texts)
        self.models: list[tuple[Any, Any]] = []
        self.kinds: dict[str, list[int]] = {kind: [] for kind in trained()}
        self.sides = folder / "source.src", folder / "target.tgt"
        for side, text in zip(self.sides, (texts.SOURCE, texts.TARGET)):
            side.write_text(text)
        for name, subject in subjects.models(folder).items():
            if subject.kind not in self.kinds:
                continue  # no command reads files for it
            path = folder / f"{name}.model"
            path.write_bytes(subject.data)
            model = Model.load(path)
            cli = cli_of(model.task.kind)
            self.kinds[model.task.kind].append(len(self.models))
            self.models.append((cli, cli.estimator.of_model(model, str(path))))

    # ------------------------------------------------------------------------------------------ making

    def input(self, rng: random.Random) -> tuple[bytes, str, Chosen]:
        """A corpus, and what is to be done with it: most often what its format is for."""
        name = rng.choice(self.names)
        data, suffix = self.texts[name]
        if name.endswith(".gz") and rng.random() < 0.6:
            made = self._packed(rng, self._changed(rng, self.texts[name.removesuffix(".gz")][0]))
        else:
            made = self._changed(rng, data)
        if rng.random() < 0.15:
            suffix = rng.choice((".conllu", ".tsv", ".txt", ".dict", ".iob", "", ".gz"))
        plain = name.removesuffix(".gz")
        kind = rng.choice(list(self.kinds))
        if plain in KINDS and rng.random() < 0.85:
            kind = rng.choice(KINDS[plain])
        ways = ("predict",) * 11 + ("evaluate",) * 4 + ("labelled",) * 4 + ("learn",)
        way = rng.choice(ways) if plain not in READERS or rng.random() < 0.3 else plain
        format = rng.choice((*NO_FORMAT, *NO_FORMAT, OWN.get(plain, plain), rng.choice(FORMATS)))
        names: Any = rng.choice(
            (*NO_NAMES, ["form", "label"], {"form": 0, "label": -1}, {"form": 3, "label": 9})
        )
        reading = Reading(
            format if format in FORMATS else None,
            names,
            rng.random() < 0.4,
            is_gold=way == "evaluate",
            blanks=way == "predict",
            start=rng.choice((None, None, "text", "words", "tags")) if kind == "pipeline" else None,
        )
        kbest = rng.choice((None, None, None, 3))
        model = rng.choice(self.kinds[kind])
        return made, suffix, Chosen(way, model, reading, kbest, int(plain == "target"))

    def _changed(self, rng: random.Random, data: bytes) -> bytes:
        for _ in range(rng.choice((1, 1, 2, 3))):
            what = rng.randrange(8)
            if what < 2:
                data = mutating.change_bytes(rng, data, SNIPPETS)
            elif what < 4:
                data = self._other_lines(rng, data)
            elif what < 7:
                data = self._other_field(rng, data)
            else:
                data = self._other_whole(rng, data)
        return data

    def _other_lines(self, rng: random.Random, data: bytes) -> bytes:
        lines = data.split(b"\n")
        at = rng.randrange(len(lines))
        what = rng.randrange(6)
        if what == 0:
            del lines[at]
        elif what == 1:
            lines.insert(rng.randrange(len(lines) + 1), lines[at])
        elif what == 2:
            rng.shuffle(lines)
        elif what == 3:
            other = self.texts[rng.choice(self.names)][0].split(b"\n")
            lines[at : at + rng.randrange(3)] = other[: rng.randrange(1, 4)]
        elif what == 4:
            lines[at] = b""
        else:
            lines[at] = lines[at] * rng.choice((2, 20, 200))
        return b"\n".join(lines)

    @staticmethod
    def _other_field(rng: random.Random, data: bytes) -> bytes:
        lines = data.split(b"\n")
        at = rng.randrange(len(lines))
        separator = b"\t" if b"\t" in lines[at] else b" "
        fields = lines[at].split(separator)
        field = rng.randrange(len(fields))
        what = rng.randrange(5)
        if what == 0:
            fields[field] = rng.choice(SNIPPETS)
        elif what == 1:
            fields[field] = str(rng.choice(mutating.NUMBERS)).encode()
        elif what == 2:
            del fields[field]
        elif what == 3:
            fields.insert(field, rng.choice(fields))
        else:
            fields[field] = fields[rng.randrange(len(fields))]
        lines[at] = separator.join(fields)
        return b"\n".join(lines)

    @staticmethod
    def _other_whole(rng: random.Random, data: bytes) -> bytes:
        what = rng.randrange(9)
        if what == 0:
            return data.replace(b"\n", b"\r\n")
        if what == 1:
            return b"\xef\xbb\xbf" + data
        if what == 2:
            return data.rstrip(b"\n")
        if what == 3:
            return data.replace(b"\t", rng.choice((b" ", b"\t\t", b"", b"\xc2\xa0")))
        if what == 4:
            return data.decode("utf-8", "replace").encode(rng.choice(("utf-16", "utf-32", "utf-8-sig")))
        if what == 5:
            return data * rng.choice((2, 5))
        if what == 6:
            return data[: rng.randrange(len(data) + 1)]
        if what == 7:
            # One line, or one field, that is long.
            at = rng.randrange(len(data) + 1)
            piece = rng.choice((b"x", b"x ", b"x\t", b"\0", b"/", "é".encode()))
            return data[:at] + piece * rng.choice((99, 5000)) + data[at:]
        return data.replace(b"\n", rng.choice((b"\n\n", b"\r", b" ", b"\0")))

    @staticmethod
    def _packed(rng: random.Random, data: bytes) -> bytes:
        what = rng.randrange(6)
        whole = gzip.compress(data, 1, mtime=0)
        if what == 0:
            return whole[: rng.randrange(len(whole) + 1)]
        if what == 1:
            return whole + rng.choice((whole, b"\0" * 9, b"junk", whole[:9], b"\x1f\x8b"))
        if what == 2:
            return gzip.compress(whole, 1, mtime=0)
        return whole

    # ------------------------------------------------------------------------------------------ trying

    def attempt(self, path: Path, chosen: Chosen) -> str:
        """Read it and do what was chosen."""
        try:
            done = self._done(path, chosen)
        except StructronError as error:
            # What was asked for has no place in a file, nor has a file without anything to learn from.
            # Of two files side by side the other one may be named.
            beside = chosen.way in ("labelled", "evaluate") and bool(self.models[chosen.model][0].sides)
            placeless = isinstance(error, SettingError) or chosen.way == "learn" or beside
            check_message(error, "" if placeless else str(path))
            return f"{chosen.way}: refused"
        return f"{chosen.way}: {done}"

    def _done(self, path: Path, chosen: Chosen) -> str:
        if chosen.way in READERS:
            READERS[chosen.way](path)
            return "done"
        cli, estimator = self.models[chosen.model]
        report = Report()
        if chosen.way in ("labelled", "learn"):
            return self._learned(cli, path, chosen, report)
        target = getattr(estimator, "target", None)
        try:
            if chosen.way == "evaluate" and cli.sides:
                settings = estimator.recipe.as_dict()
                items = cli.labelled(self._beside(path, chosen), chosen.reading, report, settings)
            else:
                with streams.opened(str(path)) as (_, stream):
                    items = list(cli.read(estimator, stream, chosen.reading, report))
            self._check(report, path)
            if cli.estimator.kind == "semantics":
                items = [item for item in items if len(item) <= LONGEST]
            if chosen.way == "evaluate" and items:
                cli.measured(cli.measure(estimator, items, 3))
            elif items:
                with writing(io.BytesIO()) as put:
                    cli.write(cli.predicted(estimator, items, chosen.kbest), predict._Text(put))
        finally:
            if hasattr(estimator, "target"):
                estimator.target = target
        return "done" if items else "empty"

    def _learned(self, cli: Any, path: Path, chosen: Chosen, report: Report) -> str:
        kind = cli.estimator.kind
        extra = {name: each.default for name, each in extra_settings(cli).items()}
        usual = {} if kind == "pipeline" else cli.estimator.recipe_type().as_dict()
        place = self._beside(path, chosen) if cli.sides else str(path)
        examples = cli.labelled(place, chosen.reading, report, usual | extra)
        self._check(report, path)
        if chosen.way == "learn" and examples:
            settings = TRAINED.get(kind, {}) | ({} if kind == "pipeline" else {"epochs": 1})
            left_out = set(settings_of(cli.reading)) if isinstance(cli, ReadingMore) else set()
            settings |= {name: value for name, value in extra.items() if name not in left_out}
            cli.estimator(**settings).fit(*(part for part in cli.split(examples) if part is not None))
        return "done" if examples else "empty"

    def _beside(self, path: Path, chosen: Chosen) -> tuple[str, ...]:
        """The file and the other side, which is as it was."""
        other = str(self.sides[1 - chosen.side])
        return (other, str(path)) if chosen.side else (str(path), other)

    @staticmethod
    def _check(report: Report, path: Path) -> None:
        """What --skip-bad tells must be such messages, too."""
        for said in report.messages:
            check_message(StructronError(said), str(path))
