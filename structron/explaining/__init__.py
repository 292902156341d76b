"""Explanations: the features of a model's decisions by name, with their weights."""

from typing import TYPE_CHECKING

from structron.lazy import on_first_use

if TYPE_CHECKING:
    from structron.explaining.account import Account, Derived, Namer, account_of, explained
    from structron.explaining.explanation import Decision, Explanation, Weighed, joined
    from structron.explaining.own import explain_space
    from structron.explaining.strongest import Strong, strongest
else:
    on_first_use(
        __name__,
        {
            "account": ("Account", "Derived", "Namer", "account_of", "explained"),
            "explanation": ("Decision", "Explanation", "Weighed", "joined"),
            "own": ("explain_space",),
            "strongest": ("Strong", "strongest"),
        },
    )

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
    "joined",
    "strongest",
]
