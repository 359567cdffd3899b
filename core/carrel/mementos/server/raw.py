# SPDX-License-Identifier: AGPL-3.0-or-later
"""A record as it was: the very bytes of its payload, and its headers told as history."""

import re

from carrel.mementos.loading.content_coding import is_chunked
from carrel.mementos.loading.record import Record, http_fields, http_status
from carrel.mementos.server.replay_policy import replay_headers
from carrel.mementos.server.rewriting import RAW, Links

_REDIRECTS = (301, 302, 303, 307, 308)
# These are about the question that was asked then, and would confuse who asks now.
_NOT_OURS = (204, 205, 206, 304, 401, 407, 408, 421, 425)
_AS_THEY_WERE = ("content-type", "content-encoding", "content-language", "content-disposition")
_PRINTABLE = re.compile(r"[\x20-\x7e\xa0-\xff]{1,2000}")

Headers = list[tuple[str, str]]


def raw_status_and_headers(record: Record, url: str, links: Links) -> tuple[int, Headers]:
    """Return the status and headers with which a payload is answered as it was.

    A redirect leads to the raw capture of where it led. What browsers act upon is told under
    another name (`X-Archive-Orig-`), as the Wayback Machine does.
    """
    fields = http_fields(record.http_head)
    status = int(http_status(record.http_head) or 200)
    headers: Headers = []
    if not is_chunked(record):
        headers.append(("Content-Length", str(record.payload_length)))
    if status in _REDIRECTS and (place := links.rewrite(fields.get("location", ""), RAW)):
        headers.append(("Location", place))
    elif status in (*_REDIRECTS, *_NOT_OURS) or not 200 <= status <= 599:
        headers.append(("X-Archive-Orig-Status", str(status)))
        status = 200
    for name, value in fields.items():
        if not _PRINTABLE.fullmatch(value) or not re.fullmatch(r"[\w-]{1,100}", name, re.ASCII):
            continue
        headers.append((name if name in _AS_THEY_WERE else f"X-Archive-Orig-{name}", value))
    if "content-type" not in fields:
        declared = record.field("Content-Type")
        kind = declared if declared and not record.http_head else "application/octet-stream"
        headers.append(("Content-Type", kind))
    mimetype = dict(headers).get("content-type", "").partition(";")[0].strip().lower()
    return status, [*headers, *replay_headers(mimetype, "'none'")]
