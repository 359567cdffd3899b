# SPDX-License-Identifier: AGPL-3.0-or-later
"""Heads of answers and questions: read, and refused, as an established parser does."""

import h11
import httpcore
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from carrel.capture.http1.body import Body, Chunked, OpenEnded, Sized, body_behind
from carrel.capture.http1.head import LARGEST_HEAD_BYTES, Head, end_of_head, head_of, question

OK = b"HTTP/1.1 200 OK\r\n"

names = st.sampled_from(
    [b"Content-Length", b"transfer-encoding", b"X-Odd_Name", b"ETag", b"a", b"Bad Name", b""]
)
values = st.one_of(
    st.sampled_from([b"0", b"5", b"5, 5", b"05", b"-1", b"chunked", b"Chunked", b"gzip, chunked"]),
    st.binary(max_size=12),
)
blanks = st.sampled_from([b"", b" ", b"\t "])
line_ends = st.sampled_from([b"\r\n", b"\r\n", b"\n"])
lines = st.tuples(names, st.just(b":"), blanks, values, blanks, line_ends).map(b"".join)
folds = st.tuples(st.sampled_from([b" ", b"\t"]), values, line_ends).map(b"".join)
status_lines = st.tuples(
    st.sampled_from([b"HTTP/1.1 ", b"HTTP/1.0 ", b"HTTP/1.1", b"HTTP/11 ", b"http/1.1 ", b""]),
    st.sampled_from([b"200", b"404 Not Found", b"200 ", b"20", b"2000", b"200 \xe4"]),
    line_ends,
).map(b"".join)
heads = st.tuples(
    status_lines, st.lists(st.one_of(lines, lines, folds), max_size=4).map(b"".join), line_ends
).map(b"".join)


def ours(data: bytes) -> tuple[Head, Body] | None:
    """Return what we read, None if we refuse it or want more."""
    try:
        end = end_of_head(data)
        if end < 0:
            return None
        head = head_of(data[:end])
        return head, body_behind(head, b"GET")
    except httpcore.RemoteProtocolError:
        return None


def theirs(data: bytes) -> h11.Response | None:
    connection = h11.Connection(h11.CLIENT)
    connection.send(h11.Request(method="GET", target="/", headers=[("Host", "example.org")]))
    connection.send(h11.EndOfMessage())
    connection.receive_data(data)
    try:
        event = connection.next_event()
    except h11.RemoteProtocolError:
        return None
    return event if isinstance(event, h11.Response) else None


@given(heads)
@example(OK + b"A: b\r\n c\r\n\r\n")
@example(OK + b" folded: before anything\r\n\r\n")
@example(OK + b"A: b\n\r\n")
def test_what_is_read_is_what_another_parser_reads(data: bytes) -> None:
    found, expected = ours(data), theirs(data)

    assert (found is None) == (expected is None)
    if found and expected:
        head, body = found
        pairs = [(name.lower(), value) for name, value in head.headers]
        framing = {b"transfer-encoding", b"content-length"}
        assert head.status_code == expected.status_code
        assert head.reason == expected.reason.rstrip()
        assert [each for each in pairs if each[0] not in framing] == [
            each for each in expected.headers if each[0] not in framing
        ]
        kinds = dict(list(expected.headers))
        length = kinds.get(b"content-length")
        if b"transfer-encoding" in kinds:
            assert isinstance(body, Chunked)
        elif length is None:
            assert isinstance(body, OpenEnded)
        else:
            assert (type(body), body.left) == (Sized, int(length))


def test_names_and_values_are_kept_as_they_came() -> None:
    head = head_of(OK + b"X-Odd-CASE:a  b\t\r\nx-odd-case: \xc3\xa4\r\nEmpty:\r\n\r\n")

    assert head.headers == (
        (b"X-Odd-CASE", b"a  b"),
        (b"x-odd-case", b"\xc3\xa4"),
        (b"Empty", b""),
    )
    assert (head.http_version, head.status_code, head.reason) == (b"HTTP/1.1", 200, b"OK")


@pytest.mark.parametrize("size", [1, 4, 5, 20])
def test_a_head_that_is_not_all_there_is_waited_for(size: int) -> None:
    assert end_of_head((OK + b"A: b\r\n")[:size]) == -1


@pytest.mark.parametrize("end", [b"\r\n\r\n", b"\n\n", b"\n\r\n"])
def test_an_end_that_comes_in_two_pieces_is_found(end: bytes) -> None:
    whole = OK + b"A: b" + end
    found = [end_of_head(whole + b"body", seen) for seen in range(len(whole))]

    assert found == [len(whole)] * len(whole)


@pytest.mark.parametrize("data", [b"S", b"SSH-2.0", b"HTTX", b"\r\n", b"<html>"])
def test_what_can_not_become_a_head_is_not_waited_for(data: bytes) -> None:
    with pytest.raises(httpcore.RemoteProtocolError):
        end_of_head(data)


@pytest.mark.parametrize("line", [b"HTTP/1.1 20\r\n", b"HTTP/1.1\r\n", b"HTTP/one 200 OK\r\n"])
def test_a_status_line_that_is_none_is_refused(line: bytes) -> None:
    with pytest.raises(httpcore.RemoteProtocolError, match="the status line is not valid"):
        head_of(line + b"A: b\r\n\r\n")


@pytest.mark.parametrize("end", [b"", b"\r\n\r\n"])
def test_a_head_without_an_end_is_refused(end: bytes) -> None:
    with pytest.raises(httpcore.RemoteProtocolError):
        end_of_head(OK + b"A: " + b"x" * LARGEST_HEAD_BYTES + end)


@pytest.mark.parametrize("broken", [b"a\nb", b"a\rb", b"a\0b", b"a\r\nX-Injected: 1"])
def test_a_question_does_not_break_out_of_its_line(broken: bytes) -> None:
    with pytest.raises(httpcore.LocalProtocolError) as error:
        question(b"GET", b"/", ((b"If-Range", broken),))
    with pytest.raises(httpcore.LocalProtocolError):
        question(b"GET", b"/" + broken, ())

    assert "a" + chr(broken[1]) not in str(error.value)


def test_a_question_is_one_line_after_the_other() -> None:
    sent = question(b"POST", b"/a?b", ((b"Host", b"example.org"), (b"X", b"y")), b"body\n")

    assert sent == b"POST /a?b HTTP/1.1\r\nHost: example.org\r\nX: y\r\n\r\nbody\n"


@pytest.mark.parametrize(("code", "method"), [(204, b"GET"), (304, b"GET"), (200, b"HEAD")])
def test_some_answers_have_no_body_whatever_they_say(code: int, method: bytes) -> None:
    head = Head(b"HTTP/1.1", code, b"", ((b"Content-Length", b"5"),))

    assert body_behind(head, method).is_over
