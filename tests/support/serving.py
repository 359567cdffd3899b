# SPDX-License-Identifier: AGPL-3.0-or-later
"""The server as a person starts it: a process of its own, with a configuration."""

import http.client
import json
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Any
from urllib.parse import quote, urlencode, urlsplit

from support.archives import command, environment

# The package pywb brings WARCs and indexes to try it with.
PYWB_SAMPLES = Path(sys.prefix) / "sample_archive"


@dataclass(frozen=True, slots=True)
class Reply:
    """An answer; names of headers are in lower case."""

    status: int
    headers: Mapping[str, str]
    body: bytes

    @property
    def json(self) -> Any:
        return json.loads(self.body)

    @property
    def rows(self) -> list[dict[str, str]]:
        """The JSON lines of the answer."""
        return [json.loads(line) for line in self.body.splitlines()]

    @property
    def errors(self) -> dict[str, str]:
        """What the answer says went wrong, by name."""
        return dict(json.loads(self.headers.get("reserrors", "{}")))


class CarrelServer:
    """`carrel serve`, from entering to leaving; `config` is the text of its collections file."""

    def __init__(self, folder: Path, config: str | None, *more: str | Path) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        arguments = more
        if config is not None:
            (folder / "collections.yaml").write_text(config)
            given = ("--config", folder / "collections.yaml", "--archive", folder / "none")
            arguments = (*given, *more)
        self._process = subprocess.Popen(
            command("serve", "--port", "0", *arguments),
            env=environment(CARREL_CACHE=str(folder / "cache")),
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        first = self._process.stdout.readline() if self._process.stdout else ""
        if "http://" not in first:
            raise AssertionError(self._process.communicate(timeout=30))
        self.origin = next(word for word in first.split() if word.startswith("http")).rstrip("/")

    def __enter__(self) -> "CarrelServer":
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        at: TracebackType | None,
    ) -> None:
        self.stop()

    def stop(self) -> tuple[int, str]:
        """End the server as a person does, and return its exit status and what it said."""
        if self._process.poll() is None:
            self._process.terminate()
        _, said = self._process.communicate(timeout=30)
        return self._process.returncode, said

    def ask(
        self,
        path: str,
        *,
        method: str = "GET",
        headers: Mapping[str, str] = {},
        body: bytes | None = None,
    ) -> Reply:
        """Return the answer to one request, whatever it is; redirects are not followed."""
        parts = urlsplit(self.origin)
        connection = http.client.HTTPConnection(parts.hostname or "", parts.port, timeout=30)
        try:
            connection.request(method, path, body=body, headers=dict(headers))
            answer = connection.getresponse()
            told = {name.lower(): value for name, value in answer.getheaders()}
            return Reply(answer.status, told, answer.read())
        finally:
            connection.close()

    def index(self, collection: str, url: str, **parameters: str) -> Reply:
        return self.ask(_query(f"/{collection}/index", url, {"output": "json", **parameters}))

    def resource(
        self,
        collection: str,
        url: str,
        *,
        method: str = "GET",
        headers: Mapping[str, str] = {},
        body: bytes | None = None,
        **parameters: str,
    ) -> Reply:
        path = _query(f"/{collection}/resource", url, parameters)
        return self.ask(path, method=method, headers=headers, body=body)


def _query(path: str, url: str, parameters: Mapping[str, str]) -> str:
    return f"{path}?url={quote(url, safe='')}&{urlencode(parameters)}"
