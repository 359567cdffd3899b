# SPDX-License-Identifier: AGPL-3.0-or-later
"""The beginning of a memento as something to look at. All of it is hostile: it is only ever text,
cells or pixels here."""

import csv
import io
import json
from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum, auto

from PySide6.QtCore import QBuffer, QByteArray, QSize, Qt
from PySide6.QtGui import QImage, QImageReader

from carrel.model.memento_views import Peek
from carrel.translation import tr
from carrel_desktop import quantities
from carrel_desktop.widgets.text_views import visible

MOST_LETTERS = 300_000  # that a text view lays out without a wait
MOST_OF_A_LINE = 2000
MOST_ROWS, MOST_COLUMNS, MOST_OF_A_CELL = 1000, 100, 300
MOST_PIXELS = 60_000_000
LARGEST_SIDE = 2400
TEXTS = ("json", "xml", "javascript", "ecmascript", "yaml", "x-sh", "sql", "x-tex", "rtf", "n3")
VAGUE = ("", "text/plain", "application/octet-stream", "unk")
SEPARATED = ("text/csv", "text/tab-separated-values", "application/csv")


class Kind(Enum):
    """How a memento is shown."""

    TEXT = auto()
    TABLE = auto()
    IMAGE = auto()
    NONE = auto()


@dataclass(frozen=True, slots=True)
class Content:
    """What is shown: a text, cells (the first row are headings), or an image; `note` says what of
    it is not shown, or why nothing is."""

    kind: Kind
    text: str = ""
    cells: Sequence[Sequence[str]] = ()
    image: QImage | None = None
    note: str = ""


def content_of(peek: Peek) -> Content:
    """Return what can be shown of a memento. It takes its time: call it aside."""
    kind = peek.mimetype.lower()
    if kind.startswith("image/") and "svg" not in kind:
        return _image(peek)
    if not _is_text(peek, kind):
        return Content(Kind.NONE, note=_nothing(peek))
    text = _decoded(peek)
    is_named_so = peek.memento.url.lower().endswith((".csv", ".tsv"))
    if kind in SEPARATED or (is_named_so and kind in VAGUE):
        return _table(peek, text) or _plain(peek, text)
    if kind.endswith("json"):
        return _json(peek, text)
    note = tr("HTML is shown as text; Open shows the page.") if "html" in kind else ""
    return _plain(peek, text, note)


def _is_text(peek: Peek, kind: str) -> bool:
    if kind.startswith("text/") or kind.endswith(TEXTS) or kind in SEPARATED:
        return True
    if kind not in VAGUE:
        return False
    start = peek.content[:4096]
    return bool(start) and b"\0" not in start and _is_utf8(start)


def _is_utf8(start: bytes) -> bool:
    try:
        start.decode()
    except UnicodeDecodeError as error:
        return error.start > len(start) - 4  # a letter cut at the end
    return True


def _decoded(peek: Peek) -> str:
    try:
        text = peek.content.decode(peek.charset or "utf-8-sig", errors="replace")
    except LookupError:  # a charset that no one knows
        text = peek.content.decode(errors="replace")
    return text.replace("\r\n", "\n").replace("\r", "\n")


def _nothing(peek: Peek) -> str:
    if not peek.length:
        return tr("Empty.")
    text = tr("No preview for {type}. Save it, or open it in the browser.")
    return text.format(type=peek.mimetype or tr("content without a type"))


def _plain(peek: Peek, text: str, note: str = "") -> Content:
    shown = text[:MOST_LETTERS]
    lines = shown.split("\n")
    cut = [line if len(line) <= MOST_OF_A_LINE else _cut(line, MOST_OF_A_LINE) for line in lines]
    notes = [note] if note else []
    if not peek.is_whole or len(shown) < len(text):
        notes.append(_begins(peek))
    return Content(Kind.TEXT, visible("\n".join(cut)), note=" ".join(notes))


def _begins(peek: Peek) -> str:
    return tr("The beginning of {size}.", size=quantities.size(peek.length))


def _json(peek: Peek, text: str) -> Content:
    """Return JSON laid out; what is cut, broken or absurdly deep stays as it is."""
    try:
        parsed = json.loads(text)
        return _plain(peek, json.dumps(parsed, ensure_ascii=False, indent=2))
    except (ValueError, RecursionError):
        note = tr("Not valid JSON.") if peek.is_whole else ""
        return _plain(peek, text, note)


def _table(peek: Peek, text: str) -> Content | None:
    """Return separated values as cells, None for what is none."""
    first = text.partition("\n")[0]
    separator = max("\t,;", key=first.count)
    cells = []
    try:
        for cell_row in csv.reader(io.StringIO(text), delimiter=separator):
            cells.append([visible(_cut(cell, MOST_OF_A_CELL)) for cell in cell_row[:MOST_COLUMNS]])
            if len(cells) > MOST_ROWS:
                break
    except csv.Error:
        return None
    if not cells or max(map(len, cells)) < 2:
        return None
    is_cut = len(cells) > MOST_ROWS
    if not peek.is_whole and not is_cut:
        cells.pop()  # which is cut somewhere
    shown = tr("The first {count} rows.", count=quantities.number(len(cells) - 1))
    return Content(Kind.TABLE, cells=cells, note=shown if is_cut or not peek.is_whole else "")


def _image(peek: Peek) -> Content:
    if not peek.is_whole:
        text = tr("The image is too large to preview ({size}). Save it, or open it.")
        return Content(Kind.NONE, note=text.format(size=quantities.size(peek.length)))
    data = QByteArray(peek.content)
    buffer = QBuffer(data)
    buffer.open(QBuffer.OpenModeFlag.ReadOnly)
    reader = QImageReader(buffer)
    reader.setDecideFormatFromContent(True)
    reader.setAutoTransform(True)
    size = reader.size()
    if not size.isValid() or bytes(reader.format().data()) in (b"svg", b"svgz", b"pdf"):
        return Content(Kind.NONE, note=tr("Not an image that can be shown here."))
    if size.width() * size.height() > MOST_PIXELS:
        return Content(Kind.NONE, note=tr("The image has too many pixels to preview."))
    if max(size.width(), size.height()) > LARGEST_SIDE:
        side = QSize(LARGEST_SIDE, LARGEST_SIDE)
        reader.setScaledSize(size.scaled(side, Qt.AspectRatioMode.KeepAspectRatio))
    image = reader.read()
    if image.isNull():
        return Content(Kind.NONE, note=tr("Not an image that can be shown here."))
    note = tr("{width} × {height} pixels", width=size.width(), height=size.height())
    return Content(Kind.IMAGE, image=image, note=note)


def _cut(text: str, most: int) -> str:
    return text if len(text) <= most else f"{text[:most]}…"
