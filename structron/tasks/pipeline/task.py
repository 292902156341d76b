"""The root of a pipeline's model file: its stages, and the columns that each of them sees."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple, NoReturn, Self

from structron import _core
from structron.engine.choices import Choices
from structron.engine.rows import Arrays, Rows, typed
from structron.errors import ModelError, TaskError
from structron.records import dataclass
from structron.task import Corpus, Live

if TYPE_CHECKING:
    import numpy.typing as npt

STAGES = ("segmenter", "upos", "xpos", "feats", "lemma", "parser", "names")
"""All stages in the order in which they run, named like the parts of the model."""


class Stage(NamedTuple):
    """One stage, and the columns that it sees: those of the words, or of stages before it."""

    name: str
    sees: tuple[str, ...]

    @property
    def fills(self) -> tuple[str, ...]:
        """Return the columns that it fills: one, or several for a tagger such as ``upos+feats``."""
        return tuple(self.name.split("+"))


@dataclass(frozen=True)
class PipelineTask:
    """The stages of a pipeline; the pipeline itself learns and predicts nothing."""

    kind: ClassVar[str] = "pipeline"
    searches: ClassVar[tuple[str, ...]] = ("exact", "beam")
    dense: ClassVar[int] = 0
    bits: ClassVar[int] = 0

    stages: tuple[Stage, ...]

    def __post_init__(self) -> None:
        names = [name for stage in self.stages for name in stage.fills]
        apart = ("segmenter", "lemma", "parser", "names")
        if any(len(stage.fills) > 1 and set(apart) & set(stage.fills) for stage in self.stages):
            raise ModelError("only tags can be found together")
        if names != [name for name in STAGES if name in names]:
            raise ModelError(
                f"its stages are {', '.join(names) or 'none'}; they should be some of {', '.join(STAGES)}"
            )
        known = {"form", *(name for name in ("upos", "xpos", "feats", "lemma"))}
        for stage in self.stages:
            seen, later = set(stage.sees), names[names.index(stage.fills[0]) :]
            if not seen and stage.name != "segmenter":
                raise ModelError(f"its stage {stage.name} sees nothing")
            if not seen <= known or seen & set(later):
                raise ModelError(f"its stage {stage.name} sees a column that is not there yet")

    @property
    def called(self) -> str:
        """Return the name of the task for messages."""
        return self.kind

    @property
    def weight_columns(self) -> int:
        """Return 1, since a pipeline has no weights."""
        return 1

    def start(self, seed: int) -> Mapping[tuple[int, int], float]:
        """Return no weights, since a pipeline has none."""
        return {}

    def corpus(self, weights: _core.Weights) -> Corpus:
        """Refuse: the stages learn one by one."""
        return self._refuse()

    def live(self, corpus: Any, weights: _core.Weights, choices: Choices) -> Live:
        """Refuse: the stages learn one by one."""
        return self._refuse()

    def frozen(self, rows: Rows, kind: str = "beam") -> _Nobody:
        """Return a predictor that refuses: the stages predict."""
        return _Nobody()

    def header(self) -> dict[str, Any]:
        """Return plain data for a model file."""
        return {"stages": [[stage.name, list(stage.sees)] for stage in self.stages]}

    def arrays(self) -> dict[str, npt.NDArray[Any]]:
        """Return no arrays."""
        return {}

    @classmethod
    def restore(cls, header: Mapping[str, Any], arrays: Arrays) -> Self:
        """Restore the task from a model file."""
        stages = []
        for stage in typed(header, "stages", list):
            match stage:
                case [str(name), [*sees]] if all(isinstance(column, str) for column in sees):
                    stages.append(Stage(name, tuple(sees)))
                case _:
                    raise ModelError("its stages are not as structron writes them")
        return cls(tuple(stages))

    def _refuse(self) -> NoReturn:
        raise TaskError("a pipeline has no examples of its own; use its stages")


class _Nobody:
    """The predictor of a task that has none."""

    decode_seconds = 0.0

    def predict(self, xs: Sequence[Any], /, search: _core.Search, threads: int = 1) -> list[Any]:
        raise ValueError("a pipeline is asked through its estimator")

    def kbest(self, xs: Sequence[Any], /, k: int, search: _core.Search, threads: int = 1) -> list[Any]:
        raise ValueError("a pipeline is asked through its estimator")

    def trace(self, x: Any, gold: Any, search: _core.Search) -> dict[str, Any]:
        raise ValueError("a pipeline is asked through its estimator")


def rows_of(stages: Collection[str]) -> tuple[str, ...]:
    """The rows of the table of CoNLL 2018 that stages fill; with a parser it is whole."""
    from structron.metrics.conll18 import ROWS

    if "parser" in stages:
        return ROWS
    filled = {"upos": "UPOS", "xpos": "XPOS", "feats": "UFeats", "lemma": "Lemmas"}
    rows = {row for stage, row in filled.items() if stage in stages} | {"Tokens", "Sentences", "Words"}
    if rows >= {"UPOS", "XPOS", "UFeats"}:
        rows.add("AllTags")
    return tuple(row for row in ROWS if row in rows)
