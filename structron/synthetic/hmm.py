"""Hidden Markov chains in the three settings of Dror & Reichart (2016, Sec. 6 and footnote 6)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from structron.errors import DataError, SettingError

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]


@dataclass(frozen=True)
class Setting:
    """The probabilities of each row of the parameters, in an order drawn for that row."""

    name: str
    transition: tuple[float, ...]
    emission: tuple[float, ...]


SETTINGS: tuple[Setting, Setting, Setting] = (
    Setting("simple(++), learnable(+++)", (0.7, 0.2, 0.1), (0.75, 0.1, 0.05, 0.05, 0.05)),
    Setting("simple(++), learnable(++)", (0.5, 0.3, 0.2), (0.6, 0.15, 0.1, 0.1, 0.05)),
    Setting(
        "simple(+), learnable(+)",
        (0.7, 0.2, 0.1) + (0.0,) * 4,
        (0.4, 0.2, 0.1, 0.1, 0.1) + (0.0,) * 15,
    ),
)
"""As printed; the third one's emissions sum to 0.9 there and are normalised when parameters are drawn."""


@dataclass(frozen=True, eq=False)
class HiddenMarkov:
    """A first-order chain of hidden states, each emitting one observation.

    Parameters
    ----------
    initial
        [state], the first state's distribution.
    transition
        [state, next state].
    emission
        [state, observation].

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> chain = HiddenMarkov.sample_parameters(SETTINGS[0], rng)
    >>> observations, states = chain.sample(100, rng=rng)
    >>> observations.shape
    (100, 8)
    >>> bool((chain.viterbi(observations) == states).mean() > 0.7)
    True
    """

    initial: Floats
    transition: Floats
    emission: Floats

    @classmethod
    def sample_parameters(cls, setting: Setting, rng: np.random.Generator) -> HiddenMarkov:
        """Draw a permutation of the setting's probabilities for every row; the first state is uniform.

        The third setting's emission probabilities sum to 0.9 in the paper; each row is divided by its sum.
        """
        states = len(setting.transition)
        transition = np.array([rng.permutation(setting.transition) for _ in range(states)])
        emission = np.array([rng.permutation(setting.emission) for _ in range(states)])
        return cls(
            np.full(states, 1 / states),
            transition / transition.sum(axis=1, keepdims=True),
            emission / emission.sum(axis=1, keepdims=True),
        )

    def sample(self, n_items: int, length: int = 8, *, rng: np.random.Generator) -> tuple[Ints, Ints]:
        """Draw items; return observations and states, each [item, position]."""
        if n_items < 0 or length < 1:
            raise SettingError(
                f"sample: {n_items} items of length {length} are not possible; ask for at least 0 and 1"
            )
        states = np.empty((n_items, length), dtype=np.int64)
        observations = np.empty((n_items, length), dtype=np.int64)
        rows = np.broadcast_to(self.initial, (n_items, self.initial.size))
        for position in range(length):
            states[:, position] = _draw(rows, rng)
            observations[:, position] = _draw(self.emission[states[:, position]], rng)
            rows = self.transition[states[:, position]]
        return observations, states

    def viterbi(self, observations: npt.ArrayLike) -> Ints:
        """Return the most probable state sequence: Bayes-optimal when a whole sequence is right or wrong.

        `observations` is [position] or [item, position], and so is the answer. Ties go to the lower state,
        at the last position first.
        """
        items, emitted = self._emitted(observations)
        with np.errstate(divide="ignore"):
            initial, transition, emitted = np.log(self.initial), np.log(self.transition), np.log(emitted)
        n_items, length, _ = emitted.shape
        best = initial + emitted[:, 0]
        came_from = np.empty(emitted.shape, dtype=np.int64)
        for position in range(1, length):
            through = best[:, :, None] + transition  # [item, state, next state]
            came_from[:, position] = through.argmax(axis=1)
            best = through.max(axis=1) + emitted[:, position]
        _check_possible(best.max(axis=1) > -np.inf)
        guess = np.empty((n_items, length), dtype=np.int64)
        guess[:, -1] = best.argmax(axis=1)
        for position in range(length - 1, 0, -1):
            guess[:, position - 1] = came_from[np.arange(n_items), position, guess[:, position]]
        return guess.reshape(items.shape)

    def posterior_decode(self, observations: npt.ArrayLike) -> Ints:
        """Return the most probable state of every position: Bayes-optimal when positions count one by one."""
        return np.asarray(self.posterior(observations).argmax(axis=-1), dtype=np.int64)

    def posterior(self, observations: npt.ArrayLike) -> Floats:
        """Return P(state at a position | observations), [position, state] or [item, position, state]."""
        items, emitted = self._emitted(observations)
        length = emitted.shape[1]
        forward = np.empty_like(emitted)
        backward = np.ones_like(emitted)
        # Scaled at every position, so that long chains do not underflow; the product is scaled once more.
        forward[:, 0] = _scaled(self.initial * emitted[:, 0])
        for position in range(1, length):
            forward[:, position] = _scaled(
                (forward[:, position - 1] @ self.transition) * emitted[:, position]
            )
        for position in range(length - 2, -1, -1):
            later = backward[:, position + 1] * emitted[:, position + 1]
            backward[:, position] = _scaled(later @ self.transition.T)
        return _scaled(forward * backward).reshape(*items.shape, self.initial.size)

    def _emitted(self, observations: npt.ArrayLike) -> tuple[Ints, Floats]:
        """Return the observations as integers and P(observation | state) as [item, position, state]."""
        items = np.asarray(observations)
        if items.ndim not in (1, 2) or items.shape[-1] == 0 or not np.issubdtype(items.dtype, np.integer):
            raise DataError(
                f"observations: {items.dtype} of shape {items.shape} are not chains; "
                "give integers [position] or [item, position]"
            )
        if items.size and not 0 <= items.min() <= items.max() < self.emission.shape[1]:
            raise DataError(
                f"observations: {items.min()} to {items.max()} do not all lie in 0 to "
                f"{self.emission.shape[1] - 1}; use the model that they were drawn from"
            )
        return items, self.emission.T[np.atleast_2d(items)]


def _draw(rows: Floats, rng: np.random.Generator) -> Ints:
    """Draw one index from each row's distribution."""
    cumulative = rows.cumsum(axis=1)
    total = cumulative[:, -1:]
    # Below the total, and compared strictly: an index of probability 0 is never drawn, whatever the rounding.
    point = np.minimum(rng.random((len(rows), 1)) * total, np.nextafter(total, 0))
    drawn = (point >= cumulative).sum(axis=1)
    return np.asarray(drawn, dtype=np.int64)


def _scaled(values: Floats) -> Floats:
    sums = values.sum(axis=-1, keepdims=True)
    _check_possible((sums > 0).all(axis=tuple(range(1, sums.ndim))))
    return np.asarray(values / sums, dtype=np.float64)


def _check_possible(possible: npt.NDArray[np.bool_]) -> None:
    if not possible.all():
        item = int(np.argmin(possible))
        raise DataError(f"observations: item {item} has probability 0; use the model that it was drawn from")
