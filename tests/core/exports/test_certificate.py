# SPDX-License-Identifier: AGPL-3.0-or-later
"""What a certificate says, against the ledger; and what names from outside cannot do to it."""

import gzip
import io
import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import date
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from pypdf import PdfReader
from selectolax.lexbor import LexborHTMLParser

from carrel.archive import Archive
from carrel.cli.results import results
from carrel.engine.holdings import Holdings
from carrel.errors import ArchiveError, UsageError
from carrel.exports.certificate import html, setting
from carrel.exports.certificate.facts import CertifiedFile
from carrel.exports.certificate.file_wording import file_row
from carrel.exports.certificate.terms import PUBLISHED
from carrel.exports.dataset import Dataset
from carrel.ledger.fixity import RecordFixity
from carrel.model import Fate, Fixity, ManifestFile, Status
from carrel.model.certificate import CertificateForm, Certified
from support.certified import (
    INGEST,
    URL,
    VERIFIED,
    WARC,
    archive_with,
    fixity,
    kept,
    lost,
    record_id,
    verified,
)
from support.printed_pages import printed_over

DAY = date(2026, 3, 4)
HTML, PDF, JSON = CertificateForm.HTML, CertificateForm.PDF, CertificateForm.JSON
HOSTILE = (
    "<script>alert(1)</script>.csv",
    'a" onmouseover="alert(1).csv',
    "</pre></details><img src=x onerror=alert(1)>.csv",
    "evil\u202egpj.exe",
    "bell\x07\x1b[31m.csv",
    '#eval("1") $x$ *b* \\u{41} @label.csv',
    "日本語/データ.csv",
    "ملاحظات.csv",
    "наблюдения.csv",
)


def certify(
    archive: Path, form: CertificateForm, ingest_id: str = INGEST, issued: date = DAY
) -> tuple[bytes, Certified]:
    """Return a certificate, and what was told of it."""
    written = io.BytesIO()
    with Archive.open_for_reading(archive) as opened:
        told = Holdings(opened).certify(ingest_id, written, form, issued=issued)
    return written.getvalue(), told


def facts_of(archive: Path, ingest_id: str = INGEST) -> dict[str, Any]:
    facts: dict[str, Any] = json.loads(certify(archive, JSON, ingest_id)[0])
    return facts


def page_of(archive: Path) -> LexborHTMLParser:
    return LexborHTMLParser(certify(archive, HTML)[0])


def text_of(page: LexborHTMLParser) -> str:
    assert page.body is not None
    return page.body.text(separator=" ")


def printed(archive: Path) -> tuple[PdfReader, str]:
    reader = PdfReader(io.BytesIO(certify(archive, PDF)[0]))
    return reader, "\n".join(page.extract_text() for page in reader.pages)


def by_path(facts: Mapping[str, Any]) -> dict[str, dict[str, Any]]:
    return {file["path"]: file for file in facts["files"]}


def mixed() -> Sequence[ManifestFile]:
    """Return a file of each kind: proven, by size only, by nothing, not archived."""
    return [
        kept("proven.csv"),
        kept("sized.csv", Fixity(fixity("sized.csv").size, {})),
        kept("bare.csv", Fixity()),
        lost("closed.csv", message="Closed until 2030."),
    ]


def test_each_file_has_what_was_published_what_arrived_and_where_it_is(tmp_path: Path) -> None:
    file = by_path(facts_of(archive_with(tmp_path, mixed())))["proven.csv"]

    assert file["declared"] == {"size": 10, "md5": fixity("proven.csv").digests["md5"]}
    assert file["observed"] == fixity("proven.csv").to_json()
    assert file["place"] == {
        "record_id": record_id(0),
        "filename": WARC,
        "offset": 0,
        "length": 900,
    }
    assert (file["proof"], file["matched"]) == ("digest", ["md5"])
    assert file["since"] == "2026-01-02T03:05:00Z"


def test_the_proof_is_counted_by_what_there_was_to_compare_with(tmp_path: Path) -> None:
    summary = facts_of(archive_with(tmp_path, mixed()))["summary"]

    assert summary["proof"] == {"digest": 1, "size": 1, "nothing": 1}
    assert (summary["files"], summary["kept"], summary["unknown_sizes"]) == (4, 3, 1)


def test_what_is_not_archived_is_named_with_its_reason_and_what_helps(tmp_path: Path) -> None:
    words = text_of(page_of(archive_with(tmp_path, mixed())))

    assert "Incomplete" in words
    assert "Closed until 2030." in words
    assert Status.PLATFORM_RESTRICTED.meaning.advice in words


def test_that_the_dataset_was_removed_from_the_holdings_is_stated(tmp_path: Path) -> None:
    archive = archive_with(tmp_path, [kept("a.csv")])
    assert "Removed from the holdings" not in text_of(page_of(archive))

    with Archive.create_or_open(archive) as opened:
        dataset = opened.ledger.catalogue.dataset_of(URL) or 0
        opened.ledger.curation.remove([dataset], "2026-05-02T10:00:00Z")

    words = text_of(page_of(archive))
    assert "Removed from the holdings 2026-05-02 10:00:00 UTC: what was archived is kept" in words
    assert facts_of(archive)["holding"]["removed"] == "2026-05-02T10:00:00Z"


def test_files_with_the_same_status_have_each_its_own_reason(tmp_path: Path) -> None:
    sizes = ("7 bytes arrived; the published size is 3", "4 bytes arrived; the published size is 9")
    files = [
        lost("large.txt", Status.MISMATCH_SIZE, sizes[0]),
        lost("small.txt", Status.MISMATCH_SIZE, sizes[1]),
        lost("one.txt", Status.BLOCKED_WALL, "HTTP 403"),
        lost("two.txt", Status.BLOCKED_WALL, "HTTP 403"),
    ]
    archive = archive_with(tmp_path, [kept("a.csv"), *files])

    (table, *_) = page_of(archive).css("table")
    rows = [[each.text(separator=" ") for each in row.css("th, td")] for row in table.css("tr")]
    differing, same = facts_of(archive)["summary"]["not_kept"]

    assert sizes[0] not in rows[1][0]
    assert rows[1][2].split() == f"large.txt {sizes[0]} small.txt {sizes[1]}".split()
    assert "HTTP 403" in rows[2][0]
    assert "HTTP 403" not in rows[2][2]
    assert (differing["message"], differing["messages"]) == (None, list(sizes))
    assert same["message"] == "HTTP 403"


def test_without_a_verification_none_is_claimed(tmp_path: Path) -> None:
    archive = archive_with(tmp_path, [kept("a.csv")])

    words = text_of(page_of(archive))

    assert "Not fully verified again since it was archived." in words
    assert "Last verified again" not in words
    assert "verified" not in facts_of(archive)["verification"]


def test_a_verification_is_stated_with_its_time_and_that_none_followed(tmp_path: Path) -> None:
    archive = verified(archive_with(tmp_path, [kept("a.csv")]))

    words = text_of(page_of(archive))

    assert "Last verified again 2026-02-03 04:05:06 UTC: all intact." in words
    assert "Last verified again 2026-02-03 04:05:06 UTC: intact." in words
    assert facts_of(archive)["verification"]["verified"] == VERIFIED


def test_what_was_found_after_the_last_verification_is_not_told_as_found_by_it(
    tmp_path: Path,
) -> None:
    faults = [(1, Fate.DAMAGED, "It differs.")]
    archive = verified(archive_with(tmp_path, [kept("a.csv"), kept("b.csv")]), faults)
    with Archive.create_or_open(archive) as opened:
        later = RecordFixity(record_id(0), "2026-02-05T00:00:00Z", Fate.MISSING, "It is gone.")
        opened.ledger.fixity.note([later])

    words = text_of(page_of(archive))

    assert (
        "Last verified again 2026-02-03 04:05:06 UTC: 1 record damaged or missing. Found damaged "
        "or missing since then: 1 record, the last on 2026-02-05 00:00:00 UTC."
    ) in words
    assert "when last verified again" not in words
    assert facts_of(archive)["verification"]["found_since"] == 1


def test_what_was_intact_when_last_verified_is_told_so_though_all_is_damaged_now(
    tmp_path: Path,
) -> None:
    archive = verified(archive_with(tmp_path, [kept("a.csv")]))
    with Archive.create_or_open(archive) as opened:
        later = RecordFixity(record_id(0), "2026-02-05T00:00:00Z", Fate.MISSING, "It is gone.")
        opened.ledger.fixity.note([later])

    words = text_of(page_of(archive))

    assert "2026-02-03 04:05:06 UTC: all intact. Found damaged or missing since then: 1" in words


def repair(archive: Path, *positions: int, remedy: str = "Repaired from a copy.") -> None:
    with Archive.create_or_open(archive) as opened:
        again = [
            RecordFixity(record_id(each), "2026-02-05T00:00:00Z", Fate.INTACT) for each in positions
        ]
        opened.ledger.fixity.note(again, remedy)


def test_a_verification_that_found_damage_is_not_told_as_all_intact_once_it_is_repaired(
    tmp_path: Path,
) -> None:
    faults = [(1, Fate.DAMAGED, "It differs."), (2, Fate.MISSING, "It is gone.")]
    files = [kept("a.csv"), kept("b.csv"), kept("c.csv")]
    archive = verified(archive_with(tmp_path, files), faults)
    begin = "Last verified again 2026-02-03 04:05:06 UTC: 2 records damaged or missing"
    assert f"{begin}." in text_of(page_of(archive))

    repair(archive, 1)
    half = text_of(page_of(archive))
    repair(archive, 2)

    words = text_of(page_of(archive))
    when = "2026-02-05 00:00:00 UTC."
    assert f"{begin}, 1 of them intact again when read on {when}" in half
    assert f"{begin}, intact again when read on {when}" in words
    assert "all intact" not in words
    assert f"{begin}, intact again when read on" in " ".join(printed(archive)[1].split())
    repaired = facts_of(archive)["verification"]["repaired"]
    assert repaired == {"records": 2, "at": "2026-02-05T00:00:00Z"}
    said = CliRunner().invoke(results, ["--archive", str(archive)]).output
    assert (
        f"verified {VERIFIED}: 2 records damaged or missing, intact again when read on "
        "2026-02-05T00:00:00Z"
    ) in said


def test_damage_that_is_read_once_more_was_found_when_it_was_found(tmp_path: Path) -> None:
    faults = [(0, Fate.DAMAGED, "It differs.")]
    archive = verified(archive_with(tmp_path, [kept("a.csv")]), faults)
    found = facts_of(archive)["verification"]["found"]
    with Archive.create_or_open(archive) as opened:
        again = RecordFixity(record_id(0), "2026-02-05T00:00:00Z", Fate.DAMAGED, "It differs.")
        opened.ledger.fixity.note([again])

    words = text_of(page_of(archive))
    assert facts_of(archive)["verification"]["found"] == found
    assert "04:05:06 UTC: 1 record damaged or missing." in words
    assert "found damaged or missing, the last on" not in words


def test_one_damaged_file_is_told_in_the_singular(tmp_path: Path) -> None:
    archive = verified(
        archive_with(tmp_path, [kept("a.csv"), kept("b.csv")]), [(1, Fate.DAMAGED, "It differs.")]
    )

    words = text_of(page_of(archive))

    assert "2 of 2 files archived; of these 1 is damaged or missing now." in words


def test_damage_comes_first_and_names_record_file_and_remedy(tmp_path: Path) -> None:
    archive = verified(
        archive_with(tmp_path, [kept("a.csv"), kept("b.csv"), kept("c.csv")]),
        [(1, Fate.DAMAGED, "The SHA-256 differs."), (2, Fate.MISSING, "The WARC is gone.")],
    )

    page, facts = page_of(archive), facts_of(archive)

    summary = page.css_first(".summary")
    assert summary is not None
    assert "bad" in summary.attributes["class"].split()  # type: ignore[union-attr]
    assert "Damaged" in summary.text()
    assert "3 of 3 files archived; of these 2 are damaged or missing now." in summary.text()
    assert "2 damaged or missing now" in text_of(page)
    assert "The SHA-256 differs." in text_of(page)
    assert f"carrel ingest {URL}" in text_of(page)
    assert (facts["summary"]["damaged"], facts["summary"]["missing"]) == (1, 1)
    assert by_path(facts)["b.csv"]["place"]["fate"] == "damaged"


def test_a_file_kept_although_it_differs_is_no_proof(tmp_path: Path) -> None:
    other = Fixity(4, {"md5": "0" * 32})
    archive = archive_with(tmp_path, [kept("a.csv", other)])

    facts, words = facts_of(archive), text_of(page_of(archive))

    assert facts["summary"]["differing"] == 1
    assert facts["summary"]["proof"]["digest"] == 0
    assert by_path(facts)["a.csv"]["differing"] == ["md5", "size"]
    assert "Archived, but not as published" in words


def test_every_attempt_is_in_the_history(tmp_path: Path) -> None:
    other = "20260102T030405-fedcba9876543210"
    archive = archive_with(tmp_path, [kept("a.csv")])
    archive_with(archive, [lost("a.csv")], ingest_id=other)

    attempts = facts_of(archive)["attempts"]

    assert [each["ingest_id"] for each in attempts] == [INGEST, other]
    assert attempts[1]["status"] == "platform-restricted"


def test_what_is_in_another_archive_is_not_told_as_verified(tmp_path: Path) -> None:
    there = replace(kept("b.csv"), terminal_url="https://web.archive.org/web/1id_/https://x/b.csv")
    archive = archive_with(tmp_path, [kept("a.csv"), there])
    with Archive.create_or_open(archive) as opened, opened.ledger._writing() as db:
        db.execute("UPDATE files SET capture_id = NULL WHERE path = 'b.csv'")
        db.execute("DELETE FROM captures WHERE record_id = ?", [record_id(1)])
    verified(archive)

    words = text_of(page_of(archive))

    assert "1 file in another archive was not read." in words
    assert "https://web.archive.org/web/1id_/https://x/b.csv" in words
    assert "place" not in by_path(facts_of(archive))["b.csv"]


def test_a_planned_item_is_not_told_as_one_that_is_there(tmp_path: Path) -> None:
    facts = facts_of(archive_with(tmp_path, [kept("a.csv")]))

    assert "archiveorg_item" not in facts["holding"]


def test_the_same_facts_are_the_same_bytes(tmp_path: Path) -> None:
    archive = verified(archive_with(tmp_path, [*mixed(), kept("日本語.csv")]))

    for form in CertificateForm:
        assert certify(archive, form) == certify(archive, form)


def test_another_day_of_issue_is_told(tmp_path: Path) -> None:
    archive = archive_with(tmp_path, [kept("a.csv")])

    page, told = certify(archive, HTML, issued=date(2027, 1, 1))

    assert b"issued 2027-01-01" in page
    assert told.sha256 != certify(archive, HTML)[1].sha256


def test_the_digest_that_is_printed_is_that_of_the_facts(tmp_path: Path) -> None:
    archive = archive_with(tmp_path, [kept(name) for name in HOSTILE])

    facts, told = certify(archive, JSON)
    page, (reader, text) = page_of(archive), printed(archive)
    embedded = page.css_first("#facts")

    assert embedded is not None
    assert sha256(facts).hexdigest() == told.sha256
    assert embedded.text() == facts.decode()
    assert reader.attachments["certificate.json"] == [facts]
    assert told.sha256 in text
    assert told.sha256 in text_of(page)


def test_names_from_outside_stay_text_in_html(tmp_path: Path) -> None:
    archive = archive_with(
        tmp_path,
        [kept(name) for name in HOSTILE],
        title="<b onclick=x>Title</b>",
        creators=["</style><script>alert(2)</script>"],
    )

    page = page_of(archive)

    assert page.css("script, img, link, iframe, object, a, b") == []
    assert [
        node for node in page.css("*") if any(name.startswith("on") for name in node.attributes)
    ] == []
    heading = page.css_first("h1")
    assert heading is not None
    assert heading.text() == "<b onclick=x>Title</b>"
    names = {node.text() for node in page.css("table.files th[scope=row]")}
    assert {HOSTILE[0], HOSTILE[1], HOSTILE[2], HOSTILE[6], HOSTILE[7]} <= names


def test_creators_are_told_apart_and_those_that_are_left_out_are_counted(tmp_path: Path) -> None:
    creators = [f"Söderqvist, {number}" for number in range(62)]

    page = page_of(archive_with(tmp_path, mixed(), creators=creators))

    assert "Söderqvist, 18; Söderqvist, 19; and 42 more" in text_of(page)


def test_html_refers_to_nothing_elsewhere(tmp_path: Path) -> None:
    page = page_of(archive_with(tmp_path, mixed()))

    style = page.css_first("style")
    assert style is not None
    assert "url(" not in style.text()
    assert "@import" not in style.text()
    assert [node.tag for node in page.css("[src], [href], [srcset], [action]")] == []


def test_html_can_be_read_aloud(tmp_path: Path) -> None:
    page = page_of(archive_with(tmp_path, mixed()))

    root, heads = page.css_first("html"), page.css("thead th")
    assert root is not None
    assert (root.attributes["lang"], root.attributes["dir"]) == ("en", "ltr")
    assert {head.attributes.get("scope") for head in heads} == {"col"}
    assert len(page.css("table")) == len(page.css("table > caption"))
    assert [row for row in page.css("tbody tr") if not row.css("th[scope=row]")] == []


@pytest.mark.parametrize("form", [HTML, JSON])
def test_what_turns_a_line_around_is_seen(tmp_path: Path, form: CertificateForm) -> None:
    written, _ = certify(archive_with(tmp_path, [kept(name) for name in HOSTILE]), form)

    text = written.decode()
    assert re.findall("[\x00-\x09\x0b-\x1f\x7f\u202a-\u202e\u2066-\u2069]", text) == []
    assert ("⟨U+202E⟩" in text) or ("\\u202e" in text)


def test_facts_keep_each_name_as_it_is(tmp_path: Path) -> None:
    facts = facts_of(archive_with(tmp_path, [kept(name) for name in HOSTILE]))

    assert [file["path"] for file in facts["files"]] == list(HOSTILE)


def test_names_from_outside_stay_text_in_pdf(tmp_path: Path) -> None:
    _, text = printed(archive_with(tmp_path, [kept(name) for name in HOSTILE]))

    assert '#eval("1") $x$ *b* \\u{41} @label.csv' in text
    assert "<script>alert(1)</script>.csv" in text
    assert "evil⟨U+202E⟩gpj.exe" in text


def test_pdf_says_what_it_is_and_in_which_language(tmp_path: Path) -> None:
    reader, text = printed(archive_with(tmp_path, mixed(), title="Tide tables of Sandhaven"))

    assert reader.metadata is not None
    assert reader.metadata.title == "Tide tables of Sandhaven"
    root: Any = reader.root_object
    assert root["/Lang"] == "en"
    assert root["/MarkInfo"]["/Marked"]
    assert "Incomplete" in text
    assert fixity("proven.csv").digests["sha256"] in text


def test_pdf_keeps_the_signature_with_what_is_signed(tmp_path: Path) -> None:
    """However many files there are, so wherever the page before ends."""
    for count in (1, 9, 12):
        files = [kept(f"table-{number}.csv") for number in range(count)]
        reader, _ = printed(archive_with(tmp_path / str(count), files))

        last = reader.pages[-1].extract_text()

        assert "Issued by" in last
        assert "Signature" in last


def test_platforms_have_the_names_that_their_makers_write(tmp_path: Path) -> None:
    _, text = printed(archive_with(tmp_path, mixed()))

    assert "Dataverse · data.example.org" in text


def test_no_text_of_a_pdf_is_printed_over_another(tmp_path: Path) -> None:
    archive = verified(
        archive_with(tmp_path, [kept("readme.txt"), kept("north sea/observations of 2019.csv")]),
        [
            (0, Fate.DAMAGED, "The record is shorter than when it was archived."),
            (1, Fate.MISSING, "The WARC is gone."),
        ],
    )

    pdf = certify(archive, PDF)[0]

    assert not printed_over(pdf)


def test_pdf_embeds_its_fonts(tmp_path: Path) -> None:
    reader, _ = printed(archive_with(tmp_path, mixed()))

    pages: Sequence[Any] = reader.pages
    fonts = [
        font.get_object()["/DescendantFonts"][0].get_object()["/FontDescriptor"]
        for page in pages
        for font in page["/Resources"]["/Font"].values()
    ]
    assert fonts
    assert all("/FontFile2" in font or "/FontFile3" in font for font in fonts)


def test_what_no_font_can_draw_is_printed_by_its_number_and_said(tmp_path: Path) -> None:
    unassigned = "\u0378"  # in no version of Unicode, so in no font
    archive = archive_with(tmp_path, [kept(f"odd{unassigned}.csv")])

    reader, text = printed(archive)

    assert "odd⟨U+0378⟩.csv" in text
    assert "Characters that could not be printed" in text
    facts = json.loads(reader.attachments["certificate.json"][0])
    assert facts["files"][0]["path"] == f"odd{unassigned}.csv"


def test_of_very_many_files_pdf_prints_those_not_proven_and_has_all(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(setting, "MOST_LISTED", 2)
    archive = archive_with(tmp_path, [kept("p.csv"), *mixed()])

    reader, text = printed(archive)

    facts = json.loads(gzip.decompress(reader.attachments["certificate.json.gz"][0]))
    assert len(facts["files"]) == 5
    assert "Of 5 files, these 2 are printed" in text
    assert "bare.csv" in text


def test_of_very_many_files_html_lists_all_and_says_where_the_facts_are(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(html, "_MOST_EMBEDDED", 2)

    page = page_of(archive_with(tmp_path, mixed()))

    assert len(page.css("table.files tbody tr")) == 4
    assert page.css("#facts") == []
    assert "a file that ends in .json" in text_of(page)


def test_half_a_character_is_seen_and_kept(tmp_path: Path) -> None:
    archive = archive_with(tmp_path, [kept("a.csv"), lost("b.csv", message="half \ud800 here")])

    assert by_path(facts_of(archive))["b.csv"]["message"] == "half \ud800 here"
    assert "half ⟨U+D800⟩ here" in text_of(page_of(archive))


def test_what_is_written_meanwhile_is_not_in_it(tmp_path: Path) -> None:
    archive = archive_with(tmp_path, [kept("a.csv")])
    with (
        Archive.open_for_reading(archive) as opened,
        opened.ledger.standing_still() as ledger,
    ):
        verified(archive)

        assert ledger.fixity.of_ingests([INGEST])[INGEST].verified is None
        assert opened.ledger.fixity.of_ingests([INGEST])[INGEST].verified == VERIFIED


def test_an_unknown_ingest_is_told(tmp_path: Path) -> None:
    archive = archive_with(tmp_path, [kept("a.csv")])

    with pytest.raises(UsageError, match="no finished ingest"):
        certify(archive, JSON, "nothing-of-this-name")


def test_a_damaged_result_is_told(tmp_path: Path) -> None:
    archive = archive_with(tmp_path, [kept("a.csv")])
    with Archive.create_or_open(archive) as opened, opened.ledger._writing() as db:
        db.execute("PRAGMA ignore_check_constraints = ON")
        db.execute("UPDATE results SET result = '{broken'")

    with pytest.raises(ArchiveError, match="damaged"):
        certify(archive, JSON)


@pytest.mark.parametrize(
    ("captured", "told"),
    [
        ("20261127071623", ["Captured 2026-11-27 07:16:23 UTC", "Since 2026-11-27 07:17:54 UTC"]),
        (
            "20261128000000",
            ["Since 2026-11-27 07:17:54 UTC", "last captured 2026-11-28 00:00:00 UTC"],
        ),
    ],
)
def test_no_file_was_captured_last_before_it_came(captured: str, told: Sequence[str]) -> None:
    """An ingest that was interrupted, and went on, ends long after its first captures."""
    file = replace(kept("a.csv"), terminal_dt=captured, terminal_url=None)

    row = file_row(PUBLISHED, None, 1, CertifiedFile(file, since="2026-11-27T07:17:54Z"))

    assert [value.text for value in row.cells[-1]] == told


@pytest.mark.parametrize(
    ("publisher", "place"),
    [
        ("Sample InvenioRDM", "Sample InvenioRDM."),
        ("Harbour Inc.", "Harbour Inc."),
        (None, "127.0.0.1:40839."),
    ],
)
def test_a_citation_names_the_publisher_and_a_host_only_where_there_is_none(
    publisher: str | None, place: str
) -> None:
    dataset = Dataset(
        "https://doi.org/10.5072/x",
        title="Tides",
        publisher=publisher,
        platform_domain="127.0.0.1:40839",
        doi="10.5072/x",
    )

    assert dataset.citation == f"Tides. {place} https://doi.org/10.5072/x"
