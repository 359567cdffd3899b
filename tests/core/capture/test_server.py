# SPDX-License-Identifier: AGPL-3.0-or-later
"""Who answered is in the WARC: address, TLS and certificates, as the connection showed them."""

import subprocess
from pathlib import Path

import pytest
import trustme

from carrel.capture.server import Server
from carrel.model import Status
from support.archives import ingest, new_archive
from support.records import ReadRecord, read_warcs
from support.wire import WireServer, certified, dataset_page, reply

BODY = b"The tide came late.\n"


def archived(server: WireServer, folder: Path) -> list[ReadRecord]:
    """Return the records of a dataset of one file, archived from a server."""
    file = server.serve("/tides.txt", reply(BODY))
    page = dataset_page(server, [{"name": "tides.txt", "contentUrl": file}])
    archive = new_archive(folder / "archive")
    (result,) = ingest(archive, page)
    assert result.status in (Status.SUCCESS, Status.SUCCESS_FILE)
    return list(read_warcs(archive / "collections" / "main" / "archive"))


def exchanged(records: list[ReadRecord]) -> list[ReadRecord]:
    return [each for each in records if each.kind in ("request", "response")]


def test_each_exchange_says_from_which_address_it_came(tmp_path: Path) -> None:
    with WireServer() as server:
        records = archived(server, tmp_path)

    assert {each.headers["WARC-IP-Address"] for each in exchanged(records)} == {"127.0.0.1"}
    assert not any("WARC-Protocol" in each.headers for each in records)


def test_the_certificates_of_a_server_are_stored_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    authority = trustme.CA()
    intermediate = authority.create_child_ca()
    authority.cert_pem.write_to_path(tmp_path / "ca.pem")
    monkeypatch.setenv("SSL_CERT_FILE", str(tmp_path / "ca.pem"))
    with WireServer(certified(intermediate, "127.0.0.1")) as server:
        records = archived(server, tmp_path)
        host = server.origin.partition("//")[2]

    for each in exchanged(records):
        assert each.headers["WARC-Protocol"] == "tls/1.3"
        assert each.headers["WARC-Cipher-Suite"].startswith("TLS_")
    (chain,) = [each for each in records if "certificates" in (each.uri or "")]
    assert (chain.kind, chain.uri) == ("metadata", f"urn:x-carrel:certificates:{host}")
    assert chain.headers["Content-Type"] == "application/pem-certificate-chain"
    sent = [f"-----BEGIN{each}" for each in chain.payload.decode().split("-----BEGIN")[1:]]
    (tmp_path / "own.pem").write_text(sent[0])
    (tmp_path / "chain.pem").write_text("".join(sent[1:]))
    checked = subprocess.run(
        ["openssl", "verify", "-CAfile", tmp_path / "ca.pem",
         "-untrusted", tmp_path / "chain.pem", tmp_path / "own.pem"],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert checked.stdout.strip().endswith("own.pem: OK"), checked.stderr


def test_through_a_proxy_the_address_is_not_known() -> None:
    assert Server("", "tls/1.2", "ECDHE-RSA-AES128-GCM-SHA256").warc_fields == [
        ("WARC-Protocol", "tls/1.2"),
        ("WARC-Cipher-Suite", "ECDHE-RSA-AES128-GCM-SHA256"),
    ]
    assert Server.of("", None).warc_fields == []
