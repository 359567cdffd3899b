# SPDX-License-Identifier: AGPL-3.0-or-later
"""`carrel platforms`: what Carrel can query, what installed packages add, and what is left out."""

from collections.abc import Iterator

import click

from carrel.cli.options import json_option
from carrel.cli.presentation import print_json
from carrel.cli.terminal import say
from carrel.engine.known_platforms import KnownPlatform, Support, known_platforms
from carrel.model.counts import counted
from carrel.translation import tr

_HOSTS_SHOWN = 6


@click.command()
@json_option
def platforms(*, as_json: bool) -> None:
    """List the data platforms that Carrel knows: hosts, evidence, limits and tokens.

    First those that can be queried, in the order in which they are tried, then those whose pages
    are only recognised. Installed packages can add platforms; one that cannot be used is listed
    with the reason.
    """
    for platform in known_platforms():
        if as_json:
            print_json(platform.to_json())
        else:
            _show(platform)


def _show(platform: KnownPlatform) -> None:
    say(_head(platform), bold=True)
    for line in _lines(platform):
        say(f"    {line}")


def _head(platform: KnownPlatform) -> str:
    name = f" ({platform.name})" if platform.name else ""
    package = tr(", added by {package}", package=platform.package) if platform.package else ""
    return f"{platform.title}{name}{package}"


def _lines(platform: KnownPlatform) -> Iterator[str]:
    if covered := "; ".join(_covered(platform)):
        yield tr("covers: {covered}", covered=covered)
    if platform.evidence:
        yield tr("evidence: {evidence}", evidence="; ".join(platform.evidence))
    for limit in platform.limits:
        yield tr(
            "limit: {count} requests an hour to {host}{more} ({source}, {as_of})",
            count=f"{limit.per_hour:,}",
            host=limit.host,
            more=_with_token(limit.per_hour_with_token),
            source=limit.source,
            as_of=limit.as_of,
        )
    if platform.token_hosts:
        yield tr(
            "token: {hosts} ({kind})",
            hosts=", ".join(platform.token_hosts),
            kind=platform.token_kind,
        )
    if platform.support is Support.LEFT_OUT:
        yield tr("not used: {reason}", reason=platform.reason)
    elif platform.reason:
        yield platform.reason


def _with_token(count: int | None) -> str:
    return tr(", {count} with a token", count=f"{count:,}") if count else ""


def _covered(platform: KnownPlatform) -> Iterator[str]:
    if platform.hosts:
        more = len(platform.hosts) - _HOSTS_SHOWN
        names = ", ".join(platform.hosts[:_HOSTS_SHOWN])
        rest = tr(" and {hosts}", hosts=counted(more, "more host")) if more > 0 else ""
        yield f"{names}{rest}"
    for domain in platform.domains:
        yield tr("any host under {domain}", domain=domain)
    if platform.is_anywhere:
        yield tr("any other host") if platform.hosts or platform.domains else tr("any host")
