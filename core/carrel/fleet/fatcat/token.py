# SPDX-License-Identifier: AGPL-3.0-or-later
"""The token of an editor of fatcat, and whose it is.

It is a macaroon in base64: one of its caveats, in the clear, names the editor (`create_token` in
fatcat's `auth.rs`). Only with that can the editgroups of an earlier push be found again.
"""

import base64
import binascii
import re

import httpx

from carrel.credentials import Credentials
from carrel.errors import UsageError
from carrel.fleet.secrets import secret
from carrel.hosts.inside import is_loopback
from carrel.translation import tr

_NAME = "fatcat"
_EDITOR = re.compile(rb"editor_id = ([a-zA-Z2-7]{26})")


def token_for(api: str, credentials: Credentials) -> str | None:
    """Return the token for an API at this address, None if there is none.

    From the environment (CARREL_TOKEN_FATCAT), the keyring, or a file of the service manager, in
    this order. Raises UsageError for an address that no token is sent to, and SettingsError.
    """
    token = credentials.of_fatcat() or secret(_NAME)
    if token is not None and not may_be_told(api):
        raise UsageError(
            tr("The token is sent over https only: {api} would let others read it.", api=api)
        )
    return token


def editor_of(token: str) -> str:
    """Return the editor whose token it is. Raises UsageError for what is no token of fatcat."""
    try:
        found = _EDITOR.search(base64.b64decode(token + "=" * (-len(token) % 4), validate=True))
    except (binascii.Error, ValueError):
        found = None
    if found is None:
        raise UsageError(
            tr(
                "The token for fatcat is not one: it names no editor. Copy it whole from the page "
                "of your fatcat account, and store it with “carrel credentials set fatcat”."
            )
        )
    return found[1].decode("ascii").lower()


def may_be_told(api: str) -> bool:
    """Say whether an address may be sent a secret: over https, or on this machine."""
    try:
        url = httpx.URL(api)
    except httpx.InvalidURL:
        return False
    return url.scheme == "https" or (url.scheme == "http" and is_loopback(url.host))
