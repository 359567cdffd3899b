# SPDX-License-Identifier: AGPL-3.0-or-later
"""Captures for the window's tests and pictures: invented, but of the shape of real ones."""

import random
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from functools import cache

from carrel.model import Memento, SourceReport, SourceState, SourceType
from carrel.model.memento_views import CollectionInfo, Comparison, DatasetPart, Holding, Peek
from support.fake_mementos import NATIONAL, OWN, WAYBACK, Answer, MementoScript

URL = "https://data.example.org/coast/tides.csv"
PAGE = "https://data.example.org/coast/"
NOBODY = "https://data.example.org/never-seen.html"
PORTUGAL, ICELAND, OLD, PERMA, QUIET = (
    "Arquivo.pt",
    "Vefsafn.is",
    "UK Web Archive",
    "Perma.cc",
    "Archive-It",
)
TYPES = {
    OWN: SourceType.LEDGER,
    "Field trips 2021": SourceType.FILE,
    WAYBACK: SourceType.CDX,
    PORTUGAL: SourceType.MEMENTO,
    NATIONAL: SourceType.MEMENTO,
    ICELAND: SourceType.MEMENTO,
    OLD: SourceType.MEMENTO,
    PERMA: SourceType.MEMENTO,
    QUIET: SourceType.CDX,
}
START = datetime(1999, 4, 2, 8, tzinfo=UTC)


def memento(timestamp: str, source: str = WAYBACK, url: str = URL, **fields: str) -> Memento:
    """Return a capture; its digest changes with the year."""
    known = {
        "url": url,
        "mime": "text/csv",
        "status": "200",
        "digest": f"sha1:{timestamp[:4] * 8}",
        "length": str(1000 + int(timestamp[8:14])),
    }
    type_ = TYPES.get(source, SourceType.MEMENTO)
    return Memento("org,example)/", timestamp, {**known, **fields}, source, type_)


@cache
def many(
    count: int, source: str = WAYBACK, *, seed: int = 1, until: int = 9300
) -> Sequence[Memento]:
    """Return captures over the years, more of them in some than in others, oldest first."""
    chance = random.Random(seed)  # nothing secret
    moments = sorted(
        START + timedelta(days=until * chance.betavariate(3, 1.6), seconds=chance.randrange(86400))
        for _ in range(count)
    )
    statuses = ("200", "200", "200", "200", "301", "404", "503")
    return [
        memento(f"{moment:%Y%m%d%H%M%S}", source, status=chance.choice(statuses))
        for moment in moments
    ]


def answer(source: str, rows: Sequence[Memento] = (), **changes: object) -> Answer:
    """Return what a source answers with these captures."""
    state = SourceState.ANSWERED if rows else SourceState.NONE
    kind = TYPES.get(source, SourceType.MEMENTO)
    report = SourceReport(source, kind, state, len(rows), took_s=0.4)
    return replace(report, **changes), rows  # type: ignore[arg-type]  # fields of a report


def trouble(source: str, state: SourceState, message: str = "", **changes: object) -> Answer:
    return answer(source, (), state=state, message=message, **changes)


CSV = "station,time,level_m\n" + "".join(
    f"Port {n % 7},2021-03-{1 + n % 28:02}T{n % 24:02}:00Z,{1.2 + (n * 7 % 31) / 10:.2f}\n"
    for n in range(160)
)
HEAD = (
    "WARC/1.1\r\nWARC-Type: response\r\nWARC-Record-ID: <urn:uuid:5f0f…>\r\n"
    f"WARC-Target-URI: {URL}\r\nWARC-Date: 2021-06-11T09:20:31Z\r\n"
    "WARC-Payload-Digest: sha1:2021202120212021\r\nContent-Length: 5312\r\n"
)
HTTP = (
    'HTTP/1.1 200 OK\r\nContent-Type: text/csv; charset=utf-8\r\nServer: nginx\r\nETag: "9f3"\r\n'
)


def peek(content: bytes, mimetype: str = "text/csv", **changes: object) -> Peek:
    """Return the beginning of a memento with such content."""
    plain = Peek(
        memento("20210611092031", OWN), HEAD, HTTP, mimetype, "utf-8", content, True,
        len(content), "",
    )  # fmt: skip
    return replace(plain, **changes)  # type: ignore[arg-type]  # fields of a peek


def script() -> MementoScript:
    """Return archives of all kinds, some of which answer."""
    own = [memento(t, OWN) for t in ("20210611092031", "20230302113000", "20260303093145")]
    field = [memento(f"2021{m:02}1407{m:02}12", "Field trips 2021") for m in range(4, 10)]
    now = datetime.now(UTC)
    answers = [
        answer(OWN, own),
        answer("Field trips 2021", field),
        answer(WAYBACK, many(1204), answered_at=now - timedelta(minutes=12)),
        answer(PORTUGAL, many(83, PORTUGAL, seed=2, until=7000), took_s=2.3),
        answer(NATIONAL, many(19, NATIONAL, seed=3)),
        trouble(ICELAND, SourceState.NONE),
        trouble(OLD, SourceState.RESTING, "It failed three times; it is asked again at 14:20.",
                until=now + timedelta(minutes=9)),
        trouble(PERMA, SourceState.REFUSED, "Perma.cc answers 403: not from here."),
        trouble(QUIET, SourceState.TIMED_OUT, "No answer within 10 s."),
    ]  # fmt: skip
    text = CSV.encode()
    return MementoScript(
        collections=(
            CollectionInfo("all", "All archives", tuple(TYPES.items())),
            CollectionInfo("own", "Only this archive", ((OWN, SourceType.LEDGER),)),
        ),
        answers={URL: answers, PAGE: answers[:4]},
        peeks={URL: peek(text), PAGE: peek(b"<!doctype html>\n<title>Tides</title>", "text/html")},
        comparison=Comparison(
            False, (5200, 5312), ("text/csv", "text/csv"), ("3f" * 32, "9a" * 32),
            ["--- 2021-06-11", "+++ 2023-03-02", "@@ -1,4 +1,5 @@", " station,time,level_m",
             "-Port 0,2021-03-01T00:00Z,1.20", "+Port 0,2021-03-01T00:00Z,1.21",
             "+Port 8,2021-03-01T00:00Z,2.05", " Port 1,2021-03-02T01:00Z,1.90"],
            "",
        ),
        parts={"h5": parts()},
        hosts=[
            Holding("data.example.org", "", 1311, "19990402080000", "20260303093145", True),
            Holding("lighthouses.example.net", "", 88, "20210301080000", "20230303093145", True),
            Holding("www.example.edu", "", 4, "20240301080000", "20240303093145", True),
        ],
        below={
            ("data.example.org", "/"): [
                Holding("/coast/", PAGE, 1290, "19990402080000", "20260303093145", True),
                Holding("index.html", "https://data.example.org/index.html", 21,
                        "20100402080000", "20250303093145", False),
            ],
            ("data.example.org", "/coast/"): [
                Holding("tides.csv", URL, 1204, "19990402080000", "20260303093145", False),
                Holding("readme.txt", f"{PAGE}readme.txt", 3, "20210402080000", "20260303093145",
                        False),
            ],
        },
        found=[*own, memento("20210611092100", OWN, f"{PAGE}readme.txt", mime="text/plain")],
    )  # fmt: skip


def parts() -> list[DatasetPart]:
    """Return the parts of a dataset: the page, and its files."""
    names = ("tides.csv", "stations.csv", "readme.txt", "raw/2021-06.zip", "raw/2021-07.zip")
    files = [DatasetPart(name, f"{PAGE}{name}", "0" * 40, is_captured=True) for name in names]
    return [DatasetPart("", PAGE, "", is_captured=True), *files]
