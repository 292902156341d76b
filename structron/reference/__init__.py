"""The definition, in plain Python: search, update methods and training, for any search space.

Slow and obvious: the engine must equal what is written here, trace by trace. A user's own task runs here
as it is.
"""

from typing import TYPE_CHECKING

from structron.lazy import on_first_use

if TYPE_CHECKING:
    from structron.reference.checks.checks import check_oracle as check_oracle, check_space as check_space
    from structron.reference.checks.forest_checks import check_forest as check_forest
    from structron.reference.forest.forest import ForestTrace as ForestTrace, forest as forest
    from structron.reference.forest.hypergraph import (
        Edge as Edge,
        ForestOracle as ForestOracle,
        ForestSpace as ForestSpace,
        Tree as Tree,
        Use as Use,
    )
    from structron.reference.forest.matrix_tree import (
        TreeSums as TreeSums,
        tree_shortfall as tree_shortfall,
        tree_sums as tree_sums,
    )
    from structron.reference.learners.array_learner import (
        ArrayLearner as ArrayLearner,
        Differences as Differences,
    )
    from structron.reference.learners.gradient import CRF as CRF, SSVM as SSVM
    from structron.reference.learners.learners import Learner as Learner, Perceptron as Perceptron
    from structron.reference.learners.mira import Mira as Mira
    from structron.reference.learners.mixed_assignments import mixed_assignment as mixed_assignment
    from structron.reference.learners.substructures import SUBSTRUCTURES as SUBSTRUCTURES, windows as windows
    from structron.reference.learners.swvp import GAMMAS as GAMMAS, SWVP as SWVP
    from structron.reference.learners.violations import (
        METHODS as METHODS,
        Violation as Violation,
        compare as compare,
        early as early,
        excess as excess,
        fall_off as fall_off,
        hybrid as hybrid,
        is_violation as is_violation,
        latest as latest,
        max_violation as max_violation,
        parallel as parallel,
        skip as skip,
        standard as standard,
        violation as violation,
    )
    from structron.reference.learners.voted_perceptron import Voted as Voted, train_voted as train_voted
    from structron.reference.learners.weights import Weights as Weights
    from structron.reference.sequence.bins import Bins as Bins, Derivation as Derivation, Move as Move
    from structron.reference.sequence.dp_beam import DPItem as DPItem, DPTrace as DPTrace, dp_beam as dp_beam
    from structron.reference.sequence.parameter_mixing import Round as Round, train_mixed as train_mixed
    from structron.reference.sequence.row_keeper import RowKeeper as RowKeeper, RowOffers as RowOffers
    from structron.reference.sequence.search import (
        beam as beam,
        decode as decode,
        exact as exact,
        greedy as greedy,
        predict as predict,
    )
    from structron.reference.sequence.spaces import (
        Features as Features,
        Oracle as Oracle,
        SearchSpace as SearchSpace,
        SparseVector as SparseVector,
        StackSpace as StackSpace,
    )
    from structron.reference.sequence.sums import (
        Lattice as Lattice,
        expected as expected,
        lattice as lattice,
        shortfall as shortfall,
    )
    from structron.reference.sequence.trace import Item as Item, Path as Path, Trace as Trace
    from structron.reference.sequence.training import (
        Epoch as Epoch,
        Example as Example,
        laso as laso,
        train as train,
    )
    from structron.reference.sequence.violation_finder import choose as choose, find as find

on_first_use(__name__)
