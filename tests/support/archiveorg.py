# SPDX-License-Identifier: AGPL-3.0-or-later
"""A stand-in for archive.org on loopback: uploads, metadata, tasks, and its faults."""

import hashlib
import json
import re
import socket
import ssl
import struct
import threading
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Any
from urllib.parse import parse_qs, unquote, urlsplit

ACCESS, SECRET = "AccessOfAnArchivist", "SecretOfAnArchivist"


class Fault(StrEnum):
    """What goes wrong with one upload."""

    RESET = "the connection is reset in the middle of the body"
    LOST_ANSWER = "the file is taken, and nobody says so"
    SLOW_DOWN = "503 SlowDown"
    SPAM = "503, and it appears to be spam"
    BAD_KEYS = "403 InvalidAccessKeyId"
    DENIED = "403 AccessDenied"
    BAD_DIGEST = "400 BadDigest"
    LOST_FOLDER = "the file is taken without its folder"
    WRONG_BYTES = "the file is listed with another digest"
    SENT_ON = "307 to another host"


@dataclass(frozen=True, slots=True)
class Put:
    """An upload as it arrived; header names are in lower case."""

    item: str
    path: str
    headers: Mapping[str, str]
    size: int


@dataclass
class Item:
    """An item with its files (name → what is listed of it) and what it says of itself.

    A file is listed once the item was asked for as often as `hidden` says.
    """

    metadata: dict[str, Any] = field(default_factory=dict)
    files: dict[str, dict[str, str]] = field(default_factory=dict)
    hidden: dict[str, int] = field(default_factory=dict)
    is_dark: bool = False

    def add(self, name: str, body: bytes) -> None:
        self.files[name] = _listed(name, len(body), hashlib.md5(body), hashlib.sha1(body))


class FakeArchiveOrg:
    """Both of archive.org's interfaces at one address while the context lasts.

    `faults` are used up, one an upload; an upload without one goes well. `lists_after` is how often
    an item is asked for before it shows a new file. `refusals` is how often the queue is full. It
    can stand in for a proxy too. With `tls` it speaks HTTPS.
    """

    def __init__(self, tls: ssl.SSLContext | None = None) -> None:
        self.items: dict[str, Item] = {}
        self.puts: list[Put] = []
        self.asked: list[str] = []
        self.agents: set[str] = set()
        self.faults: list[Fault | None] = []
        self.lists_after = 0
        self.refusals = 0
        self.sends_on_to = "http://localhost:9/elsewhere"
        self.answer_instead: tuple[int, bytes] | None = None
        self.lock = threading.Lock()
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), _handler(self))
        self._server.daemon_threads = False
        self._scheme = "https" if tls else "http"
        if tls:
            self._server.socket = tls.wrap_socket(self._server.socket, server_side=True)
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.05,))

    @property
    def url(self) -> str:
        return f"{self._scheme}://127.0.0.1:{self._server.server_port}"

    @property
    def paths_sent(self) -> list[str]:
        return [put.path for put in self.puts]

    def times_asked(self, start: str) -> int:
        return sum(target.startswith(start) for target in self.asked)

    def hold(self, name: str, files: Mapping[str, bytes], **metadata: Any) -> Item:
        """Have an item of this name with these files."""
        item = self.items[name] = Item({"identifier": name, **metadata})
        for path, body in files.items():
            item.add(path, body)
        return item

    def __enter__(self) -> "FakeArchiveOrg":
        self._thread.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        at: TracebackType | None,
    ) -> None:
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()


def _listed(name: str, size: int, md5: Any, sha1: Any) -> dict[str, str]:
    return {
        "name": name,
        "source": "original",
        "size": str(size),
        "md5": md5.hexdigest(),
        "sha1": sha1.hexdigest(),
    }


def _handler(archive: FakeArchiveOrg) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            target = urlsplit(self.path)
            with archive.lock:
                archive.asked.append(self.path)
                archive.agents.add(self.headers["User-Agent"])
            if target.path == "/":
                self._say(200, json.dumps({"over_limit": self._over_limit()}).encode())
            elif target.path.startswith("/metadata/"):
                status, body = archive.answer_instead or (200, self._metadata(target.path[10:]))
                self._say(status, body)
            elif target.path == "/services/tasks.php":
                name = parse_qs(target.query)["identifier"][0]
                waiting = len(archive.items[name].hidden) if name in archive.items else 0
                self._say(200, json.dumps({"value": {"summary": {"queued": waiting}}}).encode())
            else:
                self._say(404, b"{}")

        def do_PUT(self) -> None:
            with archive.lock:
                fault = archive.faults.pop(0) if archive.faults else None
                archive.agents.add(self.headers["User-Agent"])
            item, _, path = unquote(urlsplit(self.path).path)[1:].partition("/")
            length = int(self.headers["Content-Length"])
            if fault is Fault.RESET:
                self._take(length // 2)
                self._reset()
                return
            size, md5, sha1 = self._take(length)
            with archive.lock:
                archive.puts.append(Put(item, path, _lower(self.headers.items()), size))
            refusal = self._refusal(fault, md5.hexdigest())
            if refusal is not None:
                self._say(*refusal)
                return
            with archive.lock:
                self._keep(item, path, _listed(path, size, md5, sha1), fault)
            if fault is Fault.LOST_ANSWER:
                self._reset()
                return
            self._say(200, b"")

        def _refusal(self, fault: Fault | None, md5: str) -> tuple[int, bytes] | None:
            if self.headers["Authorization"] != f"LOW {ACCESS}:{SECRET}":
                fault = Fault.BAD_KEYS
            if self.headers["Content-MD5"] != md5:
                fault = Fault.BAD_DIGEST
            if fault is Fault.SENT_ON:
                return 307, b"elsewhere"
            code, name, words = (
                {
                    Fault.SLOW_DOWN: (503, "SlowDown", "Please reduce your request rate."),
                    Fault.SPAM: (503, "SlowDown", "This upload appears to be spam."),
                    Fault.BAD_KEYS: (403, "InvalidAccessKeyId", f"No {ACCESS} and {SECRET} here."),
                    Fault.DENIED: (403, "AccessDenied", "You lack the privileges."),
                    Fault.BAD_DIGEST: (400, "BadDigest", "The Content-MD5 did not match."),
                }.get(fault, (0, "", ""))
                if fault
                else (0, "", "")
            )
            if not code:
                return None
            body = f"<Error><Code>{name}</Code><Message>{words}</Message></Error>"
            return code, body.encode()

        def _keep(self, name: str, path: str, listed: dict[str, str], fault: Fault | None) -> None:
            item = archive.items.setdefault(name, Item({"identifier": name, **self._told()}))
            if fault is Fault.LOST_FOLDER:
                path = listed["name"] = path.rpartition("/")[2]
            if fault is Fault.WRONG_BYTES:
                listed["md5"] = "0" * 32
            item.files[path] = listed
            if archive.lists_after:
                item.hidden[path] = archive.lists_after

        def _told(self) -> dict[str, Any]:
            """Return what the headers say of a new item."""
            told: dict[str, list[str]] = {}
            for name, value in sorted(_lower(self.headers.items()).items()):
                if match := re.fullmatch(r"x-archive-meta\d\d-(.+)", name):
                    quoted = re.fullmatch(r"uri\((.*)\)", value)
                    text = unquote(quoted[1]) if quoted else value
                    told.setdefault(match[1].replace("--", "_"), []).append(text)
            return {key: values[0] if len(values) == 1 else values for key, values in told.items()}

        def _metadata(self, name: str) -> bytes:
            with archive.lock:
                item = archive.items.get(name)
                if item is None:
                    return b"{}"
                if item.is_dark:
                    return b'{"is_dark": true}'
                shown = [file for path, file in item.files.items() if path not in item.hidden]
                item.hidden = {path: n - 1 for path, n in item.hidden.items() if n > 1}
                own = {"name": f"{name}_files.xml", "source": "original", "format": "Metadata"}
                return json.dumps({"metadata": item.metadata, "files": [*shown, own]}).encode()

        def _over_limit(self) -> int:
            with archive.lock:
                archive.refusals -= 1
                return int(archive.refusals >= 0)

        def _take(self, count: int) -> tuple[int, Any, Any]:
            size, md5, sha1 = 0, hashlib.md5(), hashlib.sha1()
            while size < count and (piece := self.rfile.read(min(65536, count - size))):
                size += len(piece)
                md5.update(piece)
                sha1.update(piece)
            return size, md5, sha1

        def _reset(self) -> None:
            linger = struct.pack("ii", 1, 0)
            self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, linger)
            self.close_connection = True
            self.connection.close()

        def _say(self, status: int, body: bytes) -> None:
            self.send_response(status)
            if status == 307:
                self.send_header("Location", archive.sends_on_to)
            if status == 503:
                self.send_header("Retry-After", "0")
            self.send_header("Content-Length", str(len(body)))
            if self.close_connection:  # the library asks for that; whoever is not told asks on it
                self.send_header("Connection", "close")
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, format: str, *args: Any) -> None: ...

    return Handler


def _lower(pairs: Any) -> dict[str, str]:
    return {name.lower(): value for name, value in pairs}
