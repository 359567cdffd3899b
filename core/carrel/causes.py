# SPDX-License-Identifier: AGPL-3.0-or-later
"""What an error was raised from."""

from collections.abc import Iterator


def with_causes(error: BaseException | None) -> Iterator[BaseException]:
    """Yield an error, and what each was raised from, the innermost last."""
    while error is not None:
        yield error
        error = error.__cause__ or error.__context__
