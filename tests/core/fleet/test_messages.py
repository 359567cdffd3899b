# SPDX-License-Identifier: AGPL-3.0-or-later
"""Requests and results as messages: keys, what is refused, and what is too large."""

import json

import pytest

from carrel.engine.delivered import Answered, RecordPlace
from carrel.fleet import results
from carrel.fleet.plan import planned
from carrel.fleet.requests import Refused, host_asked, read_message
from carrel.fleet.results import messages_of
from carrel.fleet.settings import Topics
from carrel.fleet.spread import Spread
from carrel.ledger.deliveries import Coordinates, Delivery
from carrel.model import IngestRequest, Status

PLACE = RecordPlace("main-1-w1.warc.gz", 4711, "<urn:uuid:1>")


@pytest.mark.parametrize(
    ("url", "hint", "host"),
    [
        ("https://doi.org/10.5281/zenodo.1", None, "zenodo.org"),
        ("https://doi.org/10.99999/abc", None, "10.99999"),
        ("https://doi.org/10.5072/trial", None, "10.5072"),
        ("https://doi.org/10.25384/sage.1.v1", None, "figshare.com"),
        ("ark:/12345/x7", None, "n2t.net"),
        ("hdl:1902.1/11155", None, "hdl.handle.net"),
        ("https://[no address", None, "-"),
        ("https://doi.org/10.99999/abc", "https://data.example.org/1", "data.example.org"),
        ("https://www.zenodo.org/records/1", None, "zenodo.org"),
        ("http://127.0.0.1:8080/x", None, "127.0.0.1:8080"),
        ("https://doi.org/10.99999/abc", "javascript:1", "10.99999"),
    ],
)
def test_the_key_is_the_host_that_will_be_asked(url: str, hint: str | None, host: str) -> None:
    extra = {"extra": {"landing_url": hint}} if hint else {}

    assert host_asked(IngestRequest(url, extra=extra)) == host


@pytest.mark.parametrize(
    "value", [None, b"", b"no", b"[1]", b"\xff", b'{"ingest_type": "dataset"}', b" " * 2_000_000]
)
def test_what_is_no_request_is_refused_with_the_reason(value: bytes | None) -> None:
    found = read_message(value)

    assert isinstance(found, Refused)
    assert found.reason


def delivery_of(url: str = "https://example.org/") -> Delivery:
    return Delivery(Coordinates("c", "requests", 3, 9), "id1", "w1", IngestRequest(url), 1)


def test_a_result_names_the_worker_and_the_message_that_it_answers() -> None:
    body = {"status": "success", "ingest_id": "id1"}
    (sent,) = messages_of(delivery_of(), Answered(Status.SUCCESS, body), Topics(), lambda _: PLACE)

    assert json.loads(sent.value)["worker"] == "w1"
    assert dict(sent.headers)["carrel-request"] == b"requests/3/9"
    assert sent.key == b"https://example.org/"


def test_a_result_that_is_too_large_says_where_its_manifest_is(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(results, "LARGEST_MESSAGE", 20_000)
    body = {"status": "success", "ingest_id": "id1", "manifest": [{"path": "x" * 30_000}]}

    (sent,) = messages_of(delivery_of(), Answered(Status.SUCCESS, body), Topics(), lambda _: PLACE)

    said = json.loads(sent.value)
    assert said["manifest"] is None
    assert all(part in said["findings"][0]["message"] for part in (PLACE.warc, "4711", "uuid:1"))


def test_hosts_take_turns_whatever_the_order_of_the_list() -> None:
    requests = [IngestRequest(f"https://{host}/{n}") for host in "ab" for n in range(50)]
    with Spread() as spread:
        for each in requests:
            spread.add(host_asked(each), each)
        order = [host_asked(each) for each in spread]

    assert len(order) == 100
    assert {*order[:40]} == {"a", "b"}


def test_a_plan_says_what_binds() -> None:
    zenodo = [IngestRequest(f"https://doi.org/10.5281/zenodo.{n}") for n in range(48_000)]

    first, second = planned(zenodo).hosts(1.0)

    assert (first.host, first.why, round(first.days, 1)) == ("zenodo.org", "published", 9.5)
    assert (second.host, second.datasets) == ("doi.org", 48_000)
