"""Neural scores: their losses are what enumeration says, and every kind of run trains; needs PyTorch."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from tests.papers.loading import experiment_modules
from tests.trees import is_tree

FOLDER = Path(__file__).resolve().parents[2] / "experiments"


@pytest.fixture(scope="module")
def code() -> Iterator[SimpleNamespace]:
    torch = pytest.importorskip("torch")
    names = ("data", "heads", "plan", "results", "training")
    with experiment_modules(*(f"neural.{name}" for name in names)) as modules:
        yield SimpleNamespace(torch=torch, **dict(zip(names, modules)))


def test_the_likelihood_of_a_chain_is_that_of_enumeration(code: SimpleNamespace) -> None:
    torch = code.torch
    torch.manual_seed(0)
    scores, after = torch.randn(2, 4, 3), torch.randn(4, 3)
    gold = torch.tensor([[0, 2, 1, 1], [2, 0, -100, -100]])

    def total(i: int, labels: Any) -> Any:
        pairs = zip((3, *labels), labels)
        return sum(scores[i, t, y] for t, y in enumerate(labels)) + sum(after[a, b] for a, b in pairs)

    expected = 0.0
    for i, n in enumerate((4, 2)):
        every = torch.stack([total(i, labels) for labels in product(range(3), repeat=n)])
        expected += torch.logsumexp(every, 0) - total(i, gold[i, :n].tolist())
    assert code.heads.chain_likelihood(scores, after, gold).item() == pytest.approx(expected.item(), rel=1e-4)


def test_the_likelihood_of_a_tree_is_that_of_enumeration(code: SimpleNamespace) -> None:
    torch = code.torch
    torch.manual_seed(1)
    arcs, relations = torch.randn(2, 5, 4), torch.randn(2, 5, 4, 2)
    heads = torch.tensor([[2, 0, 2, 3], [0, 1, -100, -100]])
    names = torch.tensor([[1, 0, 1, 1], [0, 1, -100, -100]])
    expected = 0.0
    for i, n in enumerate((4, 2)):
        table = arcs[i][..., None] + relations[i]
        logs = torch.logsumexp(table, 2)
        trees = [h for h in product(range(n + 1), repeat=n) if is_tree(h, crossing=True)]
        every = torch.stack([sum(logs[h, m] for m, h in enumerate(tree)) for tree in trees])
        right = sum(table[heads[i, m], m, names[i, m]] for m in range(n))
        expected += torch.logsumexp(every, 0) - right
    found = code.heads.tree_likelihood(arcs, relations, [4, 2], heads, names)
    assert found.item() == pytest.approx(expected.item(), rel=1e-4)


def test_violations_of_padded_scores_are_the_engines(code: SimpleNamespace) -> None:
    torch = code.torch
    from structron.own.scores import structured_loss

    rng = np.random.default_rng(2)
    scores = torch.tensor(rng.normal(size=(2, 4, 4, 4)), dtype=torch.float32, requires_grad=True)
    gold = [([2, 0, 2], [0, 0, 0]), ([0], [0])]
    slices = [(slice(0, 4), slice(0, 4)), (slice(0, 2), slice(0, 2))]
    options = {"task": "transitions", "search": "beam:2", "update": "max_violation"}
    loss = code.heads.violations(scores, gold, slices, **options)
    (2 * loss).backward()
    parts = [part[at] for part, at in zip(scores.detach().numpy(), slices)]
    found = structured_loss(parts, gold, **options)
    assert loss.item() == pytest.approx(found.losses.sum())
    for part, at, expected in zip(scores.grad.numpy(), slices, found.gradient):
        assert np.array_equal(part[at], 2 * expected)
        part[at] = 0
        assert not part.any(), "padding has no gradient"


def test_every_kind_of_run_trains_and_makes_its_tables(
    code: SimpleNamespace, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    words = [("the", "DET", 2, "det"), ("dog", "NOUN", 3, "nsubj"), ("runs", "VERB", 0, "root")]
    some = [code.data.Sentence(*(list(column) for column in zip(*words)))] * 3
    monkeypatch.setattr(code.training, "sentences", lambda part, quick: some)
    monkeypatch.setattr(code.data, "sentences", lambda part, quick: some)
    code.training.parts.cache_clear(), code.data.checksum.cache_clear()
    runs = code.plan.runs(True)
    every = runs["tags"] + runs["trees"] + runs["transitions"]
    kinds = {(run.task, run.head): run for run in every if run.task != "tags" or run.head == "violations"}
    entries = [run.measure() for run in kinds.values()]
    assert all(e["finished"] and 0 <= e["test"] <= 100 and len(e["dev"]) == 2 for e in entries)
    code.results.write(entries, tmp_path)
    assert "hinge, mst, relations by softmax" in (tmp_path / "README.md").read_text(encoding="utf-8")
