# SPDX-License-Identifier: AGPL-3.0-or-later
"""What a result becomes, and what is no result."""

import pytest

from carrel.errors import Unusable
from carrel.fleet.postgres.cleaning import LARGEST_BIGINT
from carrel.fleet.postgres.rows import Delivery, ResultRows, rows_of
from support.delivered import SENT, delivery, file_result, result


def read(sent: Delivery) -> ResultRows:
    rows = rows_of(sent)
    assert rows is not None
    return rows


def test_the_moment_of_a_row_is_when_the_ingest_ended() -> None:
    rows = read(delivery(result(second=7)))

    assert str(rows.result[2]) == "2026-02-01 12:00:07+00:00"


def test_a_result_that_does_not_say_when_it_ended_is_as_old_as_its_message() -> None:
    rows = read(delivery(result(finished=None)))

    assert rows.result[2] == SENT


@pytest.mark.parametrize("name", ["platform_name", "platform_domain", "platform_id"])
def test_only_a_platform_that_is_wholly_known_has_a_row(name: str) -> None:
    known = result()
    assert read(delivery(known)).platform is not None

    assert read(delivery({**known, name: None})).platform is None
    assert read(delivery({**known, name: ""})).platform is None


def test_a_request_without_a_source_is_carrels() -> None:
    rows = read(delivery(result()))

    assert rows.request is not None
    assert rows.request[:2] == ("carrel", "https://doi.org/10.5072/1")


def test_a_long_address_is_named_as_a_source_by_its_digest() -> None:
    request = {"ingest_type": "dataset", "base_url": "https://x.example/" + "a" * 1400}

    rows = read(delivery(result(request=request)))

    assert rows.request is not None
    assert str(rows.request[1]).startswith("sha256:")


def test_the_bundle_of_a_strategy_is_in_the_row_of_the_platform() -> None:
    bundle = {
        "archiveorg_bundle_path": "all.zip",
        "terminal": {"terminal_url": "https://x.example/all.zip", "terminal_dt": "20260201120000"},
    }

    rows = read(delivery(result(fileset_bundle=bundle)))

    assert rows.platform is not None
    assert rows.platform[12:15] == ("all.zip", "https://x.example/all.zip", "20260201120000")


def test_the_history_has_no_manifest_but_who_did_it_and_at_whose_request() -> None:
    sent = delivery(result(), carrel_request="dev.requests/3/77", carrel_worker="w2")

    rows = read(sent)

    assert rows.attempt is not None
    assert (rows.attempt[3], *rows.attempt[7:10]) == ("w2", "dev.requests", 3, 77)
    assert "manifest" not in str(rows.attempt[10])


def test_a_result_without_an_id_is_known_by_its_request() -> None:
    sent = delivery(result(ingest_id=None), carrel_request="dev.requests/3/77")

    rows = read(sent)

    assert rows.attempt is not None
    assert rows.attempt[0] == "dev.requests/3/77"


def test_the_result_of_a_file_is_a_row_of_results_and_no_request() -> None:
    rows = read(delivery(file_result(), is_of_file=True))

    assert rows.result[:2] == ("dataset-file", "https://doi.org/10.5072/1")
    assert str(rows.result[2]) == "2026-02-01 12:00:00+00:00"  # when the file was captured
    assert (rows.request, rows.platform, rows.attempt) == (None, None, None)


def test_results_of_other_types_on_the_topic_of_files_are_left_to_others() -> None:
    request = {"ingest_type": "pdf", "base_url": "https://x.example/a.pdf"}

    assert rows_of(delivery({**file_result(), "request": request}, is_of_file=True)) is None


def test_sizes_are_capped() -> None:
    rows = read(delivery(result(total_size=2**70, file_count=2**64)))

    assert rows.platform is not None
    assert rows.platform[9:11] == (LARGEST_BIGINT, LARGEST_BIGINT)


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"\xff\xfe", "not valid JSON"),
        (b"{", "not valid JSON"),
        (b"[1]", "not a JSON object"),
        (b'{"request": ' + b"[" * 20_000 + b"]" * 20_000 + b"}", "nested"),
        (b'{"n": ' + b"9" * 5000 + b"}", "not valid JSON"),
        (result(request={"ingest_type": "pdf", "base_url": "https://x.example"}), "pdf"),
        (result(request={"ingest_type": "dataset"}), "no base_url"),
        (result(request={"ingest_type": "dataset", "base_url": "x" * 1501}), "1,500"),
        (result(request="x"), "request is not an object"),
        (result(status=None), "no status"),
        (result(hit="yes"), "hit"),
        (result(file_count="many"), "file_count"),
        (result(file_count=True), "file_count"),
        (result(terminal={"terminal_url": "h" * 2049}), "2,048"),
        (result(platform_id=7), "platform_id"),
        (result(ingest_id="i" * 301), "ingest_id"),
    ],
)
def test_what_is_no_result_is_refused_with_the_reason(
    content: dict[str, object] | bytes, reason: str
) -> None:
    with pytest.raises(Unusable, match=reason):
        rows_of(delivery(content))
