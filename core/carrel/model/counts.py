# SPDX-License-Identifier: AGPL-3.0-or-later
"""Counts with their nouns."""

from collections.abc import Sized

from carrel.translation import forms, plural

# Each noun in the singular, and how one and many of it are written.
NOUNS = {
    "Dataverse package": forms("{count} Dataverse package", "{count} Dataverse packages"),
    "File-URL": forms("{count} File-URL", "{count} File-URLs"),
    "WARC": forms("{count} WARC", "{count} WARCs"),
    "WARC file": forms("{count} WARC file", "{count} WARC files"),
    "byte": forms("{count} byte", "{count} bytes"),
    "capture": forms("{count} capture", "{count} captures"),
    "character": forms("{count} character", "{count} characters"),
    "column": forms("{count} column", "{count} columns"),
    "copy": forms("{count} copy", "{count} copies"),
    "dataset": forms("{count} dataset", "{count} datasets"),
    "editgroup": forms("{count} editgroup", "{count} editgroups"),
    "entry": forms("{count} entry", "{count} entries"),
    "fault": forms("{count} fault", "{count} faults"),
    "file": forms("{count} file", "{count} files"),
    "fileset": forms("{count} fileset", "{count} filesets"),
    "full text": forms("{count} full text", "{count} full texts"),
    "handle": forms("{count} handle", "{count} handles"),
    "holding": forms("{count} holding", "{count} holdings"),
    "host": forms("{count} host", "{count} hosts"),
    "ingest": forms("{count} ingest", "{count} ingests"),
    "job": forms("{count} job", "{count} jobs"),
    "journal entry": forms("{count} journal entry", "{count} journal entries"),
    "line": forms("{count} line", "{count} lines"),
    "long line": forms("{count} long line", "{count} long lines"),
    "media file": forms("{count} media file", "{count} media files"),
    "member": forms("{count} member", "{count} members"),
    "message": forms("{count} message", "{count} messages"),
    "minute": forms("{count} minute", "{count} minutes"),
    "more fault": forms("{count} more fault", "{count} more faults"),
    "more file": forms("{count} more file", "{count} more files"),
    "more host": forms("{count} more host", "{count} more hosts"),
    "more record": forms("{count} more record", "{count} more records"),
    "name": forms("{count} name", "{count} names"),
    "object": forms("{count} object", "{count} objects"),
    "other record": forms("{count} other record", "{count} other records"),
    "part": forms("{count} part", "{count} parts"),
    "partition": forms("{count} partition", "{count} partitions"),
    "path": forms("{count} path", "{count} paths"),
    "record": forms("{count} record", "{count} records"),
    "repetition": forms("{count} repetition", "{count} repetitions"),
    "request": forms("{count} request", "{count} requests"),
    "result": forms("{count} result", "{count} results"),
    "row": forms("{count} row", "{count} rows"),
    "source": forms("{count} source", "{count} sources"),
    "table": forms("{count} table", "{count} tables"),
    "template": forms("{count} template", "{count} templates"),
    "value": forms("{count} value", "{count} values"),
    "verification": forms("{count} verification", "{count} verifications"),
    "version": forms("{count} version", "{count} versions"),
    "zip file": forms("{count} zip file", "{count} zip files"),
}

_MORE_FAULTS = forms("There is {count} more fault.", "There are {count} more faults.")


def more_faults(count: int) -> str:
    """Return that there are so many more faults than those that are named."""
    return plural(*_MORE_FAULTS, count, count=f"{count:,}")


def counted(number: int, noun: str) -> str:
    """Return "1 dataset", "1,200 datasets" or "2 entries"; the noun is given in the singular."""
    one, many = NOUNS[noun]
    return plural(one, many, number, count=f"{number:,}")


def count_of(things: Sized, noun: str) -> str:
    """Return how many things there are, with their noun in the singular or the plural."""
    return counted(len(things), noun)
