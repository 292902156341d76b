"""Models go to the Hub of Hugging Face and come back, with a card; a local folder stands for it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

hub = pytest.importorskip(
    "huggingface_hub", reason="huggingface_hub is not installed; make test-adapters has it"
)

import structron  # noqa: E402
from structron import Classifier, ModelError, Pipeline, SettingError, Tagger  # noqa: E402
from structron.adapters import hub as ours  # noqa: E402
from structron.adapters.hub import FILE, HubModel, from_pretrained, push_to_hub, save_pretrained  # noqa: E402
from tests.unit.estimators.corpora import treebank  # noqa: E402

X, Y = treebank(30)


def test_a_folder_has_the_model_and_its_card(tmp_path: Path) -> None:
    tagger = Tagger(epochs=3).fit(X[:20], Y[:20], dev=(X[20:], Y[20:]))
    save_pretrained(tagger, tmp_path / "pos", language="en")
    again = from_pretrained(tmp_path / "pos")
    assert isinstance(again, Tagger) and again.predict(X) == tagger.predict(X)
    tagger.save(tmp_path / "same")
    assert (tmp_path / "pos" / FILE).read_bytes() == (tmp_path / "same").read_bytes()
    card = hub.ModelCard.load(tmp_path / "pos" / "README.md")
    assert card.data.library_name == "structron" and card.data.language == "en"
    assert "tagging" in card.data.tags
    best = max(epoch.dev_score or 0 for epoch in tagger.history_)
    assert "# pos\n" in card.text and f"{100 * best:.2f} on the development set" in card.text
    assert "trained on" in card.text and "seed 0" in card.text and "## Limits" in card.text


def test_the_card_of_a_shipped_model_names_data_and_licence(tmp_path: Path) -> None:
    figures = "LAS 82.65 on EWT's test part: `structron evaluate en en_ewt-ud-test.conllu`"
    save_pretrained(structron.load("en"), tmp_path / "en", figures=figures)
    card = hub.ModelCard.load(tmp_path / "en" / "README.md")
    assert card.data.license == "cc-by-sa-4.0"
    assert "UD English-EWT" in card.text and "CC BY-SA 4.0" in card.text and figures in card.text
    again = HubModel.from_pretrained(tmp_path / "en").estimator
    assert isinstance(again, Pipeline) and again("It works.").words[0].upos == "PRON"


def test_what_goes_to_the_hub_comes_from_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The Hub's client is asked for what it should be asked for; a folder answers."""
    texts = ["cheap pills", "a meeting", "cheap offer", "notes of a meeting"]
    spam = Classifier(epochs=3).fit(texts, ["spam", "ham"] * 2)
    stored = tmp_path / "hub"

    class Api:
        def __init__(self, **_: Any) -> None: ...

        def create_repo(self, repo_id: str, **_: Any) -> Any:
            return type("Repo", (), {"repo_id": repo_id})()

        def upload_folder(self, *, repo_id: str, folder_path: Path, **_: Any) -> str:
            for file in Path(folder_path).iterdir():
                (stored / repo_id).mkdir(parents=True, exist_ok=True)
                (stored / repo_id / file.name).write_bytes(file.read_bytes())
            return f"https://hub/{repo_id}"

    def download(*, repo_id: str, filename: str, **_: Any) -> str:
        return str(stored / repo_id / filename)

    monkeypatch.setattr("huggingface_hub.hub_mixin.HfApi", Api)
    assert push_to_hub(spam, "me/spam") == "https://hub/me/spam"
    assert 'from_pretrained("me/spam")' in (stored / "me/spam/README.md").read_text()
    monkeypatch.setattr(ours, "hf_hub_download", download)
    monkeypatch.setattr("huggingface_hub.hub_mixin.hf_hub_download", download)
    assert from_pretrained("me/spam").predict(texts) == spam.predict(texts)


def test_what_is_missing_is_told_in_a_sentence(tmp_path: Path) -> None:
    with pytest.raises(SettingError, match="there is nothing to save; give an estimator"):
        save_pretrained(Tagger(), tmp_path / "none")
    (tmp_path / "empty").mkdir()
    with pytest.raises(ModelError, match=r"empty: there is no structron.model in it"):
        from_pretrained(tmp_path / "empty")
    save_pretrained(Tagger(epochs=1).fit(X, Y), tmp_path / "bad")
    (tmp_path / "bad" / FILE).write_bytes(b"no model")
    with pytest.raises(ModelError):
        from_pretrained(tmp_path / "bad")
