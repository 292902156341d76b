"""Why a lemmatizer chose its edit scripts: they are the tags of a tagger."""

from structron.labelling.explaining import ACCOUNT

__all__ = ["ACCOUNT"]
