# SPDX-License-Identifier: AGPL-3.0-or-later
"""What arrived is held against everything that was published, and nothing else."""

import hashlib
from dataclasses import replace

import pytest

from carrel.capture.arrival import Fetched
from carrel.model import Fixity, ManifestFile, Status
from carrel.model.digest import algorithm_name
from carrel.strategies.comparison import compare, difference, is_provable
from support.records import exchange

CONTENT = b"The tide came late.\n"
ALGORITHMS = ("md5", "sha1", "sha256", "sha512")


def fixity(content: bytes) -> Fixity:
    digests = {name: hashlib.new(name, content).hexdigest() for name in ALGORITHMS}
    return Fixity(len(content), digests)


def fetched(
    body: bytes = CONTENT, *, kind: str = "text/plain", url: str = "http://example.org/a"
) -> Fetched:
    headers = ((b"Content-Type", kind.encode()),)
    return Fetched((), exchange(url, body, headers=headers), fixity(body))


def entry(declared: Fixity = Fixity(), mimetype: str | None = None) -> ManifestFile:
    return ManifestFile("tide.txt", "http://example.org/a", declared, mimetype)


def status_of(file: ManifestFile, came: Fetched) -> Status | None:
    found = difference(file, came)
    return found.status if found else None


@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_each_digest_is_enough_to_agree(algorithm: str) -> None:
    declared = Fixity(None, {algorithm: fixity(CONTENT).digests[algorithm].upper()})

    assert difference(entry(declared), fetched()) is None


@pytest.mark.parametrize(
    ("algorithm", "status"),
    [
        ("md5", Status.MISMATCH_MD5),
        ("sha1", Status.MISMATCH_SHA1),
        ("sha256", Status.MISMATCH_SHA256),
        ("sha512", Status.MISMATCH),
    ],
)
def test_each_digest_that_differs_is_named(algorithm: str, status: Status) -> None:
    published = "0" * len(fixity(b"").digests[algorithm])

    found = difference(entry(Fixity(len(CONTENT), {algorithm: published})), fetched())

    assert found is not None
    assert found.status is status
    assert published in found.message
    assert f"{algorithm_name(algorithm)} {fixity(CONTENT).digests[algorithm]};" in found.message


def test_one_digest_of_several_that_differs_is_a_mismatch() -> None:
    digests = {**fixity(CONTENT).digests, "sha1": "0" * 40}

    assert status_of(entry(Fixity(None, digests)), fetched()) is Status.MISMATCH_SHA1


@pytest.mark.parametrize("size", [0, len(CONTENT) - 1, len(CONTENT) + 1])
def test_another_size_is_a_mismatch(size: int) -> None:
    assert status_of(entry(Fixity(size)), fetched()) is Status.MISMATCH_SIZE


def test_an_unknown_size_is_no_mismatch() -> None:
    assert difference(entry(), fetched()) is None
    assert (
        difference(entry(Fixity(None, {"md5": fixity(CONTENT).digests["md5"]})), fetched()) is None
    )


def test_a_digest_that_nobody_can_compute_is_no_mismatch() -> None:
    declared = Fixity(len(CONTENT), {"adler32": "1234"})

    assert difference(entry(declared), fetched()) is None
    assert not is_provable(declared)


def test_an_empty_file_that_was_published_is_legal() -> None:
    assert difference(entry(Fixity(0)), fetched(b"")) is None
    assert compare(fixity(b""), fixity(b"")) is None


def test_nothing_in_place_of_a_file_of_unknown_size_is_empty() -> None:
    assert status_of(entry(), fetched(b"")) is Status.EMPTY_BLOB


def test_a_file_that_its_server_calls_empty_is_legal() -> None:
    came = fetched(b"")
    stated = ((b"Content-Type", b"text/plain"), (b"Content-Length", b"0"))
    says_so = replace(came, exchange=exchange("http://example.org/a", b"", headers=stated))
    at_log_in = exchange("http://example.org/login", b"", headers=stated)

    assert difference(entry(), says_so) is None
    assert status_of(entry(Fixity(4)), says_so) is Status.MISMATCH_SIZE
    assert status_of(entry(), replace(came, exchange=at_log_in)) is Status.BLOCKED_WALL


def test_either_form_of_a_coded_body_may_be_the_published_one() -> None:
    came = replace(fetched(b"coded"), decoded=fixity(CONTENT))

    assert difference(entry(fixity(CONTENT)), came) is None
    assert difference(entry(fixity(b"coded")), came) is None
    assert status_of(entry(fixity(b"something else")), came) is Status.MISMATCH_SIZE


def test_a_web_page_in_place_of_a_table_is_named() -> None:
    page = fetched(b"<h1>Sorry</h1>", kind="text/html")

    assert status_of(entry(mimetype="text/csv"), page) is Status.WRONG_MIMETYPE
    assert difference(entry(mimetype="text/html"), page) is None


@pytest.mark.parametrize(
    ("path", "declared", "is_refused"),
    [
        ("tide.zip", Fixity(), True),
        ("tide.NC", Fixity(), True),
        ("tide.csv", Fixity(), True),
        ("README.md", Fixity(), False),
        ("tide.svg", Fixity(), False),
        ("Tides at example.org", Fixity(), False),
        ("tide.html", Fixity(), False),
        ("ftp.jsp", Fixity(), False),
        ("zenodo.1234567", Fixity(), False),
        ("download", Fixity(), False),
        ("tide.zip", Fixity(14), False),
        ("tide.zip", fixity(b"<h1>Sorry</h1>"), False),
    ],
)
def test_a_web_page_is_told_by_the_name_of_what_it_came_for(
    path: str, declared: Fixity, is_refused: bool
) -> None:
    page = fetched(b"<h1>Sorry</h1>", kind="text/html")
    file = replace(entry(declared), path=path)

    assert status_of(file, page) is (Status.WRONG_MIMETYPE if is_refused else None)


@pytest.mark.parametrize(
    ("body", "path", "mimetype"),
    [
        (b"Database error", "a", "application/zip"),
        (b'{"error": "gone"}', "a", "image/png"),
        (b"Database error", "a.zip", None),
        (b"<\0h\0t\0m\0l\0>\0", "a", "text/csv"),
    ],
)
def test_what_can_not_be_the_file_is_refused(body: bytes, path: str, mimetype: str | None) -> None:
    file = replace(entry(mimetype=mimetype), path=path)

    assert status_of(file, fetched(body, kind="text/html")) is Status.WRONG_MIMETYPE


@pytest.mark.parametrize(
    ("path", "mimetype", "size"),
    [
        ("codebook.html", "application/octet-stream", 14),
        ("codebook.htm", "text/plain", 14),
        ("records/ead.XML", "application/xml", 14),
        ("codebook.html", "application/octet-stream", None),
    ],
)
def test_a_page_that_was_deposited_is_a_file(path: str, mimetype: str, size: int | None) -> None:
    """Zenodo calls each file application/octet-stream."""
    page = fetched(b"<h1>Sorry</h1>", kind="text/html")
    file = replace(entry(Fixity(size), mimetype), path=path)

    assert difference(file, page) is None


@pytest.mark.parametrize(
    ("path", "mimetype", "size", "status"),
    [
        ("codebook.html", "application/octet-stream", 15, Status.MISMATCH_SIZE),
        ("codebook.html", "application/pdf", None, Status.WRONG_MIMETYPE),
        ("codebook.csv", "application/octet-stream", None, Status.WRONG_MIMETYPE),
    ],
)
def test_a_page_that_cannot_be_the_deposited_file_is_refused(
    path: str, mimetype: str, size: int | None, status: Status
) -> None:
    page = fetched(b"<h1>Sorry</h1>", kind="text/html")
    file = replace(entry(Fixity(size), mimetype), path=path)

    assert status_of(file, page) is status


@pytest.mark.parametrize(
    ("body", "mimetype", "is_named"),
    [
        (b"<!DOCTYPE html><p>Sign in", "text/csv", True),
        (b"<!DOCTYPE html><p>Sign in", "text/html", False),
        (b"year,tide\n", "text/csv", False),
    ],
)
def test_of_another_size_it_is_said_that_a_web_page_came(
    body: bytes, mimetype: str, is_named: bool
) -> None:
    found = difference(entry(Fixity(4096), mimetype), fetched(body, kind="text/html"))

    assert found is not None
    assert found.status is Status.MISMATCH_SIZE
    assert ("It is a web page, and not the file" in found.message) is is_named


def test_a_page_in_a_coding_that_nobody_can_undo_is_one_by_its_servers_word() -> None:
    came = fetched(b"\x8b\x0f", kind="text/html")
    headers = ((b"Content-Type", b"text/html"), (b"Content-Encoding", b"br"))
    coded = exchange("http://example.org/a", b"\x8b\x0f", headers=headers)

    assert status_of(entry(mimetype="text/csv"), replace(came, exchange=coded)) is (
        Status.WRONG_MIMETYPE
    )


@pytest.mark.parametrize(
    "body", [CONTENT, b"PK\x03\x04", b"\x00\x01", b"<?xml version='1.0'?><a/>"]
)
@pytest.mark.parametrize("mimetype", ["text/csv", None])
def test_what_only_its_server_calls_a_page_is_the_file(body: bytes, mimetype: str | None) -> None:
    assert status_of(entry(mimetype=mimetype), fetched(body, kind="text/html")) is None


def test_a_bot_check_in_place_of_a_file_is_named() -> None:
    page = fetched(b"<title>Just a moment...</title>", kind="text/html")

    assert status_of(entry(), page) is Status.BLOCKED_CHALLENGE
    assert status_of(entry(fixity(CONTENT)), page) is Status.BLOCKED_CHALLENGE


def test_a_log_in_page_in_place_of_a_file_is_named() -> None:
    page = fetched(b"<h1>Log in</h1>", kind="text/html", url="http://example.org/login?next=a")

    assert status_of(entry(fixity(CONTENT)), page) is Status.BLOCKED_WALL


@pytest.mark.parametrize("declared", [Fixity(), Fixity(10_000), fixity(CONTENT)])
def test_a_page_that_wants_a_password_is_named_whatever_was_published(declared: Fixity) -> None:
    body = b"<title>Log in</title><form><input name=p type=password></form>"
    page = fetched(body, kind="text/html")

    assert status_of(entry(declared), page) is Status.BLOCKED_WALL
    assert status_of(entry(declared), fetched(body)) is not Status.BLOCKED_WALL
    assert status_of(entry(declared, mimetype="text/html"), page) is not Status.BLOCKED_WALL
    assert status_of(replace(entry(declared), path="a/Home.HTML"), page) is not Status.BLOCKED_WALL


def test_a_page_that_was_published_is_no_intruder() -> None:
    body = b"<title>Just a moment...</title>"

    assert difference(entry(fixity(body)), fetched(body, kind="text/html")) is None
