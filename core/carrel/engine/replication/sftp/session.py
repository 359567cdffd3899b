# SPDX-License-Identifier: AGPL-3.0-or-later
"""A session of SFTP: reached, known, opened with the person's keys; and what it raises, by name."""

import logging
import socket
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path

import paramiko
from paramiko.ssh_exception import (
    AuthenticationException,
    BadHostKeyException,
    ConfigParseError,
    NoValidConnectionsError,
    PasswordRequiredException,
    SSHException,
)

from carrel.credentials import Credentials, Password
from carrel.engine.replication.sftp.host_keys import Unknown, changed, load_known
from carrel.engine.replication.sftp.operations import Files
from carrel.errors import ArchiveError
from carrel.model.store_address import SSH_PORT, SftpAddress
from carrel.translation import tr

# Whatever goes wrong there is raised, and said once.
logging.getLogger("paramiko").setLevel(logging.CRITICAL)

_CONNECT_S, _SILENCE_S, _ALIVE_S = 20.0, 60.0, 15
# One pass for cipher and digest, by the processor itself; the library has them last.
_FIRST = ("aes128-gcm@openssh.com", "aes256-gcm@openssh.com")
_CONFIG = "~/.ssh/config"


class Session:
    """A connection to a server. `files` is what the library offers of SFTP.

    Raises ArchiveError where the server is not known or does not let one in, ConnectionError and
    TimeoutError where it cannot be reached.
    """

    def __init__(self, address: SftpAddress, credentials: Credentials) -> None:
        self._client = paramiko.SSHClient()
        load_known(self._client)
        self._client.set_missing_host_key_policy(Unknown(address))
        try:
            with named_errors():
                self._connect(address, credentials.of_server(address.name))
                self.files = _files(self._client)
        except BaseException:
            self.close()
            raise

    def close(self) -> None:
        with suppress(OSError, EOFError, SSHException):
            self._client.close()

    @property
    def is_alive(self) -> bool:
        """Whether the connection stands, as far as is known."""
        transport = self._client.get_transport()
        return transport is not None and transport.is_active()

    def _connect(self, address: SftpAddress, secret: Password) -> None:
        server = configured(address)
        try:
            self._client.connect(
                server.host,
                server.port,
                server.user or None,
                secret.password or None,
                key_filename=server.keys,  # type: ignore[arg-type]  # a list will do, says the manual
                passphrase=secret.passphrase or None,
                timeout=_CONNECT_S,
                banner_timeout=_CONNECT_S,
                auth_timeout=_SILENCE_S,
                channel_timeout=_SILENCE_S,
                transport_factory=_transport,  # type: ignore[arg-type]  # of more than we name
            )
        except BadHostKeyException as error:
            raise changed(address, error.key) from error
        except PasswordRequiredException as error:
            raise _refused(address, tr("your private key has a passphrase")) from error
        except AuthenticationException as error:
            raise _refused(address, tr("it accepted no key and no password")) from error
        except SSHException as error:
            if "No authentication methods" in str(error):
                raise _refused(address, tr("there is no key and no password")) from error
            raise
        if transport := self._client.get_transport():
            transport.set_keepalive(_ALIVE_S)


@dataclass(frozen=True, slots=True)
class Server:
    """Where an address leads by the person's ~/.ssh/config, and the keys that are named there."""

    host: str
    port: int
    user: str
    keys: list[str] = field(default_factory=list)


def configured(address: SftpAddress) -> Server:
    """Return the server of an address; what the address says comes first. Raises ArchiveError."""
    path = Path(_CONFIG).expanduser()
    try:
        said = paramiko.SSHConfig.from_path(str(path)).lookup(address.host)
    except FileNotFoundError:
        return Server(address.host, address.port, address.user)
    except (ConfigParseError, OSError, ValueError) as error:
        words = tr("{path} cannot be read: {reason}.", path=path, reason=error)
        raise ArchiveError(words) from error
    port = address.port
    if port == SSH_PORT and str(said.get("port", "")).isdecimal():
        port = int(said["port"])
    named = [Path(each).expanduser() for each in said.get("identityfile", [])]
    keys = [str(each) for each in named if each.is_file()]
    user = address.user or said.get("user", "")
    return Server(said.get("hostname", address.host), port, user, keys)


@contextmanager
def connected(address: SftpAddress) -> Iterator[tuple[paramiko.Transport, str, int]]:
    """Give a connection to a server to which nothing has been sent, with its host and port."""
    server = configured(address)
    with socket.create_connection((server.host, server.port), _CONNECT_S) as opened:
        transport = _transport(opened)
        try:
            transport.start_client(timeout=_CONNECT_S)
            yield transport, server.host, server.port
        finally:
            transport.close()


@contextmanager
def named_errors() -> Iterator[None]:
    """Raise OSError for what a server or the library does not do: ConnectionError where the
    connection broke, so that it may help to try again."""
    try:
        yield
    except NoValidConnectionsError as error:
        reason = "; ".join({str(each) for each in error.errors.values()})
        raise ConnectionRefusedError(111, reason) from error
    except (SSHException, EOFError) as error:
        raise ConnectionResetError(104, str(error) or tr("the connection broke")) from error
    except UnicodeDecodeError as error:
        raise OSError(84, tr("it has a name that is not valid text")) from error
    except paramiko.SFTPError as error:
        raise OSError(5, str(error)) from error


def _files(client: paramiko.SSHClient) -> Files:
    transport = client.get_transport()
    files = Files.from_transport(transport) if transport else None
    channel = files.get_channel() if files else None
    if files is None or channel is None:
        raise SSHException(tr("the server opened no session of SFTP"))
    channel.settimeout(_SILENCE_S)
    return files


def _transport(opened: socket.socket, **options: object) -> paramiko.Transport:
    transport = paramiko.Transport(opened, **options)  # type: ignore[arg-type]  # of the library
    known = transport.get_security_options()
    known.ciphers = (*_FIRST, *(each for each in known.ciphers if each not in _FIRST))
    return transport


def _refused(address: SftpAddress, why: str) -> ArchiveError:
    return ArchiveError(
        tr(
            "The server {host} does not let you in: {why}. Load your key into the agent "
            "(“ssh-add”), or store its passphrase, or your password, with “carrel credentials set "
            "{name}”.",
            host=address.host,
            why=why,
            name=address.name,
        )
    )
