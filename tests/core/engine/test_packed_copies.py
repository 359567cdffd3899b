# SPDX-License-Identifier: AGPL-3.0-or-later
"""A second copy that was made before the archive was packed is a copy of it as before: each small
WARC there is a part of a packed one here, and brings it back."""

import asyncio
import hashlib
import shutil
from datetime import UTC, datetime
from pathlib import Path

import pytest

from carrel.archive import COPY_LIST_NAME, LEDGER_NAME, Archive
from carrel.engine import Engine
from carrel.model import Capture
from carrel.settings.copies import copies_of
from support.archives import carrel, ingest, new_archive
from support.warcs import members_of
from support.wire import WireServer, dataset_page, reply

BODIES = {name: hashlib.shake_128(name.encode()).digest(9_000) for name in ("ebb", "fog", "gull")}


def page_of(server: WireServer, name: str, body: bytes) -> str:
    url = server.serve(f"/{name}/{name}.bin", reply(body))
    file = {"name": f"{name}.bin", "contentUrl": url, "sha256": hashlib.sha256(body).hexdigest()}
    return dataset_page(server, [file], f"/{name}", name=name, identifier=name)


@pytest.fixture
def small(server: WireServer, tmp_path: Path) -> Path:
    """An archive with a WARC for each of three ingests."""
    archive = new_archive(tmp_path / "archive")
    ingest(archive, *(page_of(server, *each) for each in BODIES.items()))
    return archive


@pytest.fixture
def copy(small: Path, tmp_path: Path) -> Path:
    """A copy with the three WARCs."""
    done = carrel("replicate", tmp_path / "copy", "--archive", small)
    assert done.code == 0, done.out
    return tmp_path / "copy"


@pytest.fixture
def archive(small: Path, copy: Path) -> Path:
    """The archive, which was packed after it was copied."""
    assert carrel("archive", "pack", "--archive", small).code == 0
    return small


def warcs(root: Path) -> list[Path]:
    return sorted((root / "collections/main/archive").glob("*.warc.gz"))


def files(archive: Path) -> list[Capture]:
    """Return the captures of the files, in the order in which they were archived."""
    with Archive.open_for_reading(archive) as opened:
        found = {each.url.rpartition("/")[2]: each for each in opened.ledger.captures.all()}
    return [found[f"{name}.bin"] for name in BODIES]


def flip(path: Path, at: int) -> None:
    data = bytearray(path.read_bytes())
    data[at] ^= 0xFF
    path.write_bytes(data)


def damage(archive: Path, *numbers: int) -> Path:
    """Damage these files in the packed WARC, and have a fixity run find it; return the WARC."""
    (warc,) = warcs(archive)
    for number in numbers:
        capture = files(archive)[number]
        flip(warc, capture.offset + capture.length // 2)
    assert carrel("verify", "--archive", archive).code == 1
    return warc


def compared(archive: Path, copy: Path) -> list[tuple[str, str]]:
    told = carrel("verify", "--copy", copy, "--archive", archive, "--json")
    (found,) = told.lines
    assert told.code == (1 if found["differing"] else 0)
    return [(each["name"].rpartition("/")[2], each["difference"]) for each in found["differing"]]


def test_what_was_packed_since_differs_in_nothing(archive: Path, copy: Path) -> None:
    told = carrel("verify", "--copy", copy, "--archive", archive)

    assert told.code == 0, told.out
    assert "The copy is as it was copied" in told.out
    assert "changed in the archive since: “carrel replicate” brings the copy up to" in told.out
    assert carrel("replicate", copy, "--archive", archive).code == 0
    assert len(warcs(copy)) == 4
    assert compared(archive, copy) == []


def test_a_damaged_part_is_named_as_the_packed_warc_and_comes_back(
    archive: Path, copy: Path
) -> None:
    sound = warcs(archive)[0].read_bytes()
    warc = damage(archive, 1)
    broken = warc.read_bytes()
    assert compared(archive, copy) == [(warc.name, "damaged-here")]

    told = carrel("repair", "--from", copy, "--archive", archive)

    assert told.code == 0, told.out + told.err
    assert f"repaired: collections/main/archive/{warc.name}. The damaged one is now" in told.out
    assert warc.read_bytes() == sound
    assert warc.with_name(f"{warc.name}.damaged").read_bytes() == broken
    assert carrel("verify", "--archive", archive).code == 0
    assert carrel("status", "--archive", archive, "--json").lines[0].get("damaged", 0) == 0
    assert compared(archive, copy) == []


def test_copying_says_that_the_copy_has_what_is_damaged_and_stays_without_the_damage(
    archive: Path, copy: Path
) -> None:
    warc, before = damage(archive, 0), warcs(copy)

    told = carrel("replicate", copy, "--archive", archive)

    assert f"{warc.name}: 1 record damaged in this archive. The copy has" in told.out
    assert "no intact copy" not in told.out
    assert "The copy is not complete" not in told.out
    assert warcs(copy) == before
    (known,) = copies_of(archive)
    assert not known.needs_attention(datetime.now(UTC))
    assert known.may_have(warc.name)


def test_a_missing_packed_warc_comes_back(archive: Path, copy: Path) -> None:
    (warc,) = warcs(archive)
    sound = warc.read_bytes()
    warc.unlink()
    assert compared(archive, copy) == [(warc.name, "missing-here")]
    told = carrel("verify", "--copy", copy, "--archive", archive)
    assert "The copy has it in small WARC files, which were packed here since." in told.out
    told = carrel("replicate", copy, "--archive", archive)
    assert f"{warc.name}: It is missing from this archive. The copy has it" in told.out
    assert "The copy is not complete" not in told.out

    told = carrel("repair", "--from", copy, "--archive", archive)

    assert told.code == 0, told.out + told.err
    assert warc.read_bytes() == sound
    assert carrel("verify", "--archive", archive).code == 0


def test_a_packed_warc_that_was_cut_short_comes_back(archive: Path, copy: Path) -> None:
    (warc,) = warcs(archive)
    sound = warc.read_bytes()
    warc.write_bytes(sound[: len(sound) // 2])
    assert carrel("repair", "--from", copy, "--archive", archive).code == 0
    assert warc.read_bytes() == sound


def test_a_damaged_record_that_is_no_capture_comes_back(archive: Path, copy: Path) -> None:
    (warc,) = warcs(archive)
    sound = warc.read_bytes()
    flip(warc, start_of_part(archive, warcs(copy)[1].name) + 60)
    told = carrel("replicate", copy, "--archive", archive)
    assert f"{warc.name}: " in told.out
    assert "The copy has it as it was copied: repair the archive" in told.out

    assert carrel("repair", "--from", copy, "--archive", archive).code == 0

    assert warc.read_bytes() == sound
    assert carrel("verify", "--archive", archive).code == 0


def test_bytes_of_a_part_that_no_record_has_come_back(archive: Path, copy: Path) -> None:
    (warc,) = warcs(archive)
    sound = warc.read_bytes()
    flip(warc, start_of_part(archive, warcs(copy)[1].name) + 4)
    assert carrel("verify", "--archive", archive).code == 0
    assert compared(archive, copy) == [(warc.name, "other-here")]

    told = carrel("repair", "--from", copy, "--archive", archive)

    assert told.code == 0, told.out
    assert f"repaired: collections/main/archive/{warc.name}." in told.out
    assert warc.read_bytes() == sound
    assert compared(archive, copy) == []


def test_what_the_window_repairs_is_the_same(archive: Path, copy: Path) -> None:
    (warc,) = warcs(archive)
    sound = warc.read_bytes()
    damage(archive, 1)

    async def repaired() -> None:
        async with Engine.open(archive) as engine:
            compared = await engine.copies.compare(str(copy), lambda done, total: None)
            assert [each.name.rpartition("/")[2] for each in compared.differing] == [warc.name]
            (done,) = await engine.copies.repair(str(copy), lambda done, total: None)
            assert done.is_repaired

    asyncio.run(repaired())
    assert warc.read_bytes() == sound


def test_a_ledger_that_is_made_again_has_a_damaged_record_in_the_packed_warc(
    archive: Path, copy: Path
) -> None:
    """The journal tells where the record was before: a file that is not to be missed."""
    (warc,) = warcs(archive)
    sound, known = warc.read_bytes(), files(archive)[1]
    damage(archive, 1)
    (archive / LEDGER_NAME).unlink()

    assert "1 dataset with missing or damaged" in carrel("rebuild", "--archive", archive).out

    assert files(archive)[1] == known
    told = carrel("repair", "--from", copy, "--archive", archive)
    assert told.code == 0, told.out + told.err
    assert [path.read_bytes() for path in warcs(archive)] == [sound]
    assert carrel("verify", "--archive", archive).code == 0


def copied_damaged(archive: Path, copy: Path) -> Path:
    """Have a copy with the packed WARC beside the small ones: damaged, as an older one wrote it."""
    warc = damage(archive, 2)
    there = copy / warc.relative_to(archive)
    there.write_bytes(warc.read_bytes())
    lines = (copy / COPY_LIST_NAME).read_text().splitlines()
    digest = hashlib.sha256(warc.read_bytes()).hexdigest()
    lines.append(f"{digest}  {warc.relative_to(archive).as_posix()}")
    lines.sort(key=lambda line: line.partition("  ")[2])
    (copy / COPY_LIST_NAME).write_text("".join(f"{line}\n" for line in lines))
    return warc


def test_a_copy_that_got_the_damage_has_the_bytes_in_its_small_warcs(
    archive: Path, copy: Path
) -> None:
    (warc,) = warcs(archive)
    sound = warc.read_bytes()
    copied_damaged(archive, copy)
    told = carrel("replicate", copy, "--archive", archive)
    assert "no intact copy" not in told.out
    assert f"{warc.name}: 1 record damaged in this archive. The copy has" in told.out
    assert compared(archive, copy) == [(warc.name, "damaged-here")]

    assert carrel("repair", "--from", copy, "--archive", archive).code == 0

    assert warc.read_bytes() == sound
    assert carrel("replicate", copy, "--archive", archive).code == 0
    assert (copy / warc.relative_to(archive)).read_bytes() == sound
    assert compared(archive, copy) == []


def test_a_part_that_is_damaged_in_both_is_put_together_of_both(archive: Path, copy: Path) -> None:
    (warc,), there = warcs(archive), warcs(copy)[1]
    sound = warc.read_bytes()
    damage(archive, 1)
    flip(there, there.stat().st_size - 20)
    assert compared(archive, copy) == [
        (there.name, "damaged-in-copy"),
        (there.name, "damaged-here"),
    ]

    told = carrel("repair", "--from", copy, "--archive", archive)

    assert told.code == 0, told.out + told.err
    assert warc.read_bytes() == sound
    assert compared(archive, copy) == [(there.name, "damaged-in-copy")]
    told = carrel("replicate", copy, "--archive", archive)
    assert told.code == 0, told.out
    assert compared(archive, copy) == []
    (known,) = copies_of(archive)
    assert not known.damaged


def test_what_the_copy_has_comes_back_and_the_rest_is_named(archive: Path, copy: Path) -> None:
    gone = warcs(copy)[0]
    gone.unlink()
    (warc,) = warcs(archive)
    sound, first = warc.read_bytes(), files(archive)[0]
    damage(archive, 0, 2)
    told = carrel("replicate", copy, "--archive", archive)
    assert "no intact copy" not in told.out
    assert f"{warc.name}: It is damaged in the copy and here. Repair the archive" in told.out

    told = carrel("repair", "--from", copy, "--archive", archive)

    assert told.code == 1
    assert f"repaired in part: collections/main/archive/{warc.name}: " in told.out
    assert gone.name in told.out
    at = first.offset + first.length // 2
    now = bytearray(warc.read_bytes())
    assert now != sound
    now[at] ^= 0xFF
    assert now == sound
    (known,) = copies_of(archive)
    assert not known.may_have(warc.name)
    again = carrel("repair", "--from", copy, "--archive", archive)
    assert again.code == 1
    assert again.out.startswith(f"not repaired: collections/main/archive/{warc.name}: The copy has")
    assert copies_of(archive) == [known]


def test_of_a_missing_packed_warc_the_parts_that_the_copy_has_come_back(
    archive: Path, copy: Path
) -> None:
    (warc,), gone = warcs(archive), warcs(copy)[1]
    sound, size = warc.read_bytes(), gone.stat().st_size
    gone.unlink()
    warc.unlink()
    told = carrel("replicate", copy, "--archive", archive)
    assert f"{warc.name}: It is missing from this archive. The copy has parts of it" in told.out

    told = carrel("repair", "--from", copy, "--archive", archive)

    assert told.code == 1
    assert f"repaired in part: collections/main/archive/{warc.name}: " in told.out
    start = start_of_part(archive, gone.name)
    assert warc.read_bytes() == sound[:start] + bytes(size) + sound[start + size :]
    verified = carrel("verify", "--archive", archive, "--json").out
    assert "gull.bin" in verified
    with Archive.open_for_reading(archive) as opened:
        damaged = {row["record_id"] for row in opened.ledger.fixity_history.open_damages()}
        ids = [each.record_id for each in files(archive)]
    assert [each in damaged for each in ids] == [False, True, False]


def test_of_a_part_that_is_damaged_in_the_copy_each_intact_record_comes_back(
    archive: Path, copy: Path
) -> None:
    (warc,), there = warcs(archive), warcs(copy)[1]
    sound, start = warc.read_bytes(), start_of_part(archive, there.name)
    places = list(members_of(there.read_bytes()))
    (at, length) = places[-1]
    flip(there, at + length // 2)
    warc.unlink()

    told = carrel("repair", "--from", copy, "--archive", archive)

    assert told.code == 1
    assert f"repaired in part: collections/main/archive/{warc.name}: Still damaged" in told.out
    assert f"(byte {start + at:,})" in told.out
    now = warc.read_bytes()
    assert now[: start + at] == sound[: start + at]
    assert now[start + at + length :] == sound[start + at + length :]
    again = carrel("repair", "--from", copy, "--archive", archive)
    assert again.out.startswith(
        f"not repaired: collections/main/archive/{warc.name}: It is damaged"
    )
    assert warc.read_bytes() == now


def test_what_is_intact_of_a_part_on_either_side_is_in_it_again(archive: Path, copy: Path) -> None:
    (warc,), there = warcs(archive), warcs(copy)[1]
    sound, start = warc.read_bytes(), start_of_part(archive, there.name)
    places = list(members_of(there.read_bytes()))
    broken_here, broken_there, broken_in_both = places[2], places[4], places[-1]
    for at, length in (broken_there, broken_in_both):
        flip(there, at + length // 2)
    for at, length in (broken_here, broken_in_both):
        flip(warc, start + at + length // 2)

    told = carrel("repair", "--from", copy, "--archive", archive)

    assert told.code == 1
    assert f"repaired in part: collections/main/archive/{warc.name}: Still damaged" in told.out
    now = bytearray(warc.read_bytes())
    assert now != sound
    now[start + broken_in_both[0] + broken_in_both[1] // 2] ^= 0xFF
    assert now == sound


def start_of_part(archive: Path, name: str) -> int:
    with Archive.open_for_reading(archive) as opened:
        part = opened.ledger.packed.get(name)
    assert part
    return part.offset


def test_a_forged_small_warc_is_not_believed(archive: Path, copy: Path) -> None:
    """Its list and the WARC agree, but the records are not those that the ledger knows."""
    victim, other = warcs(copy)[:2]
    listed = hashlib.sha256(victim.read_bytes()).hexdigest()
    victim.write_bytes(other.read_bytes())
    forged = hashlib.sha256(other.read_bytes()).hexdigest()
    text = (copy / COPY_LIST_NAME).read_text().replace(listed, forged)
    (copy / COPY_LIST_NAME).write_text(text)
    warc = damage(archive, 0)
    broken = warc.read_bytes()
    told = carrel("verify", "--copy", copy, "--archive", archive)
    assert "nothing is repaired from them" in told.out

    told = carrel("repair", "--from", copy, "--archive", archive, "--json")

    assert told.code == 1
    assert [each["trouble"] for each in told.lines] == ["It is damaged in the copy, too."]
    assert warc.read_bytes() == broken


def test_what_only_the_copy_has_of_the_packed_warc_repairs_it_as_before(
    archive: Path, copy: Path
) -> None:
    sound = warcs(archive)[0].read_bytes()
    assert carrel("replicate", copy, "--archive", archive).code == 0
    for path in warcs(copy)[:3]:
        path.unlink()
    assert carrel("replicate", copy, "--archive", archive).code == 0
    warc = damage(archive, 1)
    assert carrel("repair", "--from", copy, "--archive", archive).code == 0
    assert warc.read_bytes() == sound


@pytest.fixture
def packed_copy(archive: Path, tmp_path: Path) -> Path:
    """A copy that was made after the archive was packed, of which the journal does not tell."""
    assert carrel("replicate", tmp_path / "second", "--archive", archive).code == 0
    assert len(warcs(tmp_path / "second")) == 1
    return tmp_path / "second"


def verified(archive: Path) -> str:
    return carrel("verify", "--archive", archive).out


def lose_all_but_the_journal(archive: Path) -> None:
    shutil.rmtree(archive / "collections")
    (archive / LEDGER_NAME).unlink()
    assert carrel("rebuild", "--archive", archive).code == 1


def test_what_the_copy_has_packed_comes_back_as_the_small_warcs_that_the_journal_tells_of(
    archive: Path, copy: Path, packed_copy: Path
) -> None:
    lose_all_but_the_journal(archive)
    told = carrel("replicate", packed_copy, "--archive", archive)
    assert "archive again" not in told.out
    assert told.out.count("It is missing from this archive. The copy has it: repair from") == 3

    told = carrel("repair", "--from", packed_copy, "--archive", archive)

    assert told.code == 0, told.out + told.err
    assert [it.read_bytes() for it in warcs(archive)] == [it.read_bytes() for it in warcs(copy)]
    assert carrel("verify", "--archive", archive).code == 0
    assert compared(archive, packed_copy) == []
    assert carrel("replicate", packed_copy, "--archive", archive).code == 0
    assert compared(archive, packed_copy) == []


def test_of_a_packed_warc_that_is_damaged_in_the_copy_each_intact_record_comes_back(
    archive: Path, copy: Path, packed_copy: Path
) -> None:
    """Where the first record of a part is damaged it does not say which WARC it was."""
    (there,), start = warcs(packed_copy), start_of_part(archive, warcs(copy)[1].name)
    flip(there, start + 60)
    lose_all_but_the_journal(archive)

    told = carrel("repair", "--from", packed_copy, "--archive", archive)

    assert told.code == 1
    first, second, third = (path.read_bytes() for path in warcs(archive))
    assert [first, third] == [warcs(copy)[0].read_bytes(), warcs(copy)[2].read_bytes()]
    sound = warcs(copy)[1].read_bytes()
    (_, length), *_ = members_of(sound)
    assert second[length:] == sound[length:]


def copy_packed_and_go_back(small: Path, folder: Path) -> None:
    """Make a second copy of an archive that was packed, and have that be as it was before."""
    shutil.copytree(small, folder / "before")
    assert carrel("archive", "pack", "--archive", small).code == 0
    assert carrel("replicate", folder / "copy", "--archive", small).code == 0
    shutil.rmtree(small)
    shutil.move(folder / "before", small)


def test_a_missing_small_warc_of_an_archive_from_before_it_was_packed_comes_back(
    small: Path, tmp_path: Path
) -> None:
    copy_packed_and_go_back(small, tmp_path)
    missing, damaged, sound = warcs(small)
    contents = [path.read_bytes() for path in warcs(small)]
    missing.unlink()
    flip(damaged, damaged.stat().st_size // 2)

    told = carrel("repair", "--from", tmp_path / "copy", "--archive", small)

    assert told.code == 0, told.out + told.err
    assert [path.read_bytes() for path in warcs(small)] == contents
    assert sound in warcs(small)
    assert compared(small, tmp_path / "copy") == []


def test_what_is_damaged_in_a_small_warc_and_intact_in_a_packed_one_of_the_copy_is_not_copied(
    small: Path, tmp_path: Path
) -> None:
    copy_packed_and_go_back(small, tmp_path)
    damaged = warcs(small)[0]
    sound = damaged.read_bytes()
    flip(damaged, files(small)[0].offset + 100)

    told = carrel("replicate", tmp_path / "copy", "--archive", small)

    assert f"{damaged.name}: 1 record damaged in this archive. The copy has it" in told.out
    assert damaged.name not in [path.name for path in warcs(tmp_path / "copy")]
    assert carrel("repair", "--from", tmp_path / "copy", "--archive", small).code == 0
    assert damaged.read_bytes() == sound


@pytest.mark.parametrize("size", [0, 12_000, 25_000])
def test_what_is_in_a_repaired_packed_warc_is_known_though_the_ledger_was_made_without_it(
    archive: Path, copy: Path, packed_copy: Path, size: int
) -> None:
    (warc,), known = warcs(archive), files(archive)
    sound = warc.read_bytes()
    warc.write_bytes(sound[:size])
    assert carrel("rebuild", "--replace", "--archive", archive).code == 1

    told = carrel("repair", "--from", packed_copy, "--archive", archive)

    assert told.code == 0, told.out + told.err
    assert [path.read_bytes() for path in warcs(archive)] == [sound]
    assert files(archive) == known
    assert carrel("verify", "--archive", archive).code == 0
    assert carrel("status", "--archive", archive, "--json").lines[0].get("damaged", 0) == 0
    assert "The ledger is sound" in carrel("rebuild", "--archive", archive).out
    assert compared(archive, packed_copy) == []


def test_a_packed_warc_of_which_the_ledger_knows_less_is_made_whole_of_small_ones(
    archive: Path, copy: Path
) -> None:
    (warc,), known = warcs(archive), files(archive)
    sound = warc.read_bytes()
    warc.write_bytes(sound[:12_000])
    assert carrel("rebuild", "--replace", "--archive", archive).code == 1

    told = carrel("repair", "--from", copy, "--archive", archive)

    assert told.code == 0, told.out
    assert carrel("verify", "--archive", archive).code == 0
    assert [each.record_id for each in files(archive)] == [each.record_id for each in known]
    assert compared(archive, copy) == []


def test_a_packed_warc_that_someone_put_back_is_known_after_a_repair(
    archive: Path, packed_copy: Path
) -> None:
    (warc,), known = warcs(archive), files(archive)
    sound = warc.read_bytes()
    warc.unlink()
    (archive / LEDGER_NAME).unlink()
    assert carrel("rebuild", "--archive", archive).code == 1
    warc.write_bytes(sound)
    assert f"These bytes are in {warc.name}: “carrel rebuild" in verified(archive)

    told = carrel("repair", "--from", packed_copy, "--archive", archive)

    assert told.code == 0, told.out
    assert told.out.startswith(f"repaired: collections/main/archive/{warc.name}.")
    assert files(archive) == known
    assert carrel("verify", "--archive", archive).code == 0
