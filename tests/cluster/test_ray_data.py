"""Ray Data: every row comes out once and as it should be, also when a worker is killed in the middle."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.cluster.crowds import TEXTS, die_once, loaded, note, text

pa = pytest.importorskip("pyarrow", reason="PyArrow is not installed; make test-cluster installs it")
ray = pytest.importorskip("ray", reason="Ray is not installed; make test-cluster installs it")
pytest.importorskip("ray.data", reason="Ray Data is not installed; make test-cluster installs it")

from structron.adapters.arrow import annotate  # noqa: E402
from structron.adapters.clusters.ray import Annotator, annotated  # noqa: E402

WORKERS = 2


@pytest.fixture(scope="module", autouse=True)
def here() -> Iterator[None]:
    ray.init(num_cpus=WORKERS + 1, include_dashboard=False, log_to_driver=False, logging_level="ERROR")
    ray.data.DataContext.get_current().enable_progress_bars = False
    yield
    ray.shutdown()


class Mortal(Annotator):
    """A worker that notes when it loads its model, and is killed by one text the first time."""

    def __init__(self, folder: Path, *given: Any) -> None:
        super().__init__(*given)
        self.folder = folder
        note(folder)

    def __call__(self, batch: Any) -> Any:
        die_once(batch["text"].to_pylist(), self.folder / "died")
        return super().__call__(batch)


def texts() -> Any:
    return ray.data.range(TEXTS).map(lambda row: {"id": row["id"], "text": text(row["id"])})


def assert_all(dataset: Any) -> None:
    """Each text once, with what is found in it here."""
    seen = bytearray(TEXTS)
    for batch in dataset.iter_batches(batch_format="pyarrow", batch_size=1000):
        ids = batch["id"].to_pylist()
        for number in ids:
            assert not seen[number], f"row {number} comes twice"
            seen[number] = 1
        some = slice(0, 50)  # the rest are alike
        wanted = annotate("en", pa.array([text(number) for number in ids[some]])).to_pylist()
        assert batch["annotated"].combine_chunks()[some].to_pylist() == wanted
        assert batch["annotated"].null_count == 0
    assert all(seen)


def test_every_row_comes_out_once() -> None:
    assert_all(annotated(texts(), "en", "text", workers=WORKERS, batch_size=100))


def test_a_worker_killed_in_the_middle_loses_and_doubles_nothing(tmp_path: Path) -> None:
    dataset = texts().map_batches(
        Mortal,
        fn_constructor_args=(tmp_path, "en", "text"),
        batch_format="pyarrow",
        batch_size=50,
        compute=ray.data.ActorPoolStrategy(size=WORKERS),
    )
    assert_all(dataset)
    assert (tmp_path / "died").exists()
    processes = loaded(tmp_path)
    assert len(processes) == len(set(processes)) == WORKERS + 1  # once by each worker, and by the new one
