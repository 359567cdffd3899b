# SPDX-License-Identifier: AGPL-3.0-or-later
"""Formats of what arrives are identified from memory, and nothing waits or fails for it."""

import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from threading import Event

import pytest

from carrel.access.copies import Copies
from carrel.access.formats.apart import Identifier
from carrel.access.formats.arriving import Arriving
from carrel.capture.ends import END_BYTES, HeldEnds
from carrel.hosts.pauses import Cancelled
from carrel.model.formats import Format, FormatKey
from core.access.test_formats import PNG

PICTURE, TEXT = FormatKey("1" * 64, "png"), FormatKey("2" * 64, "")


@pytest.fixture
def copies(tmp_path: Path) -> Iterator[Copies]:
    held = Copies(lambda: tmp_path)
    yield held
    held.close()


@pytest.fixture
def arriving(copies: Copies) -> Iterator[Arriving]:
    identifier = Identifier()
    begun = Arriving(copies, identifier)
    yield begun
    begun.close()
    identifier.close()


class Slow(Identifier):
    """Stands for one that identifies nothing before it may."""

    def __init__(self) -> None:
        super().__init__()
        self.asked, self.may = Event(), Event()

    def get_ready(self) -> None:
        """Be so."""

    def identify_all(self, files: Sequence[tuple[Path, bool]]) -> Sequence[Format]:
        self.asked.set()
        self.may.wait(60)
        return [Format(f"fmt/{path.stat().st_size}", is_cut=is_cut) for path, is_cut in files]


def ends_of(*pieces: bytes) -> HeldEnds:
    ends = HeldEnds()
    for piece in pieces:
        ends.write(piece)
    return ends


def no_one(count: int) -> None:
    """Attend to nothing."""


def test_what_was_taken_is_found_once_under_its_own_extension(arriving: Arriving) -> None:
    arriving.take(PICTURE, ends_of(PNG[:9], PNG[9:]))
    arriving.take(TEXT, ends_of(b"tide\n"))

    found = arriving.found([PICTURE, TEXT, FormatKey("3" * 64, "")], no_one)

    assert {key: each.puid for key, each in found.items()} == {
        PICTURE: "fmt/11",
        TEXT: "x-fmt/111",
    }
    assert arriving.found([PICTURE], no_one) == {}


def test_of_a_shorter_file_nothing_of_a_longer_one_before_it_is_looked_at(copies: Copies) -> None:
    slow = Slow()
    slow.may.set()
    arriving = Arriving(copies, slow)
    arriving.take(FormatKey("4" * 64, "txt"), ends_of(bytes(1000)))
    short = FormatKey("5" * 64, "txt")
    arriving.take(short, ends_of(b"12345"))

    assert arriving.found([short], no_one)[short].puid == "fmt/5"
    arriving.close()


def test_a_container_that_is_not_here_as_a_whole_is_left(arriving: Arriving) -> None:
    container = ends_of(b"PK\x03\x04", *[bytes(END_BYTES)] * 3)
    arriving.take(PICTURE, container)

    assert container.is_cut
    assert arriving.found([PICTURE], no_one) == {}


def test_of_a_large_file_no_more_than_its_ends_is_held_and_that_is_said(copies: Copies) -> None:
    slow = Slow()
    slow.may.set()
    arriving = Arriving(copies, slow)
    arriving.take(TEXT, ends_of(*[b"x" * END_BYTES] * 5))

    found = arriving.found([TEXT], no_one)[TEXT]

    assert (found.puid, found.is_cut) == (f"fmt/{2 * END_BYTES}", True)
    arriving.close()


def test_of_what_waits_no_more_than_so_much_is_held(
    copies: Copies, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("carrel.access.formats.arriving._MOST_BYTES", 10)
    slow = Slow()
    arriving = Arriving(copies, slow)
    arriving.take(FormatKey("0" * 64, ""), ends_of(b"first"))
    assert slow.asked.wait(60)
    arriving.take(PICTURE, ends_of(b"1234567"))
    arriving.take(TEXT, ends_of(b"1234567"))
    slow.may.set()

    assert arriving.found([PICTURE, TEXT], no_one).keys() == {PICTURE}
    arriving.close()


def test_who_waits_for_what_is_found_can_be_stopped(copies: Copies) -> None:
    slow = Slow()
    arriving = Arriving(copies, slow)
    arriving.take(TEXT, ends_of(b"tide"))

    def stop(count: int) -> None:
        raise Cancelled

    with pytest.raises(Cancelled):
        arriving.found([TEXT], stop)
    slow.may.set()
    arriving.close()


def test_where_nothing_identifies_all_is_left(copies: Copies) -> None:
    identifier = Identifier(reader=("-c", "raise SystemExit(5)"))
    arriving = Arriving(copies, identifier)
    arriving.take(TEXT, ends_of(b"tide"))

    assert arriving.found([TEXT], no_one) == {}
    arriving.close()


def test_after_its_end_it_begins_again(arriving: Arriving, tmp_path: Path) -> None:
    arriving.take(TEXT, ends_of(b"tide\n"))
    arriving.found([TEXT], no_one)
    arriving.close()
    assert [path for path in tmp_path.rglob("*") if path.is_file() and path.suffix != ".lock"] == []

    arriving.take(PICTURE, ends_of(PNG))

    assert arriving.found([PICTURE], no_one)[PICTURE].puid == "fmt/11"


def test_it_is_ready_before_there_is_a_file_and_ends_without_one(
    copies: Copies, tmp_path: Path
) -> None:
    started, never = tmp_path / "started", "import time; time.sleep(600)"
    identifier = Identifier(reader=("-c", f"open({str(started)!r}, 'w').close(); {never}"))
    arriving = Arriving(copies, identifier)

    arriving.get_ready()
    while not started.exists():
        time.sleep(0.01)
    arriving.close()  # which would wait for ever for its first answer

    identifier.close()
