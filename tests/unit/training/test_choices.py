"""Learners and update methods by name: what is read, what is written back, what is refused."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from structron.errors import SettingError
from structron.learners import Perceptron, parse_learner
from structron.reference.violations import METHODS
from structron.violations import UPDATES, parse_update


@given(
    st.builds(Perceptron, averaged=st.booleans(), margin=st.floats(0, 1e6, exclude_max=True, allow_nan=False))
)
def test_a_learner_is_read_back_from_its_name(learner: Perceptron) -> None:
    assert parse_learner(str(learner)) == learner
    assert parse_learner(learner) is learner


@pytest.mark.parametrize(
    ("name", "learner"),
    [
        ("perceptron", Perceptron()),
        (" perceptron ", Perceptron()),
        ("perceptron:plain", Perceptron(averaged=False)),
        ("perceptron:margin=20", Perceptron(margin=20)),
        ("perceptron:margin=.5", Perceptron(margin=0.5)),
        ("perceptron:margin=1e-3", Perceptron(margin=0.001)),
        ("perceptron:plain,margin=2", Perceptron(averaged=False, margin=2)),
        ("perceptron:margin=0", Perceptron()),
    ],
)
def test_learners_by_name(name: str, learner: Perceptron) -> None:
    assert parse_learner(name) == learner


@pytest.mark.parametrize(
    "name",
    [
        "",
        "perceptron:",
        "perceptron:plain,",
        "perceptron:,margin=2",
        "perceptron:plainmargin=2",
        "perceptron:margin=",
        "perceptron:margin=1.2.3",
        "perceptron:margin=.",
        "perceptron:margin=-1",
        "perceptron:margin=nan",
        "perceptron:margin=inf",
        "perceptron:margin=1e6",
        "perceptron:margin=1e999",
        "perceptron:margin=2,plain",
        "mira",
        None,
        3,
    ],
)
def test_an_unknown_learner_is_refused_in_one_sentence(name: object) -> None:
    with pytest.raises(SettingError, match=r"; (use|write|give)"):
        parse_learner(name)  # type: ignore[arg-type]


@pytest.mark.parametrize("margin", [-1.0, float("nan"), float("inf"), 1e6, "20", None, True])
def test_an_impossible_margin_is_refused(margin: object) -> None:
    with pytest.raises(SettingError, match="margin"):
        Perceptron(margin=margin)  # type: ignore[arg-type]


def test_updates_by_name_with_either_hyphen() -> None:
    for name, update in UPDATES.items():
        assert parse_update(name) is parse_update(name.replace("_", "-").upper()) is update
        assert parse_update(update) is update
        assert update.method is METHODS.get(name)
    assert [u.name for u in UPDATES.values() if not u.always_valid] == ["standard"]
    assert sorted(u.code for u in UPDATES.values()) == list(range(6))


@pytest.mark.parametrize("name", ["", "maximum", None, 4, "max violation"])
def test_an_unknown_update_is_refused_with_the_known_ones(name: object) -> None:
    with pytest.raises(SettingError, match="standard, early, hybrid, latest, max_violation, laso"):
        parse_update(name)  # type: ignore[arg-type]
