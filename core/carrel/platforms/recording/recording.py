# SPDX-License-Identifier: AGPL-3.0-or-later
"""A recording: which requests a preview sent, and what came back. An index and the bodies, as files
that a text editor opens.

`recording.json` has `asked`, the address or identifier, and `exchanges`, each a request (method,
url, for a question in JSON the `question`) with its `status`, `headers` and the file of its
`body`, or with the `failure` that came instead of an answer. Of repeated requests the last counts.
"""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from carrel.capture.asker import Asker
from carrel.capture.exchange import CannotDecode, Exchange
from carrel.errors import IngestStop, UsageError
from carrel.model import Status
from carrel.model.sizes import MEBIBYTE
from carrel.model.user_information import bare_address
from carrel.platforms.recording.secrets import Secrets
from carrel.translation import tr

INDEX = "recording.json"
_FORMAT = "carrel-recording-1"
_MOST_BYTES = 128 * MEBIBYTE
# What says how a body travelled; it is stored as it was read.
_OF_THE_WAY = frozenset({"content-encoding", "content-length", "transfer-encoding", "connection"})
_ENDINGS = (("json", "json"), ("html", "html"), ("xml", "xml"), ("text/", "txt"))

Key = tuple[str, str]
"""What is asked: the address, and the question that is sent there, "" for none."""
Answer = Exchange | IngestStop


@dataclass(slots=True)
class Recording:
    """What was asked, and each answer by what was asked for it."""

    asked: str
    most_files: int
    answers: dict[Key, Answer] = field(default_factory=dict)

    def write(self, folder: Path) -> None:
        """Write the index and the bodies. Raises UsageError for a folder that has something in it,
        OSError."""
        folder.mkdir(parents=True, exist_ok=True)
        if any(folder.iterdir()):
            raise UsageError(tr("{folder} is not empty: record into a new folder.", folder=folder))
        rows = [
            _written(number, key, answer, folder)
            for number, (key, answer) in enumerate(self.answers.items(), 1)
        ]
        index = {
            "format": _FORMAT,
            "asked": self.asked,
            "most_files": self.most_files,
            "exchanges": rows,
        }
        (folder / INDEX).write_text(_text_of(index), encoding="utf-8")

    @classmethod
    def read(cls, folder: Path) -> "Recording":
        """Return what `write` wrote. Raises UsageError for what is no recording."""
        try:
            index = json.loads((folder / INDEX).read_text(encoding="utf-8"))
            answers = dict(_read(row, folder) for row in index["exchanges"])
            return cls(index["asked"], index["most_files"], answers)
        except (OSError, ValueError, KeyError, TypeError) as error:
            raise UsageError(
                tr("{folder} is not a recording: {error!r}", folder=folder, error=error)
            ) from error


class Recorder:
    """An `Asker` that hands on what another one is answered, and keeps it without secrets.

    `headers_for` returns the headers that open an address, which go over the wire alone.
    """

    def __init__(
        self,
        asker: Asker,
        recording: Recording,
        headers_for: Callable[[str], Mapping[str, str]] = lambda url: {},
    ) -> None:
        self._asker, self._recording, self._headers_for = asker, recording, headers_for
        self._secrets = Secrets()
        recording.asked = self._secrets.left_out_of(bare_address(recording.asked))

    @property
    def longest_pause_s(self) -> float:
        return self._asker.longest_pause_s

    def has_token(self, url: str) -> bool:
        return self._asker.has_token(url)

    async def get(self, url: str, *, question: bytes | None = None, **wishes: Any) -> Exchange:
        """Return the answer, and keep it, or that there was none."""
        self._secrets.learn(self._headers_for(url))
        key = self._secrets.left_out_of(bare_address(url)), _question_text(question)
        try:
            exchange = await self._asker.get(url, question=question, **wishes)
        except IngestStop as stop:
            words = self._secrets.left_out_of(str(stop))
            self._recording.answers[key] = IngestStop(stop.status, words, may_repeat=False)
            raise
        self._recording.answers[key] = self._freed(exchange)
        return exchange

    def _freed(self, exchange: Exchange) -> Exchange:
        """Return the exchange as it is recorded: decoded, and with nothing secret in it."""
        try:
            body, left_out = exchange.content(max_bytes=_MOST_BYTES), _OF_THE_WAY
        except CannotDecode:
            body, left_out = exchange.body, _OF_THE_WAY - {"content-encoding"}
        headers = tuple(
            (name, self._secrets.left_out_of(value.decode("latin-1")).encode("latin-1", "replace"))
            for name, value in exchange.response_headers
            if name.decode("latin-1").lower() not in left_out
            and not self._secrets.is_secret_header(name.decode("latin-1"))
        )
        return _exchange(
            self._secrets.left_out_of(exchange.url),
            exchange.request_body,
            exchange.status_code,
            headers,
            self._secrets.left_out_of_bytes(body),
            exchange.truncated,
        )


class Replay:
    """An `Asker` that answers from a recording; what is not in it gets no answer. `asked` lists
    what was requested."""

    longest_pause_s = 0.0

    def __init__(self, answers: Mapping[Key, Answer]) -> None:
        self._answers = answers
        self._secrets = Secrets()
        self.asked: list[Key] = []

    def has_token(self, url: str) -> bool:
        """Return False: a recording has no tokens."""
        return False

    async def get(self, url: str, *, question: bytes | None = None, **wishes: Any) -> Exchange:
        """Return the recorded answer. Raises IngestStop for a recorded failure, and for none."""
        key = self._secrets.left_out_of(bare_address(url)), _question_text(question)
        self.asked.append(key)
        answer = self._answers.get(key)
        if answer is None:
            message = tr("The recording has no answer of {url}.", url=url)
            raise IngestStop(Status.NETWORK_ERROR, message, may_repeat=False)
        if isinstance(answer, IngestStop):
            raise IngestStop(answer.status, str(answer), may_repeat=False)
        return answer


def exchange_of(url: str, mimetype: str, body: bytes) -> Exchange:
    """Return an answer as a recording has it: a GET that was answered with this body."""
    return _exchange(url, b"", 200, ((b"Content-Type", mimetype.encode()),), body, "")


def _written(number: int, key: Key, answer: Answer, folder: Path) -> dict[str, Any]:
    url, question = key
    row: dict[str, Any] = {"method": "POST" if question else "GET", "url": url}
    if question:
        row["question"] = question
    if isinstance(answer, IngestStop):
        return {**row, "failure": {"status": str(answer.status), "message": str(answer)}}
    row |= {
        "status": answer.status_code,
        "headers": [[n.decode("latin-1"), v.decode("latin-1")] for n, v in answer.response_headers],
    }
    if answer.truncated:
        row["truncated"] = answer.truncated
    if answer.body:
        row["body"] = f"{number:03}.{_ending(answer.mimetype)}"
        (folder / row["body"]).write_bytes(answer.body)
    return row


def _read(row: Mapping[str, Any], folder: Path) -> tuple[Key, Answer]:
    key = row["url"], row.get("question", "")
    if failure := row.get("failure"):
        return key, IngestStop(Status(failure["status"]), failure["message"], may_repeat=False)
    name = row.get("body")
    body = (folder / Path(name).name).read_bytes() if name else b""
    headers = tuple((n.encode("latin-1"), v.encode("latin-1")) for n, v in row["headers"])
    question = key[1].encode()
    return key, _exchange(key[0], question, row["status"], headers, body, row.get("truncated", ""))


def _exchange(
    url: str,
    question: bytes,
    status_code: int,
    headers: tuple[tuple[bytes, bytes], ...],
    body: bytes,
    truncated: str,
) -> Exchange:
    return Exchange(
        url=url,
        target=b"",
        request_headers=(),
        status_code=status_code,
        reason=b"",
        response_headers=headers,
        started=datetime(2000, 1, 1, tzinfo=UTC),
        method="POST" if question else "GET",
        request_body=question,
        body=body,
        truncated=truncated,
    )


def _ending(mimetype: str) -> str:
    return next((ending for mark, ending in _ENDINGS if mark in mimetype), "bin")


def _question_text(question: bytes | None) -> str:
    return (question or b"").decode("utf-8", "replace")


def _text_of(index: Any) -> str:
    return json.dumps(index, ensure_ascii=False, indent=1) + "\n"
