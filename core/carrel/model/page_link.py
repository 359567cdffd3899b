# SPDX-License-Identifier: AGPL-3.0-or-later
"""A link on a page that may be data, for a person to choose."""

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class PageLink:
    """A link that looks like data: why it does, and what its headers say, as far as it is known.

    `size` is in bytes; `problem` says why the headers could not be had.
    """

    url: str
    name: str
    text: str
    why: str
    mimetype: str | None = None
    size: int | None = None
    problem: str | None = None

    def to_json(self) -> dict[str, Any]:
        """Return the fields that have a value."""
        fields = {name: getattr(self, name) for name in self.__slots__}
        return {name: value for name, value in fields.items() if value not in (None, "")}
