"""The names of features of phrase pairs; the twin is `structron.tasks.translation.features`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from structron.explaining.names import EDGE
from structron.tasks.translation.features import ATOMS, LINK, WORD_BACK, TranslationTemplate


@dataclass(frozen=True)
class PhraseText:
    """A phrase pair in its sentence, as `PhraseWords` has its hashes."""

    source: Sequence[str]
    target: Sequence[str]
    links: Sequence[tuple[int, int]]
    before: str
    after: str


def phrase_names(
    template: TranslationTemplate, phrase: PhraseText, history: Sequence[str], is_last: bool
) -> Iterator[str]:
    """Yield a name for each key of a template, in the order of `TranslationTemplate.keys`."""
    if template.ngram:
        words = [EDGE, *history, *phrase.target, *([EDGE] if is_last else [])]
        for end in range(1 + len(history), len(words)):
            if end + 1 >= template.ngram:
                yield f"{template.text}={' '.join(words[end + 1 - template.ngram : end + 1])}"
    elif template.atoms == (LINK,):
        for i, j in phrase.links:
            yield f"link={phrase.source[i]} {phrase.target[j]}"
    else:
        told = [_told(atom, phrase, history) for atom in template.atoms]
        if None not in told:
            yield " ".join(str(each) for each in told)


def _told(atom: int, phrase: PhraseText, history: Sequence[str]) -> str | None:
    """Return an atom with what it sees; None if it looks too far, and the template is silent."""
    if atom > WORD_BACK:
        back = atom - WORD_BACK
        if back > len(history) + 1:
            return None
        return f"t[-{back}]={history[-back] if back <= len(history) else EDGE}"
    source, target = " ".join(phrase.source), " ".join(phrase.target)
    seen = {
        "rule": f"{source} → {target}",
        "source": source,
        "target": target,
        "s.first": phrase.source[0],
        "s.last": phrase.source[-1],
        "t.first": phrase.target[0] if phrase.target else EDGE,
        "t.last": phrase.target[-1] if phrase.target else EDGE,
        "s[-1]": phrase.before,
        "s[1]": phrase.after,
        "size": f"{len(phrase.source)}:{len(phrase.target)}",
    }
    name = ATOMS[atom]
    return name if name == "bias" else f"{name}={seen[name]}"
