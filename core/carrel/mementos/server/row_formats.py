# SPDX-License-Identifier: AGPL-3.0-or-later
"""Rows as the index API prints them: CDXJ, JSON lines, text, and link-format.

All values are texts. `source` is the configured name, and what follows a colon in it says where in
the source; `source-coll` is the name alone; `also` names other sources that have the same capture.
"""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from carrel.errors import QueryError
from carrel.mementos.cdxj import cdxj_line
from carrel.mementos.filters import FIELD_ALIASES
from carrel.mementos.query import is_set
from carrel.model import Memento, SourceType
from carrel.translation import tr

_TEXT_FIELDS = (
    "urlkey",
    "timestamp",
    "url",
    "mime",
    "status",
    "digest",
    "length",
    "offset",
    "filename",
    "source",
)
# The ledger's captures stand in files of the archive; that it is queried is our own affair.
_KINDS = {SourceType.LEDGER: str(SourceType.FILE)}
_SOURCE_FIELDS = ("source", "source-coll", "source_type")


@dataclass(frozen=True, slots=True)
class Form:
    """How rows are wanted: `fields` is None for all; `memento_format` is a template of links."""

    output: str = "cdxj"
    fields: tuple[str, ...] | None = None
    names_sources: bool = True
    memento_format: str = ""

    @property
    def media_type(self) -> str:
        return _MEDIA_TYPES[self.output]


_MEDIA_TYPES = {
    "cdxj": "text/x-cdxj",
    "json": "text/x-ndjson",
    "text": "text/plain; charset=utf-8",
    "link": "application/link-format",
}


def understand_form(parameters: Mapping[str, Sequence[str]]) -> Form:
    """Return the form that the parameters of a request ask for. Raises QueryError."""
    output = _first(parameters, "output") or "cdxj"
    if output not in _MEDIA_TYPES:
        known = ", ".join(_MEDIA_TYPES)
        raise QueryError(
            tr("“output” cannot be “{output}”; it is {known}.", output=output[:60], known=known)
        )
    names = _first(parameters, "fields") or _first(parameters, "fl")
    fields = [FIELD_ALIASES.get(name, name) for name in names.split(",") if name]
    return Form(
        output,
        tuple(fields) or None,
        not is_set(_first(parameters, "nosource"), "nosource"),
        _first(parameters, "memento_format"),
    )


def line_printer(form: Form) -> Callable[[Memento], str]:
    """Return what prints one row as one line, for every form but link-format."""
    fields = form.fields
    if form.output == "text":
        names = fields or _TEXT_FIELDS
        return lambda row: " ".join(all_fields(row, form).get(name, "-") for name in names) + "\n"
    if form.output == "json":
        return lambda row: json.dumps(_chosen(all_fields(row, form), fields)) + "\n"
    return lambda row: (
        f"{cdxj_line(row.urlkey, row.timestamp, _chosen(_fields(row, form), fields))}\n"
    )


def _chosen(fields: dict[str, str], names: Sequence[str] | None) -> dict[str, str]:
    return fields if names is None else {name: fields[name] for name in names if name in fields}


def all_fields(row: Memento, form: Form) -> dict[str, str]:
    """Return a row as one object of texts, its key and moment first."""
    return {"urlkey": row.urlkey, "timestamp": row.timestamp, **_fields(row, form)}


def _fields(row: Memento, form: Form) -> dict[str, str]:
    if not form.names_sources:
        return {name: text for name, text in row.fields.items() if name not in _SOURCE_FIELDS}
    return {
        **row.fields,
        "source": f"{row.source}:{row.detail}" if row.detail else row.source,
        "source-coll": row.source,
        "source_type": _KINDS.get(row.source_type, str(row.source_type)),
        **({"also": ",".join(row.also)} if row.also else {}),
    }


def pieces(lines: Iterator[str], count: int) -> Iterator[bytes]:
    """Yield so many lines at once, so that a long answer is not sent row by row."""
    batch: list[str] = []
    for line in lines:
        batch.append(line)
        if len(batch) == count:
            yield "".join(batch).encode()
            batch.clear()
    if batch:
        yield "".join(batch).encode()


def _first(parameters: Mapping[str, Sequence[str]], name: str) -> str:
    return next(iter(parameters.get(name, ())), "").strip()
