"""spaCy on the corrections of corrections.py: `python benchmarks/corrections_spacy.py [--tasks upos names]`

spaCy's tagger (`upos`) or entity recogniser (`names`), a small convolutional network, learns what structron's
model has learned: English-EWT. Then it gets the same 200 sentences of the other domain, which structron's
model has wrong, by `nlp.update` in one pass; in passes until all are right or ten are over; and the same with
`nlp.rehearse` on as many sentences of EWT after each batch. Told are the figures of corrections.py.

`--folder` holds structron's models, as for corrections.py, and keeps spaCy's. Needs spaCy (extra `bench`).
Rows are written into benchmarks/results/corrections.json.
"""

from __future__ import annotations

import argparse
import random
import time
from collections.abc import Iterator, Sequence
from importlib.metadata import version
from pathlib import Path
from typing import Any

from corrections import PASSES, Domain, Examples, Trial, domains, put, spoken

EPOCHS = {"upos": 6, "names": 25}
BATCH = 64  # of training
FEW = 8  # of a correction
WIDTH, ROWS = 96, [5000, 1000, 2500, 2500]
TOK2VEC = {
    "@architectures": "spacy.Tok2Vec.v2",
    "embed": {
        "@architectures": "spacy.MultiHashEmbed.v2",
        "width": WIDTH,
        "attrs": ["NORM", "PREFIX", "SUFFIX", "SHAPE"],
        "rows": ROWS,
        "include_static_vectors": False,
    },
    "encode": {
        "@architectures": "spacy.MaxoutWindowEncoder.v2",
        "width": WIDTH,
        "depth": 4,
        "window_size": 1,
        "maxout_pieces": 3,
    },
}
MODELS: dict[str, tuple[str, dict[str, Any]]] = {
    "upos": ("tagger", {"@architectures": "spacy.Tagger.v2", "tok2vec": TOK2VEC}),
    "names": (
        "ner",
        {
            "@architectures": "spacy.TransitionBasedParser.v2",
            "state_type": "ner",
            "extra_state_tokens": False,
            "hidden_width": 64,
            "maxout_pieces": 2,
            "use_upper": True,
            "tok2vec": TOK2VEC,
        },
    ),
}


class SpaCy:
    """One model of spaCy, with the predictions of an estimator."""

    def __init__(self, task: str, data: bytes | None = None) -> None:
        import spacy
        from spacy.tokens import Doc
        from spacy.training import Example

        spacy.util.fix_random_seed(0)
        self.task, self.doc, self.example, self.spacy = task, Doc, Example, spacy
        self.nlp = spacy.blank("en")
        name, model = MODELS[task]
        self.pipe = self.nlp.add_pipe(name, config={"model": model})
        if data is not None:
            self.nlp.from_bytes(data)

    def examples(self, data: Examples) -> list[Any]:
        found = []
        for words, labels in zip(*data):
            gold = {"tags": labels} if self.task == "upos" else {"ents": labels}
            plain = self.doc(self.nlp.vocab, words=words)
            found.append(self.example(plain, self.doc(self.nlp.vocab, words=words, **gold)))
        return found

    def fit(self, data: Examples) -> bytes:
        examples = self.examples(data)
        sgd = self.nlp.initialize(lambda: examples)
        draw = random.Random(0)
        for epoch in range(EPOCHS[self.task]):
            draw.shuffle(examples)
            for first in range(0, len(examples), BATCH):
                self.nlp.update(examples[first : first + BATCH], sgd=sgd, drop=0.1)
            spoken(f"spaCy: epoch {epoch + 1}")
        found: bytes = self.nlp.to_bytes()
        return found

    def predict(self, X: Sequence[list[str]]) -> list[list[str]]:
        docs = [self.doc(self.nlp.vocab, words=words) for words in X]
        return [self._labels(doc) for doc in self.pipe.pipe(iter(docs), batch_size=BATCH)]

    def _labels(self, doc: Any) -> list[str]:
        if self.task == "upos":
            return [token.tag_ for token in doc]
        return [t.ent_iob_ if t.ent_iob_ == "O" else f"{t.ent_iob_}-{t.ent_type_}" for t in doc]

    def learn(self, fixes: Examples, home: Examples | None, passes: int) -> Iterator[None]:
        """Update on corrections, pass after pass; with `home`, rehearse on as many of its sentences."""
        sgd = self.nlp.resume_training()
        draw = random.Random(0)
        known = [] if home is None else self.examples(home)
        examples = self.examples(fixes)
        for _ in range(passes):
            for first in range(0, len(examples), FEW):
                self.nlp.update(examples[first : first + FEW], sgd=sgd)
                if known:
                    self.nlp.rehearse(draw.sample(known, FEW), sgd=sgd)
            yield


def rows(task: str, data: Domain, trial: Trial, model: bytes) -> Iterator[dict[str, Any]]:
    """Yield the figures of all ways."""
    trial.fresh = lambda: SpaCy(task, model)  # type: ignore[method-assign]
    named = f"spaCy {version('spacy')}"
    yield trial.row(f"{named}: before", SpaCy(task, model), [])
    for way, home in (("update", None), ("update and rehearse", data.home["train"])):
        for passes in (1, PASSES):
            own, began, done = SpaCy(task, model), time.process_time(), 0
            for _ in own.learn((trial.xs, trial.ys), home, passes):
                done += 1
                if passes > 1 and all(map(trial.same, trial.ys, own.predict(trial.xs))):
                    break
            name = f"{named}: {way}, {'one pass' if passes == 1 else 'until right'}"
            yield trial.row(name, own, [time.process_time() - began], passes=done)


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    arguments.add_argument("--tasks", nargs="+", default=["upos", "names"], choices=list(MODELS))
    arguments.add_argument("--number", type=int, default=200)
    arguments.add_argument("--folder", type=Path, required=True)
    asked = arguments.parse_args()
    for task in asked.tasks:
        data = domains(task)
        trial = Trial(
            task, data, (asked.folder / f"corrections-{task}.model").read_bytes(), asked.number, "test"
        )
        kept = asked.folder / f"corrections-{task}.spacy"
        if not kept.exists():
            kept.write_bytes(SpaCy(task).fit(data.home["train"]))
        put(list(rows(task, data, trial, kept.read_bytes())))


if __name__ == "__main__":
    main()
