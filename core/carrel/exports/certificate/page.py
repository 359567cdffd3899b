# SPDX-License-Identifier: AGPL-3.0-or-later
"""A document as one HTML file: no script, nothing from elsewhere, made to be printed.

Whatever comes from outside is escaped, kept in its own direction, and never an address to follow.
"""

from collections.abc import Iterable, Iterator, Sequence
from html import escape
from importlib.resources import files

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
from carrel.model.prose import visible
from carrel.translation import is_right_to_left, language, tr

_NUMBER = "#"


def page(document: Document, data: Iterable[str] = ()) -> Iterator[str]:
    """Yield a document in pieces; `data` is HTML that stands after it."""
    yield _head(document)
    for section in document.sections:
        yield f"<section>\n<h2>{text_of(section.heading)}</h2>\n"
        for block in section.blocks:
            yield from _block(block)
        yield "</section>\n"
    yield from data
    digest = ""
    if document.sha256:
        words = text_of(tr("SHA-256 of the facts as JSON"))
        digest = f"<br>{words}: <code>{document.sha256}</code>"
    yield f"</main>\n<footer>{text_of(document.foot)}{digest}</footer>\n</body>\n</html>\n"


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
        f"<title>{text_of(document.kind)}: {text_of(document.title)}</title>\n"
        f"<style>\n{style}</style>\n</head>\n<body>\n<main>\n<header>\n"
        f'<p class="kind">{text_of(document.kind)}</p>\n'
        f'<h1 dir="auto">{text_of(document.title)}</h1>\n{subtitle}</header>\n'
        f"{_summary(document.summary)}"
    )


def _block(block: Block) -> Iterator[str]:
    match block:
        case Summary():
            yield _summary(block)
        case Paragraph(text):
            yield f"<p>{text_of(text)}</p>\n"
        case Pairs(rows):
            yield f"<dl>\n{''.join(map(_pair, rows))}</dl>\n"
        case Table():
            yield _table(block)
        case Files():
            yield from _files(block)
        case Commands(lines):
            yield f'<pre dir="ltr">{_text_lines(lines)}</pre>\n'
        case Blanks(labels):
            blanks = "".join(f"<div>{text_of(label)}</div>\n" for label in labels)
            yield f'<div class="blanks">\n{blanks}</div>\n'


def _summary(summary: Summary) -> str:
    sentences = "".join(f"<p>{text_of(each)}</p>\n" for each in summary.sentences)
    heading = text_of(summary.heading)
    return f'<div class="summary {summary.level}">\n<strong>{heading}</strong>\n{sentences}</div>\n'


def _pair(row: tuple[str, Sequence[Value]]) -> str:
    name, values = row
    return f"<dt>{text_of(name)}</dt><dd>{_values(values)}</dd>\n"


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
    cells = "".join(f'<th scope="col">{text_of(head)}</th>' for head in heads)
    return f"<caption>{text_of(caption)}</caption>\n<thead><tr>{cells}</tr></thead>\n"


def _values(values: Sequence[Value]) -> str:
    return "".join(f"<div>{_value(value)}</div>" for value in values)


def _value(value: Value) -> str:
    text = text_of(value.text)
    label = f'<span class="label">{text_of(value.label)}</span>' if value.label else ""
    if value.is_code:
        return f'{label}<bdi dir="ltr"><code>{text}</code></bdi>'
    return f"{label}<bdi>{text}</bdi>"


def _text_lines(lines: Sequence[str]) -> str:
    return "\n".join(map(text_of, lines))


def text_of(text: str) -> str:
    """Return a text as HTML."""
    return escape(visible(text))
