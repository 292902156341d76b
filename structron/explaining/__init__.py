"""Why a model decided as it did: the features of its decisions by name, with their weights."""

from structron.explaining.account import Account, Derived, Namer, account_of, explained
from structron.explaining.explanation import Decision, Explanation, Weighed
from structron.explaining.own import explain_space
from structron.explaining.strongest import Strong, strongest

__all__ = [
    "Account",
    "Decision",
    "Derived",
    "Explanation",
    "Namer",
    "Strong",
    "Weighed",
    "account_of",
    "explain_space",
    "explained",
    "strongest",
]
