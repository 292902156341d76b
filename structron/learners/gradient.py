"""The structured SVM and the conditional random field by stochastic gradient, by name.

Their definition is in `structron.reference.learners.gradient`, the engine's twin in
``core/learn/sums/gradient.hpp``. Training adds up T w, of which T grows; `scale` is T.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar, TypeVar

from structron import _core, reference
from structron.errors import SettingError
from structron.learners.options import Options, is_number, written

C2, SSVM_STEP, CRF_STEP = 1.0, 0.05, 0.3


@dataclass(frozen=True)
class SSVM:
    """Make c2 |w|² + Σ (the greatest loss that a guess has over gold) small, step by step.

    Parameters
    ----------
    c2
        How much the square of all weights counts against the sum over the examples, as in CRFsuite; 0 for no
        regularisation.
    step
        The length of the first steps. Later ones are shorter, unless c2 is 0.
    averaged
        Predict with the mean of all weight vectors, of which the later ones count more.
    """

    c2: float = C2
    step: float = SSVM_STEP
    averaged: bool = True

    constraints: ClassVar[int] = 1
    exchanges: ClassVar[bool] = False
    is_gradient: ClassVar[bool] = True

    def __post_init__(self) -> None:
        check_gradient(self.c2, self.step)

    @property
    def margin(self) -> float:
        """Return how far gold must be ahead at first."""
        return 1.0 / self.step

    def engine(self, examples: int = 1) -> _core.Learner:
        """Return the engine's learner, given the number of examples in a pass."""
        return _core.Gradient(False, self.c2, self.step, examples)

    def definition(self, examples: int = 1) -> reference.SSVM:
        """Return the learner of the definition."""
        return reference.SSVM(self.c2, self.step, examples)

    def scale(self, seen: int, examples: int) -> float:
        """Return the scale of the stored weights after a number of examples."""
        return scale_of(self, seen, examples)

    @classmethod
    def from_options(cls, options: Options) -> SSVM:
        """Parse the text after ``ssvm:``."""
        return read_options(SSVM, options)

    def __str__(self) -> str:
        return name_of("ssvm", self, SSVM_STEP)


@dataclass(frozen=True)
class CRF:
    """Make c2 |w|² - Σ log p(gold) small, step by step, with sums over all outputs.

    The other parameters are those of `SSVM`.

    Parameters
    ----------
    all
        Give each feature a weight for every label. Otherwise it has one for the labels that it is seen with
        in the training data, as in CRFsuite: the model is far smaller.
    """

    c2: float = C2
    step: float = CRF_STEP
    averaged: bool = True
    all: bool = False

    margin: ClassVar[float] = 0.0
    constraints: ClassVar[int] = 1
    exchanges: ClassVar[bool] = False
    is_gradient: ClassVar[bool] = True

    def __post_init__(self) -> None:
        check_gradient(self.c2, self.step)

    def engine(self, examples: int = 1) -> _core.Learner:
        """Return the engine's learner, given the number of examples in a pass."""
        return _core.Gradient(True, self.c2, self.step, examples, not self.all)

    def definition(self, examples: int = 1) -> reference.CRF:
        """Return the learner of the definition."""
        return reference.CRF(self.c2, self.step, examples)

    def scale(self, seen: int, examples: int) -> float:
        """Return the scale of the stored weights after a number of examples."""
        return scale_of(self, seen, examples)

    @classmethod
    def from_options(cls, options: Options) -> CRF:
        """Parse the text after ``crf:``."""
        has_all = options.flag("all")
        return replace(read_options(CRF, options, "all, "), all=has_all)

    def __str__(self) -> str:
        return name_of("crf", self, CRF_STEP, self.all)


def check_gradient(c2: float, step: float) -> None:
    """Refuse numbers that are not possible."""
    if not is_number(c2) or not 0 <= c2 < 1e6:
        raise SettingError(f"c2 = {c2!r} is not possible; give a number from 0 to a million")
    if not is_number(step) or not 1e-6 <= step <= 1e6:
        raise SettingError(f"step = {step!r} is not possible; give a number from 1e-6 to a million")


def scale_of(learner: SSVM | CRF, seen: int, examples: int) -> float:
    """Return T after a number of examples, or the mean of all T so far for averaged weights."""
    growth = 2.0 * learner.c2 / examples * seen
    return 1.0 / learner.step + (growth / 2.0 if learner.averaged else growth)


Kind = TypeVar("Kind", SSVM, CRF)


def read_options(kind: type[Kind], options: Options, more: str = "") -> Kind:
    """Parse the options that both have."""
    usual = kind()
    averaged = not options.flag("plain")
    made = kind(options.number("c2", usual.c2), options.number("step", usual.step), averaged)
    options.end(f"{more}c2=1, step=0.1 or plain")
    return made


def name_of(kind: str, learner: SSVM | CRF, usual_step: float, has_all: bool = False) -> str:
    """Return the name with its options."""
    options = ["all"] * has_all
    if learner.c2 != C2:
        options.append(f"c2={written(learner.c2)}")
    if learner.step != usual_step:
        options.append(f"step={written(learner.step)}")
    options += ["plain"] * (not learner.averaged)
    return ":".join([kind, ",".join(options)]) if options else kind
