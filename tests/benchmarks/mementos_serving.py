# SPDX-License-Identifier: AGPL-3.0-or-later
"""The index API over one kept-alive connection, beside pywb, in one run, as ratios.

Either server has the same synthetic index and is asked for random URLs of it, one question after
the other, as a program on the same machine asks. They take turns.

usage: mementos_serving.py [--lines N] [--seconds S] [--folder DIR]
"""

import argparse
import http.client
import os
import random
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from statistics import median
from urllib.parse import quote

sys.path.insert(0, str(Path(__file__).parents[1]))

from benchmarks.mementos_lookup import _CAPTURES_PER_URL, _site, write_index

_BIN = Path(sys.executable).parent
_ROUNDS = 3


@contextmanager
def carrel(index: Path, folder: Path) -> Iterator[int]:
    """Run Carrel's server; gives its port."""
    (folder / "collections.yaml").write_text(f"collections:\n  bench: {index}\n")
    port = _free_port()
    config = ("--config", str(folder / "collections.yaml"), "--archive", str(folder / "none"))
    environment = {**os.environ, "CARREL_CACHE": str(folder / "cache")}
    command = [str(_BIN / "carrel"), "serve", "--port", str(port), *config]
    with _running(command, port, environment, folder):
        yield port


@contextmanager
def pywb(index: Path, folder: Path) -> Iterator[int]:
    """Run pywb's server; gives its port."""
    (folder / "config.yaml").write_text(
        f"collections:\n  bench:\n    index_paths: {index}\n    archive_paths: {folder}\n"
    )
    port = _free_port()
    command = [str(_BIN / "warcserver"), "-b", "127.0.0.1", "-p", str(port)]
    with _running(command, port, dict(os.environ), folder):
        yield port


def measure(port: int, lines: int, seconds: float) -> tuple[float, float]:
    """Return questions a second on one connection, and the median of their milliseconds."""
    chance = random.Random(4)  # the same questions every time
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
    took: list[float] = []
    began = time.perf_counter()
    while time.perf_counter() - began < seconds:
        url = quote(_site(chance.randrange(lines // _CAPTURES_PER_URL))[1], safe="")
        asked = time.perf_counter()
        connection.request("GET", f"/bench/index?url={url}")
        rows = connection.getresponse().read()
        took.append((time.perf_counter() - asked) * 1000)
        if rows.count(b"\n") != _CAPTURES_PER_URL:
            raise SystemExit(f"{_CAPTURES_PER_URL} rows were expected for {url}")
    connection.close()
    return len(took) / (time.perf_counter() - began), median(took)


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--lines", type=int, default=1_000_000)
    parser.add_argument("--seconds", type=float, default=3.0)
    parser.add_argument("--folder", type=Path, help="for the index, which is kept there")
    options = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        index = (options.folder or folder) / f"{options.lines}.cdxj"
        if not index.exists():
            write_index(index, options.lines)
        rates: dict[str, list[tuple[float, float]]] = {"Carrel": [], "pywb": []}
        for _ in range(_ROUNDS):
            for name, server in (("Carrel", carrel), ("pywb", pywb)):
                with server(index, folder) as port:
                    rates[name].append(measure(port, options.lines, options.seconds))
    ours, theirs = (median(rate for rate, _ in rates[name]) for name in ("Carrel", "pywb"))
    for name, runs in rates.items():
        rate, wait_ms = (median(each) for each in zip(*runs, strict=True))
        print(f"{name:8} {rate:8,.0f} questions/s, median {wait_ms:7.2f} ms")
    print(f"Carrel answers {ours / theirs:.1f} times as many on a kept-alive connection.")


@contextmanager
def _running(
    command: list[str], port: int, environment: dict[str, str], folder: Path
) -> Iterator[None]:
    with subprocess.Popen(
        command,
        cwd=folder,
        env=environment,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    ) as server:
        try:
            _await(port)
            yield
        finally:
            server.terminate()
            server.wait(30)


def _await(port: int) -> None:
    until = time.monotonic() + 60
    while time.monotonic() < until:
        try:
            socket.create_connection(("127.0.0.1", port), 1).close()
            return
        except OSError:
            time.sleep(0.05)
    raise SystemExit("A server did not start.")


def _free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as free:
        port: int = free.getsockname()[1]
    return port


if __name__ == "__main__":
    main()
