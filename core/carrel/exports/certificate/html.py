# SPDX-License-Identifier: AGPL-3.0-or-later
"""A certificate as one HTML file: no script, nothing from elsewhere, made to be printed.

Whatever comes from outside is escaped, kept in its own direction, and never an address to follow.
"""

from collections.abc import Iterator, Sequence
from html import escape
from importlib.resources import files

from carrel.exports.certificate.certificate import Certificate
from carrel.exports.certificate.document import (
    Blanks,
    Block,
    Commands,
    Document,
    FileRow,
    Files,
    Pairs,
    Paragraph,
    Summary,
    Table,
    Value,
)
from carrel.exports.certificate.wording import document_of
from carrel.model.prose import visible
from carrel.translation import is_right_to_left, language, tr

# Beyond that the data would double a file that browsers are slow with already.
_MOST_EMBEDDED = 5000
_NUMBER = "#"


def pieces(certificate: Certificate) -> Iterator[bytes]:
    """Yield the file in pieces, a few rows at a time at the most."""
    for piece in _page(certificate, document_of(certificate)):
        yield piece.encode()


def _page(certificate: Certificate, document: Document) -> Iterator[str]:
    yield _head(document)
    for section in document.sections:
        yield f"<section>\n<h2>{_text(section.heading)}</h2>\n"
        for block in section.blocks:
            yield from _block(block)
        yield "</section>\n"
    yield from _data(certificate)
    digest = _text(tr("SHA-256 of the facts as JSON"))
    yield (
        f"</main>\n<footer>{_text(document.foot)}<br>{digest}: "
        f"<code>{document.sha256}</code></footer>\n</body>\n</html>\n"
    )


def _head(document: Document) -> str:
    style = files("carrel.exports.certificate").joinpath("certificate.css").read_text("utf-8")
    direction = "rtl" if is_right_to_left() else "ltr"
    code = escape((language() or "en").replace("_", "-"), quote=True)
    policy = "default-src 'none'; style-src 'unsafe-inline'"
    subtitle = "".join(f'<p class="subtitle">{_value(each)}</p>\n' for each in document.subtitle)
    return (
        f'<!DOCTYPE html>\n<html lang="{code}" dir="{direction}">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        '<meta name="color-scheme" content="light">\n'
        f"<title>{_text(document.kind)}: {_text(document.title)}</title>\n"
        f"<style>\n{style}</style>\n</head>\n<body>\n<main>\n<header>\n"
        f'<p class="kind">{_text(document.kind)}</p>\n'
        f'<h1 dir="auto">{_text(document.title)}</h1>\n{subtitle}</header>\n'
        f"{_summary(document.summary)}"
    )


def _block(block: Block) -> Iterator[str]:
    match block:
        case Summary():
            yield _summary(block)
        case Paragraph(text):
            yield f"<p>{_text(text)}</p>\n"
        case Pairs(rows):
            yield f"<dl>\n{''.join(map(_pair, rows))}</dl>\n"
        case Table():
            yield _table(block)
        case Files():
            yield from _files(block)
        case Commands(lines):
            yield f'<pre dir="ltr">{_text_lines(lines)}</pre>\n'
        case Blanks(labels):
            blanks = "".join(f"<div>{_text(label)}</div>\n" for label in labels)
            yield f'<div class="blanks">\n{blanks}</div>\n'


def _summary(summary: Summary) -> str:
    sentences = "".join(f"<p>{_text(each)}</p>\n" for each in summary.sentences)
    heading = _text(summary.heading)
    return f'<div class="summary {summary.level}">\n<strong>{heading}</strong>\n{sentences}</div>\n'


def _pair(row: tuple[str, Sequence[Value]]) -> str:
    name, values = row
    return f"<dt>{_text(name)}</dt><dd>{_values(values)}</dd>\n"


def _table(table: Table) -> str:
    rows = "".join(map(_row, table.rows))
    return f"<table>\n{_table_head(table.caption, table.heads)}<tbody>\n{rows}</tbody>\n</table>\n"


def _row(cells: Sequence[Sequence[Value]]) -> str:
    first, *others = map(_values, cells)
    rest = "".join(f"<td>{cell}</td>" for cell in others)
    return f'<tr><th scope="row">{first}</th>{rest}</tr>\n'


def _files(block: Files) -> Iterator[str]:
    size = " large" if block.count > 9999 else ""
    heads = [_NUMBER, *block.heads]
    yield f'<table class="files{size}">\n{_table_head(block.caption, heads)}<tbody>\n'
    yield from map(_file, block.rows())
    yield "</tbody>\n</table>\n"


def _file(row: FileRow) -> str:
    name, *others = map(_values, row.cells)
    rest = "".join(f"<td>{cell}</td>" for cell in others)
    return f'<tr class="{row.level}"><td>{row.number}</td><th scope="row">{name}</th>{rest}</tr>\n'


def _table_head(caption: str, heads: Sequence[str]) -> str:
    cells = "".join(f'<th scope="col">{_text(head)}</th>' for head in heads)
    return f"<caption>{_text(caption)}</caption>\n<thead><tr>{cells}</tr></thead>\n"


def _values(values: Sequence[Value]) -> str:
    return "".join(f"<div>{_value(value)}</div>" for value in values)


def _value(value: Value) -> str:
    text = _text(value.text)
    label = f'<span class="label">{_text(value.label)}</span>' if value.label else ""
    if value.is_code:
        return f'{label}<bdi dir="ltr"><code>{text}</code></bdi>'
    return f"{label}<bdi>{text}</bdi>"


def _data(certificate: Certificate) -> Iterator[str]:
    """Yield the data that the certificate was made from, for programs: what is shown is the file
    itself, whose digest is stated."""
    if certificate.facts.tally.files > _MOST_EMBEDDED:
        yield f"<p>{_text(_not_embedded())}</p>\n"
        return
    summary = _text(tr("The facts as JSON"))
    yield f'<details>\n<summary>{summary}</summary>\n<pre id="facts" dir="ltr">'
    for piece in certificate.data():
        yield escape(piece.decode(), quote=False)
    yield "</pre>\n</details>\n"


def _not_embedded() -> str:
    return tr(
        "The facts on so many files are not in this document. “carrel certificate” writes them to "
        "a file that ends in .json."
    )


def _text_lines(lines: Sequence[str]) -> str:
    return "\n".join(map(_text, lines))


def _text(text: str) -> str:
    return escape(visible(text))
