# SPDX-License-Identifier: AGPL-3.0-or-later
"""What an error was raised from, and what the system says of it."""

from collections.abc import Iterator

_REASON_CHARACTERS = 200


def with_causes(error: BaseException | None) -> Iterator[BaseException]:
    """Yield an error, and what each was raised from, the innermost last."""
    while error is not None:
        yield error
        error = error.__cause__ or error.__context__


def reason_of(error: BaseException) -> str:
    """Return the innermost words of the system ("Connection refused"), else those of the error, as
    far as they go."""
    reason = "".join(filter(str.isprintable, str(error)))[:_REASON_CHARACTERS]
    for cause in with_causes(error):
        if isinstance(cause, OSError) and cause.strerror:
            reason = cause.strerror
    return reason
