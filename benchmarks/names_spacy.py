"""Names by spaCy, with and without text: `python benchmarks/names_spacy.py TEXT [--words 500000]`.

spaCy's entity recogniser (the network of corrections_spacy.py) learns WikiGold, once from random weights, and
once after `spacy pretrain` has read so many words of TEXT (by characters, one epoch).
Ten epochs, the best on dev is tested. Rows are added to results/names.json; names.py writes the page.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from corrections_spacy import MODELS, TOK2VEC, WIDTH
from names import RESULTS, Answer, Labelled, Learn, below, measure, page

from structron.fit.raw_text.lines import lines_of
from structron.io.files.atomic_write import write_atomically
from structron.metrics import span_f1

EPOCHS, BATCH, LONGEST = 10, 64, 2000
LISTENER = {"@architectures": "spacy.Tok2VecListener.v1", "width": WIDTH, "upstream": "*"}
NER = MODELS["names"][1] | {"tok2vec": LISTENER}  # what is pretrained is a component of its own


def config(raw: Path) -> Any:
    """Return a configuration for `spacy pretrain`."""
    from spacy.language import DEFAULT_CONFIG, DEFAULT_CONFIG_PRETRAIN_PATH
    from spacy.util import load_config

    settings: dict[str, Any] = {
        "nlp": {"lang": "en", "pipeline": ["tok2vec"]},
        "components": {"tok2vec": {"factory": "tok2vec", "model": TOK2VEC}},
        "paths": {"raw_text": str(raw)},
        "pretraining": {"max_epochs": 1},
    }
    return DEFAULT_CONFIG.merge(load_config(DEFAULT_CONFIG_PRETRAIN_PATH)).merge(settings).interpolate()


def pretrained(text: str, words: int) -> tuple[bytes, float]:
    """Return the weights that so many words of a text give, and what they took."""
    from spacy.training.pretrain import pretrain

    begin = time.process_time()
    with tempfile.TemporaryDirectory() as scratch:
        raw, left = Path(scratch) / "raw.jsonl", words
        with raw.open("w", encoding="utf-8") as out:
            for line in lines_of(text):
                if left <= 0:
                    break
                left -= len(line[:LONGEST].split())
                out.write(json.dumps({"text": line[:LONGEST].strip()}) + "\n" if line.strip() else "")
        pretrain(config(raw), Path(scratch), silent=True)
        return (Path(scratch) / "model-last.bin").read_bytes(), time.process_time() - begin


def spacy_names(text: str = "", many: int = 0) -> Learn:
    """Return how spaCy learns names, and labels words."""

    def learn(train: Labelled, dev: Labelled | None, words: list[list[str]]) -> Answer:
        assert dev is not None, "WikiGold has a dev part"
        import spacy
        from spacy.tokens import Doc
        from spacy.training import Example, biluo_tags_to_spans, iob_to_biluo

        spacy.util.fix_random_seed(0)
        weights, spent = pretrained(text, many) if text else (b"", 0.0)
        begin = time.process_time()
        nlp = spacy.blank("en")
        tok2vec = nlp.add_pipe("tok2vec", config={"model": TOK2VEC})
        nlp.add_pipe("ner", config={"model": NER})

        def example(tokens: list[str], labels: list[str]) -> Any:
            gold = Doc(nlp.vocab, words=tokens)
            gold.ents = biluo_tags_to_spans(gold, iob_to_biluo(labels))
            return Example(Doc(nlp.vocab, words=tokens), gold)

        def label(given: list[list[str]]) -> list[list[str]]:
            docs = nlp.pipe(Doc(nlp.vocab, words=each) for each in given)
            return [[f"{t.ent_iob_}-{t.ent_type_}" if t.ent_type_ else "O" for t in doc] for doc in docs]

        examples = [example(*each) for each in zip(*train)]
        optimizer = nlp.initialize(lambda: examples)
        if weights:
            tok2vec.model.from_bytes(weights)
        best, kept = -1.0, b""
        draw = random.Random(0)
        for epoch in range(EPOCHS):
            draw.shuffle(examples)
            for first in range(0, len(examples), BATCH):
                nlp.update(examples[first : first + BATCH], sgd=optimizer, drop=0.1)
            score = span_f1(dev[1], label(dev[0])).f1
            print(f"epoch {epoch + 1}: {100 * score:.2f}", file=sys.stderr, flush=True)
            if score > best:
                best, kept = score, nlp.to_bytes()
        nlp.from_bytes(kept)
        spent += time.process_time() - begin
        begin = time.process_time()
        return label(words), spent, time.process_time() - begin

    return learn


def main() -> None:
    """Measure both, and write the page again."""
    options = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    options.add_argument("text")
    options.add_argument("--words", type=int, default=500_000)
    asked = options.parse_args()
    out = RESULTS / "names.json"
    record = json.loads(out.read_text(encoding="utf-8"))
    runs = {"spacy": spacy_names(), f"spacy, {asked.words:,} words": spacy_names(asked.text, asked.words)}
    for system, learn in runs.items():
        record["wikigold"][system] = measure("wikigold", [learn])
        print(system, record["wikigold"][system], file=sys.stderr, flush=True)
        write_atomically(out, json.dumps(record, indent=1) + "\n")
        table = out.with_suffix(".md")
        write_atomically(table, page(record) + below(table))


if __name__ == "__main__":
    main()
