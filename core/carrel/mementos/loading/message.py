# SPDX-License-Identifier: AGPL-3.0-or-later
"""The head of one message before the payload of another."""

from carrel.mementos.loading.record import Record, http_fields, http_status

# These say how the payload is stored, so they are those of the message that it came with.
_CODINGS = ("transfer-encoding", "content-encoding")


def head_for_payload(revisit: Record | None, original: Record) -> bytes:
    """Return the HTTP head of a revisit, fit for the payload of its original.

    A revisit without a head, or with “304 Not Modified” for one, says nothing of its own: the head
    is the original's then.
    """
    head = revisit.http_head if revisit is not None else b""
    if not head or http_status(head) == "304":
        return original.http_head
    theirs, ours = http_fields(original.http_head), http_fields(head)
    differing = [name for name in _CODINGS if ours.get(name) != theirs.get(name)]
    if not original.http_head or not differing:
        return head
    kept = [line for line in _lines(head) if _name(line) not in differing]
    added = [line for line in _lines(original.http_head)[1:] if _name(line) in differing]
    return b"\r\n".join([*kept, *added]) + b"\r\n\r\n"


def _lines(head: bytes) -> list[bytes]:
    return head.rstrip(b"\r\n").split(b"\r\n")


def _name(line: bytes) -> str:
    return line.partition(b":")[0].strip().lower().decode("latin-1")
