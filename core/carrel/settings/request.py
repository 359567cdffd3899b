# SPDX-License-Identifier: AGPL-3.0-or-later
"""What an archive folder asks for that is the person's to decide."""

from dataclasses import dataclass

Value = bool | int | float | str


@dataclass(frozen=True, slots=True)
class Request:
    """A setting of the person's that a file in an archive folder wants to be `asked`, not `own`."""

    section: str
    key: str
    asked: Value
    own: Value

    @property
    def name(self) -> str:
        return f"{self.section}.{self.key}"
