# SPDX-License-Identifier: AGPL-3.0-or-later
"""What stands in each archive, for those who open it without Carrel."""

from collections.abc import Sequence
from pathlib import Path

from carrel.by_hand import CUT_RECORD, DECODED, DIGEST, OF_RESOURCE, OF_RESPONSE, OF_TAR, OF_ZIP
from carrel.capture.leftovers import KEPT_DAYS
from carrel.whole_file import replace_file


def _lines(commands: Sequence[str]) -> str:
    return "\n".join(f"    {each}" for each in commands)


_README = f"""\
This folder is an archive of datasets. Carrel wrote it, but other tools can read it.

collections/main/archive/*.warc.gz
    What was fetched, in WARC 1.1 files (ISO 28500:2017). Any tool for web archives (pywb,
    ReplayWeb.page, warcio) opens them. Each record is a gzip member of its own, so that
    "gzip -dc FILE | less" shows everything, and one record can be cut out. A record is: WARC
    headers, an empty line, HTTP headers, an empty line, the bytes of the file, two empty lines.
    The bytes are those that were sent, without the transfer coding (chunks) of HTTP, but with a
    content coding (Content-Encoding: gzip) if the server used one: "gzip -dc" decodes it. The
    result lists size and digest of such a payload as "stored_payload".
    HTTP headers are those that were sent, but for characters beyond Latin-1, which are
    percent-encoded (a file's metadata record has them unchanged, as http-...), and for the
    names of those that are no longer valid here: of an answer that came in chunks, or of a page
    that was cut off, the length is named X-Archive-Orig-Content-Length.
    packed-*.warc.gz are many such files in one, one behind the other, byte for byte. Each begins
    with its record of the type "warcinfo", whose WARC-Filename is the name that the file had.
    Files that were imported from a bag or folder (import-*.warc.gz) are in records of the type
    "resource": WARC headers, one empty line, and the bytes, without HTTP headers.
    Each file's response record is followed by a request and a metadata record; the latter names
    its path in the dataset, its size and its digests (md5, sha1, sha256). The last metadata record
    of an ingest is its result in JSON: the dataset, its manifest, what was not archived, and why.
    Bytes that are already here are not stored again: such a file has a record of the type
    "revisit" without bytes, and its WARC-Refers-To-Target-URI and WARC-Refers-To-Date name the
    record that has them. The numbers in the names of the files may have gaps.
    A file that arrived in several parts has the headers of the first answer; each later part is
    described in a metadata record beside it (payloadRange, httpStatus, http-...).
    Where a dataset was archived as the one ZIP or tar file that its repository offers, the result
    has for each file its "bundle_member": cut out the record of terminal_url and terminal_dt,
    then take that member from it with unzip or tar.

collections/main/indexes/*.cdxj
    Where each capture is: key, time, and a JSON object with URL, file, offset and length.
    To get the bytes of a file and their digest, with FILE, OFFSET and LENGTH from the index and
    SIZE from the metadata record or the ledger:

{_lines(CUT_RECORD)}
{_lines((*OF_RESPONSE, *DIGEST))}

    Of a record of the type "resource":

{_lines((*OF_RESOURCE, *DIGEST))}

    Of a payload with the content coding gzip, the digest of the file:

{_lines(DECODED)}

    Of a file in a bundle, the payload is the bundle; if that is a ZIP file, or else a tar file:

{_lines(OF_ZIP)}

{_lines(OF_TAR)}

    To replay it, run pywb's "wayback" in this folder.

carrel.sqlite
    The ledger, an SQLite database: requests, results, files with their digests, captures.

journal/YYYY-MM.jsonl
    What the ledger was told that no WARC says: ingests, the queue, verifications, watched datasets,
    tags, notes, removals. One JSON object per line, chained as that of the dark archive (below).
    "table" names a table of the ledger, "columns" are the values of a row of it at the time "at",
    and the last line about a row (its "key") is what the ledger says. An "attempt" is an ingest;
    "intact" lists records that were read again and were as written. From the WARCs and this journal
    "carrel rebuild" makes the ledger again.

dark_archive/, if there is one
    The dark archive: what RePEc (or a list) has listed over time. Its object store is at archive/,
    or where object_store.txt says. An object is at AAA/BBB/C/NAME: the digits of the Unix time when
    it was recorded, reversed, with a slash after the third and the sixth, then its handle or
    address, percent-encoded (a shortened name is explained in names.tsv beside it). The file of a
    template is its text: "md5sum FILE" gives the text_md5 of the ledger. Names that begin with
    redif%3A are the ReDIF files that contained templates, byte for byte.
    archive/journal/YYYY-MM.jsonl has the events of each object, one JSON object per line. "prev" is
    the SHA-256 of the line before, without its line ending. A line whose "entry" is "commit" closes
    a group; its "sum" is the SHA-256 of that line's JSON without "sum". Lines after the last commit
    never took effect. The ledger's tables run, obi, content, version, incidence and others are
    derived from the journal alone.

copy-sha256.txt, if there is one
    This folder is a second copy of an archive. "sha256sum -c copy-sha256.txt" verifies it. Carrel
    only reads it; without this file it is an archive like any other.

settings.toml
    Settings, if there are any.

collections.yaml
    Where Carrel looks for captures, here and in other archives. Text, with comments.

staging/
    Unfinished downloads, each with a journal of what is complete. Carrel resumes from there; it is
    safe to delete while Carrel is not running. In "unfinished" are parts of large files whose
    ingest ended early: the next one resumes them, and after {KEPT_DAYS} days they are removed.
"""


def write_readme(path: Path) -> None:
    """Write ours, also over an older one of ours, but never over someone else's."""
    first_words = _README[:40].encode()
    if not path.exists() or path.read_bytes().startswith(first_words):
        replace_file(path, _README.encode(), is_synced=False)
