# SPDX-License-Identifier: AGPL-3.0-or-later
"""Looks as a source of the dark archive: one file with one template for each dataset."""

import hashlib
from collections.abc import Iterator
from dataclasses import replace

import pytest

from carrel.dark_archive.sources.source import Container, ReadTemplate, Source
from carrel.engine.watch.look import Look, Sight
from carrel.engine.watch.manifest_text import manifest_text
from carrel.engine.watch.published import Published
from carrel.engine.watch.source import WatchSource, path_of
from carrel.model import Fixity, ManifestFile, Status
from carrel.model.dark import ContainerState, RunSource

ONE, OTHER, THIRD = "https://e.org/1", "https://e.org/1?a=b", "https://e.org/Übung"
PUBLISHED = Published(
    "zenodo",
    "e.org",
    "1",
    "2.0",
    "Soundings",
    "CC0",
    files=(
        ManifestFile("winds.txt", declared=Fixity(5, {"sha256": "bb", "md5": "aa"})),
        ManifestFile("a b/tides.csv", declared=Fixity(None)),
    ),
)
TEXT = """\
Dataset: https://e.org/1
Title: Soundings
Platform: zenodo at e.org
Platform-Id: 1
Version: 2.0
License: CC0
Status: success
File: a b/tides.csv\t-\t-
File: winds.txt\t5\tmd5:aa sha256:bb
"""


def described(url: str, published: Published = PUBLISHED, at: int = 100) -> Look:
    return Look(url, at, Sight.DESCRIBED, published=published)


def gone(url: str) -> Look:
    return Look(url, 100, Sight.GONE, Status.PLATFORM_404, "It is missing.")


def unseen(url: str) -> Look:
    return Look(url, 100, Sight.UNSEEN, Status.NETWORK_ERROR, "Nobody answers.")


def templates(source: Source) -> Iterator[ReadTemplate]:
    for container in source.containers():
        with container.opened() as file:
            yield from source.read(file, container.path).templates()


def text_of(**changes: object) -> str:
    return manifest_text(ONE, replace(PUBLISHED, **changes))  # type: ignore[arg-type]


def test_a_manifest_is_plain_text_sorted_by_path() -> None:
    assert text_of() == TEXT


def test_the_order_of_a_listing_makes_no_difference() -> None:
    assert text_of(files=PUBLISHED.files[::-1]) == TEXT


def test_findings_and_outcomes_make_no_difference() -> None:
    files = tuple(replace(each, message="odd", mimetype="x/y") for each in PUBLISHED.files)

    assert text_of(files=files, notes={"not-latest": "There is a newer one."}) == TEXT


def test_a_file_that_is_closed_is_marked() -> None:
    shut = replace(PUBLISHED.files[0], status=Status.PLATFORM_RESTRICTED)

    assert text_of(files=(shut,)).endswith("md5:aa sha256:bb\trestricted\n")


@pytest.mark.parametrize(
    ("path", "written"),
    [
        ("a\nFile: forged", "a\\x0aFile: forged"),
        ("a\tb", "a\\x09b"),
        ("a\\x0a", "a\\\\x0a"),
        ("a\u2028b", "a\\u2028b"),
        ("a\ud800b", "a\\ud800b"),
        (" blanks ", "blanks"),
        ("", "-"),
        ("雨.csv", "雨.csv"),
    ],
)
def test_no_name_can_forge_a_line(path: str, written: str) -> None:
    text = text_of(files=(ManifestFile(path),))

    assert text.encode().decode().splitlines()[-1] == f"File: {written}\t-\t-"


def test_what_is_not_told_is_a_dash() -> None:
    text = text_of(version=None, title="  ", license=None, files=())

    assert text.splitlines()[1] == "Title: -"
    assert text.splitlines()[-3:] == ["Version: -", "License: -", "Status: success"]


def test_each_dataset_is_a_container_with_one_template() -> None:
    source: Source = WatchSource([described(ONE)], [ONE])

    (container,) = source.containers()
    with container.opened() as file:
        reading = source.read(file, container.path)
    (template,) = reading.templates()

    assert (container.modified, container.size) == (100, len(TEXT))
    assert (reading.state, reading.size) == (ContainerState.READ, len(TEXT))
    assert reading.sha256 == hashlib.sha256(TEXT.encode()).hexdigest()
    assert (template.handle, template.type, template.position) == (f"dataset:{ONE}", "dataset", 0)
    assert template.text == TEXT
    assert template.text_md5 == hashlib.md5(TEXT.encode()).hexdigest()
    assert (template.restriction, template.references()) == (None, ())


def test_containers_come_by_path_whatever_the_order_of_looks() -> None:
    source = WatchSource([described(THIRD), described(OTHER), described(ONE)], [])

    paths = [container.path for container in source.containers()]

    assert paths == sorted(paths)
    assert {each.handle for each in templates(source)} == {
        f"dataset:{url}" for url in (ONE, OTHER, THIRD)
    }


def test_what_is_gone_has_no_container_and_was_observed() -> None:
    source = WatchSource([gone(ONE), described(OTHER)], [ONE, OTHER])

    assert [each.path for each in source.containers()] == [path_of(OTHER)]
    assert source.unread == ()


def test_what_could_not_be_reached_or_was_not_looked_at_is_unread() -> None:
    source = WatchSource([unseen(ONE)], [ONE, OTHER])

    assert list(source.containers()) == []
    assert source.unread == (path_of(ONE), path_of(OTHER))
    assert source.notes == (f"{ONE} was not observed: Nobody answers.",)


def test_what_was_not_listed_whole_is_unread() -> None:
    source = WatchSource([described(ONE, replace(PUBLISHED, shortfall="More."))], [ONE])

    assert list(source.containers()) == []
    assert source.unread == (path_of(ONE),)


@pytest.mark.parametrize("other", [OTHER, ONE + "/", ONE + "/manifest.txt", ONE.upper()])
def test_no_path_is_the_beginning_of_another(other: str) -> None:
    assert not path_of(other).startswith(path_of(ONE))


def test_the_source_says_what_it_is() -> None:
    source = WatchSource([described(ONE, at=5), described(OTHER, at=7)], [])

    assert (source.source, source.date) == (RunSource.WATCH, 7)
    assert source.reference == "2 watched datasets"
    source.close()


def test_a_container_can_be_opened_twice() -> None:
    (container,) = WatchSource([described(ONE)], []).containers()

    assert read(container) == read(container) == TEXT.encode()


def read(container: Container) -> bytes:
    with container.opened() as file:
        return file.read()
