"""Repeat the papers' experiments: `python experiments/run.py [NAME ...]`, or `make experiments`.

A name is a paper (`huang2012`) or one of its experiments (`huang2012:penn`). What the record holds already is
not measured again; tables and pictures are made anew from the record every time.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor, as_completed
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType
from typing import Any

import collins2002.plan
import collins2002.results
import dror2016.parsing.plan
import dror2016.parsing.results
import dror2016.plan
import dror2016.results
import g2p.plan
import g2p.results
import geoquery.plan
import geoquery.results
import huang2012.parsing.plan
import huang2012.parsing.results
import huang2012.plan
import huang2012.results
import huang2012.teaching.plan
import huang2012.teaching.results
import huang_sagae2010.plan
import huang_sagae2010.results
import imitation.plan
import imitation.results
import learners.plan
import learners.results
import margins.plan
import margins.results
import neural.plan
import neural.results
import partial.plan
import partial.results
import sun2009.plan
import sun2009.results
import yu2013.plan
import yu2013.results
import yu2013_transduction.plan
import yu2013_transduction.results
import zhang2013.plan
import zhang2013.results
import zhao2014.plan
import zhao2014.results
import zhao_huang2013.plan
import zhao_huang2013.results
from corpora import DataMissing
from record import Planned, Record, Run

HERE = Path(__file__).resolve().parent
PAPERS: dict[str, tuple[ModuleType, ModuleType]] = {
    "huang2012": (huang2012.plan, huang2012.results),
    "huang2012/parsing": (huang2012.parsing.plan, huang2012.parsing.results),
    "huang2012/teaching": (huang2012.teaching.plan, huang2012.teaching.results),
    "huang_sagae2010": (huang_sagae2010.plan, huang_sagae2010.results),
    "collins2002": (collins2002.plan, collins2002.results),
    "dror2016": (dror2016.plan, dror2016.results),
    "dror2016/parsing": (dror2016.parsing.plan, dror2016.parsing.results),
    "zhang2013": (zhang2013.plan, zhang2013.results),
    "zhao2014": (zhao2014.plan, zhao2014.results),
    "learners": (learners.plan, learners.results),
    "zhao_huang2013": (zhao_huang2013.plan, zhao_huang2013.results),
    "g2p": (g2p.plan, g2p.results),
    "yu2013_transduction": (yu2013_transduction.plan, yu2013_transduction.results),
    "yu2013": (yu2013.plan, yu2013.results),
    "sun2009": (sun2009.plan, sun2009.results),
    "geoquery": (geoquery.plan, geoquery.results),
    "imitation": (imitation.plan, imitation.results),
    "neural": (neural.plan, neural.results),
    "margins": (margins.plan, margins.results),
    "partial": (partial.plan, partial.results),
}


def experiments(quick: bool) -> dict[str, list[Planned]]:
    """Return all experiments by name, each a list of runs."""
    return {
        f"{paper}:{name}": runs
        for paper, (plan, _) in PAPERS.items()
        for name, runs in plan.runs(quick).items()
    }


def measured(runs: list[Planned], jobs: int) -> Iterator[tuple[Planned, dict[str, Any]]]:
    """Measure, in processes of their own; results come as they are ready."""
    if jobs == 1:
        yield from ((run, run.measure()) for run in runs)
        return
    with ProcessPoolExecutor(jobs) as pool:
        due = {pool.submit(run.measure): run for run in runs}
        for done in as_completed(due):
            yield due[done], done.result()


def borrow(record: Record, runs: list[Planned], records: Iterable[Record]) -> None:
    """Take from the records of the other papers what they share with this one."""
    for run in runs:
        for other in records:
            if other is not record and run in other.entries and run not in record.entries:
                record.add(other.entries[run])


def say(text: str) -> None:
    print(f"[{time.strftime('%H:%M:%S')}] {text}", file=sys.stderr, flush=True)


def arguments(given: list[str] | None = None) -> argparse.Namespace:
    names = list(experiments(quick=False))
    parser = argparse.ArgumentParser(description="Repeat the papers' experiments.")
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"default: all of {', '.join(names)}")
    parser.add_argument(
        "--quick", action="store_true", help="little data, few epochs: shows that things work, no more"
    )
    parser.add_argument("--jobs", type=int, default=2, help="how many processes (default 2)")
    parser.add_argument("--again", action="store_true", help="measure anew what the record holds already")
    parser.add_argument("--report", action="store_true", help="measure nothing, make tables and pictures")
    parser.add_argument(
        "--out", type=Path, help="a folder for records and results (default: the papers' own)"
    )
    args = parser.parse_args(given)
    for name in args.names:
        if name not in PAPERS and name not in names:
            parser.error(f"there is no experiment {name!r}; use {', '.join([*PAPERS, *names])}")
    if args.jobs < 1:
        parser.error("--jobs must be at least 1")
    # A quick run must not mix with the record.
    args.out = args.out or (HERE.parent / "build" / "experiments-quick" if args.quick else HERE)
    return args


def main(given: list[str] | None = None) -> int:
    args = arguments(given)
    chosen = {
        name: runs
        for name, runs in experiments(args.quick).items()
        if not args.names or name in args.names or name.split(":")[0] in args.names
    }
    for paper, (plan, _) in PAPERS.items():
        needs = getattr(plan, "NEEDS", "")
        if needs and not args.names and not args.report and find_spec(needs) is None:
            chosen = {name: runs for name, runs in chosen.items() if name.split(":")[0] != paper}
            say(f"{paper}: left out, since it needs {needs}")
    records = {
        paper: Record(args.out / paper / "results.jsonl", getattr(plan, "KIND", Run))
        for paper, (plan, _) in PAPERS.items()
    }
    try:
        if not args.report:
            for runs in chosen.values():
                for run in runs:
                    run.checksum()  # a missing file is told before anything runs
        for name, runs in chosen.items():
            record = records[name.split(":")[0]]
            if not args.again:
                borrow(record, runs, records.values())
            due = [] if args.report else [run for run in runs if args.again or not record.has(run)]
            if due:
                say(f"{name}: {len(due)} of {len(runs)} runs to make")
            for number, (run, entry) in enumerate(measured(due, args.jobs), 1):
                record.add(entry)
                say(f"{name} {number}/{len(due)}: {run.line(entry)}")
    except DataMissing as message:
        print(message, file=sys.stderr)
        return 2
    for paper in dict.fromkeys(name.split(":")[0] for name in chosen):
        record, (plan, results) = records[paper], PAPERS[paper]
        if record.entries:
            record.compact()
            wanted = [run for runs in plan.runs(args.quick).values() for run in runs]
            results.write(record.of(wanted), args.out / paper)
            say(f"{paper}: tables and pictures in {args.out / paper}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
