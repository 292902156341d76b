"""What is dear is done once: k-best decodes once, a picture of one sentence tags once; and the bar fits."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from structron import Parser
from structron.cli.task_cli import Reading
from structron.cli.terminal.request import Show
from structron.model import Model
from structron.registry import cli_of

TREE = "1\tdogs\t_\tNOUN\t_\t_\t2\tnsubj\t_\t_\n2\tbark\t_\tVERB\t_\t_\t0\troot\t_\t_\n\n"


@pytest.fixture
def calls(monkeypatch: pytest.MonkeyPatch) -> Counter[str]:
    """How often models of each kind were asked."""
    found: Counter[str] = Counter()
    for name in ("predict", "kbest", "trace"):
        own = getattr(Model, name)

        def asked(self: Model, *args: Any, own: Any = own, name: str = name, **further: Any) -> Any:
            found[f"{self.task.kind} {name}"] += 1
            return own(self, *args, **further)

        monkeypatch.setattr(Model, name, asked)
    return found


def test_a_parser_with_a_tagger_works_once(calls: Counter[str], tmp_path: Path) -> None:
    from structron.io import read

    (tmp_path / "t.conllu").write_text(TREE * 4)
    sentences = list(read(tmp_path / "t.conllu"))
    parser = Parser(tagger="jackknife:2", epochs=1, templates=["s0.w", "s0.t q0.t"]).fit(sentences)
    cli = cli_of("parsing")
    calls.clear()
    assert list(cli.predicted(parser, sentences, 2))
    assert calls == {"tagging predict": 1, "parsing kbest": 1}
    calls.clear()
    assert list(cli.show(parser, Show("dogs bark", None, None, 1, Reading(), True, 8)))
    assert calls == {"tagging predict": 1, "parsing predict": 1, "parsing trace": 1}
