"""The peer of benchmarks/serving.py: a plain FastAPI around a tagger of spaCy, as its guides show it.

`python benchmarks/serving_spacy.py TRAINING.json` trains on a pair of lists, words and tags, and serves them.
"""

from __future__ import annotations

import json
import random
import socket
import sys
from pathlib import Path
from typing import Any

import spacy
import uvicorn
from fastapi import FastAPI
from pydantic import BaseModel
from spacy.tokens import Doc
from spacy.training import Example


class Inputs(BaseModel):
    """The same body that structron's server takes."""

    inputs: list[list[str]]


def trained(words: list[list[str]], tags: list[list[str]]) -> Any:
    """Return a tagger with spaCy's default settings for a CPU."""
    nlp = spacy.blank("en")
    tagger = nlp.add_pipe("tagger")
    for tag in sorted({tag for each in tags for tag in each}):
        tagger.add_label(tag)
    examples = [
        Example.from_dict(Doc(nlp.vocab, words=one), {"words": one, "tags": own})
        for one, own in zip(words, tags)
    ]
    nlp.initialize(lambda: examples)
    rng = random.Random(0)
    for _ in range(2):
        rng.shuffle(examples)
        for begin in range(0, len(examples), 64):
            nlp.update(examples[begin : begin + 64])
    return nlp


def main() -> None:
    nlp = trained(*json.loads(Path(sys.argv[1]).read_text(encoding="utf-8")))
    app = FastAPI()

    @app.post("/predict")
    def predict(body: Inputs) -> dict[str, Any]:  # not async: FastAPI runs it in a thread
        docs = nlp.pipe(Doc(nlp.vocab, words=words) for words in body.inputs)
        return {"outputs": [{"words": [t.text for t in doc], "tags": [t.tag_ for t in doc]} for doc in docs]}

    # With its protocol named, as where uvicorn makes it: connections then send what is written at once.
    listening = socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    listening.bind(("127.0.0.1", 0))
    listening.listen(1024)
    print(f"serving on http://127.0.0.1:{listening.getsockname()[1]}", file=sys.stderr, flush=True)
    uvicorn.Server(uvicorn.Config(app, log_level="critical")).run(sockets=[listening])


if __name__ == "__main__":
    main()
