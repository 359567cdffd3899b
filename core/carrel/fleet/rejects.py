# SPDX-License-Identifier: AGPL-3.0-or-later
"""Messages that are set aside: as they came, with why, by whom and from where in their headers."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace

from carrel import __version__
from carrel.fleet import kafka
from carrel.fleet.results import Outgoing
from carrel.fleet.topic_reader import TopicReader
from carrel.ledger.deliveries import Coordinates
from carrel.model.iso_time import iso_now

_NAMES = ("reason", "source", "worker", "at", "sqlstate")
Headers = Iterable[tuple[str, bytes | str | None]]


@dataclass(frozen=True, slots=True)
class Reject:
    """One message that was set aside. `source` is "topic/partition/offset" of where it came from;
    `sqlstate` is what Postgres said of it, "" if it was not asked. `is_repeated`: it was set aside
    before, since who did that ended before it was committed; the source tells that."""

    reason: str
    source: str
    worker: str
    at: str
    sqlstate: str = ""
    key: bytes | None = None
    value: bytes = field(default=b"", repr=False)
    is_repeated: bool = False

    @property
    def topic(self) -> str:
        """The topic that it came from; no name of one has a slash."""
        return self.source.split("/")[0]

    @classmethod
    def from_message(cls, key: bytes | None, value: bytes | None, headers: Headers) -> "Reject":
        """Return the reject that a message of the rejects topic is."""
        said = {name: _text(text) for name, text in headers}
        reason, source, worker, at, sqlstate = (said.get(name, "") for name in _NAMES)
        return cls(reason, source, worker, at, sqlstate, key, value or b"")


def rejected(
    topic: str,
    message: tuple[bytes | None, bytes | None],
    source: Coordinates,
    *,
    reason: str,
    worker: str,
    sqlstate: str = "",
) -> Outgoing:
    """Return what is sent to the rejects topic of a message (its key and value)."""
    said: Mapping[str, str] = {
        "reason": reason,
        "sqlstate": sqlstate,
        "source": str(source),
        "worker": worker,
        "version": __version__,
        "at": iso_now(),
    }
    headers = tuple((name, text.encode()) for name, text in said.items() if text)
    key, value = message
    return Outgoing(topic, key, value or b"", headers)


def open_rejects(
    reader: TopicReader, topic: str, *, from_first: bool = False
) -> Iterator[tuple[Reject, int, int]]:
    """Yield the rejects that were not resubmitted yet, or all, with their partitions and offsets.

    Raises NoBroker and NoTopic.
    """
    known: set[int] = set()  # of a million sources, not their names
    for message in reader.messages(topic, from_first=from_first):
        reject = Reject.from_message(message.key(), message.value(), kafka.headers_of(message))
        source = hash(reject.source)
        if reject.source and source in known:
            reject = replace(reject, is_repeated=True)
        known.add(source)
        yield reject, int(message.partition() or 0), int(message.offset() or 0)


def _text(value: bytes | str | None) -> str:
    return value.decode("utf-8", "replace") if isinstance(value, bytes) else value or ""
