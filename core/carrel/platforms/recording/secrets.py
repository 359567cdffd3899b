# SPDX-License-Identifier: AGPL-3.0-or-later
"""What is taken out of a recording: cookies, keys and tokens, wherever they stand."""

import base64
import re
from collections.abc import Iterable, Iterator, Mapping

from carrel.model.user_information import without_user_information

REMOVED = "REMOVED"
_HEADERS = frozenset(
    {
        "authorization",
        "cookie",
        "proxy-authenticate",
        "proxy-authorization",
        "set-cookie",
        "set-cookie2",
    }
)
_NAMES = (
    r"access[_-]?token|api[_-]?key|api[_-]?token|apikey|auth|auth[_-]?token|authorization|awsaccesskeyid"
    r"|client[_-]?secret|csrf[_-]?token|id[_-]?token|jwt|key|password|passwd|refresh[_-]?token|secret"
    r"|session|sessionid|jsessionid|phpsessid|sid|sig|signature|token"
    r"|x-(?:amz|goog)-(?:credential|security-token|signature)"
)
# In a query or a path ("?token=…", ";jsessionid=…"), up to what ends a value.
_IN_ADDRESS = re.compile(rf"((?:[?&;]|&amp;|\\u0026)(?:{_NAMES})=)[^&;\"'<>\s\\#]+", re.IGNORECASE)
# In forms and in pages that carry what protects them from forged requests.
_IN_ELEMENT = re.compile(
    r"(<(?:meta|input)\b[^>]*\bname=[\"'][\w.:-]*(?:csrf|xsrf|authenticity|requestverification)"
    r"[\w.:-]*[\"'][^>]*\b(?:content|value)=[\"'])[^\"']*",
    re.IGNORECASE,
)
# In JSON, by names that have no other meaning.
_IN_JSON = re.compile(
    r'("(?:access_?token|refresh_?token|id_?token|api_?key|api_?token|auth_?token|csrf_?token'
    r'|client_?secret|password|jwt|session_?id)"\s*:\s*")[^"]+',
    re.IGNORECASE,
)
_SHORTEST = 6


class Secrets:
    """What is known to be secret, and how it is taken out of texts. It grows as requests go out."""

    def __init__(self) -> None:
        self._values: set[str] = set()

    def learn(self, headers: Mapping[str, str]) -> None:
        """Note the keys in these headers, which open something of the person's."""
        self._values.update(value for value in _values(headers.values()) if len(value) >= _SHORTEST)

    def left_out_of(self, text: str) -> str:
        """Return a text with no secret in it; every character that was none stays."""
        for value in sorted(self._values, key=len, reverse=True):
            text = text.replace(value, REMOVED)
        for pattern in (_IN_ADDRESS, _IN_ELEMENT, _IN_JSON):
            text = pattern.sub(rf"\g<1>{REMOVED}", text)
        return without_user_information(text)

    def left_out_of_bytes(self, body: bytes) -> bytes:
        """Return a body likewise; one that is no text in UTF-8 loses the known values alone."""
        try:
            return self.left_out_of(body.decode("utf-8")).encode("utf-8")
        except UnicodeDecodeError:
            for value in self._values:
                body = body.replace(value.encode(), REMOVED.encode())
            return body

    @staticmethod
    def is_secret_header(name: str) -> bool:
        """Return whether a header of an answer is left out as a whole."""
        return name.lower() in _HEADERS


def _values(headers: Iterable[str]) -> Iterator[str]:
    """Yield what of a header is the secret: "Basic …" also as the name and key that are in it."""
    for header in headers:
        scheme, _, value = header.rpartition(" ")
        yield value
        if scheme.lower() == "basic":
            try:
                yield from base64.b64decode(value).decode("utf-8").split(":", 1)
            except ValueError:
                continue
