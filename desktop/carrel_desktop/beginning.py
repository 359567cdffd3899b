# SPDX-License-Identifier: AGPL-3.0-or-later
"""What a window begins with."""

from dataclasses import dataclass
from pathlib import Path

from carrel_desktop.page_kinds import PageKind


@dataclass(frozen=True, slots=True)
class Beginning:
    """The archive to begin with; None as its folder stands for one that goes with the window.

    `page` is the one to show at first, None for the usual one; `items` are to be opened in it.
    """

    archive: Path | None
    is_demo: bool = False
    page: PageKind | None = None
    items: tuple[str, ...] = ()
