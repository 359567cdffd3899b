# SPDX-License-Identifier: AGPL-3.0-or-later
"""Opening what is dark: a deed with a reason, journalled before anything is seen.

That something was publicly available when it was gathered is no licence; that it is lost is the
occasion for which it was kept.
"""

import hashlib
import shutil
import tempfile
from datetime import UTC, datetime
from pathlib import Path
from typing import BinaryIO
from urllib.parse import unquote, urlsplit

from carrel.archive import Archive
from carrel.dark_archive.export.occasions import day
from carrel.dark_archive.export.rights import states_rights
from carrel.dark_archive.place import noted, store_root
from carrel.dark_archive.store_session import StoreSession
from carrel.engine.dark.copies import PRIVATE_FOLDER, copies_made, take_back
from carrel.errors import ArchiveError, UsageError
from carrel.model.dark import ObiKind, Opened, Purged
from carrel.model.dark_views import Life, PurgeReport, VersionRow
from carrel.translation import tr
from carrel.whole_file import WholeFile

# What says nothing of how an object stands where it is published.
_NO_NOTICE = ("not asked", "damaged", "repaired")
_BLOCK_BYTES = 1024 * 1024


class Opening:
    def __init__(self, archive: Archive) -> None:
        self._archive = archive

    def open(self, kind: ObiKind, ident_n: str, at: int | None, reason: str) -> Path:
        """Return a read-only copy in a private folder. Raises UsageError, ArchiveError."""
        folder = Path(tempfile.mkdtemp(prefix=PRIVATE_FOLDER))  # 0700: its owner alone
        try:
            name = _file_name(ident_n)
            return self._copied("opened", kind, ident_n, at, reason, folder / name)
        except BaseException:
            shutil.rmtree(folder, ignore_errors=True)  # nothing but what was begun is in it
            raise

    def release(self, kind: ObiKind, ident_n: str, at: int | None, reason: str, to: Path) -> Path:
        """Write a copy to a place that is not taken. Raises UsageError, ArchiveError."""
        if to.exists():
            raise UsageError(tr("{to} already exists; choose another name.", to=to))
        return self._copied("released", kind, ident_n, at, reason, to)

    def _copied(
        self, deed: str, kind: ObiKind, ident_n: str, at: int | None, reason: str, to: Path
    ) -> Path:
        _check_reason(reason)
        life, version = self._found(kind, ident_n, at)
        occasion = _occasion(life)
        if deed == "released" and not life.is_lost and not states_rights(reason):
            raise UsageError(
                tr(
                    "{ident} is not lost: {occasion}. Copies are released only of what is lost, "
                    "or where the reason says whose rights allow it.",
                    ident=life.ident,
                    occasion=occasion,
                )
            )
        with StoreSession.open(
            store_root(self._archive.path), self._archive.ledger.dark
        ) as keeping:
            _check_sound(keeping, version)
            opened = Opened(
                _now(),
                deed,
                kind,
                ident_n,
                version.tist,
                version.sha256,
                reason,
                occasion,
                noted(to),
            )
            mode = 0o400 if deed == "opened" else 0o644
            try:
                with WholeFile(to, mode=mode, may_replace=False) as copy:
                    copy.check_room(version.size)
                    # Nothing leaves unrecorded, not even by a kill: the journal comes before the
                    # first byte, and after all that can be known to be in the way. A disk that
                    # fails while it is written to cannot: the journal then says more than was done.
                    keeping.commit([opened])
                    _copy(keeping, copy.file, version)
                    copy.commit()
            except OSError as error:
                raise ArchiveError(
                    tr(
                        "{path} cannot be copied to {to}: {strerror}.",
                        path=version.path,
                        to=to,
                        strerror=error.strerror or error,
                    )
                ) from error
        return to

    def purge(
        self, kind: ObiKind, ident_n: str, at: int | None, reason: str, *, everywhere: bool = False
    ) -> PurgeReport:
        """Remove the bytes of a version for good, and the private copies that were opened of them.

        Where other objects have the same bytes, that is done only if `everywhere` says so. What was
        released or exported is told, and stays.

        The journal says so first: a kill in between leaves bytes that the next check names. Raises
        UsageError, ArchiveError.
        """
        _check_reason(reason)
        if kind is ObiKind.TOBI:
            raise UsageError(
                tr(
                    "A template is public metadata, and the archived ReDIF files contain it; only "
                    "full texts are purged."
                )
            )
        life, version = self._found(kind, ident_n, at)
        others = self._others(life, version)
        if others and not everywhere:
            raise UsageError(
                tr(
                    "The same bytes are those of {others}{words}, which would lose them too. Purge "
                    "them everywhere (--everywhere), or leave them.",
                    others=", ".join(others[:5]),
                    words=tr(" and others") if len(others) > 5 else "",
                )
            )
        with StoreSession.open(
            store_root(self._archive.path), self._archive.ledger.dark
        ) as keeping:
            made = copies_made(keeping.ledger, version.sha256)
            keeping.commit([Purged(_now(), version.sha256, reason)])
            keeping.store.remove(version.path)
        return PurgeReport(version.sha256, tuple(map(take_back, made)))

    def _others(self, life: Life, version: VersionRow) -> list[str]:
        """Return what else has the same bytes."""
        hits = self._archive.ledger.dark.questions.same_bytes(version.sha256)
        return [hit.ident for hit in hits if hit.ident != life.ident]

    def _found(self, kind: ObiKind, ident_n: str, at: int | None) -> tuple[Life, VersionRow]:
        """Return an object and its version that was current at a time, the last one for None."""
        questions = self._archive.ledger.dark.questions
        life = questions.life(kind, ident_n)
        if life is None:
            raise UsageError(tr("{ident_n} is not known here.", ident_n=ident_n))
        version = questions.version_at(kind, ident_n, at)
        if version is None:
            raise UsageError(
                tr(
                    "Nothing is archived of {ident}{words}.",
                    ident=life.ident,
                    words=tr(" at that time") if at else "",
                )
            )
        if self._archive.ledger.dark.contents.is_purged(version.sha256):
            raise UsageError(
                tr("The bytes of {ident} were purged; their digest remains.", ident=life.ident)
            )
        return life, version


def _check_sound(keeping: StoreSession, version: VersionRow) -> None:
    """Raise ArchiveError for bytes that are not those that were kept."""
    try:
        sha256 = keeping.store.fixity(version.path)[0]
    except OSError as error:
        raise ArchiveError(
            tr(
                "{path} cannot be read: {strerror}.",
                path=version.path,
                strerror=error.strerror or error,
            )
        ) from error
    if sha256 != version.sha256:
        raise _damaged(version)


def _damaged(version: VersionRow) -> ArchiveError:
    return ArchiveError(
        tr(
            "{path} is damaged: its SHA-256 is not {sha256}. Nothing was released; "
            "“carrel dark verify” reports what else is damaged.",
            path=version.path,
            sha256=version.sha256,
        )
    )


def _copy(keeping: StoreSession, copy: BinaryIO, version: VersionRow) -> None:
    """Copy stored bytes. Raises ArchiveError if they are not those that were kept, and OSError."""
    digest = hashlib.sha256()
    with keeping.store.open_object(version.path) as file:
        while block := file.read(_BLOCK_BYTES):
            digest.update(block)
            copy.write(block)
    if digest.hexdigest() != version.sha256:
        raise _damaged(version)


def _check_reason(reason: str) -> None:
    if not reason.strip():
        raise UsageError(tr("A reason is required."))


def _now() -> int:
    return int(datetime.now(UTC).timestamp())


def _occasion(life: Life) -> str:
    """Return in words how an object stands, which is the occasion to open it, or none."""
    if life.last_seen is not None:
        return tr(
            "{state} when last delivered on {seen}; on {requested}: {outcome}",
            state=life.state,
            seen=_day(life.last_seen),
            requested=_day(life.requested),
            outcome=life.outcome,
        )
    told = [each for each in life.events if each.what not in _NO_NOTICE]
    last = max((each.until or each.tist for each in told), default=None)
    return tr("{state} (last noted {since})", state=life.state, since=_day(last))


def _day(tist: int | None) -> str:
    return "never" if tist is None else day(tist)


def _file_name(url: str) -> str:
    """Return a harmless name for a copy, as its address ends."""
    last = unquote(urlsplit(url).path.rpartition("/")[2])
    kept = "".join(char if char.isalnum() or char in "._- " else "_" for char in last)
    return kept.strip(". ")[:100] or "copy"
