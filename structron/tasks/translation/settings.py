"""The recipe of a translator."""

from __future__ import annotations

from dataclasses import dataclass
from numbers import Real
from typing import ClassVar

from structron.errors import SettingError
from structron.fit.recipe import Recipe
from structron.fit.tuning import Tuner
from structron.io.values.ngrams import MOST_ORDERS
from structron.learners import check_learner
from structron.settings import setting
from structron.task import check_search
from structron.tasks.translation.decoding.space import MOST_DISTORTION
from structron.tasks.translation.decoding.targets import AIMS, AMONG
from structron.tasks.translation.features import PRESETS, parse, parse_all
from structron.tasks.translation.hiero.rules import Limits
from structron.tasks.translation.hiero.space import MOST_SPAN, check_templates
from structron.tasks.translation.hiero.table import RuleExtractor
from structron.tasks.translation.hiero.task import HieroTask
from structron.tasks.translation.phrases.extraction import MOST_LINKED
from structron.tasks.translation.phrases.table import PhraseExtractor
from structron.tasks.translation.shared_settings import UNREACHABLE
from structron.tasks.translation.words.source_words import COMPOUNDS

SYSTEMS = ("phrases", "hiero")
SEARCHES = {"phrases": "beam:30+merge", "hiero": "forest:30"}  # what auto means
RETUNING = 15  # how often retuning goes through its lists in each round: it begins near the end


@dataclass(frozen=True)
class TranslationRecipe(Recipe):
    """How a translator is made; see `Recipe` for what all tasks share.

    Parameters
    ----------
    system
        ``phrases`` (Koehn, Och & Marcu 2003), or ``hiero``: rules with gaps, searched over a forest (Chiang
        2007).
    search
        ``beam:30+merge`` has stacks of thirty; with ``+by_class`` updates compare guess and gold over the
        same source words. With hiero ``forest:30`` keeps thirty items a node, by cube pruning; ``auto`` is
        the one or the other.
    templates
        Sparse features: ``auto``, a preset (``dense`` has none, ``rules``, ``context``, ``edges``, ``full``),
        or a list of templates; ``auto`` is ``dense``: sparse features were not seen to help beyond noise.
    epochs
        Passes over the data to learn sparse weights; where there is nothing to learn, since there are no
        templates and dense weights are frozen, there is none.
    longest, least, most
        Words of a phrase at most; phrase pairs seen fewer times are left out, but those of one word and one
        word stay; options of a source phrase at most.
    initial, symbols, span_limit
        With hiero: words of a phrase that rules are made from, words and gaps of a rule's source side, and
        source words that a rule with what is in its gaps may cover, at most; `least` and `most` are of rules.
    compounds, forms
        Whether rare source words are taken apart where the data have seen their parts more often: ``split``,
        ``whole``, or ``auto``, which splits if many words can be split, as in German; and whether a source
        word that was never seen is taken for a known one with another ending.
    order
        The longest n-grams of the language model.
    distortion_limit
        How far a phrase may begin from the end of the one before, in source words.
    tuning, list_size
        Rounds of tuning the dense weights on the dev set, at most, and how many translations of a sentence
        each looks at; 0 rounds leave them as they are.
    frozen_dense, scale
        Whether dense weights stay as they were tuned while the others are learned; if not, their own step
        size is the square of the scale.
    aim, among
        What learning aims at: the ``reference``, all derivations of which are gold; ``hope``, the output that
        scores well and has a high BLEU; or ``local``, the one with the highest BLEU. Hope and local are
        chosen anew among so many outputs whenever a sentence comes up.
    folds
        The pairs are split into so many parts, and each part is learned with phrases and a language model
        that were made without it. With 0, phrases leave one pair out, and the language model has seen all.
    retuning
        Rounds of tuning on the dev set after each epoch: dense weights and one factor for all sparse ones.
        They make the model of the epoch; learning goes on with its own.
    unreachable
        What becomes of a pair that no derivation yields: ``skip`` leaves it out, ``prefix`` learns as much of
        its beginning as can be reached. Either way they are counted.
    cut
        Must be 0: features are first met in the search and have no count before that.
    """

    task: ClassVar[str] = "translation"
    searches: ClassVar[tuple[str, ...]] = ("beam", "classes")
    fewest_epochs: ClassVar[int] = 0
    suits: ClassVar[tuple[str, ...]] = ("search",)

    system: str = setting(
        "phrases", "Phrases one after the other, or hiero: rules with gaps", "SYSTEM", choices=SYSTEMS
    )
    search: str = setting(
        "auto",
        "How to search for the best output: beam:30+merge, greedy, with system hiero forest:30; auto is the "
        "first, or with hiero the last",
        "SEARCH",
    )
    learner: str = "perceptron:step=0.02"
    epochs: int = 2
    templates: str | tuple[str, ...] = setting(
        "auto", f"Features: auto, {', '.join(PRESETS)}, or a file with one template a line", "PRESET|FILE"
    )
    longest: int = setting(7, "Words of a phrase at most", "N")
    initial: int = setting(10, "With hiero: words of a phrase that rules are made from at most", "N")
    symbols: int = setting(5, "With hiero: words and gaps of a rule's source side at most", "N")
    span_limit: int = setting(10, "With hiero: source words that a rule may cover at most", "N")
    least: int = setting(2, "Leave out phrase pairs seen fewer than N times", "N")
    most: int = setting(20, "Options of a source phrase at most", "N")
    compounds: str = setting(
        "auto",
        "Take compounds of the source apart: split, whole, or as the data suggest",
        "HOW",
        choices=COMPOUNDS,
    )
    forms: bool = setting(
        True,
        "Take source words never seen for known ones with another ending, or copy them",
        flags="--forms/--no-forms",
    )
    order: int = setting(4, "The longest n-grams of the language model", "N")
    distortion_limit: int = setting(6, "How far a phrase may jump, in source words", "N")
    tuning: int = setting(8, "Rounds of tuning the dense weights on the dev set at most", "N")
    list_size: int = setting(100, "Translations of a sentence that tuning looks at", "K")
    frozen_dense: bool = setting(
        True, "Keep dense weights as they were tuned, or learn them too", flags="--frozen-dense/--free-dense"
    )
    scale: float = setting(0.1, "Multiply dense features by X: their step size is its square", "X")
    aim: str = setting("reference", "What to learn: the reference, hope, or local", "WHAT", choices=AIMS)
    among: int = setting(AMONG, "Translations that hope and local choose from", "K")
    folds: int = setting(5, "Learn with tables made without a part of the data; 0: without one pair", "N")
    retuning: int = setting(3, "Rounds of tuning on the dev set after each epoch", "N")
    unreachable: str = setting(
        "prefix", "What to do with pairs that have no derivation", "HOW", choices=UNREACHABLE
    )

    def __post_init__(self) -> None:
        self.check_known("system", SYSTEMS)
        super().__post_init__()
        if isinstance(self.templates, list | tuple):
            object.__setattr__(self, "templates", tuple(self.templates))
            parse_all(self.templates)
        elif self.templates not in ("auto", *PRESETS):
            known = ", ".join(["auto", *PRESETS])
            raise SettingError(
                f"templates {self.templates!r} are not known; use {known} or a list of templates"
            )
        if self.cut != 0:
            raise SettingError(f"cut = {self.cut!r} is not possible for translation; give 0")
        if self.system == "hiero":
            check_templates(parse_all(self.template_texts))
        self.check_whole("longest", 1, MOST_LINKED)
        self.check_whole("initial", 1, MOST_LINKED)
        self.check_whole("symbols", 1, MOST_LINKED)
        self.check_whole("span_limit", 1, MOST_SPAN)
        for name in ("least", "most", "list_size"):
            self.check_whole(name, 1)
        self.check_whole("order", 1, MOST_ORDERS)
        self.check_whole("distortion_limit", 0, MOST_DISTORTION)
        for name in ("tuning", "retuning"):
            self.check_whole(name, 0)
        self.check_known("aim", AIMS)
        self.check_whole("among", 1)
        self.check_whole("folds", 0)
        if self.folds == 1:
            raise SettingError("folds = 1 leaves nothing to learn from; give 2 or more, or 0")
        if self.aim != "reference" and self.system == "hiero":
            raise SettingError(f"aim {self.aim} is for system phrases; use it, or aim reference")
        self.check_bool("frozen_dense")
        self.check_bool("forms")
        self.check_known("compounds", COMPOUNDS)
        self.check_known("unreachable", UNREACHABLE)
        number = isinstance(self.scale, Real) and not isinstance(self.scale, bool)
        if not number or not 0 < self.scale < float("inf"):
            raise SettingError(f"scale = {self.scale!r} is not possible; give a number above 0")
        object.__setattr__(self, "scale", float(self.scale))

    def meaning(self, name: str) -> str:
        """What ``auto`` means for the search."""
        return SEARCHES[self.system]

    def check_choices(self) -> None:
        """A forest is of system hiero, and beams are of phrases."""
        if self.system != "hiero":
            if self.aim != "reference" and self.search_choice.width is None:
                raise SettingError(
                    f"aim {self.aim} chooses among the outputs of a beam, which search {self.search} is not; "
                    "use a beam, or aim reference"
                )
            super().check_choices()
            return
        check_search("system hiero", HieroTask.searches, self.search_choice)
        check_learner(
            self.learner_choice, self.search_choice, self.update_choice, "system hiero", self.exchanges
        )
        self.check_order()

    @property
    def rule_extractor(self) -> RuleExtractor:
        """How rules with gaps are extracted."""
        return RuleExtractor(Limits(self.initial, self.symbols), self.least, self.most)

    @property
    def extractor(self) -> PhraseExtractor:
        """How phrase pairs are extracted."""
        return PhraseExtractor(self.longest, self.least, self.most)

    @property
    def tuner(self) -> Tuner | None:
        """How dense weights are tuned; None if they are not."""
        return Tuner(rounds=self.tuning, seed=self.seed) if self.tuning else None

    @property
    def retuner(self) -> Tuner | None:
        """How dense weights are tuned after an epoch; None if they are not."""
        return Tuner(rounds=self.retuning, epochs=RETUNING, seed=self.seed) if self.retuning else None

    @property
    def learns(self) -> bool:
        """Whether anything is learned after tuning."""
        return self.epochs > 0 and (bool(self.template_texts) or not self.frozen_dense)

    @property
    def template_texts(self) -> tuple[str, ...]:
        """The templates it means."""
        if isinstance(self.templates, tuple):
            return self.templates
        preset = PRESETS["dense" if self.templates == "auto" else self.templates]
        if self.system == "hiero":  # no rule knows the words before it
            preset = [text for text in preset if not parse(text).back]
        return tuple(preset)
