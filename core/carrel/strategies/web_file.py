# SPDX-License-Identifier: AGPL-3.0-or-later
"""One file fetched from its own address: ordered, received, compared, stored."""

from collections.abc import Callable

from carrel.capture.arrival import Fetched, Order
from carrel.capture.transfer import fetch
from carrel.errors import IngestStop
from carrel.hosts.inside import leads_inside
from carrel.hosts.retry import RetryPolicy
from carrel.model import Fixity, ManifestFile, Stage, Status
from carrel.model.formats import FormatKey, extension_of
from carrel.strategies.comparison import (
    Difference,
    compare,
    difference,
    is_provable,
    published_form,
)
from carrel.strategies.kept import Kept
from carrel.strategies.one_a_second import OneASecond
from carrel.strategies.progress import Progress
from carrel.strategies.strategy import Work
from carrel.translation import tr


class NotTheFile(IngestStop):
    """What arrived is not what was declared; `observed` is what it was."""

    def __init__(self, found: Difference, observed: Fixity) -> None:
        super().__init__(found.status, found.message)
        self.observed = observed


class WebFetching:
    """Fetches the files of one dataset. Threads may share it."""

    def __init__(self, work: Work, seconds: OneASecond, is_over: Callable[[], bool]) -> None:
        self._work, self._seconds, self._is_over = work, seconds, is_over
        network = work.archive.settings.network
        self._retries = RetryPolicy(tries=network.attempts, longest_pause_s=network.longest_pause_s)

    def fetch(self, index: int, entry: ManifestFile) -> Kept:
        """Return the file in its record.

        Raises NotTheFile, IngestStop where it may not be fetched or cannot be had, Cancelled, and
        OSError where it cannot be written.
        """
        work = self._work
        url = self._address(entry)
        progress = Progress(work, index, entry.declared.size)
        fetched = self._received(url, entry, progress)
        if found := difference(entry, fetched):
            if fetched.part is not None:
                fetched.part.discard()
            raise NotTheFile(found, fetched.fixity)
        progress.phase(Stage.STORE)
        capture = work.capture_store.store(entry, work.landing_url, fetched)
        observed = published_form(entry.declared, fetched)
        if work.heed_ends and fetched.ends and observed.digests["sha256"] == capture.sha256:
            work.heed_ends(FormatKey(capture.sha256, extension_of(entry.path)), fetched.ends)
        return Kept(
            entry,
            Status.SUCCESS,
            observed,
            capture,
            answer=fetched.exchange,
            served_name=None if entry.is_named else work.capture_store.file_name(capture),
        )

    def _address(self, entry: ManifestFile) -> str:
        """Return where to fetch a file. Raises IngestStop where there is nothing to go to."""
        url = entry.platform_url
        if url is None:
            message = tr("The platform lists no address for {path}.", path=entry.path)
            raise IngestStop(Status.ERROR_PLATFORM_DOWNLOAD, message)
        if leads_inside(self._work.landing_url, url):
            message = tr("{url} is inside a private network; it was not fetched.", url=url)
            raise IngestStop(Status.ERROR_PLATFORM_DOWNLOAD, message)
        return url

    def _received(self, url: str, entry: ManifestFile, progress: Progress) -> Fetched:
        work = self._work
        order = Order(
            url=url,
            algorithms=entry.declared.digests,
            progress=progress.received,
            found=progress.found,
            reserve=progress.reserve,
            is_cancelled=self._is_over,
            waits=progress.waits,
            is_proven=_proof(entry.declared),
            holds_ends=work.heed_ends is not None,
        )
        try:
            return self._seconds.apart(
                url, lambda: fetch(work.client, work.series, order, self._retries)
            )
        except BaseException:
            progress.give_back()
            raise


def _proof(declared: Fixity) -> Callable[[Fixity], bool] | None:
    """Return what tells the declared bytes from all others, None if nothing can."""
    if not is_provable(declared):
        return None
    return lambda observed: compare(declared, observed) is None
