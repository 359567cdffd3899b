# SPDX-License-Identifier: AGPL-3.0-or-later
"""Signatures of a WACZ (WACZ Signing and Verification 0.1.0): by a key, or by a domain's server.

https://specs.webrecorder.net/wacz-auth/0.1.0/ – one by a key proves that nothing was changed since,
and who has the key; one by a domain also who runs the domain, and when.
"""

import base64
import json
from collections.abc import Callable, Mapping
from typing import Any

import httpx

from carrel import __version__
from carrel.causes import reason_of
from carrel.credentials import Credentials
from carrel.errors import UsageError
from carrel.exports.evidence.asking import answer_of
from carrel.exports.evidence.keys import Signer, public_bytes
from carrel.translation import tr

Sign = Callable[[str, str], Mapping[str, str]]
"""Gives the signed data for the digest of a description and its date, both as they stand there."""

_SOFTWARE, _VERSION = f"Carrel {__version__}", "0.1.0"
_HALF_BYTES = 48  # of a number of P-384
_OF_DOMAIN = ("domain", "domainCert", "signature", "timeSignature", "timestampCert")
_MAY_HAVE = (*_OF_DOMAIN, "hash", "created", "software", "version", "crossSignedCert")


def by_key(signer: Signer) -> Sign:
    """Return what signs with a key, in the name of no domain. Raises UsageError for a key that
    players of WACZ do not know: they know the curve P-384 alone."""
    from cryptography.hazmat.primitives.asymmetric import ec, utils

    key = signer.key
    if not isinstance(key, ec.EllipticCurvePrivateKey) or key.curve.name != "secp384r1":
        raise UsageError(
            tr(
                "A WACZ is signed by a key of the curve P-384 only, and this one is of another "
                "kind. Use a key of that kind, or your own: --sign keyring."
            )
        )

    def sign(digest: str, created: str) -> Mapping[str, str]:
        numbers = utils.decode_dss_signature(signer.signature_of(digest.encode()))
        # r and s one behind the other, as browsers verify it.
        raw = b"".join(each.to_bytes(_HALF_BYTES, "big") for each in numbers)
        return {
            "hash": digest,
            "created": created,
            "software": _SOFTWARE,
            "version": _VERSION,
            "signature": base64.b64encode(raw).decode(),
            "publicKey": base64.b64encode(public_bytes(key.public_key())).decode(),
        }

    return sign


def by_server(url: str, credentials: Credentials) -> Sign:
    """Return what has a server sign, as authsign does. Raises UsageError where it does not."""

    def sign(digest: str, created: str) -> Mapping[str, str]:
        try:
            said = _asked(url, {"hash": digest, "created": created}, credentials)
        except (httpx.HTTPError, httpx.InvalidURL, OSError, ValueError, RecursionError) as error:
            raise UsageError(
                tr("{url} did not sign: {reason}", url=url, reason=reason_of(error))
            ) from error
        return _checked(url, said, digest, created)

    return sign


def _asked(url: str, body: Mapping[str, str], credentials: Credentials) -> Any:
    headers = {"Content-Type": "application/json"}
    return json.loads(answer_of(url, json.dumps(body).encode(), headers, credentials))


def _checked(url: str, said: Any, digest: str, created: str) -> Mapping[str, str]:
    """Return what a server said. Raises UsageError for what is no signature of this."""
    is_text = isinstance(said, dict) and all(isinstance(it, str) for it in said.values())
    if not is_text or not {*_OF_DOMAIN} <= {*said} <= {*_MAY_HAVE}:
        raise UsageError(tr("{url} gave no signature of a domain.", url=url))
    if (said.get("hash"), said.get("created")) != (digest, created):
        raise UsageError(tr("{url} signed something else than it was sent.", url=url))
    return {name: str(value) for name, value in said.items()}
