# SPDX-License-Identifier: AGPL-3.0-or-later
"""What the repository answers, before it becomes bytes on a socket."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote

from carrel.demo.content import Content
from carrel.demo.dataset import Delivery, DemoDataset, DemoFile

JSON = "application/json"
HTML = "text/html; charset=utf-8"
Headers = tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Payload:
    """A file to be sent."""

    content: Content
    name: str
    mimetype: str
    delivery: Delivery

    @property
    def headers(self) -> Headers:
        return (
            ("Content-Type", self.mimetype),
            ("Content-Disposition", f"attachment; filename*=UTF-8''{quote(self.name, safe='')}"),
            ("ETag", f'"{self.content.tag}"'),
            ("Last-Modified", "Mon, 02 Mar 2026 09:00:00 GMT"),
        )


@dataclass(frozen=True, slots=True)
class Answer:
    """A status, headers and a body; or a payload, which is sent piece by piece."""

    status: int
    headers: Headers = ()
    body: bytes = b""
    payload: Payload | None = None


def json_answer(value: Any, status: int = 200, mimetype: str = JSON) -> Answer:
    body = json.dumps(value, ensure_ascii=False, indent=1).encode()
    return Answer(status, (("Content-Type", mimetype),), body)


def html_answer(html: str, status: int = 200, headers: Headers = ()) -> Answer:
    return Answer(status, (("Content-Type", HTML), *headers), html.encode())


def plain_answer(body: bytes, mimetype: str) -> Answer:
    return Answer(200, (("Content-Type", mimetype),), body)


def redirect(location: str, status: int = 302) -> Answer:
    return Answer(status, (("Location", location), ("Content-Type", HTML)))


def file_answer(dataset: DemoDataset, file: DemoFile) -> Answer:
    """Return the answer that sends a file as it was deposited."""
    payload = Payload(dataset.content(file), file.name, file.mimetype, file.delivery)
    return Answer(200, payload=payload)


def tab_answer(dataset: DemoDataset, file: DemoFile) -> Answer:
    """Return the answer that sends the tab-separated form of a tabular file."""
    mimetype = "text/tab-separated-values"
    payload = Payload(dataset.tab_content(file), file.tab_name, mimetype, file.delivery)
    return Answer(200, payload=payload)


def first(query: Mapping[str, list[str]], name: str) -> str:
    """Return the first value of a query parameter, or nothing."""
    return query.get(name, [""])[0]
