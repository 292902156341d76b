"""Explanations of transducers: what templates see of letters and sounds."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import Any

from structron.explaining.account import Account, Derived
from structron.explaining.explanation import Named
from structron.explaining.names import EDGE
from structron.features.keys import fold
from structron.model import Model
from structron.reference.sequence.trace import Path
from structron.tasks.transduction.features import HINTS
from structron.tasks.transduction.space import Pair
from structron.tasks.transduction.task import TransductionTask


def account(model: Model[TransductionTask], x: Any) -> Account:
    """Explain the target of a source."""
    names = SymbolNames(model.task, list(x))
    return Chosen(model, x, names) if model.task.experts else Derived(model, x, names)


class Chosen(Derived):
    """An output that an expert had a say in: how the transducer itself derives it.

    It may be one that the transducer alone would not have chosen; then decisions have rivals ahead of them.
    """

    @cached_property
    def path(self) -> Path:
        """The best derivation of what was chosen."""
        (output,) = self.model.predict([self.x])
        trace = self.model.trace(self.x, [output])
        return trace.gold(trace.final)


class SymbolNames:
    """A source of a transducer."""

    def __init__(self, task: TransductionTask, source: Sequence[str]) -> None:
        self.task, self.space = task, task.space(source)
        self.source = self.space.source

    def features(self, state: Any, action: int) -> Iterator[Named]:
        """Yield templates that fire, and what of the pair they weigh."""
        place = self.space.place(state)
        for template in self.task.parsed:
            key = template.key(place)
            if key:
                column = self.task.columns[action][template.view]
                yield Named(self._name(template.text, state), fold(key, self.task.bits), column, 1.0)

    def _name(self, text: str, state: Any) -> str:
        parts = []
        for atom in text.split():
            name, _, rest = atom.partition("[")
            if atom == "again":
                last = self.space.again(state)
                parts.append(f"{atom}={EDGE if last is None else self._pair(last)}")
                continue
            if atom in HINTS:
                parts.append(f"{atom}={self._told(atom, state.position)}")
                continue
            if not rest:
                parts.append(atom)
                continue
            offset = int(rest.rstrip("]"))
            if name in ("s", "sv"):
                at = state.position + offset
                seen = self.source[at] if 0 <= at < len(self.source) else EDGE
                vowels = self.task.vowels.source
            elif name in ("t", "tv"):
                seen = state.output[offset] if -offset <= len(state.output) else EDGE
                vowels = self.task.vowels.target
            if name in ("sv", "tv"):
                seen = EDGE if seen == EDGE else "vowel" if seen in vowels else "other"
            elif name == "a":
                seen = self._pair(state.actions[offset]) if -offset <= len(state.actions) else EDGE
            parts.append(f"{atom}={seen}")
        return " ".join(parts)

    def _told(self, atom: str, position: int) -> str:
        side, _, what = atom.partition("_")
        hint = self.space.hints[position][side == "end"]
        assert hint is not None  # the template would be silent
        if what == "agree":
            return str(hint.agree)
        if what == "rest":
            left = "long" if hint.rest is None else "".join(hint.rest if side == "begin" else hint.rest[::-1])
            return f"{left or EDGE}{'' if hint.whole else '…'}"
        return _short(Pair(*hint.piece))

    def _pair(self, action: int) -> str:
        return "skip" if action == self.task.skip else _short(self.task.pairs[action])

    def about(self, state: Any) -> str:
        """Return the source from here on."""
        return " ".join(self.source[state.position : state.position + 8])

    def label(self, state: Any, action: int) -> str:
        """Return the piece."""
        return str(self.space.piece(state.position, action))

    def columns(self) -> Sequence[str]:
        """Return pieces, what they emit, and how much they consume and emit."""
        names = [""] * self.task.weight_columns
        for action, (pair, emitted, size) in enumerate(self.task.columns):
            skips = action == self.task.skip
            source, target = ((1,), ()) if skips else self.task.pairs[action]
            names[pair] = "skip" if skips else str(self.task.pairs[action])
            names[emitted] = f"emit {' '.join(map(str, target)) or 'ε'}"
            names[size] = f"size {len(source)}:{len(target)}"
        return names

    def output(self, actions: Sequence[int]) -> str:
        """Return the emitted symbols."""
        return " ".join(self.task.emitted(actions))


def _short(pair: Pair) -> str:
    return str(pair).replace(" ", "")
