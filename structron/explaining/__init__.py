"""Explanations: the features of a model's decisions by name, with their weights."""

from typing import TYPE_CHECKING

from structron.lazy import on_first_use

if TYPE_CHECKING:
    from structron.explaining.account import (
        Account as Account,
        Derived as Derived,
        Namer as Namer,
        account_of as account_of,
        explained as explained,
    )
    from structron.explaining.explanation import (
        Decision as Decision,
        Explanation as Explanation,
        Weighed as Weighed,
        joined as joined,
    )
    from structron.explaining.own import explain_space as explain_space
    from structron.explaining.strongest import Strong as Strong, strongest as strongest

on_first_use(__name__)
