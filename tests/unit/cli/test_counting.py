"""One thing is singular."""

from __future__ import annotations

from structron.cli.commands.info import TOGETHER, named_templates
from structron.cli.terminal.counting import counted, counted_names, noun, size


def test_one_thing_is_singular() -> None:
    assert counted(1, "labels") == "1 label"
    assert counted(0, "labels") == "0 labels"
    assert counted(2000, "pairs not aligned") == "2,000 pairs not aligned"
    assert counted(1, "pairs not aligned") == "1 pair not aligned"
    assert noun(1, "sentences") == "sentence"
    assert [size(n) for n in (1, 999, 1234, 2_345_678)] == ["1 byte", "999 bytes", "1 kB", "2.3 MB"]


def test_of_a_thousand_labels_the_first_are_told() -> None:
    assert counted_names(["ADJ", "ADV"]) == "2: ADJ ADV"
    told = counted_names([f"Label={i}" for i in range(1000)])
    assert told.startswith("1,000: Label=0 Label=1 ") and len(told) < 900
    shown = told.split(" … ")[0].split()[1:]
    assert shown[-1] == f"Label={len(shown) - 1}"
    assert told.endswith(f" … and {1000 - len(shown)} more, which --json tells")


def test_of_many_templates_the_first_are_told() -> None:
    presets = {"few": ["w[0]", "w[0] t[-1]"], "many": [f"w[0] w[{i}]" for i in range(500)]}
    assert named_templates(presets["few"], presets).replace(TOGETHER, " ") == "few: w[0] | w[0] t[-1]"
    told = named_templates(presets["many"], presets)
    shown = told.removeprefix("many: ").split(" … ")[0].split(" | ")
    assert len(told) < 900 and told.endswith(f" … and {500 - len(shown)} more, which --json tells")
    assert shown == [each.replace(" ", TOGETHER) for each in presets["many"][: len(shown)]]
