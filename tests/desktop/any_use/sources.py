# SPDX-License-Identifier: AGPL-3.0-or-later
"""The Web archives page: the sources of the collections file, in the order that it has them."""

from collections.abc import Sequence

from desktop.any_use.hearing import heard
from desktop.any_use.house import House, Move
from desktop.any_use.mementos import NORTH, OWN, SOUTH, MementosRoom


class SourcesRoom:
    """The page, and the order of the sources."""

    def __init__(self, house: House, mementos: MementosRoom) -> None:
        self.house, self.chance = house, house.chance
        self.page = house.window.pages.archives
        self.places = {OWN: "own.warc.gz", NORTH: mementos.archives[NORTH].origin}
        self.places[SOUTH] = mementos.archives[SOUTH].origin
        self.names = list(self.places)

    @property
    def moves(self) -> Sequence[Move]:
        return self.choose, self.choose, self.move_up, self.move_down, self.remove

    @property
    def events(self) -> Sequence[Move]:
        return ()

    def choose(self) -> None:
        at = self.chance.randrange(len(self.names))
        self.house.do(lambda: self.page.ui.list.choose(at))

    def move_up(self) -> None:
        self._lift(-1)

    def move_down(self) -> None:
        self._lift(1)

    def remove(self) -> None:
        """Take the chosen source out, and put it back."""
        name = self._chosen()
        names, self.names = self.names, [each for each in self.names if each != name]
        self.house.do(self.page.page_actions.remove.trigger)
        self.check()
        self.house.do(self.page.page_actions.put_back.trigger)
        self.names = names

    def check(self) -> None:
        assert [source.shown_name for source in self.page.model.listed] == self.names
        name, told = self._chosen(), heard(self.page.ui.pane)
        assert any(self.places[name] in each for each in told)
        others = [place for other, place in self.places.items() if other != name]
        assert not any(place in each for place in others for each in told)

    def _lift(self, by: int) -> None:
        at = self.names.index(self._chosen())
        if 0 <= at + by < len(self.names):
            self.names.insert(at + by, self.names.pop(at))
        actions = self.page.page_actions
        self.house.do((actions.up if by < 0 else actions.down).trigger)

    def _chosen(self) -> str:
        source = self.page.editing.source
        assert source
        return source.name
