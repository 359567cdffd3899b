# SPDX-License-Identifier: AGPL-3.0-or-later
"""A response record out of an answer that was just fetched."""

import base64
import re
from urllib.parse import quote

import httpx

from carrel.capture.proxies import Proxies
from carrel.capture.records import new_record_id
from carrel.mementos.loading.heads import RawHeaders, head_of
from carrel.mementos.loading.record import Fields, Record
from carrel.mementos.loading.spooled_body import SpooledBody
from carrel.mementos.loading.timeouts import Timeouts, body_of

HTTP_RESPONSE = "application/http; msgtype=response"
# What would leave its line, or cannot be written at all.
_UNFIT = re.compile(r"[\x00-\x20\x7f\ud800-\udfff]")


async def wrapped(
    answer: httpx.Response,
    headers: RawHeaders,
    fields: Fields,
    *,
    name: str,
    timeouts: Timeouts,
) -> Record:
    """Return the record of an answer, whose body is fetched for it.

    `headers` are those that the record shall have, `fields` the WARC fields that say what it is of.
    Raises NotLoaded under `name`, and the network's own faults.
    """
    head = head_of(answer, headers)
    spool = SpooledBody(name, head)
    try:
        await spool.take(body_of(answer, timeouts))
    except BaseException:
        spool.close()
        raise
    length = len(head) + spool.size
    named = (("WARC-Type", "response"), ("WARC-Record-ID", new_record_id()), *fields)
    about = (*_server(answer), ("Content-Type", HTTP_RESPONSE), *_digests(spool))
    whole = (*named, *about, ("Content-Length", str(length)))
    return Record(whole, head, spool.pieces(), spool.size, spool.close)


def field_url(url: str) -> str:
    """Return a URL that stays within its line of a head."""
    return _UNFIT.sub(lambda found: quote(found[0], errors="replace"), url)


def _digests(spool: SpooledBody) -> Fields:
    return (
        ("WARC-Payload-Digest", _label(spool.payload_sha1)),
        ("WARC-Block-Digest", _label(spool.block_sha1)),
    )


def _label(sha1: bytes) -> str:
    return "sha1:" + base64.b32encode(sha1).decode()


def _server(answer: httpx.Response) -> Fields:
    """Return the address of the server that answered; behind a proxy no one knows it."""
    stream = answer.extensions.get("network_stream")
    if stream is None or Proxies.of_environment().leading_to(answer.url):
        return ()
    address = stream.get_extra_info("server_addr")
    return (("WARC-IP-Address", str(address[0])),) if address else ()
