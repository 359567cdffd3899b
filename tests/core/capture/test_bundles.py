# SPDX-License-Identifier: AGPL-3.0-or-later
"""Bundles: every member is hashed or refused by name, and nothing is ever written."""

import hashlib
import io
import subprocess
import sys
import tarfile
import zipfile
import zlib
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from carrel.capture.bundles.bundle import Format, format_of, members_of
from carrel.capture.bundles.members import (
    Allowance,
    Member,
    Reading,
    Refusal,
    Refused,
    UnreadableBundle,
    relative_path,
)
from carrel.capture.client import Cancelled
from support.archives import environment
from support.bundles import RawMember, gzipped, raw_zip, tar_header, tarred, zipped

BODY = b"The tide came late, wind north-west.\n" * 200
MANY = 10**9


def read(bundle: bytes, most: int = MANY, **how: object) -> list[Member]:
    reading = Reading(Allowance(most), **how)  # type: ignore[arg-type]  # its own fields
    return list(members_of(io.BytesIO(bundle), reading))


def collect(bundle: bytes, found: list[Member]) -> None:
    for member in members_of(io.BytesIO(bundle), Reading(Allowance(MANY))):
        found.append(member)


def refusals(bundle: bytes, most: int = MANY) -> dict[str, Refusal | None]:
    return {member.name: member.refusal for member in read(bundle, most)}


BUNDLES = {
    "deflated": zipped({"a/b.txt": BODY, "empty.txt": b""}),
    "stored": zipped({"a/b.txt": BODY, "empty.txt": b""}, zipfile.ZIP_STORED),
    "descriptors": raw_zip(
        RawMember(b"a/b.txt", BODY, has_descriptor=True), RawMember(b"empty.txt")
    ),
    "zip64": raw_zip(RawMember(b"a/b.txt", BODY, is_zip64=True), RawMember(b"empty.txt")),
    "tar": tarred(("a/b.txt", BODY), ("empty.txt", b"")),
    "gnu": tarred(("a/b.txt", BODY), ("empty.txt", b""), form=tarfile.GNU_FORMAT),
    "tar.gz": gzipped(tarred(("a/b.txt", BODY), ("empty.txt", b""))),
}


@pytest.mark.parametrize("kind", BUNDLES)
def test_every_member_is_sized_and_hashed(kind: str) -> None:
    first, second = read(BUNDLES[kind], algorithms=("md5", "sha256", "sha512"))

    assert (first.name, first.path, first.size) == ("a/b.txt", "a/b.txt", len(BODY))
    assert first.fixity is not None
    assert first.fixity.size == len(BODY)
    assert first.fixity.digests == {
        name: hashlib.new(name, BODY).hexdigest() for name in ("md5", "sha256", "sha512")
    }
    assert second.fixity is not None
    assert (second.path, second.fixity.size) == ("empty.txt", 0)


@pytest.mark.parametrize(
    ("head", "kind"),
    [
        (BUNDLES["deflated"], Format.ZIP),
        (zipped({}), Format.ZIP),
        (BUNDLES["tar"], Format.TAR),
        (BUNDLES["tar.gz"], Format.TAR_GZ),
        (gzipped(BODY), None),
        (gzipped(b""), None),
        (b"<html>PK\x03\x04", None),
        (b"\x1f\x8bnot at all", None),
        (bytes(1024), None),
        (b"", None),
    ],
)
def test_a_bundle_is_known_by_its_content(head: bytes, kind: Format | None) -> None:
    assert format_of(head) is kind


def test_an_empty_zip_has_no_members() -> None:
    assert read(zipped({})) == []


def test_a_zip_within_a_zip_is_just_a_file() -> None:
    inner = zipped({"x": BODY})

    (member,) = read(zipped({"inner.zip": inner}))

    assert member.fixity is not None
    assert member.fixity.digests["md5"] == hashlib.md5(inner).hexdigest()


def test_folders_are_no_members() -> None:
    archive = zipped({"a/": b"", "a/b.txt": BODY})

    assert [member.path for member in read(archive)] == ["a/b.txt"]
    tar = tarred(tar_header("a", tarfile.DIRTYPE), ("a/b.txt", BODY))
    assert [member.path for member in read(tar)] == ["a/b.txt"]


def test_the_folder_that_all_of_it_is_in_has_no_name_and_is_no_member() -> None:
    tar = tarred(tar_header("./", tarfile.DIRTYPE), ("./b.txt", BODY))
    assert [member.path for member in read(tar)] == ["b.txt"]
    assert [member.path for member in read(zipped({"./": b"", "./b.txt": BODY}))] == ["b.txt"]


BAD_NAMES = {
    "/etc/passwd": Refusal.ABSOLUTE,
    "\\\\server\\share": Refusal.ABSOLUTE,
    "./\\x": Refusal.ABSOLUTE,
    "C:\\x.txt": Refusal.DRIVE,
    "./c:x": Refusal.DRIVE,
    "../x": Refusal.PARENT,
    "a/../../x": Refusal.PARENT,
    "a\\..\\x": Refusal.PARENT,
    "a\nb": Refusal.CONTROL,
    "a\x1b[2Jb": Refusal.CONTROL,
    "a\x7fb": Refusal.CONTROL,
    "./.": Refusal.NAMELESS,
}


@pytest.mark.parametrize("name", BAD_NAMES)
def test_a_bad_name_is_refused_and_the_next_member_is_read(name: str) -> None:
    for bundle in (
        raw_zip(RawMember(name.encode(), BODY), RawMember(b"good", BODY)),
        tarred((name, BODY), ("good", BODY)),
    ):
        bad, good = read(bundle)
        assert (bad.name, bad.refusal, bad.path, bad.fixity) == (name, BAD_NAMES[name], None, None)
        assert good.fixity is not None


def test_a_name_that_ends_at_a_zero_byte_is_seen_whole() -> None:
    assert refusals(raw_zip(RawMember(b"a.txt\x00.exe", BODY))) == {
        "a.txt\x00.exe": Refusal.CONTROL
    }


def test_a_name_of_no_known_letters_is_refused() -> None:
    (member,) = read(tarred(("a\udcff", BODY), form=tarfile.GNU_FORMAT))

    assert member.refusal is Refusal.CONTROL


@pytest.mark.parametrize("flags", [0, 0x800])
def test_names_in_utf_8_are_read_whether_it_is_said_or_not(flags: int) -> None:
    (member,) = read(raw_zip(RawMember("Große Wiese/雨.txt".encode(), BODY, flags=flags)))

    assert member.path == "Große Wiese/雨.txt"
    assert member.fixity is not None


FAULTY = {
    "encrypted": (RawMember(b"x", BODY, flags=1), Refusal.ENCRYPTED),
    "strongly encrypted": (RawMember(b"x", BODY, flags=0x40), Refusal.ENCRYPTED),
    "AES": (RawMember(b"x", BODY, method=99, flags=1), Refusal.ENCRYPTED),
    "Deflate64": (RawMember(b"x", BODY, method=9), Refusal.METHOD),
    "unheard of": (RawMember(b"x", BODY, method=77), Refusal.METHOD),
    "symbolic link": (RawMember(b"x", b"/etc/passwd", mode=0o120777), Refusal.LINK),
    "device": (RawMember(b"x", b"", mode=0o060666), Refusal.SPECIAL),
    "folder with bytes": (RawMember(b"x/", BODY), Refusal.SPECIAL),
    "other name": (RawMember(b"x", BODY, local_name=b"y"), Refusal.OTHER_NAME),
    "larger": (RawMember(b"x", BODY, size=100, crc=0), Refusal.LARGER),
    "larger, stored": (RawMember(b"x", BODY, method=0, size=100), Refusal.LARGER),
    "smaller": (RawMember(b"x", BODY, size=len(BODY) + 1), Refusal.TRUNCATED),
    "CRC": (RawMember(b"x", BODY, crc=1), Refusal.BROKEN),
    "no deflate": (RawMember(b"x", BODY, packed=b"\xff" * 50), Refusal.BROKEN),
    "cut deflate": (RawMember(b"x", BODY, packed=b""), Refusal.TRUNCATED),
    "nowhere": (RawMember(b"x", BODY, offset=10**6), Refusal.TRUNCATED),
}


@pytest.mark.parametrize("fault", FAULTY)
def test_a_faulty_member_is_refused_by_name_and_the_next_is_read(fault: str) -> None:
    member, refusal = FAULTY[fault]

    found = read(raw_zip(member, RawMember(b"good", BODY)))

    bad, good = sorted(found, key=lambda member: member.fixity is not None)
    assert (bad.refusal, bad.fixity) == (refusal, None)
    assert bad.why is not None
    assert good.fixity is not None


def test_a_member_that_stands_elsewhere_is_refused() -> None:
    assert refusals(raw_zip(RawMember(b"x", BODY, offset=7))) == {"x": Refusal.BROKEN}


def test_bytes_behind_the_end_of_a_member_are_not_overlooked() -> None:
    deflate = zlib.compressobj(9, zlib.DEFLATED, -15)
    packed = deflate.compress(b"short") + deflate.flush()

    assert refusals(raw_zip(RawMember(b"x", b"short", packed=packed))) == {"x": None}
    hiding = RawMember(b"x", b"short", packed=packed + b"hidden")
    assert refusals(raw_zip(hiding)) == {"x": Refusal.BROKEN}


def test_of_several_members_with_one_name_only_the_first_is_read() -> None:
    doubled = raw_zip(RawMember(b"x", BODY), RawMember(b"./x", b"other"), RawMember(b"X", b"case"))
    tar = tarred(("x", BODY), ("x", b"other"), ("X", b"case"))

    assert refusals(doubled) == {"x": None, "./x": Refusal.DUPLICATE, "X": None}
    assert [member.refusal for member in read(tar)] == [None, Refusal.DUPLICATE, None]


def test_members_that_share_their_bytes_are_refused() -> None:
    bundle = raw_zip(RawMember(b"aa", BODY), RawMember(b"bb", BODY, offset=0))

    assert refusals(bundle)["bb"] is Refusal.OVERLAP
    assert refusals(bundle)["aa"] is None


def test_a_bomb_inflates_to_no_more_than_is_allowed() -> None:
    bomb = zipped({"bomb": bytes(50 * 1024 * 1024), "after": BODY})
    allowance = Allowance(5 * 1024 * 1024)

    found = list(members_of(io.BytesIO(bomb), Reading(allowance)))

    assert {member.refusal for member in found} == {Refusal.OVER_BUDGET}
    assert allowance.left > -2 * 1024 * 1024 - len(BODY)


def test_a_bomb_can_not_use_up_what_the_listed_files_may_inflate_to() -> None:
    bomb = zipped({"bomb": bytes(50 * 1024 * 1024), "listed": BODY})

    found = read(bomb, 1024 * 1024, size_of={"listed": len(BODY)}.get)

    assert {member.name: member.refusal for member in found} == {
        "listed": None,
        "bomb": Refusal.OVER_BUDGET,
    }


def test_a_bomb_in_a_compressed_tar_ends_the_reading() -> None:
    bomb = gzipped(tarred(("bomb", bytes(50 * 1024 * 1024)), ("after", BODY)))
    allowance = Allowance(5 * 1024 * 1024)

    with pytest.raises(UnreadableBundle, match="unpacks to far more"):
        list(members_of(io.BytesIO(bomb), Reading(allowance)))

    assert allowance.left > -2 * 1024 * 1024


@pytest.mark.parametrize("kind", ["deflated", "tar", "tar.gz"])
def test_a_member_larger_than_published_is_not_inflated(kind: str) -> None:
    allowance = Allowance(MANY)
    reading = Reading(allowance, size_of={"a/b.txt": 10}.get)

    large, empty = members_of(io.BytesIO(BUNDLES[kind]), reading)

    assert (large.refusal, large.size, large.fixity) == (Refusal.LARGER, len(BODY), None)
    assert "10 were published" in (large.why or "")
    assert empty.fixity is not None


def test_the_content_of_a_text_is_kept_up_to_a_size() -> None:
    (member,) = read(zipped({"MANIFEST.TXT": BODY}), keeps=lambda path: 40)

    assert member.content == BODY[:40]
    assert member.fixity is not None
    assert member.fixity.size == len(BODY)


@pytest.mark.parametrize("cut", [1, 30, 700])
def test_a_zip_without_its_end_can_not_be_read(cut: int) -> None:
    whole = zipped({f"{number}.txt": BODY for number in range(9)})

    with pytest.raises(UnreadableBundle, match="table of contents"):
        read(whole[:-cut])


def test_a_table_of_contents_beyond_all_measure_is_not_read() -> None:
    bundle = raw_zip(*[RawMember(b"n" * 60_000, offset=0)] * 300)

    with pytest.raises(UnreadableBundle, match="table of contents has"):
        read(bundle)


@pytest.mark.parametrize("bundle", [zipped(dict.fromkeys("abcd", b"")), tarred(*[("a", b"")] * 4)])
def test_more_members_than_any_dataset_has_are_not_listed(bundle: bytes) -> None:
    with pytest.raises(UnreadableBundle, match="more than 3 members"):
        read(bundle, most_members=3)


LINKS = [tarfile.SYMTYPE, tarfile.LNKTYPE]


@pytest.mark.parametrize("kind", LINKS)
@pytest.mark.parametrize("pack", [bytes, gzipped])
def test_links_in_a_tar_are_refused(kind: bytes, pack: object) -> None:
    tar = tarred(tar_header("x", kind, linkname="../../secret", size=700), ("good", BODY))

    bundle = gzipped(tar) if pack is gzipped else tar

    assert refusals(bundle) == {"x": Refusal.LINK, "good": None}


@pytest.mark.parametrize("kind", [tarfile.CHRTYPE, tarfile.BLKTYPE, tarfile.FIFOTYPE, b"Z"])
def test_what_is_no_plain_file_is_refused(kind: bytes) -> None:
    assert refusals(tarred(tar_header("x", kind), ("good", BODY))) == {
        "x": Refusal.SPECIAL,
        "good": None,
    }


def test_a_file_with_holes_is_refused() -> None:
    sparse = tar_header("x", tarfile.REGTYPE)
    sparse.pax_headers = {"GNU.sparse.major": "1", "GNU.sparse.name": "real"}
    old = tar_header("old", tarfile.GNUTYPE_SPARSE)

    assert refusals(tarred(sparse, old, ("good", BODY))) == {
        "real": Refusal.SPARSE,
        "old": Refusal.SPARSE,
        "good": None,
    }


@pytest.mark.parametrize("form", [tarfile.PAX_FORMAT, tarfile.GNU_FORMAT])
def test_long_names_are_read_in_either_form(form: int) -> None:
    name = "/".join(["förder"] * 60) + "/x.txt"

    (member,) = read(tarred((name, BODY), form=form))

    assert (member.path, member.refusal) == (name, None)


def test_a_pax_header_may_tell_the_size() -> None:
    info = tar_header("x", tarfile.REGTYPE)
    info.pax_headers = {"size": str(len(BODY)), "path": "told/x"}
    header = tarred(info)[:1536]
    bundle = header + BODY + bytes(-len(BODY) % 512) + bytes(1024)

    (member,) = read(bundle)

    assert (member.path, member.size, member.refusal) == ("told/x", len(BODY), None)


@pytest.mark.parametrize(
    ("records", "why"),
    [
        ({"size": "-5"}, "not a number"),
        ({"size": "9" * 19}, "a size of"),
        ({"size": "x"}, "not a num"),
    ],
)
def test_a_pax_header_with_a_senseless_size_ends_the_reading(
    records: dict[str, str], why: str
) -> None:
    info = tar_header("x", tarfile.REGTYPE)
    info.pax_headers = records

    with pytest.raises(UnreadableBundle, match=why):
        read(tarred(info))


def test_an_extended_header_beyond_all_measure_is_not_read() -> None:
    info = tar_header("x", tarfile.REGTYPE)
    info.pax_headers = {"path": "x" * 300_000}

    with pytest.raises(UnreadableBundle, match="a header in it has"):
        read(tarred(info))


@pytest.mark.parametrize("record", [b"12 path", b"99 path=x\n", b"x path=y\n", b"3 path=xxxxx\n"])
def test_broken_pax_records_end_the_reading(record: bytes) -> None:
    info = tar_header("pax", tarfile.XHDTYPE, size=len(record))
    bundle = tarred(info)[:512] + record.ljust(512, b"\0") + tarred(("x", BODY))

    with pytest.raises(UnreadableBundle, match="no proper records"):
        read(bundle)


def test_a_damaged_header_is_not_taken_for_the_end() -> None:
    bundle = bytearray(tarred(("a", BODY), ("b", BODY)))
    second = 512 + len(BODY) + -len(BODY) % 512
    bundle[second] ^= 1
    found: list[Member] = []

    with pytest.raises(UnreadableBundle, match="header in it is damaged"):
        collect(bytes(bundle), found)

    assert [member.name for member in found] == ["a"]


@pytest.mark.parametrize("length", [100, 512 + 100, 512 + len(BODY) - 1])
def test_a_tar_that_breaks_off_says_so(length: int) -> None:
    tar = tarred(("a", BODY), ("b", BODY))
    whole = 512 + len(BODY) + -len(BODY) % 512
    found: list[Member] = []

    with pytest.raises(UnreadableBundle):
        collect(tar[: whole + length], found)

    assert found[0].refusal is None
    assert all(member.refusal is Refusal.TRUNCATED for member in found[1:])


@pytest.mark.parametrize("cut", [1, 9, 60])
def test_a_compressed_tar_that_breaks_off_says_so(cut: int) -> None:
    noise = hashlib.shake_128(b"surf").digest(100_000)
    whole = gzipped(tarred(("a", BODY), ("b", noise)))

    with pytest.raises(UnreadableBundle):
        read(whole[:-cut])


def test_a_compressed_tar_with_a_wrong_checksum_says_so() -> None:
    whole = bytearray(BUNDLES["tar.gz"])
    whole[-6] ^= 1

    with pytest.raises(UnreadableBundle, match="damaged"):
        read(bytes(whole))


def test_reading_ends_when_it_is_cancelled() -> None:
    reading = Reading(Allowance(MANY, lambda: True))

    with pytest.raises(Cancelled):
        list(members_of(io.BytesIO(BUNDLES["deflated"]), reading))


def test_what_is_no_archive_says_so() -> None:
    with pytest.raises(UnreadableBundle, match="neither a zip nor a tar"):
        read(b"<html>no</html>")


@given(st.text(min_size=1, max_size=40))
def test_a_path_never_leads_out_of_its_folder(name: str) -> None:
    try:
        path = relative_path(name)
    except Refused:
        return

    for separator in "/\\":
        assert ".." not in path.split(separator)
        assert not path.startswith(separator)
    assert ":" not in path[1:2] or not path[0].isascii() or not path[0].isalpha()
    assert path.isprintable() or not any(ord(character) < 32 for character in path)


@given(st.text(st.sampled_from("./\\:aC\x00é"), min_size=1, max_size=12))
def test_no_name_breaks_the_reading_of_a_zip(name: str) -> None:
    (*members,) = read(raw_zip(RawMember(name.encode(), b"x"), RawMember(b"good", BODY)))

    assert [member.path for member in members if member.fixity][-1] == "good"


@given(st.binary(max_size=200), st.integers(0, 400))
def test_no_bytes_break_the_reading_but_as_unreadable(noise: bytes, place: int) -> None:
    for whole in (BUNDLES["deflated"], BUNDLES["tar.gz"], BUNDLES["gnu"]):
        bundle = whole[:place] + noise + whole[place + len(noise) :]
        try:
            members = read(bundle, 10**6)
        except UnreadableBundle:
            continue
        assert all((member.fixity is None) != (member.refusal is None) for member in members)


PEAK = """
import re, sys
from pathlib import Path
from carrel.capture.bundles.members import Allowance, Reading
from carrel.capture.bundles.bundle import members_of
def peak():
    return int(re.search(r"VmHWM:\\s+(\\d+)", Path("/proc/self/status").read_text())[1])
before = peak()
with open(sys.argv[1], "rb") as file:
    (member,) = members_of(file, Reading(Allowance(10**9)))
print(member.fixity.size, peak() - before)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="the peak is read from /proc")
@pytest.mark.parametrize("kind", ["zip", "stored", "tar.gz"])
def test_memory_stays_flat_for_a_large_member(tmp_path: Path, kind: str) -> None:
    content = bytes(96 * 1024 * 1024)
    bundle = {
        "zip": lambda: zipped({"x": content}),
        "stored": lambda: zipped({"x": content}, zipfile.ZIP_STORED),
        "tar.gz": lambda: gzipped(tarred(("x", content))),
    }[kind]()
    path = tmp_path / "bundle"
    path.write_bytes(bundle)

    ran = subprocess.run(
        [sys.executable, "-c", PEAK, str(path)],
        env=environment(),
        capture_output=True,
        text=True,
        check=True,
    )

    size, grown_kib = map(int, ran.stdout.split())
    assert size == len(content)
    assert grown_kib < 48 * 1024
    assert [each.name for each in tmp_path.iterdir()] == ["bundle"]


def test_a_member_of_a_tar_has_no_more_headers_than_it_needs() -> None:
    header = tarfile.TarInfo("x" * 150).tobuf(tarfile.PAX_FORMAT)[:1024]
    plain = tarred(("x", BODY))

    with pytest.raises(UnreadableBundle, match="a member in it has more than 16 headers"):
        read(header * 17 + plain)

    assert len(read(header * 16 + plain)) == 1
