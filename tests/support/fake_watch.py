# SPDX-License-Identifier: AGPL-3.0-or-later
"""Watched datasets in every state, an engine that looks at them, and the page on a stage."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from carrel.errors import UsageError
from carrel.model.dark_views import FileDifference, RunProgress, TellRun, WatchedRow
from carrel_desktop.session import Session
from carrel_desktop.theme import Theme
from carrel_desktop.views.watch.view import WatchView
from support.fake_dark import DarkScript, FakeDark
from support.fake_engine import FakeEngine

NOON = 1_772_535_600  # 2026-03-03 11:00 UTC
AGAIN = "Archive it again to add what is published now; earlier captures stay."

GONE = WatchedRow(
    "https://doi.org/10.5281/zenodo.1004711",
    "Tide gauge readings of the northern harbours, 1920 to 1953",
    "gone",
    "The dataset is gone. The record 1004711 at zenodo.org is not there, or no longer. Your "
    "capture stays. Check again in a week before you tell the repository. Search its mementos.",
    "c1",
    NOON,
    "1.0",
    None,
    gone=12,
)
CHANGED = WatchedRow(
    "https://doi.org/10.7910/DVN/FENS60",
    "Church books of four fenland parishes, 1754 to 1812",
    "changed",
    f"2 files changed, 1 file gone, 1 file new. {AGAIN}",
    "c2",
    NOON,
    "2.1",
    "2.1",
    same=56,
    changed=2,
    gone=1,
    added=1,
    unverified=1,
)
NEWER = WatchedRow(
    "https://doi.org/10.5281/zenodo.7041152",
    "Dune profiles after the storm of 2013",
    "new version",
    f"Version 3 is published; it was version 2. {AGAIN}",
    "c3",
    NOON - 86_400,
    "2",
    "3",
    same=4,
)
CLOSED = WatchedRow(
    "https://dataverse.example.org/dataset.xhtml?persistentId=doi:10.70122/HULKS",
    "Prison hulk ledgers",
    "restricted now",
    "2 of 5 files can no longer be had without a login or permission. What you captured stays; ask "
    "the depositor.",
    "c4",
    NOON,
    same=3,
    restricted=2,
)
UNREACHABLE = WatchedRow(
    "https://maps.example.net/estate",
    "Estate maps",
    "unreachable",
    "A bot check blocks https://maps.example.net/estate (HTTP 403). A bot check wants a browser, "
    "which Carrel does not pretend to be: try later, from another network, or ask the repository "
    "to let your institution through.",
    "c5",
    NOON,
    same=3,
    answered=NOON - 86_400,
)
FRESH = WatchedRow(
    "https://doi.org/10.6084/m9.figshare.4903001",
    "https://doi.org/10.6084/m9.figshare.4903001",
    "unchecked",
    "Not checked yet: check it now.",
    None,
    None,
)
SAME = WatchedRow(
    "https://doi.org/10.5281/zenodo.31337",
    "Log of the watch tower",
    "same",
    "The platform has published no change since it was captured.",
    "c7",
    NOON,
    "1",
    "1",
    same=3,
)
UNVERIFIED = WatchedRow(
    "https://letters.example.org/keepers",
    "Letters of the lighthouse keepers",
    "unverified",
    "No changes found since it was captured; 1 of 4 files could not be compared. The reason is "
    "given with each file.",
    "c8",
    NOON,
    same=3,
    unverified=1,
)
FIRST_SEEN = WatchedRow(
    "https://plates.example.org/canal",
    "Plates of the canal works",
    "as first seen",
    "This was the first check: later ones are compared with it. It is not archived here: archive "
    "it.",
    None,
    NOON,
    is_first_look=True,
)
ROWS = (SAME, FRESH, UNREACHABLE, CLOSED, NEWER, CHANGED, GONE)

DIFFERENCES = {
    CHANGED.base_url: (
        *(
            FileDifference(
                f"Outwell/baptisms/page-{n:03}.txt",
                "same",
                "The published MD5 is the same.",
                937,
                937,
            )
            for n in range(1, 57)
        ),
        FileDifference(
            "Little Marsham/burials/page-001.txt",
            "changed",
            "The published MD5 differs.",
            1048,
            1061,
            "md5:0f343b0931126a20f133d67c2b018a3b",
            "md5:a3b0f343b0931126a20f133d67c2b018",
        ),
        FileDifference(
            "St Osyth/marriages/page-004.txt",
            "changed",
            "The published MD5 differs.",
            20_480_000,
            20_480_512,
        ),
        FileDifference(
            "Thorpe-le-Fen/page-009.txt",
            "gone",
            "The platform lists it, but its address answers with HTTP 404.",
            1233,
            1233,
        ),
        FileDifference("errata.txt", "added", "It was not listed before.", None, 412),
        FileDifference("index.bin", "unverified", "There is no digest or size to compare it by."),
    ),
    FIRST_SEEN.base_url: tuple(
        FileDifference(
            name,
            "first seen",
            "This was the first check: later ones are compared with it.",
            800,
            800,
        )
        for name in ("lock.tif", "weir.tif")
    ),
    SAME.base_url: tuple(
        FileDifference(name, "same", "The published MD5 is the same.", 400, 400)
        for name in ("log.txt", "tides/1953.txt", "winds.txt")
    ),
}


class FakeWatching(FakeDark):
    """Watches a list that can be added to; a look finds `after`, and holds while it is `held`."""

    def __init__(self, rows: Sequence[WatchedRow], *, held: bool = False) -> None:
        super().__init__(DarkScript(watched=rows, differences=DIFFERENCES, holds=held))
        self.after: Mapping[str, WatchedRow] = {}

    async def watch(self, base_urls: Sequence[str]) -> int:
        if "nonsense" in base_urls:
            raise UsageError("“nonsense” names no dataset: give a web address or DOI.")
        count = await super().watch(base_urls)
        known = {row.base_url for row in self.script.watched}
        fresh = [replace(FRESH, base_url=url, title=url) for url in base_urls if url not in known]
        self.script.watched = [*self.script.watched, *fresh]
        return count

    async def look(self, base_urls: Sequence[str], tell: TellRun) -> Sequence[WatchedRow]:
        looked = await super().look(base_urls, tell)
        for done, row in enumerate(looked):
            tell(RunProgress("looking", "", "", done, len(looked), f"Looking at {row.base_url}"))
            if self.script.holds:
                await self._wait()
        self.script.watched = [self.after.get(row.base_url, row) for row in self.script.watched]
        return looked


def page(session: Session, theme: Theme, fake: FakeDark) -> WatchView:
    """Return the page on an open session, over what is watched."""
    engine = session.engine
    assert isinstance(engine, FakeEngine)
    engine._fake_dark = fake
    view = WatchView(session, theme)
    view.refresh()
    return view
