# SPDX-License-Identifier: AGPL-3.0-or-later
"""Addresses of stores that a second copy may lie in: s3://BUCKET/PREFIX, sftp://HOST/PATH."""

import re
from dataclasses import dataclass
from urllib.parse import unquote, urlsplit

S3, SFTP = "s3://", "sftp://"
SSH_PORT = 22

_BUCKET = re.compile(r"[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]", re.ASCII)
_USER = re.compile(r"[\w.+@-]{1,64}", re.ASCII)
_HOST = re.compile(r"[a-z0-9](?:[a-z0-9.-]{0,251}[a-z0-9])?|[0-9a-f:.]*:[0-9a-f:.]*", re.ASCII)


@dataclass(frozen=True, slots=True)
class BucketAddress:
    """A prefix in a bucket of an S3-compatible store, "" for all of it."""

    bucket: str
    prefix: str = ""

    @property
    def name(self) -> str:
        """What its keys are stored under."""
        return f"{S3}{self.bucket}"


@dataclass(frozen=True, slots=True)
class SftpAddress:
    """A folder on a server of SFTP. `user` is "" for the usual one there.

    `path` is absolute, or begins with "." for the folder in which a session begins: "/~/copies" in
    an address is "./copies".
    """

    host: str
    path: str
    user: str = ""
    port: int = SSH_PORT

    @property
    def name(self) -> str:
        """What its password is stored under."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"{SFTP}{host}" + (f":{self.port}" if self.port != SSH_PORT else "")


def bucket_address(text: str) -> BucketAddress | None:
    """Return what an address of the form s3://BUCKET/PREFIX names, None for any other text."""
    parts = _split(text, "s3")
    if parts is None or not _BUCKET.fullmatch(parts[0]):
        return None
    return BucketAddress(parts[0], parts[1].strip("/"))


def sftp_address(text: str) -> SftpAddress | None:
    """Return what an address of the form sftp://USER@HOST:PORT/PATH names, None for any other text.

    One with a password in it is none.
    """
    parts = _split(text, "sftp")
    if parts is None:
        return None
    user, at, place = parts[0].rpartition("@")
    user, (host, port) = unquote(user), _host_and_port(place)
    is_right = (_USER.fullmatch(user) if at else True) and _HOST.fullmatch(host) and port
    path = _path(unquote(parts[1]))
    return SftpAddress(host, path, user, port) if is_right and path else None


def store_name(text: str) -> str | None:
    """Return the name under which the secrets of a store are, None for a text that names none."""
    whole = text if text.count("/") > 2 else f"{text}/~"  # the name alone will do
    found = bucket_address(whole) or sftp_address(whole)
    return found.name if found else None


def _split(text: str, scheme: str) -> tuple[str, str] | None:
    """Return the authority and the path of an address that has nothing else."""
    if not text.isprintable() or text != text.strip() or "?" in text or "#" in text:
        return None
    try:
        parts = urlsplit(text)
    except ValueError:
        return None
    return (parts.netloc, parts.path) if parts.scheme == scheme else None


def _host_and_port(place: str) -> tuple[str, int]:
    """Return a host in lower case, and its port, 0 for one that is none."""
    found = re.fullmatch(r"(\[[^\]]*\]|[^:\[\]]*)(?::([0-9]{1,5}))?", place)
    if found is None:
        return "", 0
    port = int(found[2]) if found[2] else SSH_PORT
    return found[1].strip("[]").lower(), port if port < 65536 else 0


def _path(path: str) -> str:
    """Return a path on a server as its programs have it, "" for none and one that leads up."""
    parts = [each for each in path.split("/") if each not in ("", ".")]
    if not parts or ".." in parts or not path.isprintable():
        return ""
    if parts[:1] == ["~"]:
        return "/".join([".", *parts[1:]])
    return "/" + "/".join(parts)
