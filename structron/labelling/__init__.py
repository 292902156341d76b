"""Label sequences: templates over words and tags, states, dictionaries. Tagging, lemmatisation and
segmentation stand on it."""
