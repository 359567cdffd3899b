# SPDX-License-Identifier: AGPL-3.0-or-later
"""A kept payload as a file to send, and what becomes of one that cannot be read."""

import hashlib
import io
import os
from collections.abc import Iterator

import pytest

from carrel.capture.stored import Damaged
from carrel.credentials import Keys
from carrel.errors import IngestStop
from carrel.model import Capture, Status
from carrel.settings import ArchiveOrg, Settings
from carrel.strategies.item_metadata import PlannedItem
from carrel.strategies.item_upload import PayloadBody, Uploader
from carrel.strategies.staged_upload import StagedUpload
from support.archiveorg import ACCESS, SECRET, FakeArchiveOrg, Fault

BLOCKS = [b"the ", b"", b"tide", b" came"]
WHOLE = b"".join(BLOCKS)


def body(size: int = len(WHOLE)) -> PayloadBody:
    return PayloadBody(lambda: iter(BLOCKS), size)


def test_a_payload_is_read_block_by_block() -> None:
    with body() as payload:
        assert [payload.read(3) for _ in range(3)] == [b"the", b" ", b"tid"]
        assert payload.tell() == 7


def test_a_payload_tells_its_size_without_being_read_and_can_be_read_again() -> None:
    with body() as payload:
        assert payload.seek(0, os.SEEK_END) == len(WHOLE)
        assert payload.read(5) == b""
        payload.seek(0)
        assert payload.readall() == WHOLE
        payload.seek(0)
        assert payload.readall() == WHOLE


def test_a_payload_is_not_read_from_its_middle() -> None:
    with body() as payload, pytest.raises(io.UnsupportedOperation):
        payload.seek(3)


def test_what_was_read_is_told() -> None:
    told: list[int] = []

    with PayloadBody(lambda: iter(BLOCKS), len(WHOLE), told.append) as payload:
        payload.readall()

    assert told == [4, 8, len(WHOLE)]


def test_a_record_that_is_too_short_is_damaged() -> None:
    with body(len(WHOLE) + 1) as payload, pytest.raises(Damaged, match="1 bytes too early"):
        payload.readall()


def _no_file() -> Iterator[bytes]:
    raise FileNotFoundError(2, "No such file or directory")
    yield b""


def _broken() -> Iterator[bytes]:
    yield b"the "
    raise Damaged("its gzip member is broken")


@pytest.mark.parametrize("blocks", [_no_file, _broken])
def test_a_record_that_can_not_be_read_is_no_fault_of_the_network(blocks: object) -> None:
    capture = Capture(
        "http://x/", "x)/", "20260302093015", "text/plain", 200, 8, "0" * 32, "0" * 40, "0" * 64,
        "a.warc.gz", 0, 10, "<urn:uuid:1>",
    )  # fmt: skip
    with FakeArchiveOrg() as ia:
        settings = Settings(archiveorg=ArchiveOrg(url=ia.url, s3_url=ia.url))
        plan = PlannedItem("an-item", "", {"title": ("Tide",)})
        uploader = Uploader(settings, Keys(ACCESS, SECRET), plan, lambda: False)
        parcel = StagedUpload("a", capture, blocks, (0,))  # type: ignore[arg-type]  # of a table

        with pytest.raises(IngestStop, match="cannot be read again") as stop:
            uploader.put(parcel, lambda count: None, 8)

        uploader.close()

    assert stop.value.status is Status.STORE_DAMAGED
    assert ia.items == {}


@pytest.mark.parametrize(
    "target",
    [
        "https://archive.org/\xff\xfe",
        "\xff\xfe",
        "https://[archive.org/",
        "https://archive.org:port/",
        "https://\xe9.archive.org/",
        "http://u:s3cr3t@localhost:9/",
    ],
)
def test_a_redirect_that_makes_no_sense_ends_the_upload_by_name(target: str) -> None:
    with FakeArchiveOrg() as ia:
        ia.faults, ia.sends_on_to = [Fault.SENT_ON], target
        settings = Settings(archiveorg=ArchiveOrg(url=ia.url, s3_url=ia.url))
        plan = PlannedItem("an-item", "", {"title": ("Tide",)})
        uploader = Uploader(settings, Keys(ACCESS, SECRET), plan, lambda: False)
        parcel = StagedUpload("a", _capture_of(WHOLE), lambda: iter(BLOCKS), (0,))

        with pytest.raises(IngestStop) as stop:
            uploader.put(parcel, lambda count: None, len(WHOLE))

        uploader.close()

    assert stop.value.status is Status.ERROR_ARCHIVEORG_UPLOAD
    assert not any(word in str(stop.value) for word in (ACCESS, SECRET, "s3cr3t"))


def _capture_of(body: bytes) -> Capture:
    md5 = hashlib.md5(body).hexdigest()
    return Capture(
        "http://x/", "x)/", "20260302093015", "text/plain", 200, len(body), md5, "0" * 40, "0" * 64,
        "a.warc.gz", 0, 10, "<urn:uuid:1>",
    )  # fmt: skip
