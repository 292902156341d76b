"""The recipe of a tagger."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Self

from structron.errors import SettingError
from structron.fit.preference import ACCURACY, BALANCE, SPEED, PreferenceSettings
from structron.fit.raw_text.settings import ClusterSettings
from structron.fit.recipe import Recipe
from structron.labelling.presets import CLUSTERED, CLUSTERED_NAMES, PRESETS, of_gazetteer
from structron.labelling.templates import parse_all
from structron.search import Search
from structron.settings import dictionary_file_setting, setting, settings, templates_setting
from structron.tasks.tagging.template_choice import TokenFigures, suited_set

if TYPE_CHECKING:
    from structron.learners import Learner

SEARCHES = {ACCURACY: "beam:8", BALANCE: "beam:4", SPEED: "greedy"}
# The usual learner, and twice its margin: what is as far behind as this hardly ever wins (decision 39).
USUAL = "perceptron:margin=20"
NARROW = "beam:4+within=40"
# Of so many labels a rival is seldom near, and what is as far behind as the margin does not win either.
MANY_LABELS = 300
NARROWER = "beam:4+within=20"
CONSTRAINTS = ("auto", "none", "bio", "iob1", "bioes")


@settings
class TaggingSettings(PreferenceSettings, ClusterSettings):
    """The settings of a tagger, as they are given; `TaggingRecipe` says what they mean."""

    search: str | Search = setting(
        default="auto",
        help="Search: exact, greedy, beam:8, beam:8+within=20, ...",
        more=(
            "auto is {narrow} ({narrower} with {many} labels or more), "
            "or {balance} with another learner; for accuracy "
            "{accuracy}, for speed {speed}; for crf exact".format(
                narrow=NARROW, many=MANY_LABELS, narrower=NARROWER, **SEARCHES
            )
        ),
        tried=("greedy", "beam:8"),
    )
    learner: str | Learner = setting(
        default="perceptron:margin=20", tried=("perceptron", "perceptron:margin=5", "mira")
    )
    cut: int | str = setting(default=0, tried=(2,))
    templates: str | Sequence[str] = templates_setting(PRESETS)
    order: int | str = setting(
        default="auto",
        help="Number of previous tags that features may use, 0 to 2",
        more="auto is 2, for speed and for crf 1",
        metavar="N",
        low=0,
        high=2,
        tried=(1,),
    )
    constraints: str | None = setting(
        default="auto",
        help="Legal label sequences",
        metavar="SCHEME",
        choices=CONSTRAINTS,
        none="none",
    )
    dictionary: int | None = setting(
        default=0,
        help="Restrict words seen N times to the tags they had; 0 does not",
        metavar="N",
        none=0,
        low=0,
        tried=(2,),
    )
    dictionary_file: str | Path | None = dictionary_file_setting()
    hidden: int = setting(
        default=1, help="Hidden sub-labels of each label", metavar="N", low=1, high=1000, young=True
    )
    block: int = setting(
        default=0,
        help="Shuffle in blocks of N sentences, as --stream does; 0 shuffles all together",
        metavar="N",
        low=0,
        high=1_000_000_000,
        young=True,
    )
    gazetteers: str | Sequence[str | Path] | None = setting(
        default="none",
        help="Lists of names for templates, one name a line; commas between files",
        metavar="FILES",
        none="none",
        young=True,
        files=True,
    )


@settings
class TaggingRecipe(TaggingSettings, Recipe):
    """The recipe of a tagger; `Recipe` has what all tasks share.

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
        2, and 1 for speed and for a CRF.
    search
        ``auto`` is ``beam:4+within=40``, of 300 labels and more ``beam:4+within=20``; with another learner
        than the usual, whose scores may be larger, ``beam:4``; for accuracy ``beam:8``, for speed ``greedy``;
        for a CRF ``exact``.
    prefer, trials
        See `structron.fit.preference`.
    constraints
        ``bio``, ``iob1``, ``bioes``: illegal label sequences can never come out; ``auto`` takes the scheme
        that all training labels follow; ``none``.
    dictionary
        Words seen at least so often keep to the tags they were seen with; 0 for none.
    dictionary_file
        A file of entries with their labels, as ``predict --dictionary`` takes it. They win over the labels of
        the training data, and in all that is predicted; the model keeps them. ``none`` for none.
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
    text
        Files of raw text without labels: clusters of its words are made from it, as a file for `clusters`
        would give them, and kept beside the text (`structron.fit.raw_text.clusters`). ``none`` for none.
    gazetteers
        Files of names, one a line, for templates such as ``in(cities)[0]``, where the file is
        ``cities.txt``; commas stand between several. The ready sets get some of these, and the model keeps
        the names. ``none`` for none.
    """

    task: ClassVar[str] = "tagging"
    exchanges: ClassVar[bool] = True
    sums: ClassVar[tuple[str, ...]] = ("exact",)
    suits: ClassVar[tuple[str, ...]] = ("search", "order", "templates", "trials")
    balanced: ClassVar[Mapping[str, Any]] = {"order": 2}

    def __post_init__(self) -> None:
        super().__post_init__()
        self.take_templates(self.templates, PRESETS, parse_all)
        self.gazetteer_names  # noqa: B018 - they are checked

    @property
    def gazetteer_files(self) -> tuple[str, ...]:
        """The files of gazetteers; commas stand between those of one text."""
        given = self.gazetteers
        if isinstance(given, str):
            return () if given == "none" else tuple(given.split(","))
        return () if given is None else tuple(map(str, given))

    @property
    def gazetteer_names(self) -> tuple[str, ...]:
        """Return the names that templates use for the gazetteers: those of the files."""
        names = tuple(Path(file).name.partition(".")[0] for file in self.gazetteer_files)
        for name in names:
            if not re.fullmatch(r"[\w-]{1,64}", name) or names.count(name) > 1:
                raise SettingError(
                    f"gazetteer {name!r} cannot be called by its file; give each file a name of its own, of "
                    "letters and digits"
                )
        return names

    def meaning(self, name: str) -> str:
        """Return the meaning of ``auto`` for the search."""
        if self.is_crf:
            return "exact"
        return NARROW if self.prefer == BALANCE and self.learner == USUAL else SEARCHES[self.prefer]

    @property
    def tags_back(self) -> int:
        """Return how many previous tags may matter."""
        if isinstance(self.order, int):
            return self.order
        return 1 if self.prefer == SPEED or self.is_crf else 2

    @property
    def is_crf(self) -> bool:
        """Return whether the learner sums over all outputs."""
        return str(self.learner).partition(":")[0] == "crf"

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
        """Return how many sentences are shuffled together."""
        return self.block


def templates_for(recipe: TaggingRecipe, *, ready: bool) -> tuple[str, ...]:
    """The templates that a recipe means, within its order; ``auto`` must have been suited to data."""
    chosen = recipe.templates
    texts: Sequence[str] = PRESETS[chosen] if isinstance(chosen, str) else chosen
    if recipe.has_clusters and isinstance(chosen, str) and not ready:
        texts = [*texts, *(CLUSTERED_NAMES if chosen in ("ner", "ner_pos") else CLUSTERED)]
    if isinstance(chosen, str) and not ready:
        texts = [*texts, *(text for name in recipe.gazetteer_names for text in of_gazetteer(name))]
    reach = {0: 0, 1: 1, 2: 3}[recipe.tags_back]
    kept = tuple(t.text for t in parse_all(texts) if t.tags & ~reach == 0)
    if not kept and not ready:
        raise SettingError(f"no template is left within order {recipe.tags_back}; give one such as w[0]")
    return kept
