# SPDX-License-Identifier: AGPL-3.0-or-later
"""One file on its way to the Wayback Machine: submitted, looked up, read back."""

import logging
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from time import monotonic

from carrel.capture.exchange import Exchange
from carrel.capture.stored import Damaged
from carrel.capture.wayback.pauses import Waiting
from carrel.capture.wayback.raw import Watch
from carrel.capture.wayback.save_page_now import Saved, SavePageNow, ServiceStop
from carrel.errors import IngestStop
from carrel.model import ManifestFile, Stage, Status
from carrel.model.capture import UNKNOWN_TYPE
from carrel.strategies.comparison import compare, is_provable
from carrel.strategies.strategy import FileEvents, Work
from carrel.strategies.wayback_addresses import address_to_capture
from carrel.strategies.wayback_proof import Proven, Prover, Search, with_known
from carrel.translation import tr

log = logging.getLogger(__name__)

_PROGRESS_EVERY_S = 0.1
# A capture of this age will do: what was submitted a moment ago is not submitted again. An older
# one does not, for it is known not to be the file.
_RECENT, _RECENT_FOR = "1h", timedelta(hours=1)
# The clocks of two machines, and the seconds between a redirect and what it leads to.
_SKEW, _SECONDS = timedelta(minutes=10), timedelta(minutes=1)
# So often the index is queried for what was just captured, with growing pauses: 45 seconds in all.
_LOOKS = 5
_FOREIGN_TYPES = ("", "warc/revisit", UNKNOWN_TYPE)


class Delivery:
    """Brings files there with one person's keys. Threads may share it."""

    def __init__(
        self,
        work: Work,
        prover: Prover,
        service: SavePageNow,
        waiting: Waiting,
        telling: "Telling",
    ) -> None:
        self._work, self._prover, self._service = work, prover, service
        self._waiting, self._telling = waiting, telling
        self._service_url = work.archive.settings.wayback.url

    def bring(self, index: int, entry: ManifestFile) -> ManifestFile:
        """Return the entry as kept, once its capture was read back.

        Blocks. Raises Cancelled, and IngestStop with why there is no capture that is the file.
        """
        url = address_to_capture(entry, self._work.landing_url, self._service_url)
        self._waiting.stop_if_cancelled()
        self._telling.start(index)
        self._work.events.progress(index, 0, entry.declared.size, Stage.STORE)
        search = Search(known(self._work, index, entry), self._telling.watch(index))
        begun = datetime.now(UTC)
        recent = _RECENT if self._work.looks_for_existing else None
        try:
            saved = self._service.capture(
                url, recent, lambda reason: self._work.events.waiting(index, reason)
            )
        except ServiceStop:
            raise  # nothing was captured: there is nothing to look for
        except IngestStop as stop:
            search = replace(search, since=_digits(begun - _SKEW))
            return self._kept_despite(stop, entry, search, url)
        oldest = begun - _RECENT_FOR - _SKEW if saved.moment is None else saved.moment - _SECONDS
        return self._confirmed(saved, entry, replace(search, since=_digits(oldest)), url)

    def _kept_despite(
        self, failure: IngestStop, entry: ManifestFile, search: Search, url: str
    ) -> ManifestFile:
        """Return the entry as kept if there is a capture though Save Page Now reports none.

        Raises the failure, with what the index says to it.
        """
        try:
            proven = self._prover.find(search, url)
        except IngestStop as stop:
            raise IngestStop(failure.status, f"{failure} {stop}") from stop
        if proven is None:
            message = tr("{failure} The index lists no capture of it either.", failure=failure)
            raise IngestStop(failure.status, message) from failure
        remark = tr("{failure} The capture exists nevertheless.", failure=failure)
        return self._kept(entry, proven, proven.evidence, remark)

    def _confirmed(
        self, saved: Saved, entry: ManifestFile, search: Search, url: str
    ) -> ManifestFile:
        """Return the entry as kept once the capture is found and has its bytes.

        Raises IngestStop: spn2-cdx-lookup-failure while the index does not show it.
        """
        evidence = () if saved.exchange is None else (saved.exchange,)
        for look, pause_s in zip(range(_LOOKS), self._waiting.growing(), strict=False):
            proven = self._find(saved, search, url)
            if proven is not None:
                return self._kept(entry, proven, (*evidence, *proven.evidence))
            if look + 1 < _LOOKS:
                self._waiting.pause(pause_s)
        if (proven := self._unlisted(saved, search, url)) is not None:
            remark = tr("The capture was read back, but the index does not list it yet.")
            return self._kept(entry, proven, evidence, remark)
        when = tr("a recent time") if saved.moment is None else _digits(saved.moment)
        message = tr(
            "Save Page Now reports a capture of {when}; the index does not show it.", when=when
        )
        raise IngestStop(Status.SPN2_CDX_LOOKUP_FAILURE, message)

    def _find(self, saved: Saved, search: Search, url: str) -> Proven | None:
        """Return the capture that was reported: at the address, else at the one that is named.

        The latter may be cut short or be another; only published digests can prove it.
        """
        proven = self._prover.find(search, url)
        if proven is not None or saved.url is None or saved.url == url:
            return proven
        if not is_provable(search.entry.declared):
            return None
        return self._prover.find(search, saved.url)

    def _unlisted(self, saved: Saved, search: Search, url: str) -> Proven | None:
        """Return the reported capture, read back at its time, though the index lags behind.

        Its bytes must be the published ones: there is nothing else to compare them with.
        """
        if saved.moment is None or not is_provable(search.entry.declared):
            return None
        try:
            return self._prover.at(search, url, _digits(saved.moment))
        except IngestStop as stop:
            log.info("%s of %s cannot be read back either: %s", url, saved.moment, stop)
            return None

    def _kept(
        self,
        entry: ManifestFile,
        proven: Proven,
        evidence: Sequence[Exchange],
        remark: str | None = None,
    ) -> ManifestFile:
        """Return the entry as kept, and store the answers on which that rests."""
        remarks = [] if remark is None else [remark]
        try:
            for exchange in evidence:
                # What is set for a person's session is theirs alone.
                if "set-cookie" not in exchange.headers:
                    self._work.capture_store.store_exchange(exchange)
        except (OSError, Damaged) as error:
            remarks.append(tr("The evidence could not be stored: {error}.", error=error))
            log.warning("evidence for %s could not be stored: %s", entry.platform_url, error)
        return kept(entry, Status.SUCCESS, proven, remarks)


class Telling:
    """Tells how files come on. Threads may share it; each file has one of its own."""

    def __init__(self, events: FileEvents) -> None:
        self._events = events
        self._started: set[int] = set()

    def start(self, index: int) -> None:
        if index not in self._started:
            self._started.add(index)
            self._events.started(index)

    def watch(self, index: int) -> Watch:
        """Return what tells how a capture is read back, not more often than anyone can see."""
        told_at = 0.0

        def watch(received: int, total: int | None) -> None:
            nonlocal told_at
            if received and monotonic() - told_at < _PROGRESS_EVERY_S:
                return
            told_at = monotonic()
            self.start(index)
            self._events.progress(index, received, total, Stage.VERIFY)

        return watch


def known(work: Work, index: int, entry: ManifestFile) -> ManifestFile:
    """Return the entry with every digest that our own captures of it have.

    Platforms mostly publish the MD5, the index has the SHA-1: who has both need not read back what
    is other anyway.
    """
    own = work.capture_of.get(index)
    if not is_provable(entry.declared):
        return entry if own is None else with_known(entry, own.fixity)
    held = [] if own is None else [own]
    if entry.platform_url is not None:
        held += work.archive.ledger.captures.at(entry.platform_url)
    for capture in held:
        fixity = capture.fixity
        is_shared = any(name in fixity.digests for name in entry.declared.digests)
        if is_shared and compare(entry.declared, fixity) is None:
            return with_known(entry, fixity)
    return entry


def kept(
    entry: ManifestFile, status: Status, proven: Proven, remarks: Sequence[str] = ()
) -> ManifestFile:
    """Return the entry with the capture that keeps it; `remarks` are sentences about it."""
    said = list(remarks)
    if not is_provable(entry.declared):
        said.append(
            tr(
                "The capture could not be verified against the publisher, who declares no digest; "
                "it is what "
            )
            + (tr("this archive holds.") if proven.is_published else tr("the index lists."))
        )
    mimetype = None if proven.row.mimetype in _FOREIGN_TYPES else proven.row.mimetype
    return replace(
        entry,
        status=status,
        observed=proven.observed,
        mimetype=entry.mimetype or mimetype,
        terminal_url=proven.row.url,
        terminal_dt=proven.row.timestamp,
        extra={**entry.extra, "wayback_url": proven.address},
        message=" ".join(said) or None,
    )


def _digits(moment: datetime) -> str:
    return moment.strftime("%Y%m%d%H%M%S")
