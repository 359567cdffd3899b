# SPDX-License-Identifier: AGPL-3.0-or-later
"""A dark archive of invented series: what a test or a picture shows of it."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

from carrel.model.dark import IncidenceKind, LossKind, ObiKind, Redirect, RunSource
from carrel.model.dark_views import (
    ChangeRow,
    DarkCheck,
    DarkFault,
    Hit,
    Life,
    LifeEvent,
    LossRow,
    ObiState,
    RunProgress,
    RunReport,
    RunRow,
    SeriesRow,
    VersionRow,
)
from carrel.model.remarks import Remark
from support.fake_dark import DarkScript

DIRECTORY = Path("/srv/repec/RePEc")


def at(year: int, month: int = 1, day: int = 1, hour: int = 4) -> int:
    """Return a tist."""
    return int(datetime(year, month, day, hour, 12, tzinfo=UTC).timestamp())


NOW = at(2026, 3, 3, 9)
LAST = NOW - 12 * 60
PAPER = "RePEc:tde:wpaper:2011-04"
TEXT = "https://econ.tidewater.example/wp/2011-04.pdf"
OLD_PAPER = "RePEc:tde:wpaper:2009-11"

OLD_TEXT = """Template-Type: ReDIF-Paper 1.0
Author-Name: Maren Okafor
Title: Fish Auctions and the Price of Ice
Creation-Date: 2011
File-URL: http://econ.tidewater.example/wp/2011-04.pdf
File-Format: Application/pdf
Handle: RePEc:tde:wpaper:2011-04
"""
NEW_TEXT = OLD_TEXT.replace("http://", "https://").replace(
    "Creation-Date: 2011", "Creation-Date: 2011-04\nRevision-Date: 2014-09"
)


def runs() -> Sequence[RunRow]:
    """Return runs of three weeks, one of them cut short, one with a source half read."""
    found = {"appeared": 3, "changed": 1, "lost": 2, "full texts lost": 1, "reappeared": 1}
    where = str(DIRECTORY)
    older = ["2012-06-01.tar.gz", "2016-06-01.tar.gz"]
    made = [
        run(LAST, found, where),
        run(at(2026, 2, 24), {"appeared": 12, "changed": 4}, where, scope_ok=False),
        run(at(2026, 2, 17), {}, where, ended=False),
        run(at(2026, 2, 10), {"suspect": 4, "lost": 41, "changed": 7}, where),
        run(at(2026, 2, 3), {"appeared": 214}, where),
    ]
    for number, name in enumerate(older):
        date = at(int(name[:4]), 6)
        made.append(
            RunRow(
                at(2026, 1, 20 - number),
                "RePEc",
                RunSource.TARBALL,
                name,
                date,
                "2026-01-20T04:12:00+00:00",
                "2026-01-20T05:00:00+00:00",
                True,
                {"appeared": 8_431, "changed": 120},
            )
        )
    return made


def run(
    tist: int, counts: dict[str, int], where: str, *, scope_ok: bool = True, ended: bool = True
) -> RunRow:
    """Return a run over the directory."""
    began = datetime.fromtimestamp(tist, UTC).isoformat()
    end = began if ended else None
    is_whole = scope_ok and ended
    return RunRow(tist, "RePEc", RunSource.DIRECTORY, where, None, began, end, is_whole, counts)


def losses() -> list[LossRow]:
    """Return losses of each kind."""
    reference, resource = LossKind.REFERENCE, LossKind.RESOURCE
    made = [
        LossRow(
            reference, ObiKind.TOBI, PAPER, LAST, LAST, "not-in-data", "RePEc:tde", "wpaper", True,
            True, is_new=True,
        ),
        LossRow(
            resource, ObiKind.FOBI, TEXT, at(2026, 2, 10), LAST, "http-404", "RePEc:tde", "wpaper",
            True, True, is_new=True,
        ),
        LossRow(
            resource, ObiKind.FOBI, "https://papers.northisle.example/rise-and-fall-of-toll-roads.pdf",
            at(2026, 2, 10), None, "wrong-content", "RePEc:nis", "papers", True, True,
        ),
        LossRow(
            resource, ObiKind.FOBI, "http://www.harbour-studies.example/dp/dp-0311.pdf",
            at(2019, 5), at(2019, 5, 9), "dns", "RePEc:hbs", "dpaper", False, False,
        ),
        LossRow(
            LossKind.COPY, ObiKind.FOBI, "https://papers.northisle.example/tolls-2.pdf",
            at(2026, 3, 1), at(2026, 3, 1), "damaged", "RePEc:nis", "papers", True, True,
        ),
        LossRow(
            reference, ObiKind.TOBI, "RePEc:hbs:dpaper:0299", LAST, None, "archive-not-in-data",
            "RePEc:hbs", "dpaper", True, True, is_new=True,
        ),
    ]  # fmt: skip
    for number in range(11, 51):
        made.append(
            LossRow(
                reference, ObiKind.TOBI, f"RePEc:tde:wpaper:11-{number}", at(2026, 2, 10),
                at(2026, 2, 10), "not-in-data", "RePEc:tde", "wpaper", True, True,
                (f"RePEc:tde:wpaper:2011-{number}",) if number % 8 else
                (f"RePEc:tde:wpaper:2011-{number}", f"RePEc:tde:journl:y2011p{number}"),
            )
        )  # fmt: skip
    return made


def series() -> list[SeriesRow]:
    """Return a board of series, some with losses, most without."""
    return [
        SeriesRow("RePEc:tde", "wpaper", 412, 41, 40, 0, 388, 12, 11, 3),
        SeriesRow("RePEc:nis", "papers", 1_204, 2, 0, 1, 1_150, 96, 90, 41),
        SeriesRow("RePEc:hbs", "dpaper", 299, 0, 0, 299, 299, 211, 0, 299),
        SeriesRow("RePEc:tde", "journl", 87, 0, 0, 0, 87, 0, 0, 0),
        SeriesRow("RePEc:olm", "series", 10_482, 18, 11, 0, 9_903, 244, 240, 77),
        SeriesRow("RePEc:olm", "chaptr", 611, 0, 0, 0, 0, 0, 0, 0),
        SeriesRow("RePEc:quy", "econwp", 1_893, 5, 1, 0, 1_801, 1_120, 1_102, 12),
        SeriesRow("RePEc:vmk", "bulltn", 56, 56, 0, 0, 12, 12, 12, 0),
        SeriesRow("RePEc:arn", "", 3, 0, 0, 0, 0, 0, 0, 0),
    ]


def changes() -> list[ChangeRow]:
    """Return incidences of each kind."""
    kinds = IncidenceKind
    return [
        ChangeRow(
            LAST, kinds.CHANGE, ObiKind.TOBI, "RePEc:nis:papers:188", None, at(2026, 2, 10), True,
            "RePEc:nis", "papers",
        ),
        ChangeRow(
            LAST, kinds.APPEARANCE, ObiKind.TOBI, "RePEc:nis:papers:1204", None, None, None,
            "RePEc:nis", "papers",
        ),
        ChangeRow(
            LAST, kinds.REAPPEARANCE, ObiKind.TOBI, "RePEc:quy:econwp:77", "same text",
            at(2024, 5), False, "RePEc:quy", "econwp",
        ),
        ChangeRow(
            LAST, kinds.DELETION, ObiKind.TOBI, PAPER, "not-in-data", at(2014, 9), None,
            "RePEc:tde", "wpaper",
        ),
        ChangeRow(
            at(2026, 2, 10), kinds.CHANGE, ObiKind.FOBI, TEXT, None, at(2012, 6), False,
            "RePEc:tde", "wpaper",
        ),
    ]  # fmt: skip


def version(
    tist: int, size: int, media: str | None = None, source: int | None = None
) -> VersionRow:
    digest = f"{tist:x}{'3fa9c1e07bd24586' * 4}"[:64]
    return VersionRow(tist, source, digest, digest[:32], size, media, "032/184/2531/NAME")


def paper() -> Life:
    """Return the life of a template: noted, changed twice, lost, found again, lost."""
    return Life(
        ObiKind.TOBI,
        PAPER,
        ObiState.LOST,
        at(2011, 4, 2),
        "RePEc:tde",
        "wpaper",
        "ReDIF-Paper 1.0",
        (
            LifeEvent(at(2012, 6), "noted", ""),
            LifeEvent(at(2014, 9, 12), "changed", "new text"),
            LifeEvent(at(2017, 2), "lost", "not-in-data"),
            LifeEvent(at(2019, 11, 3), "found again", "new text"),
            LifeEvent(at(2022, 3), "missed", "archive-not-in-data", at(2022, 9)),
            LifeEvent(LAST, "lost", "not-in-data"),
        ),
        (
            version(at(2012, 6), 231, "text/plain", at(2011, 4, 2)),
            version(at(2014, 9, 12), 266, "text/plain", at(2014, 9, 11)),
            version(at(2019, 11, 3), 266, "text/plain", at(2019, 11, 2)),
        ),
        (TEXT, "https://econ.tidewater.example/wp/2011-04-data.zip"),
        known_until=LAST,
    )


def old_paper() -> Life:
    """Return the life of a template that two old tarballs have, the newer one read first."""
    first, second = at(2019, 3), at(2020, 6)
    read, read_later = at(2026, 1, 18), at(2026, 1, 19)
    return Life(
        ObiKind.TOBI,
        OLD_PAPER,
        ObiState.PRESENT,
        first,
        "RePEc:tde",
        "wpaper",
        "ReDIF-Paper 1.0",
        (
            LifeEvent(read_later, "noted", "older text, 2019-03-01.tar.gz", dated=first),
            LifeEvent(read, "noted", dated=second),
        ),
        (
            version(read, 266, "text/plain", second),
            replace(version(read_later, 231, "text/plain", first), is_backfill=True),
        ),
        known_until=second,
    )


def full_text() -> Life:
    """Return the life of a full text that is lost, and held."""
    return Life(
        ObiKind.FOBI,
        TEXT,
        ObiState.LOST,
        at(2012, 6),
        None,
        None,
        None,
        (
            LifeEvent(at(2012, 6), "noted", ""),
            LifeEvent(at(2012, 6), "asked", "ok", at(2026, 2, 3)),
            LifeEvent(at(2026, 2, 10), "changed", "same text"),
            LifeEvent(at(2026, 2, 17), "missed", "http-404", LAST),
            LifeEvent(LAST, "lost", "http-404"),
        ),
        (
            version(at(2012, 6), 318_224, "application/pdf"),
            version(at(2026, 2, 10), 318_310, "application/pdf"),
        ),
        (PAPER,),
        (Redirect(301, "https://econ.tidewater.example/wp/2011-04/"),),
        (),
        ("Opened on 2026-02-11: a reader compares it with the journal's version.",),
        known_until=LAST,
    )


def progress() -> Sequence[RunProgress]:
    """Return where a run is, series after series."""
    sized = [("nis", "papers", 1_204, 1_204), ("hbs", "dpaper", 299, 299)]
    sized += [("olm", "series", 10_482, 10_482), ("quy", "econwp", 1_122, 1_893)]
    return [
        RunProgress("templates", f"RePEc:{archive}", name, done, total, "Reading templates")
        for archive, name, done, total in sized
    ]


def check() -> DarkCheck:
    """Return a check that found something in each of the three kinds of places."""
    return DarkCheck(
        20_114,
        9_412_004_118,
        41_802,
        (
            DarkFault(
                "store",
                "032/184/2531/https%3A%2F%2Fpapers.northisle.example%2Ftolls-2.pdf",
                "damaged",
                "Its bytes have another SHA-256 than when they were stored.",
            ),
            DarkFault("journal", "2026-02.jsonl", "damaged", "Line 118 does not follow line 117."),
            DarkFault("ledger", "incidence", "missing", "Two rows are not there.", True),
        ),
    )


def lives() -> dict[str, Life]:
    return {PAPER: paper(), TEXT: full_text(), OLD_PAPER: old_paper()}


def hits() -> list[Hit]:
    """Return what a search finds, in each state."""
    wpaper = ("RePEc:tde", "wpaper")
    states = (ObiState.LOST, ObiState.SUSPECT, ObiState.UNSEEN)
    addresses = (TEXT, TEXT.replace("-04", "-05"), TEXT.replace("-04", "-06"))
    return [
        Hit(ObiKind.TOBI, PAPER, ObiState.LOST, *wpaper),
        Hit(ObiKind.TOBI, "RePEc:tde:wpaper:2011-05", ObiState.PRESENT, *wpaper),
        *(
            Hit(ObiKind.FOBI, url, state, None, None)
            for url, state in zip(addresses, states, strict=True)
        ),
    ]


def script() -> DarkScript:
    """Return an archive of some years."""
    texts = dict.fromkeys(((PAPER, at(2014, 9, 12)), (PAPER, at(2019, 11, 3))), NEW_TEXT)
    return DarkScript(
        runs=runs(),
        directory=DIRECTORY,
        losses=losses(),
        changes=changes(),
        series=series(),
        lives=lives(),
        hits=hits(),
        texts={
            **texts,
            (PAPER, at(2012, 6)): OLD_TEXT,
            (OLD_PAPER, at(2026, 1, 18)): NEW_TEXT,
            (OLD_PAPER, at(2026, 1, 19)): OLD_TEXT,
        },
        progress=progress(),
        check=check(),
    )


def many_losses(count: int) -> list[LossRow]:
    """Return very many losses."""
    return [
        LossRow(
            LossKind.REFERENCE if number % 3 else LossKind.RESOURCE,
            ObiKind.TOBI if number % 3 else ObiKind.FOBI,
            f"RePEc:a{number % 17:02}:wpaper:{number:06}",
            at(2015) + number * 1800,
            at(2015) + number * 1800 if number % 5 else None,
            ("not-in-data", "http-404", "dns")[number % 3],
            f"RePEc:a{number % 17:02}",
            "wpaper",
            number % 7 > 0,
            number % 7 > 0,
        )
        for number in range(count)
    ]


def report(problems: Sequence[str] = ()) -> RunReport:
    """Return how a run ended; each problem is about the address that it begins with."""
    remarks = [Remark(each, each.split()[0].rstrip(":")) for each in problems]
    return RunReport(LAST, "RePEc", True, {"appeared": 3}, remarks, 0)
