"""Template sets to start with; `ready` is for features made elsewhere."""

from __future__ import annotations

_AROUND = (-2, -1, 1, 2)
_HISTORY = ["t[-1]", "t[-2] t[-1]"]

_SPELLING = [
    "bias",
    "w[0]",
    "lower[0]",
    "shape[0]",
    "class[0]",
    *[f"lprefix({n})[0]" for n in (1, 2, 3, 4)],
    *[f"lsuffix({n})[0]" for n in (1, 2, 3, 4, 5)],
]

POS = [
    *_SPELLING,
    *[f"lower[{i}]" for i in _AROUND],
    "lower[-1] lower[0]",
    "lower[0] lower[1]",
    *_HISTORY,
    "t[-1] lower[0]",
    "t[-1] lower[1]",
    "t[-1] lower[-1]",
]

CHUNK = [
    *_SPELLING,
    *[f"lower[{i}]" for i in _AROUND],
    "lower[-1] lower[0]",
    "lower[0] lower[1]",
    *[f"p[{i}]" for i in (-2, -1, 0, 1, 2)],
    *[f"p[{i}] p[{i + 1}]" for i in (-2, -1, 0, 1)],
    *[f"p[{i}] p[{i + 1}] p[{i + 2}]" for i in (-2, -1, 0)],
    "lower[0] p[0]",
    "lower[-1] p[0]",
    "lower[1] p[0]",
    *_HISTORY,
    "t[-1] p[0]",
    "t[-1] lower[0]",
    "t[-2] t[-1] p[0]",
]

NER = [
    *_SPELLING,
    *[f"lower[{i}]" for i in _AROUND],
    *[f"shape[{i}]" for i in _AROUND],
    "shape[-1] shape[0]",
    "shape[0] shape[1]",
    "lower[-1] lower[0]",
    "lower[0] lower[1]",
    *[f"lsuffix(3)[{i}]" for i in (-1, 1)],
    *_HISTORY,
    "t[-1] lower[0]",
    "t[-1] shape[0]",
]

# Names where words have parts of speech; chosen on dev, see decision 35.
NER_POS = [
    *NER,
    *[f"p[{i}]" for i in (-2, -1, 0, 1, 2)],
    "p[-1] p[0]",
    "p[0] p[1]",
    "t[-1] p[0]",
]

# Tokens that are characters: what stands beside them, in pairs, and with the labels before. Chosen on dev,
# see decision 35.
CHARACTERS = [
    "bias",
    *[f"w[{i}]" for i in (-2, -1, 0, 1, 2)],
    *[f"w[{i}] w[{i + 1}]" for i in (-2, -1, 0, 1)],
    "w[-1] w[1]",
    *[f"shape[{i}]" for i in (-1, 0, 1)],
    "shape[-1] shape[0] shape[1]",
    *_HISTORY,
    *[f"t[-1] w[{i}]" for i in (-1, 0, 1)],
    "t[-1] w[-1] w[0]",
    "t[-1] w[0] w[1]",
    "t[-2] t[-1] w[0]",
]

READY = ["bias", *_HISTORY]

# Additions to these sets if words have clusters; chosen on dev, see benchmarks/results/clusters.md.
CLUSTERED = [
    *[f"cluster[{i}]" for i in (-2, -1, 0, 1, 2)],
    *[f"cluster({n})[0]" for n in (4, 6, 10)],
]
# For names also those beside a word, as coarsely, and more grains of its own; benchmarks/results/text.md.
CLUSTERED_NAMES = [
    *CLUSTERED,
    *[f"cluster({n})[0]" for n in (3, 8, 12, 14)],
    *[f"cluster({n})[{i}]" for n in (4, 6, 10) for i in (-1, 1)],
]


def of_gazetteer(name: str) -> list[str]:
    """Return the templates to add for a gazetteer of this name."""
    return [*[f"in({name})[{i}]" for i in (-1, 0, 1)], f"t[-1] in({name})[0]"]


PRESETS: dict[str, list[str]] = {
    "pos": POS,
    "chunk": CHUNK,
    "ner": NER,
    "ner_pos": NER_POS,
    "characters": CHARACTERS,
    "ready": READY,
}
