"""Pronunciation and transliteration: CMUdict, the fifteen languages of SIGMORPHON 2020, seven scripts."""

from __future__ import annotations

from words import LANGUAGES, SCRIPTS, WordRun

KIND = WordRun

SEARCH, UPDATE, LEARNER = "beam:8", "max_violation", "perceptron:margin=20"
# Chosen on CMUdict's held-out words; then all training words are used for that long.
CMUDICT_EPOCHS = 12
LANGUAGE_EPOCHS = 6
SCRIPT_EPOCHS = 5
# Scripts whose characters are syllables, or letters that carry tones, are learned by their parts.
SOURCES = {"sigmorphon2020:kor": "decomposed", "sigmorphon2020:vie": "decomposed"}


def run(corpus: str, epochs: int, quick: bool, **others: object) -> WordRun:
    settings = {"source_symbols": SOURCES.get(corpus, "characters")} | others
    return WordRun(corpus, SEARCH, UPDATE, LEARNER, 2 if quick else epochs, quick=quick, **settings)  # type: ignore[arg-type]


def runs(quick: bool = False) -> dict[str, list[WordRun]]:
    """All runs, by the name of the experiment."""
    return {
        "cmudict": [
            run("cmudict", CMUDICT_EPOCHS, quick, test=False),
            run("cmudict", CMUDICT_EPOCHS, quick, whole=True),
        ],
        "sigmorphon2020": [run(f"sigmorphon2020:{name}", LANGUAGE_EPOCHS, quick) for name in LANGUAGES],
        "transliteration": [run(f"transliteration:{name}", SCRIPT_EPOCHS, quick) for name in SCRIPTS],
    }
