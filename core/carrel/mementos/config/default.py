# SPDX-License-Identifier: AGPL-3.0-or-later
"""The collections file that a new archive begins with: for reading and changing by hand."""

import textwrap
from collections.abc import Iterator

from carrel.mementos.config.public_archives import PublicArchive, public_archives
from carrel.mementos.config.yaml_text import mapping_lines, scalar

_HEAD = """\
# Where Carrel looks for mementos: captures of an address, here and in other archives.
#
# Change this file as you like, by hand or in the window, which keeps your comments. Each collection
# can be searched on its own; the first one is the default.
#
# What can stand where a source stands:
#
#   $archive                           this archive
#   ./indexes or file:///indexes       a folder of CDX or CDXJ files, or one of them
#   ./some.warc.gz                     a WARC, ARC or WACZ, wherever it lies
#   redis://localhost/0/key            CDXJ lines in a sorted set
#   memento+https://host/wayback/      an archive that speaks Memento
#   cdx+https://host/cdx /web/         a CDX server, and where its captures are replayed
#   $live                              the live web
#
# A source in full is a mapping with a type: file, redis, memento, cdx, live or archive.
# index_group asks several sources at once; index_timeout is how many seconds each has for its
# answer. Where the records of a CDX index lie is said by resource: folders, addresses, or $live.
"""
_ALL = """
collections:
  # This archive and every public one, side by side.
  all:
    title: This archive and the public archives
    index_timeout: 15.0
    index_group:
      archive: $archive
"""
_ARCHIVE = """
  # This archive only; no other archive is queried.
  archive:
    title: This archive
    index: $archive
"""
_COLLECTIONS = "\ncollections:"
_PUBLIC = """
  # Other archives.
  public:
    title: The public archives
    index_timeout: 15.0
    index_group:
"""
_GROUP_INDENT = " " * 6


def default_text(*, has_archive: bool = True) -> str:
    """Return a collections file with the archive itself and the public archives, with comments.

    Where no one has an archive there are the public ones alone.
    """
    archives = public_archives()
    usable = [each for each in archives if each.replay_url]
    others = [each for each in archives if not each.replay_url]
    with_notes = _indented(line for each in usable for line in _source(each, with_note=True))
    bare = _indented(line for each in usable for line in _source(each, with_note=False))
    about = f"\n# The public archives are as known on {archives[0].observed.isoformat()}.\n"
    head = _HEAD + about + _without(others)
    if not has_archive:
        return head + _COLLECTIONS + _PUBLIC + with_notes
    return head + _ALL + with_notes + _ARCHIVE + _PUBLIC + bare


def _without(others: list[PublicArchive]) -> str:
    names = ", ".join(each.name for each in others)
    sentence = (
        "Left out, since captures cannot be loaded from them as stored, or it is not known how: "
        f"{names}."
    )
    return "".join(f"# {line}\n" for line in textwrap.wrap(sentence, 98))


def _source(archive: PublicArchive, *, with_note: bool) -> Iterator[str]:
    """Yield the lines of an archive in a group: in one line if its addresses follow the rule."""
    note = f"{archive.name}. {archive.note}".strip() if with_note else ""
    yield from (f"# {line}" for line in textwrap.wrap(note, 90))
    prefix = archive.timegate_url.removesuffix("{url}")
    if _follows_the_rule(archive, prefix):
        yield f"{archive.id}: {scalar(f'memento+{prefix}')}"
        return
    yield from (f"{archive.id}:", "  type: memento")
    templates = {
        "timegate_url": archive.timegate_url,
        "timemap_url": archive.timemap_url,
        "replay_url": archive.replay_url,
    }
    yield from (f"  {line}" for line in mapping_lines(templates))


def _follows_the_rule(archive: PublicArchive, prefix: str) -> bool:
    return (
        archive.timegate_url == f"{prefix}{{url}}"
        and archive.timemap_url == f"{prefix}timemap/link/{{url}}"
        and archive.replay_url == f"{prefix}{{timestamp}}id_/{{url}}"
    )


def _indented(lines: Iterator[str]) -> str:
    return "".join(f"{_GROUP_INDENT}{line}\n" for line in lines)
