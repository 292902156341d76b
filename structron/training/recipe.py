"""A recipe: every choice that makes a model, as data; a file of it, and its hash."""

from __future__ import annotations

import hashlib
import json
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, fields, replace
from numbers import Integral, Real
from pathlib import Path
from typing import Any

from structron.errors import SettingError
from structron.features.presets import PRESETS
from structron.features.templates import parse_all
from structron.learners import Perceptron, parse_learner
from structron.search import Search, parse_search
from structron.violations import Update, parse_update

CONSTRAINTS = ("auto", "none", "bio", "iob1", "bioes")

# Settings that count something, with the least and the most that they can be.
_WHOLE = (
    ("order", 0, 2),
    ("epochs", 1, None),
    ("seed", 0, None),
    ("dictionary", 0, None),
    ("cut", 0, None),
    ("bits", 0, 32),
)


@dataclass(frozen=True)
class Recipe:
    """How a tagger is made. The defaults are the good choice.

    Parameters
    ----------
    templates
        ``auto``, a preset (``pos``, ``chunk``, ``ner``), or a list of templates. ``auto`` takes ``pos``; for
        labels that mark spans, ``chunk`` if tokens have a second column, else ``ner``.
    order
        How many previous tags may matter, 0 to 2: templates that look further back are left out.
    search, update, learner
        ``exact``, ``greedy``, ``beam:8``, ``beam:8+merge``; a name from `structron.violations.UPDATES`;
        ``perceptron`` as published (averaged), ``perceptron:plain``, or with a margin to keep, which is the
        default since it was worth 0.1 to 0.2 points on every corpus tried.
    epochs, seed, shuffle
        Passes over the data, and the order they take.
    constraints
        ``bio``, ``iob1``, ``bioes``: illegal label sequences can never come out; ``auto`` takes the scheme
        that all training labels follow; ``none``.
    dictionary
        Words seen at least so often keep to the tags they were seen with; 0 for none.
    cut
        Features seen fewer times are left out; 0 keeps all.
    bits
        With b bits all features share 2^b rows (the hashing trick): bounded memory, some collisions; 0 keeps
        every feature apart.
    negligible
        Weights smaller than this are left out of the model.
    skip_correct
        Make no update on a sentence whose output is right, even if a prefix of it was a violation.
    """

    templates: str | tuple[str, ...] = "auto"
    order: int = 2
    search: str = "beam:4"
    update: str = "max_violation"
    learner: str = "perceptron:margin=20"
    epochs: int = 15
    seed: int = 0
    shuffle: bool = True
    constraints: str = "auto"
    dictionary: int = 0
    cut: int = 0
    bits: int = 0
    negligible: float = 0.0
    skip_correct: bool = False

    def __post_init__(self) -> None:
        object.__setattr__(self, "search", str(parse_search(self.search)))
        object.__setattr__(self, "update", parse_update(self.update).name)
        object.__setattr__(self, "learner", str(parse_learner(self.learner)))
        if not isinstance(self.templates, list | tuple):
            if self.templates not in ("auto", *PRESETS):
                known = ", ".join(["auto", *PRESETS])
                raise SettingError(
                    f"templates {self.templates!r} are not known; use {known} or a list of templates"
                )
        else:
            object.__setattr__(self, "templates", tuple(self.templates))
            parse_all(self.templates)
        if self.constraints not in CONSTRAINTS:
            raise SettingError(
                f"constraints {self.constraints!r} are not known; use one of {', '.join(CONSTRAINTS)}"
            )
        for name, least, most in _WHOLE:
            object.__setattr__(self, name, _whole(getattr(self, name), name, least, most))
        for name in ("shuffle", "skip_correct"):
            if not isinstance(getattr(self, name), bool):
                raise SettingError(f"{name} = {getattr(self, name)!r} cannot be; give true or false")
        number = isinstance(self.negligible, Real) and not isinstance(self.negligible, bool)
        if not number or not 0 <= self.negligible < float("inf"):
            raise SettingError(f"negligible = {self.negligible!r} cannot be; give a number of at least 0")
        object.__setattr__(self, "negligible", float(self.negligible))

    @property
    def search_choice(self) -> Search:
        """The search, as an object."""
        return parse_search(self.search)

    @property
    def update_choice(self) -> Update:
        """The update method, as an object."""
        return parse_update(self.update)

    @property
    def learner_choice(self) -> Perceptron:
        """The learner, as an object."""
        return parse_learner(self.learner)

    def as_dict(self) -> dict[str, Any]:
        """Plain data, for headers and files."""
        return asdict(self) | {
            "templates": self.templates if isinstance(self.templates, str) else [*self.templates]
        }

    def hash(self) -> str:
        """Twelve hex digits that tell recipes apart."""
        return hashlib.sha256(json.dumps(self.as_dict(), sort_keys=True).encode()).hexdigest()[:12]

    @classmethod
    def from_mapping(cls, settings: Mapping[str, Any], where: str = "recipe") -> Recipe:
        """A recipe from plain data; unknown names are refused."""
        known = [f.name for f in fields(cls)]
        for name in settings:
            if name not in known:
                raise SettingError(
                    f"{where}: there is no setting {name!r}; the settings are {', '.join(known)}"
                )
        try:
            return cls(**settings)
        except SettingError as error:
            raise SettingError(f"{where}: {error}") from None

    @classmethod
    def from_file(cls, path: str | Path) -> Recipe:
        """Read a TOML file whose keys are the settings."""
        try:
            return cls.from_mapping(tomllib.loads(Path(path).read_text(encoding="utf-8")), str(path))
        except FileNotFoundError:
            raise SettingError(f"{path}: there is no such recipe; check the name") from None
        except OSError as error:
            reason = (error.strerror or str(error)).lower()
            raise SettingError(f"{path}: cannot be read, {reason}; check it") from None
        except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
            raise SettingError(f"{path}: not a TOML file ({error}); mend it") from None

    def but(self, **changes: Any) -> Recipe:
        """This recipe with some settings changed."""
        return replace(self, **changes)


def _whole(value: Any, name: str, least: int, most: int | None) -> int:
    # numpy's numbers are welcome: grid searches make them.
    good = isinstance(value, Integral) and not isinstance(value, bool)
    if not good or value < least or (most is not None and value > most):
        bound = f"at least {least}" if most is None else f"from {least} to {most}"
        raise SettingError(f"{name} = {value!r} cannot be; give a whole number {bound}")
    return int(value)


def templates_for(recipe: Recipe, *, ready: bool, spans: bool, columns: int) -> tuple[str, ...]:
    """The templates a recipe means for given data, within its order."""
    chosen = recipe.templates
    if ready and chosen == "auto":
        texts: Sequence[str] = PRESETS["ready"]
    elif chosen == "auto":
        texts = PRESETS["pos" if not spans else "chunk" if columns > 1 else "ner"]
    else:
        texts = PRESETS[chosen] if isinstance(chosen, str) else chosen
    reach = {0: 0, 1: 1, 2: 3}[recipe.order]
    kept = tuple(t.text for t in parse_all(texts) if t.tags & ~reach == 0)
    if not kept and not ready:
        raise SettingError(f"no template is left within order {recipe.order}; give one such as w[0]")
    return kept
