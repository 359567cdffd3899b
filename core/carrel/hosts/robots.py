# SPDX-License-Identifier: AGPL-3.0-or-later
"""What a robots.txt asks of us (RFC 9309): protego weighs its rules.

Whom a group is for is decided here: to protego, “User-agent: car” means Carrel too, and its time
and memory grow with the number of names times that of rules.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from protego import Protego

# Our product token, in lower case (RFC 9309, 2.2.1).
_OUR_NAME = "carrel"
# As much of a robots.txt as must be read (RFC 9309, 2.5).
MAX_BYTES = 500 * 1024
# However long a host wants us to wait between two questions, it gets no more than this.
LONGEST_DELAY_S = 60.0

_PRODUCT = re.compile(r"[a-z_-]+")
_READ = frozenset({"user-agent", "allow", "disallow", "crawl-delay"})


@dataclass(frozen=True, slots=True)
class Robots:
    """The rules for us, None for none. `delay_s` is the wait between two questions, in seconds.

    What cannot be had `is_known` to no one, and forbids everything.
    """

    rules: Protego | None = None
    delay_s: float = 0.0
    is_known: bool = True

    def allows(self, url: str) -> bool:
        """Say whether an address may be requested. robots.txt itself always may."""
        return self.rules is None or self.rules.can_fetch(url, _OUR_NAME)


ALLOW_ALL = Robots()
UNREACHABLE = Robots(Protego.parse("User-agent: *\nDisallow: /"), is_known=False)


def understood(content: bytes) -> Robots:
    """Return what a robots.txt asks of Carrel, or else of everybody; what is no rule is skipped."""
    rules = Protego.parse("\n".join(_lines(content)))
    return Robots(rules, min(rules.crawl_delay(_OUR_NAME) or 0.0, LONGEST_DELAY_S))


def _lines(content: bytes) -> Iterator[str]:
    """Yield the lines that are read; those that name others than us, or everybody, name no one."""
    text = content[:MAX_BYTES].decode("utf-8", "replace").removeprefix("\ufeff")
    for line in text.splitlines():
        key, colon, value = line.partition("#")[0].partition(":")
        key = key.strip().lower()
        if colon and key in _READ:
            yield f"{key}: {_named(value.strip()) if key == 'user-agent' else value.strip()}"


def _named(value: str) -> str:
    if value.startswith("*"):
        return "*"
    token = _PRODUCT.match(value.lower())
    return _OUR_NAME if token and token[0] == _OUR_NAME else ""
