# SPDX-License-Identifier: AGPL-3.0-or-later
"""Who was at the other end of a connection: what cannot be found out afterwards."""

import ssl
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True, slots=True)
class Server:
    """A server as its connection showed it.

    `ip` is "" where a proxy stands between. `tls` and `cipher` are "" without TLS, else as in
    "tls/1.3" and "TLS_AES_256_GCM_SHA384"; `certificates` are those that the server sent, in DER,
    its own first.
    """

    ip: str = ""
    tls: str = ""
    cipher: str = ""
    certificates: tuple[bytes, ...] = field(default=(), repr=False)

    @classmethod
    def of(cls, ip: str, tls: Any) -> "Server":
        """Return the server at an address, by its socket's TLS, None for none."""
        if tls is None:
            return cls(ip)
        version = (tls.version() or "").replace("TLSv", "tls/").lower()
        cipher = tls.cipher()
        return cls(ip, version, cipher[0] if cipher else "", _certificates(tls))

    @property
    def warc_fields(self) -> list[tuple[str, str]]:
        """The fields of a record that say so (WARC 1.1, 5.9; WARC-Protocol and WARC-Cipher-Suite
        are extensions of the IIPC's warc-specifications)."""
        fields = (
            ("WARC-IP-Address", self.ip),
            ("WARC-Protocol", self.tls),
            ("WARC-Cipher-Suite", self.cipher),
        )
        return [(name, value) for name, value in fields if value]

    @property
    def pem(self) -> bytes:
        """The certificates as `openssl x509` reads them (RFC 7468, 5); b"" for none."""
        return "".join(map(ssl.DER_cert_to_PEM_cert, self.certificates)).encode("ascii")


def _certificates(tls: Any) -> tuple[bytes, ...]:
    """Return what the server sent, in DER; before Python 3.13 by another name, and wrapped."""
    chain = getattr(tls, "get_unverified_chain", None)
    chain = chain or getattr(getattr(tls, "_sslobj", None), "get_unverified_chain", None)
    sent = chain() or () if chain else ()
    if sent:
        return tuple(_der(one) for one in sent)
    own = tls.getpeercert(binary_form=True)
    return (own,) if own else ()


def _der(certificate: Any) -> bytes:
    if isinstance(certificate, bytes):
        return certificate
    return ssl.PEM_cert_to_DER_cert(certificate.public_bytes())
