# SPDX-License-Identifier: AGPL-3.0-or-later
"""A time-stamp authority on loopback, which is `openssl ts`, and keys and certificates by openssl.

Its configuration has no `certs`: with a chain OpenSSL writes a set that is not sorted, which strict
readers refuse.
"""

import http.server
import subprocess
import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from types import TracebackType

_CONFIG = """
[req]
distinguished_name = names
[names]
[root]
basicConstraints = critical, CA:true
keyUsage = critical, keyCertSign, cRLSign
subjectKeyIdentifier = hash
[stamper]
basicConstraints = critical, CA:false
keyUsage = critical, digitalSignature
extendedKeyUsage = critical, timeStamping
[signer]
basicConstraints = critical, CA:false
keyUsage = critical, digitalSignature
extendedKeyUsage = emailProtection
[authority]
serial = ./serial
crypto_device = builtin
signer_digest = sha256
default_policy = 1.2.3.4.1
digests = sha256, sha384, sha512
accuracy = secs:1
ess_cert_id_alg = sha256
"""


def openssl(*arguments: str | Path, cwd: Path | None = None) -> bytes:
    """Run openssl, which has to succeed; return what it prints."""
    ran = subprocess.run(["openssl", *map(str, arguments)], cwd=cwd, capture_output=True)
    assert ran.returncode == 0, ran.stderr.decode()
    return ran.stdout


@dataclass(frozen=True, slots=True)
class Issued:
    """A key and its certificate, each in a file (PEM)."""

    key: Path
    certificate: Path


class Institution:
    """Issues keys and certificates in a folder; `root` is its own certificate."""

    def __init__(self, folder: Path, name: str = "Harbour Institute") -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self.folder = folder
        (folder / "openssl.cnf").write_text(_CONFIG)
        self.root = folder / "root.pem"
        openssl(
            *("req", "-x509", *_curve("P-256"), "-nodes", "-keyout", "root.key"),
            *("-out", str(self.root)),
            *("-subj", f"/CN={name} Root", "-days", "3650", "-config", "openssl.cnf"),
            *("-extensions", "root"),
            cwd=folder,
        )

    def issued(
        self, name: str, *, curve: str = "", days: str = "3650", section: str = "signer"
    ) -> Issued:
        """Return a key for a name, of RSA unless it is on a curve, and its certificate."""
        key, asked = self.folder / f"{name}.key", self.folder / f"{name}.csr"
        certificate = self.folder / f"{name}.pem"
        kind: tuple[str, ...] = _curve(curve) if curve else ("-newkey", "rsa:2048")
        openssl(
            *("req", *kind, "-nodes", "-keyout", str(key), "-out", str(asked)),
            *("-subj", f"/CN={name}"),
            *("-config", "openssl.cnf"),
            cwd=self.folder,
        )
        openssl(
            *("x509", "-req", "-in", asked, "-CA", self.root, "-CAkey", "root.key"),
            *("-CAcreateserial", "-out", certificate, "-days", days),
            *("-extfile", "openssl.cnf", "-extensions", section),
            cwd=self.folder,
        )
        return Issued(key, certificate)


@dataclass
class TimeAuthority:
    """A server that stamps what it is sent; `spoiled` changes what it answers."""

    institution: Institution
    spoiled: Callable[[bytes], bytes] = lambda answer: answer
    asked: list[tuple[str, bytes, dict[str, str]]] = field(default_factory=list)

    def __enter__(self) -> "TimeAuthority":
        folder = self.institution.folder
        self._issued = self.institution.issued("Stamper", section="stamper")
        (folder / "serial").write_text("01")
        authority = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["Content-Length"]))
                headers = {name.lower(): value for name, value in self.headers.items()}
                authority.asked.append((self.path, body, headers))
                answer = authority.spoiled(authority.answer(body))
                self.send_response(200)
                self.send_header("Content-Type", "application/timestamp-reply")
                self.send_header("Content-Length", str(len(answer)))
                self.end_headers()
                self.wfile.write(answer)

            def log_message(self, *told: object) -> None:
                """Say nothing."""

        self._server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._thread = threading.Thread(target=self._server.serve_forever)
        self._thread.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        at: TracebackType | None,
    ) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._server.server_address[1]}/stamp"

    @property
    def root(self) -> Path:
        return self.institution.root

    def answer(self, query: bytes) -> bytes:
        """Return a stamp for a query, as `openssl ts` gives it."""
        folder = self.institution.folder
        (folder / "query").write_bytes(query)
        openssl(
            *("ts", "-reply", "-config", "openssl.cnf", "-section", "authority"),
            *("-queryfile", "query", "-inkey", self._issued.key),
            *("-signer", self._issued.certificate, "-out", "answer"),
            cwd=folder,
        )
        return (folder / "answer").read_bytes()


def _curve(name: str) -> tuple[str, ...]:
    return ("-newkey", "ec", "-pkeyopt", f"ec_paramgen_curve:{name}")
