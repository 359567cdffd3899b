# SPDX-License-Identifier: AGPL-3.0-or-later
"""A real S3-compatible server on loopback: that of moto, in a process of its own."""

import re
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

import httpx

from support.archives import environment

_ADDRESS = re.compile(r"Running on (http://127\.0\.0\.1:[0-9]+)")


@dataclass(frozen=True, slots=True)
class ObjectStore:
    """A running server with one bucket. `variables` are those that a program needs to use it."""

    address: str
    bucket: str = "copies"

    @property
    def variables(self) -> dict[str, str]:
        return {
            "AWS_ENDPOINT_URL": self.address,
            "AWS_ACCESS_KEY_ID": "key-of-the-test",
            "AWS_SECRET_ACCESS_KEY": "secret-of-the-test",
            "AWS_REGION": "us-east-1",
        }

    def get(self, name: str) -> bytes:
        return self._ask("GET", name)

    def put(self, name: str, content: bytes) -> None:
        self._ask("PUT", name, content)

    def delete(self, name: str) -> None:
        self._ask("DELETE", name)

    def _ask(self, method: str, name: str, content: bytes | None = None) -> bytes:
        url = f"{self.address}/{self.bucket}/{name}"
        with httpx.Client(trust_env=False) as client:
            # Of a signature the server only asks that there is one.
            headers = {"Authorization": "AWS key-of-the-test:signature"}
            return (
                client.request(method, url, content=content, headers=headers)
                .raise_for_status()
                .content
            )


@contextmanager
def object_store() -> Iterator[ObjectStore]:
    """Run a server, which chooses its port by itself."""
    server = subprocess.Popen(
        [sys.executable, "-W", "ignore", "-m", "moto.server", "-H", "127.0.0.1", "-p", "0"],
        stderr=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        text=True,
        env={**environment(), "PYTHONWARNINGS": "ignore"},
    )
    try:
        store = ObjectStore(_address(server))
        threading.Thread(target=server.communicate, daemon=True).start()  # it tells of each request
        store.put("", b"")
        yield store
    finally:
        server.kill()
        server.wait()


def _address(server: "subprocess.Popen[str]") -> str:
    assert server.stderr is not None
    said = ""
    for line in server.stderr:
        said += line
        if found := _ADDRESS.search(line):
            return found[1]
    raise AssertionError(f"the object store did not start: {said}")
