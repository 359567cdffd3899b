# SPDX-License-Identifier: AGPL-3.0-or-later
"""The acceptance of a fleet: three workers, a broker, Postgres and eight repositories, while
machines are killed, stopped and cut off. Every request is answered as one machine would have.

The faults are drawn by the seed and printed, so that a run can be repeated. Exit status 1 if
something does not hold; the folder stays then.

usage: fleet.py [--seed N] [--minutes M] [--broker mock|real]
"""

import argparse
import random
import shutil
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from acceptance.checks import CHECKS, Check
from acceptance.checks_of_archives import CHECKS_OF_ARCHIVES
from acceptance.evidence import Evidence
from acceptance.faults import let_happen
from acceptance.requested import requested
from acceptance.scene import Scene, scene

_DONE_WITHIN_S, _TIDY_WITHIN_S = 600.0, 90.0


def main() -> None:
    """Let it all happen, then look at each of the checks."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--minutes", type=float, default=3.0, help="how long faults happen")
    parser.add_argument("--broker", choices=["mock", "real"], default="real")
    given = parser.parse_args()
    print(
        f"seed {given.seed}, {given.broker} broker, {given.minutes} minutes of faults", flush=True
    )
    folder = Path(tempfile.mkdtemp(prefix="carrel-fleet-"))
    with scene(folder, given.broker) as there:
        failed = _run(there, random.Random(given.seed), 60 * given.minutes)
    if failed:
        sys.exit(f"{failed} checks do not hold; see {folder}")
    shutil.rmtree(folder)


def _run(there: Scene, chance: random.Random, seconds: float) -> int:
    """Return how many checks do not hold."""
    wanted = requested(there.hosts, chance)
    for each in (there.persist, *list(there.workers.values())[:3]):
        each.start()
    let_happen(there, wanted, chance, seconds)
    there.wait_until_done(_DONE_WITHIN_S)
    there.note("all is committed")
    _tidied(there)
    seen = Evidence(there, wanted)
    checks = (_all_are_well_and_stop, *CHECKS, *CHECKS_OF_ARCHIVES)
    return sum(not _holds(check, seen) for check in checks)


def _tidied(there: Scene) -> None:
    """Wait until what was suspended, and is another worker's now, is tidied away."""
    until = time.monotonic() + _TIDY_WITHIN_S
    while there.staged() and time.monotonic() < until:
        there.idle(1)


def _all_are_well_and_stop(seen: Evidence) -> str:
    """All say that they are well, and none asked for anything more; told to, they stop."""
    machines = [*seen.scene.workers.values(), seen.scene.persist]
    for each in machines:
        assert each.is_well(30), f"{each.name}: {each.asked('/healthz')}"
    codes = {each.name: each.end() for each in machines}
    assert not any(codes.values()), f"{codes}"
    return f"{sum(each.starts for each in machines)} starts of {len(machines)} machines"


def _holds(check: Check, seen: Evidence) -> bool:
    began, words = time.monotonic(), (check.__doc__ or "").strip()
    try:
        said = check(seen)
    except AssertionError as error:
        print(f"FAILED {check.__name__}: {words}\n       {str(error)[:3000]}", flush=True)
        return False
    print(f"holds  {check.__name__}: {said} ({time.monotonic() - began:.0f} s)", flush=True)
    return True


if __name__ == "__main__":
    main()
