# SPDX-License-Identifier: AGPL-3.0-or-later
"""`carrel verify --evidence`, and signed certificates and reports, as one calls them."""

import json
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat

from core.cli.conftest import Carrel
from support.certified import INGEST, archive_with, kept
from support.keyrings import MemoryKeyring, Swapped


@pytest.fixture(autouse=True)
def ring() -> Iterator[MemoryKeyring]:
    with Swapped(memory := MemoryKeyring()):
        yield memory


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return archive_with(tmp_path / "archive", [kept("a.csv")])


def signed(carrel: Carrel, path: Path, folder: Path) -> Path:
    """Return a certificate with its signature beside it."""
    document = folder / "tides.html"
    ran = carrel(
        *("certificate", INGEST, "-o", document, "--sign", "keyring", "--ledger-only"),
        *("--archive", path),
    )
    assert ran.code == 0, ran.err
    assert "Signed with the key" in ran.err
    return document


def test_a_signed_certificate_is_checked_without_an_archive(
    carrel: Carrel, path: Path, tmp_path: Path
) -> None:
    document = signed(carrel, path, tmp_path)

    ran = carrel("verify", "--evidence", document, "--trust", f"{document}.p7s.crt")

    assert ran.code == 0, ran.out
    assert "Signature over tides.html: valid." in ran.out
    assert "it leads to the trusted certificate CN=Carrel" in ran.out
    assert "does not prove that what was signed is true" in ran.out


def test_a_document_that_was_changed_fails(carrel: Carrel, path: Path, tmp_path: Path) -> None:
    document = signed(carrel, path, tmp_path)
    document.write_bytes(document.read_bytes() + b" ")

    ran = carrel("verify", "--evidence", document)

    assert ran.code == 1
    assert "NOT VALID" in ran.out
    assert "The document is as it was attested" not in ran.out
    assert "Nothing proves" in ran.out


def test_without_trust_it_is_said_that_no_one_is_proven(
    carrel: Carrel, path: Path, tmp_path: Path
) -> None:
    ran = carrel("verify", "--evidence", signed(carrel, path, tmp_path))

    assert ran.code == 0
    assert "Who signed is not proven" in ran.out


def test_what_was_found_is_told_as_json(carrel: Carrel, path: Path, tmp_path: Path) -> None:
    ran = carrel("verify", "--evidence", "--json", signed(carrel, path, tmp_path))

    found = json.loads(ran.out)
    assert found["is_sound"]
    assert found["attestations"][0]["standing"] == "untrusted"
    assert len(found["attestations"][0]["signer"]["sha256"]) == 64


@pytest.mark.parametrize(
    "call",
    [
        ("--evidence",),
        ("--trust", "root.pem"),
        ("--evidence", "x", "--complete"),
        ("--evidence", "x", "--trust", "gone.pem"),
    ],
)
def test_a_call_that_makes_no_sense_is_refused(carrel: Carrel, call: tuple[str, ...]) -> None:
    assert carrel("verify", *call).code == 2


def test_a_path_that_is_not_there_is_a_failure(carrel: Carrel, tmp_path: Path) -> None:
    ran = carrel("verify", "--evidence", tmp_path / "gone")

    assert ran.code == 1
    assert "cannot be read" in ran.out


def test_a_signature_of_standard_output_is_refused(carrel: Carrel, path: Path) -> None:
    call = ("certificate", INGEST, "-o", "-", "--format", "json", "--sign", "keyring")

    ran = carrel(*call, "--archive", path)

    assert ran.code == 2
    assert "lies beside a file" in ran.err


def test_a_certificate_that_is_replaced_keeps_no_signature_of_the_old_one(
    carrel: Carrel, path: Path, tmp_path: Path
) -> None:
    document = signed(carrel, path, tmp_path)
    call = ("certificate", INGEST, "-o", document, "--force", "--ledger-only", "--archive", path)

    ran = carrel(*call, "--timestamp", "http://127.0.0.1:9/")

    assert ran.code == 2
    assert "gave no time stamp" in ran.err
    assert list(tmp_path.glob("tides.html*")) == []


@pytest.mark.parametrize("command", [("certificate", INGEST, "--ledger-only"), ("fixity",)])
def test_what_cannot_be_signed_is_not_written(
    carrel: Carrel, path: Path, tmp_path: Path, command: Sequence[str]
) -> None:
    key = tmp_path / "key.pem"
    made = ec.generate_private_key(ec.SECP256R1())
    key.write_bytes(made.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()))

    ran = carrel(*command, "-o", tmp_path / "t.html", "--sign", key, "--archive", path)

    assert ran.code == 2
    assert "certificate" in ran.err
    assert not list(tmp_path.glob("t.html*"))


def test_a_fixity_report_is_two_tables_or_a_page_that_can_be_signed(
    carrel: Carrel, path: Path, tmp_path: Path
) -> None:
    days = ("--since", "2026-01-01", "--until", "2026-12-31", "--archive", path)

    page = carrel("fixity", "-o", tmp_path / "fixity.html", "--sign", "keyring", *days)
    tables = carrel("fixity", "-o", tmp_path / "fixity.csv", *days)

    assert (page.code, tables.code) == (0, 0), page.err + tables.err
    names = {each.name for each in tmp_path.glob("fixity*")}
    assert {"fixity.html", "fixity.html.p7s", "fixity.csv", "fixity_holdings.csv"} <= names


@pytest.mark.parametrize(
    "call",
    [
        ("-o", "fixity.pdf"),
        ("-o", "fixity.html", "--since", "soon"),
        ("-o", "fixity.html", "--since", "2026-02-01", "--until", "2026-01-01"),
        ("-o", "fixity.html", "--until", "9999-12-31"),
        ("-o", "fixity.html", "--sign", "gone.pem"),
    ],
)
def test_a_report_that_cannot_be_is_refused(
    carrel: Carrel, path: Path, tmp_path: Path, call: tuple[str, ...]
) -> None:
    option, name, *rest = call

    ran = carrel("fixity", option, tmp_path / name, *rest, "--archive", path)

    assert ran.code == 2, ran.err


def test_a_table_never_takes_the_place_of_one_that_is_there(
    carrel: Carrel, path: Path, tmp_path: Path
) -> None:
    (tmp_path / "fixity_holdings.csv").write_text("mine")

    ran = carrel("fixity", "-o", tmp_path / "fixity.csv", "--archive", path)

    assert ran.code == 2
    assert (tmp_path / "fixity_holdings.csv").read_text() == "mine"
