"""The pruner of a graph parser: its templates over arcs, its weights, and how many arcs it keeps."""

from __future__ import annotations

import math
import re
from array import array
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from structron import _core
from structron.engine.rows import Arrays, narrowed, texts, typed, view_of
from structron.errors import ModelError, SettingError
from structron.records import dataclass

if TYPE_CHECKING:
    import numpy.typing as npt

    from structron.tasks.parsing.features.graph import GraphTemplate

# Chosen on the dev set of EWT. Fewer bits lose more gold arcs; epochs and rate hardly matter.
BITS, RATE, EPOCHS = 20, 0.1, 3
SURER = 4.0  # how much more certain it is of training data; also chosen on EWT
TOGETHER = 256  # sentences between two reports of progress

# Called with the epoch, how many of its sentences are done, and of how many.
Progress: TypeAlias = Callable[[int, int, int], object]


class Pruning(NamedTuple):
    """The number of arcs that a pruner keeps; see `structron.tasks.parsing.graph.pruning`.

    Attributes
    ----------
    heads
        The most heads of a word.
    ratio
        The least probability of a head, relative to the best one.
    """

    heads: int
    ratio: float

    def __str__(self) -> str:
        return f"heads:{self.heads}+ratio={self.ratio:g}"


class PrunedArcs(NamedTuple):
    """Counts: the arcs that a pruner keeps, the gold ones among them, and the words."""

    arcs: int
    gold: int
    words: int


USUAL = Pruning(10, 0.02)


def parse_pruning(text: object) -> Pruning | None:
    """Read ``heads:10+ratio=0.02``, ``heads:10`` or ``none``.

    >>> parse_pruning("heads:8")
    Pruning(heads=8, ratio=0.02)
    """
    if text is None or text == "none":
        return None
    found = (
        re.fullmatch(r"heads:([0-9]{1,5})(?:\+ratio=([0-9]*\.?[0-9]+(?:e-[0-9]{1,2})?))?", text)
        if isinstance(text, str)
        else None
    )
    if found is None:
        raise SettingError(f"pruner {text!r} is not known; use none, or write it like {USUAL}")
    pruning = Pruning(int(found[1]), USUAL.ratio if found[2] is None else float(found[2]))
    if pruning.heads < 1 or pruning.ratio > 1:
        raise SettingError(f"pruner {text}: leave at least one head, and give a ratio from 0 to 1")
    return pruning


@dataclass(frozen=True, eq=False)
class Pruner:
    """A finished log-linear model of each word's head.

    Parameters
    ----------
    templates
        Templates over arcs alone.
    weights
        Weights by the last bits of a feature's key; their number is a power of two.
    pruning
        How many arcs it keeps.
    """

    templates: tuple[str, ...]
    weights: array[float]
    pruning: Pruning

    @classmethod
    def learned(
        cls,
        templates: tuple[str, ...],
        xs: Sequence[Any],
        trees: Sequence[tuple[Sequence[int], Any]],
        pruning: Pruning,
        seed: int,
        progress: Progress,
    ) -> Pruner:
        """Learn from sentences and the heads of their words (`structron.tasks.parsing.graph.pruning`)."""
        import numpy as np

        from structron.tasks.parsing.features.graph import columns_read, parse_graph_templates
        from structron.tasks.parsing.graph.program import compile_templates

        parsed = parse_graph_templates(templates)
        program = _core.GraphProgram([], columns_read(parsed), compile_templates(parsed))
        corpus = _core.GraphCorpus(program, ["_"], False, 0, None, True)
        for x, (heads, _) in zip(xs, trees, strict=True):
            corpus.add(x, (heads, ["_"] * len(heads)))
        choice = _core.HeadChoice(corpus, BITS, RATE)
        rng = np.random.default_rng(seed)
        for epoch in range(1, EPOCHS + 1):
            order = rng.permutation(corpus.sentences).astype(np.uint32)
            for done in range(0, len(order), TOGETHER):
                choice.run(order[done : done + TOGETHER])
                progress(epoch, min(done + TOGETHER, len(order)), len(order))
        # Rounded as in a model file, so that a saved parser prunes alike.
        short = choice.weights.astype(np.float16).astype(np.float32)
        return cls(templates, array("f", short.tobytes()), pruning)

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, Pruner)
            and (self.templates, self.pruning) == (other.templates, other.pruning)
            and self.weights == other.weights
        )

    def __hash__(self) -> int:
        return hash((self.templates, self.pruning))

    @cached_property
    def parsed(self) -> list[GraphTemplate]:
        """Return the parsed templates."""
        from structron.tasks.parsing.features.graph import parse_graph_templates

        return parse_graph_templates(self.templates)

    @property
    def engine(self) -> _core.GraphPruner:
        """Create the engine's pruner."""
        return _core.GraphPruner(self.weights, *self.pruning)

    @property
    def while_training(self) -> _core.GraphPruner:
        """Create a pruner that keeps more arcs.

        It is more certain of the sentences it learned from than of others. Keeping more of their arcs lets a
        parser learn from as many arcs as it will see later.
        """
        return _core.GraphPruner(self.weights, self.pruning.heads, self.pruning.ratio / SURER)

    def header(self) -> dict[str, Any]:
        """Return the plain data for the head of a model file."""
        return {"templates": [*self.templates], "heads": self.pruning.heads, "ratio": self.pruning.ratio}

    def arrays(self) -> dict[str, npt.NDArray[Any]]:
        """Return the weights as arrays of a model file."""
        import numpy as np

        return {"pruner_weights": narrowed(np.asarray(self.weights), np.float16)}

    @classmethod
    def restore(cls, header: Mapping[str, Any], arrays: Arrays) -> Pruner:
        """Restore the pruner from a model file."""
        from structron.tasks.parsing.features.graph import order_of

        found = view_of(arrays, "pruner_weights", "F32", "F16")
        weights = array("f", _core.widened(found).tobytes())
        heads, ratio = typed(header, "heads", int), typed(header, "ratio", float)
        made = cls(tuple(texts(header, "templates")), weights, Pruning(heads, ratio))
        is_power = len(weights).bit_count() == 1
        if not is_power or math.isinf(_core.largest(found)) or order_of(made.parsed) > 1:
            raise ModelError("its pruner is not whole")
        return made
