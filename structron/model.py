"""Model: a finished model, which predicts and is stored in one file.

The file is a safetensors archive (see `structron.io.model_file.archive`): sorted keys, row lengths, columns
(the array ``actions``) and weights of all non-zero cells, each as narrow as its values allow, dense
weights if any, and a JSON header with task, labels, templates, recipe and signature.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from itertools import chain
from numbers import Integral
from pathlib import Path as FilePath
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from structron import _core, registry
from structron.engine.choices import engine_search
from structron.engine.rows import Arrays, Rows, check_floats, narrowed, stored_rows, typed
from structron.errors import DataError, EngineError, ModelError, SettingError, StructronError
from structron.io.model_file.about import check_about
from structron.io.model_file.archive import archive_bytes, read_views, read_views_of_bytes, write_archive
from structron.io.model_file.shipped_models import located
from structron.progress import in_pieces
from structron.search import Search, leaves_bins, narrowest, parse_search
from structron.task import Frozen, Task, check_search

if TYPE_CHECKING:
    import numpy.typing as npt

    from structron.engine.changes import Change
    from structron.reference.forest.forest import ForestTrace
    from structron.reference.sequence.trace import Trace

PIECE = 256  # inputs between two reports of progress
# Larger weights may have sums outside the range of floats.
GREATEST_WEIGHT = 1e30
SHARED = 1 << 12  # bytes; smaller arrays are not compared with those of other parts

TaskT = TypeVar("TaskT", bound=Task)
# Covariant: a model of one task can be used where a model of any task is expected.
Task_co = TypeVar("Task_co", bound=Task, covariant=True)

Answer = TypeVar("Answer")
Place = Callable[[int], str]  # where a sentence (from 0) stands, for messages


def numbered(sentence: int) -> str:
    """Return the place of a sentence that came from no file."""
    return f"sentence {sentence + 1}"


def fault(error: Exception) -> str:
    """Return the engine's complaint about a sentence, in words."""
    if isinstance(error, UnicodeEncodeError):
        return f"{error.object[:80]!r} holds half of a surrogate pair, which is not a character"
    return re.sub(r"^(sentence|input|question) 1: ", "", str(error))


def refusal(error: Exception) -> StructronError:
    """Return the error for inputs the engine refuses although data and settings have passed every check."""
    if isinstance(error, _core.SearchTooLarge):
        return SettingError(str(error))
    if isinstance(error, _core.ChartTooLarge):
        return SettingError(f"{error}; ask for one best output, or leave long inputs out")
    return EngineError(f"the engine refused: {error}; this is a bug in structron, please report it")


class Model(Generic[Task_co]):
    """Weights with all that is needed to use them. Threads may share one model and call it at the same time.

    Parameters
    ----------
    task
        The task: inputs, outputs and features.
    rows
        The weights.
    search
        The search it was trained with, which is also the one it predicts with.
    about
        Further information: recipe, signature, epochs, the format it was trained on.
    parts
        Models whose output this one needs, such as the tagger of a parser; they are stored in the same file.

    Attributes
    ----------
    changes
        Corrections of the weights, which are stored beside them and added to them.
    """

    def __init__(
        self,
        task: Task_co,
        rows: Rows,
        search: Search,
        about: Mapping[str, Any] | None = None,
        parts: Mapping[str, Model[Task]] | None = None,
    ) -> None:
        self.task = task
        self.changes: tuple[Change, ...] = ()
        self._trained = task, rows
        self._rows, self.search = rows, search
        self.threads = 1  # the number that predict; the output does not depend on it
        self.about: dict[str, Any] = dict(about or {})
        self.parts: dict[str, Model[Task]] = dict(parts or {})
        self._engines: dict[str, Frozen] = {}

    @property
    def rows(self) -> Rows:
        """Return the weights as arrays, with all changes."""
        self._rows = self._rows.arrays()
        return self._rows

    def with_changes(self, changes: Sequence[Change]) -> Model[Task_co]:
        """Return the same model with these changes in place of its own."""
        made = Model(*self._trained, self.search, self.about, self.parts)
        if changes:  # few models have any, and import what adds them
            from structron.engine.changes import applied, shared

            # What these weights have had already is not added again.
            done = shared(self.changes, changes)
            start = (self.task, self._rows) if done else made._trained
            made.task, made._rows = applied(*start, changes[done:])
            made.changes = tuple(changes)
        return made

    def _engine(self, kind: str) -> Frozen:
        """Return the engine for one kind of search, made on first use."""
        try:
            found = self._engines.get(kind) or self.task.frozen(self._rows, kind)
            return self._engines.setdefault(kind, found)
        except StructronError:
            raise
        except ValueError as error:
            raise ModelError(f"the model does not fit together: {error}; train it again") from None

    def release(self) -> None:
        """Free the engine's tables; they are built again on demand."""
        self._engines = {}

    def _engine_for(self, search: Search) -> Frozen:
        task: Task = self.task
        check_search(task.called, task.searches, search, task.kind)
        return self._engine(search.kind)

    @property
    def engine(self) -> Frozen:
        """Return the engine for the model's own search, for further methods of a task's predictor."""
        return self._engine_for(self.search)

    @property
    def decode_seconds(self) -> float:
        """Return the CPU time spent searching so far, without feature extraction."""
        return sum((engine.decode_seconds for engine in self._engines.values()), 0.0)

    def predict(
        self, sentences: Iterable[Sequence[Any]], search: Search | None = None, place: Place = numbered
    ) -> list[Any]:
        """Return the best output that the search finds for each input."""
        return self._answers(sentences, lambda engine, *given: engine.predict(*given), search, place)

    def kbest(
        self,
        sentences: Iterable[Sequence[Any]],
        k: int,
        search: Search | None = None,
        place: Place = numbered,
    ) -> list[list[tuple[Any, float]]]:
        """Return the `k` best different outputs for each input with their scores; a beam may have fewer."""
        if not isinstance(k, Integral) or isinstance(k, bool) or k < 1:
            raise SettingError(f"k = {k!r} is not possible; ask for at least 1")
        most = min(int(k), 2**31)
        return self._answers(sentences, lambda engine, xs, *how: engine.kbest(xs, most, *how), search, place)

    def _answers(
        self,
        sentences: Iterable[Sequence[Any]],
        question: Callable[[Any, Sequence[Sequence[Any]], _core.Search, int], list[Any]],
        search: Search | None,
        place: Place,
    ) -> list[Any]:
        """Return an answer for each input, and report progress."""
        found: list[list[Any]] = []
        before = 0
        for piece in in_pieces("predicting", _listed(sentences), PIECE * self.threads):
            found.append(self.ask(piece, question, search, partial(_place_after, place, before)))
            before += len(piece)
        return found[0] if len(found) == 1 else list(chain.from_iterable(found))

    def ask(
        self,
        sentences: Iterable[Sequence[Any]],
        question: Callable[[Any, Sequence[Sequence[Any]], _core.Search, int], Answer],
        search: Search | None = None,
        place: Place = numbered,
    ) -> Answer:
        """Put a question about all inputs to the engine; if it refuses one, name that input.

        The question gets the engine, the inputs, the search and the number of threads.
        """
        how, listed = search or self.search, _listed(sentences)
        engine = self._engine_for(how)
        try:
            return question(engine, listed, engine_search(how), self.threads)
        except StructronError:
            raise
        except (ValueError, TypeError) as error:
            raise self._blame(listed, error, place) from None

    def trace(
        self, sentence: Sequence[Any], gold: Sequence[Any] | None = None, search: Search | None = None
    ) -> Trace:
        """Return the trace of a beam on one input, with the gold side if gold is given."""
        from structron.engine.tracing import trace_of

        found = self._traced(sentence, gold, search)
        if "items" in found:
            raise SettingError(f"search {search or self.search} leaves a chart and no beams; use Model.chart")
        return trace_of(found)

    def chart(
        self, sentence: Sequence[Any], gold: Sequence[Any] | None = None, search: Search | None = None
    ) -> ForestTrace:
        """Return the trace of a search over a chart, with the gold side if gold is given."""
        from structron.engine.chart_tracing import chart_of

        return chart_of(self._traced(sentence, gold, search))

    def _traced(
        self, sentence: Sequence[Any], gold: Sequence[Any] | None, search: Search | None
    ) -> dict[str, Any]:
        how = search or self.search
        if not leaves_bins(how):
            raise SettingError(
                f"search {how} leaves a tree behind, and neither beams nor a chart; use forest"
            )
        engine = self._engine_for(how)
        try:
            return engine.trace(sentence, gold, engine_search(how))
        except StructronError:
            raise
        except (ValueError, TypeError) as error:
            if isinstance(error, _core.SearchTooLarge):
                raise refusal(error) from None
            raise DataError(f"the sentence: {fault(error)}; fix it") from None

    def _blame(self, sentences: Sequence[Sequence[Any]], error: Exception, place: Place) -> StructronError:
        """Find the sentence that the engine refuses; this is slow, and only done when something is wrong.

        If there is none, the data are not to blame.
        """
        how = narrowest(self.search)
        for i, sentence in enumerate(sentences):
            try:
                self._engine_for(how).predict([sentence], engine_search(how))
            except (ValueError, TypeError) as own:
                return DataError(f"{place(i)}: {fault(own)}; fix it or leave it out")
        # If one input is too large for this search, the engine's error has its number.
        if isinstance(error, _core.ChartTooLarge) and error.input is not None:
            return DataError(f"{place(error.input)}: {error}; fix it or leave it out")
        return refusal(error)

    def __reduce__(self) -> tuple[Any, tuple[object, ...]]:
        # A pickle holds the file's bytes, so that it does not depend on the classes' attributes.
        return Model.from_bytes, (self.to_bytes(), "the pickled model")

    def save(self, path: str | FilePath) -> None:
        """Write one file; an older one of that name stays complete until the new one is."""
        write_archive(path, *self.stored())

    def to_bytes(self) -> bytes:
        """Return the bytes of the model file."""
        return archive_bytes(*self.stored())

    def stored(self) -> tuple[dict[str, Any], dict[str, npt.NDArray[Any]]]:
        """Return header and arrays; those of a part stand under its name.

        A long array that several parts share, such as the words of clusters, is stored once; see ``same``.
        """
        import numpy as np

        from structron.engine.changes import stored_changes

        task, rows = self._trained[0], self._trained[1].arrays()
        made, changes = stored_changes(self.changes)
        header = task.header() | {"kind": task.kind, "search": str(self.search), "about": self.about} | made
        arrays: dict[str, npt.NDArray[Any]] = {
            "keys": rows.keys,
            "lengths": narrowed(np.diff(rows.offsets), np.uint8, np.uint16),
            "actions": narrowed(rows.columns, np.uint8, np.uint16),
            "weights": narrowed(rows.weights, np.float16),
        }
        if len(rows.dense):
            arrays["dense"] = rows.dense
        arrays |= task.arrays() | changes
        first: dict[bytes, str] = {}
        for name, part in sorted(self.parts.items()):
            inner, own = part.stored()
            header.setdefault("parts", {})[name] = inner
            for array, values in own.items():
                key = f"{name}/{array}"
                if values.nbytes < SHARED or (twin := first.setdefault(_digest(values), key)) == key:
                    arrays[key] = values
                else:
                    header.setdefault("same", {})[key] = twin
        return header, arrays

    @classmethod
    def load(cls, path: str | FilePath) -> Model[Any]:
        """Read a model file, and check that all of it fits together before anything is used.

        The name of a model that comes with structron, such as ``en``, works as a path if there is no such
        file.
        """
        return cls._of_archive(path, *read_views(located(path)))

    @classmethod
    def from_bytes(cls, data: bytes, where: str = "the model") -> Model[Any]:
        """Read a model from a file's bytes, with the same checks; `where` is its name in messages."""
        if not isinstance(data, bytes | bytearray | memoryview):
            raise ModelError(f"{where}: of type {type(data).__name__}; give the bytes of a model's file")
        return cls._of_archive(where, *read_views_of_bytes(data, where))

    @classmethod
    def _of_archive(cls, path: str | FilePath, header: Mapping[str, Any], arrays: Arrays) -> Model[Any]:
        kind = header.get("kind")
        if not registry.has(str(kind)):
            raise ModelError(
                f"{path}: a model of kind {kind!r}, which this version does not know; "
                "use the program that made it"
            )
        try:
            return cls.restored(header, arrays)
        except KeyError as error:
            raise ModelError(f"{path}: the model has no {error}; train it again") from None
        except (ModelError, SettingError, TypeError, UnicodeError) as error:
            raise ModelError(f"{path}: the model cannot be used ({error}); train it again") from None

    @classmethod
    def restored(cls, header: Mapping[str, Any], arrays: Arrays, *, checked: bool = False) -> Model[Task]:
        """Make the model from the output of `stored`; a damaged one raises KeyError, ModelError or others."""
        kind = str(header["kind"])
        if not registry.has(kind):
            raise ModelError(f"a part of it is of kind {header['kind']!r}, which this version does not know")
        # The floats of parts are checked with those of the whole.
        rows = stored_rows(arrays, "actions", None if checked else GREATEST_WEIGHT)
        if not checked:
            check_floats(arrays, GREATEST_WEIGHT)
        parts = {}
        same = typed({"same": {}} | dict(header), "same", dict)
        if not all(isinstance(twin, str) and twin in arrays for twin in same.values()):
            raise ModelError("its parts have arrays that are not there")
        arrays = dict(arrays) | {key: arrays[twin] for key, twin in same.items()}
        for name, inner in typed({"parts": {}} | dict(header), "parts", dict).items():
            if not isinstance(inner, dict) or "parts" in inner:
                raise ModelError(f"its part {name!r} is not a plain model")
            begin = f"{name}/"
            own = {key.removeprefix(begin): values for key, values in arrays.items() if key.startswith(begin)}
            parts[name] = cls.restored(inner, own, checked=True)
        task = registry.task_of(kind).restore(header, arrays)
        search = parse_search(typed(header, "search", str))
        about = typed(header, "about", dict)
        check_about(about)
        changes: Sequence[Change] = ()
        if "changes" in header:
            from structron.engine.changes import restored_changes

            changes = restored_changes(header, arrays, GREATEST_WEIGHT)
        try:
            model = Model(task, rows, search, about, parts)
            model = model.with_changes(changes) if changes else model
        except ValueError as error:
            raise ModelError(f"a change does not fit its weights: {error}") from None
        model._engine_for(search)  # the engine checks the rest
        return model


def halved(rows: Rows) -> Rows:
    """Return the weights in half precision, unless one is too large for it."""
    import numpy as np

    if len(rows.weights) and float(np.abs(rows.weights).max()) > float(np.finfo(np.float16).max):
        return rows
    return rows._replace(weights=rows.weights.astype(np.float16).astype(np.float32))


def _digest(array: npt.NDArray[Any]) -> bytes:
    """Hash an array's kind, shape and contents."""
    return hashlib.sha256(f"{array.dtype} {array.shape} ".encode() + array.tobytes()).digest()


def _place_after(place: Place, before: int, i: int) -> str:
    return place(before + i)


def _listed(sentences: Iterable[Sequence[Any]]) -> Sequence[Sequence[Any]]:
    return sentences if isinstance(sentences, list | tuple) else list(sentences)
