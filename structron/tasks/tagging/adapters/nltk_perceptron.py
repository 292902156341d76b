"""NLTK's averaged perceptron tagger, from its JSON: the same tags from structron's engine.

NLTK keeps weights, a dictionary of words with one tag, and its classes in three files. Here they become a
`Tagger` with a greedy search, a template for each kind of feature, and the dictionary; NLTK itself is not
needed. Its features are columns of a token, which `NltkPerceptron` computes once for each word.

The engine knows only that a place is beyond a sentence, where NLTK has names for the first and the second: a
column says which tokens are first and last, and its weights make up for the difference.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Self

from structron._core import combine, hash_bytes
from structron.engine.rows import rows_of
from structron.errors import ModelError
from structron.features.keys import BOUNDARY, combine_tags
from structron.labelling.dictionary import Dictionary
from structron.labelling.task import TaggingTask
from structron.labelling.templates import Template, parse
from structron.model import Model
from structron.search import parse_search
from structron.tasks.tagging.estimator import Tagger
from structron.tasks.tagging.settings import TaggingRecipe

START, START2 = "-START-", "-START2-"  # beyond the first word: NLTK's tag before it, and the one before that
END, END2 = "-END-", "-END2-"
NORM, FIRST, SUFFIX, NORM_SUFFIX, EDGE = range(1, 6)  # the columns behind the word itself

# What stands before the value in the name of a feature, the longer of two that begin alike first.
TEMPLATES = {
    "i tag+i-2 tag": "t[-1] t[-2]",
    "i-1 tag+i word": f"t[-1] col({NORM})[0]",
    "i-1 tag": "t[-1]",
    "i-2 tag": "t[-2]",
    "i suffix": f"col({SUFFIX})[0]",
    "i pref1": f"col({FIRST})[0]",
    "i word": f"col({NORM})[0]",
    "i-1 word": f"col({NORM})[-1]",
    "i-1 suffix": f"col({NORM_SUFFIX})[-1]",
    "i-2 word": f"col({NORM})[-2]",
    "i+1 word": f"col({NORM})[1]",
    "i+1 suffix": f"col({NORM_SUFFIX})[1]",
    "i+2 word": f"col({NORM})[2]",
}
EDGES = f"col({EDGE})[0]"
# Values beyond the sentence where the engine sees its boundary: the usual ones.
BEYOND = {
    "i-1 word": START2,
    "i-1 suffix": START2[-3:],
    "i-2 word": START2,
    "i+1 word": END,
    "i+1 suffix": END[-3:],
    "i+2 word": END,
}
# And on the first and the last token: a feature that is really there, and the one that is taken instead.
INSTEAD = {
    "first": (("i-2 word " + START, "i-2 word " + START2), ("i-2 tag " + START2, "i-2 tag " + START)),
    "last": (("i+2 word " + END2, "i+2 word " + END),),
}
_MOST_KNOWN = 1_000_000

Weights = Mapping[str, Mapping[str, float]]


class TaggerMethods:
    """The methods of NLTK's taggers, on a `Tagger`.

    Parameters
    ----------
    tagger
        A fitted `Tagger`.
    """

    def __init__(self, tagger: Tagger) -> None:
        self.tagger = tagger

    @classmethod
    def load(cls, path: str | Path) -> Self:
        """Read a tagger from a model file."""
        return cls(Tagger.load(path))

    def save(self, path: str | Path) -> None:
        """Write the model to one file."""
        self.tagger.save(path)

    def tag(self, tokens: Sequence[str]) -> list[tuple[str, str]]:
        """Return each token with its tag."""
        (tagged,) = self.tag_sents([tokens])
        return tagged

    def tag_sents(self, sentences: Iterable[Sequence[str]]) -> list[list[tuple[str, str]]]:
        """Tag many sentences, which is quicker than one by one."""
        listed = [list(tokens) for tokens in sentences]
        found = self.tagger.predict([self._columns(tokens) for tokens in listed])
        return [list(zip(words, tags)) for words, tags in zip(listed, found)]

    def _columns(self, tokens: Sequence[str]) -> Sequence[Any]:
        """Return the tokens as the tagger takes them."""
        return tokens


class NltkPerceptron(TaggerMethods):
    """A tagger of NLTK's on structron's engine; `tag` and `tag_sents` are NLTK's.

    Parameters
    ----------
    tagger
        Made by `read` or `of`, or loaded from what `save` wrote; its columns are those that this class makes.
    """

    def __init__(self, tagger: Tagger) -> None:
        super().__init__(tagger)
        self._known: dict[str, tuple[str, ...]] = {}

    @classmethod
    def read(cls, folder: str | Path) -> Self:
        """Read the tagger whose JSON files lie in a folder, as in
        ``taggers/averaged_perceptron_tagger_eng``."""
        return cls.of_weights(*(_json(Path(folder), part) for part in ("weights", "tagdict", "classes")))

    @classmethod
    def of(cls, tagger: Any) -> Self:
        """Convert an `nltk.tag.PerceptronTagger`."""
        return cls.of_weights(tagger.model.weights, tagger.tagdict, tagger.classes)

    @classmethod
    def of_weights(cls, weights: Weights, tagdict: Mapping[str, str], classes: Iterable[str]) -> Self:
        """Convert weights, dictionary and classes."""
        # Of two classes with the same score NLTK takes the one that is later in the alphabet, structron
        # the one with the lower number.
        labels = sorted(classes, reverse=True)
        try:
            whole = _scale(weights)
            task = TaggingTask(
                tuple(labels),
                ("bias", *TEMPLATES.values(), EDGES),
                dictionary=Dictionary.observed(((w, t) for w, t in tagdict.items() if t), labels, 1),
            )
            rows = rows_of(_cells(weights, {label: i for i, label in enumerate(labels)}, whole))
        except (AttributeError, KeyError, TypeError, ValueError) as error:
            what = f"{type(error).__name__}: {error}"
            raise ModelError(
                f"these are no weights of NLTK's tagger ({what}); give its three files"
            ) from None
        recipe = TaggingRecipe(templates=task.templates, search="greedy", constraints="none")
        about: dict[str, object] = {"recipe": recipe.record(), "epochs": [], "target": None}
        about["data"] = "a model of NLTK's averaged perceptron tagger"
        model = Model(task, rows, parse_search("greedy"), about)
        return cls(Tagger.of_model(model, "NLTK's tagger"))

    def _columns(self, tokens: Sequence[str]) -> list[tuple[str, ...]]:
        known = self._known
        if len(known) > _MOST_KNOWN:
            known.clear()
        rows = []
        for word in tokens:
            row = known.get(word)
            if row is None:
                row = known[word] = _columns_of(word)
            rows.append(row)
        if rows:
            edges = ("first last",) if len(rows) == 1 else ("first", "last")
            rows[0] = (*rows[0][:EDGE], edges[0])
            rows[-1] = (*rows[-1][:EDGE], edges[-1])
        return rows


def normalized(word: str) -> str:
    """Return a word as NLTK's tagger sees it: in lower case, numbers and hyphenated words as one each."""
    if "-" in word and word[0] != "-":
        return "!HYPHEN"
    if word.isdigit() and len(word) == 4:
        return "!YEAR"
    if word and word[0].isdigit():
        return "!DIGITS"
    return word.lower()


def _columns_of(word: str) -> tuple[str, ...]:
    norm = normalized(word)
    return (word, norm, word[:1], word[-3:], norm[-3:], "")


def _json(folder: Path, part: str) -> Any:
    files = sorted(folder.glob(f"*.{part}.json")) if folder.is_dir() else []
    if len(files) != 1:
        raise ModelError(
            f"{folder}: {len(files)} files of {part} where one is due; name the folder of a tagger"
        )
    try:
        found = json.loads(files[0].read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError) as error:
        raise ModelError(f"{files[0]}: the file cannot be read ({error}); download it again") from None
    wanted = list if part == "classes" else dict
    if not isinstance(found, wanted):
        raise ModelError(f"{files[0]}: there is no {wanted.__name__} in it; download it again")
    return found


def _scale(weights: Weights) -> int:
    """Return the factor that makes sums exact: NLTK rounds weights to thousandths."""
    values = [weight for own in weights.values() for weight in own.values()]
    if not all(abs(value) <= 1e15 for value in values):
        raise ValueError("a weight is out of range")
    return 1000 if all(abs(value * 1000 - round(value * 1000)) < 1e-6 for value in values) else 1


def _cells(weights: Weights, numbers: Mapping[str, int], scale: int) -> dict[int, dict[int, float]]:
    """Return all weights by the keys of structron's features."""

    def cells_of(name: str) -> dict[int, float]:
        def scaled(weight: float) -> float:
            return float(round(weight * scale)) if scale > 1 else float(weight)

        return {numbers[label]: scaled(weight) for label, weight in weights.get(name, {}).items()}

    cells: dict[int, dict[int, float]] = {}
    templates = {name: parse(text) for name, text in TEMPLATES.items()}
    before = {**numbers, START: len(numbers)}  # the engine's number for what stands before the first tag
    for name in weights:
        for key in _keys(name, templates, before):
            cells[key] = cells_of(name)
    made_up: dict[str, dict[int, float]] = {}
    for edge, pairs in INSTEAD.items():
        own = made_up[edge] = {}
        for there, taken in pairs:
            for sign, name in ((1, there), (-1, taken)):
                for label, weight in cells_of(name).items():
                    own[label] = own.get(label, 0.0) + sign * weight
    both = dict(made_up["first"])
    for label, weight in made_up["last"].items():
        both[label] = both.get(label, 0.0) + weight
    for edge, own in {**made_up, "first last": both}.items():
        cells[combine(parse(EDGES).base, hash_bytes(edge.encode()))] = own
    return cells


def _keys(name: str, templates: Mapping[str, Template], before: Mapping[str, int]) -> Iterator[int]:
    """Return the keys of a feature of NLTK's, none if it never fires here; `before` has numbers for tags."""
    if name == "bias":
        yield parse("bias").base
        return
    kind = next((kind for kind in templates if name.startswith(f"{kind} ")), None)
    if kind is None:
        raise ValueError(f"there is no feature {name[:80]!r}")
    template, value = templates[kind], name[len(kind) + 1 :]
    if kind == "i tag+i-2 tag":
        first, _, second = value.partition(" ")
        # Two tags before the first word both have the engine's one number.
        number = before[START if second == START2 else second]
        yield combine_tags(template.base, template.tags, before[first], number)
    elif kind == "i-1 tag+i word":
        first, _, word = value.partition(" ")
        yield combine_tags(combine(template.base, hash_bytes(word.encode())), template.tags, before[first], 0)
    elif template.tags:
        if value != START2:
            tag = before[value]
            yield combine_tags(template.base, template.tags, tag, tag)
    elif BEYOND.get(kind) == value:
        yield combine(template.base, BOUNDARY)
    else:
        yield combine(template.base, hash_bytes(value.encode()))
