# SPDX-License-Identifier: AGPL-3.0-or-later
"""A person's keys, in the keyring of the operating system; Carrel writes them nowhere else.

Each is stored under the name of what it opens: `archive.org` (an access key and a secret), the
host of a platform (a token), `fatcat` (a token of its catalogue), or the store of a second copy:
`s3://BUCKET` (keys) or `sftp://HOST` (a password). A keyring cannot be asked what it holds, so one
more entry lists the names. Where there is no keyring, secrets can come from the environment: those
for archive.org by the variables that the `internetarchive` library reads too, others by one that
names its host.
"""

import base64
import ipaddress
import json
import logging
import os
import re
import sys
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from time import monotonic
from typing import Any

from carrel.errors import NoKeyring, UsageError
from carrel.model.store_address import S3, SFTP, store_name
from carrel.translation import tr

log = logging.getLogger(__name__)

ARCHIVEORG = "archive.org"
FATCAT = "fatcat"
"""The catalogue, wherever its interface is: what is stored for it goes to no host by itself."""
ACCESS_VARIABLE, SECRET_VARIABLE = "IA_ACCESS_KEY_ID", "IA_SECRET_ACCESS_KEY"
VARIABLE_OF_HOST = "CARREL_TOKEN_"
PASSWORD_OF_HOST, PASSPHRASE_OF_HOST = "CARREL_PASSWORD_", "CARREL_PASSPHRASE_"

_SERVICE = "carrel"
_APPLES = "keyring.backends.macOS.api"
_OVER_DBUS, _SESSION_BUS = "secretstorage", "DBUS_SESSION_BUS_ADDRESS"
# No host is called so: they have no dot.
_LIST = "names"
_SIGNING = "signing-key"
_SIGNING_CERTIFICATE, _SIGNING_PASSPHRASE = "signing-certificate", "signing-passphrase"
# A keyring may ask another process, or a person: not for each file of a dataset.
_FRESH_S = 10.0
_NAME = re.compile(r"(?:[a-z0-9-]+(?:\.[a-z0-9-]+)+|localhost|\[[0-9a-f:.]+\])(?::[0-9]{1,5})?")
# What the Domain Name System can have: no label begins or ends with "-".
_PLAIN_HOST = re.compile(
    r"[a-z0-9]+(?:-+[a-z0-9]+)*(?:\.[a-z0-9]+(?:-+[a-z0-9]+)*)*(?::[0-9]{1,5})?"
)
# Nothing but plain addresses: what parsers could read differently never gets a token.
_ADDRESS = re.compile(r"(https?)://([a-z0-9.-]+|\[[0-9a-f:.]+\])(:[0-9]{1,5})?(?:[/?#].*)?", re.I)
_DEFAULT_PORTS = {"https": ":443", "http": ":80"}
_SECRET = re.compile(r"[\x21-\x7e]{1,4096}")


@dataclass(frozen=True, slots=True, repr=False)
class Keys:
    """The pair of keys that archive.org gives (for uploads and Save Page Now), or a bucket's."""

    access: str
    secret: str

    def __repr__(self) -> str:
        return "Keys(…)"

    def left_out_of(self, text: str) -> str:
        """Return what a server said, which may repeat them, without them."""
        return text.replace(self.secret, "…").replace(self.access, "…")


class TokenKind(StrEnum):
    """The header in which a platform wants its token.

    A token of the kind `basic` is a name and a key, as in "ada:0123abcd".
    """

    BEARER = "bearer"
    BASIC = "basic"
    CKAN = "ckan"
    DATAVERSE = "dataverse"
    FIGSHARE = "figshare"

    def header(self, token: str) -> Mapping[str, str]:
        """Return the header with a token in it (RFC 6750, 2.1; RFC 7617, 2; CKAN API guide,
        "Authentication and API tokens"; Dataverse API guide, "Authentication"; figshare API,
        "Personal tokens")."""
        match self:
            case TokenKind.DATAVERSE:
                return {"X-Dataverse-key": token}
            case TokenKind.CKAN:
                return {"Authorization": token}
            case TokenKind.BASIC:
                return {"Authorization": f"Basic {base64.b64encode(token.encode()).decode()}"}
            case TokenKind.FIGSHARE:
                return {"Authorization": f"token {token}"}
            case TokenKind.BEARER:
                return {"Authorization": f"Bearer {token}"}


@dataclass(frozen=True, slots=True, repr=False)
class Token:
    """What opens a platform, and how it wants to be told."""

    value: str
    kind: TokenKind = TokenKind.BEARER

    def __repr__(self) -> str:
        return f"Token(…, {self.kind})"


@dataclass(frozen=True, slots=True, repr=False)
class Password:
    """What opens a server of SFTP: a password, or the passphrase of a private key; "" for none.

    The passphrase stays on this machine.
    """

    password: str = ""
    passphrase: str = ""

    def __repr__(self) -> str:
        return "Password(…)"


Credential = Keys | Token | Password


class Credentials:
    """What the person has stored. Threads may share it.

    `kind_of` says how a host wants the token that the environment has for it.

    Reading never fails: where there is no keyring there are no credentials, and `unusable` says
    why. Writing and listing raise NoKeyring.
    """

    def __init__(
        self,
        clock: Callable[[], float] = monotonic,
        kind_of: Callable[[str], TokenKind] = lambda host: TokenKind.BEARER,
    ) -> None:
        self._clock, self._kind_of = clock, kind_of
        self._lock = threading.RLock()
        self._known: dict[str, tuple[float, Credential | None]] = {}
        self._is_fault_told = False

    def __repr__(self) -> str:
        return "Credentials(…)"

    def archiveorg(self) -> Keys | None:
        """Return the keys for archive.org, None if none are stored.

        Those in the environment come before those in the keyring.
        """
        if is_in_environment():
            return _environment_keys()
        found = self._look_up(ARCHIVEORG, fresh_s=0)
        return found if isinstance(found, Keys) else None

    def of_fatcat(self) -> str | None:
        """Return the token for fatcat, None if none is stored.

        That in the environment (CARREL_TOKEN_FATCAT) comes before that in the keyring.
        """
        found = self._environment_token(FATCAT) or self._look_up(FATCAT, fresh_s=0)
        return found.value if isinstance(found, Token) else None

    def of_bucket(self, name: str) -> Keys | None:
        """Return the keys that are stored for "s3://BUCKET", None if none are."""
        found = self._look_up(name, fresh_s=0)
        return found if isinstance(found, Keys) else None

    def of_server(self, name: str) -> Password:
        """Return what opens "sftp://HOST"; what the environment says comes before the keyring."""
        host = name.removeprefix(SFTP)
        found = self._look_up(name, fresh_s=0)
        stored = found if isinstance(found, Password) else Password()
        return Password(
            _of_host(PASSWORD_OF_HOST, host) or stored.password,
            _of_host(PASSPHRASE_OF_HOST, host) or stored.passphrase,
        )

    def headers_for(self, url: str) -> Mapping[str, str]:
        """Return the headers that open this very address: those of its own host, else none.

        Over plain http only this machine gets any.
        """
        host = _host_with_port(url)
        if host is None or host in (ARCHIVEORG, FATCAT):
            return {}
        found = self._environment_token(host) or self._look_up(host, fresh_s=_FRESH_S)
        return found.kind.header(found.value) if isinstance(found, Token) else {}

    def signing_key(self, made: Callable[[], str]) -> str:
        """Return the key that exports are signed with, made and stored if there is none.

        Raises NoKeyring.
        """
        with self._lock:
            key = _read(_SIGNING)
            if key is None:
                key = made()
                _write(_SIGNING, key)
            return key

    def signing_certificate(self, made: Callable[[], str], fits: Callable[[str], bool]) -> str:
        """Return the certificate of that key, made and stored if there is none that fits.

        Raises NoKeyring.
        """
        with self._lock:
            found = _read(_SIGNING_CERTIFICATE)
            if found is None or not fits(found):
                found = made()
                _write(_SIGNING_CERTIFICATE, found)
            return found

    def signing_passphrase(self) -> str | None:
        """Return what opens an institution's key in a file, None if it is not stored."""
        try:
            return _read(_SIGNING_PASSPHRASE)
        except NoKeyring as error:
            self._tell_once(error)
            return None

    def unusable(self) -> str | None:
        """Return why nothing can be read, in a sentence, None if it can."""
        if is_in_environment() and _environment_keys() is None:
            return tr(
                "Set both {access_variable} and {secret_variable}, or neither.",
                access_variable=ACCESS_VARIABLE,
                secret_variable=SECRET_VARIABLE,
            )
        try:
            _read(_LIST)
        except NoKeyring as error:
            return str(error)
        return None

    def names(self) -> tuple[str, ...]:
        """Return the names under which something is stored, sorted. Raises NoKeyring."""
        listed = _parsed(_read(_LIST))
        known = listed if isinstance(listed, list) else []
        return tuple(sorted({name for name in known if isinstance(name, str)}))

    def set(self, name: str, credential: Credential) -> None:
        """Store what opens `name`: `archive.org` or `s3://BUCKET` (Keys), the host of a platform (a
        Token), or `sftp://HOST` (a Password).

        Raises UsageError for what cannot be a credential, NoKeyring when it cannot be stored.
        """
        name = host_name(name)
        _refuse_misfit(name, credential)
        with self._lock:
            _write(name, json.dumps(_fields(credential)))
            _write(_LIST, json.dumps(sorted({*self.names(), name})))
            self._known.clear()

    def remove(self, name: str) -> bool:
        """Forget what opens `name`; say whether there was anything. Raises NoKeyring."""
        name = host_name(name)
        with self._lock:
            was_there = _read(name) is not None
            if was_there:
                _delete(name)
            if name in (listed := self.names()):
                _write(_LIST, json.dumps([each for each in listed if each != name]))
            self._known.clear()
        return was_there

    def _environment_token(self, host: str) -> Token | None:
        value = os.environ.get(token_variable(host) or "", "").strip()
        if not value:
            return None
        token = Token(value, self._kind_of(host))
        try:
            _refuse_misfit(host, token)
        except UsageError as error:
            self._tell_once(error)
            return None
        return token

    def _look_up(self, name: str, fresh_s: float) -> Credential | None:
        with self._lock:
            read_at, found = self._known.get(name, (float("-inf"), None))
            if self._clock() - read_at < fresh_s:
                return found
            try:
                found = _credential(_parsed(_read(name)))
            except NoKeyring as error:
                self._tell_once(error)
                found = None
            self._known[name] = (self._clock(), found)
            return found

    def _tell_once(self, error: NoKeyring | UsageError) -> None:
        if not self._is_fault_told:
            self._is_fault_told = True
            log.info("no credentials are used: %s", error)


def host_name(text: str) -> str:
    """Return a name under which a credential can be stored, in lower case.

    Raises UsageError for anything but a host, with a port if it has one of its own, and the store
    of a copy.
    """
    name = text.strip().lower()
    if "://" in name and (store := store_name(text.strip())):
        return store
    if name != FATCAT and not _NAME.fullmatch(name):
        message = tr(
            "“{text}” is not a host: write archive.org, fatcat, a host such as zenodo.org, or the "
            "store of a second copy as sftp://HOST or s3://BUCKET.",
            text=text[:100],
        )
        raise UsageError(message)
    return name.removesuffix(":443")


def token_variable(host: str, kind: str = VARIABLE_OF_HOST) -> str | None:
    """Return the variable of the environment that has the token for a host, None if none can.

    `kind` is what the names of such variables begin with.

    "." and ":" are written "_", "-" is written "__": "data-x.example.org" →
    "CARREL_TOKEN_DATA__X_EXAMPLE_ORG". No two hosts have the same.
    """
    if not _PLAIN_HOST.fullmatch(host):
        return None
    name = host.replace("-", "__").replace(".", "_").replace(":", "_")
    return kind + name.upper()


def _of_host(kind: str, host: str) -> str:
    """Return what the environment has for a host, "" for nothing."""
    return os.environ.get(token_variable(host, kind) or "", "")


def token_variables() -> tuple[str, ...]:
    """Return the variables of the environment that have a token or password, sorted."""
    kinds = (VARIABLE_OF_HOST, PASSWORD_OF_HOST, PASSPHRASE_OF_HOST)
    return tuple(sorted(name for name in os.environ if name.startswith(kinds)))


def is_in_environment() -> bool:
    """Say whether the environment has something to say of the keys for archive.org."""
    return bool(os.environ.get(ACCESS_VARIABLE) or os.environ.get(SECRET_VARIABLE))


def _environment_keys() -> Keys | None:
    keys = Keys(os.environ.get(ACCESS_VARIABLE, ""), os.environ.get(SECRET_VARIABLE, ""))
    is_whole = _SECRET.fullmatch(keys.access) and _SECRET.fullmatch(keys.secret)
    return keys if is_whole else None


def _refuse_misfit(name: str, credential: Credential) -> None:
    """Raise UsageError for a credential of the wrong kind, or one that could not be sent."""
    wanted, words = _wanted(name)
    if not isinstance(credential, wanted):
        raise UsageError(tr("For {name} {wanted} must be given.", name=name, wanted=words))
    match credential:
        case Token(value, TokenKind.BASIC) if not re.fullmatch("[^:]+:.+", value):
            words = tr("{name} expects your user name and your key there: NAME:KEY.", name=name)
            raise UsageError(words)
        case Password(password, passphrase):
            if not (password or passphrase) or "\0" in password + passphrase:
                raise UsageError(tr("Give a password, or the passphrase of your key."))
            return
    if not all(_SECRET.fullmatch(value) for key, value in _fields(credential).items()):
        raise UsageError(
            tr(
                "The value for {name} is empty, or has spaces or characters that no key has.",
                name=name,
            )
        )


def _wanted(name: str) -> tuple[type[Credential], str]:
    """Return what is stored under a name, and how that is called."""
    if name.startswith(SFTP):
        return Password, tr("a password or passphrase")
    if name == ARCHIVEORG or name.startswith(S3):
        return Keys, tr("an access key and a secret key")
    return Token, tr("a token")


def _fields(credential: Credential) -> Mapping[str, str]:
    match credential:
        case Keys(access, secret):
            return {"access": access, "secret": secret}
        case Password(password, passphrase):
            return {"password": password, "passphrase": passphrase}
    return {"token": credential.value, "kind": credential.kind}


def _credential(fields: Any) -> Credential | None:
    """Return what `_fields` made, None for anything else."""
    match fields:
        case {"access": str(access), "secret": str(secret)}:
            return Keys(access, secret)
        case {"password": str(password), "passphrase": str(passphrase)}:
            return Password(password, passphrase)
        case {"token": str(value), "kind": str(kind)} if kind in set(TokenKind):
            return Token(value, TokenKind(kind))
    return None


def _parsed(text: str | None) -> Any:
    """Return the JSON in an entry, None for none and for what someone else put there."""
    try:
        return json.loads(text or "null")
    except (ValueError, RecursionError):
        return None


def _host_with_port(url: str) -> str | None:
    """Return the host of an address that may be told a secret, None for any other address."""
    match = _ADDRESS.fullmatch(url)
    if match is None:
        return None
    scheme, host = match[1].lower(), match[2].lower()
    if scheme == "http" and not _is_this_machine(host):
        return None
    port = match[3] or ""
    return host if port == _DEFAULT_PORTS[scheme] else host + port


@lru_cache(maxsize=64)
def _is_this_machine(host: str) -> bool:
    try:
        return ipaddress.ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return host == "localhost"


def _read(name: str) -> str | None:
    with _keyring() as keyring:
        text: str | None = keyring.get_password(_SERVICE, name)
        return text


def _write(name: str, text: str) -> None:
    with _keyring() as keyring:
        keyring.set_password(_SERVICE, name, text)
        is_kept = keyring.get_password(_SERVICE, name) == text
    if not is_kept:
        raise NoKeyring(tr("The keyring of this system does not store values."))


def _delete(name: str) -> None:
    with _keyring() as keyring:
        keyring.delete_password(_SERVICE, name)


@contextmanager
def _keyring() -> Iterator[Any]:
    """Give the library, loaded when it is needed, and turn its errors into a sentence."""
    if sys.platform != "darwin":
        # Its part for macOS has ctypes look for Apple's libraries on any system, which runs the C
        # compiler three times. It copes without; what stands as None here cannot be imported.
        sys.modules.setdefault(_APPLES, None)  # type: ignore[arg-type]  # as the manual has it
    if sys.platform == "linux" and _SESSION_BUS not in os.environ:
        # What keeps secrets for a session of a desktop: where there is none it finds that out only
        # after it has loaded a library of cryptography.
        sys.modules.setdefault(_OVER_DBUS, None)  # type: ignore[arg-type]  # as above
    import keyring
    from keyring.errors import KeyringError, KeyringLocked, NoKeyringError

    try:
        yield keyring
    except NoKeyringError as error:
        raise NoKeyring(
            tr(
                "This system has no keyring. Install and unlock one (GNOME Keyring or KWallet), or "
                "set {access_variable} and {secret_variable} for archive.org, and {token_variable} "
                "for a platform.",
                access_variable=ACCESS_VARIABLE,
                secret_variable=SECRET_VARIABLE,
                token_variable=f"{VARIABLE_OF_HOST}HOST",
            )
        ) from error
    except KeyringLocked as error:
        raise NoKeyring(
            tr("The keyring of this system is locked; unlock it and try again.")
        ) from error
    except (KeyringError, RuntimeError, ImportError, AttributeError, OSError) as error:
        what = f"{type(error).__name__}: {error}"
        raise NoKeyring(
            tr("The keyring of this system cannot be used: {what}.", what=what)
        ) from error
