# SPDX-License-Identifier: AGPL-3.0-or-later
"""The widget that shows a Rendition: text, table, tree, image, members, or why there is none."""

from PySide6.QtCore import QModelIndex, Qt, Signal
from PySide6.QtGui import QTextDocument
from PySide6.QtWidgets import QAbstractItemView, QWidget

from carrel.model import Fixity, ManifestFile
from carrel.model.rendition import (
    Members,
    Nothing,
    Picture,
    Rendition,
    Table,
    Text,
    Tree,
)
from carrel.translation import tr
from carrel_desktop.theme import Theme
from carrel_desktop.viewing.cells import NOTHING as NO_TABLE
from carrel_desktop.viewing.cells import Cells, table_view
from carrel_desktop.viewing.picture_view import STEP, PictureView, image_of
from carrel_desktop.viewing.tree import NOTHING as NO_TREE
from carrel_desktop.viewing.tree import RenditionTreeView
from carrel_desktop.widgets.file_view import FileView
from carrel_desktop.widgets.labels import named, wrapped
from carrel_desktop.widgets.layouts import rest, stacked, vertical
from carrel_desktop.widgets.text_views import text_view, visible

TEXT, TABLE, TREE, PICTURE, MEMBERS, NONE = range(6)
SMALLEST_TEXT, LARGEST_TEXT = 6.0, 40.0  # points


class ContentView(QWidget):
    """Shows one Rendition at a time, its notes below it.

    `member_wanted` carries the name of a member that is to be opened.
    """

    member_wanted = Signal(str)

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.rendition = Rendition("", Nothing(""))
        self._told = ""
        self.text = named(text_view(tr("Content")), "content_text")
        self.cells = Cells(self)
        self.table = table_view(self.cells)
        self.tree = RenditionTreeView()
        self.picture = PictureView()
        self.members = named(FileView(theme, has_sizes_only=True), "content_members", tr("Members"))
        self.nothing = wrapped("", "secondary")
        self.nothing.setAlignment(Qt.AlignmentFlag.AlignTop)
        self.note = named(wrapped("", "secondary"), "content_note")
        shown = self.text, self.table, self.tree, self.picture, self.members, self.nothing
        self.stack = stacked(*shown)
        vertical(rest(self.stack), self.note, gap=1.5, on=self)
        self.members.file_activated.connect(self._on_member)

    def show_rendition(self, rendition: Rendition) -> None:
        """Show a file's content in place of another's, of which nothing stays."""
        content = rendition.content
        picture = image_of(content) if isinstance(content, Picture) else None
        if picture is not None and picture.isNull():
            content = Nothing(tr("The image cannot be displayed."))
        self.rendition = rendition
        is_text = isinstance(content, Text)
        self.text.setPlainText(visible(content.text) if isinstance(content, Text) else "")
        self.cells.show_table(content if isinstance(content, Table) else NO_TABLE)
        self.tree.show_tree(content if isinstance(content, Tree) else NO_TREE)
        self._show_members(content if isinstance(content, Members) else Members(()))
        self.nothing.setText(content.reason if isinstance(content, Nothing) else "")
        notes = " ".join(visible(note) for note in rendition.notes)
        if isinstance(content, Picture) and picture is not None:
            self.picture.show_picture(picture, visible(content.text)[:2000] or notes)
        if isinstance(content, Table):
            self.table.resizeColumnsToContents()
            self.table.scrollToTop()
        self.tell(notes if not isinstance(content, Nothing) else "")
        self.stack.setCurrentIndex(TEXT if is_text else _PAGES[type(content)])

    def show_sentence(self, sentence: str) -> None:
        """Show a sentence in place of a content."""
        self.show_rendition(Rendition("", Nothing(sentence)))

    def tell(self, words: str) -> None:
        """Say something on what is shown, in place of its notes."""
        self._told = words
        self.tell_of_search("")

    def tell_of_search(self, words: str) -> None:
        """Say what came of a search before what else is said; "" for no more than that."""
        self.note.setText(" ".join(filter(None, (words, self._told))))
        self.note.setVisible(bool(self.note.text()))

    @property
    def can_zoom(self) -> bool:
        return self.stack.currentIndex() in (TEXT, PICTURE)

    @property
    def can_find(self) -> bool:
        return self.stack.currentIndex() in (TEXT, TABLE, TREE)

    def zoom(self, steps: int) -> None:
        """Show an image or a text so many steps larger; 0 for as it was at first."""
        if self.stack.currentIndex() == PICTURE:
            self.picture.zoom(STEP**steps) if steps else self.picture.fit()
        elif self.stack.currentIndex() == TEXT:
            self._zoom_text(steps)

    def seek(self, text: str, *, backward: bool = False) -> bool:
        """Go to the next place that has a text, around the end; return whether there is one."""
        match self.stack.currentIndex():
            case 0:
                return self._find_text(text, backward=backward)
            case 1:
                found = self.cells.find(text, self.table.currentIndex(), backward=backward)
                return self._choose(self.table, found)
            case 2:
                found = self.tree.tree.find(text, self.tree.currentIndex(), backward=backward)
                return self._choose(self.tree, found)
        return False

    def _find_text(self, text: str, *, backward: bool) -> bool:
        flags = QTextDocument.FindFlag.FindBackward if backward else QTextDocument.FindFlag(0)
        if self.text.find(text, flags):
            return True
        before = self.text.textCursor()
        around = self.text.textCursor()
        around.movePosition(around.MoveOperation.End if backward else around.MoveOperation.Start)
        self.text.setTextCursor(around)
        if self.text.find(text, flags):
            return True
        self.text.setTextCursor(before)
        return False

    @staticmethod
    def _choose(view: QAbstractItemView, index: QModelIndex) -> bool:
        if index.isValid():
            view.setCurrentIndex(index)
            view.scrollTo(index)
        return index.isValid()

    def _zoom_text(self, steps: int) -> None:
        font = self.text.font()
        if not steps:
            font = text_view("").font()
        else:
            size = font.pointSizeF() * STEP**steps
            font.setPointSizeF(max(SMALLEST_TEXT, min(LARGEST_TEXT, size)))
        self.text.setFont(font)

    def _show_members(self, members: Members) -> None:
        files = [
            ManifestFile(each.name, declared=Fixity(each.size), message=each.why_not or None)
            for each in members.members
        ]
        self.members.show_files(files)

    def _on_member(self, file: ManifestFile) -> None:
        if file.message:
            words = tr("{name} cannot be opened: {why}.", name=file.path, why=file.message)
            self.tell(visible(words))
        else:
            self.member_wanted.emit(file.path)


_PAGES = {
    Text: TEXT,
    Table: TABLE,
    Tree: TREE,
    Picture: PICTURE,
    Members: MEMBERS,
    Nothing: NONE,
}
