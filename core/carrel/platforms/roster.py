# SPDX-License-Identifier: AGPL-3.0-or-later
"""Every platform in one list: what each covers, its evidence, limits and token, for people."""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from carrel.platforms import catalogue
from carrel.platforms.about import About, KnownLimit
from carrel.platforms.added import AddedPlatform
from carrel.platforms.platform import Platform
from carrel.platforms.recognised import RECOGNISED
from carrel.translation import tr


class Support(StrEnum):
    """What Carrel does with the pages of a platform."""

    SUPPORTED = "supported"
    RECOGNISED = "recognised"
    LEFT_OUT = "left-out"


@dataclass(frozen=True, slots=True, kw_only=True)
class KnownPlatform:
    """A platform for a list. `name` is the one in results, "" where it has none yet; `package` is
    what adds it, "" for Carrel itself; `is_anywhere` says that any host may run it, known by its
    `evidence`; `reason` says why it is not supported."""

    title: str
    support: Support
    name: str = ""
    package: str = ""
    hosts: tuple[str, ...] = ()
    domains: tuple[str, ...] = ()
    is_anywhere: bool = False
    evidence: tuple[str, ...] = ()
    limits: tuple[KnownLimit, ...] = ()
    token_hosts: tuple[str, ...] = ()
    token_kind: str = ""
    reason: str = ""

    def to_json(self) -> dict[str, Any]:
        """Return what is known; what is not is left out."""
        fields = {
            "name": self.name,
            "title": self.title,
            "support": str(self.support),
            "package": self.package,
            "hosts": list(self.hosts),
            "domains": list(self.domains),
            "any_host": self.is_anywhere,
            "evidence": list(self.evidence),
            "limits": [_limit(each) for each in self.limits],
            "token_hosts": list(self.token_hosts),
            "token_kind": self.token_kind,
            "reason": self.reason,
        }
        return {name: value for name, value in fields.items() if value not in ("", [])}


def known_platforms() -> Iterator[KnownPlatform]:
    """Yield those that can be asked, the best evidence first, then those that are only recognised,
    then what installed packages add and what cannot be used."""
    yield from map(_supported, catalogue.platforms())
    yield from map(_recognised, RECOGNISED)
    for each in catalogue.left_out():
        yield KnownPlatform(
            title=each.entry_point,
            support=Support.LEFT_OUT,
            package=each.package,
            reason=each.reason,
        )


def _supported(platform: Platform) -> KnownPlatform:
    about = platform.about
    return KnownPlatform(
        title=about.title,
        support=Support.SUPPORTED,
        name=platform.name,
        package=platform.package if isinstance(platform, AddedPlatform) else "",
        hosts=tuple(sorted(about.hosts)),
        domains=about.domains,
        is_anywhere=bool(about.elsewhere) or platform.tells_of_its_page_alone,
        evidence=tuple(_evidence(about)),
        limits=about.limits,
        token_hosts=about.token.hosts if about.token else (),
        token_kind=str(about.token.kind) if about.token else "",
    )


def _evidence(about: About) -> Iterator[str]:
    if about.hosts or about.domains:
        yield tr("the address is one of a dataset at a known host")
    if about.elsewhere:
        yield about.elsewhere
    if not (about.hosts or about.domains or about.elsewhere):
        yield tr("the address or the page")


def _recognised(about: About) -> KnownPlatform:
    return KnownPlatform(
        title=about.title,
        support=Support.RECOGNISED,
        hosts=tuple(sorted({*about.hosts, *(place.host for place in about.places)})),
        is_anywhere=bool(about.generators),
        reason=tr("Carrel recognises its pages, but cannot query it yet."),
    )


def _limit(limit: KnownLimit) -> dict[str, Any]:
    return {
        "host": limit.host,
        "per_hour": limit.per_hour,
        "per_hour_with_token": limit.per_hour_with_token,
        "as_of": limit.as_of,
        "source": limit.source,
    }
