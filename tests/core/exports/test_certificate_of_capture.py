# SPDX-License-Identifier: AGPL-3.0-or-later
"""What a certificate says of the servers that answered, against the WARC files themselves."""

import hashlib
import io
import json
import subprocess
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
import trustme
from selectolax.lexbor import LexborHTMLParser

from carrel.archive import Archive
from carrel.engine.holdings import Holdings
from carrel.exports.certificate.server_certificates import certificate_in
from carrel.model.certificate import CertificateForm
from support.archives import carrel, ingest, new_archive
from support.held import hold
from support.printed_pages import printed_beyond
from support.wire import WireServer, certified, dataset_page, reply

BODY = b"The tide came late.\n" * 2000
WARCS = Path("collections/main/archive")


@pytest.fixture
def late() -> str:
    """An hour later than our clock, as a server states it."""
    return format_datetime(datetime.now(UTC) + timedelta(hours=1), usegmt=True)


def archived(server: WireServer, folder: Path, date: str) -> Path:
    file = server.serve("/tides.txt", reply(BODY, Date=date))
    page = dataset_page(server, [{"name": "tides.txt", "contentUrl": file}])
    archive = new_archive(folder / "archive")
    ingest(archive, page)
    return archive


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, late: str) -> Path:
    """An archive of one dataset, from a server with TLS."""
    authority = trustme.CA()
    authority.cert_pem.write_to_path(tmp_path / "ca.pem")
    monkeypatch.setenv("SSL_CERT_FILE", str(tmp_path / "ca.pem"))
    with WireServer(certified(authority, "127.0.0.1")) as server:
        return archived(server, tmp_path, late)


def certify(folder: Path, form: CertificateForm, *, reads_warcs: bool = True) -> bytes:
    written = io.BytesIO()
    with Archive.open_for_reading(folder) as archive:
        (row,) = archive.ledger.holdings.listed()
        Holdings(archive).certify(row["ingest_id"], written, form, reads_warcs=reads_warcs)
    return written.getvalue()


def capture_in(folder: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(certify(folder, CertificateForm.JSON))["capture"]
    return found


def text_of(folder: Path) -> str:
    body = LexborHTMLParser(certify(folder, CertificateForm.HTML)).body
    assert body is not None
    return body.text(separator=" ")


def test_each_warc_has_its_digest_as_sha256sum_prints_it(folder: Path) -> None:
    (warc,) = capture_in(folder)["warcs"]

    content = (folder / WARCS / warc["name"]).read_bytes()
    assert (warc["size"], warc["sha256"]) == (len(content), hashlib.sha256(content).hexdigest())
    assert warc["sha256"] in text_of(folder)


def test_a_server_has_its_address_its_tls_and_its_certificate(folder: Path) -> None:
    (server,) = capture_in(folder)["servers"]

    assert server["addresses"] == ["127.0.0.1"]
    assert server["tls"] == ["tls/1.3"]
    assert server["answers"] >= 2
    (certificate,) = server["certificates"]
    assert "trustme" in certificate["subject"]
    assert certificate["not_before"] < certificate["not_after"]


def test_the_commands_on_the_certificate_give_the_same_fingerprint(
    folder: Path, tmp_path: Path
) -> None:
    (warc,), (server,) = capture_in(folder)["warcs"], capture_in(folder)["servers"]
    lines = [
        line
        for line in text_of(folder).splitlines()
        if line.strip().startswith(("gzip -dc FILE", "openssl x509"))
    ]
    assert len(lines) == 2

    script = "\n".join(lines).replace("FILE", str(folder / WARCS / warc["name"]), 1)
    ran = subprocess.run(
        ["sh", "-ec", script], cwd=tmp_path, capture_output=True, text=True, check=True
    )

    printed = ran.stdout.replace(":", "").lower()
    assert server["certificates"][0]["sha256"] in printed


def test_the_largest_deviation_of_a_servers_clock_is_stated(folder: Path) -> None:
    (server,) = capture_in(folder)["servers"]

    assert 3590 <= server["clock_most_s"] <= 3600
    assert "Largest deviation: +3," in text_of(folder)


@pytest.mark.parametrize("date", ["", "yesterday", "Thu, 99 Foo 2026 00:00:00 GMT"])
def test_a_date_that_is_none_is_not_made_up(tmp_path: Path, date: str) -> None:
    with WireServer() as server:
        folder = archived(server, tmp_path, date)

    (found,) = capture_in(folder)["servers"]
    assert "clock_most_s" not in found


def test_a_fingerprint_is_printed_whole_within_the_page(folder: Path) -> None:
    pdf = certify(folder, CertificateForm.PDF)

    assert not printed_beyond(pdf, right_pt=(210 - 19) / 25.4 * 72)


def test_without_tls_there_is_no_certificate(tmp_path: Path, late: str) -> None:
    with WireServer() as server:
        folder = archived(server, tmp_path, late)

    (found,) = capture_in(folder)["servers"]
    assert (found["tls"], found["certificates"]) == ([], [])
    assert "none noted" in text_of(folder)


def test_a_warc_that_is_gone_is_said_to_be(folder: Path) -> None:
    (warc,) = (folder / WARCS).glob("*.warc.gz")
    warc.unlink()

    assert capture_in(folder)["warcs"] == [{"name": warc.name, "fault": "It is not there."}]
    assert "It is not there." in text_of(folder)


def test_a_damaged_warc_has_the_digest_that_it_has(folder: Path) -> None:
    (warc,) = (folder / WARCS).glob("*.warc.gz")
    content = bytearray(warc.read_bytes())
    content[len(content) // 2 :] = bytes(len(content) - len(content) // 2)
    warc.write_bytes(content)

    (found,) = capture_in(folder)["warcs"]
    assert found["sha256"] == hashlib.sha256(content).hexdigest()


def test_from_the_ledger_alone_nothing_is_said_of_servers(folder: Path) -> None:
    facts = json.loads(certify(folder, CertificateForm.JSON, reads_warcs=False))

    assert "capture" not in facts


def test_the_same_archive_gives_the_same_bytes(folder: Path) -> None:
    assert certify(folder, CertificateForm.JSON) == certify(folder, CertificateForm.JSON)


def test_the_blanks_are_for_a_qualified_person_and_empty(folder: Path) -> None:
    words = text_of(folder)

    for each in ("902(13) and (14)", "Role in this process", "Process, in your own words"):
        assert each in words


@pytest.mark.parametrize(
    "block", [b"", b"-----BEGIN CERTIFICATE-----", b"-----END CERTIFICATE-----", b"\xff" * 99]
)
def test_what_is_no_certificate_is_none(block: bytes) -> None:
    assert certificate_in(block) is None


def test_what_only_looks_like_a_certificate_has_a_digest_and_no_subject() -> None:
    found = certificate_in(b"-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n")

    assert found is not None
    assert (found.sha256, found.subject) == (hashlib.sha256(bytes(3)).hexdigest(), None)


def test_who_answered_for_other_datasets_in_the_same_warc_is_not_named(tmp_path: Path) -> None:
    folder = new_archive(tmp_path / "archive")
    with WireServer() as one, WireServer() as two:
        pages = []
        for server, body in ((one, BODY), (two, BODY[:-1])):
            file = {"name": "tides.txt", "contentUrl": server.serve("/tides.txt", reply(body))}
            pages.append(dataset_page(server, [file], identifier=body[-3:].decode()))
        ingest(folder, *pages)
        hosts = [urlsplit(page).netloc for page in pages]
    assert carrel("archive", "pack", "--archive", folder).code == 0
    assert len(list((folder / WARCS).iterdir())) == 1

    with Archive.open_for_reading(folder) as archive:
        told = []
        for row in archive.ledger.holdings.listed():
            written = io.BytesIO()
            Holdings(archive).certify(row["ingest_id"], written, CertificateForm.JSON)
            servers = json.loads(written.getvalue())["capture"]["servers"]
            told.append([(each["host"], each["answers"]) for each in servers])

    assert sorted(told) == sorted([(host, 2)] for host in hosts)


def test_bytes_in_the_record_of_another_capture_are_said_to_be_there(
    server: WireServer, archive: Archive
) -> None:
    hold(archive, server, {"a.txt": b"tide" * 9}, "1")
    hold(archive, server, {"b.txt": b"tide" * 9, "c.txt": b"ebb"}, "2", dataset="doi:10.5072/Y")

    spoken = [words_on_files(archive, ingest_id) for ingest_id in ("1", "2")]

    assert "record of another capture" not in spoken[0]
    assert spoken[1].count("record of another capture, which had the same ones: of ") == 1
    assert f"from {server.origin}/1/0" in spoken[1]


def words_on_files(archive: Archive, ingest_id: str) -> str:
    written = io.BytesIO()
    Holdings(archive).certify(ingest_id, written, CertificateForm.HTML)
    return " ".join(LexborHTMLParser(written.getvalue()).text(separator=" ").split())
