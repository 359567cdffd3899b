# SPDX-License-Identifier: AGPL-3.0-or-later
"""What a run counted, in words."""

from carrel.translation import tr


def count_name(name: str) -> str:
    """Return in words what a run counted under a name.

    Which of the templates that it found lost were renamed is known by what is named now, as
    `carrel dark lost` says; what is said of a run holds for good.
    """
    return tr("lost or renamed") if name == "lost" else name
