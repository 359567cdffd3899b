# SPDX-License-Identifier: AGPL-3.0-or-later
"""Which member is which file: by path, by digest, and never by guessing."""

import hashlib
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from carrel.capture.bundles.members import Member, Refusal
from carrel.model import Fixity, ManifestFile, Status
from carrel.strategies.accounting import account, omissions, published_sizes


def fixity(content: bytes, *algorithms: str) -> Fixity:
    named = algorithms or ("md5", "sha1", "sha256")
    return Fixity(len(content), {name: hashlib.new(name, content).hexdigest() for name in named})


def entry(path: str, content: bytes | None = None, **extra: Any) -> ManifestFile:
    """Return a file with an MD5, or with nothing declared."""
    declared = Fixity() if content is None else fixity(content, "md5")
    return ManifestFile(path, f"http://data.example/{path}", declared, extra=extra)


def member(path: str, content: bytes) -> Member:
    return Member(path, path, len(content), fixity(content))


def matched(manifest: list[ManifestFile], members: list[Member]) -> dict[str, str]:
    found = account(manifest, members)
    return {manifest[at].path: match.member.name for at, match in found.matches.items()}


def test_files_are_found_under_their_paths() -> None:
    files = [entry("a/x", b"1"), entry("b/x", b"2")]

    assert matched(files, [member("b/x", b"2"), member("a/x", b"1")]) == {
        "a/x": "a/x",
        "b/x": "b/x",
    }


def test_files_are_found_in_the_one_folder_that_holds_everything() -> None:
    files = [entry("a/x", None), entry("y", None)]
    members = [member("all/a/x", b"1"), member("all/y", b"2"), member("MANIFEST.TXT", b"")]

    assert matched(files, members) == {"a/x": "all/a/x", "y": "all/y"}


def test_a_decomposed_letter_is_the_same_letter() -> None:
    assert matched([entry("é", None)], [member("e\u0301", b"1")]) == {"é": "e\u0301"}


def test_a_renamed_file_is_proven_by_its_digest_and_that_is_said() -> None:
    found = account([entry("data.csv", b"1")], [member("data.tab", b"1")])

    assert found.matches[0].member.name == "data.tab"
    assert found.matches[0].message == "It is in the bundle as data.tab; verified by its md5."
    assert found.extras == []


def test_a_renamed_file_without_a_digest_is_not_guessed() -> None:
    found = account([ManifestFile("data.csv", None, Fixity(1))], [member("data.tab", b"1")])

    assert found.lacks[0].difference.status is Status.BUNDLE_INCOMPLETE
    assert [extra.name for extra in found.extras] == ["data.tab"]


def test_files_whose_names_were_exchanged_are_told_apart() -> None:
    files = [entry("x", b"1"), entry("7/x", b"2", original_path="x")]

    assert matched(files, [member("x", b"2"), member("x (1)", b"1")]) == {"x": "x (1)", "7/x": "x"}


def test_one_member_is_never_two_files() -> None:
    found = account([entry("a", b"1"), entry("b", b"1")], [member("a", b"1")])

    assert (set(found.matches), set(found.lacks)) == ({0}, {1})
    assert found.lacks[1].difference.message == "The bundle does not have b."


def test_other_bytes_under_a_files_path_are_a_mismatch_and_no_extra() -> None:
    found = account([entry("a", b"1"), entry("b", b"1")], [member("a", b"2"), member("b", b"33")])

    assert found.lacks[0].difference.status is Status.MISMATCH_MD5
    assert found.lacks[1].difference.status is Status.MISMATCH_SIZE
    assert found.extras == []


def test_a_refused_member_is_named_with_the_reason() -> None:
    bad = Member("a", "a", 1, refusal=Refusal.ENCRYPTED, why=Refusal.ENCRYPTED.why)

    found = account([entry("a", b"1")], [bad])

    message = "a in the bundle was refused: it is encrypted."
    assert found.lacks[0].difference.message == message
    assert found.refused == [bad]


def test_of_several_members_with_one_name_only_a_digest_tells_the_right_one() -> None:
    twin = Member("a", "a", 1, refusal=Refusal.DUPLICATE, why="…")
    members = [member("a", b"1"), twin]

    assert set(account([entry("a", b"1")], members).matches) == {0}
    found = account([entry("a", None)], members)
    assert "several members named a" in found.lacks[0].difference.message


def test_a_converted_table_does_not_stand_for_its_upload() -> None:
    found = account([entry("d/a.csv", b"1", stored_name="a.tab")], [member("d/a.tab", b"2")])

    assert "the converted table a.tab" in found.lacks[0].difference.message


def test_the_largest_published_size_of_a_path_counts() -> None:
    files = [entry("x", b"1"), entry("7/x", b"22", original_path="x"), entry("y", None)]

    assert published_sizes(files) == {"x": 2, "7/x": 2}


def test_what_the_bundle_says_of_a_file_is_found() -> None:
    files = [entry("a.txt"), entry("d/a.txt b.txt"), entry("d/c.csv", stored_name="c.tab")]
    notes = (
        "a.txt (text/plain) 10 bytes.\r\n"
        "a.txt b.txt IS RESTRICTED AND CANNOT BE DOWNLOADED\r\n"
        "c.tab skipped because the total size exceeded the limit of 5 bytes.\r\n"
        "a.txt.bak (text/plain) 3 bytes.\r\n\x1b[2J\r\n"
    )

    assert omissions(notes, files) == {
        0: "a.txt (text/plain) 10 bytes.",
        1: "a.txt b.txt IS RESTRICTED AND CANNOT BE DOWNLOADED",
        2: "c.tab skipped because the total size exceeded the limit of 5 bytes.",
    }


def test_a_long_reason_is_quoted_whole_and_steers_no_terminal() -> None:
    reason = "a.txt (text/plain) skipped because " + "the total size exceeded the limit, " * 4

    assert omissions(f"{reason}\x1b[2J", [entry("a.txt")]) == {0: f"{reason}\ufffd[2J"}


def test_endless_notes_are_read_in_bounded_time() -> None:
    assert omissions("x " * 500_000, [entry("a.txt")]) == {}


_NAMES = st.text(st.sampled_from("ab/é."), min_size=1, max_size=6)


@given(
    st.lists(st.tuples(_NAMES, st.binary(max_size=1)), max_size=6),
    st.lists(st.tuples(_NAMES, st.binary(max_size=1)), max_size=6),
)
def test_every_file_is_kept_or_lacking_and_no_member_counts_twice(
    files: list[tuple[str, bytes]], members: list[tuple[str, bytes]]
) -> None:
    manifest = [entry(*file) for file in files]
    present = [member(*one) for one in members]

    found = account(manifest, present)

    assert sorted([*found.matches, *found.lacks]) == list(range(len(manifest)))
    used = [id(match.member) for match in found.matches.values()]
    assert len(set(used)) == len(used)
    assert not {id(extra) for extra in found.extras} & set(used)
    for at, match in found.matches.items():
        assert match.member.fixity is not None
        assert manifest[at].declared.digests["md5"] == match.member.fixity.digests["md5"]
