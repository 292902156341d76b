"""No output overwrites an input or another output, by whatever path it is reached."""

from __future__ import annotations

import os

import pytest

from structron.cli.files.places import refuse_overlap
from structron.errors import SettingError


def ways(folder, name):
    """Paths that lead to one file."""
    (folder / "deep").mkdir()
    (folder / "link").symlink_to(folder / name)
    (folder / "folder").symlink_to(folder)
    ways = [folder / name, f"{folder}/./{name}", f"{folder}/deep/../{name}", os.path.relpath(folder / name)]
    return [*map(str, ways), str(folder / "link"), str(folder / "folder" / name)]


def test_an_output_that_is_an_input_is_refused_however_it_is_called(tmp_path):
    data = tmp_path / "t.conllu"
    data.write_text("kept")
    others = ways(tmp_path, "t.conllu")
    os.link(data, tmp_path / "hard")
    for way in [*others, str(tmp_path / "hard")]:
        with pytest.raises(SettingError, match="-o would overwrite TRAIN; choose another file for -o"):
            refuse_overlap({"-o": way}, {"--dev": None, "TRAIN": str(data)})
        with pytest.raises(SettingError, match="-o would overwrite TRAIN"):
            refuse_overlap({"-o": str(data)}, {"TRAIN": way})


def test_two_outputs_are_told_apart_before_either_is_there(tmp_path):
    for way in ways(tmp_path, "new"):
        with pytest.raises(
            SettingError, match="-o and --inventory are the same file; choose another for one"
        ):
            refuse_overlap({"-o": str(tmp_path / "new"), "--inventory": way}, {})
    refuse_overlap({"-o": str(tmp_path / "new"), "--inventory": str(tmp_path / "newer")}, {})
    with pytest.raises(SettingError, match="are the same file"):
        refuse_overlap({"-o": "-", "--svg": "-"}, {})


def test_one_of_several_inputs_is_enough(tmp_path):
    with pytest.raises(SettingError, match="-o would overwrite INPUT"):
        refuse_overlap({"-o": str(tmp_path / "b")}, {"INPUT": (str(tmp_path / "a"), str(tmp_path / "b"))})


def test_devices_and_standard_streams_may_be_shared(tmp_path):
    refuse_overlap({"-o": "/dev/null", "--svg": "/dev/null"}, {"INPUT": "/dev/null"})
    refuse_overlap({"-o": "-"}, {"INPUT": "-", "MODEL": str(tmp_path / "m")})
