"""The recipe of a classifier."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, Self

from structron.errors import SettingError
from structron.fit.recipe import Recipe, Settings
from structron.learners.mira import Mira
from structron.learners.perceptron import Perceptron
from structron.search import Search
from structron.settings import setting, settings, templates_setting
from structron.tasks.classification.features import PRESETS, parse_all, parse_weighting

if TYPE_CHECKING:
    from structron.learners import Learner

BALANCED = "balanced"
INTERCEPTS = ("auto", "yes", "no")


@settings
class ClassificationSettings(Settings):
    """The settings of a classifier, as they are given; `ClassificationRecipe` says what they mean."""

    search: str | Search = "exact"
    learner: str | Learner = setting(default="auto", tried=("perceptron", "mira:C=0.1"))
    epochs: int = 10
    cut: int | str = setting(default=0, tried=(2,))
    templates: str | Sequence[str] = templates_setting(
        PRESETS, tried=("words", "bigrams", "characters", "mixed")
    )
    weighting: str = setting(
        default="auto",
        help="Feature weighting: count, binary or log, then +idf and +l2",
        more="auto is log+idf+l2 for texts and count for numbers",
        metavar="HOW",
        tried=("count", "binary", "log+idf+l2"),
    )
    lowercase: bool = setting(
        default=True, help="Ignore case, or keep it", flags="--lowercase/--keep-case", tried=(True, False)
    )
    intercept: bool | str = setting(
        default="auto",
        help="Add a constant feature",
        more="auto adds one for numbers, of their size",
        metavar="WHETHER",
        choices=INTERCEPTS,
    )
    multilabel: bool = setting(
        default=False,
        help="Allow any number of labels, or exactly one",
        flags="--multilabel/--one-label",
        basic=True,
    )
    class_weight: Mapping[Any, float] | str | None = setting(
        default="none",
        help='Weights of labels: none, balanced, or JSON such as {"spam": 2}',
        metavar="WEIGHTS",
        none="none",
    )
    voted: bool = setting(
        default=False,
        help="Let all weight vectors of the training vote, or let one decide",
        flags="--voted/--not-voted",
    )


@settings
class ClassificationRecipe(ClassificationSettings, Recipe):
    """The recipe of a classifier; `Recipe` has what all tasks share.

    Parameters
    ----------
    templates
        What is a feature of a text: ``auto``, a preset (``words``, ``bigrams``, ``characters``, ``mixed``),
        or a list of templates such as ``word(2)`` and ``char(3)``. ``auto`` is ``words``. Features that
        come by name or in columns are what they are.
    weighting
        How much a feature counts: ``count``, ``binary`` or ``log``, then ``+idf`` and ``+l2``; ``auto`` is
        ``log+idf+l2`` for texts and words, and ``count`` for numbers.
    lowercase
        Whether upper and lower case are the same.
    intercept
        Whether there is one more feature, of the same value for every input: ``yes``, then it is 1, as in
        scikit-learn; ``no``; ``auto`` has none for texts and words, whose features have unit length, and for
        numbers one that is about as large as the inputs are long. So it is learned as quickly as the rest,
        whatever the numbers measure (Cristianini & Shawe-Taylor 2000, Table 2.1).
    multilabel
        Whether any number of labels may be right for an input, each decided by itself.
    class_weight
        ``none``; ``balanced``, in inverse proportion to how often a label is seen; or an object in JSON, such
        as ``{"spam": 2}``. For the perceptron every step on an example of weight c is c times as long, as in
        scikit-learn; for MIRA gold must be ahead by c times as much (costs, as in Crammer et al. 2006).
        Examples of weight 0 are left alone.
    learner
        ``auto`` is ``mira:augmented``, the passive-aggressive update, for texts and words, and ``perceptron``
        for numbers.
    cut
        Features of fewer training inputs are left out.
    voted
        Whether every weight vector of the training votes for a label, as often as it has stood (Freund &
        Schapire 1999), and the label with most votes wins; otherwise one vector decides, the mean of all for
        most learners. Slower to predict with, and for the perceptron only.
    """

    task: ClassVar[str] = "classification"
    suits: ClassVar[tuple[str, ...]] = ("learner",)

    def __post_init__(self) -> None:
        if isinstance(self.intercept, bool):
            object.__setattr__(self, "intercept", "yes" if self.intercept else "no")
        if isinstance(weights := self.class_weight, Mapping):
            plain = {str(getattr(label, "item", lambda own=label: own)()): w for label, w in weights.items()}
            object.__setattr__(self, "class_weight", json.dumps(plain, default=float))
        super().__post_init__()
        self.take_templates(self.templates, PRESETS, parse_all)
        if self.weighting != "auto":
            parse_weighting(self.weighting)
        learner = self.learner_choice
        if self.weights is not None and isinstance(learner, Mira) and math.inf > learner.C:
            raise SettingError(
                f"learner {self.learner}: a cap on steps would undo weights of labels, which ask for longer "
                "ones; leave C out, or use class_weight none"
            )
        if self.voted:
            self._check_votes()

    def _check_votes(self) -> None:
        """Refuse settings that cannot be combined with votes."""
        if not isinstance(self.learner_choice, Perceptron):
            raise SettingError(
                f"learner {self.learner}: votes are those of the perceptron; use perceptron, or not voted"
            )
        if self.batch > 1 or self.shards > 1 or self.update == "laso":
            raise SettingError(
                "votes are taken after every single example; use batch 1, shards 1 and another update than "
                "laso, or not voted"
            )
        if self.min_weight:
            raise SettingError(
                "votes are counted by whole examples, of which no weight is too small; use min_weight 0"
            )

    def meaning(self, name: str) -> str:
        """The learner for texts, unless weight vectors vote."""
        return "perceptron" if self.voted else "mira:augmented"

    def suited(self, *, is_text: bool) -> Self:
        """The recipe with the learner that it means for given data."""
        if not self.is_auto("learner"):
            return self
        return self.but(learner=self.meaning("learner") if is_text else "perceptron")

    def scale_of(self, weight: float) -> float:
        """By how much the values of an example are multiplied if its label has this weight.

        What is a step c times as long is for the perceptron an example c times as great. For MIRA, with a
        margin of 1, an example that is c times as small must be ahead by c times as much before it is scaled.
        """
        if isinstance(self.learner_choice, Perceptron):
            return weight
        return 1 / weight if weight else 0.0

    @property
    def least_seen(self) -> int:
        """Features are counted, and rare ones left out, before anything is packed."""
        return 0

    @property
    def weights(self) -> dict[str, float] | str | None:
        """The weights of labels, read."""
        if self.class_weight in ("none", BALANCED):
            return None if self.class_weight == "none" else BALANCED
        try:
            found = json.loads(str(self.class_weight))
            if not isinstance(found, dict):
                raise TypeError
            weights = {str(label): float(weight) for label, weight in found.items()}
        except (TypeError, ValueError):
            raise SettingError(
                f"class_weight {self.class_weight!r} is not known; give none, balanced, or an object in JSON "
                'such as {"spam": 2}'
            ) from None
        if not all(0 <= weight <= 1e6 for weight in weights.values()):
            raise SettingError(
                f"class_weight {self.class_weight!r} is not possible; give numbers from 0 to a million"
            )
        return weights

    def template_texts(self, *, is_text: bool) -> tuple[str, ...]:
        """The templates it means; only texts and words have any."""
        if not is_text:
            return ()
        if not isinstance(self.templates, str):
            return tuple(self.templates)
        return tuple(PRESETS["words" if self.templates == "auto" else self.templates])

    @property
    def intercept_value(self) -> float:
        """The value of the intercept, as far as the recipe decides it: 1 or, for none, 0."""
        return float(self.intercept == "yes")

    def is_sized(self, *, is_text: bool) -> bool:
        """Return whether the intercept is as large as the inputs are long."""
        return self.intercept == "auto" and not is_text

    def weighting_for(self, *, is_text: bool) -> str:
        """The weighting it means."""
        if self.weighting != "auto":
            return self.weighting
        return "log+idf+l2" if is_text else "count"
