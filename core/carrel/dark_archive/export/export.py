# SPDX-License-Identifier: AGPL-3.0-or-later
"""One export, from the order to its report."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import count, groupby, islice
from pathlib import Path

from carrel.capture.annotations import file_info
from carrel.capture.records import Record
from carrel.capture.warc_file import RollingWarcFiles
from carrel.capture.warc_series import WarcNaming
from carrel.dark_archive.export.captures import Captures, NotExported, prove
from carrel.dark_archive.export.exchanges import uri
from carrel.dark_archive.export.occasions import released, still_there
from carrel.dark_archive.export.rights import states_rights
from carrel.dark_archive.export.tally import Indexed, Tally
from carrel.dark_archive.export.vault import free_path, index_name
from carrel.dark_archive.place import noted
from carrel.dark_archive.store.disk import trouble
from carrel.dark_archive.store_session import StoreSession
from carrel.errors import UsageError
from carrel.ledger.dark.exports import ExportedHandle, ExportedVersion
from carrel.model.dark_views import ExportOrder, ExportReport, ObiState, RunProgress, TellRun
from carrel.settings import Warc
from carrel.translation import tr
from carrel.whole_file import try_room

# So many copies are journalled at once, before the first of them is made.
_TOGETHER = 50
_WHAT = tr(
    "Full texts out of a dark archive, with the headers of request and response where those were "
    "stored; redirects have status and Location only."
)
_NO_LICENCE = tr(
    "That something was publicly available when it was harvested is no licence to distribute it."
)


# Writes the index of WARCs to a path, and reads each record again for it. Raises OSError.
Index = Callable[[Sequence[Path], Path], Indexed]

_Pair = tuple[ExportedHandle | None, ExportedVersion]


@dataclass(frozen=True, slots=True)
class _Logged:
    """A version that is to be copied, as the journal says by now; or why it cannot be."""

    version: ExportedVersion
    handle: ExportedHandle | None
    refusal: NotExported | None


class Exporting:
    """An export that is about to be made. Blocks: for a worker thread."""

    def __init__(
        self,
        keeping: StoreSession,
        order: ExportOrder,
        warc: Warc,
        index: Index,
        tell: TellRun = lambda told: None,
        is_cancelled: Callable[[], bool] = lambda: False,
    ) -> None:
        self._keeping, self._order, self._warc = keeping, order, warc
        self._index, self._tell, self._is_cancelled = index, tell, is_cancelled
        self._exports = keeping.ledger.exports
        self._has_rights = states_rights(order.reason)
        self._began: datetime = keeping.now()
        self._tally = Tally()
        self._total = 0

    def run(self) -> ExportReport:
        """Make the export and return what came of it.

        Versions that are damaged or were taken down are left out and named, and what is not lost
        unless the reason states the rights. Where it is stopped,
        what is written so far is whole and indexed. Raises UsageError for an order without a
        reason, or a folder that is not empty, and ArchiveError where it cannot be written.
        """
        order = self._order
        _check(order, self._keeping.store.root)
        self._total = self._exports.count(order)
        try:
            if order.vault:
                self._write_vault()
            else:
                self._write_collection()
        except OSError as error:
            raise trouble(
                error, tr("The export to {folder} cannot be written", folder=order.folder)
            ) from error
        return self._tally.report(order.folder)

    def _write_collection(self) -> None:
        folder = self._order.folder
        naming = WarcNaming(
            prefix="dark",
            host=self._warc.host,
            operator=self._warc.operator,
            user_agent="",
            next_serial=count(1).__next__,
            is_taken=lambda name: (folder / "archive" / name).exists(),
        )
        files = RollingWarcFiles(
            lambda: folder / "archive" / naming.name(), self._warcinfo, self._warc.max_size
        )
        captures = Captures(self._keeping.store, files)
        try:
            pairs = ((None, version) for version in self._exports.full_texts(self._order))
            last = ""
            for logged in self._logged(pairs):
                if logged.version.ident_n != last:
                    self._say(last := logged.version.ident_n)
                self._add(captures, logged)
            for handle in self._handles_with_templates():
                self._add_templates(captures, handle)
            files.finish()
        finally:
            files.discard()
        if files.finished:
            self._write_index(files.finished, folder / "indexes" / "index.cdxj")

    def _write_vault(self) -> None:
        pairs = (
            (handle, version)
            for handle in self._exports.handles(self._order)
            for version in self._exports.full_texts_of(handle, self._order)
        )
        for handle, group in groupby(self._logged(pairs), key=lambda logged: logged.handle):
            if handle is not None:
                self._say(handle.ident, handle)
                self._write_handle(handle, group)

    def _write_handle(self, handle: ExportedHandle, group: Iterable[_Logged]) -> None:
        path = free_path(self._order.folder, handle)
        files = RollingWarcFiles(lambda: path, self._warcinfo)
        captures = Captures(self._keeping.store, files)
        try:
            if self._order.templates:
                self._add_templates(captures, handle)
            for logged in group:
                self._add(captures, logged)
            files.finish()
        finally:
            files.discard()
        if files.finished:
            self._write_index(files.finished, path.with_name(index_name(path.name)))

    def _logged(self, pairs: Iterable[_Pair]) -> Iterator[_Logged]:
        """Yield what is to be copied, once the journal says that it is, and what cannot be.

        Nothing leaves unrecorded, not even by a kill, and what is known not to leave is not said
        to: each version is read, and the folder tried, before. What changes in between, and how
        much room compressed records need, cannot be known: the journal may say more than is done.
        """
        pairs = iter(pairs)
        at, folder = int(self._began.timestamp()), noted(self._order.folder)
        while some := list(islice(pairs, _TOGETHER)):
            if self._is_cancelled():
                self._tally.is_whole = False
                return
            every = [_Logged(version, handle, self._refusal(version)) for handle, version in some]
            sound = [each.version for each in every if each.refusal is None]
            if sound:
                try_room(self._order.folder)
            reason = self._order.reason
            self._keeping.commit([released(each, at, reason, folder) for each in sound])
            yield from every

    def _refusal(self, version: ExportedVersion) -> NotExported | None:
        is_lost = version.state is ObiState.LOST or version.purged is not None
        if not is_lost and not self._has_rights:
            return NotExported("not-lost", still_there(version))
        try:
            prove(self._keeping.store, version)
        except NotExported as error:
            return error
        return None

    def _handles_with_templates(self) -> Iterator[ExportedHandle]:
        if not self._order.templates:
            return
        for handle in self._exports.handles(self._order):
            if self._is_cancelled():
                self._tally.is_whole = False
            if not self._tally.is_whole:
                return
            yield handle

    def _add(self, captures: Captures, logged: _Logged) -> None:
        version = logged.version
        try:
            if logged.refusal is not None:
                raise logged.refusal
            captures.add_full_text(version)
        except NotExported as error:
            self._tally.leave_out(version, error.why, str(error))
        else:
            self._tally.count(version)

    def _add_templates(self, captures: Captures, handle: ExportedHandle) -> None:
        for version in self._exports.templates_of(handle, self._order):
            try:
                captures.add_template(version)
            except NotExported as error:
                self._tally.leave_out(version, error.why, str(error))
            else:
                self._tally.templates += 1

    def _write_index(self, warcs: Sequence[Path], path: Path) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        self._tally.indexed(len(warcs), self._index(warcs, path))

    def _warcinfo(self, filename: str) -> Record:
        fields = {
            "description": f"{_WHAT} {_NO_LICENCE}",
            "reason": self._order.reason,
            "selection": _selection(self._order),
            "robots": tr("obeyed when these were harvested"),
        }
        operator = {"operator": self._warc.operator} if self._warc.operator else {}
        return file_info(uri(filename), {**operator, **fields}, self._began)

    def _say(self, ident: str, handle: ExportedHandle | None = None) -> None:
        done, self._tally.begun = self._tally.begun, self._tally.begun + 1
        archive = handle.archive if handle else self._order.archive
        series = handle.series if handle else self._order.series
        words = tr("Exporting {ident}", ident=ident)
        self._tell(RunProgress("export", archive or "", series or "", done, self._total, words))


def _check(order: ExportOrder, root: Path) -> None:
    """Raise UsageError for an order that cannot be carried out."""
    folder = order.folder
    if not order.reason.strip():
        raise UsageError(tr("A reason is required."))
    if folder.resolve().is_relative_to(root.resolve()):
        raise UsageError(
            tr("{folder} is in the object store itself; choose another folder.", folder=folder)
        )
    try:
        is_free = not folder.exists() or (folder.is_dir() and not any(folder.iterdir()))
    except OSError as error:
        raise UsageError(
            tr(
                "{folder} cannot be used: {strerror}.",
                folder=folder,
                strerror=error.strerror or error,
            )
        ) from error
    if not is_free:
        raise UsageError(tr("{folder} is not empty; give a new or an empty folder.", folder=folder))


def _selection(order: ExportOrder) -> str:
    """Return in words what an order is about."""
    words = [
        tr("archive {archive}", archive=order.archive) if order.archive else "",
        tr("series {series}", series=order.series) if order.series else "",
        tr("what is lost") if order.lost else "",
        tr("recorded from {since} on", since=order.since) if order.since is not None else "",
        tr("last versions") if order.last else tr("all versions"),
    ]
    return ", ".join(filter(None, words))
