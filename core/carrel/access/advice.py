# SPDX-License-Identifier: AGPL-3.0-or-later
"""Where the bytes of a record that is not intact are else, or how they can be had again."""

import shlex
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, replace

from carrel.access.other_names import under_other_names
from carrel.archive import Archive
from carrel.capture.digests import ALWAYS
from carrel.capture.stored import Damaged, difference, payload_fixity
from carrel.errors import SettingsError
from carrel.model import Capture
from carrel.model.copies import to_repair_from
from carrel.model.imported import is_imported_record
from carrel.model.outcome_words import (
    FILES_BESIDE,
    FILES_ELSEWHERE,
    IS_ACCOMPANYING,
    IS_EARLIER,
    IS_IMPORTED,
    OTHER_FORMS,
)
from carrel.model.packed import PACKED
from carrel.settings.copies import copies_of
from carrel.translation import tr


@dataclass(frozen=True, slots=True)
class Advice:
    """A sentence, "" if there is none, and whether the bytes are held whole in another
    record, or in a WARC that was renamed: `renamed_to` is what that is called now."""

    words: str = ""
    is_held_elsewhere: bool = False
    renamed_to: str = ""


def advice_on(archive: Archive, record_id: str, attend: Callable[[int], None]) -> Advice:
    """Return what there is to say on an own record that is not intact, if the ledger knows it.

    Another record with the same SHA-256, or a WARC with another name, is read before it is named.
    `attend` may end that: it is told of no bytes, as they are none of those that the run was to
    read.
    """
    lost = archive.ledger.captures.get(record_id)
    if lost is None:
        return Advice()
    for other in archive.ledger.captures.twins_of(lost):
        if _is_whole(archive, other, attend):
            place = tr("{filename}, byte {offset}", filename=other.filename, offset=other.offset)
            same = tr(
                "The same bytes are also in {place}, though not the headers of this capture.",
                place=place,
            )
            in_copy = _in_second_copy(archive, lost.filename)
            return Advice(f"{same} {in_copy}".rstrip(), is_held_elsewhere=True)
    if renamed := _in_renamed(archive, lost, attend):
        return renamed
    in_copy = _in_second_copy(archive, lost.filename)
    if archive.ledger.captures.is_replaced(record_id):
        return Advice(f"{FILES_ELSEWHERE} {in_copy}".rstrip())
    if archive.ledger.captures.has_files_elsewhere(record_id):
        parts = FILES_BESIDE, in_copy, _held_by_others(archive, lost)
        return Advice(" ".join(filter(None, parts)))
    again = _fetched_again(archive, lost)
    return Advice(f"{in_copy} {again}" if in_copy else again)


def advice_on_former(
    archive: Archive, record_id: str, warc: str, attend: Callable[[int], None]
) -> Advice:
    """Return what there is to say on a damaged record in a `warc` that was brought back in another
    one, or is where it should be in this one as well, if that is whole, which is read for it."""
    now = archive.ledger.captures.get(record_id)
    if now is None or not _is_whole(archive, now, attend):
        return Advice()
    if now.filename == warc:
        words = tr(
            "The file has this record twice: it is intact at byte {offset}, where it was written. "
            "Nothing is lost.",
            offset=now.offset,
        )
        return Advice(words, is_held_elsewhere=True)
    words = tr(
        "This is the former record, which was damaged; its bytes were brought back, and are intact "
        "in {filename}, byte {offset}. Nothing is lost.",
        filename=now.filename,
        offset=now.offset,
    )
    return Advice(words, is_held_elsewhere=True)


def advice_on_accompanying(archive: Archive, warc: str) -> str:
    """Return what there is to say on a record of a WARC that is not intact, and is no capture."""
    in_copy = _in_second_copy(archive, warc)
    return f"{IS_ACCOMPANYING} {in_copy}" if in_copy else f"{IS_ACCOMPANYING} {OTHER_FORMS}"


def _in_renamed(archive: Archive, lost: Capture, attend: Callable[[int], None]) -> Advice | None:
    """Return that a WARC with another name has the bytes of a record, None if none has them
    whole."""
    holder = archive.holder_of(lost) or lost
    for name in under_other_names(archive, holder):
        if _is_whole(archive, replace(holder, filename=name), attend):
            words = _renamed_words(archive, holder.filename, name)
            return Advice(words, is_held_elsewhere=True, renamed_to=name)
    return None


def _renamed_words(archive: Archive, former: str, name: str) -> str:
    """Say where bytes are; a file that took the former name is not to be overwritten, and a packed
    one has more than that of one WARC."""
    rebuild = shlex.join(["carrel", "rebuild", "--replace", "--archive", str(archive.path)])
    is_packed_since = name.startswith(PACKED) and not former.startswith(PACKED)
    if (archive.warcs / former).exists() or is_packed_since:
        return tr(
            "These bytes are in {name}: “{rebuild}” corrects the ledger.",
            name=name,
            rebuild=rebuild,
        )
    return tr(
        "These bytes are in {name}: rename it to {former}, or run “{rebuild}” to correct the "
        "ledger.",
        name=name,
        former=former,
        rebuild=rebuild,
    )


def _in_second_copy(archive: Archive, warc: str) -> str:
    """Return that a second copy may have a WARC, and what repairs it from there; "" if none is
    known that was ever reached, or each is known to lack it."""
    copy = None
    with suppress(SettingsError):  # what is damaged there is told where copies are made
        copy = to_repair_from(copies_of(archive.path), [warc])
    if copy is None:
        return ""
    repair = shlex.join(
        ["carrel", "repair", "--from", copy.destination, "--archive", str(archive.path)]
    )
    return tr(
        "The second copy of {day} may have these bytes: “{repair}” brings them back.",
        day=copy.as_of[:10],
        repair=repair,
    )


def _fetched_again(archive: Archive, lost: Capture) -> str:
    record_id = lost.record_id
    base_url = archive.ledger.captures.base_url_of(record_id)
    if not base_url:
        return tr("The archive has no other copy of these bytes.")
    if is_imported_record(lost.url):
        return tr("The archive has no other copy of these bytes. {why}", why=IS_IMPORTED)
    if archive.ledger.captures.is_of_earlier(record_id):
        return tr("The archive has no other copy of these bytes. {why}", why=IS_EARLIER)
    return tr(
        "The archive has no other copy of these bytes: “{again}” fetches them again if they are "
        "still published.",
        again=_again(archive, base_url),
    )


def _held_by_others(archive: Archive, lost: Capture) -> str:
    """Return how the dataset comes to be held by other records than a damaged one, whose files are
    intact; "" where that takes an import, or is so."""
    captures = archive.ledger.captures
    base_url = captures.base_url_of(lost.record_id)
    is_settled = is_imported_record(lost.url) or captures.is_of_earlier(lost.record_id)
    if not base_url or is_settled:
        return ""
    return tr(
        "“{again}” archives the dataset again, if it is still published, and then no longer needs "
        "this record.",
        again=_again(archive, base_url),
    )


def _again(archive: Archive, base_url: str) -> str:
    return shlex.join(["carrel", "ingest", base_url, "--archive", str(archive.path)])


def _is_whole(archive: Archive, capture: Capture, attend: Callable[[int], None]) -> bool:
    path = archive.warcs / capture.filename
    try:
        found = payload_fixity(
            path, capture.offset, capture.length, ALWAYS, lambda count: attend(0)
        )
    except (Damaged, OSError):
        return False
    return not difference(capture, found)
