"""The recipe of a tagger."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar, Self

from structron.errors import SettingError
from structron.fit.preference import (
    ACCURACY,
    BALANCE,
    SPEED,
    check_preference,
    prefer_setting,
    trials_setting,
)
from structron.fit.recipe import Recipe
from structron.labelling.presets import CLUSTERED, PRESETS, of_gazetteer
from structron.labelling.templates import parse_all
from structron.settings import setting
from structron.tasks.tagging.template_choice import TokenFigures, suited_set

SEARCHES = {ACCURACY: "beam:8", BALANCE: "beam:4", SPEED: "greedy"}
# The usual learner, and twice its margin: what is as far behind as this hardly ever wins (decision 39).
USUAL = "perceptron:margin=20"
NARROW = "beam:4+within=40"
# Of so many labels a rival is seldom near, and what is as far behind as the margin does not win either.
MANY_LABELS = 300
NARROWER = "beam:4+within=20"
CONSTRAINTS = ("auto", "none", "bio", "iob1", "bioes")


@dataclass(frozen=True)
class TaggingRecipe(Recipe):
    """How a tagger is made; see `Recipe` for what all tasks share.

    The default learner keeps a margin, which was worth 0.1 to 0.2 points on every corpus tried.

    Parameters
    ----------
    templates
        ``auto``, a preset (``pos``, ``chunk``, ``ner``, ``ner_pos``, ``characters``), or a list of templates.
        ``auto`` takes ``pos``; for labels that mark spans ``ner``, and if tokens have a second column
        ``chunk`` where spans cover most of them, else ``ner_pos``; for spans of tokens that are characters
        ``characters`` (`structron.tasks.tagging.template_choice`).
    order
        How many previous tags may matter, 0 to 2: templates that look further back are left out. ``auto`` is
        2, and 1 for speed.
    search
        ``auto`` is ``beam:4+within=40``, of 300 labels and more ``beam:4+within=20``; with another learner
        than the usual, whose scores may be larger, ``beam:4``; for accuracy ``beam:8``, for speed ``greedy``.
    prefer, trials
        See `structron.fit.preference`.
    constraints
        ``bio``, ``iob1``, ``bioes``: illegal label sequences can never come out; ``auto`` takes the scheme
        that all training labels follow; ``none``.
    dictionary
        Words seen at least so often keep to the tags they were seen with; 0 for none.
    hidden
        So many hidden sub-labels belong to each label (Sun et al. 2009): what they stand for is learned. The
        search and the features know sub-labels, data and output only labels. 1 is plain tagging.
    block
        With N, the data are blocks of N sentences, as they follow one another: every epoch goes through the
        blocks in another order, and through each block's sentences in another order, and no batch has
        sentences of two. This is the order of data that are streamed; 0 shuffles all together.
    clusters
        A file of word clusters, as ``structron cluster`` writes it, for templates such as
        ``cluster(4)[0]``; the ready sets get some of these. The model keeps the clusters. ``none`` for none.
    gazetteers
        Files of names, one a line, for templates such as ``in(cities)[0]``, where the file is
        ``cities.txt``; commas stand between several. The ready sets get some of these, and the model keeps
        the names. ``none`` for none.
    """

    task: ClassVar[str] = "tagging"
    exchanges: ClassVar[bool] = True
    suits: ClassVar[tuple[str, ...]] = ("search", "order", "templates", "trials")
    balanced: ClassVar[Mapping[str, Any]] = {"order": 2}
    tried: ClassVar[Mapping[str, tuple[Any, ...]]] = {
        "learner": ("perceptron", "perceptron:margin=5", "mira"),
        "search": ("greedy", "beam:8"),
        "order": (1,),
        "cut": (2,),
        "dictionary": (2,),
    }

    search: str = setting(
        "auto",
        "How to search for the best output: exact, greedy, beam:8, beam:8+merge or beam:8+within=20; auto is "
        "{narrow} ({narrower} of {many} labels), or {balance} with another learner, for accuracy {accuracy}, "
        "for speed {speed}".format(narrow=NARROW, many=MANY_LABELS, narrower=NARROWER, **SEARCHES),
        "SEARCH",
    )
    templates: str | tuple[str, ...] = setting(
        "auto", f"Features: auto, {', '.join(PRESETS)}, or a file with one template a line", "PRESET|FILE"
    )
    order: int | str = setting(
        "auto", "How many previous tags may matter, 0 to 2; auto is 2, for speed 1", "N"
    )
    constraints: str = setting("auto", "Which label sequences are legal", "SCHEME", choices=CONSTRAINTS)
    dictionary: int = setting(0, "Restrict words seen N times to the tags they had; 0 for none", "N")
    hidden: int = setting(1, "Hidden sub-labels of each label", "N")
    block: int = setting(0, "Shuffle blocks of N sentences, and each block, as --stream does; 0: all", "N")
    clusters: str = setting(
        "none", "Word clusters that templates may look at, from structron cluster", "FILE"
    )
    gazetteers: str | tuple[str, ...] = setting(
        "none", "Lists of names that templates may look at, one name a line; commas between files", "FILES"
    )
    prefer: str = prefer_setting()
    trials: int | str = trials_setting()

    def __post_init__(self) -> None:
        check_preference(self)
        super().__post_init__()
        if not isinstance(self.templates, list | tuple):
            if self.templates not in ("auto", *PRESETS):
                known = ", ".join(["auto", *PRESETS])
                raise SettingError(
                    f"templates {self.templates!r} are not known; use {known} or a list of templates"
                )
        else:
            object.__setattr__(self, "templates", tuple(self.templates))
            parse_all(self.templates)
        self.check_known("constraints", CONSTRAINTS)
        if not self.is_auto("order"):
            self.check_whole("order", 0, 2)
        self.check_whole("dictionary", 0)
        self.check_whole("hidden", 1, 1000)
        self.check_whole("block", 0, 1_000_000_000)
        self.check_file("clusters")
        if isinstance(self.gazetteers, list | tuple):
            object.__setattr__(self, "gazetteers", tuple(map(str, self.gazetteers)) or "none")
        else:
            self.check_file("gazetteers")
        self.gazetteer_names  # noqa: B018 - they are checked

    @property
    def gazetteer_files(self) -> tuple[str, ...]:
        """The files of gazetteers; commas stand between those of one text."""
        if not isinstance(self.gazetteers, str):
            return self.gazetteers
        return () if self.gazetteers == "none" else tuple(self.gazetteers.split(","))

    @property
    def gazetteer_names(self) -> tuple[str, ...]:
        """What templates call the gazetteers: the names of the files."""
        names = tuple(Path(file).name.partition(".")[0] for file in self.gazetteer_files)
        for name in names:
            if not re.fullmatch(r"[\w-]{1,64}", name) or names.count(name) > 1:
                raise SettingError(
                    f"gazetteer {name!r} cannot be called by its file; give each file a name of its own, of "
                    "letters and digits"
                )
        return names

    def as_dict(self) -> dict[str, Any]:
        """Plain data; what plain tagging has not is left out, and hashes stay what they were."""
        usual = {
            "hidden": 1,
            "block": 0,
            "clusters": "none",
            "gazetteers": "none",
            "prefer": BALANCE,
            "trials": "auto",
        }
        return {name: v for name, v in super().as_dict().items() if usual.get(name) != v}

    def meaning(self, name: str) -> str:
        """What ``auto`` means for the search."""
        return NARROW if self.prefer == BALANCE and self.learner == USUAL else SEARCHES[self.prefer]

    @property
    def tags_back(self) -> int:
        """How many previous tags may matter."""
        return self.order if isinstance(self.order, int) else 1 if self.prefer == SPEED else 2

    def suited(self, figures: TokenFigures) -> Self:
        """This recipe with what ``auto`` means for such data."""
        search = str(self.search_choice)
        if self.is_auto("search") and search == NARROW and figures.labels >= MANY_LABELS:
            search = NARROWER
        return self.but(
            templates=suited_set(figures) if self.templates == "auto" else self.templates,
            search=search,
            order=self.tags_back,
        )

    @property
    def block_size(self) -> int:
        """How many sentences are shuffled together."""
        return self.block


def templates_for(recipe: TaggingRecipe, *, ready: bool) -> tuple[str, ...]:
    """The templates that a recipe means, within its order; ``auto`` must have been suited to data."""
    chosen = recipe.templates
    texts: Sequence[str] = PRESETS[chosen] if isinstance(chosen, str) else chosen
    if recipe.clusters != "none" and isinstance(chosen, str) and not ready:
        texts = [*texts, *CLUSTERED]
    if isinstance(chosen, str) and not ready:
        texts = [*texts, *(text for name in recipe.gazetteer_names for text in of_gazetteer(name))]
    reach = {0: 0, 1: 1, 2: 3}[recipe.tags_back]
    kept = tuple(t.text for t in parse_all(texts) if t.tags & ~reach == 0)
    if not kept and not ready:
        raise SettingError(f"no template is left within order {recipe.tags_back}; give one such as w[0]")
    return kept
