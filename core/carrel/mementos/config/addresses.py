# SPDX-License-Identifier: AGPL-3.0-or-later
"""Paths and addresses as a collections file writes them. All raise Misread for what is none."""

import re
from pathlib import Path
from urllib.parse import SplitResult, urlsplit
from urllib.request import url2pathname

from carrel.mementos.config.findings import Misread, shown
from carrel.model.endings import RECORD_ENDINGS
from carrel.translation import tr

_SCHEME = re.compile(r"([A-Za-z][A-Za-z0-9+.-]*)://")
_PREFIXED = re.compile(r"([A-Za-z][A-Za-z0-9_-]*)\+(.*)")


def scheme_of(text: str) -> str:
    """Return the scheme of an address in lower case, "" for a path."""
    if text.lower().startswith("file:"):
        return "file"
    found = _SCHEME.match(text)
    return found[1].lower() if found else ""


def split_prefix(text: str) -> tuple[str, str]:
    """Return the word before a `+`, and what follows; "" and the text if there is no such word."""
    found = _PREFIXED.fullmatch(text)
    return (found[1], found[2]) if found else ("", text)


def is_warc(path: Path) -> bool:
    """Say whether a file, there or not, is called like one with records in it."""
    return path.name.lower().endswith(RECORD_ENDINGS)


def with_slash(address: str) -> str:
    """Return an address with exactly one slash at its end."""
    return address.rstrip("/") + "/"


def local_path(text: str, base: Path) -> Path:
    """Return where a path or file URL leads, seen from a folder.

    Variables of the environment and `~` are not expanded: a file means the same for everybody.
    """
    scheme = scheme_of(text)
    if scheme == "file":
        return base / _path_of_file_url(text)
    if scheme:
        raise Misread(
            tr("{text} is neither a path nor an address that can be used here.", text=shown(text))
        )
    return base / text


def _path_of_file_url(url: str) -> str:
    rest = re.sub(r"^//(localhost)?(?=/)", "", url[len("file:") :])
    if not rest.startswith("/") or rest.startswith("//"):
        raise Misread(
            tr(
                "{url} must be on this machine, and begin with three slashes: file:///folder.",
                url=shown(url),
            )
        )
    path = url2pathname(rest)
    if any(ord(each) < ord(" ") for each in path):
        raise Misread(tr("{url} has a control character in it.", url=shown(url)))
    return path


def check_web(address: str) -> None:
    """Refuse what is no http or https address."""
    parts = _split(address)
    if parts.scheme not in ("http", "https"):
        raise Misread(tr("{address} must begin with http:// or https://.", address=shown(address)))
    if not parts.hostname:
        raise Misread(tr("{address} has no host.", address=shown(address)))
    if "@" in parts.netloc:
        raise Misread(
            tr(
                "{address} has a user or password in it; those must not be in a file.",
                address=shown(address),
            )
        )
    if re.search(r"\s", address):
        raise Misread(tr("{address} has a space in it.", address=shown(address)))


def check_redis(address: str, key: str, *, needs_database: bool) -> None:
    """Refuse what is no address of a key in Redis; `key` is what it is called."""
    parts = _split(address)
    pattern, form = (r"/[0-9]+/.", f"/db/{key}") if needs_database else (r"/.", f"[/db]/{key}")
    is_right = parts.scheme in ("redis", "rediss") and re.match(pattern, parts.path)
    if not is_right or not parts.hostname:
        raise Misread(
            tr(
                "{address} must be written redis://host[:port]{form}.",
                address=shown(address),
                form=form,
            )
        )


def _split(address: str) -> SplitResult:
    try:
        parts = urlsplit(address)
        _ = parts.port
    except ValueError as error:
        # The words of the library may repeat a part of a password.
        why = "" if "@" in address else f": {error}"
        raise Misread(
            tr("{address} is not an address{why}.", address=shown(address), why=why)
        ) from None
    return parts
