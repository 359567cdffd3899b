# SPDX-License-Identifier: AGPL-3.0-or-later
"""The keys for archive.org go to archive.org, over TLS, and to a stand-in nearby."""

import pytest

from carrel.hosts.archiveorg_keys import may_be_told


@pytest.mark.parametrize(
    "url",
    [
        "https://s3.us.archive.org",
        "https://archive.org/upload?x=1",
        "https://S3.US.ARCHIVE.ORG:443/item/file",
        "http://127.0.0.1:8000/item",
        "http://localhost/",
        "http://10.0.0.7/",
    ],
)
def test_who_may_be_told(url: str) -> None:
    assert may_be_told(url)


@pytest.mark.parametrize(
    "url",
    [
        "http://s3.us.archive.org/item",
        "https://archive.org.example/",
        "https://notarchive.org/",
        "https://archive.org@example.org/",
        "http://example.org/",
        "https://example.org/archive.org/",
        "ftp://archive.org/",
        "https://[archive.org",
        "",
    ],
)
def test_who_is_told_nothing(url: str) -> None:
    assert not may_be_told(url)
