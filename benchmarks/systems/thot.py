"""Thot, the phrase-based translator on PyPI (`sil-thot`), as `sil-machine` trains and tunes it."""

from __future__ import annotations

import json
import time
from collections.abc import Sequence
from importlib.metadata import version
from pathlib import Path
from typing import Any

from systems import require


class Thot:
    """Word links by an HMM, phrases of up to ten words, 3-grams, weights by Nelder and Mead's simplex.

    It takes its tuning data, a thousand pairs, from the training data itself and adds them again afterwards.

    Parameters
    ----------
    folder
        Where its model goes.
    evaluations
        How often tuning translates its data; a hundred are usual, each half a minute on Multi30k.
    """

    def __init__(self, folder: Path, evaluations: int) -> None:
        require("thot", "sil-thot")
        require("machine", "sil-machine[thot]")
        from machine.translation.thot import ThotSmtParameters

        self.version = f"sil-thot {version('sil-thot')}, sil-machine {version('sil-machine')}"
        self.settings = f"HMM, 3-grams, {evaluations} evaluations of its tuner"
        self.folder, self.evaluations = folder, evaluations
        self.parameters = ThotSmtParameters(
            translation_model_filename_prefix=str(folder / "tm" / "src_trg"),
            language_model_filename_prefix=str(folder / "lm" / "trg.lm"),
        )

    def train(self, sources: Sequence[str], targets: Sequence[str]) -> float:
        """Return CPU seconds of training and tuning."""
        from machine.corpora import TextFileTextCorpus
        from machine.translation.thot import ThotSmtModelTrainer, ThotWordAlignmentModelType

        sides = []
        for name, lines in (("train.src", sources), ("train.trg", targets)):
            place = self.folder / name
            place.write_text("\n".join(lines) + "\n", encoding="utf-8")
            sides.append(TextFileTextCorpus(place))
        began = time.process_time()
        with ThotSmtModelTrainer(
            ThotWordAlignmentModelType.HMM, sides[0].align_rows(sides[1]), self.parameters
        ) as trainer:
            trainer._model_weight_tuner.max_function_evaluations = self.evaluations
            trainer.train()
            trainer.save()
            tuned = list(map(float, trainer.parameters.model_weights))
            self.weights.write_text(json.dumps(tuned) + "\n", encoding="utf-8")
        return time.process_time() - began

    @property
    def weights(self) -> Path:
        """Where its tuned weights go; its own files have none."""
        return self.folder / "weights.json"

    @property
    def model_bytes(self) -> int:
        """All files of its model."""
        return sum(file.stat().st_size for part in ("tm", "lm") for file in (self.folder / part).iterdir())

    def load(self) -> Any:
        """Return its decoder with a fresh model; both must stay, the one needs the other."""
        from machine.translation.thot import ThotWordAlignmentModelType
        from machine.translation.thot.thot_utils import load_smt_decoder, load_smt_model

        self.parameters.model_weights = json.loads(self.weights.read_text(encoding="utf-8"))
        model = load_smt_model(ThotWordAlignmentModelType.HMM, self.parameters)
        return model, load_smt_decoder(model, self.parameters)

    def translate(self, loaded: Any, sources: Sequence[str]) -> list[str]:
        """Translate line by line."""
        return [" ".join(found.target) for found in loaded[1].translate_batch(list(sources))]
