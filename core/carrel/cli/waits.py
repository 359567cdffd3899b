# SPDX-License-Identifier: AGPL-3.0-or-later
"""Why nothing moves, on standard error: a program that waits in silence looks broken."""

from time import monotonic

from carrel.cli.terminal import complain
from carrel.model.events import Event, FileWaiting, HostPaused, QueueChanged, QueueHeldBack
from carrel.translation import tr

_AGAIN_AFTER_S = 60.0


class Waits:
    """Reads the event stream and tells what is waited for, each thing once a minute at most."""

    def __init__(self) -> None:
        self._told_at: dict[str, float] = {}

    def show(self, event: Event) -> None:
        """Take an event of the stream."""
        match event:
            case HostPaused():
                moment = event.until.astimezone().strftime("%H:%M:%S")
                self._say(
                    event.host,
                    tr("{reason} It resumes at {moment}.", reason=event.reason, moment=moment),
                )
            case QueueChanged() if event.reason:
                self._say("", tr("The queue stopped. {reason}", reason=event.reason))
            case QueueHeldBack() if event.reason:
                self._say("hours", event.reason)
            case FileWaiting(is_passing=False):
                self._say(event.ingest_id, event.reason)

    def _say(self, about: str, words: str) -> None:
        if monotonic() - self._told_at.get(about, -_AGAIN_AFTER_S) >= _AGAIN_AFTER_S:
            self._told_at[about] = monotonic()
            complain(words)
