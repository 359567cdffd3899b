# SPDX-License-Identifier: AGPL-3.0-or-later
"""Moments as indexes write them: up to 14 digits, UTC, and what a shorter one stands for.

One rule holds everywhere: a shortened moment stands for the beginning of its span (2016 is
2016-01-01 00:00:00), except as the end of an interval, which takes the whole span in.
"""

from datetime import UTC, datetime

from carrel.errors import QueryError
from carrel.translation import tr

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_BEGINNING = "10000101000000"
_END = "99991231235959"


def now() -> str:
    """Return this moment in 14 digits."""
    return digits(datetime.now(UTC))


def digits(moment: datetime) -> str:
    """Return an aware moment in 14 digits."""
    return moment.astimezone(UTC).strftime("%Y%m%d%H%M%S").rjust(14, "0")


def beginning(text: str, name: str) -> str:
    """Return the first second of the span that up to 14 digits name.

    17 digits, with milliseconds, are cut. `name` is what the text is called to people. Raises
    QueryError for what is not a valid time.
    """
    if not (text.isascii() and text.isdigit()) or not (4 <= len(text) <= 14 or len(text) == 17):
        raise QueryError(
            tr(
                "“{name}” must be 4 to 14 digits (YYYYMMDDhhmmss), not “{text}”.",
                name=name,
                text=text[:60],
            )
        )
    # A month alone, and a tens digit alone, are filled from a moment that there is.
    whole = text[:14] + _filling(text, _BEGINNING)
    try:
        datetime.strptime(whole, "%Y%m%d%H%M%S").replace(tzinfo=UTC)
    except ValueError as error:
        raise QueryError(
            tr("“{name}” is not a valid date: “{text}”.", name=name, text=text)
        ) from error
    return whole


def end(text: str, name: str) -> str:
    """Return the last second of the span that up to 14 digits name. Raises QueryError.

    It is compared as text, so that the 31st stands for the end of any month, and a 9 for the last
    digit of any number.
    """
    beginning(text, name)
    text = text[:14]
    if len(text) % 2:
        text += "9"
    return text + _END[len(text) :]


def moment(timestamp: str) -> datetime:
    """Return 14 digits (or more) as an aware moment. Raises ValueError."""
    return datetime.strptime(timestamp[:14], "%Y%m%d%H%M%S").replace(tzinfo=UTC)


def seconds(timestamp: str) -> int:
    """Return a moment as seconds, for distances; one that is not valid as its digits say."""
    year, month, day = int(timestamp[:4]), int(timestamp[4:6]), int(timestamp[6:8])
    hour, minute, second = int(timestamp[8:10]), int(timestamp[10:12]), int(timestamp[12:14])
    try:
        since = datetime(year, month, day, hour, minute, second, tzinfo=UTC) - _EPOCH
    except ValueError:
        return ((year - 1970) * 12 + month - 1) * 2_629_746 + (day - 1) * 86_400
    return since.days * 86_400 + since.seconds


def _filling(text: str, pattern: str) -> str:
    """Return what a shortened moment lacks; a lone tens digit of 0 is completed to a 1."""
    missing = pattern[len(text) :]
    if len(text) in (5, 7):
        return ("1" if text.endswith("0") else "0") + missing[1:]
    return missing
