"""The Structured Weighted Violations Perceptron (Dror & Reichart 2016) by name.

The definition is in `structron.reference.learners.swvp`, the engine's twin in ``core/learn/swvp.hpp``.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import ClassVar, Self

from structron import _core, reference
from structron.errors import SettingError
from structron.learners.options import Options, is_number, written
from structron.learners.perceptron import check_guesses, check_margin, whole_of

# The engine's numbers are places in these lists.
JJ = ("single", "full", "prefixes", "error_spans", "windows", "all_subsets")
GAMMA = ("wm", "wmr", "uniform", "best", "optimal")
WITH_BETA = ("wm", "wmr")


@dataclass(frozen=True)
class SWVP:
    """Update by a weighted sum over mixed assignments: the guess in some positions, gold in the others.

    Parameters
    ----------
    jj
        Which sets of positions: ``single`` (the paper's), ``full`` (the perceptron), ``prefixes``,
        ``error_spans`` (runs of wrong positions), ``windows=3``, or ``all_subsets`` for outputs of at most 12
        parts.
    gamma
        How they are weighed: ``wm`` (weighted margin), ``wmr`` (weighted margin rank), ``uniform``, ``best``
        (all weight on the most violating), or ``optimal`` (the weights that solve the margin problem over
        them).
    aggressive
        Use only those that are violations; otherwise balanced, all of them.
    beta
        Sharpens ``wm`` and ``wmr``.
    enforced
        Balanced, but leave out what violates least until the sum is a violation: condition (2) of the paper.
    printed
        ``wmr`` without normalisation, as the paper prints it.
    margin
        Cost-augmented search while training, as for the perceptron.
    averaged
        Predict with the mean of all weight vectors.
    guesses
        Mix gold with each of the k best guesses, and weigh what comes of all: inference and weights are
        chosen together.
    """

    jj: str = "single"
    gamma: str = "wm"
    aggressive: bool = False
    beta: float = 1.0
    enforced: bool = False
    printed: bool = False
    margin: float = 0.0
    averaged: bool = True
    guesses: int = 1

    exchanges: ClassVar[bool] = True
    is_gradient: ClassVar[bool] = False

    def __post_init__(self) -> None:
        if self.jj not in reference.SUBSTRUCTURES and not self.window:
            raise SettingError(
                f"sub-structures {self.jj!r} are not known; "
                "use single, full, prefixes, error_spans, windows=3 or all_subsets"
            )
        if self.gamma not in reference.GAMMAS:
            raise SettingError(f"gamma {self.gamma!r} is not known; use one of {', '.join(GAMMA)}")
        if not is_number(self.beta) or not 0 < self.beta <= 100:
            raise SettingError(f"beta {self.beta!r} is not possible; give a number above 0, at most 100")
        if self.beta != 1 and self.gamma not in WITH_BETA:
            raise SettingError(f"beta is for wm and wmr only; leave it out with {self.gamma}")
        if self.printed and self.gamma != "wmr":
            raise SettingError(f"printed is for wmr only; leave it out with {self.gamma}")
        if self.enforced and self.aggressive:
            raise SettingError("aggressive updates are always violations; leave enforced out")
        check_margin(self.margin)
        check_guesses(self.guesses)

    @property
    def constraints(self) -> int:
        """Return the number of guesses it looks at."""
        return self.guesses

    @property
    def window(self) -> int:
        """Return the n of ``windows=n``; 0 for other sub-structures."""
        found = re.fullmatch(r"windows=([1-9][0-9]{0,5})", self.jj) if isinstance(self.jj, str) else None
        return int(found[1]) if found else 0

    def engine(self) -> _core.Learner:
        """Return the engine's learner."""
        return _core.SWVP(
            JJ.index(self.jj.partition("=")[0]),
            self.window or 1,
            GAMMA.index(self.gamma),
            self.beta,
            self.aggressive,
            self.enforced,
            self.printed,
            self.margin,
            self.guesses,
        )

    def definition(self) -> reference.SWVP:
        """Return the learner of the definition."""
        jj = reference.windows(self.window) if self.window else reference.SUBSTRUCTURES[self.jj]
        gamma = reference.GAMMAS[self.gamma]
        return reference.SWVP(
            jj, gamma, self.beta, self.aggressive, self.enforced, self.printed, self.margin, self.guesses
        )

    @classmethod
    def from_options(cls, options: Options) -> Self:
        """Parse the text after ``swvp:``."""
        window = options.after("windows")
        jj = options.word(tuple(reference.SUBSTRUCTURES), "single" if window is None else f"windows={window}")
        if window is not None and not jj.startswith("windows"):
            raise SettingError(f"windows and {jj} exclude each other; give one of them")
        approach = options.word(("aggressive", "balanced"), "balanced")
        made = cls(
            jj,
            options.word(GAMMA, "wm"),
            approach == "aggressive",
            options.number("beta", 1.0),
            options.flag("enforced"),
            options.flag("printed"),
            options.number("margin", 0.0),
            not options.flag("plain"),
            whole_of(options, "guesses"),
        )
        options.end(
            f"{', '.join(reference.SUBSTRUCTURES)} or windows=3; {', '.join(GAMMA)}; aggressive or balanced; "
            "beta=1, enforced, printed, margin=5, guesses=4, plain"
        )
        return made

    def __str__(self) -> str:
        options = [self.jj, self.gamma, "aggressive" if self.aggressive else "balanced"]
        if self.gamma in WITH_BETA:
            options.append(f"beta={written(self.beta)}")
        options += ["enforced"] * self.enforced + ["printed"] * self.printed
        if self.margin:
            options.append(f"margin={written(self.margin)}")
        if self.guesses > 1:
            options.append(f"guesses={self.guesses}")
        return "swvp:" + ",".join(options + ["plain"] * (not self.averaged))
