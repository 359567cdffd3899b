# SPDX-License-Identifier: AGPL-3.0-or-later
"""A stand-in for the Wayback Machine on loopback: Save Page Now 2, CDX server, raw replay.

Tests say what it holds, what becomes of a submission, and which of its answers are wrong.
"""

import base64
import contextlib
import hashlib
import json
import re
import threading
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Any
from urllib.parse import parse_qs, urlsplit

ACCESS, SECRET = "an-access-key", "a-secret-key"
NEVER = 10**9

_RAW = re.compile(r"/web/(\d{14})id_/(.+)", re.DOTALL)
_COLUMNS = ("urlkey", "timestamp", "original", "mimetype", "statuscode", "digest", "length")


class FakeClock:
    """A clock that only goes on when somebody sleeps, and then at once. Threads may share it."""

    def __init__(self) -> None:
        self._now, self._lock = 0.0, threading.Lock()
        self._began = datetime.now(UTC)

    def now(self) -> float:
        with self._lock:
            return self._now

    def wall(self) -> datetime:
        return self._began + timedelta(seconds=self.now())

    def sleep(self, seconds: float) -> None:
        with self._lock:
            self._now += seconds


@dataclass(frozen=True, slots=True)
class Answer:
    """One answer word for word, given in place of the right one."""

    status: int = 200
    body: bytes = b""
    headers: Mapping[str, str] = field(default_factory=dict)


def html(status: int = 200) -> Answer:
    return Answer(status, b"<html><h1>Sorry</h1></html>", {"Content-Type": "text/html"})


def json_answer(value: Any, status: int = 200, **headers: str) -> Answer:
    named = {name.replace("_", "-"): text for name, text in headers.items()}
    return Answer(status, json.dumps(value).encode(), {"Content-Type": "application/json", **named})


def sha1_base32(body: bytes) -> str:
    return base64.b32encode(hashlib.sha1(body).digest()).decode()


@dataclass
class Held:
    """One capture. `replayed` are the bytes that replay gives back, right ones if None.

    The index shows it after so many questions for its address (`hidden_for`). `replayed_at` sends
    visitors to another time.
    """

    url: str
    timestamp: str
    body: bytes = b""
    status: int = 200
    mimetype: str = "text/plain"
    location: str | None = None
    digest: str | None = None
    is_revisit: bool = False
    hidden_for: int = 0
    replayed: bytes | None = None
    replayed_at: str | None = None
    headers: Mapping[str, str] = field(default_factory=dict)

    def row(self) -> dict[str, str]:
        return {
            "urlkey": "a key",
            "timestamp": self.timestamp,
            "original": self.url,
            "mimetype": "warc/revisit" if self.is_revisit else self.mimetype,
            "statuscode": "-" if self.is_revisit else str(self.status),
            "digest": self.digest or sha1_base32(self.body),
            "length": "512",
        }


@dataclass
class Plan:
    """What becomes of a submission: pending so often, then `error` or success; `held` exists
    from the submission on, whatever is reported."""

    held: Held | None = None
    pending: int = 0
    error: str | None = None
    message: str | None = None
    final: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Asked:
    """A request that arrived; header names are in lower case."""

    method: str
    path: str
    query: Mapping[str, str]
    headers: Mapping[str, str]
    form: Mapping[str, str]


class Wayback:
    """The stand-in. What is in `answers` under a path ("/save", "/save/status/user",
    "/save/status/job", "/cdx", "/web") is answered first, one by one."""

    def __init__(self) -> None:
        self.held: list[Held] = []
        self.plans: dict[str, list[Plan]] = {}
        self.places: list[int] = [5]
        self.daily = (1, 1000)
        self.answers: dict[str, list[Answer]] = {}
        self.names_time = True
        self._asked: list[Asked] = []
        self._jobs: dict[str, tuple[str, Plan]] = {}
        self._lock = threading.Lock()
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), _handler_for(self))
        self._thread = threading.Thread(
            target=self._server.serve_forever, args=(0.02,), name="wayback", daemon=True
        )

    @property
    def origin(self) -> str:
        return f"http://127.0.0.1:{self._server.server_port}"

    @property
    def asked(self) -> list[Asked]:
        with self._lock:
            return list(self._asked)

    def paths(self, start: str) -> list[str]:
        """Return the paths that were asked for below this one, in order."""
        return [asked.path for asked in self.asked if asked.path.startswith(start)]

    @property
    def submitted(self) -> list[str]:
        return [asked.form["url"] for asked in self.asked if asked.method == "POST"]

    def hold(
        self, url: str, body: bytes = b"", timestamp: str = "20240501120000", **more: Any
    ) -> Held:
        held = Held(url, timestamp, body, **more)
        self.held.append(held)
        return held

    def plan(self, url: str, plan: Plan) -> None:
        """Say what becomes of a submission of this address; of several, one after the other."""
        self.plans.setdefault(url, []).append(plan)

    def will_capture(self, url: str, body: bytes, **more: Any) -> Held:
        """Have a submission of this address captured as of now."""
        held = Held(url, f"{datetime.now(UTC):%Y%m%d%H%M%S}", body, **more)
        self.plan(url, Plan(held))
        return held

    def __enter__(self) -> "Wayback":
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

    def answer(self, asked: Asked) -> Answer:
        with self._lock:
            self._asked.append(asked)
            scripted = self.answers.get(_kind(asked.path), [])
            if scripted:
                return scripted.pop(0)
            if asked.path.startswith("/cdx/"):
                return self._index(asked)
            if asked.path.startswith("/web/"):
                return self._replay(asked.path)
            if asked.headers.get("authorization") != f"LOW {ACCESS}:{SECRET}":
                return json_answer({"message": "You need to be logged in."}, 401)
            if asked.path == "/save/status/user":
                return self._user()
            return self._save(asked) if asked.method == "POST" else self._status(asked.path)

    def _user(self) -> Answer:
        places = self.places.pop(0) if len(self.places) > 1 else self.places[0]
        used, limit = self.daily
        return json_answer(
            {
                "available": places,
                "processing": 1,
                "daily_captures": used,
                "daily_captures_limit": limit,
            }
        )

    def _save(self, asked: Asked) -> Answer:
        url = asked.form["url"]
        plans = self.plans.get(url) or [Plan(error="error:not-found", message="No such page.")]
        plan = plans.pop(0) if len(plans) > 1 else plans[0]
        job_id = f"spn2-{len(self._jobs):040x}"
        self._jobs[job_id] = (url, plan)
        if plan.held is not None and plan.held not in self.held:
            self.held.append(plan.held)
        return json_answer({"url": url, "job_id": job_id})

    def _status(self, path: str) -> Answer:
        job_id = path.rpartition("/")[2]
        url, plan = self._jobs[job_id]
        if plan.pending:
            plan.pending -= 1
            return json_answer({"status": "pending", "job_id": job_id, "resources": []})
        if plan.error is not None:
            told = {"status": "error", "status_ext": plan.error, "message": plan.message}
            return json_answer({"job_id": job_id, "resources": [], **told, **plan.final})
        timestamp = plan.held.timestamp if plan.held else "20240501120000"
        done = {"status": "success", "original_url": url, "timestamp": timestamp}
        return json_answer({"job_id": job_id, "duration_sec": 6.2, **done, **plan.final})

    def _index(self, asked: Asked) -> Answer:
        names = asked.query.get("fl", ",".join(_COLUMNS)).split(",")
        rows = []
        for held in sorted(self.held, key=lambda held: held.timestamp):
            if _key(held.url) != _key(asked.query["url"]):
                continue
            held.hidden_for -= 1
            if held.hidden_for < 0:
                rows.append([held.row()[name] for name in names])
        return json_answer([names, *rows] if rows else [])

    def _replay(self, path: str) -> Answer:
        found = _RAW.fullmatch(path)
        assert found is not None
        timestamp, url = found[1], found[2]
        here = [held for held in self.held if _key(held.url) == _key(url)]
        exact = next((held for held in here if held.timestamp == timestamp), None)
        if exact is None or exact.replayed_at is not None:
            elsewhere = exact.replayed_at if exact else (here[0].timestamp if here else None)
            if elsewhere is None:
                return html(404)
            return Answer(302, b"", {"Location": f"/web/{elsewhere}id_/{url}"})
        moment = datetime.strptime(timestamp, "%Y%m%d%H%M%S").replace(tzinfo=UTC)
        headers = {"Content-Type": exact.mimetype, **exact.headers}
        if self.names_time:
            headers["Memento-Datetime"] = format_datetime(moment, usegmt=True)
            headers["X-Archive-Src"] = "somewhere.warc.gz"
        if exact.location is not None:
            headers["Location"] = f"{self.origin}/web/{timestamp}id_/{exact.location}"
        body = exact.body if exact.replayed is None else exact.replayed
        return Answer(exact.status, body, headers)


def _kind(path: str) -> str:
    if path.startswith("/save/status/") and path != "/save/status/user":
        return "/save/status/job"
    return path if path.startswith("/save") else "/" + path.split("/")[1]


def _key(url: str) -> str:
    """Find by address without its scheme and case, as the index does."""
    return url.partition("://")[2].lower()


def _handler_for(wayback: Wayback) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        # Head and body leave together: else the second waits for an acknowledgement.
        wbufsize = -1

        def handle(self) -> None:
            with contextlib.suppress(ConnectionError):  # the client hung up, which it may
                super().handle()

        def finish(self) -> None:
            with contextlib.suppress(ConnectionError):
                super().finish()

        def do_GET(self) -> None:
            self._reply({})

        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"])).decode()
            self._reply(parse_qs(body))

        def _reply(self, form: dict[str, list[str]]) -> None:
            is_raw = self.path.startswith("/web/")
            parts = urlsplit(self.path)
            asked = Asked(
                self.command,
                self.path if is_raw else parts.path,
                {name: values[0] for name, values in parse_qs(parts.query).items()},
                {name.lower(): value for name, value in self.headers.items()},
                {name: values[0] for name, values in form.items()},
            )
            answer = wayback.answer(asked)
            self.send_response_only(answer.status)
            for name, value in answer.headers.items():
                self.send_header(name, value)
            self.send_header("Content-Length", str(len(answer.body)))
            self.end_headers()
            self.wfile.write(answer.body)

    return Handler
