# SPDX-License-Identifier: AGPL-3.0-or-later
"""JSON lines of ingest requests, as sandcrawler writes them.

A line is checked by the shape below; what the shape does not name is passed on unchanged.
"""

import json
from collections.abc import Iterable, Iterator
from dataclasses import fields as fields_of
from typing import Any, NoReturn

from carrel.engine.batches.batch import Entry, Listed, Problem
from carrel.engine.batches.plain import TOO_LONG
from carrel.engine.batches.text import Line
from carrel.engine.requests import key_of_url
from carrel.model import (
    Finding,
    FindingLevel,
    IngestFilesetResult,
    IngestOptions,
    IngestRequest,
    Status,
)
from carrel.model.counts import counted
from carrel.model.request import COMPONENT, DATASET
from carrel.model.user_information import shown
from carrel.translation import tr
from carrel.validation import BaseModel, ConfigDict, Field, ValidationError

_FAULTS_SHOWN = 3
# What the person decides for a list, and no line of it: where datasets go, and how.
_DECISIONS = frozenset(
    {
        *(each.name for each in fields_of(IngestOptions)),
        *("options", "ingest_strategy", "destination", "archiveorg_item_name"),
    }
)
# What nests deeper can be read, but not always be written out again.
_DEEPEST = 50
_ECHO_MAX_CHARS = 1000


class _Request(BaseModel):
    """The shape of schemas/ingest_request.schema.json; a null stands for an absent field."""

    model_config = ConfigDict(strict=True, extra="allow")

    ingest_type: str
    base_url: str = Field(min_length=1)
    link_source: str | None = None
    link_source_id: str | None = None
    ingest_request_source: str | None = None
    release_stage: str | None = None
    rel: str | None = None
    oa_status: str | None = None
    force_recrawl: bool | None = None
    ext_ids: dict[str, str | None] | None = None
    fatcat: dict[str, Any] | None = None
    edit_extra: dict[str, Any] | None = None


def read_jsonl(lines: Iterable[Line]) -> Iterator[Entry]:
    """Yield the request on each line, or what is wrong with it; empty lines are passed over."""
    asking = 0
    for line in lines:
        if not line.text.strip():
            continue
        request = read_request(line)
        if isinstance(request, Problem):
            yield request
        else:
            asking += not _DECISIONS.isdisjoint(request.extra)
            yield Listed(line.number, request, key_of_url(request.base_url))
    if asking:
        yield Finding("list-decides-nothing", _not_decided(asking), FindingLevel.WARNING)


def read_request(line: Line) -> IngestRequest | Problem:
    """Return the request that a line holds, or what is wrong with it."""
    if line.is_cut:
        return Problem(line.number, line.text, TOO_LONG)
    try:
        fields = _parsed(line.text)
        if not isinstance(fields, dict):
            return Problem(line.number, line.text, tr("is not a JSON object"))
        _Request.model_validate(fields)
    except ValidationError as error:
        return Problem(line.number, line.text, _faults(error))
    except (ValueError, RecursionError) as error:
        return Problem(line.number, line.text, tr("is not JSON: {error}", error=error))
    if fields["ingest_type"] not in (DATASET, COMPONENT):
        message = tr(
            "ingest_type: Carrel archives “{dataset}” and “{component}”, not “{ingest_type}”",
            dataset=DATASET,
            component=COMPONENT,
            ingest_type=fields["ingest_type"][:40],
        )
        return Problem(line.number, line.text, message)
    if ext_ids := fields.get("ext_ids"):
        fields["ext_ids"] = {name: value for name, value in ext_ids.items() if value is not None}
    return IngestRequest.from_json(fields)


def refused_request(line: Line, problem: Problem) -> IngestFilesetResult:
    """Return the result for a line that holds no request; `request` repeats what can be repeated.

    The line and its number stand beside the request's own fields, as `line` and `line_number`.
    """
    fields = _fields(line)
    base_url, ingest_type = fields.pop("base_url", None), fields.pop("ingest_type", None)
    echo = {"line_number": line.number, "line": shown(line.text)[:_ECHO_MAX_CHARS]}
    request = IngestRequest(
        base_url=base_url if isinstance(base_url, str) else "",
        ingest_type=ingest_type if isinstance(ingest_type, str) else DATASET,
        extra={**fields, **echo},
    )
    message = tr("Line {number}: {message}.", number=line.number, message=problem.message)
    return IngestFilesetResult(request, Status.INVALID_REQUEST, error_message=message)


def _not_decided(lines: int) -> str:
    """Return what is said of so many lines that want to say where their datasets go."""
    which = f"{counted(lines, 'line')} {'says' if lines == 1 else 'say'}"
    return tr(
        "{which} how or where to archive (such as “strategy” or “to”). A list cannot decide "
        "that, nor publish anything: it was ignored. Use --strategy and --to instead.",
        which=which,
    )


def _fields(line: Line) -> dict[str, Any]:
    """Return the fields of a line that may be anything, none if it is no JSON object."""
    try:
        fields = {} if line.is_cut else _parsed(line.text)
    except (ValueError, RecursionError):
        return {}
    return fields if isinstance(fields, dict) else {}


def _parsed(text: str) -> Any:
    """Return the JSON value. Raises ValueError also for what JSON readers elsewhere refuse."""
    value = json.loads(text, parse_constant=_refuse_constant)
    if _is_deep(value):
        raise ValueError(f"it nests deeper than {_DEEPEST} levels")
    if "\\u" in text:
        # Half a surrogate pair can be escaped, but never written out again.
        json.dumps(value, ensure_ascii=False).encode("utf-8")
    return value


def _is_deep(value: Any) -> bool:
    level = [value] if isinstance(value, dict | list) else []
    for _ in range(_DEEPEST):
        inner = (each.values() if isinstance(each, dict) else each for each in level)
        level = [one for each in inner for one in each if isinstance(one, dict | list)]
        if not level:
            return False
    return True


def _refuse_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is not a JSON number")


def _faults(error: ValidationError) -> str:
    """Return where and what the faults are: "base_url: Field required"."""
    faults = []
    for fault in error.errors(include_url=False, include_input=False)[:_FAULTS_SHOWN]:
        place = ".".join(str(part) for part in fault["loc"]) or tr("the line")
        faults.append(f"{place[:80]}: {fault['msg']}")
    return "; ".join(faults)
