# SPDX-License-Identifier: AGPL-3.0-or-later
"""What a file is: by its content first, by its name where several formats look the same."""

from collections.abc import Callable
from dataclasses import replace
from typing import BinaryIO

from carrel.access.renditions.json_trees import as_json
from carrel.access.renditions.netcdf_classic import as_netcdf, is_classic
from carrel.access.renditions.packed import (
    as_members,
    foreign_archive,
    is_archive,
    member_of,
    on_packing,
    packing_of,
    unpacked,
)
from carrel.access.renditions.pdf_pages import as_pdf
from carrel.access.renditions.pictures import as_picture, is_picture
from carrel.access.renditions.science import HDF5, PARQUET, as_hdf5, as_parquet
from carrel.access.renditions.source import NotShown, Source
from carrel.access.renditions.tables import as_table
from carrel.access.renditions.texts import (
    MOST_BYTES,
    as_digits,
    as_text,
    decoded,
    encoding_of,
    shown_text,
)
from carrel.access.renditions.xml_trees import as_xml
from carrel.model.rendition import Place, Rendition, nothing_at
from carrel.translation import tr

Show = Callable[[], Rendition]
_MOST_WITHIN = 8
_SEPARATED = (".csv", ".tsv", ".tab")
_SEPARATED_TYPES = ("text/csv", "application/csv", "text/tab-separated-values")
_JSON = (".json", ".jsonl", ".ndjson")
_HTML_TYPES = ("text/html", "application/xhtml+xml")
_HTML = (b"<!doctype html", b"<html")
_LONG = 200  # characters of a line that no one wrote by hand
_PDF = b"%PDF-"


def rendition_in(source: Source, place: Place) -> Rendition:
    """Return what there is to see at a place in a file; the reason if that is nothing."""
    try:
        return _shown(_found(source, place), place)
    except NotShown as error:
        return nothing_at(place, str(error), source.size)


def source_of(file: BinaryIO, size: int, place: Place) -> Source:
    """Return a copy of so many bytes as what is looked at; it may be the beginning of more."""
    is_whole = place.size is None or place.size <= size
    whole = size if is_whole else place.size
    return Source(file, whole, place.name, place.mimetype, is_whole, place.charset)


def _found(source: Source, place: Place) -> Source:
    """Return the member that is meant. Raises NotShown."""
    if len(place.inside) > _MOST_WITHIN:
        raise NotShown(tr("It is nested too deeply."))
    for name in place.inside:
        source = member_of(source, name)
    return source


def _shown(source: Source, place: Place) -> Rendition:
    head = source.head()
    if not head:
        raise NotShown(tr("The file is empty."))
    if place.as_text:
        encoding = encoding_of(head, source.charset)
        return as_text(source, encoding, tr("Text")) if encoding else as_digits(source)
    if is_archive(source):
        return as_members(source)
    if packing_of(head):
        content = unpacked(source)
        within = _shown(content, place)
        notes = (*within.notes, on_packing(source, content))
        return replace(within, notes=notes, size=source.size)  # the digest is of this one, too
    return _of_content(source, head, place) or _of_text(source, head)


def _of_content(source: Source, head: bytes, place: Place) -> Rendition | None:
    """Return what is known by its first bytes, None for the rest."""
    if _is_pdf(source, head):
        return _whole(source, lambda: as_pdf(source, place.page))
    if head.startswith(PARQUET):
        return _whole(source, lambda: as_parquet(source))
    if head.startswith(HDF5):
        return _whole(source, lambda: as_hdf5(source))
    if is_classic(head):
        return as_netcdf(source)
    if kind := foreign_archive(head):
        raise NotShown(_opened_elsewhere(kind))
    if is_picture(head, source):
        return _whole(source, lambda: as_picture(source, place.page))
    return None


def _is_pdf(source: Source, head: bytes) -> bool:
    """Say whether a file is a PDF, before which there may be other bytes; a text that mentions how
    one begins is none."""
    if head.startswith(_PDF):
        return True
    is_called_so = source.has_ending(".pdf") or source.mimetype == "application/pdf"
    return _PDF in head[:1024] and (is_called_so or encoding_of(head, source.charset) is None)


def _opened_elsewhere(kind: str) -> str:
    return tr(
        "This is a {kind} archive, which Carrel does not unpack. Save a copy, or open it in its "
        "own program: 7-Zip (Windows), The Unarchiver (macOS), or Ark or File Roller (Linux).",
        kind=kind,
    )


def _whole(source: Source, show: Show) -> Rendition:
    if source.fault and not source.is_whole:
        raise NotShown(tr("Only its beginning could be unpacked: {why}.", why=source.fault))
    if not source.is_whole:
        raise NotShown(tr("It is too large: only its beginning was read."))
    return show()


def _as_html(source: Source, encoding: str) -> Rendition:
    """Return the source of a page; what a program wrote in one line is broken between its tags."""
    text = decoded(source.beginning(MOST_BYTES)[0], encoding)
    note = tr("HTML is shown as its source.")
    if _broken(text) != text:
        note = tr("HTML is shown as its source, its long lines broken between tags.")
    return shown_text(source, "HTML", encoding, (note,), _broken)


def _broken(page: str) -> str:
    lines = page.split("\n")
    return "\n".join(line.replace("><", ">\n<") if len(line) > _LONG else line for line in lines)


def _of_text(source: Source, head: bytes) -> Rendition:
    encoding = encoding_of(head, source.charset)
    if encoding is None:
        return as_digits(source)
    start = head.lstrip(b"\xef\xbb\xbf \t\r\n")
    is_html = source.mimetype in _HTML_TYPES or source.has_ending(".html", ".htm")
    if is_html or start[:200].lower().startswith(_HTML):
        return _as_html(source, encoding)
    is_xml = source.mimetype.endswith("xml") or source.has_ending(".xml", ".svg")
    if start.startswith(b"<?xml") or (start.startswith(b"<") and is_xml):
        return as_xml(source, encoding)
    if source.has_ending(*_SEPARATED) or source.mimetype in _SEPARATED_TYPES:
        return as_table(source, encoding) or as_text(source, encoding, tr("Text"))
    is_json = source.mimetype.endswith("json") or source.has_ending(*_JSON)
    if start.startswith((b"{", b"[")) or is_json:
        return as_json(source, encoding)
    return as_text(source, encoding, tr("Text"))
