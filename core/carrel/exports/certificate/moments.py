# SPDX-License-Identifier: AGPL-3.0-or-later
"""Moments of the ledger for people."""


def moment(iso: str) -> str:
    """Return a moment (UTC, ISO 8601) as "2026-11-23 16:00:05 UTC"; what is none stays as it is."""
    is_one = iso[10:11] == "T" and iso.endswith("Z")
    return f"{iso[:10]} {iso[11:-1]} UTC" if is_one else iso


def moment_of_capture(digits: str) -> str:
    """Return a moment in 14 digits (UTC) in the same way."""
    if len(digits) != 14 or not digits.isdigit():
        return digits
    day = f"{digits[:4]}-{digits[4:6]}-{digits[6:8]}"
    return f"{day} {digits[8:10]}:{digits[10:12]}:{digits[12:]} UTC"
