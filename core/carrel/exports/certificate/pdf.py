# SPDX-License-Identifier: AGPL-3.0-or-later
"""A certificate as PDF/A-3a and PDF/UA-1, set by Typst: tagged, fonts and the facts embedded.

Texts are handed over as data, and are never markup. What none of the fonts can draw is written by
its number, and said to be; the attached facts have it as it is.
"""

import json
import re
import warnings
import zlib
from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path
from tempfile import TemporaryDirectory

import typst

from carrel.errors import CarrelError
from carrel.exports.certificate.certificate import Certificate
from carrel.exports.certificate.document import Document
from carrel.exports.certificate.setting import Setting, is_packed
from carrel.exports.certificate.wording import document_of
from carrel.translation import tr

# Of zlib: the format of gzip, whose head has neither name nor time here.
_GZIP = 31
_MAIN = "certificate.typ"
# How Typst names what it cannot set, see `crates/typst-pdf` there.
_NOT_DRAWN = re.compile(r'the text `("(?:[^"\\]|\\.)*")` could not be displayed')
_DISALLOWED = re.compile(r'disallowed codepoint `("(?:[^"\\]|\\.)*")`')
_ESCAPE = re.compile(r"\\u\{([0-9a-f]+)\}")


class NotDrawn(CarrelError):
    """A document cannot be set as PDF."""


def pieces(certificate: Certificate) -> Iterator[bytes]:
    """Yield the file, as one piece. Raises NotDrawn for texts that cannot be set at all."""
    document = document_of(certificate)
    with TemporaryDirectory() as name:
        folder = Path(name)
        template = files("carrel.exports.certificate").joinpath("certificate.typ").read_bytes()
        (folder / _MAIN).write_bytes(template)
        with (folder / "facts").open("wb") as facts:
            facts.writelines(_attached(certificate))
        yield _typeset(document, folder)


def _typeset(document: Document, folder: Path) -> bytes:
    """Return a document set with the template in a folder.

    The fonts within Typst are the same everywhere; those of the system are only for what they lack.
    What these lack as well is written by its number.
    """
    undrawn: set[str] = set()
    for has_system_fonts in (False, True, True, True):
        given = json.dumps(Setting(document, undrawn).to_json())
        (folder / "document.json").write_text(given, encoding="ascii")
        try:
            return _compiled(folder, typst.Fonts(include_system_fonts=has_system_fonts))
        except typst.TypstError as error:
            lacking = _lacking(error)
            if not lacking:
                raise NotDrawn(
                    tr("The certificate cannot be set: {error}.", error=error.message)
                ) from error
            if has_system_fonts:
                undrawn |= lacking
    raise NotDrawn(tr("The certificate cannot be set with the fonts of this system."))


def _compiled(folder: Path, fonts: typst.Fonts) -> bytes:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of fonts that have not every weight
        return typst.compile(
            folder / _MAIN,
            root=folder,
            format="pdf",
            font_paths=fonts,
            ignore_system_fonts=True,
            pdf_standards=["a-3a", "ua-1"],
        )


def _attached(certificate: Certificate) -> Iterator[bytes]:
    """Yield the facts as they are attached: packed where there are many files, as they would else
    take ten times their size of memory to attach."""
    if not is_packed(certificate.facts.tally.files):
        yield from certificate.data()
        return
    packing = zlib.compressobj(wbits=_GZIP)
    for piece in certificate.data():
        yield packing.compress(piece)
    yield packing.flush()


def _lacking(error: typst.TypstError) -> set[str]:
    """Return the characters that kept a document from being set."""
    told = f"{error.message}\n{error.diagnostic}"
    found = [*_NOT_DRAWN.findall(told), *_DISALLOWED.findall(told)]
    texts = (_ESCAPE.sub(lambda match: chr(int(match[1], 16)), each[1:-1]) for each in found)
    return {letter for text in texts for letter in text if not letter.isascii()}
