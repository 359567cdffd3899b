# SPDX-License-Identifier: AGPL-3.0-or-later
"""A transfer that was stopped goes on in a later process, as far as what it left is intact."""

import hashlib
import json
import os
import resource
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

from carrel.capture import arrival, part
from carrel.capture.arrival import Fetched, Order
from carrel.capture.client import Cancelled, Client
from carrel.capture.leftovers import Leftovers
from carrel.capture.stored import payload_blocks
from carrel.capture.transfer import fetch
from carrel.capture.unfinished import unfinished_in
from carrel.capture.warc_series import WarcNaming, WarcSeries
from carrel.errors import IngestStop
from carrel.hosts.retry import RetryPolicy
from carrel.model import Fixity, Status
from carrel.model.sizes import MEBIBYTE
from support.records import files_in, read_warcs
from support.wire import End, Reply, WireServer, head, html, redirect, reply

NOISE = hashlib.shake_128(b"swell").digest(12 * MEBIBYTE + 5)
TEXT = (b"1953-02-01T00:10,NLK,+02.401,ok\n" * (12 * MEBIBYTE // 32)) + b"end"
STOP_AT = 9_000_000
TAG = '"v1"'
OLD = {
    "Last-Modified": "Mon, 02 Mar 2026 08:00:00 GMT",
    "Date": "Mon, 02 Mar 2026 09:00:00 GMT",
}
NO_WAIT = RetryPolicy(tries=3, first_pause_s=0, sleep=lambda seconds: None)

PARTS = {"Accept-Ranges": "bytes"}
NewSeries = Callable[[], WarcSeries]


@pytest.fixture(autouse=True)
def _short_stretches(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(part, "_STRETCH_BYTES", MEBIBYTE)


@pytest.fixture(autouse=True)
def _no_thread_is_left() -> Iterator[None]:
    before = set(threading.enumerate())
    yield
    names = {each.name for each in set(threading.enumerate()) - before}
    assert names & {"digests", "part", "proof"} == set()


@pytest.fixture
def staging(tmp_path: Path) -> Path:
    (tmp_path / "staging").mkdir()
    return tmp_path / "staging" / "1"


@pytest.fixture
def taken_up(staging: Path, collection: Path, naming: WarcNaming) -> Iterator[NewSeries]:
    """Begin the series, or take it up as a later process does."""
    with ExitStack() as stack:

        def new() -> WarcSeries:
            series = WarcSeries(staging, collection, naming, 1024**3)
            stack.callback(series.close)
            return series

        yield new


def ranged(server: WireServer, body: bytes, **headers: Any) -> Reply:
    """Return an answer from a server that goes on where it is asked to, by its strong tag."""
    named = {name.replace("_", "-"): value for name, value in (headers or {"ETag": TAG}).items()}

    def pieces() -> Iterable[bytes]:
        start = int(server.seen[-1].headers.get("range", "bytes=0-")[6:-1])
        place = {"Content-Range": f"bytes {start}-{len(body) - 1}/{len(body)}"} if start else {}
        status = "206 Partial Content" if start else "200 OK"
        yield head(status, {"Content-Length": len(body) - start, **place, **named})
        yield body[start:]

    return Reply(pieces)


def proving(body: bytes) -> Callable[[Fixity], bool]:
    return lambda fixity: fixity.digests["sha256"] == hashlib.sha256(body).hexdigest()


def stop_at(
    client: Client, series: WarcSeries, url: str, count: int = STOP_AT, body: bytes | None = None
) -> int:
    """Stop a transfer when so much of it arrived, and return how much that was."""
    received = [0]
    order = Order(
        url,
        progress=lambda count, total: received.append(count),
        is_cancelled=lambda: received[-1] >= count,
        is_proven=proving(body) if body is not None else None,
    )
    with pytest.raises(Cancelled):
        fetch(client, series, order, NO_WAIT)
    series.close()
    return received[-1]


def fetched(client: Client, series: WarcSeries, url: str, body: bytes | None = None) -> Fetched:
    is_proven = None if body is None else proving(body)
    return fetch(client, series, Order(url, ["sha512"], is_proven=is_proven), NO_WAIT)


def stored(series: WarcSeries, found: Fetched) -> bytes:
    assert found.part is not None
    place = series.adopt(found.part)
    return b"".join(payload_blocks(series.staging / place.filename, place.offset, place.length))


def ranges(server: WireServer) -> list[str | None]:
    return [seen.headers.get("range") for seen in server.seen]


def part_in(staging: Path) -> Path:
    (path,) = staging.glob("*.warc.gz")
    return path


def notes_in(staging: Path) -> Path:
    (path,) = staging.glob("*.warc.gz.journal")
    return path


def marks_in(staging: Path) -> Sequence[tuple[int, int]]:
    """Return up to where the part was proven: in its file, and in its payload."""
    lines = [json.loads(line) for line in notes_in(staging).read_text().splitlines()]
    noted = [line for line in lines if "received" in line["note"]]
    return [(*line["ends"].values(), line["note"]["received"]) for line in noted]


@pytest.mark.parametrize("body", [NOISE, TEXT], ids=["stored", "compressed"])
def test_what_was_stopped_goes_on_in_a_later_process(
    server: WireServer, client: Client, taken_up: NewSeries, collection: Path, body: bytes
) -> None:
    url = server.serve("/a", ranged(server, body))
    left = stop_at(client, taken_up(), url)

    series = taken_up()
    found = fetched(client, series, url)

    assert ranges(server) == [None, f"bytes={left}-"]
    assert found.fixity.size == len(body)
    assert found.fixity.digests["sha256"] == hashlib.sha256(body).hexdigest()
    assert found.fixity.digests["sha512"] == hashlib.sha512(body).hexdigest()
    assert found.exchange.status_code == 200
    (further,) = found.continuations
    assert (further.start, further.end) == (left, len(body))
    assert stored(series, found) == body
    series.seal()
    (record,) = [each for each in read_warcs(collection) if each.kind == "response"]
    assert (record.payload, record.digest_checked) == (body, True)
    assert files_in(series.staging) == ["journal.jsonl"]


def test_what_was_never_proven_does_not_count(
    server: WireServer, client: Client, taken_up: NewSeries, staging: Path
) -> None:
    """Killed while a stretch was written: the file reaches further than its notes."""
    url = server.serve("/a", ranged(server, NOISE))
    left = stop_at(client, taken_up(), url)
    with part_in(staging).open("ab") as file:
        file.write(NOISE[:700_000])

    series = taken_up()
    found = fetched(client, series, url)

    assert ranges(server)[1] == f"bytes={left}-"
    assert stored(series, found) == NOISE


@pytest.mark.parametrize("body", [NOISE, TEXT], ids=["stored", "compressed"])
def test_a_file_that_was_cut_inside_a_stretch_counts_up_to_there(
    server: WireServer, client: Client, taken_up: NewSeries, staging: Path, body: bytes
) -> None:
    url = server.serve("/a", ranged(server, body))
    stop_at(client, taken_up(), url)
    (end, proven), (after, _) = marks_in(staging)[2:4]
    with part_in(staging).open("r+b") as file:
        file.truncate((end + after) // 2)

    series = taken_up()
    found = fetched(client, series, url)

    assert ranges(server)[1] == f"bytes={proven}-"
    assert stored(series, found) == body


@pytest.mark.parametrize("body", [NOISE, TEXT], ids=["stored", "compressed"])
@pytest.mark.parametrize("is_its_beginning", [False, True])
def test_before_a_damaged_stretch_all_counts(
    server: WireServer,
    client: Client,
    taken_up: NewSeries,
    staging: Path,
    body: bytes,
    is_its_beginning: bool,
) -> None:
    url = server.serve("/a", ranged(server, body))
    stop_at(client, taken_up(), url)
    (end, proven), (after, _) = marks_in(staging)[2:4]
    turn_a_byte(part_in(staging), end if is_its_beginning else (end + after) // 2)

    series = taken_up()
    found = fetched(client, series, url)

    assert ranges(server)[1] == f"bytes={proven}-"
    assert stored(series, found) == body


def test_what_came_after_a_damaged_stretch_was_dropped_counts_too(
    server: WireServer, client: Client, taken_up: NewSeries, staging: Path
) -> None:
    url = server.serve("/a", ranged(server, NOISE))
    stop_at(client, taken_up(), url)
    turn_a_byte(part_in(staging), marks_in(staging)[2][0] + 1000)
    left = stop_at(client, taken_up(), url, 11_000_000)

    series = taken_up()
    found = fetched(client, series, url)

    assert ranges(server)[2] == f"bytes={left}-"
    assert stored(series, found) == NOISE


def test_what_is_damaged_at_its_beginning_is_fetched_from_zero(
    server: WireServer, client: Client, taken_up: NewSeries, staging: Path
) -> None:
    url = server.serve("/a", ranged(server, NOISE))
    stop_at(client, taken_up(), url)
    turn_a_byte(part_in(staging), marks_in(staging)[0][0] - 1000)

    series = taken_up()
    found = fetched(client, series, url)

    assert ranges(server) == [None, None]
    assert len(list(staging.glob("*.warc.gz"))) == 1
    assert stored(series, found) == NOISE


@pytest.mark.parametrize("is_partial", [True, False])
def test_what_is_another_by_now_is_fetched_from_zero(
    server: WireServer, client: Client, taken_up: NewSeries, staging: Path, is_partial: bool
) -> None:
    changed = NOISE[::-1]
    url = server.serve("/a", ranged(server, NOISE))
    left = stop_at(client, taken_up(), url)
    other = ranged(server, changed, ETag='"v2"')
    server.serve("/a", other if is_partial else reply(changed, ETag='"v2"'))

    series = taken_up()
    found = fetched(client, series, url)

    assert ranges(server) == [None, f"bytes={left}-", *([None] if is_partial else [])]
    assert found.exchange.headers["etag"] == '"v2"'
    assert found.continuations == ()
    assert len(list(staging.glob("*.warc.gz"))) == 1
    assert stored(series, found) == changed


@pytest.mark.parametrize("headers", [{"Server": "says nothing"}, OLD, {"ETag": f"W/{TAG}"}, PARTS])
def test_what_can_not_be_known_again_is_not_left(
    server: WireServer,
    client: Client,
    taken_up: NewSeries,
    staging: Path,
    headers: dict[str, str],
) -> None:
    url = server.serve("/a", ranged(server, NOISE, **headers))

    stop_at(client, taken_up(), url)

    assert files_in(staging) == []


@pytest.mark.parametrize("is_provable", [True, False])
def test_a_date_is_believed_as_long_as_a_digest_proves_the_whole(
    server: WireServer, client: Client, taken_up: NewSeries, is_provable: bool
) -> None:
    """What was declared may be another when the platform is asked again."""
    url = server.serve("/a", ranged(server, NOISE, **OLD))
    left = stop_at(client, taken_up(), url, body=NOISE)

    series = taken_up()
    found = fetched(client, series, url, NOISE if is_provable else None)

    assert ranges(server)[1] == (f"bytes={left}-" if is_provable else None)
    assert stored(series, found) == NOISE


def test_what_was_joined_wrongly_is_fetched_once_more_in_one_piece(
    server: WireServer, client: Client, taken_up: NewSeries
) -> None:
    """A server whose tag stays the same while the file changes."""
    url = server.serve("/a", ranged(server, NOISE))
    left = stop_at(client, taken_up(), url)
    changed = NOISE[::-1]
    server.serve("/a", ranged(server, changed))

    series = taken_up()
    found = fetched(client, series, url, changed)

    assert ranges(server) == [None, f"bytes={left}-", None]
    assert stored(series, found) == changed


def test_it_is_stopped_again_and_again(
    server: WireServer, client: Client, taken_up: NewSeries, collection: Path
) -> None:
    """And broken off too, before anything of it was on the disk."""
    top = head("200 OK", {"Content-Length": len(NOISE), "ETag": TAG})
    first = Reply(lambda: [top, NOISE[:1_000_000]], End.CLOSE)
    url = server.serve("/a", first, ranged(server, NOISE))
    stops = [stop_at(client, taken_up(), url, count) for count in (5_000_000, 7_000_000, STOP_AT)]

    series = taken_up()
    found = fetched(client, series, url)

    starts = [1_000_000, *stops]
    assert [each.start for each in found.continuations] == starts
    assert [each.end for each in found.continuations] == [*starts[1:], len(NOISE)]
    assert ranges(server)[1:] == [f"bytes={start}-" for start in starts]
    assert stored(series, found) == NOISE


def test_an_answer_of_which_nothing_was_proven_is_not_told_of(
    server: WireServer, client: Client, taken_up: NewSeries, staging: Path
) -> None:
    url = server.serve("/a", ranged(server, NOISE))
    left = stop_at(client, taken_up(), url, 6_000_000)
    stop_at(client, taken_up(), url)
    end = next(end for end, received in marks_in(staging) if received == left)
    with part_in(staging).open("r+b") as file:
        file.truncate(end)

    found = fetched(client, taken_up(), url)

    assert [(each.start, each.end) for each in found.continuations] == [(left, len(NOISE))]


def test_redirects_before_it_are_remembered(
    server: WireServer, client: Client, taken_up: NewSeries
) -> None:
    server.serve("/b", ranged(server, NOISE))
    url = server.serve("/a", redirect("/b"))
    stop_at(client, taken_up(), url)

    found = fetched(client, taken_up(), url)

    (hop,) = found.hops
    assert (hop.url, hop.status_code, hop.body) == (url, 302, b"moved")
    assert hop.request_bytes().startswith(b"GET /a HTTP/1.1\r\n")
    assert found.exchange.url == server.origin + "/b"


def test_what_was_whole_already_is_not_asked_for_again(
    server: WireServer, client: Client, taken_up: NewSeries
) -> None:
    """Killed between the end of the transfer and the moment that the series took it in."""
    url = server.serve("/a", ranged(server, NOISE))
    fetched(client, taken_up(), url)

    series = taken_up()
    found = fetched(client, series, url)

    assert server.times_asked("/a") == 1
    assert found.continuations == ()
    assert stored(series, found) == NOISE


def test_only_the_transfer_of_the_same_address_goes_on(
    server: WireServer, client: Client, taken_up: NewSeries
) -> None:
    stop_at(client, taken_up(), server.serve("/a", ranged(server, NOISE)))
    other = server.serve("/b", ranged(server, TEXT))

    series = taken_up()
    found = fetched(client, series, other)

    assert ranges(server) == [None, None]
    assert stored(series, found) == TEXT


@pytest.mark.parametrize(
    "notes", [b"", b"?", b'{"ends": {}, "note": {}}\n', b'{"ends": {}, "note": {"began": {}}}\n']
)
def test_notes_that_say_too_little_leave_nothing(
    server: WireServer, client: Client, taken_up: NewSeries, staging: Path, notes: bytes
) -> None:
    url = server.serve("/a", ranged(server, NOISE))
    stop_at(client, taken_up(), url)
    notes_in(staging).write_bytes(notes)

    taken_up()

    assert files_in(staging) == []


@pytest.mark.parametrize(("said", "other"), [('"started": "', '"started": "?'), ('"crc"', '"?"')])
def test_notes_that_can_not_be_read_leave_nothing(
    server: WireServer,
    client: Client,
    taken_up: NewSeries,
    staging: Path,
    said: str,
    other: str,
) -> None:
    """As another version of Carrel might write them."""
    stop_at(client, taken_up(), server.serve("/a", ranged(server, NOISE)))
    notes = notes_in(staging)
    notes.write_text(notes.read_text().replace(said, other))

    taken_up()

    assert files_in(staging) == []


def test_notes_without_their_part_leave_nothing(
    server: WireServer, client: Client, taken_up: NewSeries, staging: Path
) -> None:
    stop_at(client, taken_up(), server.serve("/a", ranged(server, NOISE)))
    part_in(staging).unlink()

    taken_up()

    assert files_in(staging) == []


def test_a_head_of_another_length_can_not_be_gone_on_with(
    server: WireServer, client: Client, taken_up: NewSeries, staging: Path
) -> None:
    """As another version of Carrel might write it."""
    url = server.serve("/a", ranged(server, NOISE))
    stop_at(client, taken_up(), url)
    notes = notes_in(staging)
    notes.write_text(notes.read_text().replace("<urn:uuid:", "<urn:"))

    series = taken_up()
    found = fetched(client, series, url)

    assert ranges(server) == [None, None]
    assert stored(series, found) == NOISE


def test_a_wish_to_stop_while_it_is_read_again_leaves_it(
    server: WireServer, client: Client, taken_up: NewSeries
) -> None:
    url = server.serve("/a", ranged(server, NOISE))
    left = stop_at(client, taken_up(), url)

    read_again = stop_at(client, taken_up(), url, 3_000_000)
    found = fetched(client, taken_up(), url)

    assert read_again < left
    assert ranges(server) == [None, f"bytes={left}-"]
    assert found.fixity.digests["sha256"] == hashlib.sha256(NOISE).hexdigest()


def test_a_full_disk_leaves_what_was_proven(
    server: WireServer, client: Client, taken_up: NewSeries, staging: Path
) -> None:
    url = server.serve("/a", ranged(server, NOISE))
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (7_000_000, before[1]))
    try:
        with pytest.raises(OSError, match="too large"):
            fetched(client, taken_up(), url)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
    proven = marks_in(staging)[-1][1]

    series = taken_up()
    found = fetched(client, series, url)

    assert 4_000_000 < proven < 7_000_000
    assert ranges(server)[1] == f"bytes={proven}-"
    assert stored(series, found) == NOISE


def test_a_refusal_leaves_nothing(
    server: WireServer, client: Client, taken_up: NewSeries, staging: Path
) -> None:
    url = server.serve("/a", ranged(server, NOISE))
    stop_at(client, taken_up(), url)
    server.serve("/a", html("no", "403 Forbidden"))

    with pytest.raises(IngestStop) as stop:
        fetched(client, taken_up(), url)

    assert stop.value.status is Status.PLATFORM_RESTRICTED
    assert files_in(staging) == []


def test_what_is_left_goes_with_the_series(
    server: WireServer, client: Client, taken_up: NewSeries, staging: Path, collection: Path
) -> None:
    stop_at(client, taken_up(), server.serve("/a", ranged(server, NOISE)))

    series = taken_up()
    taken_up_bytes = series.taken_up_bytes
    series.seal()
    series.discard()

    assert taken_up_bytes > STOP_AT
    assert not staging.exists()
    assert files_in(collection) == []


def test_what_is_left_of_a_series_is_gone_on_with_by_another(
    server: WireServer,
    client: Client,
    collection: Path,
    naming: WarcNaming,
    tmp_path: Path,
) -> None:
    (tmp_path / "staging").mkdir()
    leftovers = Leftovers(tmp_path / "staging" / "unfinished")

    def new(name: str) -> WarcSeries:
        folder = tmp_path / "staging" / name
        return WarcSeries(folder, collection, naming, 1024**3, leftovers)

    first = new("1")
    url = server.serve("/a", ranged(server, NOISE, ETag=TAG, Accept_Ranges="Bytes"))
    stop_at(client, first, url)
    left = first.left_of(url)
    first.discard()
    assert 4_000_000 < left <= STOP_AT + MEBIBYTE
    assert leftovers.bytes_of({url}) > left
    assert leftovers.bytes_of({"http://other.example/"}) == 0

    second = new("2")
    found = fetched(client, second, url)

    assert ranges(server)[-1] == f"bytes={left}-"
    assert found.fixity.digests["sha256"] == hashlib.sha256(NOISE).hexdigest()
    assert leftovers.bytes_of({url}) == 0
    assert found.part is not None
    second.adopt(found.part)
    second.close()
    second.discard()
    assert list((tmp_path / "staging").iterdir()) == []


def test_of_one_address_one_leftover_is_kept_and_none_for_ever(
    server: WireServer, client: Client, collection: Path, naming: WarcNaming, tmp_path: Path
) -> None:
    leftovers = Leftovers(tmp_path / "unfinished")
    url = server.serve("/a", ranged(server, NOISE))
    for name in ("1", "2"):
        series = WarcSeries(tmp_path / name, collection, naming, 1024**3)
        stop_at(client, series, url)
        for part_left in unfinished_in(series.staging):
            leftovers.leave(part_left)

    (tmp_path / "unfinished" / "stray.warc.gz").write_bytes(b"?")
    leftovers.sweep()
    kept = sorted(files_in(tmp_path / "unfinished"))
    assert len(kept) == 2
    assert leftovers.bytes_of({url}) > 0

    for path in (tmp_path / "unfinished").iterdir():
        os.utime(path, (0, 0))
    leftovers.sweep()
    assert not (tmp_path / "unfinished").exists()
    assert leftovers.take(url, tmp_path) is None


def test_a_transfer_that_gives_up_leaves_what_came(
    server: WireServer, client: Client, taken_up: NewSeries
) -> None:
    def breaking_off() -> Iterable[bytes]:
        headers = {"Content-Length": len(NOISE), "ETag": TAG, "Accept-Ranges": "bytes"}
        yield head("200 OK", headers)
        yield NOISE[:STOP_AT]

    url = server.serve("/a", Reply(breaking_off, End.CLOSE), html("busy", "503 Busy"))
    series = taken_up()
    with pytest.raises(IngestStop) as stop:
        fetched(client, series, url)
    series.close()
    assert stop.value.may_repeat
    left = series.left_of(url)
    assert left > 4_000_000

    server.serve("/a", ranged(server, NOISE))
    fetched(client, taken_up(), url)

    assert ranges(server)[-1] == f"bytes={left}-"


def test_of_a_server_that_does_not_say_it_gives_parts_nothing_is_promised(
    server: WireServer, client: Client, taken_up: NewSeries
) -> None:
    def breaking_off() -> Iterable[bytes]:
        yield head("200 OK", {"Content-Length": len(NOISE), "ETag": TAG})
        yield NOISE[:STOP_AT]

    url = server.serve("/a", Reply(breaking_off, End.CLOSE), html("busy", "503 Busy"))
    series = taken_up()
    with pytest.raises(IngestStop):
        fetched(client, series, url)
    series.close()

    (left,) = unfinished_in(series.staging)
    assert left.marks[-1].received > 4_000_000
    assert series.left_of(url) == 0


def turn_a_byte(path: Path, at: int) -> None:
    with path.open("r+b") as file:
        file.seek(at)
        byte = file.read(1)[0]
        file.seek(at)
        file.write(bytes([byte ^ 255]))


def test_a_server_that_names_no_version_is_gone_on_with_where_a_digest_proves_the_whole(
    server: WireServer, client: Client, taken_up: NewSeries
) -> None:
    """It offers parts, so a pause costs nothing (as seen with a proxy that drops other headers)."""
    url = server.serve("/a", ranged(server, NOISE, **PARTS))
    left = stop_at(client, taken_up(), url, body=NOISE)

    series = taken_up()
    found = fetched(client, series, url, NOISE)

    assert ranges(server) == [None, f"bytes={left}-"]
    assert "if-range" not in server.seen[-1].headers
    assert stored(series, found) == NOISE


def test_another_file_from_a_server_that_names_no_version_is_fetched_in_one_piece(
    server: WireServer, client: Client, taken_up: NewSeries
) -> None:
    changed = NOISE[::-1]
    url = server.serve("/a", ranged(server, NOISE, **PARTS), ranged(server, changed, **PARTS))
    left = stop_at(client, taken_up(), url, body=NOISE)

    series = taken_up()
    found = fetched(client, series, url, changed)

    assert ranges(server) == [None, f"bytes={left}-", None]
    assert found.continuations == ()
    assert stored(series, found) == changed


def test_what_is_small_enough_for_the_memory_is_left_too(
    server: WireServer, client: Client, taken_up: NewSeries
) -> None:
    body = NOISE[: 3 * MEBIBYTE]
    url = server.serve("/a", ranged(server, body))
    left = stop_at(client, taken_up(), url, MEBIBYTE)

    series = taken_up()
    found = fetched(client, series, url)

    assert ranges(server) == [None, f"bytes={left}-"]
    assert stored(series, found) == body


def test_what_comes_slowly_is_on_the_disk_before_it_is_stopped(
    server: WireServer,
    client: Client,
    taken_up: NewSeries,
    staging: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A kill gives no time to leave it there."""
    monkeypatch.setattr(arrival, "_IN_MEMORY_S", 0.0)
    url = server.serve("/a", ranged(server, NOISE[:MEBIBYTE]))
    parts_seen: list[int] = []
    order = Order(url, progress=lambda *_: parts_seen.append(len(list(staging.glob("*.warc.gz")))))

    found = fetch(client, taken_up(), order, NO_WAIT)

    assert parts_seen[-1] == 1
    assert found.part is not None
    found.part.discard()
