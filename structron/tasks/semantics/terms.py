"""Forms as terms; the notation is that of files, so it stands in `structron.data.terms`."""

from structron.data.terms import ANYTHING, MAX_DEPTH, SLOT, Term, parse_term

__all__ = ["ANYTHING", "MAX_DEPTH", "SLOT", "Term", "parse_term"]
