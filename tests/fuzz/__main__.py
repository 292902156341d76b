"""python -m tests.fuzz models|corpora: mutated inputs by the thousand; see docs/reliability.md."""

from __future__ import annotations

import argparse
import tempfile
from pathlib import Path

from tests.fuzz import harness
from tests.fuzz.corpora import Corpora
from tests.fuzz.models import Models

CAMPAIGNS = {"models": Models, "corpora": Corpora}


def main() -> int:
    """Drive a campaign, work for one, or try one input again."""
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("campaign", choices=CAMPAIGNS)
    asked.add_argument("--count", type=int, default=20_000, help="how many inputs more")
    asked.add_argument("--seed", type=int, default=0)
    asked.add_argument("--folder", type=Path, help="where state and findings are kept; by default a new one")
    asked.add_argument("--only", nargs="+", default=[], metavar="NAME", help="of models so called only")
    asked.add_argument("--again", type=int, metavar="NUMBER", help="try this one input again")
    asked.add_argument("--work", type=int, nargs=2, help=argparse.SUPPRESS)
    args = asked.parse_args()
    folder = args.folder or Path(tempfile.mkdtemp(prefix=f"fuzz-{args.campaign}-"))
    folder.mkdir(parents=True, exist_ok=True)
    if args.work is None and args.again is None:
        found = harness.drive(args.campaign, folder, args.seed, args.count, args.only)
        if found:
            print(f"{found:,} findings: {folder / 'findings.jsonl'}")
            only = f" --only {' '.join(map(repr, args.only))}" if args.only else ""
            print(
                f"each has a number; to make it again: python -m tests.fuzz {args.campaign} --again NUMBER "
                f"--seed {args.seed}{only} --folder {folder}"
            )
        return 1 if found else 0
    with tempfile.TemporaryDirectory() as scratch:
        campaign = CAMPAIGNS[args.campaign](Path(scratch), args.only)
        if args.again is not None:
            harness.again(campaign, folder, args.seed, args.again)
        else:
            harness.work(campaign, folder, args.seed, *args.work)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
