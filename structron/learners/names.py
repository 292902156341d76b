"""Learners by name, and the choices they can be combined with."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from structron import learners
from structron.errors import SettingError
from structron.learners.options import Options
from structron.settings import is_piece

if TYPE_CHECKING:
    from structron.learners.learner import Learner
    from structron.search import Search
    from structron.updates import Update

# The class of each; one that is not named is not imported.
_KINDS = {
    "perceptron": "Perceptron",
    "mira": "Mira",
    "pa": "Mira",
    "swvp": "SWVP",
    "ssvm": "SSVM",
    "crf": "CRF",
}


def parse_learner(name: str | Learner) -> Learner:
    """Parse the name of a learner; `str` is the inverse.

    Examples
    --------
    >>> parse_learner("perceptron:plain,margin=2"), parse_learner("mira:5,C=0.1")
    (Perceptron(averaged=False, margin=2.0), Mira(k=5, C=0.1, augmented=False, averaged=True))
    >>> str(parse_learner("swvp:beta=2"))
    'swvp:single,wm,balanced,beta=2'
    """
    if not isinstance(name, str):
        if isinstance(name, learners.Learner):
            return name
        if hasattr(name, "move") or hasattr(name, "change"):
            return learners.own_learner(name)
    if is_piece(name):
        return learners.own_learner(name)
    kind, colon, options = name.strip().partition(":") if isinstance(name, str) else ("", "", "")
    if kind not in _KINDS:
        raise SettingError(
            f"learner {name!r} is not known; use perceptron, mira, pa, swvp, ssvm or crf, "
            "with options as in perceptron:margin=20, mira:5,C=0.1 or swvp:single,wm,balanced,beta=1; "
            "or an object with a method move"
        )
    try:
        learner: Learner = getattr(learners, _KINDS[kind]).from_options(Options(options if colon else None))
        return learner
    except SettingError as error:
        raise SettingError(f"learner {name!r}: {error}") from None


def check_learner(
    learner: Learner, search: Search, update: Update, task: str, exchanges: bool, sums: Sequence[str] = ()
) -> None:
    """Refuse a learner that is not possible with the other choices.

    Parameters
    ----------
    task
        The name of the task.
    exchanges
        Whether two derivations can exchange decisions, so that there are mixed assignments.
    sums
        The searches with which sums over all outputs are known.
    """
    if learner.is_gradient and isinstance(learner, learners.CRF):
        check_sums(learner, search, update, task, sums)
    if learner.exchanges and not exchanges:
        raise SettingError(f"learner {learner}: outputs of {task} cannot be mixed; use perceptron or mira")
    if learner.constraints > 1 and search.is_exact and update.name == "laso":
        raise SettingError(
            f"learner {learner}: laso continues from one item and exact search has no k best from there; "
            "use a beam, or mira"
        )


def check_sums(learner: Learner, search: Search, update: Update, task: str, sums: Sequence[str]) -> None:
    """Refuse a learner of sums where there are none, and choices of which it makes no use."""
    if not sums:
        raise SettingError(
            f"learner {learner}: sums over all outputs of {task} are not known; use ssvm, or the perceptron"
        )
    if str(search) not in sums:
        raise SettingError(
            f"learner {learner}: it sums over all outputs, which goes with one search; use search {sums[0]}"
        )
    if update.name not in ("standard", "max_violation"):
        raise SettingError(
            f"learner {learner}: it learns from all outputs and never from prefixes; leave update out, or "
            "use standard"
        )
