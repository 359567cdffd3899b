# SPDX-License-Identifier: AGPL-3.0-or-later
"""What was found damaged and is archived again: mended, dated and told for what it is."""

import asyncio
import hashlib
import json
import time
from collections.abc import Iterator, Sequence
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from carrel.access.cut_off import no_request, no_result
from carrel.archive import Archive
from carrel.engine.holdings import Holdings
from carrel.engine.verification import verify
from carrel.exports.certificate.reading import certificate_of
from carrel.ledger.fixity import IngestFixity, RunFixity
from carrel.ledger.fixity_history import Period
from carrel.mementos.warc.reader import records
from carrel.model import Capture, Fate, Status
from carrel.model.holdings import Checked, Damage, HoldingsQuery
from carrel.model.iso_time import iso_now
from carrel.model.outcome_words import COME_ANEW, IS_EARLIER, NOTHING_LOST, TWIN
from carrel.model.verification import FailedRecord
from support.archives import carrel, ingest, new_archive
from support.wire import WireServer, dataset_page, reply

DOI = "https://doi.org/10.5072/mending"
SHARED = b"Year,Storms\n1703,1\n" * 60


class Desk:
    """An archive of two datasets that publish the same file, and who looks after it."""

    def __init__(self, path: Path, server: WireServer) -> None:
        self.path = path
        url = server.serve("/shared.csv", reply(SHARED))
        digest = hashlib.sha256(SHARED).hexdigest()
        file = {"name": "shared.csv", "contentUrl": url, "sha256": digest}
        self.one = dataset_page(server, [file], "/one", name="One", identifier=f"{DOI}/1")
        self.two = dataset_page(server, [file], "/two", name="Two", identifier=f"{DOI}/2")
        ingest(path, self.one, self.two)

    def again(self, url: str) -> Status:
        """Archive a dataset once more, in another second than before."""
        time.sleep(1.1)
        return ingest(self.path, url)[0].status

    def damage(self, url: str) -> Capture:
        """Flip a byte of the newest record of an address that has its bytes."""
        whole = self.newest(url)
        with Archive.open_for_reading(self.path) as archive:
            flip_a_byte(archive, whole)
        return whole

    def newest(self, url: str) -> Capture:
        """Return the newest record of an address that has its bytes."""
        with Archive.open_for_reading(self.path) as archive:
            captures = [it for it in archive.ledger.captures.all() if it.url.endswith(url)]
        return max((it for it in captures if not it.is_revisit), key=lambda it: it.timestamp)

    def verified(self, url: str) -> int:
        """Verify a dataset; return how many records are not intact."""
        with Archive.open_for_reading(self.path) as archive:
            return asyncio.run(verify(archive, self._held(archive, url))).failed_records

    def known(self, url: str) -> dict[str, Any]:
        """Return what is known of a holding: its moments, its WARCs, how many records are bad."""
        with Archive.open_for_reading(self.path) as archive:
            ingest_id = self._held(archive, url)
            accession = archive.ledger.accession(ingest_id)
            assert accession
            return {
                "archived": accession.archived,
                "since": accession.files["shared.csv"],
                "warcs": accession.warcs,
                "repaired": accession.repaired,
                "failed": self.fixity(url).failed,
            }

    def fixity(self, url: str) -> IngestFixity:
        """Return how what a holding rests on was when it was last read."""
        with Archive.open_for_reading(self.path) as archive:
            ingest_id = self._held(archive, url)
            return archive.ledger.fixity.of_ingests([ingest_id])[ingest_id]

    def damages(self, url: str) -> Sequence[Damage]:
        """Return the damage that the history of a holding has."""
        with Archive.open_for_reading(self.path) as archive:
            dataset_id = archive.ledger.catalogue.dataset_of(url)
            assert dataset_id is not None
            return archive.ledger.history(dataset_id).damages

    def certified(self, url: str) -> dict[str, Any]:
        """Return the facts of a holding's certificate."""
        today = date(2026, 11, 26)
        with Archive.open_for_reading(self.path) as archive:
            held = self._held(archive, url)
            with certificate_of(archive, held, today, lambda done, total: None) as certificate:
                return dict(json.loads(b"".join(certificate.data())))

    def _held(self, archive: Archive, url: str) -> str:
        rows = archive.ledger.holdings.listed(url)
        return str(rows[0]["ingest_id"])


def flip_a_byte(archive: Archive, capture: Capture) -> None:
    warc = archive.warcs / capture.filename
    content = bytearray(warc.read_bytes())
    content[capture.offset + capture.length // 2] ^= 1
    warc.write_bytes(content)


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    with WireServer() as server:
        yield Desk(new_archive(tmp_path / "archive"), server)


def test_a_page_that_was_damaged_is_archived_again(desk: Desk) -> None:
    bad = desk.damage("/one")
    assert desk.verified(desk.one) == 1

    assert desk.again(desk.one) is Status.SUCCESS_EXISTING

    known = desk.known(desk.one)
    assert known["failed"] == 0
    assert set(known["warcs"]) == {each.filename for each in (bad, desk.newest("/one"))}
    assert desk.certified(desk.one)["summary"]["warcs"] == list(known["warcs"])
    assert desk.verified(desk.one) == 0


def test_bytes_that_others_mended_are_here_since_then(desk: Desk) -> None:
    before = [desk.known(url) for url in (desk.one, desk.two)]
    bad = desk.damage("/shared.csv")
    assert desk.verified(desk.one) == 1
    assert [desk.known(url)["failed"] for url in (desk.one, desk.two)] == [1, 1]
    assert [desk.known(url)["since"] for url in (desk.one, desk.two)] == [
        each["since"] for each in before
    ]

    desk.again(desk.two)
    desk.again(desk.one)

    for url in (desk.one, desk.two):
        (damage,) = desk.damages(url)
        assert (damage.filename, damage.path, damage.fate) == (
            bad.filename,
            "shared.csv",
            "damaged",
        )
        assert damage.again_in not in (None, bad.filename)
        (told,) = desk.certified(url)["verification"]["damages"]
        assert told["filename"] == bad.filename
    for url, earlier in zip((desk.one, desk.two), before, strict=True):
        known = desk.known(url)
        assert known["failed"] == 0
        assert known["archived"] == earlier["archived"]
        assert known["since"] > earlier["since"]
        assert known["repaired"] == ("shared.csv",)
        assert bad.filename not in known["warcs"]


def test_where_another_record_has_the_bytes_it_is_said_why_no_file_is_affected(desk: Desk) -> None:
    desk.damage("/shared.csv")
    assert desk.verified(desk.one) == 1
    desk.again(desk.two)

    told = carrel("results", desk.one, "--archive", desk.path).out
    page = desk.path.parent / "one.html"
    carrel("certificate", desk.one, "-o", page, "--archive", desk.path)

    assert f"{NOTHING_LOST} {COME_ANEW}" in told
    assert (
        "1 record of it was damaged or missing when last read; no file is affected, as the same "
        "bytes are intact in another record."
    ) in page.read_text()
    saved = carrel("export", "files", desk.one, "-o", page.parent / "out", "--archive", desk.path)
    assert saved.code == 0, saved.err


def test_what_was_archived_after_the_last_verification_is_not_verified_by_it(desk: Desk) -> None:
    desk.damage("/shared.csv")
    assert desk.verified(desk.two) == 1
    before = desk.fixity(desk.two)
    desk.again(desk.two)

    fixity = desk.fixity(desk.two)
    certificate = desk.certified(desk.two)["verification"]
    with Archive.open_for_reading(desk.path) as archive:
        (row,) = archive.ledger.catalogue.held_at([desk.two]).values()
        figures = archive.ledger.figures(iso_now())
        period = Period("2026-01-01T00:00:00Z", "2126-01-01T00:00:00Z")
        covered = archive.ledger.fixity_history.all(period)
        listed = {it["base_url"]: it for it in archive.ledger.fixity_history.holdings(period)}

    assert before.verified
    assert (fixity.verified, fixity.failed, fixity.fate) == (None, 0, None)
    assert "verified" not in certificate
    assert row.verified is None
    assert figures.checked[Checked.MONTH] == 0
    assert figures.checked[Checked.NEVER] == 1  # in the other one a record is damaged
    assert (covered.holdings, covered.verified, covered.added_to, covered.never) == (2, 0, 1, 1)
    assert (listed[desk.two]["checked"], listed[desk.two]["before"]) == ("", before.verified)
    assert desk.verified(desk.two) == 0
    assert desk.fixity(desk.two).fate is Fate.INTACT


def test_what_only_some_files_came_to_was_verified_before_and_is_not_as_it_is_now(
    tmp_path: Path,
) -> None:
    path = new_archive(tmp_path / "archive")
    with WireServer() as server:
        files = [
            {"name": name, "contentUrl": server.serve(f"/{name}", reply(SHARED + name.encode()))}
            for name in ("a.csv", "b.csv")
        ]
        page = dataset_page(server, files[:1], name="Tides", identifier=f"{DOI}/5")
        early = verified_at(path, ingest(path, page)[0].ingest_id or "")
        time.sleep(1.1)
        dataset_page(server, files, name="Tides", identifier=f"{DOI}/5")
        held = ingest(path, page)[0].ingest_id or ""
    with Archive.create_or_open(path) as archive:
        ledger = archive.ledger
        fixity = ledger.fixity.of_ingests([held])[held]
        (row,) = ledger.catalogue.held_at([page]).values()
        (due,) = ledger.schedules.by_last_check()
        now = iso_now()
        counted = ledger.figures(now).checked
        ledger.fixity.note_run(RunFixity(None, early, 2, 0))  # which began before it came
        (late,) = ledger.catalogue.held_at([page]).values()
        ledger.fixity.note_run(RunFixity(None, now, 2, 0))
        (whole,) = ledger.catalogue.held_at([page]).values()

    assert (fixity.verified, fixity.is_added_to) == (early, True)
    assert (row.verified, late.verified, whole.verified) == (None, None, now)
    assert due.verified == early, "it is no more overdue than it was"
    assert (counted[Checked.MONTH], counted[Checked.NEVER]) == (0, 1)


def test_another_version_is_not_verified_by_what_was_before_it(tmp_path: Path) -> None:
    path = new_archive(tmp_path / "archive")
    with WireServer() as server:
        first = ingest(path, version_of(server, "1"))[0].ingest_id
        with Archive.open_for_reading(path) as archive:
            asyncio.run(verify(archive, first))
        time.sleep(1.1)
        second = ingest(path, version_of(server, "2"))[0].ingest_id
    with Archive.open_for_reading(path) as archive:
        assert first
        assert second
        known = archive.ledger.fixity.of_ingests([first, second])
        assert (known[first].fate, known[second].verified) == (Fate.INTACT, None)

        asyncio.run(verify(archive, first))
        assert archive.ledger.fixity.of_ingests([second])[second].verified is None

        asyncio.run(verify(archive, second))
        known = archive.ledger.fixity.of_ingests([first, second])
        assert known[first].verified == known[second].verified


def test_an_attempt_that_brought_nothing_takes_nothing_from_a_verification(
    tmp_path: Path,
) -> None:
    path = new_archive(tmp_path / "archive")
    with WireServer() as server:
        digest = hashlib.sha256(SHARED).hexdigest()  # so that it is not fetched again
        url = server.serve("/a.csv", reply(SHARED))
        file = {"name": "a.csv", "contentUrl": url, "sha256": digest}
        page = dataset_page(server, [file], name="Tides", identifier=f"{DOI}/4")
        first = ingest(path, page)[0].ingest_id or ""
        early = verified_at(path, first)
        time.sleep(1.1)
        nothing = ingest(path, page)[0].ingest_id or ""
        time.sleep(1.1)
        late = verified_at(path, first)
        time.sleep(1.1)
        dataset_page(server, [file], name="Tides of another name", identifier=f"{DOI}/4")
        third = ingest(path, page)[0].ingest_id or ""
    with Archive.open_for_reading(path) as archive:
        assert archive.ledger.captures.all(nothing) == []
        assert archive.ledger.captures.all(third) != []
        fixity = archive.ledger.fixity.of_ingests([third])[third]
        (row,) = archive.ledger.catalogue.held_at([page]).values()

    assert early < late
    assert (fixity.verified, row.verified) == (late, late)


def test_damage_of_a_record_that_a_revisit_does_not_name_is_not_that_of_its_dataset(
    tmp_path: Path,
) -> None:
    path = new_archive(tmp_path / "archive")
    with WireServer() as server:
        url = server.serve("/shared.csv", reply(SHARED))
        one, two, three = (
            dataset_page(server, [{"name": name, "contentUrl": url}], f"/{name}", identifier=name)
            for name in ("one", "two", "three")
        )
        first = ingest(path, one)[0].ingest_id
        with Archive.open_for_reading(path) as archive:
            (a,) = (each for each in archive.ledger.captures.all() if each.url == url)
            flip_a_byte(archive, a)
            asyncio.run(verify(archive))
        time.sleep(1.1)  # so that the records are of two moments
        ingest(path, two)  # fetched whole, as what is here is damaged
        with Archive.open_for_reading(path) as archive:
            flip_a_byte(archive, a)
            assert asyncio.run(verify(archive, first)).is_intact
        third = ingest(path, three)[0].ingest_id or ""
    with Archive.open_for_reading(path) as archive:
        before = damages_of(archive, third)
        (revisit,) = (each for each in archive.ledger.captures.all(third) if each.url == url)
        whole = [it for it in archive.ledger.captures.all() if it.url == url and not it.is_revisit]
        (other,) = (it for it in whole if it.timestamp != revisit.refers_to_timestamp)
        flip_a_byte(archive, other)
        asyncio.run(verify(archive))

        assert (len(whole), revisit.is_revisit) == (2, True)
        assert damages_of(archive, third) == before
        (named,) = (it for it in whole if it is not other)
        flip_a_byte(archive, named)
        asyncio.run(verify(archive))
        assert damages_of(archive, third) == [*before, (named.filename, named.offset)]


def damages_of(archive: Archive, ingest_id: str) -> list[tuple[str, int | None]]:
    """Return where the records are that were ever found not intact of a dataset."""
    found = archive.ledger.fixity_history.damages_of(ingest_id)
    return [(each.filename, each.offset) for each in found]


def verified_at(path: Path, ingest_id: str) -> str:
    """Verify what an attempt keeps; return when that began."""
    with Archive.open_for_reading(path) as archive:
        assert asyncio.run(verify(archive, ingest_id)).is_intact
        return archive.ledger.fixity.of_ingests([ingest_id])[ingest_id].verified or ""


def version_of(server: WireServer, version: str) -> str:
    """Serve a dataset of one file in this version; return its page."""
    url = server.serve(f"/v{version}/data.csv", reply(SHARED + version.encode()))
    file = {"name": "data.csv", "contentUrl": url}
    return dataset_page(server, [file], identifier=f"{DOI}/3", version=version)


def test_damage_of_an_earlier_version_is_damage_of_the_dataset(tmp_path: Path) -> None:
    path = new_archive(tmp_path / "archive")
    with WireServer() as server:
        for version in "12":
            page = version_of(server, version)
            ingest(path, page)
    with Archive.open_for_reading(path) as archive:
        (held,) = archive.ledger.holdings.listed()
        first = next(it for it in archive.ledger.captures.all() if "/v1/" in it.url)
        flip_a_byte(archive, first)
        assert held["platform_version"] == "2"

        report = asyncio.run(verify(archive, held["ingest_id"]))
        (failed,) = archive.ledger.fixity.failures(held["ingest_id"])
        dataset_id = archive.ledger.catalogue.dataset_of(page) or 0
        (row,) = archive.ledger.catalogue.rows([dataset_id])
        history = archive.ledger.history(dataset_id)
        earlier, _ = history.attempts

        (itself,) = archive.ledger.fixity.failures(earlier.ingest_id)
        told, own = (
            Holdings(archive).failures(each) for each in (held["ingest_id"], earlier.ingest_id)
        )
        today = date(2026, 11, 26)
        with certificate_of(archive, held["ingest_id"], today, lambda done, total: None) as issued:
            certified = [each.earlier_file for each in issued.facts.checks.failures]

    assert (report.records, report.failed_records) == (4, 1)
    for each in (failed, itself):
        assert (each.record_id, each.is_earlier, each.has_twin) == (first.record_id, True, False)
        assert each.version == "1"
    assert [(each.files, each.earlier_file) for each in told] == [((), "data.csv")]
    assert [(each.files, each.earlier_file) for each in own] == [(("data.csv",), "")]
    assert certified == ["data.csv"]
    said = carrel("results", page, "--archive", path).out
    assert "damaged: data.csv in " in said
    assert row.failed == 1
    assert [(it.path, it.version) for it in history.damages] == [("data.csv", "1")]
    (check,) = report.failures
    assert check.advice.endswith(IS_EARLIER)
    assert "carrel ingest" not in check.advice


def test_a_request_goes_with_what_is_held_as_long_as_its_response_does(tmp_path: Path) -> None:
    path = new_archive(tmp_path / "archive")
    with WireServer() as server:
        page = version_of(server, "1")
        ingest(path, page)
        damage_request(path, "/v1/data.csv")
        time.sleep(1.1)
        ingest(path, page)
        (same,) = failures_of(path)

        time.sleep(1.1)
        ingest(path, version_of(server, "2"))
        (other,) = failures_of(path)

    assert (same.is_accompanying, same.is_earlier) == (True, False)
    assert (other.is_accompanying, other.is_earlier, other.version) == (True, True, "1")


@pytest.mark.parametrize("of_all", [False, True])
def test_a_warc_that_ends_behind_a_response_lacks_its_request(tmp_path: Path, of_all: bool) -> None:
    path = new_archive(tmp_path / "archive")
    with WireServer() as server:
        ingest(path, version_of(server, "1"))
    with Archive.open_for_reading(path) as archive:
        last = archive.ledger.captures.all()[-1]
        warc, end = archive.warcs / last.filename, last.offset + last.length
        asked = None if of_all else archive.ledger.holdings.listed()[0]["ingest_id"]
        sound = asyncio.run(verify(archive, asked))
        content = warc.read_bytes()
        warc.write_bytes(content[:end])

        cut = asyncio.run(verify(archive, asked))
        (failed,) = failures_of(path)
        warc.write_bytes(content)
        again = asyncio.run(verify(archive, asked))

    assert (sound.failed_records, again.failed_records, failures_of(path)) == (0, 0, [])
    (check,) = cut.failures
    assert check.message == no_request()
    assert (check.filename, check.offset) == (last.filename, end)
    assert (failed.is_accompanying, failed.fate) == (True, Fate.DAMAGED)


@pytest.mark.parametrize("of_all", [False, True])
def test_a_warc_that_ends_behind_its_last_request_lacks_the_result(
    tmp_path: Path, of_all: bool
) -> None:
    path = new_archive(tmp_path / "archive")
    with WireServer() as server:
        ingest(path, version_of(server, "1"))
    with Archive.open_for_reading(path) as archive:
        last = archive.ledger.captures.all()[-1]
        warc = archive.warcs / last.filename
        asked = None if of_all else archive.ledger.holdings.listed()[0]["ingest_id"]
        (end,) = [it.offset for it in records(warc) if it.url.startswith("urn:x-carrel:ingest")]
        content = warc.read_bytes()
        warc.write_bytes(content[:end])

        cut = asyncio.run(verify(archive, asked))
        (failed,) = failures_of(path)
        warc.write_bytes(content)
        again = asyncio.run(verify(archive, asked))

    assert (again.failed_records, failures_of(path)) == (0, [])
    (check,) = cut.failures
    assert check.message == no_result()
    assert (check.filename, check.offset) == (last.filename, end)
    assert (failed.is_accompanying, failed.fate) == (True, Fate.DAMAGED)


@pytest.mark.parametrize("of_all", [False, True])
def test_a_result_that_is_alone_in_the_next_warc_is_not_missing(
    tmp_path: Path, of_all: bool
) -> None:
    path = new_archive(tmp_path / "archive")
    with WireServer() as server:
        ingest(path, version_of(server, "1"))
    with Archive.open_for_reading(path) as archive:
        last = archive.ledger.captures.all()[-1]
        warc, content = archive.warcs / last.filename, (archive.warcs / last.filename).read_bytes()
        first, *_, end = [it.offset for it in records(warc)][1:]
        warc.write_bytes(content[:end])
        warc.with_name("main-next.warc.gz").write_bytes(content[:first] + content[end:])
        asked = None if of_all else archive.ledger.holdings.listed()[0]["ingest_id"]

        report = asyncio.run(verify(archive, asked))

    assert (report.failed_records, failures_of(path)) == (0, [])


def damage_request(path: Path, url: str) -> None:
    """Flip a byte of the request record behind the record of an address, and have it found."""
    with Archive.open_for_reading(path) as archive:
        capture = next(it for it in archive.ledger.captures.all() if it.url.endswith(url))
        warc = archive.warcs / capture.filename
        content = bytearray(warc.read_bytes())
        content[capture.offset + capture.length + 100] ^= 1
        warc.write_bytes(content)
        asyncio.run(verify(archive))


def failures_of(path: Path) -> Sequence[FailedRecord]:
    """Return the records that are not intact of the one dataset."""
    with Archive.open_for_reading(path) as archive:
        (held,) = archive.ledger.holdings.listed()
        return archive.ledger.fixity.failures(held["ingest_id"])


def test_a_record_and_a_revisit_of_it_are_one_that_is_not_intact(tmp_path: Path) -> None:
    """As behind a link to a file, which is looked at first, and then fetched."""
    path = new_archive(tmp_path / "archive")
    with WireServer() as server:
        ingest(path, server.serve("/shared.csv", reply(SHARED, Content_Type="text/csv")))
    with Archive.open_for_reading(path) as archive:
        captures = archive.ledger.captures.all()
        assert sorted(each.is_revisit for each in captures) == [False, True]
        (whole,) = [each for each in captures if not each.is_revisit]
        flip_a_byte(archive, whole)

        report = asyncio.run(verify(archive, archive.ledger.holdings.listed()[0]["ingest_id"]))
        events = archive.ledger._rows("SELECT record_id, fate FROM fixity_events")

    assert (report.records, report.failed_records) == (2, 1)
    assert report.size_bytes <= len(SHARED)
    assert events == [{"record_id": whole.record_id, "fate": "damaged"}]


def test_what_could_be_archived_again_of_a_lost_dataset_is_not_told_as_lost(tmp_path: Path) -> None:
    path = new_archive(tmp_path / "archive")
    with WireServer() as server:
        bodies = {"const.csv": SHARED, "other.csv": SHARED[::-1]}
        files = [
            {
                "name": name,
                "contentUrl": server.serve(f"/{name}", reply(body)),
                "sha256": hashlib.sha256(body).hexdigest(),
            }
            for name, body in bodies.items()
        ]
        page = dataset_page(server, files, identifier=f"{DOI}/4")
        (held,) = ingest(path, page)
        (warc,) = (path / "collections/main/archive").iterdir()
        warc.unlink()
        with Archive.open_for_reading(path) as archive:
            asyncio.run(verify(archive, held.ingest_id))
        server.serve("/const.csv", reply(b"another"))
        time.sleep(1.1)

        (again,) = ingest(path, page)

    assert again.status is Status.MISMATCH_SHA256
    with Archive.open_for_reading(path) as archive:
        (row,) = archive.ledger.holdings.held()
        kept = row["ingest_id"]
        failures = archive.ledger.fixity.failures(kept)
        today, tell = date(2026, 11, 26), (lambda done, total: None)
        with certificate_of(archive, kept, today, tell) as certificate:
            tally = certificate.facts.tally
        fates = archive.ledger.fixity.file_fates(kept)
    assert kept == held.ingest_id
    assert fates == {"const.csv": Fate.MISSING}
    assert {each.files: each.has_twin for each in failures} == {
        ("const.csv",): False,
        ("other.csv",): True,
        (): True,  # the page
    }
    assert (tally.unfit, tally.first_unfit) == (1, ["const.csv"])
    told = carrel("results", page, "--archive", path)
    assert told.out.count(TWIN) == 2


def test_of_two_addresses_of_one_doi_that_which_is_named_is_handed_over(tmp_path: Path) -> None:
    path = new_archive(tmp_path / "archive")
    with WireServer() as server:
        pages = []
        for name in ("six.csv", "sixtysix.csv"):
            url = server.serve(f"/{name}", reply(SHARED + name.encode()))
            file = {"name": name, "contentUrl": url}
            place = f"/at/{name}"
            pages.append(dataset_page(server, [file], place, name=name, identifier=f"{DOI}/5"))
        ingest(path, *pages)

    with Archive.open_for_reading(path) as archive:
        for name in ("six.csv", "sixtysix.csv"):
            assert len(archive.ledger.catalogue.find(HoldingsQuery(name), iso_now())) == 1
    for page, name in zip(pages, ("six.csv", "sixtysix.csv"), strict=True):
        told = carrel("export", "files", page, "-o", tmp_path / name, "--archive", path)
        assert told.code == 0, told.err
        assert [each.name for each in (tmp_path / name).rglob("*.csv")] == [name]
        output = tmp_path / f"{name}.json"
        told = carrel("certificate", page, "-o", output, "--archive", path)
        assert told.code == 0, told.err
        assert [each["path"] for each in json.loads(output.read_text())["files"]] == [name]
