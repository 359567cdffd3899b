# SPDX-License-Identifier: AGPL-3.0-or-later
"""How long a host is left alone: because it asks, or because it fails again and again."""

from dataclasses import dataclass, replace

from carrel.hosts.retry import doubled
from carrel.ledger.hosts import HostState
from carrel.model import Status

# Refusals that are further apart, in seconds, are not in a row: what is known outlives the process.
_IN_A_ROW_S = 3600.0


@dataclass(frozen=True, slots=True)
class BackOff:
    """After so many failures in a row a host rests for `first_s`, doubled up to `longest_s`."""

    after: int
    first_s: float
    longest_s: float

    def rest_s(self, failures: int) -> float:
        """Return how long a host rests after so many failures in a row, 0 for not at all."""
        if failures < self.after:
            return 0.0
        return doubled(self.first_s, failures - self.after, self.longest_s)


def asked(known: HostState, until: float, reason: str) -> HostState:
    """Return the state of a host that asks to be left alone until a moment."""
    if until <= known.rests_until:
        return known
    return HostState(known.failures, until, reason)


def failed(
    known: HostState, now: float, back_off: BackOff, patience_s: float | None = None
) -> HostState:
    """Return the state after one more failure; `patience_s` is how long it was waited for."""
    is_known, failures = known != HostState(), known.failures + 1
    return replace(
        known,
        failures=failures,
        rests_until=max(known.rests_until, now + back_off.rest_s(failures)),
        reason=f"it failed {failures} times in a row.",
        patience_s=_longer(known.patience_s, patience_s) if is_known else patience_s,
    )


def refused(
    known: HostState, now: float, back_off: BackOff, status: Status, reason: str
) -> HostState:
    """Return the state after one more refusal; enough of them, and no one waits for its end."""
    is_in_a_row = now - known.rests_until <= _IN_A_ROW_S
    failures = known.failures + 1 if is_in_a_row else 1
    rest_s = back_off.rest_s(failures)
    if not rest_s:
        return replace(known, failures=failures, rests_until=max(known.rests_until, now))
    return HostState(failures, max(known.rests_until, now + rest_s), reason, None, status.value)


def _longer(one: float | None, other: float | None) -> float | None:
    """Return the longer patience; None, if time was not the only matter."""
    return None if one is None or other is None else max(one, other)
