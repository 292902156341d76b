"""A recipe: every choice that makes a model, as data; a file of it, and its hash.

`Recipe` holds what all tasks share; each task adds its own settings in a file beside this one.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import fields, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Self

from structron.engine.choices import Choices, engine_search
from structron.errors import SettingError
from structron.learners import check_learner, parse_learner
from structron.search import Search, parse_search
from structron.settings import AUTO, by_first_names, is_piece, setting, settings, settings_of, with_new_names
from structron.task import check_search
from structron.updates import Update, parse_update

if TYPE_CHECKING:
    from structron.learners import Learner

MIXINGS = ("uniform", "errors")


@settings
class Settings:
    """The settings that all tasks share, as they are given; `Recipe` says what they mean."""

    search: str | Search = setting(
        default="beam:4",
        help="Search: exact, greedy, beam:8, ...",
        more="beam:8+merge merges equal states, and "
        "beam:8+within=20 drops candidates that are 20 behind the best",
        metavar="SEARCH",
        basic=True,
    )
    update: str | Update = setting(
        default="max_violation",
        help="Update: standard, early, max-violation, laso, ...",
        more="also skip, hybrid and latest; auto is laso for greedy search, otherwise max-violation",
        metavar="UPDATE",
        basic=True,
    )
    learner: str | Learner = setting(
        default="perceptron:margin=20",
        help="Learner: perceptron, mira, mira:5, swvp, ssvm, crf, ...",
        more=(
            "perceptron is as published, mira:5 is k-best; options follow, with commas between them: "
            "plain (not "
            "averaged), margin=20, C=0.1, swvp:single,wm,balanced"
        ),
        metavar="LEARNER",
        basic=True,
        tried=("perceptron", "mira"),
    )
    epochs: int = setting(default=15, help="Passes over the data", metavar="N", low=1, basic=True)
    seed: int = setting(default=0, help="Random seed", metavar="N", low=0, basic=True)
    shuffle: bool = setting(
        default=True,
        help="Shuffle the examples in every epoch, or keep their order",
        flags="--shuffle/--no-shuffle",
    )
    cut: int | str = setting(default=0, help="Drop features seen fewer than N times", metavar="N", low=0)
    bits: int = setting(
        default=0, help="Hash features into 2^B rows; 0 does not hash", metavar="B", low=0, high=32
    )
    min_weight: float | str = setting(
        was="negligible", default=0.0, help="Drop weights smaller than X", metavar="X", low=0
    )
    half: bool = setting(
        default=False, help="Store weights in half precision: a smaller file", flags="--half/--full"
    )
    skip_correct: bool = setting(
        default=False,
        help="Do not update if the output is right, even if a prefix of it was a violation",
        flags="--skip-correct/--no-skip-correct",
    )
    batch: int = setting(
        default=1,
        help="Decode N examples with the same weights, then update once",
        metavar="N",
        low=1,
        high=1_000_000,
    )
    shards: int = setting(
        default=1,
        help="Train N shards separately and mix their weights after every epoch",
        metavar="N",
        low=1,
        high=1_000_000,
    )
    mixing: str = setting(default="uniform", help="How to mix the shards", metavar="HOW", choices=MIXINGS)
    memory: int = setting(
        default=0,
        help="Keep N hard training examples in the model: they stay right when it is corrected",
        metavar="N",
        low=0,
        young=True,
    )


@settings
class Recipe(Settings):
    """The recipe of a model: checked settings of any task. The defaults are good choices.

    Parameters
    ----------
    search, update, learner
        ``exact``, ``greedy``, ``beam:8``, ``beam:8+merge``, ``beam:8+within=20``; in arc-standard parsing
        ``dp:8``, in graph-based parsing ``forest`` and ``forest:4``; a name from
        `structron.updates.UPDATES`, or ``auto``: ``laso`` for greedy search, which so learns from every
        step, and else ``max_violation``; a learner of `structron.learners`: ``perceptron`` as published
        (averaged), ``perceptron:plain``, ``perceptron:margin=20`` with a margin to keep, ``mira:5``,
        ``swvp:single,wm,balanced``, and so on.
    epochs, seed, shuffle
        Passes over the data, and the order they take.
    cut
        Features seen fewer times are left out; 0 keeps all.
    bits
        With b bits all features share 2^b rows (the hashing trick): bounded memory, some collisions; 0 keeps
        every feature apart.
    min_weight, half
        Weights smaller than this are left out of the model; and whether those that stay are rounded to half
        precision, which makes the file smaller.
    skip_correct
        Make no update on an example whose output is right, even if a prefix of it was a violation.
    batch
        So many examples are decoded with the same weights before there is one update for all of them (Zhao &
        Huang 2013), by as many threads as training is given; 1 is serial training.
    shards, mixing
        With more than one shard each trains an epoch on its own part of the data, and their weights are mixed
        (McDonald et al. 2010), ``uniform`` or in proportion to their ``errors``; 1 is serial training.
    memory
        So many training examples that are right by the least go into the model, where `correct` keeps them
        right without the training data.
    """

    task: ClassVar[str] = "this task"
    exchanges: ClassVar[bool] = False  # whether derivations can exchange decisions, as SWVP needs it
    sums: ClassVar[
        tuple[str, ...]
    ] = ()  # searches with which sums over all outputs are known, as a CRF needs
    searches: ClassVar[tuple[str, ...]] = ("exact", "beam")  # see `Task.searches`
    systems_apart: ClassVar[
        tuple[str, ...]
    ] = ()  # systems with other searches or learners than the usual one
    suits: ClassVar[tuple[str, ...]] = ()  # what may be ``auto``, to be suited to the data or other settings

    def __post_init__(self) -> None:
        for name, each in settings_of(type(self)).items():
            object.__setattr__(self, name, each.checked(getattr(self, name)))
        if not self.is_auto("search"):
            object.__setattr__(self, "search", str(_of_the_engine(parse_search(self.search))))
        if not isinstance(self.update, str) or self.update != "auto":
            object.__setattr__(self, "update", parse_update(self.update).name)
        if not self.is_auto("learner"):
            object.__setattr__(self, "learner", str(parse_learner(self.learner)))
        self.check_choices()
        if self.learner_choice.is_gradient:
            self.check_gradient()
        if self.batch > 1 and self.update == "laso":
            raise SettingError(
                "laso updates while it searches and cannot wait for a batch; use batch 1 or another update"
            )

    def __eq__(self, other: object) -> bool:
        return type(other) is type(self) and vars(other) == vars(self)

    def __hash__(self) -> int:
        return hash((type(self), *vars(self).values()))

    def __repr__(self) -> str:
        said = (f"{name}={value!r}" for name, value in vars(self).items())
        return f"{type(self).__name__}({', '.join(said)})"

    def take_templates(
        self, given: object, presets: Collection[str], parse: Callable[[Sequence[str]], object]
    ) -> None:
        """Make templates the name of a preset or a tuple of texts; refuse what is neither."""
        if isinstance(given, list | tuple):
            object.__setattr__(self, "templates", tuple(given))
            parse(given)
            return
        known = [AUTO, *presets] if settings_of(type(self))["templates"].default == AUTO else [*presets]
        if given not in known:
            raise SettingError(
                f"templates {given!r} are not known; use {', '.join(known)} or a list of templates"
            )

    def is_auto(self, name: str) -> bool:
        """Return whether a setting is ``auto`` where it may be."""
        return name in self.suits and bool(getattr(self, name) == "auto")

    def meaning(self, name: str) -> str:
        """Return what ``auto`` means for a search or a learner, as far as the recipe decides it."""
        raise NotImplementedError(f"{type(self).__name__} does not say what {name} auto means")

    def check_choices(self) -> None:
        """Refuse a search, an update and a learner that cannot go together, or not with the task."""
        learner, search = self.learner_choice, self.search_choice
        check_learner(learner, search, self.update_choice, self.task, self.exchanges, self.sums)
        check_search(self.task, self.searches, self.search_choice)
        self.check_order()
        if self.shards > 1 and is_piece(self.learner):
            raise SettingError(
                f"learner {self.learner}: shards would each have a memory of their own; leave shards out, or "
                "use batch"
            )

    def check_gradient(self) -> None:
        """Refuse what would change the objective of an SVM or a CRF."""
        asked = {
            "shards": self.shards > 1,
            "restart_every": self.run_length > 0,
            "skip_correct": self.skip_correct,
        }
        for name in (name for name, is_given in asked.items() if is_given):
            raise SettingError(
                f"learner {self.learner}: with {name} it does not do what it promises; leave {name} out, or "
                "use perceptron"
            )

    def check_order(self) -> None:
        """Refuse to go from one bin to the next where these have no order."""
        if self.update == "laso" and not self.search_choice.in_order:
            raise SettingError(
                f"laso goes on from one bin to the next, and the bins of search {self.search_choice} have no "
                "single order; use early or max-violation"
            )

    @property
    def block_size(self) -> int:
        """Return how many examples are shuffled together, block by block; 0 is all of them."""
        return 0

    @property
    def run_length(self) -> int:
        """The number of epochs after which learning restarts while averaging goes on; 0 never."""
        return 0

    @property
    def least_seen(self) -> int:
        """The cut; an ``auto`` that has not been suited to data keeps all."""
        return self.cut if isinstance(self.cut, int) else 0

    @property
    def least_weight(self) -> float:
        """The bound of weights; an ``auto`` that has not been suited to data keeps all."""
        return 0.0 if isinstance(self.min_weight, str) else self.min_weight

    @property
    def search_choice(self) -> Search:
        """The search, as an object."""
        return parse_search(self.meaning("search") if self.is_auto("search") else self.search)

    @property
    def update_choice(self) -> Update:
        """The update method, as an object; ``auto`` depends on the search."""
        if self.update == "auto":
            search = self.search_choice
            stepwise = search.width == 1 and search.in_order and self.batch == 1
            return parse_update("laso" if stepwise else "max_violation")
        return parse_update(self.update)

    @property
    def learner_choice(self) -> Learner:
        """The learner, as an object."""
        return parse_learner(self.meaning("learner") if self.is_auto("learner") else self.learner)

    @property
    def choices(self) -> Choices:
        """Return how to learn, in the engine's terms."""
        own, chooser = self.update_choice.own, None
        if own is not None:
            from structron.engine.outside import Chooser

            chooser = Chooser(own, str(self.update))
        return Choices(
            engine_search(self.search_choice),
            self.update_choice.code,
            self.skip_correct,
            self.learner_choice.engine(),
            self.search_choice.kind,
            chooser,
        )

    def as_dict(self) -> dict[str, Any]:
        """Plain data, for headers and files; a young setting that has its default is left out."""
        return {
            name: [*value] if isinstance(value := getattr(self, name), tuple) else value
            for name, each in settings_of(type(self)).items()
            if not each.about.young or getattr(self, name) != each.default
        }

    def record(self) -> dict[str, Any]:
        """Return the same with the names of the first release, which files keep."""
        return by_first_names(type(self), self.as_dict())

    @property
    def search_to_predict(self) -> Search:
        """The search of the finished model: that which it learned with, unless a recipe says otherwise."""
        return self.search_choice

    @property
    def balanced(self) -> Mapping[str, Any]:
        """Return what ``auto`` is for a balance of accuracy and speed, whatever the data."""
        return {}

    def hash(self) -> str:
        """Twelve hex digits that tell recipes apart; ``auto`` that can only mean one thing is that thing."""
        settings = self.record()
        if "prefer" not in settings:
            balanced = by_first_names(type(self), self.balanced)
            settings |= {name: v for name, v in balanced.items() if settings.get(name) == "auto"}
        return hashlib.sha256(json.dumps(settings, sort_keys=True).encode()).hexdigest()[:12]

    @classmethod
    def from_mapping(cls, settings: Mapping[str, Any], where: str = "recipe") -> Self:
        """A recipe from plain data; unknown names are refused."""
        known, settings = [f.name for f in fields(cls)], with_new_names(cls, settings)
        for name in settings:
            if name not in known:
                raise SettingError(
                    f"{where}: there is no setting {name!r}; the settings are {', '.join(known)}"
                )
        try:
            return cls(**settings)
        except SettingError as error:
            raise SettingError(f"{where}: {error}") from None
        except TypeError as error:  # such as a table where a name should be
            raise SettingError(f"{where}: a setting is of the wrong type ({error}); fix it") from None

    @classmethod
    def from_file(cls, path: str | Path) -> Self:
        """Read a TOML file whose keys are the settings."""
        import tomllib

        try:
            return cls.from_mapping(tomllib.loads(Path(path).read_text(encoding="utf-8")), str(path))
        except FileNotFoundError:
            raise SettingError(f"{path}: there is no such recipe; check the name") from None
        except OSError as error:
            reason = (error.strerror or str(error)).lower()
            raise SettingError(f"{path}: cannot be read, {reason}; check it") from None
        except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
            raise SettingError(f"{path}: not a TOML file ({error}); fix it") from None

    @property
    def learns(self) -> bool:
        """Return whether weights are learned by updates."""
        return True

    def but(self, **changes: Any) -> Self:
        """This recipe with some settings changed."""
        return replace(self, **changes)


def _of_the_engine(search: Search) -> Search:
    """Return a search; refuse one of one's own."""
    if search.kind == "own":
        raise SettingError(
            f"search {type(search).__name__}: the engine does not run searches of one's own; train with "
            "structron.reference, or take a search by name"
        )
    return search
