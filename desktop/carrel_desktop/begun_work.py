# SPDX-License-Identifier: AGPL-3.0-or-later
"""What a coroutine of the window does, and for what, so that it is known when it is done again."""

import inspect
from collections.abc import Coroutine, Mapping
from dataclasses import dataclass
from typing import Any, Self


@dataclass(frozen=True, slots=True)
class BegunWork:
    """The name of a coroutine, and what it was `given`: its page and arguments, and what it has
    from around it. Equal to another that does the same for the same; what is only made alike, as a
    function that was written down there and then, is another."""

    name: str
    given: Mapping[str, object]

    @classmethod
    def of(cls, work: Coroutine[Any, Any, None]) -> Self:
        """Return what a coroutine that was not begun yet is to do."""
        given = inspect.getcoroutinelocals(work) if inspect.iscoroutine(work) else {}
        return cls(str(getattr(work, "__qualname__", "")), given)
