"""Pronunciation and transliteration: CMUdict, the fifteen languages of SIGMORPHON 2020, seven scripts."""

from __future__ import annotations

from words import LANGUAGES, SCRIPTS, WordRun

KIND = WordRun

SEARCH, UPDATE, LEARNER = "beam:8", "max_violation", "perceptron:margin=20"
# Chosen on CMUdict's held-out words; then all training words are used for that long.
CMUDICT_EPOCHS = 12
# As the bare default has it for few words: runs of five epochs, folded; characters by their parts, but for
# kana; a second transducer that reads from the end.
LANGUAGE_EPOCHS = 15
LANGUAGE_SETTINGS = {
    "templates": "rich",
    "anew": 5,
    "combine": "opposite",
    "source_symbols": "auto",
}
SCRIPT_EPOCHS = 5


def run(corpus: str, epochs: int, quick: bool, **others: object) -> WordRun:
    return WordRun(corpus, SEARCH, UPDATE, LEARNER, 2 if quick else epochs, quick=quick, **others)  # type: ignore[arg-type]


def runs(quick: bool = False) -> dict[str, list[WordRun]]:
    """Return all runs, by the name of the experiment."""
    return {
        "cmudict": [
            run("cmudict", CMUDICT_EPOCHS, quick, test=False),
            run("cmudict", CMUDICT_EPOCHS, quick, whole=True),
        ],
        "sigmorphon2020": [
            run(f"sigmorphon2020:{name}", LANGUAGE_EPOCHS, quick, **LANGUAGE_SETTINGS) for name in LANGUAGES
        ],
        "transliteration": [run(f"transliteration:{name}", SCRIPT_EPOCHS, quick) for name in SCRIPTS],
    }
