# SPDX-License-Identifier: AGPL-3.0-or-later
"""Signatures of a WACZ (WACZ Signing and Verification 0.1.0): by a key, or by a domain's server.

https://specs.webrecorder.net/wacz-auth/0.1.0/ – one by a key proves that nothing was changed since,
and who has the key; one by a domain also who runs the domain, and when.
"""

import base64
import hashlib
import json
from collections.abc import Callable, Mapping
from typing import Any

import httpx

from carrel import __version__
from carrel.capture.proxies import Proxies
from carrel.credentials import Credentials
from carrel.errors import NoKeyring, UsageError
from carrel.translation import tr

Sign = Callable[[str, str], Mapping[str, str]]
"""Gives the signed data for the digest of a description and its date, both as they stand there."""

_SOFTWARE, _VERSION = f"Carrel {__version__}", "0.1.0"
_HALF_BYTES = 48  # of a number of P-384
_PATIENCE_S = 60.0
_MOST_BYTES = 1024 * 1024
_OF_DOMAIN = ("domain", "domainCert", "signature", "timeSignature", "timestampCert")
_MAY_HAVE = (*_OF_DOMAIN, "hash", "created", "software", "version", "crossSignedCert")


class Key:
    """A key of the curve P-384. `fingerprint` is the SHA-256 of its public half (SPKI, DER)."""

    def __init__(self, secret: str) -> None:
        """Take what `made` returned. Raises UsageError."""
        serialization, ec = _library()
        try:
            key = serialization.load_der_private_key(base64.b64decode(secret), None)
        except ValueError as error:
            words = tr("The signing key in the keyring is damaged; remove the entry “signing-key”.")
            raise UsageError(words) from error
        if not isinstance(key, ec.EllipticCurvePrivateKey) or key.curve.name != "secp384r1":
            raise UsageError(tr("The signing key in the keyring is of another kind than P-384."))
        self._key = key
        self._public: bytes = key.public_key().public_bytes(
            serialization.Encoding.DER, serialization.PublicFormat.SubjectPublicKeyInfo
        )

    @property
    def fingerprint(self) -> str:
        return hashlib.sha256(self._public).hexdigest()

    def sign(self, digest: str, created: str) -> Mapping[str, str]:
        """Return the signed data: the same each time, where OpenSSL is of version 3.2 or later."""
        return {
            "hash": digest,
            "created": created,
            "software": _SOFTWARE,
            "version": _VERSION,
            "signature": base64.b64encode(self._signature(digest.encode())).decode(),
            "publicKey": base64.b64encode(self._public).decode(),
        }

    def _signature(self, text: bytes) -> bytes:
        """Return r and s one behind the other, as browsers verify it."""
        from cryptography.exceptions import UnsupportedAlgorithm
        from cryptography.hazmat.primitives.asymmetric import ec, utils
        from cryptography.hazmat.primitives.hashes import SHA256

        try:
            way = ec.ECDSA(SHA256(), deterministic_signing=True)  # RFC 6979
        except UnsupportedAlgorithm:
            way = ec.ECDSA(SHA256())
        numbers = utils.decode_dss_signature(self._key.sign(text, way))
        return b"".join(each.to_bytes(_HALF_BYTES, "big") for each in numbers)


def made() -> str:
    """Return a new key, as a text in one line. Raises UsageError."""
    serialization, ec = _library()
    secret: bytes = ec.generate_private_key(ec.SECP384R1()).private_bytes(
        serialization.Encoding.DER,
        serialization.PrivateFormat.PKCS8,
        serialization.NoEncryption(),
    )
    return base64.b64encode(secret).decode()


def own_key(credentials: Credentials) -> tuple[Key, bool]:
    """Return the key in the keyring, made if there is none, and whether it is kept there: where
    there is no keyring it is made for now alone. Raises UsageError."""
    try:
        return Key(credentials.signing_key(made)), True
    except NoKeyring:
        return Key(made()), False


def by_server(url: str, credentials: Credentials) -> Sign:
    """Return what has a server sign, as authsign does. Raises UsageError where it does not."""

    def sign(digest: str, created: str) -> Mapping[str, str]:
        try:
            said = _asked(url, {"hash": digest, "created": created}, credentials)
        except (httpx.HTTPError, httpx.InvalidURL, ValueError, RecursionError) as error:
            raise UsageError(
                tr("{url} did not sign: {reason}", url=url, reason=str(error)[:300])
            ) from error
        return _checked(url, said, digest, created)

    return sign


def _asked(url: str, body: Mapping[str, str], credentials: Credentials) -> Any:
    headers = credentials.headers_for(url)
    proxy = Proxies.of_environment().leading_to(url)
    with (
        httpx.Client(proxy=proxy, trust_env=False, timeout=_PATIENCE_S) as client,
        client.stream("POST", url, json=body, headers=dict(headers)) as answer,
    ):
        if not answer.is_success:
            raise ValueError(f"{answer.status_code} {answer.reason_phrase}")
        content = b""
        for piece in answer.iter_bytes():
            content += piece
            if len(content) > _MOST_BYTES:
                raise ValueError(tr("its answer is too large"))
    return json.loads(content)


def _checked(url: str, said: Any, digest: str, created: str) -> Mapping[str, str]:
    """Return what a server said. Raises UsageError for what is no signature of this."""
    is_text = isinstance(said, dict) and all(isinstance(it, str) for it in said.values())
    if not is_text or not {*_OF_DOMAIN} <= {*said} <= {*_MAY_HAVE}:
        raise UsageError(tr("{url} gave no signature of a domain.", url=url))
    if (said.get("hash"), said.get("created")) != (digest, created):
        raise UsageError(tr("{url} signed something else than it was sent.", url=url))
    return {name: str(value) for name, value in said.items()}


def _library() -> tuple[Any, Any]:
    """Return what is an extra: only who signs needs it. Raises UsageError."""
    try:
        from cryptography.hazmat.primitives import serialization
        from cryptography.hazmat.primitives.asymmetric import ec
    except ImportError as error:
        words = tr("To sign, install Carrel with “pip install carrel[signatures]”.")
        raise UsageError(words) from error
    return serialization, ec
