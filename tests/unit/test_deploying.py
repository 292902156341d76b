"""What is in deploy/ names commands, options and addresses that exist."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

from structron.cli.commands.serve import serve
from structron.serve.guard import OPEN

DEPLOY = Path(__file__).parents[2] / "deploy"
OPTIONS = {option for param in serve.params for option in param.opts}


def test_the_container_runs_as_nobody_and_its_command_exists() -> None:
    text = (DEPLOY / "Containerfile").read_text(encoding="utf-8")
    lines = re.findall(r"^(USER|ENTRYPOINT|CMD) (.*)$", text, re.MULTILINE)
    told = dict(lines)
    assert told["USER"] == "65534:65534" and lines.index(("USER", told["USER"])) == 0
    words = shlex.split(told["ENTRYPOINT"].strip("[]").replace(",", " "))
    assert words[:2] == ["structron", "serve"]
    assert {word for word in words if word.startswith("--")} <= OPTIONS
    (path,) = set(re.findall(r"http://127\.0\.0\.1:8000(/\w+)", text))
    assert path in OPEN  # asked without a token


def test_the_unit_of_systemd_starts_and_reloads_what_exists() -> None:
    text = (DEPLOY / "structron.service").read_text(encoding="utf-8")
    told = dict(re.findall(r"^(\w+)=(.*)$", text, re.MULTILINE))
    program, command, *words = shlex.split(told["ExecStart"])
    assert program.endswith("/structron") and command == "serve"
    assert {word for word in words if word.startswith("--")} <= OPTIONS
    assert "-HUP" in told["ExecReload"] and told["DynamicUser"] == "yes"
