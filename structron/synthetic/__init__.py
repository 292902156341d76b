"""Synthetic data for the demo and the tests: a treebank, words to pronounce, sentences to translate, hidden
Markov chains.
"""

from structron.synthetic.hmm import SETTINGS, HiddenMarkov, Setting
from structron.synthetic.phrasebook import generate_pairs
from structron.synthetic.spelling import generate_spellings, pronounce
from structron.synthetic.treebank import Tree, generate_treebank

__all__ = [
    "SETTINGS",
    "HiddenMarkov",
    "Setting",
    "Tree",
    "generate_pairs",
    "generate_spellings",
    "generate_treebank",
    "pronounce",
]
