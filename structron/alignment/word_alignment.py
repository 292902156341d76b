"""Word alignment by Model 1 and a hidden Markov model in two directions that agree, slow and obvious.

Model 1 (Brown et al. 1993) and the HMM (Vogel, Ney & Tillmann 1996) with words that nothing generates (Och &
Ney 2003). A link counts as much as both directions expect it (Liang, Taskar & Klein 2006), so that the two
models agree in the end. The engine's twins are `core/tasks/translation/words/word_alignment.hpp` and
`core/tasks/translation/words/hmm.hpp`; the order of all sums is the same in both.

Expected counts are rounded to whole multiples of 2^-32. Sums of these are exact, so that they do not depend
on their order, and results not on the number of threads.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field

Words = Sequence[int]
Matrix = list[list[float]]

MOST_WORDS = 500
"""On either side of a pair; a longer one is passed by, since time grows with the cube of its length."""
LEAST = 1e-12
"""The least probability of a word given another that was seen beside it."""
JUMP_PRIOR = 0.01
"""Added to the expected number of jumps of each width."""
_ONE = 2.0**32


def fixed(count: float) -> int:
    """A count as a whole multiple of 2^-32."""
    return round(count * _ONE)


@dataclass
class Direction:
    """What generates the words of one side: words of the other, or nothing."""

    lexical: dict[tuple[int, int], float]
    nothing: list[float]
    jumps: dict[int, float]


@dataclass
class Expected:
    """What one sentence leaves: posteriors by observed word, then hidden position; jumps by their width."""

    likelihood: float
    links: Matrix
    nothing: list[float]
    jumps: dict[int, float] = field(default_factory=dict)


@dataclass
class Sentence:
    """The probabilities that one pair is made of: rows are observed words, columns hidden positions."""

    emit: Matrix
    nothing: list[float]


def model1(pair: Sentence, null: float) -> Expected:
    """Posteriors where every position is as likely as any other."""
    share = (1.0 - null) / len(pair.emit[0])
    found = Expected(0.0, [], [])
    for row, nothing in zip(pair.emit, pair.nothing):
        total = null * nothing
        for p in row:
            total += share * p
        found.links.append([share * p / total for p in row])
        found.nothing.append(null * nothing / total)
        found.likelihood += math.log(total)
    return found


def norms(jumps: dict[int, float], hidden: int, uniform: float) -> list[float]:
    """For each position, 0 being before the sentence, what makes the weights of its jumps probabilities."""
    found = []
    for k in range(hidden + 1):
        total = 0.0
        for i in range(1, hidden + 1):
            total += jumps[i - k]
        found.append((1.0 - uniform) / total)
    return found


def hmm(pair: Sentence, jumps: dict[int, float], null: float, uniform: float) -> Expected:
    """Posteriors of links and expected jumps, by forward and backward probabilities."""
    observed, hidden = len(pair.emit), len(pair.emit[0])
    norm = norms(jumps, hidden, uniform)
    reached, arrived, scale = _forward(pair, jumps, null, uniform, norm)
    found = Expected(0.0, [[]] * observed, [0.0] * observed, dict.fromkeys(range(-hidden, hidden + 1), 0.0))
    for total in scale:
        found.likelihood += math.log(total)
    after = [1.0] * (hidden + 1)
    for j in reversed(range(observed)):
        stay = null * pair.nothing[j] / scale[j]
        for k in range(hidden + 1):
            found.nothing[j] += reached[j][k] * stay * after[k]
        found.links[j] = [arrived[j][i] * after[i + 1] for i in range(hidden)]
        coming = [(1.0 - null) * pair.emit[j][i] * after[i + 1] / scale[j] for i in range(hidden)]
        everything = 0.0
        for c in coming:
            everything += c
        anywhere = uniform / hidden * everything
        before = []
        for k in range(hidden + 1):
            part, total = reached[j][k] * norm[k], 0.0
            for i in range(hidden):
                w = jumps[i + 1 - k] * coming[i]
                total += w
                found.jumps[i + 1 - k] += part * w
            before.append(total * norm[k] + anywhere + after[k] * stay)
        after = before
    return found


def _forward(
    pair: Sentence, jumps: dict[int, float], null: float, uniform: float, norm: list[float]
) -> tuple[Matrix, Matrix, list[float]]:
    """Probabilities of positions after each word, of having come there with it, and their scales."""
    hidden = len(pair.emit[0])
    reached: Matrix = [[1.0] + [0.0] * hidden]
    arrivals: Matrix = []
    scale = []
    for row, nothing in zip(pair.emit, pair.nothing):
        before = reached[-1]
        everything = 0.0
        for p in before:
            everything += p
        arrived = [uniform / hidden * everything] * hidden
        for k in range(hidden + 1):
            part = before[k] * norm[k]
            for i in range(hidden):
                arrived[i] += part * jumps[i + 1 - k]
        stay = null * nothing
        now = [before[0] * stay]
        for i in range(hidden):
            arrived[i] *= (1.0 - null) * row[i]
            now.append(arrived[i] + before[i + 1] * stay)
        total = 0.0
        for p in now:
            total += p
        scale.append(total)
        reached.append([p / total for p in now])
        arrivals.append([p / total for p in arrived])
    return reached, arrivals, scale


def viterbi(pair: Sentence, jumps: dict[int, float], null: float, uniform: float) -> list[int]:
    """The best position of each observed word, from 1; 0 is none. Of equals, the earlier position before."""
    hidden = len(pair.emit[0])
    norm = norms(jumps, hidden, uniform)
    reached = [1.0] + [0.0] * hidden
    came: list[list[int]] = []
    for row, nothing in zip(pair.emit, pair.nothing):
        stay = null * nothing
        now, origins = [reached[0] * stay], [-1]
        for k in range(1, hidden + 1):
            score, origin = 0.0, 0
            for b in range(hidden + 1):
                path = reached[b] * (norm[b] * jumps[k - b] + uniform / hidden)
                if path > score:
                    score, origin = path, b
            score *= (1.0 - null) * row[k - 1]
            if reached[k] * stay > score:
                score, origin = reached[k] * stay, -1
            now.append(score)
            origins.append(origin)
        most = max(now)
        reached = [p / most for p in now]
        came.append(origins)
    at = reached.index(max(reached))
    best = []
    for origins in reversed(came):
        best.append(at if origins[at] >= 0 else 0)
        at = origins[at] if origins[at] >= 0 else at
    return best[::-1]


def is_aligned(pair: tuple[Sequence[object], Sequence[object]]) -> bool:
    """Whether a pair has words on both sides, and not too many."""
    return all(0 < len(side) <= MOST_WORDS for side in pair)


class WordAligner:
    """Both directions over some pairs of sentences; direction d generates side d from the other."""

    def __init__(
        self,
        pairs: Sequence[tuple[Words, Words]],
        words: tuple[int, int],
        null: float,
        uniform: float,
        agree: bool,
    ) -> None:
        self.pairs, self.null, self.uniform, self.agree = pairs, null, uniform, agree
        full = [pair for pair in pairs if is_aligned(pair)]
        seen = dict.fromkeys((x, y) for source, target in full for x in source for y in target)
        self.directions = []
        for d in (0, 1):
            longest = max((len(pair[1 - d]) for pair in full), default=0)
            jumps = dict.fromkeys(range(-longest, longest + 1), 1.0)
            start = 1.0 / words[d]
            self.directions.append(Direction(dict.fromkeys(seen, start), [start] * words[d], jumps))

    def sentence(self, d: int, pair: tuple[Words, Words]) -> Sentence:
        """The probabilities of a pair in a direction."""
        model = self.directions[d]
        if d == 1:
            emit = [[model.lexical[x, y] for x in pair[0]] for y in pair[1]]
        else:
            emit = [[model.lexical[x, y] for y in pair[1]] for x in pair[0]]
        return Sentence(emit, [model.nothing[o] for o in pair[d]])

    def step(self, is_hmm: bool) -> tuple[float, float]:
        """One step of EM; the log-likelihoods of the two directions before it."""
        lexical = [dict.fromkeys(model.lexical, 0) for model in self.directions]
        nothing = [[0] * len(model.nothing) for model in self.directions]
        jumps = [dict.fromkeys(model.jumps, 0) for model in self.directions]
        likelihoods = [0.0, 0.0]
        for pair in self.pairs:
            if not is_aligned(pair):
                continue
            found = [self._expect(d, pair, is_hmm) for d in (0, 1)]
            for i, x in enumerate(pair[0]):
                for j, y in enumerate(pair[1]):
                    back, forth = found[0].links[i][j], found[1].links[j][i]
                    lexical[0][x, y] += fixed(forth * back if self.agree else back)
                    lexical[1][x, y] += fixed(forth * back if self.agree else forth)
            for d in (0, 1):
                likelihoods[d] += found[d].likelihood
                for word, share in zip(pair[d], found[d].nothing):
                    nothing[d][word] += fixed(share)
                for width, count in found[d].jumps.items():
                    jumps[d][width] += fixed(count)
        for d in (0, 1):
            self._maximise(d, lexical[d], nothing[d])
            if is_hmm:
                self.directions[d].jumps = {w: count / _ONE + JUMP_PRIOR for w, count in jumps[d].items()}
        return likelihoods[0], likelihoods[1]

    def _expect(self, d: int, pair: tuple[Words, Words], is_hmm: bool) -> Expected:
        sentence = self.sentence(d, pair)
        if is_hmm:
            return hmm(sentence, self.directions[d].jumps, self.null, self.uniform)
        return model1(sentence, self.null)

    def _maximise(self, d: int, lexical: dict[tuple[int, int], int], nothing: list[int]) -> None:
        """Probabilities are shares of what the same word generates; nothing is such a word too."""
        given: dict[int, int] = {}
        for pair, count in lexical.items():
            given[pair[1 - d]] = given.get(pair[1 - d], 0) + count
        model = self.directions[d]
        model.lexical = {pair: _share(count, given[pair[1 - d]]) for pair, count in lexical.items()}
        total = sum(nothing)
        model.nothing = [_share(count, total) for count in nothing]

    def best(self, d: int, pair: tuple[Words, Words]) -> list[int]:
        """The best position of each word of side d in the other sentence, from 1; 0 is none."""
        if not is_aligned(pair):
            return [0] * len(pair[d])
        return viterbi(self.sentence(d, pair), self.directions[d].jumps, self.null, self.uniform)


def _share(count: int, total: int) -> float:
    return max(float(count) / float(total) if total > 0 else 0.0, LEAST)
