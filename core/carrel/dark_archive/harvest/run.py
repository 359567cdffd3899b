# SPDX-License-Identifier: AGPL-3.0-or-later
"""What the steps of a run share: its terms, what it counts, and whom it tells."""

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass

from carrel.dark_archive.harvest.group import Group
from carrel.dark_archive.identifiers import archive_of
from carrel.dark_archive.probes import Asker
from carrel.dark_archive.sources import Source
from carrel.dark_archive.store_session import StoreSession
from carrel.ledger.dark.lookups import Pending
from carrel.model.dark import REPEC, Links, RunSource
from carrel.model.dark_views import RunProgress, TellRun
from carrel.model.remarks import Remark

_REMARKS_SHOWN = 200


@dataclass(frozen=True, slots=True)
class Terms:
    """How a run is made.

    `scope` is what the source speaks for. `confirm_after_s` lies between the first look that missed
    something and the second that says so; 0 believes the first, if a host responded to it.
    `every_s` is how long a full text is not asked for again. `asker` is None where full texts are
    left alone. `links` says how redirects are shown in the store's folders.
    """

    scope: str = REPEC
    confirm_after_s: int = 7 * 86_400
    batch_objects: int = 10_000
    every_s: int = 0
    workers: int = 4
    asker: Asker | None = None
    links: Links = Links.NO


class Run:
    """A run that is being made; `moment` is the time (seconds) that its source speaks for."""

    def __init__(
        self,
        keeping: StoreSession,
        source: Source,
        terms: Terms,
        group: Group,
        *,
        moment: int,
        tell: TellRun,
        is_cancelled: Callable[[], bool],
    ) -> None:
        self.keeping, self.source, self.terms, self.group = keeping, source, terms, group
        self.moment, self.is_cancelled = moment, is_cancelled
        self.lookups = keeping.ledger.lookups
        self.contents = keeping.ledger.contents
        self.counts: Counter[str] = Counter()
        self.remarks: list[Remark] = []
        self.unlisted = 0
        # Full texts of which a host said how they stand, and of which none did.
        self.seen = self.unseen = 0
        # Files of templates that hold nothing of the kind.
        self.unreadable = 0
        # Where handles speak from that stand in a later container as well, and as they are spelled.
        self.rivals: dict[str, tuple[str, str]] = {}
        # Containers that are there and could not be opened.
        self.closed: list[str] = []
        self._tell = tell

    @property
    def scope(self) -> str:
        return self.terms.scope

    def is_confirmed(self, pending: Pending) -> bool:
        """Say whether a second look now comes late enough after the first.

        Old data are compared with old data: what a backfill named is missed by those of later date.
        """
        first = pending.moment
        if self.source.source is RunSource.TARBALL and pending.named is not None:
            first = pending.named
        return self.moment - first >= self.terms.confirm_after_s

    @property
    def is_backfill(self) -> bool:
        return self.source.source is RunSource.BACKFILL

    def is_unread(self, path: str) -> bool:
        """Say whether a container lies where the source could not be looked into."""
        return path.startswith(tuple(self.source.unread))

    def archive_of(self, ident_n: str) -> str | None:
        """Return what counts as one archive: RePEc's own, elsewhere each object by itself."""
        return archive_of(ident_n) if self.is_repec else ident_n

    @property
    def is_repec(self) -> bool:
        return self.is_backfill or self.scope == REPEC

    def say(self, phase: str, done: int, total: int | None, words: str, archive: str = "") -> None:
        """Tell how far a step has come."""
        repec_archive, _, series = archive.partition(":")
        self._tell(RunProgress(phase, repec_archive, series, done, total, words))

    def found(self, sentence: str, about: str = "") -> None:
        """Note something that a person should know of, and the file or address that it is about."""
        if len(self.remarks) < _REMARKS_SHOWN:
            self.remarks.append(Remark(sentence, about))
        else:
            self.unlisted += 1
