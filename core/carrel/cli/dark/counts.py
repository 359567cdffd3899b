# SPDX-License-Identifier: AGPL-3.0-or-later
"""What a run counted, in words."""

from carrel.translation import tr

_UNDELIVERED = "full texts: "  # with an outcome behind it, as a run counts them
# Which of the templates that a run found lost were renamed is known by what is named now, as
# `carrel dark lost` says; what is said of a run holds for good.
NAMES = {
    "appeared": tr("appeared"),
    "changed": tr("changed"),
    "conflicts": tr("conflicts"),
    "containers": tr("containers"),
    "containers gone": tr("containers gone"),
    "containers not observed": tr("containers not observed"),
    "containers unchanged": tr("containers unchanged"),
    "containers unreadable": tr("containers unreadable"),
    "copies repaired": tr("copies repaired"),
    "full texts appeared": tr("full texts appeared"),
    "full texts asked for": tr("full texts asked for"),
    "full texts changed": tr("full texts changed"),
    "full texts likely cut": tr("full texts that may be cut"),
    "full texts likely replaced": tr("full texts that may stand in for something gone"),
    "full texts lost": tr("full texts lost"),
    "full texts no longer named": tr("full texts no longer named"),
    "full texts not requested": tr("full texts not requested"),
    "full texts reappeared": tr("full texts reappeared"),
    "full texts restricted": tr("full texts restricted"),
    "full texts suspect": tr("full texts suspect"),
    "lost": tr("lost or renamed"),
    "not concluded": tr("not concluded"),
    "older versions": tr("older versions"),
    "parts not read": tr("parts not read"),
    "reappeared": tr("reappeared"),
    "suspect": tr("suspect"),
    "templates read": tr("templates read"),
}


def count_name(name: str) -> str:
    """Return in words what a run counted under a name."""
    if name.startswith(_UNDELIVERED):
        return tr("full texts: {outcome}", outcome=name.removeprefix(_UNDELIVERED))
    return NAMES.get(name, name)
