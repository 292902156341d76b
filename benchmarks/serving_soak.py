"""Whether the server's memory stays flat: saturated as long as you like, with words that nobody saw before.

`python benchmarks/serving_soak.py [--seconds 3600] [--model FILE]` serves `en` and a tagger with one thread.
A few clients ask again as soon as they have an answer: a hundred sentences a request for the tagger, and for
`en` a paragraph now and then. One word in ten is made up on the spot, so that whatever remembers words is put
to the test, and once a minute the models are reloaded (HUP). Each minute prints a line of JSON: requests,
tokens so far, what was not answered, and the server's memory.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import random
import signal
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
from serving import Client, cpu, memory, started

from structron import Tagger
from structron.synthetic import generate_treebank

CLIENTS, SENTENCES = 4, 100
SHARE_OF_EN = 0.2  # of the requests, each with one text of five sentences
LETTERS = "etaoinshrdlucmfwypvbgkjqxz"


class Texts:
    """Sentences without end, one word in ten of them new."""

    def __init__(self, sentences: list[list[str]]) -> None:
        self.sentences, self.random = sentences, random.Random(0)

    def sentence(self) -> list[str]:
        """Return a sentence that nobody has seen."""
        return [
            word if self.random.random() < 0.9 else self.word() for word in self.random.choice(self.sentences)
        ]

    def word(self) -> str:
        return "".join(self.random.choices(LETTERS, k=self.random.randint(3, 12)))

    def request(self) -> tuple[bytes, int]:
        """Return the body of a request and how many tokens it has."""
        if self.random.random() < SHARE_OF_EN:
            some = [self.sentence() for _ in range(5)]
            body: dict[str, object] = {"model": "en", "input": " ".join(" ".join(each) for each in some)}
        else:
            some = [self.sentence() for _ in range(SENTENCES)]
            body = {"model": "tagger", "inputs": some}
        return json.dumps(body).encode(), sum(map(len, some))


class Count:
    """What was asked and answered so far."""

    requests = tokens = refused = unanswered = 0


async def ask(port: int, texts: Texts, count: Count, until: float) -> None:
    client = Client(port)
    while time.monotonic() < until:
        body, tokens = texts.request()
        status = await client.ask(body)
        count.requests += 1
        count.tokens += tokens if status == 200 else 0
        count.unanswered += status == 0
        count.refused += status not in (0, 200)
    client.close()


async def soak(command: list[str], texts: Texts, seconds: float) -> None:
    process, port = started(command)
    print(json.dumps({"server": process.pid, "mib": memory(process.pid)}), flush=True)
    count, began = Count(), time.monotonic()

    async def tell() -> None:
        for minute in range(1, 10**6):
            await asyncio.sleep(60)
            row = {
                "minute": minute,
                "requests": count.requests,
                "tokens": count.tokens,
                "refused": count.refused,
                "unanswered": count.unanswered,
                "mib": memory(process.pid),
                "server_cpu_s": round(cpu(process.pid), 1),
                "load_average": os.getloadavg()[0],
            }
            print(json.dumps(row), flush=True)
            process.send_signal(signal.SIGHUP)

    telling = asyncio.create_task(tell())
    try:
        await asyncio.gather(*(ask(port, texts, count, began + seconds) for _ in range(CLIENTS)))
    finally:
        telling.cancel()
        after = memory(process.pid)
        process.terminate()
        code = process.wait()
    row = {"seconds": round(time.monotonic() - began), "tokens": count.tokens, "mib": after, "exit": code}
    print(json.dumps(row | {"refused": count.refused, "unanswered": count.unanswered}), flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=3600)
    parser.add_argument("--model", help="a tagger of words; otherwise one is made")
    args = parser.parse_args()
    trees = generate_treebank(1000, np.random.default_rng(0))
    words, tags = [list(t.words) for t in trees], [list(t.tags) for t in trees]
    with tempfile.TemporaryDirectory() as folder:
        model = args.model or str(Path(folder) / "tagger.model")
        if args.model is None:
            Tagger(epochs=5).fit(words, tags).save(model)
        command = [sys.executable, "-m", "structron", "serve", "en", f"tagger={model}", "--port", "0"]
        asyncio.run(soak([*command, "--threads", "1"], Texts(words), args.seconds))


if __name__ == "__main__":
    main()
