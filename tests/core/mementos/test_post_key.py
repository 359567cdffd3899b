# SPDX-License-Identifier: AGPL-3.0-or-later
"""Requests with a body are found by the same key as in pywb."""

import contextlib
import io
import json
import warnings
from urllib.parse import urlencode

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from carrel.mementos.warc.post import url_with_body

with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    inputrequest = pytest.importorskip("pywb.warcserver.inputrequest")

URL = "http://example.org/search"
FORM = "application/x-www-form-urlencoded"


def pywbs(url: str, method: str, content_type: str, body: bytes) -> str:
    """Return the key that pywb looks up; where it breaks, as it breaks for other bad JSON."""
    with contextlib.redirect_stderr(io.StringIO()):
        canonicalizer = inputrequest.MethodQueryCanonicalizer
        try:
            said = canonicalizer(method, content_type, str(len(body)), io.BytesIO(body))
        except UnicodeDecodeError:
            said = canonicalizer(method, content_type, "0", io.BytesIO())
        return str(said.append_query(url))


@pytest.mark.parametrize(
    ("method", "content_type", "body", "query"),
    [
        ("POST", FORM, b"q=caf%C3%A9+x&b=1", "?__wb_method=POST&q=café x&b=1"),
        ("POST", FORM, b"q=\xff", "?__wb_method=POST&__wb_post_data=cT3/"),
        (
            "PUT",
            "application/json",
            b'{"a": {"b": 1, "c": [2, 2.0, true, null]}}',
            "?__wb_method=PUT&b=1&c=2&c.2_=2&c.3_=true&c.4_=null",
        ),
        ("POST", "application/json", b"{", "?__wb_method=POST"),
        ("POST", "text/plain", b'{"a": "x y"}', "?__wb_method=POST&a=x+y"),
        ("POST", "text/plain", b"plain", "?__wb_method=POST&__wb_post_data=cGxhaW4="),
        ("POST", "multipart/form-data", b"x", "?__wb_method=POST&__wb_post_data=eA=="),
        ("POST", "", b"", "?__wb_method=POST"),
        ("OPTIONS", FORM, b"a=1", "?__wb_method=OPTIONS"),
        ("delete", "", b"", "?__wb_method=DELETE"),
        ("GET", FORM, b"a=1", ""),
        ("HEAD", "", b"", ""),
    ],
)
def test_a_request_is_found_by_its_method_and_body(
    method: str, content_type: str, body: bytes, query: str
) -> None:
    assert url_with_body(URL, method, content_type, body) == URL + query


def test_a_url_with_a_query_is_gone_on_with() -> None:
    assert url_with_body(f"{URL}?x=1", "POST", FORM, b"a=1") == f"{URL}?x=1&__wb_method=POST&a=1"


def test_a_long_body_is_cut() -> None:
    found = url_with_body(URL, "POST", FORM, b"a" * 10_000)

    assert len(found) == len(f"{URL}?__wb_method=POST&") + 4096


def test_json_that_is_nested_without_end_says_nothing() -> None:
    body = b"[" * 100_000 + b"]" * 100_000

    assert url_with_body(URL, "POST", "application/json", body) == f"{URL}?__wb_method=POST"


_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: (
        st.lists(inner)
        | st.dictionaries(st.sampled_from(["a", "b", "a.2_", ""]) | st.text(), inner)
    ),
    max_leaves=12,
)
_BODIES = st.one_of(
    st.binary(),
    _JSON.map(lambda value: json.dumps(value).encode()),
    _JSON.map(lambda value: json.dumps(value, ensure_ascii=False).encode("utf-8", "replace")),
    st.dictionaries(st.text(), st.text()).map(lambda fields: urlencode(fields).encode()),
)
_TYPES = (FORM, "application/json; charset=utf-8", "text/plain", "", "image/png", "multipart/x")


@settings(max_examples=400, deadline=None)
@given(st.sampled_from(["POST", "PUT", "OPTIONS", "PATCH"]), st.sampled_from(_TYPES), _BODIES)
def test_pywb_looks_up_what_we_index(method: str, content_type: str, body: bytes) -> None:
    ours = url_with_body(URL, method, content_type, body)

    assert ours == pywbs(URL, method, content_type, body)


_PARTS = st.lists(
    st.tuples(
        st.text(alphabet="abcXYZ09 é-_.", min_size=1),
        st.binary() | st.text().map(lambda text: text.encode("utf-8", "replace")),
        st.sampled_from(["", '; filename="x.bin"']),
        st.sampled_from(["", "Content-Type: application/pdf\r\n"]),
    ),
    min_size=1,
    max_size=4,
)


@settings(max_examples=300, deadline=None)
@given(_PARTS, st.sampled_from(["xx", "----WebKitFormBoundary7", "a b"]))
def test_a_form_in_parts_has_the_same_fields(
    parts: list[tuple[str, bytes, str, str]], boundary: str
) -> None:
    start = f"--{boundary}\r\nContent-Disposition: form-data; name="
    body = b"".join(
        f'{start}"{name}"{file}\r\n{kind}\r\n'.encode() + value + b"\r\n"
        for name, value, file, kind in parts
    )
    body += f"--{boundary}--\r\n".encode()
    content_type = f'multipart/form-data; boundary="{boundary}"'

    ours = url_with_body(URL, "POST", content_type, body)

    assert ours == pywbs(URL, "POST", content_type, body)
