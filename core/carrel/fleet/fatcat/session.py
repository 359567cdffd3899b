# SPDX-License-Identifier: AGPL-3.0-or-later
"""A push as the command line asks for it: with a client, a token, and an address."""

from collections.abc import Iterator
from contextlib import contextmanager

import httpx

from carrel.capture.client import Client
from carrel.capture.throttle import Throttle
from carrel.credentials import Credentials
from carrel.errors import ApiStop, IngestStop, NotReachable, UsageError
from carrel.fleet.fatcat.api import Fatcat
from carrel.fleet.fatcat.push import Push, PushOptions
from carrel.fleet.fatcat.token import editor_of, token_for
from carrel.hosts.remembered import remembered
from carrel.hosts.retry import RetryPolicy
from carrel.settings import Network
from carrel.translation import tr

PUBLIC = "https://api.fatcat.wiki/v0"
_VERSION = "/v0"


@contextmanager
def push_to(api: str, network: Network, options: PushOptions) -> Iterator[Push]:
    """Give a push that may begin: the address answers, and the token may do what is to be done.

    Raises UsageError, SettingsError, and NotReachable for a server that does not answer.
    """
    base = _address(api)
    credentials = Credentials()
    token = token_for(base, credentials)
    if token is None and not options.is_dry_run:
        words = tr(
            "A push needs the token of your fatcat account. Copy it from your account's page, and "
            "store it with “carrel credentials set fatcat”, or set CARREL_TOKEN_FATCAT."
        )
        raise UsageError(" ".join(filter(None, (words, credentials.unusable()))))
    patience = RetryPolicy(tries=network.attempts, longest_pause_s=network.longest_pause_s)
    editor_id = editor_of(token) if token else ""
    with Client(network, throttle=Throttle(network, open_store=remembered)) as client:
        push = Push(Fatcat(client, base, token, patience), editor_id, options)
        try:
            push.begin()
        except IngestStop as stop:
            code = stop.http_status if isinstance(stop, ApiStop) else None
            if code is not None and code < 500:
                raise UsageError(str(stop)) from stop
            raise NotReachable(str(stop)) from stop
        yield push


def _address(api: str) -> str:
    """Return the address of an API, with its version if none is given. Raises UsageError."""
    try:
        url = httpx.URL(api)
    except httpx.InvalidURL:
        url = httpx.URL()
    if url.scheme not in ("http", "https") or not url.host or url.userinfo or url.query:
        raise UsageError(
            tr("--api is an address such as {example}, not “{api}”.", example=PUBLIC, api=api)
        )
    path = url.path.rstrip("/")
    return f"{str(url.copy_with(path='/')).rstrip('/')}{path or _VERSION}"
