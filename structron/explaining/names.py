"""Features by name: keys are hashes, so what a template sees is written out beside its key."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Protocol

import numpy as np

from structron.explaining.explanation import Named
from structron.features.atoms import AFFIXES, classes, feature_name, shape
from structron.features.casing import lower
from structron.features.classification import INTERCEPT, column_key, named_key, words_of
from structron.features.clusters import WordClusters
from structron.features.keys import combine_tags, fold, hash_bytes
from structron.features.parsing.templates import ParseAtom
from structron.features.tagging.templates import Template
from structron.features.transduction import FARTHEST_TARGET
from structron.tasks.classification import ClassificationTask
from structron.tasks.parsing import ParsingTask
from structron.tasks.parsing.state import NO_LABEL, Node, State, nodes
from structron.tasks.parsing.systems import IDLE
from structron.tasks.tagging.space import TagState
from structron.tasks.transduction import TransductionTask

EDGE, NONE = "<edge>", "<none>"
_CLASSES = ("upper", "lower", "digit", "hyphen", "mark", "letter", "initial", "capitals")


class Namer(Protocol):
    """One input of a task whose decisions can be explained."""

    space: Any

    def features(self, state: Any, action: int) -> Iterator[Named]:
        """The features of an action; the same as those of the space, with names."""
        ...

    def about(self, state: Any) -> str:
        """Where a decision is taken."""
        ...

    def label(self, state: Any, action: int) -> str:
        """What an action is called."""
        ...

    def columns(self) -> Sequence[str]:
        """What the columns of weights are called."""
        ...


def seen_of(what: str, length: int, word: str, clusters: WordClusters | None = None) -> str:
    """What an atom sees of a word."""
    if what in AFFIXES:
        text = lower(word) if what[0] == "l" else word
        return text[:length] if "prefix" in what else text[len(text) - length :]
    if what == "class":
        bits = classes(word)
        return "+".join(name for i, name in enumerate(_CLASSES) if bits >> i & 1) or "none"
    if what == "feature":
        parts = (part.partition("=") for part in word.split("|"))
        return next((value for name, _, value in parts if feature_name(name) == length), NONE)
    if what == "cluster":
        path = None if clusters is None else clusters.path(word)
        return NONE if path is None else path[:length] if length else path
    if what == "entry":
        return word or NONE
    return {"w": word, "lower": lower(word), "shape": shape(word)}[what]


class TagNames:
    """A sentence of a tagger, or the units of a text: words with columns, or ready features."""

    def __init__(
        self,
        space: Any,
        tokens: Sequence[Sequence[str]],
        templates: Sequence[Template],
        tags: Sequence[str],
        bits: int,
        ready: Sequence[Mapping[str, float]] | None = None,
    ) -> None:
        self.space, self.tokens, self.templates, self.tags, self.bits = space, tokens, templates, tags, bits
        self.ready = ready
        self._last: tuple[TagState, list[Named]] | None = None

    def features(self, state: TagState, action: int) -> Iterator[Named]:
        """Templates that fire, and ready features."""
        if self._last is None or self._last[0] is not state:  # every action of a state has the same
            self._last = (state, list(self._fired(state, 0)))
        return (each._replace(column=action) for each in self._last[1])

    def _fired(self, state: TagState, action: int) -> Iterator[Named]:
        i = state.position
        for name, value in self.ready[i].items() if self.ready is not None else ():
            yield Named(name, fold(named_key(name), self.bits), action, value)
        for template in self.templates:
            key = template.key(self.tokens, i)
            if key:
                whole = fold(combine_tags(key, template.tags, state.t1, state.t2), self.bits)
                yield Named(self._name(template, state), whole, action, 1.0)

    def _name(self, template: Template, state: TagState) -> str:
        atoms, parts = iter(template.atoms), []
        for text in template.text.split():
            if text == "bias":
                parts.append(text)
            elif text in ("t[-1]", "t[-2]"):
                parts.append(f"{text}={self._tag(state.t1 if text == 't[-1]' else state.t2)}")
            else:
                atom = next(atoms)
                j = state.position + atom.offset
                inside = 0 <= j < len(self.tokens)
                word = self.tokens[j][atom.column] if inside else ""
                seen = seen_of(atom.aspect, atom.length, word, template.clusters) if inside else EDGE
                parts.append(f"{text}={seen}")
        return " ".join(parts)

    def _tag(self, tag: int) -> str:
        return self.tags[tag] if tag < len(self.tags) else EDGE

    def about(self, state: TagState) -> str:
        """The word."""
        word = f"token {state.position + 1}" if self.ready is not None else self.tokens[state.position][0]
        return word.strip() or word

    def label(self, state: TagState, action: int) -> str:
        """The tag."""
        return self.tags[action]

    def columns(self) -> Sequence[str]:
        """Tags."""
        return self.tags


def ready_names(token: Any, before: str = "") -> dict[str, float]:
    """The features of a token that comes ready, by CRFsuite's rules (``core/ready_features.hpp``)."""
    found: dict[str, float] = {}
    if isinstance(token, Mapping):
        for name, value in token.items():
            for inner, number in _ready(before + str(name), value):
                found[inner] = found.get(inner, 0.0) + number
        return found
    for name in token:
        found[before + str(name)] = found.get(before + str(name), 0.0) + 1.0
    return found


def _ready(name: str, value: Any) -> Iterator[tuple[str, float]]:
    if isinstance(value, str):
        yield f"{name}:{value}", 1.0
    elif isinstance(value, Mapping | list | tuple | set | frozenset):
        yield from ready_names(value, f"{name}:").items()
    elif value:
        yield name, float(value)


class ParseNames:
    """A sentence of a parser by transitions."""

    def __init__(self, task: ParsingTask, tokens: Sequence[Sequence[str]]) -> None:
        self.task, self.tokens = task, tokens
        self.space = task.space(tokens)
        self._last: tuple[State, list[Named]] | None = None

    def features(self, state: State, action: int) -> Iterator[Named]:
        """Templates with what they see of stack and buffer; idling has none."""
        if self.space.system.transitions[action].kind == IDLE:
            return iter(())
        if self._last is None or self._last[0] is not state:  # every other action of a state has the same
            self._last = (state, list(self._fired(state, 0)))
        return (each._replace(column=action) for each in self._last[1])

    def _fired(self, state: State, action: int) -> Iterator[Named]:
        for template in self.space.templates:
            key = self.space._key(state, template)
            atoms = [f"{atom.text}={self._seen(state, atom)}" for atom in template.atoms]
            yield Named(" ".join(atoms) or template.text, key, action, 1.0)

    def _seen(self, state: State, atom: ParseAtom) -> str:
        at = self.space._spot(state, atom.place)
        if atom.sight == "word":
            if not at.token:
                return NONE
            word = self.tokens[at.token - 1][atom.column]
            return seen_of(atom.aspect, atom.length, word, atom.clusters)
        if atom.sight == "r":
            return NONE if at.label == NO_LABEL else self.task.labels[at.label]
        if atom.sight in ("sl", "sr"):
            bits = self.space._value(state, atom)
            # A bit stands for every 64th relation; the first of them is named.
            names = [label for i, label in enumerate(self.task.labels[:64]) if bits >> i & 1]
            return "{" + ",".join(names) + "}"
        value = self.space._value(state, atom)
        return str(value if atom.sight == "d" else value - 1)

    def about(self, state: State) -> str:
        """The two words on top of the stack and the first of the buffer."""
        stack = [self._word(node) for node in list(nodes(state.stack))[1::-1]]
        ahead = self.space._buffer_spot(state, 0).token
        first = self.tokens[ahead - 1][0] if ahead else ""
        return f"{' '.join(stack)} | {first}".strip()

    def _word(self, node: Node) -> str:
        return str(self.tokens[node.token - 1][0])

    def label(self, state: State, action: int) -> str:
        """The transition."""
        return self.task.transitions[action]

    def columns(self) -> Sequence[str]:
        """Transitions."""
        return list(self.task.transitions)


class SymbolNames:
    """A source of a transducer."""

    def __init__(self, task: TransductionTask, source: Sequence[str]) -> None:
        self.task, self.source, self.space = task, source, task.space(source)

    def features(self, state: Any, action: int) -> Iterator[Named]:
        """Templates that fire, and what of the pair they weigh."""
        hashes = [hash_bytes(symbol.encode()) for symbol in self.source]
        targets = [hash_bytes(symbol.encode()) for symbol in state.output[-FARTHEST_TARGET:]]
        actions = [self.task.hashes[a] for a in state.actions]
        for template in self.task.parsed:
            key = template.key(hashes, state.position, targets, actions)
            if key:
                column = self.task.columns[action][template.view]
                yield Named(self._name(template.text, state), fold(key, self.task.bits), column, 1.0)

    def _name(self, text: str, state: Any) -> str:
        parts = []
        for atom in text.split():
            name, _, rest = atom.partition("[")
            if not rest:
                parts.append(atom)
                continue
            offset = int(rest.rstrip("]"))
            if name == "s":
                at = state.position + offset
                seen = self.source[at] if 0 <= at < len(self.source) else EDGE
            elif name == "t":
                seen = state.output[offset] if -offset <= len(state.output) else EDGE
            else:
                seen = self._pair(state.actions[offset]) if -offset <= len(state.actions) else EDGE
            parts.append(f"{atom}={seen}")
        return " ".join(parts)

    def _pair(self, action: int) -> str:
        return "skip" if action == self.task.skip else str(self.task.pairs[action]).replace(" ", "")

    def about(self, state: Any) -> str:
        """The source from here on."""
        return " ".join(self.source[state.position : state.position + 8])

    def label(self, state: Any, action: int) -> str:
        """The piece."""
        return str(self.space.piece(state.position, action))

    def columns(self) -> Sequence[str]:
        """Pieces, what they emit, and how much they consume and emit."""
        names = [""] * self.task.weight_columns
        for action, (pair, emitted, size) in enumerate(self.task.columns):
            skips = action == self.task.skip
            source, target = ((1,), ()) if skips else self.task.pairs[action]
            names[pair] = "skip" if skips else str(self.task.pairs[action])
            names[emitted] = f"emit {' '.join(map(str, target)) or 'ε'}"
            names[size] = f"size {len(source)}:{len(target)}"
        return names


class TextNames:
    """An input of a classifier."""

    def __init__(self, task: ClassificationTask, x: Any, width: int = 0) -> None:
        self.task = task
        self.space = task.space(bag_of(x) if isinstance(x, Mapping) else x)
        self._names = text_names(task, x, width)

    def features(self, state: int, action: int) -> Iterator[Named]:
        """What the input has, each times how much it counts."""
        for (key, column), value in self.space.features(state, action):
            yield Named(self._names.get(key, f"feature {key:016x}"), key, column, value)

    def about(self, state: int) -> str:
        """The label that is decided, where there may be several, or the input."""
        return self.task.labels[state] if self.task.many else "the text"

    def label(self, state: int, action: int) -> str:
        """The label, or whether it is given."""
        return ("no", "yes")[action] if self.task.many else self.task.labels[action]

    def columns(self) -> Sequence[str]:
        """Labels; of two only the second has weights, and they speak against the first."""
        return self.task.labels[1:] if self.task.is_binary else self.task.labels


def bag_of(x: Mapping[str, Any]) -> tuple[Any, Any]:
    """Features by name as keys and numbers."""
    named = ready_names(x)
    keys = np.array([named_key(name) for name in named], np.uint64)
    return keys, np.array(list(named.values()), np.float32)


def text_names(task: ClassificationTask, x: Any, width: int = 0) -> dict[int, str]:
    """What the keys of an input stand for: n-grams, features by name, columns of an array."""
    names: dict[int, str] = {}
    if isinstance(x, Mapping):
        names = {named_key(name): name for name in ready_names(x)}
    elif isinstance(x, tuple) and len(x) == 2 and not isinstance(x[0], str):
        names = {column_key(i): f"column {i}" for i in range(width)}
    else:
        words = words_of(x, task.lowered) if isinstance(x, str) else [str(word) for word in x]
        text = f" {' '.join(words)} "
        for template in task.parsed:
            n = template.length
            if template.unit == "word":
                grams = [" ".join(words[i : i + n]) for i in range(len(words))]
            else:
                grams = [repr(text[i : i + n]) for i in range(len(text))]
            names.update(zip(template.keys(words), grams))
    found: dict[int, str] = {}
    for key, name in [*names.items(), (INTERCEPT, "intercept")]:
        folded = fold(key, task.bits)  # folded, several may share a row
        found[folded] = f"{found[folded]} or {name}" if folded in found else name
    return found
