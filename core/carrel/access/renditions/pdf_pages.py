# SPDX-License-Identifier: AGPL-3.0-or-later
"""The pages of a PDF, one at a time, as a picture with its text. Scripts in it are never run."""

from carrel.access.renditions.pictures import drawn
from carrel.access.renditions.source import NotShown, Source
from carrel.model.rendition import Rendition
from carrel.translation import tr

_LARGEST_SIDE = 1800
_MOST_SCALE = 4.0
_MOST_TEXT = 200_000


def as_pdf(source: Source, page: int) -> Rendition:
    """Return a page. Raises NotShown."""
    try:
        import pypdfium2
    except ImportError as error:
        raise NotShown(
            tr("To show PDFs, install Carrel with “pip install carrel[desktop]”.")
        ) from error
    source.file.seek(0)
    try:
        document = pypdfium2.PdfDocument(source.file)
        pages = len(document)
        if not pages:
            raise NotShown(tr("The PDF has no pages."))
        page = max(0, min(page, pages - 1))
        shown = document[page]
        width, height = shown.get_size()
        longest = max(width, height, 1.0)
        image = shown.render(scale=min(_MOST_SCALE, _LARGEST_SIDE / longest)).to_pil()
        text = shown.get_textpage().get_text_bounded()[:_MOST_TEXT]
    except pypdfium2.PdfiumError as error:
        words = tr("It cannot be read as a PDF: {reason}.", reason=str(error)[:200].rstrip("."))
        raise NotShown(words) from error
    note = tr("Page {page:,} of {pages:,}.", page=page + 1, pages=pages)
    return Rendition("PDF", drawn(image, page, pages, text), (note,), source.size)
