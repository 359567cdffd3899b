# SPDX-License-Identifier: AGPL-3.0-or-later
"""Captures that do not have all that their server had, as their own records say."""

from enum import StrEnum

from carrel.translation import tr


class Part(StrEnum):
    """Why a capture is only a part of what its server had."""

    TRUNCATED = "truncated"
    """Whoever captured it cut it off (WARC-Truncated)."""
    SHORT = "short"
    """Fewer bytes came than the server announced (Content-Length)."""
    RANGE = "range"
    """The server sent a part, as it was asked to (206, Content-Range)."""


PART_WORDS = {
    Part.TRUNCATED: tr("It was cut off when it was captured."),
    Part.SHORT: tr("It is shorter than its server said: its end is missing."),
    Part.RANGE: tr("It is a part of the file, as the server sent it (status 206)."),
}
