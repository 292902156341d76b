"""Data made by rule, for the demo and the tests: an English-like treebank and hidden Markov chains."""

from structron.data.synthetic.hmm import SETTINGS, HiddenMarkov, Setting
from structron.data.synthetic.treebank import Tree, generate_treebank

__all__ = ["SETTINGS", "HiddenMarkov", "Setting", "Tree", "generate_treebank"]
