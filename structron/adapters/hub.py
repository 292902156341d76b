"""The Hub of Hugging Face: `from_pretrained` and `push_to_hub` by its own mixin, with a card for the model.

Any estimator goes there and comes back; what is stored is the one file that `save` writes.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from structron.cli.commands.info import about_model, page_of
from structron.errors import ModelError, SettingError
from structron.loading import load
from structron.registry import spec_of

try:
    from huggingface_hub import ModelCard, ModelCardData, ModelHubMixin, hf_hub_download
except ImportError as error:
    raise ImportError("structron.adapters.hub needs huggingface_hub; pip install 'structron[hub]'") from error

__all__ = ["FILE", "HubModel", "from_pretrained", "push_to_hub", "save_pretrained"]

FILE = "structron.model"
TAGS = ("structured-prediction", "perceptron")

CARD = """---
{data}
---

# {name}

{help}
Made with [structron](https://pypi.org/project/structron/): structured prediction, large-margin learning.

## Use

```bash
pip install 'structron[hub]'
```

```python
from structron.adapters.hub import from_pretrained

model = from_pretrained("{place}")
```

On the command line the file is a model like any other: `structron predict {file} INPUT`.

## What it is and how it was made

`structron info {file}` prints:

```text
{page}
```

## Figures

{figures}

Score it on data of your own: `structron evaluate {file} GOLD`.

## Limits

- It has learned from the data named above, and does worse on text that differs from them: other subjects,
  other spelling, other times.
- What it has seen labelled it can predict, and nothing else.
- The data may hold prejudices of those who wrote and labelled them; the model repeats them.
"""


class HubModel(ModelHubMixin):  # type: ignore[misc]
    """An estimator on its way to the Hub or from there.

    Attributes
    ----------
    estimator
        Anything of structron that was fitted or loaded.
    """

    def __init__(self, estimator: Any, figures: str = "") -> None:
        if not hasattr(estimator, "model_"):
            raise SettingError("there is nothing to save; give an estimator that was fitted or loaded")
        self.estimator, self.figures = estimator, figures

    def _save_pretrained(self, save_directory: Path) -> None:
        self._folder = save_directory
        self.estimator.save(save_directory / FILE)

    @classmethod
    def _from_pretrained(cls, *, model_id: str, **options: Any) -> HubModel:
        folder = Path(model_id)
        if folder.is_dir():
            place = folder / FILE
            if not place.exists():
                raise ModelError(f"{folder}: there is no {FILE} in it; save_pretrained writes one")
        else:
            known = ("revision", "cache_dir", "force_download", "local_files_only", "token")
            asked = {name: options[name] for name in known if name in options}
            place = Path(hf_hub_download(repo_id=model_id, filename=FILE, **asked))
        return cls(load(place))

    def generate_model_card(self, *args: Any, **given: Any) -> ModelCard:
        """Return a card: what `structron info` knows of the model, and what its owner says of figures."""
        return ModelCard(card_of(self._folder / FILE, self.figures, **given))


def card_of(place: Path, figures: str = "", **given: Any) -> str:
    """Return the card of a model file.

    Parameters
    ----------
    figures
        What its owner measured, each with its command. Otherwise the score on the development set.
    given
        More of the card's data, such as ``language="en"``, and ``name`` and ``repo``.
    """
    found = about_model(str(place)) | {"model": place.name}
    kind = found["task"]
    name, told = given.pop("name", place.resolve().parent.name), given.pop("repo", "user/name")
    asked = {"library_name": "structron", "tags": [*TAGS, kind], "license": _licence(found)} | given
    data = ModelCardData(**{key: value for key, value in asked.items() if value is not None})
    return CARD.format(
        data=data.to_yaml(),
        name=name,
        place=told,
        file=FILE,
        help=spec_of(kind).help,
        page="\n".join(page_of(found)),
        figures=figures or _figures(found),
    )


def save_pretrained(estimator: Any, folder: str | Path, *, figures: str = "", **card: Any) -> None:
    """Write a model and its card to a folder, as the Hub has them; a card that is there stays."""
    HubModel(estimator, figures).save_pretrained(folder, model_card_kwargs=card)


def push_to_hub(estimator: Any, repo_id: str, *, figures: str = "", **options: Any) -> str:
    """Write a model and its card to the Hub; return the address. Options are those of `ModelHubMixin`."""
    card = {"name": repo_id.rpartition("/")[2], "repo": repo_id} | options.pop("model_card_kwargs", {})
    address: str = HubModel(estimator, figures).push_to_hub(repo_id, model_card_kwargs=card, **options)
    return address


def from_pretrained(place: str | Path, **options: Any) -> Any:
    """Return the estimator of a model on the Hub, ``user/name``, or of a folder; nothing is executed.

    Options are those of `ModelHubMixin.from_pretrained`, such as `revision`, `token` and `local_files_only`.
    """
    return HubModel.from_pretrained(place, **options).estimator


def _licence(found: dict[str, Any]) -> str | None:
    """Return the Hub's word for a licence of the model's data, where it is one of the usual ones."""
    said = (found["licence"] or "").partition(",")[0].strip().lower().replace(" ", "-")
    if not said:
        return None
    return said if said.startswith(("cc-", "mit", "apache")) else "other"


def _figures(found: dict[str, Any]) -> str:
    kept = [epoch for epoch in found["epochs"] if epoch.get("best")]
    if not kept or kept[-1].get("dev_score") is None:
        return "None were given beyond those above."
    return f"{100 * kept[-1]['dev_score']:.2f} on the development set while it was trained."
