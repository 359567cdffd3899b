# SPDX-License-Identifier: AGPL-3.0-or-later
"""A signature and a time stamp over one file, under the names that bag-nabit gives them:

    manifest-sha256.txt.p7s           the signature (CMS, PEM)
    manifest-sha256.txt.p7s.crt       the signer's certificates (PEM), its own first
    manifest-sha256.txt.p7s.tsr       the time stamp over the signature (RFC 3161, DER)
    manifest-sha256.txt.p7s.tsr.crt   the authority's certificates (PEM)

Without a signature the time stamp is of the file itself: manifest-sha256.txt.tsr.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import datetime

from carrel.exports.evidence.cms import signature_over
from carrel.exports.evidence.keys import Signer, pem_of
from carrel.exports.evidence.timestamps import Authority

FOLDER = "signatures"
"""Where they are in an export. A bag's tag manifests do not list them (RFC 8493, 2.2.4)."""
SIGNATURE, TIMESTAMP, CERTIFICATES = ".p7s", ".tsr", ".crt"


@dataclass(frozen=True, slots=True)
class Attesting:
    """Attests files: by whom, and when by whose clock."""

    signer: Signer | None
    authority: Authority | None
    now: Callable[[], datetime]

    def __bool__(self) -> bool:
        return bool(self.signer or self.authority)

    def names(self, name: str) -> Iterator[str]:
        """Yield the names of what `over` yields for a file of this name."""
        for suffix, is_there in ((SIGNATURE, self.signer), (TIMESTAMP, self.authority)):
            if is_there:
                name += suffix
                yield name
                yield name + CERTIFICATES

    def over(self, name: str, content: bytes) -> Iterator[tuple[str, bytes]]:
        """Yield name and content of what attests a file. Raises UsageError."""
        if self.signer is not None:
            name, content = name + SIGNATURE, signature_over(content, self.signer, self.now())
            yield name, content
            yield name + CERTIFICATES, pem_of(self.signer.certificates)
        if self.authority is not None:
            stamp, certificates = self.authority.stamp(content)
            yield name + TIMESTAMP, stamp
            yield name + TIMESTAMP + CERTIFICATES, pem_of(certificates)
