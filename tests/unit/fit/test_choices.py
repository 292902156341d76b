"""Learners and update methods by name: what is read, what is written back, what is refused."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from structron.errors import SettingError
from structron.fit import Recipe
from structron.learners import SWVP, Learner, Mira, Perceptron, parse_learner
from structron.reference.learners.violations import METHODS
from structron.tasks.tagging.settings import TaggingRecipe
from structron.updates import UPDATES, parse_update

NUMBERS = st.floats(1e-3, 100, allow_nan=False)


@st.composite
def swvps(draw: st.DrawFn) -> SWVP:
    gamma = draw(st.sampled_from(["wm", "wmr", "uniform", "best", "optimal"]))
    kind = draw(st.sampled_from(["aggressive", "balanced", "enforced"]))
    return SWVP(
        draw(st.sampled_from(["single", "full", "prefixes", "error_spans", "windows=3", "all_subsets"])),
        gamma,
        kind == "aggressive",
        draw(NUMBERS) if gamma in ("wm", "wmr") else 1.0,
        kind == "enforced",
        gamma == "wmr" and draw(st.booleans()),
        draw(NUMBERS),
        draw(st.booleans()),
    )


@given(
    st.one_of(
        st.builds(Perceptron, averaged=st.booleans(), margin=st.floats(0, 1e6, exclude_max=True)),
        st.builds(Mira, st.integers(1, 1000), NUMBERS, st.booleans(), st.booleans()),
        swvps(),
    )
)
def test_a_learner_is_read_back_from_its_name(learner: Learner) -> None:
    assert parse_learner(str(learner)) == learner
    assert parse_learner(learner) is learner


@pytest.mark.parametrize(
    ("name", "learner"),
    [
        ("perceptron", Perceptron()),
        (" perceptron ", Perceptron()),
        ("perceptron:plain", Perceptron(averaged=False)),
        ("perceptron:margin=20", Perceptron(margin=20)),
        ("perceptron:margin=20,mean", Perceptron(margin=20, mean=True)),
        ("perceptron:margin=.5", Perceptron(margin=0.5)),
        ("perceptron:margin=1e-3", Perceptron(margin=0.001)),
        ("perceptron:margin=2,plain", Perceptron(averaged=False, margin=2)),
        ("perceptron:margin=0", Perceptron()),
        ("perceptron:margin=2,step=0.1", Perceptron(margin=2, step=0.1)),
        ("mira", Mira()),
        ("mira:5,C=0.1,plain,augmented", Mira(5, 0.1, True, False)),
        ("pa:C=2,squared", Mira(C=2.0, squared=True)),
        ("pa", Mira()),
        ("pa:C=0.5", Mira(C=0.5)),
        ("swvp", SWVP()),
        ("swvp:beta=2,wmr,printed", SWVP(gamma="wmr", beta=2, printed=True)),
        ("swvp:windows=3,best,aggressive,margin=2", SWVP("windows=3", "best", True, margin=2)),
        (
            "swvp:error_spans, optimal, enforced, plain",
            SWVP("error_spans", "optimal", enforced=True, averaged=False),
        ),
    ],
)
def test_learners_by_name(name: str, learner: Learner) -> None:
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
        "perceptron:margin=1,margin=2",
        "perceptron:plain,plain",
        "perceptron:C=1",
        "mira:0",
        "mira:-1",
        "mira:2.5",
        "mira:3,5",
        "mira:1001",
        "mira:99999999999999999999",
        "mira:C=0",
        "mira:squared",
        "mira:C=-0.1",
        "mira:C=nan",
        "mira:margin=2",
        "pa:beta=1",
        "swvp:",
        "swvp:beta=0",
        "swvp:beta=-1",
        "swvp:beta=1e9",
        "swvp:windows=0",
        "swvp:windows=",
        "swvp:windows=x",
        "swvp:windows",
        "swvp:windows=2,single",
        "swvp:single,full",
        "swvp:aggressive,balanced",
        "swvp:aggressive,enforced",
        "swvp:uniform,beta=2",
        "swvp:wm,printed",
        "swvp:C=1",
        "svm",
        None,
        3,
    ],
)
def test_an_unknown_learner_is_refused_in_one_sentence(name: object) -> None:
    with pytest.raises(SettingError, match=r"; (use|write|give|leave)"):
        parse_learner(name)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "make",
    [
        lambda: Mira(k=0),
        lambda: Mira(k=True),
        lambda: Mira(C=-1.0),
        lambda: SWVP(beta=0.0),
        lambda: SWVP(beta=True),
        lambda: SWVP(jj=""),
        lambda: SWVP(jj=None),  # type: ignore[arg-type]
        lambda: SWVP(gamma="rank"),
        lambda: SWVP(margin=-1.0),
    ],
)
def test_an_impossible_learner_cannot_be_made(make: Callable[[], Learner]) -> None:
    with pytest.raises(SettingError, match=r"; (use|give)"):
        make()


def test_pairs_that_cannot_be_are_refused_before_any_work() -> None:
    with pytest.raises(SettingError, match="cannot be mixed; use perceptron or mira"):
        Recipe(learner="swvp")
    with pytest.raises(SettingError, match="has no k best from there; use a beam, or mira"):
        TaggingRecipe(learner="mira:2", search="exact", update="laso")
    for learner in ("mira:5", "mira:augmented", "swvp"):
        for search in ("exact", "greedy", "beam:2+merge"):
            for update in UPDATES:
                if (search, update, learner) != ("exact", "laso", "mira:5"):
                    assert TaggingRecipe(learner=learner, search=search, update=update)


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("perceptron:margin=-1", "margin -1.0 is not possible; give a number from 0 to a million"),
        ("perceptron:margin=x", "margin=x is not a number; write margin=2 or margin=0.5"),
        ("perceptron:step=0", "step = 0.0 is not possible; give a number above 0"),
        ("mira:C=-2", "C = -2.0 is not possible; give a number above 0"),
        ("swvp:single,full", "single and full exclude each other; give one of them"),
    ],
)
def test_a_bad_number_is_told_for_what_it_is(name: str, said: str) -> None:
    with pytest.raises(SettingError) as caught:
        parse_learner(name)
    assert said in str(caught.value)


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
    assert sorted(u.code for u in UPDATES.values()) == list(range(8))


@pytest.mark.parametrize("name", ["", "maximum", None, 4, "max violation"])
def test_an_unknown_update_is_refused_with_the_known_ones(name: object) -> None:
    with pytest.raises(
        SettingError, match="standard, early, hybrid, latest, max_violation, skip, parallel, laso"
    ):
        parse_update(name)  # type: ignore[arg-type]
