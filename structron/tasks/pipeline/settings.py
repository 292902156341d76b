"""The settings of a pipeline: what each stage sees, and how it learns; chosen on dev sets, see `SETTINGS`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field

from structron.fit.preference import ACCURACY, BALANCE, SPEED
from structron.labelling.presets import POS
from structron.records import dataclass

# FEATS, and XPOS, with the tag of the word and its neighbours as a column.
FEATS_TEMPLATES = [
    *POS,
    "p[0]",
    "p[-1] p[0]",
    "p[0] p[1]",
    "p[-1] p[0] p[1]",
    "lower[0] p[0]",
    *[f"lsuffix({n})[0] p[0]" for n in (2, 3, 4)],
    "t[-1] p[0]",
]

TAGS = ("upos", "xpos", "feats")
# `benchmarks/morphology.py`: FEATS are better with predicted UPOS as a column than without, jointly with UPOS
# or attribute by attribute.
SEES: Mapping[str, tuple[str, ...]] = {
    "segmenter": (),
    "upos": ("form",),
    "xpos": ("form", "upos"),
    "feats": ("form", "upos"),
    "lemma": ("form", "upos", "feats"),
    "parser": ("form", "upos", "xpos", "feats", "lemma"),
    "names": ("form", "upos"),
}


@dataclass(frozen=True)
class Settings:
    """The settings of the stages.

    Attributes
    ----------
    tagger, parser
        Parameters of `Tagger` and `Parser`.
    cheap
        Whether the parser takes the smaller of the template sets that suit a treebank.
    jointly
        Whether one tagger finds UPOS, XPOS and FEATS at once, which is faster and a little less accurate.
    negligible
        By stage (of a tagger for several columns the last): smaller weights are left out.
    search
        How the parser searches when it is finished; None: as it has learned.
    """

    tagger: Mapping[str, object] = field(default_factory=dict)
    parser: Mapping[str, object] = field(default_factory=dict)
    cheap: bool = False
    jointly: bool = False
    negligible: Mapping[str, float] = field(default_factory=dict)
    search: str | None = None


_TAGGER = {"constraints": None, "half": True, "epochs": 8}
# Half of all weights are smaller than 1, nearly all of these from one or two updates. Without them, and
# without the parser's below 2.5, EWT's model is half as large and faster; on its dev part LAS from raw text
# falls by 0.1 at most (for speed: not at all). See decision 29.
_SMALL = {"segmenter": 0.5, "upos": 0.5, "xpos": 1.0, "feats": 1.0}

FIRST_WORDS = {SPEED: "fast", BALANCE: "balance", ACCURACY: "accurate"}
"""What preferences are called in files, as in the first release."""

SETTINGS: Mapping[str, Settings] = {
    SPEED: Settings(
        _TAGGER | {"search": "greedy", "order": 0},
        {"search": "greedy", "cut": 3, "learner": "perceptron:margin=20", "epochs": 8},
        cheap=True,
        jointly=True,
        negligible=_SMALL | {"parser": 1.0},
    ),
    BALANCE: Settings(
        _TAGGER,
        {"search": "beam:8+within=60", "cut": 3, "learner": "perceptron:margin=20"},
        cheap=True,
        negligible=_SMALL | {"parser": 1.0},
    ),
    ACCURACY: Settings(
        _TAGGER,
        {"search": "beam:8+within=60", "epochs": 12},
        negligible=_SMALL | {"parser": 2.5},
        search="beam:4+within=200",
    ),
}
