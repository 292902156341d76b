"""What `info` says of templates."""

from __future__ import annotations

from structron.cli.commands.info import named_templates

PRESETS = {"dense": [], "rules": ["rule"], "more": ["rule", "size"]}


def test_templates_have_the_name_of_the_smallest_set_that_has_them() -> None:
    assert named_templates(["size"], PRESETS) == "more: size"
    assert named_templates(["link"], PRESETS) == "your own: link"


def test_a_set_without_templates_is_a_name_alone() -> None:
    assert named_templates([], PRESETS) == "dense"
