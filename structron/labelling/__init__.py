"""Sequence labelling: templates over words and tags, states, dictionaries. Tagging, lemmatisation and
segmentation share it.
"""
