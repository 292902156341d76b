"""Why a lemmatizer chose its edit scripts: they are the tags of a tagger."""

from structron.explaining.tagging import ACCOUNT

__all__ = ["ACCOUNT"]
