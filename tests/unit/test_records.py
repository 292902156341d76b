"""Dataclasses whose methods are compiled late are those of Python in all that a user sees."""

from __future__ import annotations

import copy
import dataclasses
import inspect
import pickle
import subprocess
import sys
from collections.abc import Callable
from typing import Any, ClassVar

import pytest

from structron import Tagger, records
from structron.tasks.tagging.settings import TaggingRecipe, TaggingSettings


def declared(dataclass: Callable[..., Any]) -> type[Any]:
    @dataclass(frozen=True)
    class Point:
        """A place."""

        total: ClassVar[int] = 3
        x: int
        y: float = 2.0
        many: list[int] = dataclasses.field(default_factory=list, compare=False)
        hidden: str = dataclasses.field(default="?", repr=False)
        at: str = dataclasses.field(default="here", kw_only=True)

        def __post_init__(self) -> None:
            if self.x < 0:
                raise ValueError("x")

    return Point


Late, Usual = declared(records.dataclass), declared(dataclasses.dataclass)


@records.dataclass(frozen=True)
class Plain:
    x: int
    y: int = 0


def test_late_classes_are_python_s() -> None:
    assert isinstance(vars(declared(records.dataclass))["__init__"], records.LateConstructor)
    assert inspect.signature(Late) == inspect.signature(Usual)
    assert inspect.signature(Late.__init__) == inspect.signature(Usual.__init__)
    assert Late.__init__.__qualname__ == Usual.__init__.__qualname__
    names = [[each.name for each in dataclasses.fields(kind)] for kind in (Late, Usual)]
    assert names[0] == names[1]
    assert Late.__match_args__ == Usual.__match_args__ and Late.__doc__ == Usual.__doc__
    late, usual = Late(1, many=[5]), Usual(1, many=[5])
    assert repr(late) == repr(usual) and hash(late) == hash(usual)
    assert dataclasses.asdict(late) == dataclasses.asdict(usual)
    assert late == Late(1, many=[6]) and late != Late(1, 3.0) and late != usual
    assert dataclasses.replace(late, y=4.0) == Late(1, 4.0) and Late(1).many is not Late(1).many
    assert copy.deepcopy(late) == late and late in {late: 0}


CALLS: list[tuple[tuple[Any, ...], dict[str, Any]]] = [
    ((1,), {}),
    ((1, 5.0), {"at": "there", "hidden": "!"}),
    ((), {"x": 4, "many": [7]}),
    ((1, 2.0, [3], "h"), {}),
    ((), {}),
    ((1, 2.0, [3], "h", "at"), {}),
    ((1,), {"x": 2}),
    ((1,), {"z": 2}),
    ((-1,), {}),
]


@pytest.mark.parametrize("args, values", CALLS)
@pytest.mark.parametrize("compiled", [False, True])
def test_a_constructor_does_the_same_before_it_is_compiled(
    args: tuple[Any, ...], values: dict[str, Any], compiled: bool
) -> None:
    late = declared(records.dataclass)
    if compiled:
        assert callable(late.__init__)  # whoever looks at it compiles it
    assert isinstance(vars(late)["__init__"], records.LateConstructor) != compiled
    results = []
    for kind in (late, Usual):
        try:
            results.append(vars(kind(*args, **values)))
        except (TypeError, ValueError) as error:
            results.append({"error": type(error), "words": str(error)})
    assert results[0] == results[1] and list(results[0]) == list(results[1])


def test_a_constructor_that_is_used_often_is_compiled() -> None:
    late = declared(records.dataclass)
    made = [late(i) for i in range(records.OFTEN + 2)]
    assert not isinstance(vars(late)["__init__"], records.LateConstructor)
    assert [each.x for each in made] == list(range(len(made)))


def test_fields_that_no_argument_gives_are_filled_as_python_does() -> None:
    def kinds(dataclass: Callable[..., Any]) -> type[Any]:
        @dataclass(frozen=True)
        class Counted:
            """Counts."""

            x: int
            seen: list[int] = dataclasses.field(default_factory=list, init=False)
            most: int = dataclasses.field(default=3, init=False)

        return Counted

    late, usual = kinds(records.dataclass)(1), kinds(dataclasses.dataclass)(1)
    assert vars(late) == vars(usual) and late.most == usual.most == 3


@pytest.mark.parametrize("kind", [Late, Usual])
def test_mistakes_are_told_in_the_same_words(kind: type[Any]) -> None:
    made = kind(1)
    with pytest.raises(dataclasses.FrozenInstanceError, match="cannot assign to field 'x'"):
        made.x = 2
    with pytest.raises(dataclasses.FrozenInstanceError, match="cannot assign to field 'other'"):
        made.other = 2
    with pytest.raises(dataclasses.FrozenInstanceError, match="cannot delete field 'x'"):
        del made.x
    with pytest.raises(TypeError, match="missing 1 required positional argument: 'x'"):
        kind()
    with pytest.raises(TypeError, match="unexpected keyword argument 'z'"):
        kind(1, z=2)
    with pytest.raises(ValueError, match="x"):
        kind(-1)


def test_classes_below_are_declared_as_usual() -> None:
    @dataclasses.dataclass(frozen=True)
    class Below(Plain):
        z: int = 1

    @records.dataclass(frozen=True)
    class AlsoBelow(Plain):
        z: int = 1

    class Free(Plain):
        pass

    assert Below(1, 2, 3).z == AlsoBelow(1, 2, 3).z == 3
    assert repr(Below(1)).endswith("Below(x=1, y=0, z=1)") and Below(1) != Plain(1)
    with pytest.raises(TypeError, match="cannot inherit non-frozen dataclass from a frozen one"):
        dataclasses.dataclass(type("Open", (Plain,), {}))
    free: Any = Free(1)
    free.note = 2
    with pytest.raises(dataclasses.FrozenInstanceError):
        free.x = 2


def test_methods_of_its_own_stay() -> None:
    @records.dataclass(frozen=True)
    class Own:
        x: int

        def __init__(self, x: str) -> None:
            object.__setattr__(self, "x", int(x))

        def __repr__(self) -> str:
            return "own"

        def __eq__(self, other: object) -> bool:
            return True

    own: Any = Own
    assert repr(own("3")) == "own" and own("3").x == 3 and own("3") == 4 and hash(own("3")) == hash((3,))

    @records.dataclass(frozen=True, eq=False)
    class ByPlace:
        x: int

    assert ByPlace(1) != ByPlace(1) and len({ByPlace(1), ByPlace(1)}) == 2


def test_late_classes_are_pickled() -> None:
    assert pickle.loads(pickle.dumps(Plain(3, 4))) == Plain(3, 4)


def test_a_docstring_is_put_together_when_it_is_read() -> None:
    text = Tagger.__doc__ or ""
    assert text == Tagger().__doc__ and inspect.getdoc(Tagger) == text.rstrip()
    places = [text.index(part) for part in ("Parameters\n", "learner\n    ", "Attributes\n", "Examples\n")]
    assert places == sorted(places)


def test_a_command_compiles_no_constructor_that_it_does_not_call() -> None:
    program = (
        "from structron.tasks.tagging.settings import TaggingRecipe, TaggingSettings as settings\n"
        "import structron.records as records\n"
        "print(isinstance(vars(settings)['__init__'], records.LateConstructor), TaggingRecipe(order=1).order)"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["True", "1"]
    assert TaggingSettings(order=1).order == TaggingRecipe(order=1).order == 1
