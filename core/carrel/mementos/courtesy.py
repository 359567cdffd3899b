# SPDX-License-Identifier: AGPL-3.0-or-later
"""How archives are treated: what each can bear, when one is left alone, and for how long.

What is learnt outlives the process. This machine's own servers are exempt from budgets, and what is
learnt of them is forgotten with the process.
"""

from datetime import datetime

from carrel.errors import SourceTrouble


class Courtesy:
    """Shared by all look-ups of a process; `address` is the template of an endpoint."""

    async def turn(self, url: str, purpose: str) -> None:
        """Wait until the budget of a URL's host for this purpose allows one more request.

        Raises SourceTrouble (resting) where that takes longer than anybody waits.
        """
        raise NotImplementedError

    def check(self, address: str) -> None:
        """Raise SourceTrouble (resting) for an endpoint that is left alone for now."""
        raise NotImplementedError

    def failed(self, address: str, trouble: SourceTrouble) -> None:
        """Learn that an endpoint timed out, was unreachable or refused, and until when it asks."""
        raise NotImplementedError

    def answered(self, address: str) -> None:
        """Learn that an endpoint answers."""
        raise NotImplementedError

    def resting_until(self, address: str) -> datetime | None:
        raise NotImplementedError
