# SPDX-License-Identifier: AGPL-3.0-or-later
"""`carrel dark`: the archive in time, its runs and its questions."""

import click

from carrel.cli.arguments import LazyGroup


@click.group(
    cls=LazyGroup,
    package=__name__,
    places={
        "run": "run",
        "read": "read",
        "lost": "lost",
        "changes": "changes",
        "series": "series",
        "show": "show",
        "search": "search",
        "runs": "runs",
        "watch": "watch",
        "verify": "verification",
        "rebuild": "verification",
        "open": "access:open_content",
        "release": "access",
        "purge": "access",
        "export": "export",
    },
)
def dark() -> None:
    """Preserve what RePEc (or a list) lists over time: what appeared, changed, vanished and
    reappeared.

    Templates and full texts are kept in an object store that opens without Carrel; every event is
    in a journal, and everything can be verified and rebuilt.
    """
