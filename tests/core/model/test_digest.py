# SPDX-License-Identifier: AGPL-3.0-or-later
"""Digests as people paste them."""

import pytest

from carrel.model.digest import Digest, digest_in

SHA1 = "da39a3ee5e6b4b0d3255bfef95601890afd80709"


@pytest.mark.parametrize(
    ("text", "digest"),
    [
        ("A" * 32, Digest("md5", "a" * 32)),
        (SHA1, Digest("sha1", SHA1)),
        (f"  sha256:{'0f' * 32}\n", Digest("sha256", "0f" * 32)),
        (f"SHA-256 = {'0F' * 32}", Digest("sha256", "0f" * 32)),
        (f"md5 {'0' * 32}", Digest("md5", "0" * 32)),
        ("sha1:3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ", Digest("sha1", SHA1)),
        ("0" * 31, None),
        (f"md5:{SHA1}", None),
        ("tide gauge", None),
        ("", None),
    ],
)
def test_a_digest_is_known_however_it_is_written(text: str, digest: Digest | None) -> None:
    assert digest_in(text) == digest
