# SPDX-License-Identifier: AGPL-3.0-or-later
"""A signed WACZ, checked without a network (WACZ Signing and Verification 0.1.0).

The signature is over the digest of `datapackage.json`, which lists every other file.
"""

import base64
import hashlib
import json
import zipfile
from collections.abc import Callable, Iterator, Mapping
from itertools import islice
from pathlib import Path
from typing import Any

from carrel.model.evidence import (
    Attestation,
    CertificateNamed,
    EvidenceReport,
    FileFault,
    Standing,
)
from carrel.model.sizes import MEBIBYTE
from carrel.translation import tr

_LIST, _DIGEST = "datapackage.json", "datapackage-digest.json"
_MOST_BYTES = 256 * MEBIBYTE
_MOST_LISTED = 1000
_HALF_BYTES = 48  # of a number of P-384


def check_wacz(path: Path, attend: Callable[[int], None]) -> EvidenceReport:
    """Return what was found of a WACZ. Raises OSError and zipfile.BadZipFile."""
    with zipfile.ZipFile(path) as package:
        try:
            digest, listed = (json.loads(_small(package, name)) for name in (_DIGEST, _LIST))
            signed = digest.get("signedData")
            resources = {str(it["path"]): str(it["hash"]) for it in listed["resources"]}
        except (KeyError, ValueError, TypeError, AttributeError, RecursionError):
            trouble = tr("It has no description that can be read.")
            return EvidenceReport(str(path), trouble=trouble)
        if not isinstance(signed, dict):
            trouble = tr("There is no signature and no time stamp.")
            return EvidenceReport(str(path), trouble=trouble)
        found = attestation_of(signed, _small(package, _LIST))
        checking = _Files(package, resources, attend)
        faults: list[FileFault] = []
        count = 0
        for fault in checking.faults():
            count += 1
            faults += islice((fault,), _MOST_LISTED - len(faults))
    return EvidenceReport(
        *(str(path), [found], [_LIST], checking.files, checking.size, faults, count)
    )


def _small(package: zipfile.ZipFile, name: str) -> bytes:
    with package.open(name) as file:
        return file.read(_MOST_BYTES)


def attestation_of(signed: Mapping[str, Any], listed: bytes) -> Attestation:
    """Return how a signature stands: one by a domain's server is not checked here but for what it
    is over."""
    moment = str(signed.get("created", ""))
    about = ("signature", _DIGEST, _LIST)
    if signed.get("hash") != f"sha256:{hashlib.sha256(listed).hexdigest()}":
        words = tr("it is of other content: what was signed was changed since")
        return Attestation(*about, Standing.INVALID, words)
    if domain := signed.get("domain"):
        words = tr(
            "the signature in the name of {domain} was not checked; ReplayWeb.page does",
            domain=str(domain)[:200],
        )
        return Attestation(*about, Standing.UNTRUSTED, words, moment=moment)
    try:
        key = base64.b64decode(str(signed["publicKey"]), validate=True)
        _verify(key, str(signed["hash"]).encode(), base64.b64decode(str(signed["signature"])))
    except (KeyError, ValueError):
        words = tr("it was not made by the key that it names")
        return Attestation(*about, Standing.INVALID, words)
    named = CertificateNamed("", "", "", "", "", hashlib.sha256(key).hexdigest())
    words = tr("only its key is known: compare its SHA-256")
    return Attestation(*about, Standing.UNTRUSTED, words, named, moment=moment)


def _verify(key: bytes, text: bytes, signature: bytes) -> None:
    """Raise ValueError for a signature by another key."""
    from cryptography.exceptions import InvalidSignature, UnsupportedAlgorithm
    from cryptography.hazmat.primitives.asymmetric import ec, utils
    from cryptography.hazmat.primitives.hashes import SHA256
    from cryptography.hazmat.primitives.serialization import load_der_public_key

    try:
        public = load_der_public_key(key)
        if not isinstance(public, ec.EllipticCurvePublicKey) or len(signature) != 2 * _HALF_BYTES:
            raise ValueError("another kind of key, or of signature")
        halves = signature[:_HALF_BYTES], signature[_HALF_BYTES:]
        numbers = [int.from_bytes(half, "big") for half in halves]
        encoded = utils.encode_dss_signature(*numbers)
        public.verify(encoded, text, ec.ECDSA(SHA256()))
    except (InvalidSignature, UnsupportedAlgorithm) as error:
        raise ValueError("not by this key") from error


class _Files:
    """Reads every file of a WACZ, and compares it with the list."""

    def __init__(
        self, package: zipfile.ZipFile, resources: Mapping[str, str], attend: Callable[[int], None]
    ) -> None:
        self._package, self._resources, self._attend = package, resources, attend
        self.files = self.size = 0

    def faults(self) -> Iterator[FileFault]:
        names = {name for name in self._package.namelist() if not name.endswith("/")}
        for name, digest in self._resources.items():
            if name not in names:
                yield FileFault(name, "missing", tr("It is listed, but not there."))
                continue
            found = self._digest(name)
            if f"sha256:{found}" != digest:
                words = tr(
                    "Its {algorithm} is {found}, not {digest}.",
                    algorithm="sha256",
                    found=found or tr("not to be had, as it is damaged"),
                    digest=digest,
                )
                yield FileFault(name, "changed", words)
        for name in sorted(names - {*self._resources, _LIST, _DIGEST}):
            yield FileFault(name, "unlisted", tr("It is in no list that is attested."))

    def _digest(self, name: str) -> str:
        """Return the SHA-256 of a file, "" of one whose entry in the zip is damaged."""
        digest = hashlib.sha256()
        try:
            with self._package.open(name) as file:
                while block := file.read(MEBIBYTE):
                    self._attend(len(block))
                    self.size += len(block)
                    digest.update(block)
        except (zipfile.BadZipFile, NotImplementedError, EOFError):
            return ""
        self.files += 1
        return digest.hexdigest()
