"""The demo's act on hidden Markov chains, where the best possible accuracy is known."""

from __future__ import annotations

import click
import numpy as np

from structron.metrics import accuracy
from structron.synthetic import SETTINGS, HiddenMarkov
from structron.tasks.tagging import Tagger


def chains(count: int, seed: int) -> None:
    """Learn from so many chains of each setting, and compare with whoever knows the probabilities."""
    click.echo(
        "Hidden Markov chains of Dror & Reichart (2016): whoever knows the probabilities cannot do better"
    )
    click.echo("than the Bayes limit. The perceptron only sees examples:")
    click.echo()
    click.echo(click.style(f"{'setting':30}  perceptron  Bayes limit", bold=True))
    rng = np.random.default_rng(seed)
    for setting in SETTINGS:
        chain = HiddenMarkov.sample_parameters(setting, rng)
        observed, states = chain.sample(count, rng=rng)
        tagger = Tagger(
            templates=["w[0]", "t[-1]"], order=1, search="exact", learner="perceptron", epochs=5, seed=seed
        )
        tagger.fit(_text(observed, "x"), _text(states, "s"))
        observed, states = chain.sample(10 * count, rng=rng)
        right = accuracy(_text(states, "s"), tagger.predict(_text(observed, "x")))
        limit = float((chain.posterior_decode(observed) == states).mean())
        click.echo(f"{setting.name:30}  {100 * right:8.1f} %  {100 * limit:9.1f} %")


def _text(numbers: np.ndarray[tuple[int, ...], np.dtype[np.int64]], letter: str) -> list[list[str]]:
    return [[f"{letter}{number}" for number in row] for row in numbers]
