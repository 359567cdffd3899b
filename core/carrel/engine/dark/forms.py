# SPDX-License-Identifier: AGPL-3.0-or-later
"""What the dark archive releases, in the forms of holdings: each handle a folder, bag or crate."""

from collections.abc import Callable, Container, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime

from carrel.access.copies import Copies
from carrel.archive import Archive
from carrel.dark_archive.export.occasions import released
from carrel.dark_archive.export.rights import states_rights
from carrel.dark_archive.place import noted, store_root
from carrel.dark_archive.store_session import StoreSession
from carrel.engine.earlier_exports import reading_again
from carrel.engine.exports import alone_in, refuse_inside
from carrel.errors import NotProven, NotRead, UsageError
from carrel.exports.bags.bag import Issuer
from carrel.exports.dark import Released, StoredCopies, released_of
from carrel.exports.exporting import Exporting
from carrel.exports.options import checked
from carrel.exports.wacz.texts import TextPacking
from carrel.hosts.pauses import Cancelled
from carrel.ledger.dark.exports import ExportedHandle, ExportedVersion
from carrel.model.dark import ObiKind
from carrel.model.dark_views import ExportOrder, RunProgress, TellRun
from carrel.model.events import Emit, ExportStarted, HoldingExported
from carrel.model.exports import Exported, ExportForm, ExportOptions, ExportReport
from carrel.translation import tr


def export_in_form(
    archive: Archive,
    order: ExportOrder,
    options: ExportOptions,
    tell: TellRun,
    emit: Emit,
    is_cancelled: Callable[[], bool],
) -> ExportReport:
    """Write what an order is about to its folder, one export for each handle. Blocks.

    Each copy is journalled with the reason before it is made, unless it is known by then that it
    cannot be; `emit` gets what there is of each handle before it is exported, and what came of it.
    Raises UsageError, ArchiveError and OSError.
    """
    _check(archive, order, options)
    refuse_inside(archive, order.folder)
    with (
        StoreSession.open(store_root(archive.path), archive.ledger.dark) as store,
        alone_in(order.folder),
    ):
        forms = _Forms(archive, store, order, options, is_cancelled)
        return ExportReport(order.folder, list(forms.exported(tell, emit)), options.form)


def _check(archive: Archive, order: ExportOrder, options: ExportOptions) -> None:
    """Raise UsageError for what cannot be exported so."""
    if not order.reason.strip():
        raise UsageError(tr("A reason is required."))
    if archive.ledger.dark.is_empty:
        raise UsageError(
            tr("{path} has no dark archive yet; there is nothing to export.", path=archive.path)
        )
    checked(options)


@dataclass(frozen=True, slots=True)
class _Forms:
    """Exports the handles of one order, one after the other."""

    archive: Archive
    store: StoreSession
    order: ExportOrder
    options: ExportOptions
    is_cancelled: Callable[[], bool]

    def exported(self, tell: TellRun, emit: Emit) -> Iterator[Exported]:
        exports = self.store.ledger.exports
        # A vault is counted by its handles, as these exports are.
        total = exports.count(_by_handle(self.order))
        for number, handle in enumerate(exports.handles(self.order)):
            if self.is_cancelled():
                raise Cancelled
            words = tr("Exporting {ident}", ident=handle.ident)
            place = handle.archive or "", handle.series or ""
            tell(RunProgress("export", *place, number, total, words))
            found = self._released(handle)
            emit(ExportStarted(handle.ident, found.holding.outlook, number + 1, total))
            exported = self._one(handle, found)
            emit(HoldingExported(handle.ident, exported))
            yield exported

    def _one(self, handle: ExportedHandle, found: Released) -> Exported:
        if not found.has_texts:
            title, words = found.holding.dataset.name, tr("Nothing of it may be given out.")
            if found.versions:
                words = tr(
                    "None of its full texts may be given out, and templates alone are not exported."
                )
            return Exported(handle.ident, title, refusal=words, lacking=found.holding.lacking)
        copies, unfit = Copies(), dict[int, NotProven | NotRead]()
        try:
            exporting = self._exporting(found, copies, unfit)
            if not exporting.is_there(found.holding):
                unfit.update(self._unfit(found))
                if refused := exporting.foreseen(found.holding, unfit):
                    return refused
                self._journal(found, unfit)
            return exporting.export(found.holding)
        finally:
            copies.close()

    def _released(self, handle: ExportedHandle) -> Released:
        exports = self.store.ledger.exports
        return released_of(
            self.store.store,
            handle,
            list(exports.full_texts_of(handle, self.order)),
            list(exports.templates_of(handle, self.order)),
            has_rights=states_rights(self.order.reason),
            with_templates=self.order.templates,
        )

    def _exporting(
        self, found: Released, copies: Copies, unfit: Mapping[int, NotProven | NotRead]
    ) -> Exporting:
        settings = self.archive.settings
        today = datetime.now(UTC).date()
        issuer = Issuer(today, settings.warc.operator, settings.network.contact)

        def copies_with(algorithms: Sequence[str]) -> StoredCopies:
            store, versions = self.store.store, found.versions
            return StoredCopies(store, versions, self._attend, algorithms, unfit)

        packing = TextPacking(found, copies_with(()), self.options.leaves_out_damaged)
        return Exporting(
            *(self.archive, self.order.folder, self.options, issuer, copies, self._attend),
            profile=checked(self.options),
            copies_with=copies_with,
            packs=packing.pack,
            read_again=reading_again(self._attend),
        )

    def _unfit(self, found: Released) -> Iterator[tuple[int, NotProven | NotRead]]:
        """Yield the positions of files that cannot be copied, and why, by reading all."""
        wanted = self._wanted(found)
        copies = StoredCopies(self.store.store, wanted, self._attend)
        for file in [each for each in found.holding.files if each.held.position in wanted]:
            try:
                copies.prove(file.held)
            except (NotProven, NotRead) as error:
                yield file.held.position, error

    def _journal(self, found: Released, unfit: Container[int]) -> None:
        """Note each copy that is about to be made, with the reason.

        Nothing leaves unrecorded, not even by a kill. What is damaged only between now and its
        copy, and a disk that fails or fills up meanwhile, cannot be known: the journal then says
        more than is done.
        """
        at, folder = int(datetime.now(UTC).timestamp()), noted(self.order.folder)
        every = self._wanted(found).items()
        versions = [each for position, each in every if position not in unfit]
        self.store.commit([released(each, at, self.order.reason, folder) for each in versions])

    def _wanted(self, found: Released) -> Mapping[int, ExportedVersion]:
        """Return the versions that go into an export, by position: a WACZ has no templates."""
        if self.options.form is not ExportForm.WACZ:
            return found.versions
        return {at: each for at, each in found.versions.items() if each.kind is ObiKind.FOBI}

    def _attend(self, count: int) -> None:
        if self.is_cancelled():
            raise Cancelled


def _by_handle(order: ExportOrder) -> ExportOrder:
    return replace(order, vault=True)
