# SPDX-License-Identifier: AGPL-3.0-or-later
"""Addresses of files that told neither that the file is there nor that it is not, and why.

Each is known by one word: the HTTP status that came, or the `Status` that a request ended with.
"""

from carrel.model import Status
from carrel.translation import tr

INSIDE = "inside"
"""The word for an address inside a private network, which a public page has no business to name."""
_SILENT = frozenset({Status.NETWORK_ERROR, Status.READ_TIMEOUT, Status.INVALID_HOST_RESOLUTION})
# A host that asked for a pause gets no further request before it is over.
_NOT_REQUESTED = frozenset({INSIDE, Status.RATE_LIMITED})


def is_silent(word: str) -> bool:
    """Say whether an address was requested, and nothing came."""
    return word in _SILENT


def is_left_alone(word: str) -> bool:
    """Say whether an address was not requested, on purpose."""
    return word in _NOT_REQUESTED


def reason(word: str) -> str:
    """Return a sentence about the address of a file; `word` is "" where an earlier Carrel did not
    note it."""
    if word.isdecimal():
        return tr("Its address answered HTTP {http_status}.", http_status=word)
    if word == Status.BLOCKED_CHALLENGE:
        return tr("Its address answered with a bot check.")
    if word == Status.RATE_LIMITED:
        return tr("Its address was not requested: its host wants a pause first.")
    if word == INSIDE:
        return tr("Its address is inside a private network, and was not requested.")
    if is_silent(word):
        return tr("Its address was requested, and did not answer.")
    return tr("Its address gave no clear answer.")
