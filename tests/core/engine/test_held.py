# SPDX-License-Identifier: AGPL-3.0-or-later
"""What a preview is told of what is held: found by any name, and no more claimed than is known."""

import asyncio
import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from carrel.engine import Engine
from carrel.engine.held import beside_held, held_of
from carrel.errors import ArchiveError
from carrel.ledger import Ledger
from carrel.ledger.fixity import RecordFixity
from carrel.ledger.recognition import _NEWEST
from carrel.model import (
    AskedItem,
    Capture,
    Fate,
    Fixity,
    Held,
    IngestFilesetResult,
    IngestRequest,
    ManifestFile,
    PlatformItem,
    PublishedNow,
    Standing,
    Status,
)
from carrel.model.result import NEEDS_TOKEN
from carrel.platforms.about import TokenUse
from carrel.platforms.review import opened
from carrel.schemas import schema

DOI = "https://doi.org/10.5072/a"
LANDING = "https://data.example/dataset/a"
ITEM = PlatformItem("dataverse", "data.example", "doi:10.5072/a", platform_version="1.1")


@pytest.fixture
def ledger(tmp_path: Path) -> Iterator[Ledger]:
    with Ledger(tmp_path / "carrel.sqlite", writing=True) as opened:
        yield opened


def declared(path: str, size: int | None = 10, **digests: str) -> ManifestFile:
    return ManifestFile(path, f"https://data.example/{path}", Fixity(size, digests))


def kept(entry: ManifestFile) -> ManifestFile:
    arrived = Fixity(entry.declared.size or 10, {"sha256": entry.path * 8})
    return replace(entry, status=Status.SUCCESS, observed=arrived)


def lost(entry: ManifestFile) -> ManifestFile:
    return replace(entry, status=Status.NETWORK_ERROR)


def described(*files: ManifestFile, url: str = DOI, **changes: Any) -> IngestFilesetResult:
    """A preview that saw these files."""
    item = replace(ITEM, manifest=files, **changes)
    return IngestFilesetResult(IngestRequest(url), Status.SUCCESS, hops=(url, LANDING), item=item)


def archive(
    ledger: Ledger,
    ingest_id: str,
    *files: ManifestFile,
    url: str = DOI,
    capture: Capture | None = None,
    **changes: Any,
) -> None:
    """Note an attempt that ended with these files."""
    good = all(entry.is_kept for entry in files)
    ended = replace(
        described(*files, url=url, **changes),
        status=Status.SUCCESS if good else Status.NETWORK_ERROR,
        ingest_id=ingest_id,
        started=f"2026-03-0{ingest_id}T09:30:00Z",
        finished=f"2026-03-0{ingest_id}T09:31:00Z",
    )
    ledger.ingests.start(ingest_id, ended.request, ended.started or "")
    ledger.ingests.finish(
        ended, [capture] if capture else [], {0: capture.record_id} if capture else {}
    )


def held(ledger: Ledger, preview: IngestFilesetResult) -> Held:
    found = held_of(ledger, preview)
    assert found is not None
    return found


def now(ledger: Ledger, *files: ManifestFile, **changes: Any) -> PublishedNow:
    """How these files, published today, stand to what is held."""
    found = held(ledger, described(*files, **changes)).now
    assert found is not None
    return found


A, B = declared("a.csv", md5="0" * 32), declared("b.csv", md5="1" * 32)
PREVIEW = described(A, B)


def test_of_what_was_never_archived_nothing_is_held(ledger: Ledger) -> None:
    archive(ledger, "1", kept(A), url="https://doi.org/10.5072/z", platform_id="doi:10.5072/z")

    assert held_of(ledger, PREVIEW) is None


def test_what_was_archived_by_its_address_is_found_by_its_doi_though_no_one_answers(
    ledger: Ledger,
) -> None:
    archive(ledger, "1", kept(A), url=LANDING, platform_id="10.5072/A")
    unreached = IngestFilesetResult(IngestRequest(DOI), Status.NETWORK_ERROR, hops=(DOI,))

    assert held(ledger, unreached).base_url == LANDING
    assert ledger.batches.archived([DOI, "https://doi.org/10.5072/b"]) == {DOI}
    assert ledger.catalogue.held_at([DOI])[DOI].base_url == LANDING


def test_what_was_removed_from_the_holdings_is_told_as_that(ledger: Ledger) -> None:
    archive(ledger, "1", kept(A), url=LANDING)
    assert held(ledger, PREVIEW).removed is None

    ledger.curation.remove([ledger.catalogue.dataset_of(LANDING) or 0], "2026-03-02T10:00:00Z")

    found = held(ledger, PREVIEW)
    assert found.removed == "2026-03-02T10:00:00Z"
    read = json.loads(json.dumps({**PREVIEW.to_json(), "held": found.to_json()}))
    validator = Draft202012Validator(schema("ingest_fileset_result"))
    assert [error.message for error in validator.iter_errors(read)] == []


def test_of_an_attempt_that_kept_nothing_nothing_is_held(ledger: Ledger) -> None:
    archive(ledger, "1", lost(A), lost(B))

    assert held_of(ledger, PREVIEW) is None


def test_an_attempt_that_has_not_ended_holds_nothing(ledger: Ledger) -> None:
    ledger.ingests.start("1", IngestRequest(DOI), "2026-03-01T09:30:00Z")

    assert held_of(ledger, PREVIEW) is None


@pytest.mark.parametrize(
    "preview",
    [
        pytest.param(PREVIEW, id="the same address"),
        pytest.param(replace(PREVIEW, request=IngestRequest(LANDING), hops=()), id="another one"),
        pytest.param(
            replace(PREVIEW, item=None, status=Status.READ_TIMEOUT), id="nothing described"
        ),
        pytest.param(
            replace(
                PREVIEW,
                request=IngestRequest(LANDING),
                hops=(LANDING,),
                item=None,
                asked=AskedItem("dataverse", "data.example", "doi:10.5072/a"),
                status=Status.PLATFORM_404,
            ),
            id="asked for and not described",
        ),
        pytest.param(described(A, B, platform_name="schema.org", platform_id=LANDING), id="name"),
    ],
)
def test_what_is_held_is_found_by_each_name(ledger: Ledger, preview: IngestFilesetResult) -> None:
    archive(ledger, "1", kept(A), kept(B))

    found = held(ledger, preview)

    assert (found.ingest_id, found.base_url, found.status) == ("1", DOI, Status.SUCCESS)
    assert (found.finished, found.platform_version) == ("2026-03-01T09:31:00Z", "1.1")
    assert (found.kept_count, found.file_count) == (2, 2)


def test_what_was_asked_for_by_the_landing_page_is_found_by_its_identifier(
    ledger: Ledger,
) -> None:
    archive(ledger, "1", kept(A), url=LANDING, platform_name="schema.org", platform_id="other")

    assert held(ledger, PREVIEW).base_url == LANDING


def test_results_of_earlier_days_name_a_doi_by_its_address(ledger: Ledger) -> None:
    named = f"https://doi.org/{ITEM.platform_id}"
    archive(ledger, "1", kept(A), url="https://data.example/old", platform_id=named)

    assert held(ledger, described(A, url="https://data.example/new")).ingest_id == "1"


def test_another_installation_is_another_dataset(ledger: Ledger) -> None:
    archive(ledger, "1", kept(A), url="https://data.example/old", platform_domain="b.example")

    assert held_of(ledger, PREVIEW) is None


def test_the_newest_success_is_what_is_held_whatever_failed_after_it(ledger: Ledger) -> None:
    archive(ledger, "1", kept(A))
    archive(ledger, "2", kept(A), url=LANDING)
    archive(ledger, "3", kept(A), lost(B))

    assert held(ledger, PREVIEW).ingest_id == "2"


def test_of_attempts_that_all_failed_the_one_that_kept_most_is_what_is_held(
    ledger: Ledger,
) -> None:
    archive(ledger, "1", kept(A), kept(B), lost(declared("c.csv")))
    archive(ledger, "2", kept(A), lost(B))

    found = held(ledger, PREVIEW)

    assert (found.ingest_id, found.status) == ("1", Status.NETWORK_ERROR)
    assert (found.kept_count, found.file_count) == (2, 3)


def test_the_version_that_is_looked_at_comes_before_newer_ones(ledger: Ledger) -> None:
    archive(ledger, "1", kept(A), platform_version="1.0")
    archive(ledger, "2", kept(B), platform_version="1.1")

    assert held(ledger, described(A, platform_version="1.0")).ingest_id == "1"


def test_the_platforms_own_name_comes_before_an_address(ledger: Ledger) -> None:
    archive(ledger, "1", kept(A), url="https://doi.org/10.5072/a.v2")
    archive(ledger, "2", kept(A), url=DOI, platform_id="doi:10.5072/a.v1")

    assert held(ledger, PREVIEW).ingest_id == "1"


def test_the_same_digests_are_the_same_files(ledger: Ledger) -> None:
    archive(ledger, "1", kept(A), kept(B))

    found = held(ledger, PREVIEW)

    assert found.now == PublishedNow(Standing.SAME, "1.1", same=2)
    assert found.is_as_published
    assert found.message == "version 1.1, 2 of 2 files; the same files are published today."


@pytest.mark.parametrize(
    ("files", "words"),
    [
        (
            [declared("a.csv"), declared("b.csv")],
            "files of the same names and sizes are published today, without a digest to compare "
            "by.",
        ),
        (
            [declared("a.csv")],
            "a file of the same name and size is published today, without a digest to compare by.",
        ),
        ([A, declared("b.csv")], "the same files are published today, 1 of them compared by size"),
    ],
)
def test_where_only_sizes_are_published_no_more_is_claimed(
    ledger: Ledger, files: list[ManifestFile], words: str
) -> None:
    archive(ledger, "1", *map(kept, files))

    found = held(ledger, described(*files))

    assert found.is_as_published
    assert words in found.message


def test_what_can_not_be_compared_is_not_called_the_same(ledger: Ledger) -> None:
    files = [A, declared("b.csv", None)]
    archive(ledger, "1", *map(kept, files))

    found = held(ledger, described(*files))

    assert found.now == PublishedNow(Standing.UNVERIFIED, "1.1", same=1, unverified=1)
    assert not found.is_as_published
    assert found.today == "no differences found today; 1 file cannot be compared"


def test_a_list_that_is_not_complete_lets_no_file_be_gone(ledger: Ledger) -> None:
    archive(ledger, "1", kept(A), kept(B))

    found = now(ledger, A, shortfall="The platform lists the first file only.")

    assert (found.standing, found.gone, found.unverified) == (Standing.UNVERIFIED, 0, 1)


def test_files_that_differ_are_new_or_are_gone_are_counted(ledger: Ledger) -> None:
    archive(ledger, "1", kept(A), kept(B), kept(declared("c.csv")))
    other = declared("a.csv", md5="9" * 32)

    found = held(ledger, described(other, B, declared("d.csv"), declared("e.csv")))

    assert found.now == PublishedNow(Standing.CHANGED, "1.1", same=1, changed=1, added=2, gone=1)
    assert found.today == "today 1 file differs, 2 files are new, 1 file is no longer listed"


def test_another_version_is_named_with_what_differs(ledger: Ledger) -> None:
    archive(ledger, "1", kept(A))

    newer = held(ledger, described(A, B, platform_version="2.0"))
    alike = held(ledger, described(A, platform_version="2.0"))
    older = held(ledger, described(A, platform_version="1.0", asked_version="1.0"))

    assert newer.today == "today it is version 2.0: 1 file is new"
    assert alike.today == "today it is version 2.0, with the same file"
    assert older.today == "you requested version 1.0, with the same file"
    assert not alike.is_as_published


def test_of_another_version_no_more_is_claimed_than_was_compared(ledger: Ledger) -> None:
    sized, plain = declared("a.csv"), declared("b.csv", None)
    archive(ledger, "1", kept(sized))
    archive(ledger, "2", kept(sized), kept(plain), url=LANDING, platform_id="doi:10.5072/b")

    by_size = held(ledger, described(sized, platform_version="2.0"))
    by_nothing = held(
        ledger, described(sized, plain, platform_version="2.0", platform_id="doi:10.5072/b")
    )

    assert by_size.today == (
        "today it is version 2.0, with a file of the same name and size, without a digest to "
        "compare by"
    )
    assert by_nothing.today == "today it is version 2.0; 1 file cannot be compared"


def test_a_version_that_one_side_does_not_tell_is_no_other_version(ledger: Ledger) -> None:
    archive(ledger, "1", kept(A), platform_version=None)

    assert now(ledger, A).standing is Standing.SAME


def test_an_address_that_leads_to_another_record_is_told(ledger: Ledger) -> None:
    archive(ledger, "1", kept(A), platform_id="doi:10.5072/before")

    found = held(ledger, described(A))

    assert found.today == "today the address leads to another record, with the same file"


def test_files_that_were_not_kept_and_can_be_had_are_lacking(ledger: Ledger) -> None:
    closed = replace(declared("c.csv"), status=Status.PLATFORM_RESTRICTED)
    archive(ledger, "1", kept(A), lost(B), closed)

    partly = held(ledger, described(A, B, closed))

    assert partly.now == PublishedNow(Standing.SAME, "1.1", same=3, same_by_size=1, lacking=1)
    assert not partly.is_as_published
    assert partly.today.endswith("; 1 file offered for download is not archived")


def test_files_that_nobody_can_have_are_not_lacking(ledger: Ledger) -> None:
    closed = replace(declared("c.csv"), status=Status.PLATFORM_RESTRICTED)
    archive(ledger, "1", kept(A), closed)

    assert held(ledger, described(A, closed)).is_as_published


@pytest.mark.parametrize(
    ("was", "said"),
    [
        (kept(declared("b.csv", md5="b" * 32)), ["1 more file can be archived."]),
        (kept(declared("b.csv", md5="f" * 32)), ["2 more files can be archived."]),
        (lost(declared("b.csv", md5="b" * 32)), ["2 more files can be archived."]),
    ],
    ids=["held", "another by now", "not held"],
)
def test_a_token_is_named_only_for_files_that_are_not_held(
    ledger: Ledger, was: ManifestFile, said: list[str]
) -> None:
    archive(ledger, "1", kept(A), was)
    closed = [
        replace(declared(name, md5=name[0] * 32), status=Status.PLATFORM_RESTRICTED)
        for name in ("b.csv", "c.csv")
    ]
    seen = described(A, *closed)
    assert seen.item
    item = opened(seen.item, TokenUse(), lambda url: False)
    preview = replace(seen, item=item, findings=item.findings)

    told = beside_held(preview, held(ledger, preview)).findings

    assert [each.message.rpartition(", ")[2] for each in told] == said


def test_no_token_is_named_where_all_is_held(ledger: Ledger) -> None:
    archive(ledger, "1", kept(A), kept(B))
    closed = replace(B, status=Status.CREDENTIALS_REQUIRED)
    seen = described(A, closed)
    assert seen.item
    item = opened(seen.item, None, lambda url: False)
    assert [each.code for each in item.findings] == [NEEDS_TOKEN]
    preview = replace(seen, item=item, findings=item.findings)

    assert beside_held(preview, held(ledger, preview)).findings == ()


def test_of_a_dataset_that_could_not_be_seen_nothing_is_said_of_today(ledger: Ledger) -> None:
    archive(ledger, "1", kept(A))

    found = held(ledger, replace(PREVIEW, item=None, status=Status.PLATFORM_404))

    assert (found.now, found.is_as_published) == (None, False)
    assert found.message == "version 1.1, 1 of 1 file."


@pytest.mark.parametrize(
    ("fate", "words"), [(Fate.DAMAGED, "damaged"), (Fate.MISSING, "damaged or missing")]
)
def test_damage_is_told_and_is_a_reason_to_archive_again(
    ledger: Ledger, fate: Fate, words: str
) -> None:
    archive(ledger, "1", kept(A), capture=CAPTURE)
    ledger.fixity.note([RecordFixity(CAPTURE.record_id, "2026-03-02T00:00:00Z", fate, "It broke.")])

    found = held(ledger, described(A))

    assert (found.fate, found.failed, found.is_as_published) == (fate, 1, False)
    assert f"1 of 1 file, 1 record {words};" in found.message


CAPTURE = Capture(
    url="https://data.example/a.csv",
    surt="example,data)/a.csv",
    timestamp="20260301093000",
    mimetype="text/csv",
    status_code=200,
    size=10,
    md5="0" * 32,
    sha1="0" * 40,
    sha256="0" * 64,
    record_id="<urn:uuid:1>",
    filename="CARREL-1.warc.gz",
    offset=0,
    length=100,
)


@pytest.mark.parametrize(
    "preview",
    [PREVIEW, described(A, platform_version=None), replace(PREVIEW, item=None)],
    ids=["whole", "no version", "not seen"],
)
def test_what_is_held_has_the_published_shape_in_a_preview(
    ledger: Ledger, preview: IngestFilesetResult
) -> None:
    archive(ledger, "1", kept(A), lost(B), capture=CAPTURE)
    ledger.fixity.note([RecordFixity(CAPTURE.record_id, "2026-03-02T00:00:00Z", Fate.DAMAGED)])

    fields = {**preview.to_json(), "held": held(ledger, preview).to_json()}

    read = json.loads(json.dumps(fields))
    validator = Draft202012Validator(schema("ingest_fileset_result"))
    assert [error.message for error in validator.iter_errors(read)] == []
    assert read["held"]["failed"] == 1


def test_a_ledger_that_can_not_be_read_raises_what_can_be_told(ledger: Ledger) -> None:
    archive(ledger, "1", kept(A))
    ledger._connection.db.execute("PRAGMA foreign_keys = OFF")
    ledger._connection.db.execute("DROP TABLE files")

    with pytest.raises(ArchiveError):
        held_of(ledger, PREVIEW)


def test_no_table_is_read_through_for_it(ledger: Ledger) -> None:
    values = {**dict.fromkeys(("name", "domain", "id", "version"), ""), "addresses": "[]"}
    plan = ledger._connection.rows(f"EXPLAIN QUERY PLAN {_NEWEST}", values)

    steps = [row["detail"].split() for row in plan]
    read_through = {step[1] for step in steps if step[0] == "SCAN"}
    used = {word for step in steps if step[0] == "SEARCH" for word in step}
    assert read_through.isdisjoint({"held", "results", "h", "f"})
    assert {"results_base_url", "results_platform", "holdings_identifier"} <= used


def test_an_engine_tells_what_its_archive_holds(tmp_path: Path) -> None:
    async def ask() -> Held | None:
        async with Engine.open(tmp_path / "archive") as engine:
            archive(engine.archive.ledger, "1", kept(A), kept(B))
            return engine.holdings.held(PREVIEW)

    found = asyncio.run(ask())

    assert found is not None
    assert found.is_as_published
