"""The recipe of a translator."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, ClassVar

from structron.errors import SettingError
from structron.fit.preference import ACCURACY, BALANCE, SPEED, PreferSettings
from structron.fit.recipe import Recipe
from structron.io.values.ngrams import MOST_ORDERS
from structron.learners import check_learner
from structron.search import Search
from structron.settings import setting, settings, templates_setting
from structron.task import check_search
from structron.tasks.translation.decoding.space import MOST_DISTORTION
from structron.tasks.translation.decoding.targets import AIMS, AMONG
from structron.tasks.translation.features import PRESETS, parse, parse_all
from structron.tasks.translation.fitting.batch_mira import Tuner
from structron.tasks.translation.hiero.rules import Limits
from structron.tasks.translation.hiero.space import MOST_SPAN, check_templates
from structron.tasks.translation.hiero.table import RuleExtractor
from structron.tasks.translation.hiero.task import HieroTask
from structron.tasks.translation.phrases.extraction import MOST_LINKED
from structron.tasks.translation.phrases.table import PhraseExtractor
from structron.tasks.translation.shared_settings import UNREACHABLE
from structron.tasks.translation.words.source_words import COMPOUNDS

if TYPE_CHECKING:
    from structron.learners import Learner

SYSTEMS = ("phrases", "hiero")
# What auto means.
SEARCHES = {
    "phrases": {SPEED: "beam:10+merge", BALANCE: "beam:30+merge", ACCURACY: "beam:100+merge"},
    "hiero": {SPEED: "forest:10", BALANCE: "forest:30", ACCURACY: "forest:100"},
}
RETUNING = 15  # how often retuning goes through its lists in each round: it begins near the end


@settings
class TranslationSettings(PreferSettings):
    """The settings of a translator, as they are given; `TranslationRecipe` says what they mean."""

    system: str = setting(
        default="phrases",
        help="Translate by phrases, or by rules with gaps",
        metavar="SYSTEM",
        choices=SYSTEMS,
        basic=True,
    )
    search: str | Search = setting(
        default="auto",
        help="Search: beam:30+merge, greedy, ...",
        more="with system hiero forest:30; auto is beam:30+merge, with hiero forest:30",
    )
    learner: str | Learner = "perceptron:step=0.02"
    epochs: int = setting(default=2, low=0)
    templates: str | Sequence[str] = templates_setting(PRESETS)
    longest: int = setting(default=7, help="Longest phrase, in words", metavar="N", low=1, high=MOST_LINKED)
    initial: int = setting(
        default=10,
        help="With hiero: longest phrase that rules are extracted from, in words",
        metavar="N",
        low=1,
        high=MOST_LINKED,
    )
    symbols: int = setting(
        default=5,
        help="With hiero: most words and gaps on the source side of a rule",
        metavar="N",
        low=1,
        high=MOST_LINKED,
    )
    span_limit: int = setting(
        default=10,
        help="With hiero: most source words that a rule may cover",
        metavar="N",
        low=1,
        high=MOST_SPAN,
    )
    min_count: int = setting(
        was="least", default=2, help="Drop phrase pairs seen fewer than N times", metavar="N", low=1
    )
    max_options: int = setting(
        was="most", default=20, help="Most options for each source phrase", metavar="N", low=1
    )
    compounds: str = setting(
        default="auto",
        help="How to treat compounds of the source",
        metavar="HOW",
        choices=COMPOUNDS,
    )
    forms: bool = setting(
        default=True,
        help="Translate unseen source words as known ones with another ending, or copy them",
        flags="--forms/--no-forms",
    )
    order: int = setting(
        default=4, help="Order of the n-gram language model", metavar="N", low=1, high=MOST_ORDERS
    )
    distortion_limit: int = setting(
        default=6,
        help="Longest jump between phrases, in source words",
        metavar="N",
        low=0,
        high=MOST_DISTORTION,
    )
    tuning: int = setting(
        default=8, help="Most rounds of tuning the dense weights on DEV", metavar="N", low=0
    )
    list_size: int = setting(default=100, help="Translations of each sentence in tuning", metavar="K", low=1)
    frozen_dense: bool = setting(
        default=True,
        help="Keep dense weights as tuned, or learn them too",
        flags="--frozen-dense/--free-dense",
    )
    scale: float = setting(
        default=0.1,
        help="Scale of dense features; their step size is its square",
        metavar="X",
        low=0,
        above=True,
    )
    update_towards: str = setting(
        was="aim",
        default="reference",
        help="The output to update towards",
        metavar="WHAT",
        choices=AIMS,
    )
    candidates: int = setting(
        was="among", default=AMONG, help="Translations that hope and local choose from", metavar="K", low=1
    )
    folds: int = setting(
        default=5,
        help="Learn each of N parts with tables of the others; 0 leaves single pairs out",
        metavar="N",
        low=0,
    )
    retuning: int = setting(default=3, help="Rounds of tuning on DEV after each epoch", metavar="N", low=0)
    unreachable: str = setting(
        default="prefix",
        help="What to do with pairs that cannot be derived",
        metavar="HOW",
        choices=UNREACHABLE,
    )


@settings
class TranslationRecipe(TranslationSettings, Recipe):
    """The recipe of a translator; `Recipe` has what all tasks share.

    Parameters
    ----------
    system
        ``phrases`` (Koehn, Och & Marcu 2003), or ``hiero``: rules with gaps, searched over a forest (Chiang
        2007).
    search
        ``beam:30+merge`` has stacks of thirty; with ``+by_class`` updates compare guess and gold over the
        same source words. With hiero ``forest:30`` keeps thirty items a node, by cube pruning; ``auto`` is
        the one or the other, narrower or wider as `prefer` says.
    prefer
        See `structron.fit.preference`.
    templates
        Sparse features: ``auto``, a preset (``dense`` has none, ``rules``, ``context``, ``edges``, ``full``),
        or a list of templates; ``auto`` is ``dense``: sparse features were not seen to help beyond noise.
    epochs
        Passes over the data to learn sparse weights; where there is nothing to learn, since there are no
        templates and dense weights are frozen, there is none.
    longest, min_count, max_options
        Words of a phrase at most; phrase pairs seen fewer times are left out, but those of one word and one
        word stay; options of a source phrase at most.
    initial, symbols, span_limit
        With hiero: words of a phrase that rules are made from, words and gaps of a rule's source side, and
        source words that a rule with what is in its gaps may cover, at most; `min_count` and `max_options`
        are of rules.
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
    update_towards, candidates
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
    systems_apart: ClassVar[tuple[str, ...]] = ("hiero",)
    searches: ClassVar[tuple[str, ...]] = ("beam", "classes")
    suits: ClassVar[tuple[str, ...]] = ("search",)

    def __post_init__(self) -> None:
        super().__post_init__()
        self.take_templates(self.templates, PRESETS, parse_all)
        if self.cut != 0:
            raise SettingError(f"cut = {self.cut!r} is not possible for translation; give 0")
        if self.system == "hiero":
            check_templates(parse_all(self.template_texts))
        if self.folds == 1:
            raise SettingError("folds = 1 leaves nothing to learn from; give 2 or more, or 0")
        if self.update_towards != "reference" and self.system == "hiero":
            raise SettingError(
                f"update_towards {self.update_towards} is for system phrases; use it, or update towards the "
                "reference"
            )

    def meaning(self, name: str) -> str:
        """Return the meaning of ``auto`` for the search."""
        return SEARCHES[self.system][self.prefer]

    def check_choices(self) -> None:
        """A forest is of system hiero, and beams are of phrases."""
        if self.system != "hiero":
            if self.update_towards != "reference" and self.search_choice.width is None:
                raise SettingError(
                    f"update_towards {self.update_towards} chooses among the outputs of a beam, which search "
                    f"{self.search} is not; "
                    "use a beam, or update_towards reference"
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
        """Return how rules with gaps are extracted."""
        return RuleExtractor(Limits(self.initial, self.symbols), self.min_count, self.max_options)

    @property
    def extractor(self) -> PhraseExtractor:
        """Return how phrase pairs are extracted."""
        return PhraseExtractor(self.longest, self.min_count, self.max_options)

    @property
    def tuner(self) -> Tuner | None:
        """Return how dense weights are tuned, or None if they are not."""
        return Tuner(rounds=self.tuning, seed=self.seed) if self.tuning else None

    @property
    def retuner(self) -> Tuner | None:
        """Return how dense weights are tuned after an epoch, or None if they are not."""
        return Tuner(rounds=self.retuning, epochs=RETUNING, seed=self.seed) if self.retuning else None

    @property
    def learns(self) -> bool:
        """Return whether anything is learned after tuning."""
        return self.epochs > 0 and (bool(self.template_texts) or not self.frozen_dense)

    @property
    def template_texts(self) -> tuple[str, ...]:
        """The templates it means."""
        if not isinstance(self.templates, str):
            return tuple(self.templates)
        preset = PRESETS["dense" if self.templates == "auto" else self.templates]
        if self.system == "hiero":  # no rule knows the words before it
            preset = [text for text in preset if not parse(text).back]
        return tuple(preset)
