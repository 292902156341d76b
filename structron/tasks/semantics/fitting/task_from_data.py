"""The task of questions and forms: the productions that words express, and associations of words."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from structron.errors import DataError
from structron.io.values.terms import Term
from structron.model import Place
from structron.tasks.semantics.language.association import associate
from structron.tasks.semantics.language.grammar import FormTree, Grammar
from structron.tasks.semantics.settings import SemanticRecipe
from structron.tasks.semantics.task import SemanticTask
from structron.tasks.semantics.words import Words


def derive_forms(grammar: Grammar, forms: Sequence[Term], place: Place) -> list[FormTree]:
    """Return the trees of forms; an error names the place of a form that the grammar does not make."""
    found = []
    for i, form in enumerate(forms):
        try:
            found.append(grammar.derive(form))
        except DataError as error:
            raise DataError(f"{place(i)}: {error}") from None
    return found


def unnamed(grammar: Grammar) -> frozenset[int]:
    """Return the productions that no gazetteer names, which words must express."""
    return frozenset(number for number, production in enumerate(grammar.productions) if not production.names)


def spoken_productions(grammar: Grammar, pairs: Iterable[tuple[Words, FormTree]]) -> frozenset[int]:
    """Return these productions, and names that a form has but its question does not."""
    found = set(unnamed(grammar))
    for words, tree in pairs:
        found |= set(tree.preorder()) - {production for _, _, production in words.names}
    return frozenset(found)


def make_task(
    recipe: SemanticRecipe,
    grammar: Grammar,
    spoken: frozenset[int],
    pairs: Iterable[tuple[Words, FormTree]],
) -> SemanticTask:
    """Create the task for questions and their forms."""
    texts = []
    for words, tree in pairs:
        used = tree.preorder()
        named = {k for begin, end, p in words.names if p in used for k in range(begin, end)}
        texts.append(
            ([word for k, word in enumerate(words) if k not in named], [p for p in used if p in spoken])
        )
    return SemanticTask(
        grammar,
        spoken,
        recipe.template_texts,
        associate(texts, len(grammar)),
        recipe.trust,
        recipe.chain,
        recipe.bits,
    )
