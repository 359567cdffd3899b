# SPDX-License-Identifier: AGPL-3.0-or-later
"""What a worker counts, for Prometheus, and where it can be read: /metrics and /healthz."""

import threading
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from http.server import ThreadingHTTPServer
from typing import TYPE_CHECKING, Any
from wsgiref.simple_server import WSGIRequestHandler, WSGIServer

from carrel.errors import UsageError
from carrel.fleet.kafka import need_kafka
from carrel.translation import tr

if TYPE_CHECKING:
    from prometheus_client import CollectorRegistry

# An ingest takes from a tenth of a second to a day.
_SECONDS = (0.1, 0.3, 1, 3, 10, 30, 100, 300, 1000, 3000, 10_000, 86_400)
Start = Callable[[str, list[tuple[str, str]]], Any]


class WorkerMetrics:
    """The numbers of one worker, in a registry of its own."""

    def __init__(self) -> None:
        need_kafka()
        from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram

        own = self.registry = CollectorRegistry()

        def counter(name: str, text: str, *labels: str) -> Counter:
            return Counter(f"carrel_{name}", text, labels, registry=own)

        def gauge(name: str, text: str, *labels: str) -> Gauge:
            return Gauge(f"carrel_{name}", text, labels, registry=own)

        self._requests = counter("requests_total", "Requests, by what came of them.", "outcome")
        self._results = counter("results_total", "Results that were sent, by status.", "status")
        self._bytes = counter("bytes_total", "Bytes of files that were archived.")
        self._rejects = counter("rejects_total", "Messages that were set aside.", "reason")
        self._commit_failures = counter(
            "commit_failures_total", "Commits that were refused.", "reason"
        )
        self._seconds = Histogram(
            "carrel_ingest_seconds", "How long ingests took.", buckets=_SECONDS, registry=own
        )
        self._in_flight = gauge("in_flight", "Requests that were taken and are not done.")
        self._running = gauge("running", "Ingests that run.")
        self._lag = gauge("lag", "Messages above the low watermark.", "topic", "partition")
        self._oldest = gauge("oldest_uncommitted_seconds", "Age of the oldest request in work.")
        self._hosts = gauge("hosts_paused", "Hosts that want no requests now.")
        self._disk = gauge("disk_free_bytes", "Room on the disk of the archive.")
        self._hindered = gauge("hindered", "Why nothing is read at present.", "reason")

    def answered(self, status: str, size: int, seconds: float, *, was_known: bool) -> None:
        """Count an answered request: its status, bytes that were archived, and how long it took."""
        self._requests.labels("repeated" if was_known else "ingested").inc()
        self._results.labels(status).inc()
        if not was_known:
            self._bytes.inc(size)
            self._seconds.observe(seconds)

    def put_aside(self) -> None:
        self._requests.labels("put-aside").inc()

    def rejected(self, reason: str) -> None:
        """Count a message that was set aside; `reason` is one of a few words."""
        self._requests.labels("rejected").inc()
        self._rejects.labels(reason).inc()

    def commit_failed(self, reason: str) -> None:
        self._commit_failures.labels(reason).inc()

    def note_lags(self, lags: Mapping[tuple[str, int], int], in_flight: int) -> None:
        """Note how far behind each partition is; of one that is someone else's now, nothing."""
        self._lag.clear()
        for (topic, partition), lag in lags.items():
            self._lag.labels(topic, str(partition)).set(lag)
        self._in_flight.set(in_flight)

    def note_work(self, running: int, oldest_s: float, hosts_paused: int) -> None:
        self._running.set(running)
        self._oldest.set(oldest_s)
        self._hosts.set(hosts_paused)

    def note_hindrances(self, reasons: Iterable[str], free_bytes: int) -> None:
        """Note why nothing is read at present, if anything hinders it."""
        self._hindered.clear()
        for reason in reasons:
            self._hindered.labels(reason).set(1)
        self._disk.set(free_bytes)


@contextmanager
def served(
    address: str | None, registry: "CollectorRegistry", unhealthy: Callable[[], str]
) -> Iterator[str]:
    """Serve /metrics and /healthz at an address (host:port) meanwhile; give where that is.

    `unhealthy` says why the process is to be started again, "" if it is well. Without an address
    nothing is served. Raises UsageError.
    """
    if address is None:
        yield ""
        return
    server = _server(address, registry, unhealthy)
    thread = threading.Thread(target=server.serve_forever, name="metrics", daemon=True)
    thread.start()
    try:
        host, port = server.server_address[:2]
        yield f"{host!s}:{port}"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


class _Server(ThreadingHTTPServer, WSGIServer):
    daemon_threads = True


class _Quiet(WSGIRequestHandler):
    def log_message(self, *args: Any) -> None:
        """Say nothing: Prometheus asks every few seconds."""


def _server(address: str, registry: "CollectorRegistry", unhealthy: Callable[[], str]) -> "_Server":
    from prometheus_client import make_wsgi_app

    metrics = make_wsgi_app(registry)

    def answer(environ: dict[str, Any], start: Start) -> Iterable[bytes]:
        match environ["PATH_INFO"]:
            case "/metrics":
                found: Iterable[bytes] = metrics(environ, start)
                return found
            case "/healthz":
                return _said(start, unhealthy())
        start("404 Not Found", [])
        return [b""]

    host, _, port = address.rpartition(":")
    try:
        server = _Server((host or "127.0.0.1", int(port)), _Quiet)
    except (OSError, ValueError, OverflowError) as error:
        words = tr("{address} cannot be listened at: {reason}.", address=address, reason=error)
        raise UsageError(words) from error
    server.set_app(answer)
    return server


def _said(start: Start, why: str) -> Iterable[bytes]:
    status = "503 Service Unavailable" if why else "200 OK"
    start(status, [("Content-Type", "text/plain; charset=utf-8")])
    return [f"{why or 'ok'}\n".encode()]
