# SPDX-License-Identifier: AGPL-3.0-or-later
"""Bytes, then journal, then ledger: what is kept is kept by all three, or by none."""

import hashlib
from collections.abc import Callable, Sequence

import pytest

from carrel.dark_archive.store import Batch
from carrel.dark_archive.store_session import StoreSession
from carrel.errors import ArchiveError, ArchiveFull, ArchiveLocked, JournalDamaged
from carrel.ledger.dark.ledger import DarkLedger
from carrel.ledger.dark.mirror import GroupCopy
from carrel.model.dark import (
    Content,
    Entry,
    Lost,
    ObiKind,
    Purged,
    RunBegan,
    RunEnded,
    RunSource,
    StoreMade,
)
from support.dark_archives import CaptureStore, World, handle, papers, template

TIST = 1_736_164_800
SHELF = CaptureStore({"aaa/wpaper/a.rdf": papers("Ebb", "Flow").encode()})


def began(tist: int = TIST) -> RunBegan:
    return RunBegan(tist, "RePEc", RunSource.DIRECTORY, "/data", tist, "2025-01-06T12:00:00Z")


def ended(tist: int = TIST) -> RunEnded:
    return RunEnded(tist, True, "2025-01-06T12:01:00Z", {})


def put(
    keeping: StoreSession, data: bytes, ident: str = "RePEc:aaa:wpaper:1"
) -> tuple[Batch, Content]:
    batch = keeping.store.batch(TIST)
    digests = hashlib.sha256(data).hexdigest(), hashlib.md5(data).hexdigest()
    return batch, batch.put_bytes(ident, data, sha256=digests[0], md5=digests[1])


def journalled(keeping: StoreSession) -> list[Entry]:
    return [entry for group in keeping.journal.groups() for entry in group.entries]


def stored(world: World) -> list[str]:
    return sorted(each.name for each in world.store.glob("[0-9]*/*/*/*"))


def test_a_new_store_is_journalled_with_what_its_disk_can_do(world: World) -> None:
    with world.keeping() as keeping:
        (entry,) = journalled(keeping)

        assert isinstance(entry, StoreMade)
        assert keeping.ledger.contents.probed() == keeping.store.probed == entry.probed


def test_one_process_at_a_time_keeps_anything(world: World) -> None:
    with world.keeping(), pytest.raises(ArchiveLocked, match="another process"):
        world.keeping()

    world.keeping().close()


def test_one_that_can_not_be_opened_is_not_locked(world: World) -> None:
    world.gather(SHELF)
    (journal,) = (world.store / "journal").glob("*.jsonl")
    whole = journal.read_bytes()
    journal.write_bytes(whole[: len(whole) // 2])
    with pytest.raises(JournalDamaged):
        world.keeping()
    journal.write_bytes(whole)

    world.keeping().close()


def test_what_is_committed_is_in_store_journal_and_ledger(world: World) -> None:
    with world.keeping() as keeping:
        keeping.commit([began()])
        batch, content = put(keeping, b"On Ebb\n")

        keeping.commit([ended()], batch)

        assert (world.store / content.path).read_bytes() == b"On Ebb\n"
        assert [type(each) for each in journalled(keeping)] == [StoreMade, RunBegan, RunEnded]
        assert world.rows("SELECT tist, finished IS NOT NULL FROM run") == [(TIST, 1)]


def test_what_the_ledger_can_not_take_does_not_get_into_the_journal(world: World) -> None:
    with world.keeping() as keeping:
        keeping.commit([began()])
        before = journalled(keeping)

        with pytest.raises(ArchiveError, match="never known"):
            keeping.commit([ended(), Lost(TIST, ObiKind.TOBI, "RePEc:never:known", TIST, "x")])

        assert journalled(keeping) == before
        assert world.rows("SELECT finished FROM run") == [(None,)]
        keeping.commit([ended()])


def stumble(
    ledger: DarkLedger, entries: Sequence[Entry], journalled: Callable[[], GroupCopy]
) -> None:
    journalled()
    raise ArchiveFull("there is no room")


def test_after_the_ledger_fell_behind_nothing_is_kept_until_it_is_opened_again(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    with world.keeping() as keeping:
        with monkeypatch.context() as context:
            context.setattr(DarkLedger, "keep", stumble)
            with pytest.raises(ArchiveFull):
                keeping.commit([began()])
        with pytest.raises(ArchiveError, match="Open the archive again"):
            keeping.commit([began(TIST + 1)])

    with world.keeping() as again:
        again.commit([began(TIST + 1)])

    assert world.rows("SELECT tist FROM run ORDER BY 1") == [(TIST,), (TIST + 1,)]
    assert world.is_sound()


def test_what_the_journal_has_and_the_ledger_has_not_is_made_good(world: World) -> None:
    with world.keeping() as keeping:
        keeping.journal.append([began()])
        keeping.journal.append([ended()])

    world.keeping().close()

    assert world.rows("SELECT tist, finished IS NOT NULL FROM run") == [(TIST, 1)]
    assert world.is_sound()


def test_objects_that_no_line_of_the_journal_names_are_set_aside(world: World) -> None:
    with world.keeping() as keeping:
        keeping.commit([began()])
        put(keeping, b"On Ebb\n")[0].place()

    with world.keeping() as again:
        (moved,) = again.set_aside

        assert (world.store / moved).read_bytes() == b"On Ebb\n"
        assert stored(world) == []
        assert "no line of the journal" in (world.store / "quarantine" / "why.tsv").read_text()


def test_objects_of_a_run_that_was_ended_are_left_to_the_check(world: World) -> None:
    with world.keeping() as keeping:
        keeping.commit([began()])
        put(keeping, b"On Ebb\n")[0].place()
        keeping.commit([ended()])

    with world.keeping() as again:
        assert again.set_aside == []

    (fault,) = world.check().faults
    assert (fault.what, fault.can_be_mended) == ("stranger", True)


def test_what_was_on_its_way_is_removed(world: World) -> None:
    with world.keeping() as keeping:
        keeping.store.incoming().write_bytes(b"half of it")

    with world.keeping() as again:
        assert len(again.set_aside) == 1
        assert list((world.store / ".incoming").iterdir()) == []


def test_a_purge_that_was_cut_short_is_brought_to_its_end(world: World) -> None:
    world.gather(SHELF)
    path = world.path_of(handle(1))
    (row,) = world.rows("SELECT sha256 FROM content WHERE path LIKE '%wpaper%3A1'")
    with world.keeping() as keeping:
        keeping.commit([Purged(TIST, row[0], "its author asked")])
    assert path.exists()

    world.keeping().close()

    assert not path.exists()
    assert world.is_sound()


def test_a_ledger_that_is_new_is_made_from_the_journal(world: World) -> None:
    world.gather(SHELF)
    before = world.tables()
    world.ledger.dark.empty()
    assert world.states() == {}

    world.keeping().close()

    assert world.tables() == before


def test_a_journal_that_is_shorter_than_the_ledger_knows_is_not_gone_on_with(world: World) -> None:
    world.gather(SHELF)
    (journal,) = (world.store / "journal").glob("*.jsonl")
    lines = journal.read_bytes().splitlines(keepends=True)
    journal.write_bytes(b"".join(lines[:4]))

    with pytest.raises(JournalDamaged):
        world.gather(SHELF)

    assert journal.read_bytes() == b"".join(lines[:4])


def no_room(batch: Batch) -> None:
    raise ArchiveFull("There is no room left.")


def test_a_run_for_which_there_is_no_room_leaves_nothing_half_done(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    world.gather(SHELF)
    fuller = CaptureStore({**SHELF.files, "aaa/wpaper/b.rdf": template(handle(3)).encode()})

    with monkeypatch.context() as context:
        context.setattr(Batch, "place", no_room)
        with pytest.raises(ArchiveFull):
            world.gather(fuller)

    assert list((world.store / ".incoming").iterdir()) == []
    assert world.log(2) == []
    world.gather(fuller)
    assert [each.ident for each in world.log(3)] == [handle(3)]
    assert world.is_sound()
