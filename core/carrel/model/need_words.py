# SPDX-License-Identifier: AGPL-3.0-or-later
"""What needs the archivist, in a sentence: the same in the window and on the terminal."""

from carrel.model.standing import Need
from carrel.translation import forms, plural, tr

_SENTENCES = {
    Need.DAMAGED: forms(
        "{count} dataset has damaged or missing records",
        "{count} datasets have damaged or missing records",
    ),
    Need.DARK_DAMAGED: forms(
        "{count} copy in the dark archive is damaged or missing",
        "{count} copies in the dark archive are damaged or missing",
    ),
    Need.ON_HOLD: forms(
        "{count} job is on hold: the archive cannot store its files now",
        "{count} jobs are on hold: the archive cannot store their files now",
    ),
    Need.ASKING: forms("{count} job awaits your answer", "{count} jobs await your answer"),
    Need.REQUESTS: forms(
        "This archive requests {count} setting that you have not decided on",
        "This archive requests {count} settings that you have not decided on",
    ),
    Need.COPY: forms(
        "{count} second copy is not up to date",
        "{count} second copies are not up to date",
    ),
    Need.GONE: forms(
        "{count} watched dataset is gone from its platform",
        "{count} watched datasets are gone from their platforms",
    ),
    Need.RESTRICTED: forms(
        "{count} watched dataset can no longer be had whole without a login or permission",
        "{count} watched datasets can no longer be had whole without a login or permission",
    ),
    Need.CHANGED: forms(
        "{count} watched dataset is not as you archived it",
        "{count} watched datasets are not as you archived them",
    ),
    Need.FAILED: forms(
        "{count} job failed",
        "{count} jobs failed",
    ),
    Need.INCOMPLETE: forms(
        "{count} dataset is incomplete: some of its files are not archived",
        "{count} datasets are incomplete: some of their files are not archived",
    ),
}


def sentence_on(need: Need, count: int, number: str) -> str:
    """Return what a need is and how many there are; `number` is the count as it is written."""
    if need is Need.ROOM:
        return tr("Little space is left on the archive's disk")
    return plural(*_SENTENCES[need], count, count=number)
