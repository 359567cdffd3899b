# SPDX-License-Identifier: AGPL-3.0-or-later
"""Ledgers of a dark archive in which every entry was written by hand, in the order of a story."""

import hashlib
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from types import TracebackType

from carrel.dark_archive.entries import ENTRIES
from carrel.journal.lines import NOTHING, entry_line
from carrel.ledger import Ledger
from carrel.ledger.dark.mirror import GroupCopy
from carrel.ledger.dark.questions import Questions
from carrel.model.dark import (
    Content,
    Entry,
    IncidenceKind,
    Looked,
    Lost,
    ObiKind,
    Reference,
    RunBegan,
    RunEnded,
    RunSource,
    TemplateSeen,
    Version,
)

APPEARED, CHANGED, BACK = (
    IncidenceKind.APPEARANCE,
    IncidenceKind.CHANGE,
    IncidenceKind.REAPPEARANCE,
)
DAY = 86_400
MONDAY = 1_700_000_000
TUESDAY, WEDNESDAY, THURSDAY, FRIDAY = (MONDAY + day * DAY for day in range(1, 5))


def sha256(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def md5(text: str) -> str:
    return hashlib.md5(text.encode()).hexdigest()


def iso(tist: int) -> str:
    return datetime.fromtimestamp(tist, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def handle(number: int | str, series: str = "wpaper", archive: str = "aaa") -> str:
    return f"RePEc:{archive}:{series}:{number}"


def url(name: str) -> str:
    return f"http://www.example.org/{name}.pdf"


def content(text: str, media: str | None = None, identifier: str | None = None) -> Content:
    path = f"000/000/0001/{sha256(text)[:20]}"
    return Content(sha256(text), md5(text), len(text), path, media, identifier)


def version(text: str, source_tist: int | None = None, *, text_md5: str = "") -> Version:
    return Version(sha256(text), text_md5 or md5(text), source_tist, content(text))


def template(
    tist: int,
    ident: str,
    incidence: IncidenceKind | None = APPEARED,
    text: str | None = None,
    *,
    urls: Sequence[str] | None = (),
    dated: int | None = None,
    cause: str | None = None,
    place: int = 0,
    restriction: str | None = None,
) -> TemplateSeen:
    """Return a template that speaks; with a `text`, that is a version, `dated` by its source."""
    _, archive, *rest = ident.split(":")
    return TemplateSeen(
        tist,
        "RePEc",
        f"{archive}/all.rdf",
        place,
        ident,
        "RePEc:" + ident.lower()[6:],
        md5(text or ident),
        True,
        archive,
        rest[0] if rest else None,
        "ReDIF-Paper 1.0",
        restriction,
        incidence,
        None if text is None else version(text, dated),
        None if urls is None else [Reference(each, each, "application/pdf") for each in urls],
        cause,
    )


def lost(
    tist: int,
    ident: str,
    since: int | None = None,
    cause: str = "not-in-data",
    kind: ObiKind = ObiKind.TOBI,
) -> Lost:
    return Lost(tist, kind, ident, since or tist, cause)


def asked(
    tist: int,
    address: str,
    incidence: IncidenceKind | None = None,
    text: str | None = None,
    *,
    outcome: str = "ok",
) -> Looked:
    """Return a look at a full text; whatever is not "ok" speaks for its loss."""
    looked = Looked(tist, address, outcome, outcome != "ok", incidence=incidence)
    return looked if text is None else replace(looked, version=version(text))


def began(
    tist: int,
    source: RunSource = RunSource.DIRECTORY,
    scope: str = "RePEc",
    dated: int | None = None,
) -> RunBegan:
    return RunBegan(tist, scope, source, "/data/RePEc", tist, iso(tist), dated)


class Chronicle:
    """A ledger of its own, and what is told to it. Use it as a context."""

    def __init__(self, path: Path) -> None:
        self.ledger = Ledger(path, writing=True)
        self._lines = 0

    @property
    def questions(self) -> Questions:
        return self.ledger.dark.questions

    def note(self, *entries: Entry) -> None:
        """Apply entries as one commit of the journal."""
        self._lines += len(entries) + 1
        written = [entry_line(ENTRIES.encode(entry), NOTHING) + b"\n" for entry in entries]
        data = b"".join(written)
        copy = GroupCopy(self._lines, sha256(str(self._lines)), "2023-11.jsonl", 0, data)
        self.ledger.dark.apply(entries, copy)

    def run(
        self,
        tist: int,
        *entries: Entry,
        source: RunSource = RunSource.DIRECTORY,
        scope: str = "RePEc",
        dated: int | None = None,
        is_ended: bool = True,
        scope_ok: bool = True,
    ) -> None:
        """Apply a whole run, or one that was cut short."""
        end = [RunEnded(tist, scope_ok, iso(tist + 60), {"templates": len(entries)})]
        self.note(began(tist, source, scope, dated), *entries, *(end if is_ended else []))

    def __enter__(self) -> "Chronicle":
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        at: TracebackType | None,
    ) -> None:
        self.ledger.close()
