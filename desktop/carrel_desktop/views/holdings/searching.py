# SPDX-License-Identifier: AGPL-3.0-or-later
"""The search of the page: by words, which the model knows, or by digest, which the ledger does."""

from PySide6.QtCore import QObject

from carrel.model.digest import Digest, digest_in
from carrel.translation import tr
from carrel_desktop import quantities
from carrel_desktop.holding_rows.model import HoldingsModel
from carrel_desktop.session import Session
from carrel_desktop.views.holdings.layout import HoldingsLayout


class Searching(QObject):
    """Lists what was searched for, and says where else it would be found."""

    def __init__(self, session: Session, model: HoldingsModel, ui: HoldingsLayout) -> None:
        super().__init__(ui)
        self._session, self._model, self._ui = session, model, ui
        ui.search.sought.connect(self.search)
        ui.search.left.connect(ui.search.seek_now)
        ui.search.textChanged.connect(self._on_text)
        model.modelReset.connect(self._say_none_found)

    def search(self) -> None:
        """Search for what stands in the field."""
        digest = digest_in(self._ui.search.text())
        if digest is not None:
            self._session.start(self._search_digest(digest))
        else:
            self._model.find(self._ui.search.text())

    def search_again(self) -> None:
        """Search once more for a digest: more may hold a file with it by now."""
        if digest_in(self._ui.search.text()):
            self.search()

    async def _search_digest(self, digest: Digest) -> None:
        asked = await self._session.read(
            lambda engine: engine.holdings.datasets_with(digest.algorithm, digest.value)
        )
        if digest_in(self._ui.search.text()) == digest:
            self._model.find_among(asked)

    def _on_text(self, text: str) -> None:
        """Show everything at once where the field was emptied."""
        if not text:
            self._ui.search.seek_now()

    def _say_none_found(self) -> None:
        """Say what was sought in vain, and where it would be found."""
        text = self._ui.search.text()
        sentence = tr("Try fewer words or another filter.")
        if digest_in(text) is not None:
            sentence = tr("No archived file has this digest.")
        if elsewhere := self._model.found_elsewhere:
            more = tr("{datasets} under “All”, outside this filter.")
            datasets = quantities.counted(elsewhere, "1 dataset is", "{count} datasets are")
            sentence = more.format(datasets=datasets)
        elif not text:
            sentence = tr("No datasets match this filter. Choose “All” to see every dataset.")
        self._ui.none.sentence.setText(sentence)
