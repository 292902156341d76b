"""Data made by rule, for the demo and the tests: a treebank, words to pronounce, hidden Markov chains."""

from structron.data.synthetic.hmm import SETTINGS, HiddenMarkov, Setting
from structron.data.synthetic.spelling import generate_spellings, pronounce
from structron.data.synthetic.treebank import Tree, generate_treebank

__all__ = [
    "SETTINGS",
    "HiddenMarkov",
    "Setting",
    "Tree",
    "generate_spellings",
    "generate_treebank",
    "pronounce",
]
