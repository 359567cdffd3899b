# SPDX-License-Identifier: AGPL-3.0-or-later
"""pydantic, which checks what comes from outside, loaded whole by whoever needs it first.

It loads parts of itself in circles, and late: of two threads that begin with different parts, one
would find it half loaded (https://docs.python.org/3/library/importlib.html). The lock of this
module lets the second wait.
"""

from pydantic import (
    AliasChoices,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    StringConstraints,
    TypeAdapter,
    ValidationError,
    field_validator,
)

__all__ = [
    "AliasChoices",
    "BaseModel",
    "BeforeValidator",
    "ConfigDict",
    "Field",
    "StringConstraints",
    "TypeAdapter",
    "ValidationError",
    "field_validator",
]

TypeAdapter(list[str])  # loads what is loaded with the first that is made
