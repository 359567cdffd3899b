# SPDX-License-Identifier: AGPL-3.0-or-later
"""What a certificate says of a single file."""

from collections.abc import Iterator, Sequence

from carrel.exports.certificate.document import FileRow, Level, Value
from carrel.exports.certificate.facts import CertifiedFile
from carrel.exports.certificate.moments import moment, moment_of_capture
from carrel.exports.certificate.terms import Terms
from carrel.ledger.inventory import RecordPlace
from carrel.model import Fate, Fixity, Status
from carrel.model.counts import counted
from carrel.model.digest import algorithm_name
from carrel.model.format_words import format_in_words
from carrel.model.imported import is_imported_record
from carrel.model.proof import Grade
from carrel.strategies.content_coded import STORED
from carrel.translation import tr


def file_heads(terms: Terms) -> Sequence[str]:
    """Return what the cells of a file are headed with."""
    return tr("File"), terms.head, tr("Arrived"), tr("Proof"), tr("Where and since when")


def file_row(terms: Terms, imported: str | None, number: int, file: CertifiedFile) -> FileRow:
    """Return what is said of a file, which is the so-manieth one. Where the holding was `imported`
    from an archive (14 digits, UTC), what is older is since then in that one."""
    entry = file.file
    came = moment_of_capture(imported) if imported else ""
    came = came if file.since and moment(file.since) < came else ""
    cells = (
        [Value(entry.path, is_code=True)],
        _fixity(entry.declared, tr("nothing")),
        [*_arrived(file), *_format(file)],
        list(_proof(file, terms, came)),
        list(_where(file, came)),
    )
    return FileRow(number, _level(file), cells)


def _format(file: CertifiedFile) -> Iterator[Value]:
    if file.format is not None:
        yield Value(format_in_words(file.format), label=tr("format"))


def _arrived(file: CertifiedFile) -> Sequence[Value]:
    """Return what arrived: its strongest digest, and those that differ from the published ones.

    What was computed besides is in the facts.
    """
    if not file.file.is_kept:
        if file.beside:
            by = Value(file.beside, is_code=True, label=tr("ingest"))
            return [
                Value(tr("not archived by this ingest, but by another one of this version")),
                by,
            ]
        return [Value(tr("not archived"))]
    observed = file.file.observed
    if observed is None:
        return [Value(tr("not noted"))]
    known = observed.digests
    if "sha256" in known:
        known = {name: known[name] for name in known if name == "sha256" or name in file.differing}
    return _fixity(Fixity(observed.size, known), tr("not noted"))


def _fixity(fixity: Fixity, if_none: str) -> Sequence[Value]:
    size = [] if fixity.size is None else [Value(counted(fixity.size, "byte"))]
    digests = [
        Value(digest, is_code=True, label=algorithm_name(name))
        for name, digest in sorted(fixity.digests.items())
    ]
    return [*size, *digests] or [Value(if_none)]


def _proof(file: CertifiedFile, terms: Terms, came: str) -> Iterator[Value]:
    entry = file.file
    if not entry.is_kept:
        status = entry.status or Status.NOT_PROCESSED
        yield Value(str(status), is_code=True)
        yield Value(entry.message or status.meaning.advice)
        return
    if file.differing:
        names = ", ".join(
            tr("the size") if each == "size" else algorithm_name(each) for each in file.differing
        )
        yield Value(terms.file_differs.format(names=names))
    if file.matched:
        names = ", ".join(algorithm_name(each) for each in file.matched)
        yield Value(terms.file_matches.format(names=names))
    elif file.grade is Grade.SIZE and not file.differing:
        yield Value(terms.file_size_matches)
    elif file.grade is Grade.NOTHING:
        yield Value(f"{terms.nothing}.")
    yield from _last_read(file, came)


def _last_read(file: CertifiedFile, came: str) -> Iterator[Value]:
    place = file.place
    if place is None:
        return
    if place.fate in (Fate.DAMAGED, Fate.MISSING):
        found = tr("damaged") if place.fate is Fate.DAMAGED else tr("missing")
        yield Value(tr("Found {found} when last read.", found=found))
    elif place.checked:
        yield Value(tr("Last verified again {moment}: intact.", moment=moment(place.checked)))
    elif came:
        yield Value(tr("Not verified again since it was imported."))
    else:
        yield Value(tr("Not verified again since it was archived."))


def _where(file: CertifiedFile, came: str) -> Iterator[Value]:
    entry, place = file.file, file.place
    if not entry.is_kept:
        if entry.platform_url:
            yield Value(entry.platform_url, is_code=True)
        return
    yield from _when(file, came)
    if place:
        yield Value(place.filename, is_code=True)
        yield Value(
            tr("byte {offset:,}, length {length:,}", offset=place.offset, length=place.length)
        )
        yield from _stored(file, place)
        yield from _other_record(file, place)
    elif entry.terminal_url:
        yield Value(entry.terminal_url, is_code=True)
    if file.member:
        yield Value(file.member, is_code=True, label=tr("in the bundle as"))


def _stored(file: CertifiedFile, place: RecordPlace) -> Iterator[Value]:
    """Yield size and digest of what the record has, where a server sent the file in a coding."""
    if STORED in file.file.extra and file.member is None:
        yield Value(counted(place.size, "byte"), label=tr("stored as sent"))
        yield Value(place.sha256, is_code=True, label=algorithm_name("sha256"))


def _other_record(file: CertifiedFile, place: RecordPlace) -> Iterator[Value]:
    """Yield what record has the bytes, where that says another time or address than the file's; one
    that an import wrote is no other capture."""
    is_capture = not is_imported_record(place.url or "")
    if file.is_in_other_record and is_capture and place.timestamp:
        words = tr(
            "The bytes are in the record of another capture, which had the same ones: of "
            "{moment}, from",
            moment=moment_of_capture(place.timestamp),
        )
        yield Value(words)
        yield Value(place.url or "", is_code=True)


def _when(file: CertifiedFile, came: str) -> Iterator[Value]:
    """Yield when a file was captured, and since when it is here: that is when its ingest ended, or
    when it `came` from the archive where that was."""
    since = moment(file.since) if file.since else ""
    captured = moment_of_capture(file.file.terminal_dt) if file.file.terminal_dt else ""
    if captured and captured <= since:
        is_imported = is_imported_record(file.file.terminal_url or "")
        words = tr("Stored {moment}") if is_imported else tr("Captured {moment}")
        yield Value(words.format(moment=captured))
    if came:
        words = tr("Archived {moment}, in the archive that it was imported from", moment=since)
        yield Value(words)
        yield Value(tr("Imported {moment}", moment=came))
    elif since:
        yield Value(tr("Since {moment}", moment=since))
    if captured > since:  # the record may be older, where the same bytes came again
        yield Value(tr("last captured {moment}", moment=captured))


def _level(file: CertifiedFile) -> Level:
    if not file.file.is_kept or file.differing or file.fate in (Fate.DAMAGED, Fate.MISSING):
        return Level.BAD
    return Level.GOOD if file.grade is Grade.DIGEST else Level.UNPROVEN
