# SPDX-License-Identifier: AGPL-3.0-or-later
"""A certificate as one HTML file, with its facts for programs."""

from collections.abc import Iterator
from html import escape

from carrel.exports.certificate.certificate import Certificate
from carrel.exports.certificate.page import page, text_of
from carrel.exports.certificate.wording import document_of
from carrel.translation import tr

# Beyond that the data would double a file that browsers are slow with already.
_MOST_EMBEDDED = 5000


def pieces(certificate: Certificate) -> Iterator[bytes]:
    """Yield the file in pieces, a few rows at a time at the most."""
    for piece in page(document_of(certificate), _data(certificate)):
        yield piece.encode()


def _data(certificate: Certificate) -> Iterator[str]:
    """Yield the data that the certificate was made from, for programs: what is shown is the file
    itself, whose digest is stated."""
    if certificate.facts.tally.files > _MOST_EMBEDDED:
        yield f"<p>{text_of(_not_embedded())}</p>\n"
        return
    summary = text_of(tr("The facts as JSON"))
    yield f'<details>\n<summary>{summary}</summary>\n<pre id="facts" dir="ltr">'
    for piece in certificate.data():
        yield escape(piece.decode(), quote=False)
    yield "</pre>\n</details>\n"


def _not_embedded() -> str:
    return tr(
        "The facts on so many files are not in this document. “carrel certificate” writes them to "
        "a file that ends in .json."
    )
