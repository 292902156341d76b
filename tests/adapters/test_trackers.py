"""The one hook of a training, in the libraries that people watch with; nothing leaves the machine."""

from __future__ import annotations

from pathlib import Path

import pytest

from structron import Tagger
from structron.fit import Epoch, logged
from structron.fit.schedules.hooks import Log
from tests.unit.estimators.corpora import treebank

MISSING = "{} is not installed; make test-adapters installs it"


def trained(log: Log) -> list[Epoch]:
    X, y = treebank(20)
    return Tagger(epochs=3).fit(X[:15], y[:15], dev=(X[15:], y[15:]), on_epoch=logged(log)).history_


def test_tensorboard(tmp_path: Path) -> None:
    writing = pytest.importorskip("tensorboardX", reason=MISSING.format("tensorboardX"))
    reading = pytest.importorskip(
        "tensorboard.backend.event_processing.event_accumulator", reason=MISSING.format("TensorBoard")
    )
    with writing.SummaryWriter(str(tmp_path)) as writer:
        history = trained(writer.add_scalar)
    found = reading.EventAccumulator(str(tmp_path)).Reload()
    for name in ("dev_score", "updates", "tokens_per_second"):
        read = [(event.step, event.value) for event in found.Scalars(f"structron/{name}")]
        assert read == [(epoch.epoch, pytest.approx(getattr(epoch, name), 1e-5)) for epoch in history]


def test_weights_and_biases(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    wandb = pytest.importorskip("wandb", reason=MISSING.format("wandb"))
    for name in ("WANDB_DIR", "WANDB_CACHE_DIR", "WANDB_CONFIG_DIR", "WANDB_DATA_DIR"):
        monkeypatch.setenv(name, str(tmp_path))
    monkeypatch.setenv("WANDB_MODE", "offline")
    monkeypatch.setenv("WANDB_SILENT", "true")
    steps: list[int] = []
    with wandb.init(project="structron", dir=str(tmp_path)) as run:

        def log(name: str, value: float, step: int) -> None:
            wandb.log({name: value}, step=step)
            steps.append(run.step)

        history = trained(log)
        run.log({}, commit=True)  # a step is written when the next begins, or the run ends
        for name in ("dev_score", "updates", "early_stopped"):
            assert run.summary[f"structron/{name}"] == getattr(history[-1], name)
    assert sorted(set(steps)) == [1, 2, 3]  # what belongs to a step that is over would be dropped
    assert list(tmp_path.glob("wandb/offline-run-*/run-*.wandb"))


def test_mlflow(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    mlflow = pytest.importorskip("mlflow", reason=MISSING.format("MLflow"))
    monkeypatch.chdir(tmp_path)
    # Plain files: its data base would need more than the small distribution has.
    monkeypatch.setenv("MLFLOW_ALLOW_FILE_STORE", "true")
    mlflow.set_tracking_uri((tmp_path / "runs").as_uri())
    with mlflow.start_run() as run:
        history = trained(lambda name, value, step: mlflow.log_metric(name, value, step=step))
    client = mlflow.MlflowClient()
    for name in ("dev_score", "errors", "invalid_share"):
        read = [
            (each.step, each.value)
            for each in client.get_metric_history(run.info.run_id, f"structron/{name}")
        ]
        assert read == [(epoch.epoch, getattr(epoch, name)) for epoch in history]
