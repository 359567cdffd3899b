# SPDX-License-Identifier: AGPL-3.0-or-later
"""Where the records of rows are looked for: `resource`, in every form, or what is implied."""

from pathlib import Path

from carrel.mementos.config.addresses import (
    check_redis,
    check_web,
    is_warc,
    local_path,
    scheme_of,
    split_prefix,
    with_slash,
)
from carrel.mementos.config.collection import (
    FileSource,
    LedgerSource,
    Live,
    ResourceConfig,
    SourceConfig,
    WarcIndexFile,
    WarcIndexRedis,
    WarcPrefix,
)
from carrel.mementos.config.findings import Misread, Spot, unknown
from carrel.mementos.config.reader import Reading
from carrel.mementos.config.yaml_tree import Items, Node, Scalar
from carrel.translation import tr

_WORDS = ("$live", "$archive")
_PREFIXES = ("warc-prefix+", "warc-index+")


def resources_of(node: Node, spot: Spot, reading: Reading) -> tuple[ResourceConfig, ...] | None:
    """Return the places that `resource` names, in order; None if it is not valid."""
    nodes = node.items if isinstance(node, Items) else (node,)
    found = [_resource(each, spot.at(each.line), reading) for each in nodes]
    if not found:
        reading.findings.error(spot, "the list is empty; omit it for “$live”.")
    right = [each for each in found if each is not None]
    return tuple(dict.fromkeys(right)) if found and len(right) == len(found) else None


def implied_resources(
    sources: tuple[SourceConfig, ...], reading: Reading
) -> tuple[ResourceConfig, ...]:
    """Return where records are looked for if nothing is said: live, but what is known better."""
    return tuple(dict.fromkeys(_implied(each, reading) for each in sources))


def _implied(source: SourceConfig, reading: Reading) -> ResourceConfig:
    if isinstance(source, LedgerSource) and reading.archive_warcs:
        return WarcPrefix(reading.archive_warcs)
    if isinstance(source, FileSource) and is_warc(source.path):
        return WarcPrefix(source.path)
    return Live()


def _resource(node: Node, spot: Spot, reading: Reading) -> ResourceConfig | None:
    try:
        if (
            not isinstance(node, Scalar)
            or not isinstance(node.value, str)
            or not node.value.strip()
        ):
            raise Misread(tr("a resource is a path, an address or “$live”, or a list of these."))
        return _place(node.value.strip(), reading)
    except Misread as wrong:
        reading.findings.error(spot, str(wrong))
        return None


def _place(text: str, reading: Reading) -> ResourceConfig:
    if text == "$live":
        return Live()
    if text == "$archive":
        return _archive(reading)
    if text.startswith("$"):
        raise Misread(unknown("resource", text, _WORDS))
    prefix, rest = split_prefix(text)
    if prefix == "warc-prefix":
        return _prefix(rest, reading)
    if prefix == "warc-index":
        return _index(rest, reading)
    if prefix and scheme_of(rest):
        raise Misread(unknown("prefix", f"{prefix}+", _PREFIXES))
    return _guessed(text, reading)


def _archive(reading: Reading) -> WarcPrefix:
    if reading.archive_warcs is None:
        raise Misread(tr("“$archive” is the archive that is open, and there is none: name one."))
    return WarcPrefix(reading.archive_warcs)


def _prefix(text: str, reading: Reading) -> WarcPrefix:
    if scheme_of(text) in ("http", "https"):
        check_web(text)
        return WarcPrefix(with_slash(text))
    return WarcPrefix(local_path(text, reading.base))


def _index(text: str, reading: Reading) -> WarcIndexFile | WarcIndexRedis:
    if scheme_of(text) in ("redis", "rediss"):
        check_redis(text, "hash_key", needs_database=False)
        return WarcIndexRedis(text)
    return WarcIndexFile(local_path(text, reading.base))


def _guessed(text: str, reading: Reading) -> ResourceConfig:
    """Return what a place without prefix is: a key of Redis or a file that is there is an index.

    A WARC is the place of its own records.
    """
    if scheme_of(text) in ("redis", "rediss"):
        return _index(text, reading)
    place = _prefix(text, reading)
    if (
        isinstance(place.location, Path)
        and not is_warc(place.location)
        and _is_file(place.location)
    ):
        return WarcIndexFile(place.location)
    return place


def _is_file(path: Path) -> bool:
    try:
        return path.is_file()
    except OSError:  # a name that is too long, a folder that may not be looked into
        return False
