# SPDX-License-Identifier: AGPL-3.0-or-later
"""What an archive requests, and what holds in it, by the names and in the words of the form."""

from collections.abc import Mapping, Sequence

from PySide6.QtCore import Signal
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QWidget

from carrel.settings import Answer, InForce, Settings
from carrel.settings.consequences import consequence
from carrel.settings.request import Request, Value
from carrel.translation import tr
from carrel_desktop import quantities
from carrel_desktop.views.settings.catalogue import Kind, Setting, groups, value_of
from carrel_desktop.views.settings.entry import number_text
from carrel_desktop.widgets.actions import ActionButton
from carrel_desktop.widgets.labels import wrapped
from carrel_desktop.widgets.layouts import vertical, wrapping

# Those that the form does not have; anyone else has no reason to change them.
_ADDRESSES = {
    "archiveorg.url": tr("Address of archive.org"),
    "archiveorg.s3_url": tr("Address for uploads to archive.org"),
    "wayback.url": tr("Address of the Wayback Machine"),
}


# Why another value holds: it was requested and accepted, or is taken without a question.
_BECAUSE = {
    True: tr("In this archive: {value}, which you accepted."),
    False: tr("In this archive: {value}, which asks less of others."),
}


class Requested(QWidget):
    """What an archive requests, and what was answered: `holds` is None until that is known.

    `wanted` carries whether there is anything to say; the bar above the page says it while it asks.
    """

    wanted = Signal(bool)

    def __init__(self, ask: QAction) -> None:
        super().__init__()
        self.holds: InForce | None = None
        self._is_asked_above = False
        self.text = wrapped()
        vertical(self.text, wrapping(ActionButton(ask), gap=2), gap=2, on=self)

    def show_in_force(self, holds: InForce) -> None:
        """Show what is requested, with the answer."""
        self.holds = holds
        said = {
            None: tr("Not decided yet; not used."),
            Answer.ACCEPTED: tr("Accepted; used instead of your own settings."),
            Answer.REJECTED: tr("Rejected; your own settings are used."),
        }
        lines = (f"• {each}" for each in lines_about(holds.requests))
        self.text.setText("\n".join([said[holds.answer], *lines]))
        self._follow()

    def follow_question(self, is_open: bool) -> None:
        """Say nothing while the bar above the page asks."""
        self._is_asked_above = is_open
        self._follow()

    def _follow(self) -> None:
        has_any = self.holds is not None and bool(self.holds.requests)
        self.wanted.emit(has_any and not self._is_asked_above)


def lines_about(requests: Sequence[Request]) -> Sequence[str]:
    """Return a line for each request: what is requested, what holds instead, what it means."""
    settings = {each.name: each for group in groups() for each in group.settings}
    return [_line(each, settings.get(each.name)) for each in requests]


def in_words(setting: Setting, value: Value) -> str:
    """Return a value as one reads it, with its unit."""
    match setting.kind:
        case Kind.FLAG:
            return tr("on") if value else tr("off")
        case Kind.SIZE:
            return quantities.size(int(value))
        case Kind.SECONDS:
            return tr("{number} s", number=number_text(float(value)))
        case Kind.TEXT:
            return f"“{value}”" if value else tr("nothing")
    return number_text(float(value))


def held_otherwise(holds: InForce, own: Settings) -> Mapping[str, str]:
    """Return a remark on each setting of the archivist's that is another in this archive."""
    told = {}
    requested = {each.name for each in holds.requests}
    is_accepted = holds.answer is Answer.ACCEPTED
    for setting in (each for group in groups() for each in group.settings):
        held = value_of(holds.settings, setting)
        if setting.is_personal and held != value_of(own, setting):
            because = _BECAUSE[is_accepted and setting.name in requested]
            told[setting.name] = because.format(value=in_words(setting, held))
    return told


def _line(request: Request, setting: Setting | None) -> str:
    label = setting.label if setting else _ADDRESSES.get(request.name)
    if label is None:  # a folder elsewhere
        return consequence(request)
    asked, own = request.asked, request.own
    if setting:
        asked, own = in_words(setting, asked), in_words(setting, own)
    values = tr("{label}: {asked} (yours: {own}).", label=label, asked=asked, own=own)
    return f"{values} {consequence(request)}"
