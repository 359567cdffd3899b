# SPDX-License-Identifier: AGPL-3.0-or-later
"""What is said of files that are kept and still deserve a word."""

from carrel.model import FindingLevel, Fixity, ManifestFile, Status
from carrel.strategies.outcome import reasons, remarks, shortfall, worst

EMPTY = Fixity(0, {"md5": "d41d8cd98f00b204e9800998ecf8427e"})


def kept(path: str, declared: Fixity = Fixity(), observed: Fixity = EMPTY) -> ManifestFile:
    return ManifestFile(path, declared=declared, status=Status.SUCCESS, observed=observed)


def test_an_empty_file_that_nobody_announced_is_told_of() -> None:
    (finding,) = remarks([kept("a.txt"), kept("full.txt", observed=Fixity(4))])

    assert (finding.code, finding.level) == ("empty-file", FindingLevel.WARNING)
    assert finding.message.startswith("a.txt: archived as an empty file")


def test_an_empty_file_that_was_published_so_is_none_to_speak_of() -> None:
    missing = ManifestFile("b.txt", status=Status.EMPTY_BLOB, observed=EMPTY)

    assert list(remarks([kept("a.txt", Fixity(0)), missing])) == []


def lost(path: str, message: str | None) -> ManifestFile:
    return ManifestFile(path, status=Status.TRUNCATED, message=message)


def test_a_dataset_ends_with_what_ended_it_else_with_its_first_file() -> None:
    broken, unknown = lost("a.txt", None), ManifestFile("b.txt")
    stopped = ManifestFile("c.txt", status=Status.CANCELLED)

    assert worst([broken, unknown]) is Status.TRUNCATED
    assert worst([unknown, broken]) is Status.NOT_PROCESSED
    assert worst([broken, unknown, stopped]) is Status.CANCELLED


def test_a_reason_that_several_files_share_is_told_once() -> None:
    bad = [
        lost("a.txt", "It is shut."),
        lost("b.txt", "It broke off."),
        lost("c.txt", "It is shut."),
    ]

    told = shortfall([*bad, kept("d.txt")], bad)

    assert told == (
        "1 of 4 files is archived. Not archived: a.txt, c.txt: It is shut; b.txt: It broke off."
    )


def test_of_many_files_the_first_are_named_and_the_rest_counted() -> None:
    shut = [lost(f"{number}.txt", "It is shut.") for number in range(5)]
    others = [lost(name, f"{name} broke.") for name in "xyz"]

    assert reasons(shut[:3]) == "0.txt, 1.txt, 2.txt: It is shut."
    assert reasons(shut) == "0.txt, 1.txt, 2.txt and 2 more: It is shut."
    assert reasons([*shut, *others]).endswith("; x: x broke; y: y broke; and 1 more.")


def test_a_file_without_a_message_has_the_advice_of_its_outcome() -> None:
    assert reasons([lost("a", None)]) == f"a: {Status.TRUNCATED.meaning.advice}"
    assert reasons([ManifestFile("a")]) == f"a: {Status.NOT_PROCESSED.meaning.advice}"


def test_several_empty_files_are_told_of_in_the_plural() -> None:
    (finding,) = remarks([kept("a.txt"), kept("b.txt")])

    assert finding.message.startswith("a.txt, b.txt: archived as empty files, since")
