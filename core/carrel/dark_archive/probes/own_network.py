# SPDX-License-Identifier: AGPL-3.0-or-later
"""Whether it is our own network that fails: then no host has lost anything.

A notebook that was taken off the network would else find that every domain of the world is gone.
"""

import socket
import threading
import time
from collections.abc import Callable

# So many hosts in a row cannot be reached for reasons that may be ours, and we seem to be offline;
# then only one question in so many seconds is tried.
_OFFLINE_AFTER = 10
_TRY_EVERY_S = 30.0
# Addresses of examples (RFC 5737, RFC 3849), to ask the system for a way to. Nothing is sent.
_FAR_AWAY = ((socket.AF_INET, "192.0.2.1"), (socket.AF_INET6, "2001:db8::1"))


def has_way_out() -> bool:
    """Say whether this machine knows a way to the world; without one, it is offline."""
    return any(_has_way(family, address) for family, address in _FAR_AWAY)


def _has_way(family: socket.AddressFamily, address: str) -> bool:
    try:
        with socket.socket(family, socket.SOCK_DGRAM) as probe:
            probe.connect((address, 9))
    except OSError:
        return False  # no such family here, or no way: both mean that this way is closed
    return True


class OwnNetwork:
    """What a run learnt of our side. Threads may share it."""

    def __init__(
        self,
        *,
        has_way_out: Callable[[], bool] = has_way_out,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._has_way_out, self._clock = has_way_out, clock
        self._lock = threading.Lock()
        self._has_heard = False
        self._in_a_row = 0
        self._try_at = 0.0

    def heard(self) -> None:
        """Note that someone beyond this machine answered."""
        with self._lock:
            self._has_heard, self._in_a_row = True, 0

    def failed(self) -> None:
        """Note that a host cannot be reached, for a reason that may be ours."""
        with self._lock:
            self._in_a_row += 1
            self._try_at = self._clock() + _TRY_EVERY_S

    def explains(self, *, is_unsure: bool) -> bool:
        """Say whether a failure to reach a host may be our own.

        `is_unsure` says that even with a way out it proves nothing, unless others answered.
        """
        return not self._has_way_out() or (is_unsure and not self._has_heard)

    @property
    def is_offline(self) -> bool:
        """Whether it is no use to ask anyone now. Says no once in a while, for one to try."""
        with self._lock:
            now = self._clock()
            if self._in_a_row < _OFFLINE_AFTER:
                return False
            if now < self._try_at:
                return True
            self._try_at = now + _TRY_EVERY_S
            return False
