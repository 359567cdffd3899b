# SPDX-License-Identifier: AGPL-3.0-or-later
"""The WARCs of one ingest: whole or not there at all."""

import errno
import gzip
import hashlib
import os
import re
import resource
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from io import FileIO
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from carrel.capture import warc_series
from carrel.capture.annotations import document_record
from carrel.capture.records import response_record
from carrel.capture.stored import Damaged
from carrel.capture.unfinished import Beginning
from carrel.capture.warc_series import Place, WarcNaming, WarcSeries
from carrel.model import Fixity
from support.records import STARTED, exchange, files_in, read_warc, read_warcs

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer

NOISE = hashlib.shake_128(b"noise").digest(400_000)
URL = "http://example.org/"


def append(series: WarcSeries, name: str, body: bytes) -> Place:
    record = response_record(exchange(URL + name), body, f"<urn:uuid:{name}>")
    return series.append(record, document_record(URL + name, b"about", "text/plain", STARTED))


def add_part(series: WarcSeries, name: str, body: bytes) -> Place:
    part = series.start_part(exchange(URL + name))
    part.write(body)
    fixity = Fixity(len(body), {"sha1": hashlib.sha1(body).hexdigest()})
    part.finish(fixity)
    return series.adopt(part)


def payload_at(folder: Path, place: Place) -> bytes:
    packed = (folder / place.filename).read_bytes()
    member = gzip.decompress(packed[place.offset : place.offset + place.length])
    return member.split(b"\r\n\r\n", 2)[2].removesuffix(b"\r\n\r\n")


@contextmanager
def no_file_longer_than(size: int) -> Iterator[None]:
    """Let the kernel cut every write beyond this length, as a full disk does."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


def test_records_stand_where_they_are_said_to(series: WarcSeries, collection: Path) -> None:
    places = [append(series, "a", b"one"), append(series, "b", b"two"), append(series, "c", b"")]

    series.seal()

    assert [payload_at(collection, place) for place in places] == [b"one", b"two", b""]


def test_each_file_opens_with_its_own_name(series: WarcSeries, collection: Path) -> None:
    append(series, "a", b"one")

    (path,) = series.seal()

    first = read_warc(path)[0]
    assert (first.kind, first.headers["WARC-Filename"]) == ("warcinfo", path.name)
    assert re.fullmatch(r"main-\d{14}-00001-carrel\.warc\.gz", path.name)


def test_a_file_that_would_grow_too_large_is_closed_before(
    tmp_path: Path, naming: WarcNaming, collection: Path
) -> None:
    series = WarcSeries(tmp_path / "staging", collection, naming, 300_000)

    places = [append(series, name, NOISE[:120_000]) for name in "abcd"]
    sealed = series.seal()

    assert [place.filename.split("-")[2] for place in places] == [
        "00001",
        "00001",
        "00002",
        "00002",
    ]
    assert all(path.stat().st_size <= 300_000 for path in sealed)


def test_a_record_larger_than_a_file_may_be_is_alone(
    tmp_path: Path, naming: WarcNaming, collection: Path
) -> None:
    series = WarcSeries(tmp_path / "staging", collection, naming, 100_000)

    append(series, "a", b"small")
    place = append(series, "b", NOISE)
    append(series, "c", b"small")
    sealed = series.seal()

    assert len(sealed) == 3
    assert payload_at(collection, place) == NOISE


def test_a_record_and_its_companions_stay_together(
    tmp_path: Path, naming: WarcNaming, collection: Path
) -> None:
    series = WarcSeries(tmp_path / "staging", collection, naming, 1)

    append(series, "a", b"one")
    append(series, "b", b"two")
    sealed = series.seal()

    kinds = [[record.kind for record in read_warc(path)] for path in sealed]
    assert kinds == [["warcinfo", "response", "metadata"]] * 2


def test_a_large_payload_keeps_the_file_it_was_written_to(
    series: WarcSeries, collection: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(warc_series, "_ALONE_FROM_BYTES", 300_000)
    append(series, "small", b"one")

    place = add_part(series, "large", NOISE)
    series.seal()

    records = read_warc(collection / place.filename)
    assert [record.kind for record in records] == ["warcinfo", "response"]
    assert (records[1].payload, records[1].digest_checked) == (NOISE, True)
    assert payload_at(collection, place) == NOISE


def test_a_smaller_payload_joins_the_others(series: WarcSeries, collection: Path) -> None:
    first = append(series, "small", b"one")

    place = add_part(series, "larger", NOISE)
    sealed = series.seal()

    assert place.filename == first.filename
    assert [path.name for path in sealed] == [place.filename]
    assert payload_at(collection, place) == NOISE


def test_nothing_is_visible_before_it_is_sealed(
    series: WarcSeries, collection: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(warc_series, "_ALONE_FROM_BYTES", 300_000)
    append(series, "a", b"one")
    add_part(series, "b", NOISE)

    before = files_in(collection)
    sealed = series.seal()

    assert before == []
    assert files_in(collection) == sorted(path.name for path in sealed)
    assert files_in(series.staging) == ["journal.jsonl"]


def test_a_sealed_file_never_replaces_another(series: WarcSeries, collection: Path) -> None:
    place = append(series, "a", b"one")
    (collection / place.filename).write_bytes(b"another's")

    with pytest.raises(FileExistsError):
        series.seal()

    assert (collection / place.filename).read_bytes() == b"another's"


def test_what_could_not_be_sealed_is_sealed_the_next_time(
    tmp_path: Path, naming: WarcNaming, collection: Path
) -> None:
    series = WarcSeries(tmp_path / "staging", collection, naming, 1)
    places = [append(series, "a", b"one"), append(series, "b", b"two")]
    (collection / places[1].filename).write_bytes(b"another's")
    with pytest.raises(FileExistsError):
        series.seal()
    (collection / places[1].filename).unlink()

    sealed = series.seal()

    assert [path.name for path in sealed] == [places[1].filename]
    assert [payload_at(collection, place) for place in places] == [b"one", b"two"]


def test_what_is_discarded_leaves_nothing(
    series: WarcSeries, collection: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(warc_series, "_ALONE_FROM_BYTES", 300_000)
    append(series, "a", b"one")
    add_part(series, "b", NOISE)
    unfinished = series.start_part(exchange(URL))
    unfinished.write(NOISE)

    unfinished.discard()
    series.discard()

    assert not series.staging.exists()
    assert files_in(collection) == []


def test_a_series_in_which_nothing_was_written_seals_nothing(
    series: WarcSeries, collection: Path
) -> None:
    assert series.seal() == []
    assert files_in(collection) == []


def test_a_record_can_be_read_while_it_is_in_staging(series: WarcSeries) -> None:
    place = append(series, "a", b"one")

    assert payload_at(series.staging, place) == b"one"


def test_a_record_that_met_a_full_disk_leaves_no_half(series: WarcSeries, collection: Path) -> None:
    append(series, "a", b"one")
    with no_file_longer_than(200_000), pytest.raises(OSError, match="too large"):
        append(series, "b", NOISE)

    after = append(series, "c", b"three")
    series.seal()

    payloads = [record.payload for record in read_warcs(collection) if record.kind == "response"]
    assert payloads == [b"one", b"three"]
    assert payload_at(collection, after) == b"three"


@pytest.mark.parametrize("room", [0, 100])
def test_a_file_that_a_full_disk_did_not_let_begin_is_not_there(
    series: WarcSeries, collection: Path, room: int
) -> None:
    with no_file_longer_than(room), pytest.raises(OSError, match="too large"):
        append(series, "a", b"one")
    assert files_in(series.staging) == []

    append(series, "a", b"one")

    series.seal()
    kinds = [record.kind for record in read_warcs(collection)]
    assert kinds == ["warcinfo", "response", "metadata"]


class FailingFile(FileIO):
    """A file on a disk that fails now and then: what is written comes halfway, and stays."""

    fails = False

    def write(self, data: "ReadableBuffer") -> int:
        if not self.fails:
            return super().write(data)
        super().write(bytes(data)[:50])
        raise OSError(errno.EIO, os.strerror(errno.EIO))

    def truncate(self, size: int | None = None) -> int:
        if self.fails:
            raise OSError(errno.EIO, os.strerror(errno.EIO))
        return super().truncate(size)


def test_a_record_that_can_not_be_cut_off_is_not_written_behind_and_not_sealed(
    series: WarcSeries, collection: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def begun(name: str) -> FailingFile:
        started(name).close()
        file = FailingFile(series.staging / name, "r+b")
        file.seek(0, os.SEEK_END)
        return file

    started = series._begun
    monkeypatch.setattr(series, "_begun", begun)
    first = append(series, "a", b"one")
    with monkeypatch.context() as failing:
        failing.setattr(FailingFile, "fails", True)
        with pytest.raises(OSError, match="Input/output"):
            append(series, "b", b"two")

    last = append(series, "c", b"three")
    series.seal()

    assert first.filename != last.filename
    payloads = [record.payload for record in read_warcs(collection) if record.kind == "response"]
    assert payloads == [b"one", b"three"]


def test_what_a_full_disk_did_not_take_does_not_keep_the_files_from_being_closed(
    tmp_path: Path, collection: Path, naming: WarcNaming
) -> None:
    series = WarcSeries(tmp_path / "staging", collection, naming, 1024**3)

    with no_file_longer_than(100):
        with pytest.raises(OSError, match="too large"):
            append(series, "a", b"one")
        series.close()

    later = WarcSeries(tmp_path / "staging", collection, naming, 1024**3)
    append(later, "a", b"two")
    later.seal()
    assert [each.payload for each in read_warcs(collection) if each.kind == "response"] == [b"two"]


def test_a_journal_that_met_a_full_disk_leaves_no_half_and_no_record(
    tmp_path: Path, collection: Path, naming: WarcNaming
) -> None:
    def series() -> WarcSeries:
        return WarcSeries(tmp_path / "staging", collection, naming, 1024**3)

    first, record = series(), response_record(exchange(URL), b"two", "<urn:uuid:b>")
    append(first, "a", b"one")
    with no_file_longer_than(50_000), pytest.raises(OSError, match="No space left"):
        first.append(record, note=lambda place: {"long": "n" * 100_000})
    append(first, "c", b"three")
    first.close()

    series().seal()

    payloads = [each.payload for each in read_warcs(collection) if each.kind == "response"]
    assert payloads == [b"one", b"three"]


@pytest.mark.parametrize(("line", "kept"), [(0, [b"three"]), (1, [b"one", b"three"])])
def test_a_journal_that_was_cut_off_in_a_line_hides_nothing_that_follows(
    tmp_path: Path, collection: Path, naming: WarcNaming, line: int, kept: list[bytes]
) -> None:
    def series() -> WarcSeries:
        return WarcSeries(tmp_path / "staging", collection, naming, 1024**3)

    first = series()
    append(first, "a", b"one")
    append(first, "b", b"two")
    first.close()
    journal = first.staging / "journal.jsonl"
    os.truncate(journal, len(b"".join(journal.read_bytes().splitlines(True)[:line])) + 20)
    append(second := series(), "c", b"three")
    second.close()

    series().seal()

    payloads = [record.payload for record in read_warcs(collection) if record.kind == "response"]
    assert payloads == kept


def test_a_part_that_was_taken_in_is_not_gone_on_with(
    tmp_path: Path, collection: Path, naming: WarcNaming, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Killed between the line in the journal and the end of the part's own notes."""
    monkeypatch.setattr(warc_series, "_ALONE_FROM_BYTES", 300_000)
    answer = exchange(URL)
    series = WarcSeries(tmp_path / "staging", collection, naming, 1024**3)
    part = series.start_part(answer, Beginning(URL, (), answer, len(NOISE)))
    part.write(NOISE)
    part.finish(Fixity(len(NOISE), {"sha1": hashlib.sha1(NOISE).hexdigest()}))
    with monkeypatch.context() as killed:
        killed.setattr(part, "forget", lambda: None)
        place = series.adopt(part)
    series.close()

    later = WarcSeries(tmp_path / "staging", collection, naming, 1024**3)

    assert later.unfinished(URL) is None
    later.seal()
    assert payload_at(collection, place) == NOISE
    assert files_in(later.staging) == ["journal.jsonl"]


@pytest.mark.parametrize("missing", [1, 30, 100_000])
def test_a_part_that_met_a_full_disk_is_not_taken_for_whole(
    tmp_path: Path, collection: Path, naming: WarcNaming, missing: int
) -> None:
    trial = WarcSeries(tmp_path / "trial", tmp_path, naming, 1024**3)
    whole = trial.start_part(exchange(URL))
    whole.write(NOISE)
    whole.finish(Fixity(len(NOISE), {"sha1": "00" * 20}))
    part = WarcSeries(tmp_path / "staging", collection, naming, 1024**3).start_part(exchange(URL))

    def write() -> None:
        part.write(NOISE)
        part.finish(Fixity(len(NOISE), {"sha1": "00" * 20}))

    with (
        no_file_longer_than(part.offset + whole.length - missing),
        pytest.raises(OSError, match="large"),
    ):
        write()
    part.discard()


def test_a_record_that_is_not_read_back_as_written_is_not_there(
    series: WarcSeries, collection: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    append(series, "a", b"one")
    with monkeypatch.context() as faulty:
        faulty.setattr(warc_series, "_read", disk_that_turns_a_bit(warc_series._read))
        with pytest.raises(Damaged):
            append(series, "b", b"two")

    append(series, "c", b"three")
    series.seal()

    payloads = [record.payload for record in read_warcs(collection) if record.kind == "response"]
    assert payloads == [b"one", b"three"]


def test_a_copy_that_is_not_like_its_original_is_not_there(
    series: WarcSeries, collection: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    append(series, "a", b"one")
    with monkeypatch.context() as faulty:
        faulty.setattr(warc_series, "_read", disk_that_turns_a_bit(warc_series._read))
        with pytest.raises(Damaged, match="copy"):
            add_part(series, "b", NOISE)

    series.seal()

    payloads = [record.payload for record in read_warcs(collection) if record.kind == "response"]
    assert payloads == [b"one"]


def disk_that_turns_a_bit(
    read: Callable[[FileIO, int, int], bytes],
) -> Callable[[FileIO, int, int], bytes]:
    def turned(file: FileIO, offset: int, length: int) -> bytes:
        found = bytearray(read(file, offset, length))
        found[len(found) // 2] ^= 1
        return bytes(found)

    return turned
