# SPDX-License-Identifier: AGPL-3.0-or-later
"""Sources as one text: a word, a path, an address, or an address with a prefix that says of what.

All raise Misread.
"""

import re
from urllib.parse import urljoin, urlsplit

from carrel.mementos.config.addresses import (
    check_redis,
    check_web,
    local_path,
    scheme_of,
    split_prefix,
    with_slash,
)
from carrel.mementos.config.collection import (
    CdxSource,
    FileSource,
    LedgerSource,
    LiveSource,
    MementoSource,
    RedisSource,
    SourceConfig,
)
from carrel.mementos.config.findings import Misread, Spot, shown, unknown
from carrel.mementos.config.reader import Reading
from carrel.model.user_information import without_user_information
from carrel.translation import tr

_WORDS = ("$live", "$archive")
_PREFIXES = ("memento+", "cdx+")
_WITH_SEMICOLON = re.compile(r"([^\s;]+);(/\S*|https?://\S+)")
_CDX_QUERY = "url={url}&closest={timestamp}&sort=closest"


def shorthand(text: str, name: str, spot: Spot, reading: Reading) -> SourceConfig:
    """Return the source that a text stands for."""
    if text in ("$live", "live"):
        return LiveSource(name)
    if text == "$archive":
        return ledger_source(name, reading)
    if text.startswith("$"):
        raise Misread(unknown("source", text, _WORDS))
    prefix, rest = split_prefix(text)
    if prefix == "memento":
        return _memento(rest, name)
    if prefix == "cdx":
        return _cdx(rest, name, spot, reading)
    if prefix and scheme_of(rest):
        raise Misread(unknown("prefix", f"{prefix}+", _PREFIXES))
    return _address(text, name, reading)


def file_source(text: str, name: str, reading: Reading) -> FileSource:
    """Return the source at a path or file URL."""
    return FileSource(name, local_path(text, reading.base))


def redis_source(url: str, name: str) -> RedisSource:
    """Return the source at a key of Redis."""
    check_redis(url, "key", needs_database=True)
    return RedisSource(name, url)


def ledger_source(name: str, reading: Reading) -> LedgerSource:
    """Return the archive that is open."""
    if reading.archive is None:
        raise Misread(tr("“$archive” is the archive that is open, and there is none: name one."))
    return LedgerSource(name)


def _address(text: str, name: str, reading: Reading) -> SourceConfig:
    scheme = scheme_of(text)
    if scheme in ("redis", "rediss"):
        return redis_source(text, name)
    if scheme in ("http", "https"):
        bare = without_user_information(text)[:100]
        raise Misread(
            tr(
                "{text} does not say what kind of address it is. Write memento+{bare} for an "
                "archive that speaks Memento, or cdx+{bare} for a CDX server.",
                text=shown(text),
                bare=bare,
            )
        )
    return file_source(text, name, reading)


def _memento(address: str, name: str) -> MementoSource:
    _check_bare(address)
    prefix = with_slash(address)
    return MementoSource(
        name,
        timegate_url=f"{prefix}{{url}}",
        timemap_url=f"{prefix}timemap/link/{{url}}",
        replay_url=f"{prefix}{{timestamp}}id_/{{url}}",
    )


def _cdx(text: str, name: str, spot: Spot, reading: Reading) -> CdxSource:
    """Return a CDX server: its address, and after one space the prefix of its replay, if any."""
    if found := _WITH_SEMICOLON.fullmatch(text):
        text = f"{found[1]} {found[2]}"
        bare = without_user_information(text)[:200]
        reading.findings.warn(
            spot, tr("the “;” is read as a space; write “cdx+{bare}”.", bare=bare)
        )
    server, *prefixes = text.split() or [""]
    if len(prefixes) > 1:
        raise Misread(
            tr(
                "after {source} there can be only one prefix of the replay.",
                source=shown("cdx+" + server),
            )
        )
    _check_bare(server)
    prefix = _joined(server, prefixes[0]) if prefixes else _guessed_prefix(server)
    if prefix:
        _check_bare(prefix)
    query_mark = "&" if urlsplit(server).query else "?"
    return CdxSource(
        name,
        api_url=f"{server.rstrip('?&')}{query_mark}{_CDX_QUERY}",
        replay_url=f"{with_slash(prefix)}{{timestamp}}id_/{{url}}" if prefix else None,
    )


def _joined(server: str, reference: str) -> str:
    try:
        return urljoin(server, reference)
    except ValueError as error:
        raise Misread(
            tr("{reference} is not an address: {error}.", reference=shown(reference), error=error)
        ) from error


def _guessed_prefix(server: str) -> str:
    """Return what pywb's naming rule says (all-cdx serves the index of all), "" for no rule."""
    bare = server.rstrip("/")
    return bare.removesuffix("-cdx") if bare.endswith("-cdx") else ""


def _check_bare(address: str) -> None:
    if "{" in address or "}" in address:
        raise Misread(
            tr(
                "{address} cannot have variables; write the full form, with a “type”.",
                address=shown(address),
            )
        )
    check_web(address)
