"""Old names of modules and of what was in them work for one release, and warn."""

import sys
from importlib import import_module
from importlib.util import find_spec

import pytest

from structron.renames_table import MODULES, NAMES


def test_every_new_name_is_there() -> None:
    assert len(MODULES) > 300 and not [new for new in MODULES.values() if find_spec(new) is None]
    for new in NAMES.values():
        module, _, name = new.rpartition(".")
        assert hasattr(import_module(module), name), new


@pytest.mark.parametrize("name", ["whole", "write_whole", "Writer", "remove_parts"])
def test_an_old_name_in_an_old_module_is_the_new_one(name: str) -> None:
    sys.modules.pop("structron.data.whole", None)
    with pytest.warns(DeprecationWarning, match=r"structron\.data\.whole is now structron\.io\.files"):
        old = import_module("structron.data.whole")
    new = NAMES.get(f"structron.data.whole.{name}", f"structron.io.files.atomic_write.{name}")
    assert getattr(old, name) is getattr(import_module("structron.io.files.atomic_write"), new.split(".")[-1])
