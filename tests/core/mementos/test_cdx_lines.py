# SPDX-License-Identifier: AGPL-3.0-or-later
"""Lines of indexes, as many programs write them."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from carrel.mementos.cdx_lines import (
    columns_of,
    header_columns,
    parse_line,
    says_nothing,
    sort_key,
)

KEY = "org,example)/a"
TIME = "20200102030405"
DIGEST = "3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ"
URL = "http://example.org/a"


def cdxj(fields: str, timestamp: str = TIME) -> str:
    return f"{KEY} {timestamp} {fields}"


def fields_of(line: str | bytes) -> dict[str, str]:
    row = parse_line(line)
    assert row is not None
    return row.fields


def test_a_line_has_key_time_and_fields() -> None:
    row = parse_line(cdxj(f'{{"url": "{URL}", "mime": "text/html", "status": "200"}}'))

    assert row is not None
    assert (row.urlkey, row.timestamp, row.url, row.status) == (KEY, TIME, URL, "200")


def test_numbers_become_texts() -> None:
    assert fields_of(cdxj('{"url": "u", "status": 200, "offset": 12, "length": "7"}')) == {
        "url": "u",
        "status": "200",
        "offset": "12",
        "length": "7",
    }


def test_what_is_nested_becomes_json_and_null_is_left_out() -> None:
    fields = fields_of(cdxj('{"url": "u", "list": [1, "a"], "none": null, "yes": true}'))

    assert fields == {"url": "u", "list": '[1, "a"]', "yes": "true"}


def test_digests_of_other_algorithms_stay_as_they_are() -> None:
    assert fields_of(cdxj('{"url": "u", "digest": "sha-256:00ff"}'))["digest"] == "sha-256:00ff"


def test_milliseconds_are_kept() -> None:
    row = parse_line(cdxj('{"url": "u"}', "20200102030405678"))

    assert row is not None
    assert row.timestamp == "20200102030405678"


def test_names_of_cdx_servers_are_understood() -> None:
    line = cdxj('{"original": "u", "mimetype": "text/csv", "statuscode": "200"}')

    assert fields_of(line) == {"url": "u", "mime": "text/csv", "status": "200"}


def test_line_breaks_of_windows_do_no_harm() -> None:
    assert fields_of(cdxj('{"url": "u"}\r\n').encode()) == {"url": "u"}


@pytest.mark.parametrize(
    "line",
    [
        "",
        "x",
        f"{KEY} {TIME}",
        f" {TIME} {{}}",
        cdxj('{"url": "cut sho'),
        cdxj('{"url": "u"} and more'),
        cdxj("[]"),
        cdxj('{"url": "u"}', "2020"),
        cdxj('{"url": "u"}', "2020010203040x"),
        cdxj('{"url": "u"}', "٢٠٢٠٠١٠٢٠٣٠٤٠٥"),
        cdxj('{"url": "' + "[" * 10),
        cdxj('{"url": ' + "[" * 100_000),
        cdxj('{"filename": "a\\u0000b"}'),
        cdxj('{"url": "http://a/\\r\\nX-Header: 1"}'),
        cdxj('{"url": "half a pair \\ud800"}'),
        cdxj('{"url": "' + "a" * 2_000_000 + '", "n": 1}'),
        "\0" * 300,
    ],
)
def test_a_line_that_makes_no_sense_is_no_row(line: str) -> None:
    assert parse_line(line) is None


def test_bytes_that_are_no_text_are_kept_as_far_as_they_are() -> None:
    row = parse_line(
        f"{KEY} {TIME} http://example.org/\xff text/html 200 {DIGEST} 5".encode("latin-1")
    )

    assert row is not None
    assert row.url == "http://example.org/\ufffd"


PARTS = {
    7: f"{KEY} {TIME} {URL} text/html 200 {DIGEST} 1043",
    9: f"{KEY} {TIME} {URL} text/html 200 {DIGEST} - 333 a.warc.gz",
    10: f"{KEY} {TIME} {URL} text/html 200 {DIGEST} - - 333 a.warc.gz",
    11: f"{KEY} {TIME} {URL} text/html 200 {DIGEST} - - 1043 333 a.warc.gz",
}
BEGINNING = {"url": URL, "mime": "text/html", "status": "200", "digest": DIGEST}
PLACE = {"offset": "333", "filename": "a.warc.gz"}


@pytest.mark.parametrize(
    ("count", "rest"),
    [
        (7, {"length": "1043"}),
        (9, PLACE),
        (10, PLACE),
        (11, {"length": "1043", **PLACE}),
    ],
)
def test_columns_go_by_their_number(count: int, rest: dict[str, str]) -> None:
    assert fields_of(PARTS[count]) == {**BEGINNING, **rest}


@pytest.mark.parametrize("count", [9, 10, 11])
def test_three_more_columns_are_those_of_a_revisit_s_original(count: int) -> None:
    fields = fields_of(f"{PARTS[count]} 10 20 first.warc.gz")

    assert fields["orig.length"] == "10"
    assert fields["orig.offset"] == "20"
    assert fields["orig.filename"] == "first.warc.gz"
    assert fields["filename"] == "a.warc.gz"


def test_three_more_columns_without_an_original_say_nothing() -> None:
    assert "orig.filename" not in fields_of(f"{PARTS[11]} - - -")


def test_a_header_says_which_columns_there_are() -> None:
    columns = header_columns(b" CDX N b a m s k r V g\n")
    assert columns is not None

    row = parse_line(PARTS[9], columns)

    assert row is not None
    assert row.fields == {**BEGINNING, **PLACE}


def test_columns_of_no_use_are_passed_over() -> None:
    columns = header_columns(" CDX A b e a g V")

    row = parse_line(f"{KEY} {TIME} 127.0.0.1 {URL} a.arc.gz 12", columns)

    assert row is not None
    assert row.fields == {"url": URL, "filename": "a.arc.gz", "offset": "12"}


def test_a_line_with_other_columns_than_the_header_says_is_no_row() -> None:
    assert parse_line(PARTS[9], header_columns(" CDX N b a m s k r M S V g")) is None


def test_an_offset_that_is_no_number_is_no_place() -> None:
    assert parse_line(PARTS[9].replace("333", "-12")) is None


def test_columns_of_a_line_are_known_by_their_number() -> None:
    assert columns_of(cdxj("{}").encode()) is None
    assert columns_of(b"a b") is None
    assert columns_of(PARTS[7].encode()) == (
        "urlkey", "timestamp", "url", "mime", "status", "digest", "length",
    )  # fmt: skip


@pytest.mark.parametrize("line", [b"", b"\r", b" CDX N b a", b"CDX N b a", b"!meta {}"])
def test_headers_remarks_and_empty_lines_are_no_rows_by_intention(line: bytes) -> None:
    assert says_nothing(line)
    assert parse_line(line) is None


@pytest.mark.parametrize(
    ("line", "key"), [(b"a 2020 {}", b"a 2020"), (b"a 2020", b"a 2020"), (b"a", b"a"), (b"", b"")]
)
def test_lines_are_sorted_by_key_and_time(line: bytes, key: bytes) -> None:
    assert sort_key(line) == key


@given(st.binary(max_size=200) | st.text(max_size=200))
def test_any_bytes_are_a_row_or_none(line: bytes | str) -> None:
    row = parse_line(line)

    assert row is None or all(isinstance(value, str) for value in row.fields.values())


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=5,
)


@given(st.dictionaries(st.text(), JSON, max_size=5))
def test_any_json_gives_texts_that_can_be_written(fields: dict[str, object]) -> None:
    row = parse_line(cdxj(json.dumps(fields)))

    assert row is None or "".join(row.fields.values()).encode() is not None
