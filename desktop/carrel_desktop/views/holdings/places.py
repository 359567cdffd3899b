# SPDX-License-Identifier: AGPL-3.0-or-later
"""The places of the holdings: what is held, and what nothing is held of, with their counts."""

from carrel.translation import tr
from carrel_desktop.holding_rows.model import HoldingsModel, Place
from carrel_desktop.widgets.chips import Chips


class HoldingPlaces(Chips[Place]):
    """`chosen` carries the place to show."""

    def __init__(self) -> None:
        super().__init__(tuple(Place), [place.name.lower() for place in Place], wraps=True)

    def show_counts(self, model: HoldingsModel) -> None:
        """Bring the counts up to date."""
        words = {
            Place.ALL: tr("All"),
            Place.HELD: tr("Archived"),
            Place.NOTHING_HELD: tr("Not archived"),
        }
        for place, word in words.items():
            self.show_count(place, word, model.count(place))
