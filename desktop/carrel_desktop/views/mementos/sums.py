# SPDX-License-Identifier: AGPL-3.0-or-later
"""What the page says of a look-up as a whole: how much it found, or that it found nothing."""

from carrel.translation import tr
from carrel_desktop import quantities
from carrel_desktop.views.mementos.lookup import LookUp
from carrel_desktop.views.mementos.model import MementosModel


def sum_of(model: MementosModel, look_up: LookUp) -> str:
    """Return how many captures are listed, of how many, and who is still asked."""
    shown, total = model.rowCount(), model.total
    captures = quantities.counted(total, "1 capture", "{count} captures")
    captures = captures if total else tr("No captures")
    if shown != total:
        text = tr("{shown} of {captures}")
        captures = text.format(shown=quantities.number(shown), captures=captures)
    waiting = look_up.unanswered
    if look_up.is_running and waiting:
        asked = tr("{count} still querying", count=quantities.number(waiting))
        return f"{captures} · {asked}" if total else asked
    return captures


def nobody(look_up: LookUp) -> tuple[str, str]:
    """Return heading and sentence for a look-up that found no capture."""
    if not look_up.has_ended:
        return tr("Stopped"), tr("Not every archive has answered. Choose Look up to query again.")
    troubled = look_up.troubled
    if not troubled:
        text = tr("All archives of the collection answered; none has a capture of {url}")
        return tr("No captures found"), text.format(url=look_up.url)
    text = tr("{count} could not be queried and may have captures.")
    return tr("Not found in the archives that answered"), text.format(
        count=quantities.number(troubled)
    )
