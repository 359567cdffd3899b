# SPDX-License-Identifier: AGPL-3.0-or-later
"""What needs the archivist, in a sentence: the same in the window and on the terminal."""

from carrel.model.standing import LostRecord, Need
from carrel.translation import forms, plural, tr

_SENTENCES = {
    Need.DAMAGED: forms(
        "{count} dataset has damaged or missing records",
        "{count} datasets have damaged or missing records",
    ),
    Need.TWINNED: forms(
        "{count} dataset has damaged or missing records, but lost no bytes",
        "{count} datasets have damaged or missing records, but lost no bytes",
    ),
    Need.DAMAGED_CAPTURES: forms(
        "{count} capture that belongs to no dataset is damaged or missing",
        "{count} captures that belong to no dataset are damaged or missing",
    ),
    Need.DARK_DAMAGED: forms(
        "{count} copy in the dark archive is damaged or missing",
        "{count} copies in the dark archive are damaged or missing",
    ),
    Need.LOST_RECORD: forms(
        "{count} dataset is not in Holdings: the record of its files is damaged or missing",
        "{count} datasets are not in Holdings: the record of their files is damaged or missing",
    ),
    Need.ON_HOLD: forms(
        "{count} job is on hold: the archive could not store its files",
        "{count} jobs are on hold: the archive could not store their files",
    ),
    Need.ASKING: forms("{count} job awaits your answer", "{count} jobs await your answer"),
    Need.REQUESTS: forms(
        "This archive requests {count} setting that you have not decided on",
        "This archive requests {count} settings that you have not decided on",
    ),
    Need.COPY: forms(
        "{count} second copy is incomplete or not up to date",
        "{count} second copies are incomplete or not up to date",
    ),
    Need.DARK_LOST: forms(
        "The last harvest of the dark archive missed {count} template or full text, or confirmed "
        "that it is lost",
        "The last harvest of the dark archive missed {count} templates and full texts, or "
        "confirmed that they are lost",
    ),
    Need.GONE: forms(
        "{count} watched dataset is gone from its platform",
        "{count} watched datasets are gone from their platforms",
    ),
    Need.RESTRICTED: forms(
        "{count} watched dataset can no longer be had whole without a login or permission",
        "{count} watched datasets can no longer be had whole without a login or permission",
    ),
    Need.NO_DATASET: forms(
        "{count} watched address shows no dataset",
        "{count} watched addresses show no dataset",
    ),
    Need.CHANGED: forms(
        "{count} watched dataset has changed, or has another version",
        "{count} watched datasets have changed, or have other versions",
    ),
    Need.FAILED: forms(
        "{count} job failed, and its dataset was not archived since",
        "{count} jobs failed, and their datasets were not archived since",
    ),
    Need.INCOMPLETE: forms(
        "{count} dataset is incomplete: it lacks some of its files",
        "{count} datasets are incomplete: they lack some of their files",
    ),
}


def sentence_on(need: Need, count: int, number: str) -> str:
    """Return what a need is and how many there are; `number` is the count as it is written."""
    if need is Need.ROOM:
        return tr("Little space is left on the archive's disk")
    if need is Need.JOURNAL:
        return tr("The archive's journal is damaged, or cannot be read")
    return plural(*_SENTENCES[need], count, count=number)


def lost_record_words(lost: LostRecord) -> str:
    """Return what is known of a dataset whose record was lost."""
    name = f"{lost.title} ({lost.address})" if lost.title else lost.address
    return tr("{name}, in {warc}", name=name, warc=lost.warc) if lost.warc else name


def journal_words() -> str:
    """Return what a damaged journal means, and that nothing is lost yet."""
    return tr(
        "Nothing is lost: the ledger still has everything. If the ledger were lost as well, tags, "
        "notes, the queue, watched datasets and verifications could not be rebuilt."
    )


def journal_begun_words(kept_as: str | None) -> str:
    """Return that a new journal begins, and what the old one, if there was one, is called now."""
    begun = tr("A new journal begins with everything in the ledger.")
    return f"{begun} {tr('The old one is now {name}.', name=kept_as)}" if kept_as else begun
