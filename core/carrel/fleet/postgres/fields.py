# SPDX-License-Identifier: AGPL-3.0-or-later
"""Fields of a JSON object from outside, of the type that a column has."""

from datetime import UTC, datetime
from typing import Any

from carrel.errors import Unusable
from carrel.translation import tr

_DIGITS = "%Y%m%d%H%M%S"


class JsonObject(dict[str, Any]):
    """A JSON object whose members may be of any type."""

    def object(self, name: str) -> "JsonObject":
        """Return a member that is an object, an empty one without it.

        Raises Unusable if it is anything else.
        """
        value = self.get(name)
        if value is not None and not isinstance(value, dict):
            raise Unusable(tr("its {name} is not an object", name=name))
        return JsonObject(value or {})


def text(fields: JsonObject, name: str) -> str | None:
    """Return a text; None for none and for an empty one, which no column takes."""
    value = fields.get(name)
    if value is not None and not isinstance(value, str):
        raise Unusable(tr("its {name} is not a text", name=name))
    return value or None


def integer(fields: JsonObject, name: str) -> int | None:
    """Return a number without a fraction."""
    value = fields.get(name)
    if isinstance(value, float) and value.is_integer():
        return int(value)
    if isinstance(value, bool) or not isinstance(value, int | None):
        raise Unusable(tr("its {name} is not a whole number", name=name))
    return value


def truth(fields: JsonObject, name: str) -> bool:
    """Return true or false; one of them must be there."""
    value = fields.get(name)
    if not isinstance(value, bool):
        raise Unusable(tr("its {name} is neither true nor false", name=name))
    return value


def moment(fields: JsonObject, name: str) -> datetime | None:
    """Return a moment in ISO 8601 or as 14 digits, aware UTC; None for what is neither."""
    value = fields.get(name)
    if not isinstance(value, str):
        return None
    try:
        if len(value) == 14 and value.isdecimal():
            return datetime.strptime(value, _DIGITS).replace(tzinfo=UTC)
        read = datetime.fromisoformat(value)
        return (read if read.tzinfo else read.replace(tzinfo=UTC)).astimezone(UTC)
    except (ValueError, OverflowError):
        return None
