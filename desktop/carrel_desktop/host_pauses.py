# SPDX-License-Identifier: AGPL-3.0-or-later
"""Hosts that get no requests for a while, as they asked: what waits for one is not at work."""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from urllib.parse import urlsplit

from PySide6.QtCore import QObject, Signal

from carrel.model.events import Event, HostPaused
from carrel.translation import tr
from carrel_desktop.timers import delay

_PORTS = {"http": 80, "https": 443}
_LATER_MS = 500  # than the moment, so that it is over by then
_TO_NEXT_MINUTE = timedelta(seconds=59)  # it is told to the minute, and lasts to the end of it


class HostPauses(QObject):
    """Knows those of a session, by its `events`; `changed` says that a pause began or is over."""

    changed = Signal()

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._until: dict[str, datetime] = {}
        self._over = delay(self, 0, self._forget)

    def take(self, events: Sequence[Event]) -> None:
        """Take note of the pauses among what happened."""
        begun = {each.host: each.until for each in events if isinstance(each, HostPaused)}
        if begun:
            self._until |= begun
            self._forget()

    def why(self, *names: str) -> str:
        """Return why what rests on these hosts or addresses waits, "" where it does not."""
        if not self._until:
            return ""
        hosts = map(_host_in, names)
        return next((self._words(host) for host in hosts if host in self._until), "")

    @property
    def words(self) -> str:
        """What is told of all of them, "" where there are none."""
        return " ".join(map(self._words, self._until))

    def _words(self, host: str) -> str:
        moment = (self._until[host] + _TO_NEXT_MINUTE).astimezone()
        is_today = moment.date() == datetime.now(UTC).astimezone().date()
        return tr(  # the moment first: a narrow column cuts the rest
            "No requests until {moment} to {host}, as it asked.",
            host=host,
            moment=f"{moment:%H:%M}" if is_today else f"{moment:%Y-%m-%d %H:%M}",
        )

    def _forget(self) -> None:
        """Forget what is over, and come back when the next one is."""
        now = datetime.now(UTC)
        self._until = {host: until for host, until in self._until.items() if until > now}
        if self._until:
            left_s = (min(self._until.values()) - now).total_seconds()
            self._over.start(round(left_s * 1000) + _LATER_MS)
        self.changed.emit()


def _host_in(name: str) -> str:
    """Return the host of an address, or of a host itself, as a pause names it: with its port unless
    that is the usual one. "" for what is neither."""
    try:
        parts = urlsplit(name if "://" in name else f"//{name}")
        host, port = (parts.hostname or "").rstrip("."), parts.port
    except ValueError:
        return ""
    is_usual = port in (None, _PORTS.get(parts.scheme))
    return host if is_usual else f"{host}:{port}"
