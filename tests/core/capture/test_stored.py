# SPDX-License-Identifier: AGPL-3.0-or-later
"""Reading a record again finds whatever happened to it."""

import hashlib
import threading
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from carrel.capture.gzip_member import compress_member
from carrel.capture.records import response_record
from carrel.capture.stored import Damaged, payload_blocks, payload_fixity
from carrel.capture.warc_series import Place, WarcSeries
from carrel.model import Fixity
from support.records import exchange

PAYLOAD = b"The curlews were heard after dark.\r\n\r\n" * 40 + hashlib.shake_128(b"").digest(3000)
SHA256 = hashlib.sha256(PAYLOAD).hexdigest()
KEEP_FIXTURES = settings(
    max_examples=300, suppress_health_check=[HealthCheck.function_scoped_fixture]
)


@pytest.fixture(params=["whole", "part"])
def stored(request: pytest.FixtureRequest, series: WarcSeries) -> tuple[Path, Place]:
    """A record written at once, and one that was written while its payload arrived."""
    place = _whole(series) if request.param == "whole" else _part(series)
    return series.staging / place.filename, place


def _whole(series: WarcSeries) -> Place:
    return series.append(response_record(exchange(), PAYLOAD, "<urn:uuid:1>"))


def _part(series: WarcSeries) -> Place:
    part = series.start_part(exchange())
    part.write(PAYLOAD[:1000])
    part.write(PAYLOAD[1000:])
    fixity = Fixity(len(PAYLOAD), {"sha1": hashlib.sha1(PAYLOAD).hexdigest()})
    part.finish(fixity)
    return series.adopt(part)


def check(path: Path, place: Place) -> None:
    """Raise Damaged unless the payload is the one that was stored."""
    found = payload_fixity(path, place.offset, place.length, ["sha256"])
    if found != Fixity(len(PAYLOAD), {"sha256": SHA256}):
        raise Damaged("it is another")


def test_an_intact_record_is_read_whole(stored: tuple[Path, Place]) -> None:
    path, place = stored

    check(path, place)

    assert b"".join(payload_blocks(path, place.offset, place.length)) == PAYLOAD


@given(data=st.data())
@KEEP_FIXTURES
def test_a_flipped_bit_is_found_or_does_no_harm(
    stored: tuple[Path, Place], tmp_path: Path, data: st.DataObject
) -> None:
    path, place = stored
    position = place.offset + data.draw(st.integers(0, place.length - 1))
    bit = 1 << data.draw(st.integers(0, 7))
    content = bytearray(path.read_bytes())
    content[position] ^= bit
    damaged = tmp_path / "damaged.warc.gz"
    damaged.write_bytes(content)

    try:
        check(damaged, place)
    except Damaged:
        return
    # Only the time and system in gzip's header, and bits that deflate leaves unused, are free.
    assert b"".join(payload_blocks(damaged, place.offset, place.length)) == PAYLOAD


@given(data=st.data())
@KEEP_FIXTURES
def test_a_flipped_bit_of_the_payload_is_always_found(
    series: WarcSeries, tmp_path: Path, data: st.DataObject
) -> None:
    noise = hashlib.shake_128(b"noise").digest(2000)
    part = series.start_part(exchange())
    part.write(noise)
    sha1 = hashlib.sha1(noise).hexdigest()
    part.finish(Fixity(len(noise), {"sha1": sha1}))
    place = series.adopt(part)
    content = bytearray((series.staging / place.filename).read_bytes())
    position = content.index(noise, place.offset) + data.draw(st.integers(0, len(noise) - 1))
    content[position] ^= 1 << data.draw(st.integers(0, 7))
    damaged = tmp_path / "damaged.warc.gz"
    damaged.write_bytes(content)

    with pytest.raises(Damaged):
        payload_fixity(damaged, place.offset, place.length, ["sha256"])


@given(data=st.data())
@KEEP_FIXTURES
def test_a_file_that_was_cut_off_is_found(
    stored: tuple[Path, Place], tmp_path: Path, data: st.DataObject
) -> None:
    path, place = stored
    end = data.draw(st.integers(0, place.offset + place.length - 1))
    damaged = tmp_path / "damaged.warc.gz"
    damaged.write_bytes(path.read_bytes()[:end])

    with pytest.raises(Damaged):
        check(damaged, place)


@given(offset=st.integers(1, 3000))
@KEEP_FIXTURES
def test_a_wrong_place_is_found(stored: tuple[Path, Place], offset: int) -> None:
    path, place = stored

    with pytest.raises(Damaged):
        check(path, Place(place.filename, place.offset + offset, place.length))


@pytest.mark.parametrize("difference", [-1, 1, -20])
def test_a_wrong_length_is_found(stored: tuple[Path, Place], difference: int) -> None:
    path, place = stored
    with path.open("ab") as file:
        file.write(path.read_bytes()[place.offset :])

    with pytest.raises(Damaged):
        check(path, Place(place.filename, place.offset, place.length + difference))


def test_a_file_that_is_gone_is_not_called_damaged(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        check(tmp_path / "gone.warc.gz", Place("gone.warc.gz", 0, 10))


def test_a_payload_that_shrank_to_nothing_is_read_in_small_blocks(series: WarcSeries) -> None:
    mebibyte = bytes(1024 * 1024)
    part = series.start_part(exchange())
    for _ in range(64):
        part.write(mebibyte)
    part.finish(Fixity(64 * len(mebibyte), {"sha1": "00" * 20}))
    place = series.adopt(part)

    sizes = [
        len(block)
        for block in payload_blocks(series.staging / place.filename, place.offset, place.length)
    ]

    assert sum(sizes) == 64 * len(mebibyte)
    assert max(sizes) <= 4 * len(mebibyte)


@pytest.mark.parametrize("flag", [0x20, 0x40, 0x80])
def test_flags_that_gzip_refuses_are_damage(tmp_path: Path, flag: int) -> None:
    member = bytearray(compress_member(b"WARC/1.1\r\nContent-Length: 0\r\n\r\n\r\n\r\n"))
    member[3] |= flag
    path = tmp_path / "flags.warc.gz"
    path.write_bytes(member)

    with pytest.raises(Damaged, match="does not begin as gzip does"):
        list(payload_blocks(path, 0, len(member)))


@pytest.mark.parametrize(
    ("at", "words"),
    [
        (-6, r"its bytes are not as they were written \(checksum mismatch\)"),
        (11, "its bytes cannot be decompressed"),
    ],
)
def test_damage_is_told_in_plain_words(tmp_path: Path, at: int, words: str) -> None:
    record = bytearray(response_record(exchange(), PAYLOAD, "<urn:uuid:1>").member())
    record[at] ^= 255
    path = tmp_path / "a.warc.gz"
    path.write_bytes(record)

    with pytest.raises(Damaged, match=f"the record is damaged: {words}$"):
        payload_fixity(path, 0, len(record), [])


@pytest.mark.parametrize("said", [b"", b"Content-Length: many\r\n", b"Content-Length:\r\n"])
def test_a_record_that_does_not_say_how_long_it_is_is_damaged(tmp_path: Path, said: bytes) -> None:
    member = compress_member(b"WARC/1.1\r\n%b\r\nHTTP/1.1 200 OK\r\n\r\n\r\n\r\n" % said)
    path = tmp_path / "a.warc.gz"
    path.write_bytes(member)

    with pytest.raises(Damaged, match="does not say how long it is"):
        payload_fixity(path, 0, len(member), [])


def test_a_large_payload_that_is_damaged_leaves_no_thread(tmp_path: Path) -> None:
    noise = hashlib.shake_128(b"noise").digest(5 * 1024 * 1024)
    record = bytearray(response_record(exchange(), noise, "<urn:uuid:1>").member())
    record[-6] ^= 1  # in its CRC
    path = tmp_path / "a.warc.gz"
    path.write_bytes(record)

    with pytest.raises(Damaged, match="checksum"):
        payload_fixity(path, 0, len(record), ["sha256"])

    assert [each for each in threading.enumerate() if each.name == "digests"] == []
