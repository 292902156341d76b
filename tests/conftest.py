"""`make test` tries every property on the same examples each time, `make fuzz` on new ones."""

from __future__ import annotations

import os
import shutil
import signal
import sys
import tempfile
from importlib.util import find_spec

import pytest
from hypothesis import HealthCheck, is_hypothesis_test, settings

# No test looks at the clock, and no property either: machines are busy, sanitizers slow.
patient = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("same", patient, derandomize=True)
settings.register_profile("fuzz", patient, print_blob=True)
settings.load_profile("fuzz" if os.environ.get("STRUCTRON_FUZZ") else "same")

_OWN = "_hypothesis_internal_use_settings"  # where hypothesis keeps what @settings says


def keep_from_children() -> None:
    """Ignore what we were told to ignore (nohup, a shell's ``&``) by a handler, which no child inherits.

    A child gets the default of a signal that its parent handles, but ignores what its parent ignores; then a
    test that sends it SIGHUP or SIGINT would wait for ever.
    """
    for number in (signal.SIGHUP, signal.SIGINT, signal.SIGQUIT, signal.SIGTERM):
        if signal.getsignal(number) is signal.SIG_IGN:
            signal.signal(number, lambda *_: None)


def compile_once(config: pytest.Config) -> None:
    """Keep what is compiled in a folder of this run, where the environment says to write none in the tree.

    The whole suite starts hundreds of processes, and each would compile all that it imports.
    """
    if sys.dont_write_bytecode:
        folder = tempfile.mkdtemp(prefix="structron-compiled-")
        config.add_cleanup(lambda: shutil.rmtree(folder, ignore_errors=True))
        sys.dont_write_bytecode, sys.pycache_prefix = False, folder
        os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
        os.environ["PYTHONPYCACHEPREFIX"] = folder


def pytest_configure(config: pytest.Config) -> None:
    """Do it where tests run. The master of pytest-xdist goes on ignoring, so that its workers do too."""
    is_master = config.getoption("numprocesses", None) and not hasattr(config, "workerinput")
    if is_master:
        compile_once(config)
    else:
        keep_from_children()


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Say which libraries were not there to be tested with."""
    large = [name for name in ("spacy", "datasets") if find_spec(name) is None]
    if large:
        terminalreporter.write_line(
            f"not installed, so not tested with: {', '.join(large)}; make test-adapters installs them"
        )


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """With STRUCTRON_EXAMPLES=5 no property is tried on more than five examples, for a quick look.

    With STRUCTRON_FUZZ only properties are tried: new examples change nothing in the other tests, which
    `make test` has run.
    """
    if os.environ.get("STRUCTRON_FUZZ"):
        fixed = [item for item in items if not _is_property(item)]
        config.hook.pytest_deselected(items=fixed)
        items[:] = [item for item in items if _is_property(item)]
    most = int(os.environ.get("STRUCTRON_EXAMPLES", 0))
    for item in items if most else []:
        test = getattr(item, "obj", None)
        if own := getattr(test, _OWN, None):
            setattr(test, _OWN, settings(own, max_examples=min(most, own.max_examples)))


def _is_property(item: pytest.Item) -> bool:
    return is_hypothesis_test(getattr(item, "obj", None))
