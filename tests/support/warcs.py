# SPDX-License-Identifier: AGPL-3.0-or-later
"""Small WARC, ARC and WACZ files for tests, good and bad, made with the standard library alone.

A record is made by `response`, `request`, `revisit`, `resource`, `metadata`, `warcinfo`, or by
`record` for everything else; it is a `Made`: its bytes are `content`, its name `record_id`.

    asked = request("http://example.org/", method="POST", body=b"a=1")
    said = response("http://example.org/", b"<p>hello", concurrent_to=asked.record_id)

Files are written by these, which return where each record stands, as (offset, length) in the file:

    write_warc(path, said, asked)                  one gzip member a record; plain if not `.gz`
    write_whole_gzip(path, said, asked)            all in one member: readable, but not from within
    write_arc(path, arc_record(url, body))         ARC v1, gzip or plain by the name; its head first
    write_wacz(path, {"data.warc.gz": content})    a WACZ; see there for indexes and bad zips

Bad ones are bytes put together by hand: `member(said.content)` is a gzip member,
`said.content[:50]` a record that was cut, `record(..., length=10**10)` one that lies,
`gzip_bomb(size)` zeros in a member.
"""

import base64
import gzip
import hashlib
import json
import uuid
import zipfile
import zlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

Fields = Sequence[tuple[str, str]]
Places = list[tuple[int, int]]

DATE = "2020-01-02T03:04:05Z"
TIMESTAMP = "20200102030405"
HTML = (("Content-Type", "text/html; charset=utf-8"),)
_PROFILE = "http://netpreserve.org/warc/1.0/revisit/identical-payload-digest"


@dataclass(frozen=True, slots=True)
class Made:
    """A record as it stands in a file that is not compressed, with the two closing line breaks."""

    content: bytes
    record_id: str = ""


def sha1_of(payload: bytes) -> str:
    """Return the digest as WARCs and indexes write it."""
    return "sha1:" + base64.b32encode(hashlib.sha1(payload).digest()).decode()


def record(
    kind: str,
    block: bytes,
    fields: Fields = (),
    *,
    version: str = "WARC/1.0",
    length: int | None = None,
) -> Made:
    """Return any record. `length` is what it claims to have, None for the truth."""
    record_id = f"<urn:uuid:{uuid.uuid4()}>"
    head = [("WARC-Type", kind), ("WARC-Record-ID", record_id), *fields]
    head.append(("Content-Length", str(len(block) if length is None else length)))
    text = "".join(f"{name}: {value}\r\n" for name, value in head)
    return Made(f"{version}\r\n{text}\r\n".encode() + block + b"\r\n\r\n", record_id)


def http_head(status: str = "200 OK", headers: Fields = HTML) -> bytes:
    lines = "".join(f"{name}: {value}\r\n" for name, value in headers)
    return f"HTTP/1.1 {status}\r\n{lines}\r\n".encode()


def response(
    url: str,
    body: bytes = b"<p>hello",
    *,
    date: str = DATE,
    status: str = "200 OK",
    headers: Fields = HTML,
    digest: str | None = "",
    concurrent_to: str = "",
    truncated: str = "",
    version: str = "WARC/1.0",
) -> Made:
    """Return a response record. `digest` is the payload's; "" for the true one, None for none."""
    fields = [*_of(url, date), ("Content-Type", "application/http; msgtype=response")]
    if digest is not None:
        fields.append(("WARC-Payload-Digest", digest or sha1_of(body)))
    if concurrent_to:
        fields.append(("WARC-Concurrent-To", concurrent_to))
    if truncated:
        fields.append(("WARC-Truncated", truncated))
    return record("response", http_head(status, headers) + body, fields, version=version)


def request(
    url: str,
    *,
    method: str = "GET",
    body: bytes = b"",
    content_type: str = "application/x-www-form-urlencoded",
    date: str = DATE,
    concurrent_to: str = "",
) -> Made:
    """Return a request record; `content_type` is left out when there is no body."""
    _, _, rest = url.partition("://")
    host, _, path = rest.partition("/")
    headers = [("Host", host)]
    if body:
        headers += [("Content-Type", content_type), ("Content-Length", str(len(body)))]
    lines = "".join(f"{name}: {value}\r\n" for name, value in headers)
    block = f"{method} /{path} HTTP/1.1\r\n{lines}\r\n".encode() + body
    fields = [*_of(url, date), ("Content-Type", "application/http; msgtype=request")]
    if concurrent_to:
        fields.append(("WARC-Concurrent-To", concurrent_to))
    return record("request", block, fields)


def revisit(
    url: str,
    of_body: bytes = b"<p>hello",
    *,
    date: str = "2021-01-02T03:04:05Z",
    refers_to: tuple[str, str] | None = None,
    status: str = "200 OK",
    headers: Fields = HTML,
    block: bytes | None = None,
) -> Made:
    """Return a revisit of a payload. `refers_to` is the original's URL and WARC-Date."""
    fields = [
        *_of(url, date),
        ("WARC-Profile", _PROFILE),
        ("WARC-Payload-Digest", sha1_of(of_body)),
        ("Content-Type", "application/http; msgtype=response"),
    ]
    if refers_to is not None:
        fields.append(("WARC-Refers-To-Target-URI", refers_to[0]))
        fields.append(("WARC-Refers-To-Date", refers_to[1]))
    return record("revisit", http_head(status, headers) if block is None else block, fields)


def resource(
    url: str,
    body: bytes,
    content_type: str = "text/plain",
    date: str = DATE,
    kind: str = "resource",
) -> Made:
    """Return a resource record, or one of another kind that has no HTTP head."""
    return record(kind, body, [*_of(url, date), ("Content-Type", content_type)])


def metadata(url: str, body: bytes = b'{"a": 1}', content_type: str = "application/json") -> Made:
    return resource(url, body, content_type, kind="metadata")


def warcinfo(body: bytes = b"software: a test\r\n") -> Made:
    return record(
        "warcinfo", body, [("WARC-Date", DATE), ("Content-Type", "application/warc-fields")]
    )


def member(content: bytes) -> bytes:
    """Return a gzip member."""
    return gzip.compress(content, 6, mtime=0)


def members_of(data: bytes) -> Iterator[tuple[int, int]]:
    """Yield offset and length of each gzip member: each record is one."""
    left = data
    while left:
        inflate = zlib.decompressobj(31)
        inflate.decompress(left)
        offset = len(data) - len(left)
        left = inflate.unused_data
        yield offset, len(data) - len(left) - offset


def gzip_bomb(size: int, start: bytes = b"") -> bytes:
    """Return a gzip member of these bytes and then zeros, `size` bytes in all."""
    packer = zlib.compressobj(9, zlib.DEFLATED, 31)
    parts, left = [packer.compress(start)], size - len(start)
    while left > 0:
        parts.append(packer.compress(bytes(min(left, 1 << 20))))
        left -= 1 << 20
    return b"".join([*parts, packer.flush()])


def write_warc(path: Path, *records: Made) -> Places:
    """Write a WARC and return where its records stand."""
    is_packed = path.name.endswith(".gz")
    return _write(path, [member(each.content) if is_packed else each.content for each in records])


def write_whole_gzip(path: Path, *records: Made) -> None:
    """Write a WARC whose records share one gzip member, as `gzip file.warc` does."""
    path.write_bytes(member(b"".join(each.content for each in records)))


def arc_record(
    url: str,
    body: bytes = b"<p>hello",
    *,
    timestamp: str = TIMESTAMP,
    status: str = "200 OK",
    headers: Fields = HTML,
    mime: str = "text/html",
    ip: str = "192.0.2.1",
) -> Made:
    """Return a record as ARC v1 writes it: a line of five parts, the message, a line break."""
    block = http_head(status, headers) + body
    return Made(f"{url} {ip} {timestamp} {mime} {len(block)}\n".encode() + block + b"\n")


def write_arc(path: Path, *records: Made) -> Places:
    """Write an ARC with its version block; the places are those of the records behind it."""
    text = b"1 0 A Test\nURL IP-address Archive-date Content-type Archive-length\n"
    line = f"filedesc://{path.name} 0.0.0.0 {TIMESTAMP} text/plain {len(text)}\n"
    head = Made(line.encode() + text + b"\n")
    return write_warc(path, head, *records)[1:]


def write_wacz(
    path: Path,
    warcs: Mapping[str, bytes],
    *,
    indexes: Mapping[str, bytes] | None = None,
    is_deflated: bool = False,
) -> None:
    """Write a WACZ: `archive/` and its WARCs, `indexes/` and those that are given, and a package.

    A name with a slash in it is taken as it is, so that a hostile zip can be made too.
    """
    method = zipfile.ZIP_DEFLATED if is_deflated else zipfile.ZIP_STORED
    with zipfile.ZipFile(path, "w", method) as file:
        for name, content in warcs.items():
            file.writestr(name if "/" in name else f"archive/{name}", content)
        for name, content in (indexes or {}).items():
            file.writestr(f"indexes/{name}", content)
        file.writestr("pages/pages.jsonl", b'{"format": "json-pages-1.0", "id": "pages"}\n')
        file.writestr("datapackage.json", json.dumps({"profile": "data-package", "resources": []}))


def zipnum(
    lines: Sequence[bytes], name: str = "index.cdx.gz", most: int = 3
) -> tuple[bytes, bytes]:
    """Return sorted lines as a ZipNum cluster: the gzip members, and the `.idx` that says where."""
    blocks = [lines[start : start + most] for start in range(0, len(lines), most)]
    packed = [member(b"".join(block)) for block in blocks]
    index = [b'!meta 0 {"format": "cdxj-gzip-1.0", "filename": "%s"}\n' % name.encode()]
    offset = 0
    for block, content in zip(blocks, packed, strict=True):
        place = json.dumps({"offset": offset, "length": len(content)})
        index.append(block[0].split(b"{")[0].rstrip() + b" " + place.encode() + b"\n")
        offset += len(content)
    return b"".join(packed), b"".join(index)


def _of(url: str, date: str) -> list[tuple[str, str]]:
    return [("WARC-Target-URI", url), ("WARC-Date", date)]


def _write(path: Path, parts: Sequence[bytes]) -> Places:
    path.write_bytes(b"".join(parts))
    ends = [sum(map(len, parts[: number + 1])) for number in range(len(parts))]
    return [(end - len(part), len(part)) for end, part in zip(ends, parts, strict=True)]
