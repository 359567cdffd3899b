# SPDX-License-Identifier: AGPL-3.0-or-later
"""The dark archive as both faces see it: runs by order, checks, and deeds with a reason."""

import asyncio
import hashlib
import stat
import threading
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path
from typing import TypeVar

import pytest

from carrel.archive import Archive
from carrel.engine.dark import Dark, runs
from carrel.engine.dark.copies import take_back
from carrel.errors import ArchiveError, ConfigError, UsageError
from carrel.model.dark import LossKind, ObiKind, Opened
from carrel.model.dark_views import (
    CopyState,
    ExportOrder,
    GatheringOrder,
    PurgeReport,
    RunProgress,
    RunReport,
)
from support.dark_archives import (
    damage,
    file_url,
    handle,
    log_of,
    papers,
    rows,
    template,
    write_tarball,
    write_tree,
)
from support.full_texts import paper, pdf
from support.own_settings import configure
from support.read_only import read_only
from support.wire import WireServer, html

T = TypeVar("T")
NOW = {"aaa/wpaper/a.rdf": papers("Ebb", "Flow")}
LATER = {"aaa/wpaper/a.rdf": papers("Ebb, revised")}


class Desk:
    """An archive folder with a tree of ReDIF beside it, and its dark archive at work."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.root = folder, folder / "RePEc"
        self.path, self.config = folder / "archive", folder / "run.conf"
        self.root.mkdir()
        self.told: list[RunProgress] = []
        self.told_then: Callable[[Dark], None] = lambda dark: None
        self.configure(f"ReDIF_directory = {self.root}", "private_networks = yes")

    def configure(self, *lines: str) -> None:
        self.config.write_text("min_interval_s = 0\n" + "\n".join(lines) + "\n")

    def do(self, deed: Callable[[Dark], Awaitable[T]]) -> T:
        """Open the archive, do something, and close it again."""

        async def done() -> T:
            with Archive.create_or_open(self.path) as archive:
                dark = Dark(archive)
                try:
                    return await deed(dark)
                finally:
                    await dark.close()

        return asyncio.run(done())

    def run(self, *, full_texts: bool = False, **order: Path | str | None) -> RunReport:
        given = {"config": self.config, **order}
        wanted = GatheringOrder(**given, full_texts=full_texts)  # type: ignore[arg-type]
        return self.do(lambda dark: dark.run(wanted, self.told.append))

    def log(self) -> list[tuple[int, str, str]]:
        return [(each.run, each.kind, each.ident) for each in log_of(self.path / "carrel.sqlite")]

    def rows(self, sql: str) -> list[tuple[object, ...]]:
        return rows(self.path / "carrel.sqlite", sql)


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    made = Desk(tmp_path)
    write_tree(made.root, NOW)
    return made


def test_a_run_reads_the_directory_that_its_configuration_names(desk: Desk) -> None:
    report = desk.run()

    assert (report.scope, report.scope_ok, report.counts["appeared"]) == ("RePEc", True, 2)
    assert [kind for _, kind, _ in desk.log()] == ["appearance"] * 2
    (row,) = desk.do(lambda dark: dark.runs())
    assert (row.source_ref, row.scope_ok) == (str(desk.root), True)


def test_a_directory_that_was_set_once_is_read_from_then_on(desk: Desk) -> None:
    desk.do(lambda dark: dark.set_directory(desk.root))

    report = desk.run(config=None)

    assert report.counts["appeared"] == 2
    assert desk.do(lambda dark: dark.config()).redif_directory == desk.root


def test_without_anything_to_read_a_run_says_what_could_be_named(desk: Desk) -> None:
    with pytest.raises(UsageError, match="ReDIF_directory"):
        desk.run(config=None)


def test_a_configuration_that_is_not_there_is_told(desk: Desk) -> None:
    with pytest.raises(UsageError, match=r"nowhere\.conf"):
        desk.run(config=desk.folder / "nowhere.conf")


def test_an_archive_has_no_addresses_inside_the_network_asked_for(
    desk: Desk, server: WireServer
) -> None:
    """Its configuration lies in its folder, which can come from anybody."""
    write_tree(desk.root, {"aaa/wpaper/a.rdf": pointing_to(server.serve("/1.pdf", paper()))})
    path = brought_along(desk, f"ReDIF_directory = {desk.root}", "private_networks = yes")

    with pytest.raises(ConfigError, match=r"private_networks = true.*under \[mementos\]"):
        desk.run(config=None, full_texts=True)
    with pytest.raises(ConfigError, match="inside your network"):
        desk.run(config=path, full_texts=True)

    assert server.seen == []
    assert desk.run(config=None).scope_ok  # where nothing is asked for, nothing is refused


def test_what_was_allowed_after_the_archive_was_opened_is_not_advised_again(
    desk: Desk, server: WireServer
) -> None:
    write_tree(desk.root, {"aaa/wpaper/a.rdf": pointing_to(server.serve("/1.pdf", paper()))})
    lines = (f"ReDIF_directory = {desk.root}", "private_networks = yes")
    brought_along(desk, *lines)

    async def allow_then_run(dark: Dark) -> RunReport:
        configure("[mementos]\nprivate_networks = true\n")
        return await dark.run(GatheringOrder(full_texts=True), desk.told.append)

    with pytest.raises(ConfigError, match="Open the archive again") as refused:
        desk.do(allow_then_run)

    assert "“Request addresses inside your network”" in str(refused.value)
    assert "write" not in str(refused.value)
    assert server.seen == []


def test_ones_own_configuration_has_addresses_inside_the_network_asked_for(
    desk: Desk, server: WireServer
) -> None:
    configure("[mementos]\nprivate_networks = true\n[network]\napi_interval_s = 0\n")
    write_tree(desk.root, {"aaa/wpaper/a.rdf": pointing_to(server.serve("/1.pdf", paper()))})
    lines = (f"ReDIF_directory = {desk.root}", "private_networks = yes", "min_interval_s = 0")
    brought_along(desk, *lines)

    desk.run(config=None, full_texts=True)

    assert server.times_asked("/1.pdf") == 1


@pytest.mark.parametrize(
    ("asked_s", "own_s", "kept_s"), [("0", 1, 1), ("0.01", 5, 5), ("30", 1, 30), ("0", 0, 0)]
)
def test_an_archive_has_no_host_asked_faster_than_the_person_has(
    desk: Desk, asked_s: str, own_s: int, kept_s: int
) -> None:
    configure(f"[network]\napi_interval_s = {own_s}\n")
    brought_along(desk, f"min_interval_s = {asked_s}")
    order = GatheringOrder()

    with Archive.create_or_open(desk.path) as archive:
        config = runs._for_others_too(archive, order, runs.configured(archive.path, order))

    assert config.min_interval_s == kept_s


def pointing_to(url: str) -> str:
    return template(handle(1), "Ebb", file_url(url))


def brought_along(desk: Desk, *lines: str) -> Path:
    """Have the archive bring a configuration of its own; return where it is."""
    path = desk.path / "dark_archive" / "gathering.conf"
    Archive.create_or_open(desk.path).close()
    path.parent.mkdir()
    path.write_text("\n".join(lines) + "\n")
    return path


def test_a_tarball_overrules_the_directory(desk: Desk) -> None:
    tarball = write_tarball(desk.folder / "2001-09-09.tar", LATER, 1_000_000_000)

    report = desk.run(tarball=tarball)

    assert report.counts["appeared"] == 1


def test_a_tarball_that_can_not_be_read_is_no_reason_to_read_the_directory(desk: Desk) -> None:
    tarball = desk.folder / "2001-09-09.tar"
    tarball.write_bytes(b"cut off")

    with pytest.raises(UsageError, match="can be read to its end"):
        desk.run(tarball=tarball)

    assert desk.log() == []


def test_a_backfill_needs_a_tarball(desk: Desk) -> None:
    with pytest.raises(UsageError, match="-f"):
        desk.run(backfill="before")


def test_a_backfill_reads_what_is_older(desk: Desk) -> None:
    desk.run()
    tarball = write_tarball(desk.folder / "2001-09-09.tar", LATER, 1_000_000_000)

    report = desk.run(tarball=tarball, backfill="before")

    assert (report.scope, report.scope_ok) == ("backfill:before", True)
    assert desk.log()[2:] == []
    assert desk.rows("SELECT count(*) FROM version") == [(3,)]


def test_the_object_store_is_kept_where_the_configuration_says(desk: Desk) -> None:
    elsewhere = desk.folder / "store"
    desk.configure(f"ReDIF_directory = {desk.root}", f"object_store = {elsewhere}")
    desk.run()

    check = desk.do(lambda dark: dark.verify(desk.told.append))

    assert (elsewhere / "store.json").exists()
    assert not (desk.path / "dark_archive" / "archive").exists()
    assert (check.contents, check.faults) == (3, ())


def test_a_second_object_store_is_refused(desk: Desk) -> None:
    desk.run()
    desk.configure(f"ReDIF_directory = {desk.root}", f"object_store = {desk.folder / 'store'}")

    with pytest.raises(ArchiveError, match="has its object store at"):
        desk.run()


def test_the_confirmation_that_the_configuration_asks_for_is_waited_for(desk: Desk) -> None:
    desk.configure(f"ReDIF_directory = {desk.root}", "confirm_after_days = 0")
    desk.run()
    write_tree(desk.root, {"bbb/journl/fog.rdf": template(handle(1, "journl", "bbb"))})

    desk.run()

    assert [kind for run, kind, _ in desk.log() if run == 2] == ["deletion"] * 2 + ["appearance"]
    lost = desk.do(lambda dark: dark.losses(what=LossKind.REFERENCE))
    assert sorted(each.ident for each in lost) == [handle(1), handle(2)]


def test_a_run_that_is_cancelled_keeps_what_it_has_and_concludes_nothing(desk: Desk) -> None:
    write_tree(desk.root, {"aaa/wpaper/a.rdf": papers(*map(str, range(900)))})

    async def stopped(dark: Dark) -> RunReport:
        order = GatheringOrder(desk.config, full_texts=False)
        return await dark.run(order, lambda told: dark.cancel_run())

    write_tree(desk.root, {**NOW, "aaa/wpaper/b.rdf": papers(*map(str, range(900)), series="b")})
    report = desk.do(stopped)

    assert not report.scope_ok
    assert 0 < len(desk.log()) < 902


def test_one_thing_at_a_time_is_done(desk: Desk) -> None:
    at_once: list[int] = []
    busy = threading.Semaphore(1)

    def tell(told: RunProgress) -> None:
        at_once.append(busy.acquire(blocking=False))
        busy.release()

    async def both(dark: Dark) -> list[object]:
        order = GatheringOrder(desk.config, full_texts=False)
        return list(
            await asyncio.gather(dark.run(order, tell), dark.verify(tell), dark.run(order, tell))
        )

    done = desk.do(both)

    assert len(done) == 3
    assert all(at_once)


def test_while_it_is_closed_nothing_new_is_begun(desk: Desk) -> None:
    async def closed(dark: Dark) -> None:
        await dark.close()
        await dark.run(GatheringOrder(desk.config), desk.told.append)

    with pytest.raises(UsageError, match="closed"):
        desk.do(closed)


def test_a_check_is_journalled_and_finds_what_is_wrong(desk: Desk) -> None:
    desk.run()
    (stored,) = (desk.path / "dark_archive" / "archive").glob("*/*/*/RePEc*2")
    damage(stored, b"x")

    check = desk.do(lambda dark: dark.verify(desk.told.append))

    assert [each.what for each in check.faults] == ["damaged"]
    assert desk.rows("SELECT contents, faults FROM fixity_run") == [(3, 1)]
    (loss,) = desk.do(lambda dark: dark.losses(what=LossKind.COPY))
    assert loss.ident == handle(2)


def test_the_text_of_a_template_is_light(desk: Desk) -> None:
    tist = desk.run().tist

    text = desk.do(lambda dark: dark.text_of("repec:AAA:wpaper:1", tist))

    assert text == "Template-Type: ReDIF-Paper 1.0\nHandle: RePEc:aaa:wpaper:1\nTitle: Ebb\n"


class Held(Desk):
    """A desk at which a full text was had once, from a server that may say something else."""

    def __init__(self, folder: Path, server: WireServer) -> None:
        super().__init__(folder)
        self.server = server
        self.url = server.serve("/paper.pdf", paper())
        write_tree(self.root, {"aaa/wpaper/a.rdf": template(handle(1), "A", file_url(self.url))})
        self.run(full_texts=True)

    def lose(self) -> None:
        self.server.serve("/paper.pdf", html("gone", "410 Gone"))
        self.run(full_texts=True)

    def open(self, reason: str = "a reader asks") -> Path:
        return self.do(lambda dark: dark.open_content(self.url, None, reason))

    def release(self, to: Path, reason: str = "a reader asks") -> Path:
        return self.do(lambda dark: dark.release(self.url, None, reason, to))

    def purge(self, reason: str = "its author asks") -> PurgeReport:
        return self.do(lambda dark: dark.purge(self.url, None, reason))

    def stored(self) -> Path:
        ((path,),) = self.rows("SELECT path FROM content WHERE path LIKE '%paper.pdf'")
        return self.path / "dark_archive" / "archive" / str(path)


@pytest.fixture
def held(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Held]:
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setattr("tempfile.tempdir", None)
    with WireServer() as server:
        yield Held(tmp_path, server)


def test_opening_is_journalled_with_its_reason_and_gives_a_private_copy(held: Held) -> None:
    copy = held.open()

    assert copy.read_bytes() == pdf("On Tides")
    assert copy.name == "paper.pdf"
    assert stat.S_IMODE(copy.parent.stat().st_mode) == 0o700
    assert not copy.stat().st_mode & 0o222
    assert held.rows("SELECT deed, reason FROM opening") == [("opened", "a reader asks")]


def test_without_a_reason_nothing_is_opened(held: Held) -> None:
    with pytest.raises(UsageError, match="reason"):
        held.open("  ")

    assert held.rows("SELECT count(*) FROM opening") == [(0,)]
    assert list(held.folder.glob("carrel-opened-*")) == []


def test_a_damaged_copy_is_not_given_out(held: Held) -> None:
    damage(held.stored(), b"%PDF-1.4 forged")

    with pytest.raises(ArchiveError, match="damaged"):
        held.open()

    assert list(held.folder.glob("carrel-opened-*")) == []


def test_a_run_that_has_the_bytes_again_repairs_the_copy_and_says_so(held: Held) -> None:
    damage(held.stored(), b"%PDF-1.4 forged")
    held.do(lambda dark: dark.verify(held.told.append))
    lost = held.do(lambda dark: dark.losses(what=LossKind.COPY))

    report = held.run(full_texts=True)

    assert [each.ident for each in lost] == [held.url]
    assert report.counts["copies repaired"] == 1
    assert held.do(lambda dark: dark.losses(what=LossKind.COPY)) == []
    assert held.open().read_bytes() == pdf("On Tides")
    assert held.rows("SELECT count(*) FROM fixity_run") == [(1,)]  # all were read once


def test_what_is_still_to_be_had_elsewhere_is_not_released(held: Held) -> None:
    with pytest.raises(UsageError, match="is not lost"):
        held.release(held.folder / "copy.pdf")

    assert not (held.folder / "copy.pdf").exists()


def test_that_something_is_present_is_said_only_of_when_it_was_last_delivered(held: Held) -> None:
    held.server.serve("/paper.pdf", html("no", "403 Forbidden"))
    held.run(full_texts=True)

    with pytest.raises(UsageError, match=r"present when last delivered on .*; on .*: forbidden"):
        held.release(held.folder / "copy.pdf")


def test_what_is_lost_is_released_and_that_is_journalled(held: Held) -> None:
    held.lose()

    copy = held.release(held.folder / "copy.pdf")

    assert copy.read_bytes() == pdf("On Tides")
    assert held.rows("SELECT deed FROM opening") == [("released",)]


def test_nothing_is_said_to_be_released_to_a_folder_that_cannot_be_written_to(held: Held) -> None:
    held.lose()

    with read_only(held.folder / "ro") as ro, pytest.raises(ArchiveError, match="be copied to"):
        held.release(ro / "copy.pdf")

    assert held.rows("SELECT deed FROM opening") == []


def test_where_rights_are_noted_a_copy_is_released_at_once(held: Held) -> None:
    copy = held.release(held.folder / "copy.pdf", "the rights are the author's, who asks")

    assert copy.read_bytes() == pdf("On Tides")


def test_nothing_is_written_over(held: Held) -> None:
    held.lose()
    (held.folder / "copy.pdf").write_text("mine")

    with pytest.raises(UsageError, match="already exists"):
        held.release(held.folder / "copy.pdf")

    assert (held.folder / "copy.pdf").read_text() == "mine"


def test_what_is_purged_is_gone_and_its_digest_stays(held: Held) -> None:
    stored = held.stored()

    report = held.purge()

    assert not stored.exists()
    assert report.copies == ()
    assert held.rows("SELECT sha256, reason FROM purge") == [(report.sha256, "its author asks")]
    with pytest.raises(UsageError, match="purged"):
        held.open()
    assert held.do(lambda dark: dark.verify(held.told.append)).faults == ()


def test_a_purge_removes_private_copies_and_names_what_was_given_out(held: Held) -> None:
    opened = held.open("to compare")
    released = held.release(held.folder / "copy.pdf", "the rights are the author's")
    order = ExportOrder(held.folder / "export", "for a partner, who has the rights")
    held.do(lambda dark: dark.export(order, held.told.append))

    copies = held.purge().copies

    assert [(each.deed, each.path, each.state) for each in copies] == [
        ("opened", str(opened), CopyState.REMOVED),
        ("released", str(released), CopyState.STAYS),
        ("released", str(order.folder), CopyState.STAYS),
    ]
    assert not opened.parent.exists()
    assert released.read_bytes() == pdf("On Tides")
    assert held.do(lambda dark: dark.verify(held.told.append)).faults == ()


def test_a_copy_that_somebody_removed_is_told_as_gone(held: Held) -> None:
    held.open().unlink()

    (copy,) = held.purge().copies

    assert copy.state is CopyState.GONE


def test_a_private_copy_that_was_written_over_is_not_removed(held: Held) -> None:
    opened = held.open()
    opened.chmod(0o600)
    opened.write_text("notes of mine")

    (copy,) = held.purge().copies

    assert (copy.state, opened.read_text()) == (CopyState.STAYS, "notes of mine")
    assert "its bytes differ" in copy.message


def test_no_link_in_place_of_a_private_copy_is_followed(held: Held) -> None:
    opened = held.open()
    mine = held.folder / "mine.pdf"
    opened.rename(mine)
    opened.symlink_to(mine)

    (copy,) = held.purge().copies

    assert (copy.state, mine.read_bytes()) == (CopyState.STAYS, pdf("On Tides"))
    assert "no longer a regular file" in copy.message


def test_no_link_in_place_of_a_private_folder_is_followed(held: Held) -> None:
    opened = held.open()
    mine = held.folder / "mine"
    opened.parent.rename(mine)
    opened.parent.symlink_to(mine)

    (copy,) = held.purge().copies

    assert copy.state is CopyState.STAYS
    assert (mine / "paper.pdf").read_bytes() == pdf("On Tides")


def test_other_files_in_a_private_folder_stay(held: Held) -> None:
    opened = held.open()
    (opened.parent / "notes.txt").write_text("mine")

    (copy,) = held.purge().copies

    assert (copy.state, opened.exists()) == (CopyState.REMOVED, False)
    assert (opened.parent / "notes.txt").read_text() == "mine"


def test_a_version_that_was_purged_says_when_and_why(held: Held) -> None:
    held.purge()

    life = held.do(lambda dark: dark.life(held.url))

    assert life is not None
    (version,) = life.versions
    assert (version.purge_reason, version.purged is not None) == ("its author asks", True)


def test_a_copy_of_which_the_place_was_not_noted_is_told() -> None:
    made = Opened(1, "released", ObiKind.FOBI, "http://example.org/1", 1, "0" * 64, "asked", "lost")

    assert take_back(made).state is CopyState.UNKNOWN


def test_a_copy_outside_a_folder_of_carrels_is_not_removed(tmp_path: Path) -> None:
    mine = tmp_path / "paper.pdf"
    mine.write_bytes(pdf("On Tides"))
    sha256 = hashlib.sha256(pdf("On Tides")).hexdigest()
    made = Opened(1, "opened", ObiKind.FOBI, "http://a.org/1", 1, sha256, "asked", "", str(mine))

    assert (take_back(made).state, mine.exists()) == (CopyState.STAYS, True)


def test_a_template_is_not_purged(held: Held) -> None:
    with pytest.raises(UsageError, match="only full texts"):
        held.do(lambda dark: dark.purge(handle(1), None, "its author asks"))


def test_nothing_is_opened_of_what_nobody_knows(held: Held) -> None:
    with pytest.raises(UsageError, match="not known"):
        held.do(lambda dark: dark.open_content("http://example.org/no", None, "a reader asks"))


def test_a_list_of_addresses_is_read_under_a_name_of_its_own(held: Held) -> None:
    urls = held.folder / "papers.txt"
    urls.write_text(f"{held.server.serve('/other.pdf', paper('On Floods'))}\n")

    report = held.run(url_list=urls, full_texts=True)

    assert (report.scope, report.counts["full texts appeared"]) == ("list:papers", 1)
    assert held.do(lambda dark: dark.verify(held.told.append)).faults == ()


def test_a_list_that_names_nothing_is_no_success_however_often_it_is_read(held: Held) -> None:
    empty = held.folder / "none.txt"
    empty.write_text("no address in here\n")

    first, second = (held.run(url_list=empty, full_texts=True) for _ in range(2))

    assert (first.unread, first.is_complete) == (1, False)
    assert (second.unread, second.is_complete) == (1, False)
    assert "none.txt: still unreadable." in second.problems


def _away(desk: Desk) -> None:
    desk.path.rename(desk.folder / "moved")


def _replaced(desk: Desk) -> None:
    _away(desk)
    desk.path.mkdir()


DEEDS: list[Callable[[Desk, Dark], Awaitable[object]]] = [
    lambda desk, dark: dark.run(GatheringOrder(config=desk.config), desk.told.append),
    lambda desk, dark: dark.set_directory(desk.root),
    lambda desk, dark: dark.verify(desk.told.append),
]


@pytest.mark.parametrize("befall", [_away, _replaced])
@pytest.mark.parametrize("deed", DEEDS)
@pytest.mark.parametrize("store", ["", "object_store = {}/store"])
@pytest.mark.parametrize("is_first", [True, False])
def test_nothing_is_begun_where_an_archive_was_taken_away(
    desk: Desk,
    befall: Callable[[Desk], None],
    deed: Callable[[Desk, Dark], Awaitable[object]],
    store: str,
    is_first: bool,
) -> None:
    desk.configure(f"ReDIF_directory = {desk.root}", store.format(desk.folder))
    runs = [] if is_first else [desk.run()]

    async def done(dark: Dark) -> None:
        befall(desk)
        await deed(desk, dark)

    with pytest.raises(ArchiveError, match=r"archive (was removed|was replaced)"):
        desk.do(done)

    assert [*desk.path.glob("**/*")] == []
    assert (desk.folder / "store").exists() == bool(runs and store)


def test_a_store_is_not_begun_where_its_disk_is_missing(desk: Desk) -> None:
    store = desk.folder / "disk" / "store"
    desk.configure(f"ReDIF_directory = {desk.root}", f"object_store = {store}")

    with pytest.raises(ArchiveError, match=r"Connect its disk"):
        desk.run()

    assert not store.parent.exists()
    store.parent.mkdir()
    assert desk.run().counts["appeared"] == 2


def test_what_a_check_found_is_repaired_in_an_archive_in_use(desk: Desk) -> None:
    desk.run()
    (path,) = (desk.path / "dark_archive" / "archive").rglob("*wpaper%3A1")
    path.chmod(0o600)
    path.write_bytes(b"X" + path.read_bytes()[1:])
    found = desk.do(lambda dark: dark.verify(desk.told.append))
    row = desk.do(lambda dark: dark.losses())

    repaired = desk.do(lambda dark: dark.rebuild(desk.told.append))

    assert [each.can_be_mended for each in found.faults] == [True]
    assert [each.what for each in row] == [LossKind.COPY]
    assert (repaired.faults, [each[:6] for each in repaired.mended]) == ((), ["ledger", "store:"])
    assert desk.do(lambda dark: dark.losses()) == []


def test_full_texts_that_no_template_names_any_more_are_counted(desk: Desk) -> None:
    named = template(handle(1), "On Tides", "File-URL: http://a.example/1.pdf")
    write_tree(desk.root, {"aaa/wpaper/a.rdf": named})
    desk.run()
    write_tree(desk.root, {"aaa/wpaper/a.rdf": template(handle(1), "On Tides")})

    first, second = desk.run(), desk.run()

    assert first.counts["full texts no longer named"] == 1
    assert "full texts no longer named" not in second.counts
