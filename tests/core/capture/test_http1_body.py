# SPDX-License-Identifier: AGPL-3.0-or-later
"""Where bodies end, in whatever pieces they come."""

from itertools import pairwise

import h11
import httpcore
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from carrel.capture.http1.body import Body, Chunked, OpenEnded, Sized, body_behind
from carrel.capture.http1.head import LARGEST_HEAD_BYTES, Head

CHUNKED = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"


def fed(body: Body, pieces: list[bytes]) -> bytes:
    return b"".join(content for piece in pieces for content in body.feed(piece))


def in_pieces(data: bytes, cuts: list[int]) -> list[bytes]:
    places = sorted({0, len(data), *(cut % (len(data) + 1) for cut in cuts)})
    return [data[a:b] for a, b in pairwise(places)]


def chunk(content: bytes) -> bytes:
    return b"%x\r\n%b\r\n" % (len(content), content)


def theirs(data: bytes) -> tuple[bytes, bool] | None:
    """Return the content that another parser finds, and whether it is all; None if it refuses."""
    connection = h11.Connection(h11.CLIENT)
    connection.send(h11.Request(method="GET", target="/", headers=[("Host", "example.org")]))
    connection.send(h11.EndOfMessage())
    connection.receive_data(CHUNKED + data)
    content = b""
    try:
        while (event := connection.next_event()) not in (h11.NEED_DATA, h11.PAUSED):
            if isinstance(event, h11.Data):
                content += event.data
            if isinstance(event, h11.EndOfMessage):
                return content, True
    except h11.RemoteProtocolError:
        return None
    return content, False


chunks = st.lists(st.binary(min_size=1, max_size=40), max_size=5)
cuts = st.lists(st.integers(min_value=0), max_size=8)
odd = st.sampled_from(
    [
        b"5;x=y\r\nhello\r\n",
        b"5 \r\nhello\r\n",
        b"5\nhello\r\n",
        b"5\r\nhello!\r\n",
        b"\r\n",
        b"g\r\n",
    ]
)
trailers = st.sampled_from([b"\r\n", b"X-Trailer: a\r\n\r\n", b"", b"X: y"])


@given(chunks, odd, trailers, cuts, st.booleans())
@example([], b"5\r\nhello\r\r", b"\r\n", [], True)
def test_chunks_are_joined_as_another_parser_joins_them(
    contents: list[bytes], odd: bytes, trailer: bytes, cuts: list[int], is_odd: bool
) -> None:
    data = b"".join(map(chunk, contents)) + (odd if is_odd else b"") + b"0\r\n" + trailer
    body, expected = Chunked(), theirs(data)

    try:
        found = fed(body, in_pieces(data, cuts)), body.is_over
    except httpcore.RemoteProtocolError:
        found = None

    assert found == expected


@given(st.binary(max_size=60), st.integers(min_value=0, max_value=60), cuts)
def test_a_sized_body_ends_after_so_many_bytes(data: bytes, length: int, cuts: list[int]) -> None:
    body = Sized(length)

    content = fed(body, in_pieces(data, cuts))

    assert (content, body.surplus) == (data[:length], data[length:])
    assert (body.is_over, body.left) == (len(data) >= length, max(0, length - len(data)))


def test_what_comes_behind_the_last_chunk_is_surplus() -> None:
    body = Chunked()

    content = fed(body, [chunk(b"hello") + b"0\r\n\r\nHTTP/1.1 200", b" OK"])

    assert (content, body.is_over, body.surplus) == (b"hello", True, b"HTTP/1.1 200 OK")


@pytest.mark.parametrize("data", [b"", b"5\r\nhel", b"5\r\nhello\r\n", b"5\r\nhello\r\n0"])
def test_chunks_without_the_last_are_not_whole(data: bytes) -> None:
    body = Chunked()
    fed(body, [data])

    with pytest.raises(httpcore.RemoteProtocolError):
        body.connection_ended()


@pytest.mark.parametrize("end", [b"0\r\n", b"000\r\nX-Trailer: a\r\n", b"0" * 30 + b"\r\n"])
def test_chunks_with_the_last_are_whole_though_the_trailers_do_not_end(end: bytes) -> None:
    body = Chunked()
    content = fed(body, [chunk(b"hello") + end])

    body.connection_ended()

    assert (content, body.is_over) == (b"hello", True)


@pytest.mark.parametrize("data", [b"", b"00005\r\n", b"0\r\nX-Trailer: a"])
def test_what_only_frames_a_body_is_told_as_nothing(data: bytes) -> None:
    assert list(Chunked().feed(data)) == [b""]


def test_identity_is_no_transfer_coding() -> None:
    coding, length = (b"Transfer-Encoding", b"identity"), (b"Content-Length", b"5")
    head = Head(b"HTTP/1.1", 200, b"OK", (coding, length))

    assert isinstance(body_behind(head, b"GET"), Sized)


def test_a_sized_body_that_ends_early_says_what_came() -> None:
    body = Sized(10)
    fed(body, [b"four"])

    with pytest.raises(httpcore.RemoteProtocolError, match="received 4 bytes, expected 10"):
        body.connection_ended()


def test_an_open_ended_body_ends_with_the_connection() -> None:
    body = OpenEnded()
    content = fed(body, [b"one", b"two"])
    assert not body.is_over

    body.connection_ended()

    assert (content, body.is_over) == (b"onetwo", True)


@pytest.mark.parametrize(
    "data", [b"5;" + b"x" * LARGEST_HEAD_BYTES, b"0\r\n" + b"A: b\r\n" * LARGEST_HEAD_BYTES]
)
def test_what_stands_between_chunks_has_an_end(data: bytes) -> None:
    with pytest.raises(httpcore.RemoteProtocolError):
        fed(Chunked(), [data])
