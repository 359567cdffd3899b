# SPDX-License-Identifier: AGPL-3.0-or-later
"""What was attested, checked without a network: signatures, time stamps, and the files below them.

A signature is over a manifest; a bag's is over the list of its tag files, in which the manifest of
the dataset's files stands. So what is checked is each list by the one above it, then the files.
"""

import hashlib
import re
import tarfile
import zipfile
from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, datetime
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

from carrel.exports.evidence import cms, timestamps
from carrel.exports.evidence.attesting import CERTIFICATES, FOLDER, SIGNATURE, TIMESTAMP
from carrel.exports.evidence.places import Place, place_at
from carrel.exports.evidence.trust import NotTrusted, named, root_of
from carrel.exports.evidence.wacz import check_wacz
from carrel.model.evidence import Attestation, EvidenceReport, FileFault, Standing
from carrel.model.iso_time import iso_time
from carrel.model.sizes import MEBIBYTE
from carrel.translation import tr

if TYPE_CHECKING:
    from cryptography.x509 import Certificate

Attend = Callable[[int], None]
_MOST_LISTED = 1000
_MANIFEST = re.compile(r"(?:tag)?manifest-(md5|sha1|sha256|sha512)\.txt")
_LINE = re.compile(rb"([0-9A-Fa-f]+)[ \t]+\*?(.+)")
_SIGNATURE, _TIMESTAMP = "signature", "time stamp"


def check_evidence(
    path: Path, roots: "Sequence[Certificate]", attend: Attend = lambda count: None
) -> EvidenceReport:
    """Return what was found of an export, or of a document, and of what attests it.

    `roots` are the certificates that are trusted; `attend` is told of the bytes that were read.
    """
    try:
        if path.suffix == ".wacz" and path.is_file():
            return check_wacz(path, attend)
        with place_at(path) as place:
            return _Check(place, roots, attend).report(str(path))
    except (OSError, tarfile.TarError, zipfile.BadZipFile) as error:
        reason = getattr(error, "strerror", None) or error
        trouble = tr("It cannot be read: {reason}.", reason=reason)
        return EvidenceReport(str(path), trouble=trouble)


class _Check:
    def __init__(self, place: Place, roots: "Sequence[Certificate]", attend: Attend) -> None:
        self._place, self._roots, self._attend = place, roots, attend
        self._files = self._size = 0
        self._listed: set[str] = set()

    def report(self, path: str) -> EvidenceReport:
        attestations: list[Attestation] = []
        attested: list[str] = []
        for prefix, name in self._place.attestations:
            if found := list(self._attestations_of(prefix, name)):
                attestations += found
                attested.append(name)
        if not attestations:
            trouble = tr("There is no signature and no time stamp.")
            return EvidenceReport(path, trouble=trouble)
        manifests = self._manifests_below(attested)
        faults: list[FileFault] = []
        names: set[str] = set()  # a file may be in several lists
        for fault in self._faults(manifests):
            names.add(fault.file)
            faults += islice((fault,), _MOST_LISTED - len(faults))
        lists, count = manifests or attested, len(names)
        return EvidenceReport(path, attestations, lists, self._files, self._size, faults, count)

    def _attestations_of(self, prefix: str, name: str) -> Iterator[Attestation]:
        """Yield each signature and time stamp over a file, those over signatures included.

        A time stamp is the moment by which the signature below it was there: the certificate need
        not be valid any longer.
        """
        content = self._read(name)
        signed = prefix + SIGNATURE
        if signed in self._place.names:
            signature = self._read(signed)
            stamps = list(self._stamps(signed, signature))
            moments = [it.moment for it in stamps if it.standing is not Standing.INVALID]
            at = datetime.fromisoformat(min(moments)) if moments else datetime.now(UTC)
            yield self._signature(signed, name, signature, content, at)
            yield from stamps
        yield from self._stamps(prefix, content, name)

    def _stamps(self, prefix: str, content: bytes, of: str = "") -> Iterator[Attestation]:
        if (file := prefix + TIMESTAMP) in self._place.names:
            yield self._timestamp(file, of or prefix, self._read(file), content)

    def _signature(
        self, file: str, of: str, data: bytes, content: bytes, at: datetime
    ) -> Attestation:
        try:
            found = cms.checked_signature(data, content)
        except cms.InvalidSignature as error:
            return Attestation(_SIGNATURE, file, of, Standing.INVALID, str(error))
        moment = iso_time(found.moment) if found.moment else ""
        signer = named(found.certificate)
        try:
            root = root_of(found.certificate, found.others, self._roots, at)
        except NotTrusted as error:
            standing = Standing.INVALID if self._roots else Standing.UNTRUSTED
            return Attestation(_SIGNATURE, file, of, standing, str(error), signer, moment=moment)
        subject = root.subject.rfc4514_string()
        return Attestation(_SIGNATURE, file, of, Standing.VALID, "", signer, subject, moment)

    def _timestamp(self, file: str, of: str, data: bytes, content: bytes) -> Attestation:
        try:
            found = timestamps.checked_timestamp(data, content)
        except timestamps.InvalidTimestamp as error:
            return Attestation(_TIMESTAMP, file, of, Standing.INVALID, str(error))
        moment, authority = iso_time(found.moment), named(found.certificate)
        others = [*found.others, *self._beside(file)]
        try:
            root = root_of(found.certificate, others, self._roots, found.moment)
        except NotTrusted as error:
            standing = Standing.INVALID if self._roots else Standing.UNTRUSTED
            return Attestation(_TIMESTAMP, file, of, standing, str(error), authority, moment=moment)
        subject = root.subject.rfc4514_string()
        return Attestation(_TIMESTAMP, file, of, Standing.VALID, "", authority, subject, moment)

    def _beside(self, file: str) -> "Sequence[Certificate]":
        """Return the certificates that lie beside a time stamp: a way to a root, never one."""
        from cryptography.x509 import load_pem_x509_certificates

        try:
            return load_pem_x509_certificates(self._read(file + CERTIFICATES))
        except (OSError, KeyError, ValueError):
            return ()

    def _manifests_below(self, attested: Sequence[str]) -> list[str]:
        """Return the lists that are attested, then those that stand in them."""
        manifests = [name for name in attested if _MANIFEST.fullmatch(name)]
        for name in list(manifests):
            for _, listed in self._lines(name):
                if _MANIFEST.fullmatch(listed) and listed not in manifests:
                    manifests.append(listed)
        return manifests

    def _faults(self, manifests: Sequence[str]) -> Iterator[FileFault]:
        for manifest in manifests:
            match = _MANIFEST.fullmatch(manifest)
            algorithm = match[1] if match else ""
            for digest, name in self._lines(manifest):
                self._listed.add(name)
                yield from self._fault(algorithm, digest, name)
        yield from self._unlisted(manifests)

    def _fault(self, algorithm: str, digest: str, name: str) -> Iterator[FileFault]:
        if not digest:
            yield FileFault(name, "unreadable", tr("This line of the list cannot be read."))
            return
        try:
            found = self._digest(name, algorithm)
        except (FileNotFoundError, KeyError):
            yield FileFault(name, "missing", tr("It is listed, but not there."))
        except OSError as error:
            reason = error.strerror or error
            message = tr("It cannot be read: {reason}.", reason=reason)
            yield FileFault(name, "unreadable", message)
        else:
            if found != digest.lower():
                words = tr(
                    "Its {algorithm} is {found}, not {digest}.",
                    algorithm=algorithm,
                    found=found,
                    digest=digest,
                )
                yield FileFault(name, "changed", words)

    def _unlisted(self, manifests: Sequence[str]) -> Iterator[FileFault]:
        """Yield the files that no list has, and that would pass for attested ones."""
        if not manifests:
            return
        for name in sorted(self._place.names):
            is_beside = name in manifests or name.startswith((f"{FOLDER}/", "tagmanifest-"))
            if name not in self._listed and not is_beside:
                yield FileFault(name, "unlisted", tr("It is in no list that is attested."))

    def _lines(self, manifest: str) -> Iterator[tuple[str, str]]:
        """Yield digest and name of each line; no digest for a line that is none."""
        for line in self._read(manifest).splitlines() if manifest in self._place.names else ():
            match = _LINE.fullmatch(line)
            if match:
                yield match[1].decode(), match[2].decode("utf-8", "replace")
            elif line.strip():
                yield "", line.decode("utf-8", "replace")[:200]

    def _digest(self, name: str, algorithm: str) -> str:
        digest = hashlib.new(algorithm)
        with self._place.opened(name) as file:
            while block := file.read(MEBIBYTE):
                self._attend(len(block))
                self._size += len(block)
                digest.update(block)
        self._files += 1
        return digest.hexdigest()

    def _read(self, name: str) -> bytes:
        return self._place.read(name)
