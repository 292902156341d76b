"""NLTK's averaged perceptron tagger, from its JSON."""

from typing import TYPE_CHECKING

from structron.lazy import on_first_use

if TYPE_CHECKING:
    from structron.tasks.tagging.adapters.nltk_perceptron import (
        NltkPerceptron as NltkPerceptron,
        TaggerMethods as TaggerMethods,
        normalized as normalized,
    )

on_first_use(__name__)
