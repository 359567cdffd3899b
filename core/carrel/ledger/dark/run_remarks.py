# SPDX-License-Identifier: AGPL-3.0-or-later
"""What a run remarked, read from the ledger's copy of the journal: no table has it."""

import json
from collections.abc import Iterator, Mapping
from typing import Any

from carrel.ledger.dark.mirror import Mirror
from carrel.model.dark import ContainerState
from carrel.model.prose import as_sentence
from carrel.model.remarks import Remark, RunRemarks, remark_on
from carrel.translation import tr

_BEGAN, _ENDED = b'{"entry":"runbegan",', b'{"entry":"runended",'
# Lines of what did not come or could not be read. Nearly all others need no parsing.
_TELLING = (b'{"entry":"looked",', b'{"entry":"containerseen",')


def remarks_of(mirror: Mirror, tist: int) -> RunRemarks:
    """Return what the run with this number remarked.

    One that was killed, or was made by an earlier Carrel, kept no sentences: of that it is what it
    journalled of full texts that did not come and of files that could not be read.
    """
    derived: list[Remark] = []
    for line in _lines_backwards(mirror, tist):
        entry = json.loads(line)
        if entry["entry"] == "runended" and "remarks" in entry:
            remarks = [Remark(**each) for each in entry["remarks"]]
            return RunRemarks(remarks, entry.get("unlisted", 0))
        derived += _derived(entry)
    return RunRemarks(derived[::-1])


def _lines_backwards(mirror: Mirror, tist: int) -> Iterator[bytes]:
    """Yield the lines of a run that may tell of a remark, the last first.

    A run that was killed has no end: what stands before the next one began is its own.
    """
    ours = b'"tist":%d,' % tist
    held: list[bytes] = []
    is_other = False
    for group in mirror.sound_groups(newest_first=True):
        for line in reversed(group.data.splitlines()):
            if line.startswith(_ENDED):
                is_other = not line.startswith(_ENDED + ours)
                held = [] if is_other else [line]
            elif line.startswith(_BEGAN + ours):
                yield from held
                return
            elif line.startswith(_BEGAN):
                is_other, held = False, []
            elif not is_other and line.startswith(_TELLING) and b'"outcome":"ok"' not in line:
                held.append(line)


def _derived(entry: Mapping[str, Any]) -> Iterator[Remark]:
    if entry["entry"] == "looked":
        yield remark_on(entry["ident_n"], entry["outcome"], entry.get("detail"))
    elif entry.get("state") == ContainerState.UNREADABLE:
        path, problem = entry["path"], entry.get("problem") or tr("It cannot be read.")
        yield Remark(as_sentence(f"{path}: {problem}"), path)
