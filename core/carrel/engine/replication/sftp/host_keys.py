# SPDX-License-Identifier: AGPL-3.0-or-later
"""Which servers are known: by the person's known_hosts of OpenSSH, and by what they accepted here.

No key is ever accepted by itself (RFC 4251, 4.1).
"""

import base64
import hashlib
from pathlib import Path

from paramiko import MissingHostKeyPolicy, PKey, SSHClient
from paramiko.hostkeys import InvalidHostKey

from carrel.errors import ArchiveError, UsageError
from carrel.model.store_address import SSH_PORT, SftpAddress
from carrel.settings.person import alone, own_folder
from carrel.translation import tr
from carrel.whole_file import replace_file


class Unknown(MissingHostKeyPolicy):
    """Refuses a server that is not known, and says how it is made known."""

    def __init__(self, address: SftpAddress) -> None:
        self._address = address

    def missing_host_key(self, client: SSHClient, hostname: str, key: PKey) -> None:
        name, found = self._address.name, fingerprint(key)
        raise ArchiveError(
            tr(
                "The server {host} is not known here: its host key has the fingerprint "
                "{fingerprint}. Nothing was sent. Ask whoever runs it whether that is right, then "
                "run “carrel credentials accept-host {name} {fingerprint}”.",
                host=hostname,
                fingerprint=found,
                name=name,
            )
        )


def own_hosts() -> Path:
    """Return the file of the host keys that were accepted in Carrel; it may not be there."""
    return own_folder() / "known_hosts"


def load_known(client: SSHClient) -> None:
    """Have a client know the servers that the person knows. Raises ArchiveError for a bad file."""
    for path in (Path("~/.ssh/known_hosts").expanduser(), own_hosts()):
        try:
            # Both as the system's: the library then writes to neither.
            client.load_system_host_keys(str(path))
        except FileNotFoundError:
            continue
        except (InvalidHostKey, OSError, ValueError) as error:
            words = tr("{path} cannot be read: {reason}.", path=path, reason=error)
            raise ArchiveError(words) from error


def fingerprint(key: PKey) -> str:
    """Return the fingerprint of a key in the form that ssh-keygen -l prints."""
    digest = hashlib.sha256(key.asbytes()).digest()
    return f"SHA256:{base64.b64encode(digest).decode().rstrip('=')}"


def changed(address: SftpAddress, key: PKey) -> ArchiveError:
    """Return what is raised for a server that has another key than the known one."""
    return ArchiveError(
        tr(
            "The host key of {host} has changed: it has the fingerprint {fingerprint} now, and is "
            "not the key that is known. Someone may be in between, or the server was set up "
            "anew. Nothing was sent. Ask whoever runs it. If it is right, remove the old key with "
            "“ssh-keygen -R '{name}'” (and “-f {file}”, if you accepted it in Carrel), then run "
            "“carrel credentials accept-host {store} {fingerprint}”.",
            host=address.host,
            fingerprint=fingerprint(key),
            name=known_name(address.host, address.port),
            file=own_hosts(),
            store=address.name,
        )
    )


def accept(address: SftpAddress, expected: str) -> Path:
    """Write down the host key of a server if it has this fingerprint; return the file.

    Raises UsageError for another fingerprint, and OSError.
    """
    from carrel.engine.replication.sftp.session import connected, named_errors

    with named_errors(), connected(address) as (transport, host, port):
        key = transport.get_remote_server_key()
    if fingerprint(key) != expected.strip():
        raise UsageError(
            tr(
                "The server {host} has a key with the fingerprint {found}, not {expected}. "
                "Nothing was accepted.",
                host=host,
                found=fingerprint(key),
                expected=expected.strip(),
            )
        )
    path = own_hosts()
    with alone(path):
        lines = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
        line = f"{known_name(host, port)} {key.get_name()} {key.get_base64()}"
        kept = [each for each in lines if each.split()[:2] != line.split()[:2]]
        replace_file(path, "".join(f"{each}\n" for each in [*kept, line]).encode(), is_private=True)
    return path


def known_name(host: str, port: int) -> str:
    """Return how a server is named in a file of known hosts (sshd(8))."""
    return host if port == SSH_PORT else f"[{host}]:{port}"
