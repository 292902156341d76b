"""What the peers are told about a token; `SAME` says the same to structron as templates.

Plain Python as a user of CRFsuite would write it, without caches, since their users must compute it too.
"""

from __future__ import annotations

from corpora import Token

# The information of `sentence_features` below, in structron's template language.
WORDS = [
    "bias",
    "w[0]",
    "lower[0]",
    *(f"lprefix({n})[0]" for n in (1, 2, 3, 4)),
    *(f"lsuffix({n})[0]" for n in (1, 2, 3, 4)),
    "class[0]",
    *(f"w[{i}]" for i in (-2, -1, 1, 2)),
    "w[-1] w[0]",
    "w[0] w[1]",
    "w[-1] w[1]",
]
PARTS_OF_SPEECH = [
    *(f"p[{i}]" for i in (-2, -1, 0, 1, 2)),
    *(f"p[{i}] p[{i + 1}]" for i in (-2, -1, 0, 1)),
    *(f"p[{i}] p[{i + 1}] p[{i + 2}]" for i in (-2, -1, 0)),
]
SAME = {False: [*WORDS, "t[-1]"], True: [*WORDS, *PARTS_OF_SPEECH, "t[-1]"]}


def sentence_features(tokens: list[Token]) -> list[list[str]]:
    """Return the features of every token of a sentence, as strings.

    Word, lower case, its prefixes and suffixes of 1 to 4 letters, shape flags, two words on either side, word
    pairs; with parts of speech also those of two tokens on either side, their pairs and triples.
    """
    if tokens and isinstance(tokens[0], tuple):
        words = ["<<", "<", *(token[0] for token in tokens), ">", ">>"]
        tags = ["<<", "<", *(token[1] for token in tokens), ">", ">>"]
        return [word_features(words, i) + part_of_speech_features(tags, i) for i in range(2, len(words) - 2)]
    words = ["<<", "<", *tokens, ">", ">>"]  # type: ignore[list-item]
    return [word_features(words, i) for i in range(2, len(words) - 2)]


def word_features(words: list[str], i: int) -> list[str]:
    """Return the features of the word at place `i` of a padded sentence."""
    word, before, after = words[i], words[i - 1], words[i + 1]
    small = word.lower()
    features = [
        "bias",
        "w=" + word,
        "l=" + small,
        "p1=" + small[:1],
        "s1=" + small[-1:],
        "w-2=" + words[i - 2],
        "w-1=" + before,
        "w+1=" + after,
        "w+2=" + words[i + 2],
        "w-1w=" + before + "_" + word,
        "ww+1=" + word + "_" + after,
        "w-1w+1=" + before + "_" + after,
    ]
    # An affix may be the whole word here, unlike in structron: that served CRFsuite better on the dev set.
    length = len(small)
    if length > 1:
        features += "p2=" + small[:2], "s2=" + small[-2:]
        if length > 2:
            features += "p3=" + small[:3], "s3=" + small[-3:]
            if length > 3:
                features += "p4=" + small[:4], "s4=" + small[-4:]
    if word[0].isupper():
        features.append("capital")
        if word.isupper():
            features.append("upper")
    if not word.isalpha():
        if any(map(str.isdigit, word)):
            features.append("digit")
        if "-" in word:
            features.append("hyphen")
        if not any(map(str.isalnum, word)):
            features.append("punctuation")
    return features


def part_of_speech_features(tags: list[str], i: int) -> list[str]:
    """Return parts of speech around place `i` of a padded sentence: single, in pairs, in triples."""
    a, b, c, d, e = tags[i - 2 : i + 3]
    return [
        "t-2=" + a,
        "t-1=" + b,
        "t=" + c,
        "t+1=" + d,
        "t+2=" + e,
        "t-2-1=" + a + "_" + b,
        "t-1t=" + b + "_" + c,
        "tt+1=" + c + "_" + d,
        "t+1+2=" + d + "_" + e,
        "t-2-1t=" + a + "_" + b + "_" + c,
        "t-1t+1=" + b + "_" + c + "_" + d,
        "tt+1+2=" + c + "_" + d + "_" + e,
    ]
