# SPDX-License-Identifier: AGPL-3.0-or-later
"""warcio and httpx beside Carrel's own code in their place, as ratios (docs/decisions.md).

Each of the two runs in turns, in this process; the median of the processor's time counts, so that
what else the machine does matters little.

usage: libraries.py [--runs N] [--responses N] [--size MIB]
"""

import argparse
import hashlib
import random
import subprocess
import sys
import tempfile
import time
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from io import BytesIO
from pathlib import Path
from statistics import median

import httpx
from warcio.archiveiterator import ArchiveIterator
from warcio.exceptions import ArchiveLoadFailed
from warcio.recordbuilder import RecordBuilder
from warcio.warcwriter import WARCWriter

sys.path.insert(0, str(Path(__file__).parents[1]))

from benchmarks.indexing import make_warc
from carrel.capture.annotations import file_info, metadata_record, warc_fields
from carrel.capture.connections import Connections
from carrel.capture.records import Record, ResourceHead, new_record_id, sha1_label, warc_date
from carrel.capture.warc_file import WarcFile
from carrel.mementos.warc import heads
from carrel.mementos.warc.indexer import index_files
from carrel.mementos.warc.problems import InvalidRecord
from carrel.mementos.warc.reader import records
from carrel.settings import Network
from support.warcs import member, response

_MEBIBYTE = 1024 * 1024
_NOW = datetime.now(UTC)
_FIELDS = {"path": "data/a.csv", "size": "10240", "sha256": "a" * 64, "via": "https://example.org/"}


def compare(
    library: str, what: str, theirs: Callable[[], object], ours: Callable[[], object], runs: int
) -> None:
    """Print how many times as long the library takes."""
    took: tuple[list[float], list[float]] = ([], [])
    for _ in range(runs):
        for run, seconds in zip((theirs, ours), took, strict=True):
            began = time.process_time()
            run()
            seconds.append(time.process_time() - began)
    ratio = median(took[0]) / median(took[1])
    print(f"{what:58} {library} takes {ratio:5.2f} times as long")


def small_warc(path: Path, responses: int) -> None:
    with path.open("wb") as file:
        for number in range(responses):
            file.write(member(response(f"https://example.org/{number}", b"x" * 500).content))


def index(path: Path, output: Path, *, heads_by_warcio: bool = False) -> None:
    skimmed = heads._skimmed
    try:
        if heads_by_warcio:
            heads._skimmed = heads._fields
        index_files([path], output, workers=1)
    finally:
        heads._skimmed = skimmed


def passage_of_warcio(path: Path) -> list[str]:
    """Return the addresses of the records that warcio's reader meets, until it is lost."""
    met = []
    with path.open("rb") as file, suppress(ArchiveLoadFailed):
        for each in ArchiveIterator(file):
            each.raw_stream.read()
            met.append(str(each.rec_headers.get_header("WARC-Target-URI")))
    return met


def passage(path: Path) -> list[str]:
    """Return the addresses of the records that Carrel can read to their end."""
    met = []
    for each in records(path):
        with suppress(InvalidRecord):
            each.block.http_head()
            deque(each.block.pieces(), maxlen=0)
            each.follows()
            met.append(each.url)
    return met


def damaged(path: Path) -> None:
    """Print how many intact records each reader meets where one among them is damaged."""
    noise = random.Random(1)
    members = [
        bytearray(member(response(f"https://example.org/{n}", noise.randbytes(9000)).content))
        for n in range(5)
    ]
    members[1][len(members[1]) // 2] ^= 0xFF
    path.write_bytes(b"".join(members))
    intact = {f"https://example.org/{number}" for number in (0, 2, 3, 4)}
    theirs, ours = (len(intact & set(read(path))) for read in (passage_of_warcio, passage))
    print(f"of four intact records about a damaged one, warcio reads {theirs}, Carrel {ours}")


def write_with_warcio(path: Path, payload: Path) -> None:
    with path.open("wb") as file, payload.open("rb") as stream:
        builder = WARCWriter(file, gzip=True, warc_version="1.1")
        size = payload.stat().st_size
        made = builder.create_warc_record(
            "https://example.org/a", "resource", payload=stream, length=size
        )
        builder.write_record(made)


def write(path: Path, payload: Path) -> None:
    path.unlink(missing_ok=True)
    file = WarcFile(path, file_info(path.name, {}, _NOW))
    head = ResourceHead(new_record_id(), "https://example.org/a", _NOW, "text/csv")
    file.stream(head, _blocks(payload))
    file.finish()


def _blocks(path: Path) -> Iterator[bytes]:
    with path.open("rb") as file:
        while block := file.read(_MEBIBYTE):
            yield block


def built_by_hand() -> bytes:
    record_id, block = new_record_id(), warc_fields(_FIELDS)
    digest = sha1_label(hashlib.sha1(block).hexdigest())
    fields = [
        ("WARC-Type", "metadata"),
        ("WARC-Record-ID", record_id),
        ("WARC-Date", warc_date(_NOW)),
        ("WARC-Target-URI", "https://example.org/a"),
        ("WARC-Refers-To", "<urn:uuid:00000000-0000-0000-0000-000000000001>"),
        ("Content-Type", "application/warc-fields"),
        ("WARC-Payload-Digest", digest),
        ("WARC-Block-Digest", digest),
    ]
    return Record(record_id, fields, block).member()


def built_and_written_by_warcio() -> bytes:
    block = warc_fields(_FIELDS)
    out = BytesIO()
    fields = {"WARC-Type": "metadata", "WARC-Date": warc_date(_NOW)}
    made = RecordBuilder("1.1").create_warc_record(
        "https://example.org/a",
        "metadata",
        payload=BytesIO(block),
        length=len(block),
        warc_headers_dict=fields,
    )
    WARCWriter(out, gzip=True, warc_version="1.1").write_record(made)
    return out.getvalue()


@contextmanager
def served(answer: bytes) -> Iterator[httpx.URL]:
    """Give an address that answers this to whatever is asked on each connection."""
    code = f"""
import socket
listening = socket.create_server(("127.0.0.1", 0))
print(listening.getsockname()[1], flush=True)
while True:
    connection, _ = listening.accept()
    connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    while connection.recv(65536):
        connection.sendall({answer!r})
"""
    server = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True)
    try:
        assert server.stdout is not None
        yield httpx.URL(f"http://127.0.0.1:{server.stdout.readline().strip()}/a.csv")
    finally:
        server.kill()
        server.communicate()


def fetch_with_httpx(url: httpx.URL, times: int) -> None:
    with httpx.Client() as client:
        for _ in range(times):
            with client.stream("GET", url) as answer:
                deque(answer.iter_raw(), maxlen=0)


def fetch(url: httpx.URL, times: int) -> None:
    connections = Connections(Network())
    headers = ((b"Host", url.netloc), (b"Accept-Encoding", b"identity"))
    for _ in range(times):
        answer = connections.send(
            b"GET", url, headers, until=time.monotonic() + 60, is_cancelled=lambda: False
        )
        deque(answer.pieces(), maxlen=0)
        connections.done(answer)
    connections.close()


def _fetching(runs: int, times: int = 2000) -> None:
    body = b"x" * 10 * 1024
    head = f"HTTP/1.1 200 OK\r\nContent-Type: text/csv\r\nContent-Length: {len(body)}\r\n\r\n"

    # One connection at a time is served: each run has its own server.
    def each(run: Callable[[httpx.URL, int], None]) -> None:
        with served(head.encode() + body) as url:
            run(url, times)

    what = f"{times} answers of 10 KiB over loopback"
    compare("httpx", what, lambda: each(fetch_with_httpx), lambda: each(fetch), runs)


def main() -> None:
    """Run the comparisons and print them."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--responses", type=int, default=10_000)
    parser.add_argument("--size", type=int, default=256, help="MiB of the payload")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        _reading(folder, given.responses, given.runs)
        _writing(folder, given.size, given.runs)
    _fetching(given.runs)


def _reading(folder: Path, responses: int, runs: int) -> None:
    large, small, output = folder / "21k.warc.gz", folder / "500.warc.gz", folder / "index"
    make_warc(large, responses)
    small_warc(small, responses)
    for path, size in ((large, "21 kB"), (small, "500 bytes")):
        compare(
            "warcio",
            f"an index, {size} a response, heads taken apart",
            lambda path=path: index(path, output, heads_by_warcio=True),  # type: ignore[misc]
            lambda path=path: index(path, output),  # type: ignore[misc]
            runs,
        )
        compare(
            "warcio",
            f"a passage, {size} a response",
            lambda path=path: passage_of_warcio(path),  # type: ignore[misc]
            lambda path=path: passage(path),  # type: ignore[misc]
            runs,
        )
    damaged(folder / "damaged.warc.gz")


def _writing(folder: Path, size: int, runs: int) -> None:
    noise, table, warc = folder / "noise", folder / "table.csv", folder / "out.warc.gz"
    rows = "".join(
        f"{number},{number * 7 % 1000}.25,station {number % 9}\n" for number in range(99999)
    )
    noise.write_bytes(random.Random(1).randbytes(_MEBIBYTE) * size)
    table.write_bytes((rows.encode() * (size * _MEBIBYTE // len(rows) + 1))[: size * _MEBIBYTE])
    for path in (noise, table):
        compare(
            "warcio",
            f"{size} MiB of {path.stem} into a resource record",
            lambda path=path: write_with_warcio(warc, path),  # type: ignore[misc]
            lambda path=path: write(warc, path),  # type: ignore[misc]
            min(runs, 3),
        )
    many = range(5000)
    compare(
        "warcio",
        "a metadata record, fields by warcio, beside fields by hand",
        lambda: [
            metadata_record("https://example.org/a", new_record_id(), _FIELDS, _NOW).member()
            for _ in many
        ],
        lambda: [built_by_hand() for _ in many],
        runs,
    )
    compare(
        "warcio",
        "a metadata record, all by warcio, beside all by hand",
        lambda: [built_and_written_by_warcio() for _ in many],
        lambda: [built_by_hand() for _ in many],
        runs,
    )


if __name__ == "__main__":
    main()
