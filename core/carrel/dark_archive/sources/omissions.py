# SPDX-License-Identifier: AGPL-3.0-or-later
"""What a source passed over: told in few words however much it is."""

from collections.abc import Sequence

from carrel.translation import tr

# Beyond this the whole source counts as not seen: the list stays short, and nothing is concluded.
_MOST_UNREAD = 1_000
_LONGEST_EXAMPLE = 200


class Omissions:
    """What was passed over while a source was walked.

    `unread` are the beginnings of paths below which something was not seen; it grows.
    """

    def __init__(self) -> None:
        self._counts: dict[str, int] = {}
        self._first: dict[str, str] = {}
        self._known: set[str] = set()
        self.unread: list[str] = []

    @property
    def notes(self) -> Sequence[str]:
        """A sentence for each kind, with how many there were and the first of them."""
        return tuple(
            tr(
                "{what}: {count:,}, the first of them {first}.",
                what=what,
                count=count,
                first=self._first[what],
            )
            for what, count in self._counts.items()
        )

    def note(self, what: str, example: str) -> None:
        """Count one of a kind; `what` begins a sentence and is the same for all of its kind."""
        self._counts[what] = self._counts.get(what, 0) + 1
        self._first.setdefault(what, example[:_LONGEST_EXAMPLE])

    def miss(self, prefix: str) -> None:
        """Note that something below a prefix was not seen; "" is the whole source."""
        if prefix in self._known or "" in self._known:
            return
        if prefix == "" or len(self.unread) >= _MOST_UNREAD:
            prefix = ""
            self.unread.clear()
        self._known.add(prefix)
        self.unread.append(prefix)
