"""The settings of a pipeline: what each stage sees, and how it learns; chosen on dev sets, see `SETTINGS`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from structron.errors import SettingError
from structron.features.tagging.presets import POS

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
}


@dataclass(frozen=True)
class Settings:
    """How the stages learn.

    Attributes
    ----------
    tagger, parser
        Parameters of `Tagger` and `Parser`.
    cheap
        Whether the parser takes the smaller of the template sets that suit a treebank.
    jointly
        Whether one tagger finds UPOS, XPOS and FEATS at once, which is faster and a little less accurate.
    """

    tagger: Mapping[str, object] = field(default_factory=dict)
    parser: Mapping[str, object] = field(default_factory=dict)
    cheap: bool = False
    jointly: bool = False


_TAGGER = {"constraints": None, "half": True, "epochs": 8}

SETTINGS: Mapping[str, Settings] = {
    "fast": Settings(
        _TAGGER | {"search": "greedy", "order": 0},
        {"search": "greedy", "cut": 3, "learner": "perceptron:margin=20", "epochs": 8},
        cheap=True,
        jointly=True,
    ),
    "balance": Settings(
        _TAGGER, {"search": "beam:8+within=60", "cut": 3, "learner": "perceptron:margin=20"}, cheap=True
    ),
    "accurate": Settings(_TAGGER, {"search": "beam:8+within=60"}),
}


def settings_of(name: object) -> Settings:
    """Settings by their name."""
    if not isinstance(name, str) or name not in SETTINGS:
        raise SettingError(f"settings {name!r} are not known; use one of {', '.join(SETTINGS)}")
    return SETTINGS[name]
