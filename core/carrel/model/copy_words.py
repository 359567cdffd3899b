# SPDX-License-Identifier: AGPL-3.0-or-later
"""How a second copy stands, in words: the same in the window and on the terminal."""

from contextlib import suppress
from datetime import UTC, datetime

from carrel.model.copies import SecondCopy
from carrel.translation import forms, plural, tr

_EVERY = forms("every day", "every {count} days")


def copy_words(copy: SecondCopy) -> str:
    """Return when a copy was last complete, and how often it is brought up to date by itself."""
    when = tr("Not known to be complete")
    with suppress(ValueError):
        moment = datetime.fromisoformat(copy.complete).astimezone(UTC)
        when = tr("Last complete {moment:%Y-%m-%d %H:%M} UTC", moment=moment)
    if not copy.every_days:
        return when
    often = plural(*_EVERY, copy.every_days, count=copy.every_days)
    if not copy.tried:
        return tr("Scheduled {often}, not copied since", often=often)
    return tr("{when}, copied {often}", when=when, often=often)
