# SPDX-License-Identifier: AGPL-3.0-or-later
"""Exports of holdings: which ones are meant, and writing them one after the other."""

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import replace
from datetime import UTC, date, datetime
from pathlib import Path

from carrel.access.advice import advice_on, advice_on_accompanying
from carrel.access.copies import Copies
from carrel.archive import Archive
from carrel.credentials import Credentials
from carrel.engine.earlier_exports import reading_again
from carrel.engine.evidence.attesting import attesting_by
from carrel.engine.holdings import Holdings
from carrel.engine.verification.noting import (
    note_accompanying_damage,
    note_damage_in,
    note_damage_of,
)
from carrel.engine.work import Work
from carrel.errors import UsageError
from carrel.exports.bags.bag import Issuer
from carrel.exports.evidence.keys import Signer
from carrel.exports.exporting import Exporting
from carrel.exports.folder import begun_in as begun_in
from carrel.exports.holding import Holding, holding_of
from carrel.exports.options import checked
from carrel.exports.wacz.signing import Sign, by_key, by_server
from carrel.model import Capture
from carrel.model.events import Emit, ExportStarted, HoldingExported, ignore
from carrel.model.exports import Exported, ExportForm, ExportOptions, ExportReport
from carrel.model.holdings import Facet, HoldingsQuery, Order
from carrel.model.unwritten import why_unwritten
from carrel.translation import tr

_LOCK = ".carrel-export.lock"
_SLICE = 500


async def export(
    archive: Archive,
    ingest_ids: Sequence[str],
    folder: Path,
    options: ExportOptions,
    emit: Emit = ignore,
    *,
    day: date | None = None,
) -> ExportReport:
    """Write what attempts keep into a folder, made if need be; each is there whole or not at all.

    The same attempts on the same day (UTC, unless one is given) are the same bytes. What is there
    is read again and left as it is. One that has no room is refused, and those after it are tried.
    Raises UsageError for what cannot be asked for, and a folder that cannot be made or written to,
    ArchiveError and OSError.
    """
    profile = checked(options)
    refuse_inside(archive, folder)
    work = Work("", emit)
    settings = archive.settings
    issuer = Issuer(
        day or datetime.now(UTC).date(), settings.warc.operator, settings.network.contact
    )

    def exported() -> ExportReport:
        credentials, copies = Credentials(), Copies()
        attesting, is_lasting = attesting_by(options.signing, credentials, settings)
        signer = attesting.signer
        one = Exporting(
            *(archive, folder, options, issuer, copies, work.attend),
            profile=profile,
            headers_for=credentials.headers_for,
            sign=_sign(options, signer, credentials),
            attesting=attesting,
            read_again=reading_again(work.attend),
        )
        try:
            with alone_in(folder):
                exports = (_together if options.one else _each)(one, ingest_ids, work)
                key = signer.fingerprint if signer else ""
                return ExportReport(folder, list(exports), options.form, key, is_lasting)
        finally:
            copies.close()

    return await work.done(exported)


def _sign(options: ExportOptions, signer: Signer | None, credentials: Credentials) -> Sign | None:
    """Return what signs a WACZ, None where nothing is to. Raises UsageError."""
    if options.form is not ExportForm.WACZ:
        return None
    if signer:
        return by_key(signer)
    return by_server(options.signing_url, credentials) if options.signing_url else None


def holdings_that(
    holdings: Holdings, *, text: str = "", tags: Sequence[str] = (), since: str = ""
) -> Iterator[str]:
    """Yield the attempts that keep what is held of the datasets that all this is true of.

    `text` finds as in the holdings, any of the `tags` is enough, and `since` is a day or moment
    (ISO 8601) since when the last of it is here. Oldest first.
    """
    chosen = {Facet.TAG: frozenset(tags)} if tags else {}
    query = HoldingsQuery(text, chosen, Order.ARCHIVED, is_descending=False)
    found = holdings.find(query)
    for start in range(0, len(found), _SLICE):
        for row in holdings.rows(found[start : start + _SLICE]):
            if (row.added or row.archived) >= since:
                yield row.ingest_id


def _each(one: Exporting, ingest_ids: Sequence[str], work: Work) -> Iterator[Exported]:
    for number, ingest_id in enumerate(ingest_ids, 1):
        try:
            holding = holding_of(one.archive, ingest_id)
            work.begin(ingest_id, one.bytes_to_read(holding))
            work.tell(ExportStarted(ingest_id, holding.outlook, number, len(ingest_ids)))
            exported = _noted(one, holding, one.export(holding))
        except UsageError as error:
            exported = _nothing_of(one, ingest_id, error)
        work.tell(HoldingExported(ingest_id, exported))
        yield exported


def _nothing_of(one: Exporting, ingest_id: str, error: UsageError) -> Exported:
    """Return that there is nothing to export of an attempt, by the address that was requested."""
    ledger = one.archive.ledger
    title = ledger.request_of(ingest_id).base_url if ledger.knows(ingest_id) else ingest_id
    return Exported(ingest_id, title, refusal=str(error))


def _together(one: Exporting, ingest_ids: Sequence[str], work: Work) -> Iterator[Exported]:
    """Export attempts into one; what this archive has nothing of is refused by itself."""
    holdings: list[Holding] = []
    for number, ingest_id in enumerate(ingest_ids, 1):
        try:
            holdings.append(holding_of(one.archive, ingest_id))
        except UsageError as error:
            exported = _nothing_of(one, ingest_id, error)
            work.tell(HoldingExported(ingest_id, exported))
            yield exported
            continue
        work.tell(ExportStarted(ingest_id, holdings[-1].outlook, number, len(ingest_ids)))
    if not holdings:
        return
    work.begin(holdings[0].ingest_id, one.bytes_together(holdings))
    for holding, refused in zip(holdings, one.export_together(holdings), strict=True):
        exported = _noted(one, holding, refused)
        work.tell(HoldingExported(exported.ingest_id, exported))
        yield exported


def _noted(one: Exporting, holding: Holding, exported: Exported) -> Exported:
    """Have the ledger say what an export came upon; of several that are refused together, tell
    which are damaged."""
    if not exported.has_damage:
        return exported
    named = {each.file for each in exported.lacking if each.is_damaged}
    if not named:
        captures = one.archive.ledger.captures.of_files(holding.ingest_id)
        bad = note_damage_of(one.archive, captures, one.attend)
        accompanying = note_accompanying_damage(one.archive, holding.ingest_id, one.attend)
        if accompanying:
            warc = Path(accompanying[0].path).name
        else:
            warc = "" if bad else _damaged_elsewhere(one, captures)
        advice = advice_on_accompanying(one.archive, warc) if warc else ""
        if bad:
            advice = advice_on(one.archive, bad[0].own_id, one.attend).words
        why = f"{exported.refusal.rstrip('.')}. {advice}".strip()
        return replace(exported, is_damaged=bool(bad or warc), refusal=why)
    files = (each.held for each in holding.files if each.name in named)
    found = {capture.record_id: capture for held in files for capture in held.captures}
    note_damage_of(one.archive, list(found.values()), one.attend)
    return exported


def _damaged_elsewhere(one: Exporting, captures: Sequence[Capture]) -> str:
    """Return a WARC of other ingests that some captures rest on and that has damaged records, which
    are noted; "" for none."""
    holders = filter(None, map(one.archive.holder_of, captures))
    for name in sorted({each.filename for each in holders}):
        if note_damage_in(one.archive, one.archive.warcs / name, one.attend):
            return name
    return ""


def refuse_inside(archive: Archive, folder: Path) -> None:
    """Raise UsageError for a folder of the archive: what others write there is not its own."""
    if folder.resolve().is_relative_to(archive.path.resolve()):
        raise UsageError(
            tr("{folder} is in the archive; choose a folder outside of it.", folder=folder)
        )
    # `Path` raises PermissionError where a folder above may not be entered; that is said later on.
    if os.path.lexists(folder) and not os.path.isdir(folder):
        raise UsageError(tr("{folder} is not a folder.", folder=folder))


@contextmanager
def alone_in(folder: Path) -> Iterator[None]:
    """Keep other exports out of a folder, made if need be: they would take up each other's
    unfinished ones. Raises UsageError where one is at work, or nothing can be written.
    """
    from filelock import FileLock, Timeout  # only who exports needs it

    lock = FileLock(folder / _LOCK, timeout=0)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        lock.acquire()
    except Timeout as error:
        raise UsageError(
            tr("Another export is writing to {folder}. Wait until it has ended.", folder=folder)
        ) from error
    except OSError as error:
        raise UsageError(why_unwritten(folder, error)) from error
    try:
        yield
    finally:
        lock.release()
        with suppress(OSError):  # Windows, while another looks at it
            Path(lock.lock_file).unlink()
