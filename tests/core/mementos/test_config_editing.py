# SPDX-License-Identifier: AGPL-3.0-or-later
"""The collections file changed source by source: nothing else in it changes."""

import difflib
import stat
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from carrel.errors import ConfigError
from carrel.mementos.config.collection import Collection, MementoSource, SourceConfig
from carrel.mementos.config.default import default_text
from carrel.mementos.config.editor import CollectionsFile
from carrel.mementos.config.grammar import read

TEXT = """\
# My collections.

collections:
    near:   $archive      # what I have

    many:
        index_timeout:   3     # be patient
        index_group:
            # the big one
            ia: memento+http://ia/web     # slow on Mondays
            far:    # in full
                type: cdx
                # pywb's
                api_url: "http://far/cdx?url={url}"
                replay_url: http://far/{timestamp}id_/{url}

            # last, not least
            'live': $live

    # what comes after
    other: $live
"""
FULL = {
    "type": "memento",
    "timegate_url": "http://new/{url}",
    "replay_url": "http://new/{timestamp}id_/{url}",
}


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "collections.yaml"
    path.write_text(TEXT)
    return path


@pytest.fixture
def file(path: Path, tmp_path: Path) -> CollectionsFile:
    return CollectionsFile(path, archive=tmp_path)


def changes(path: Path) -> list[str]:
    """Return the lines that went and came."""
    lines = difflib.ndiff(TEXT.splitlines(), path.read_text().splitlines())
    return [line for line in lines if line[0] in "+-"]


def many(path: Path) -> Collection:
    found = read(path, archive=path.parent).named("many")
    assert found is not None
    return found


def sources(path: Path) -> dict[str, SourceConfig]:
    return {each.name: each for each in many(path).steps[0].sources}


def test_sources_are_given_as_they_are_written(file: CollectionsFile) -> None:
    assert file.sources("many") == [
        ("ia", "memento+http://ia/web"),
        (
            "far",
            'type: cdx\n# pywb\'s\napi_url: "http://far/cdx?url={url}"\n'
            "replay_url: http://far/{timestamp}id_/{url}",
        ),
        ("live", "$live"),
    ]


def test_a_source_is_added_at_the_end(file: CollectionsFile, path: Path) -> None:
    file.add_source("many", "new", "memento+http://new/")

    assert changes(path) == ["+             new: memento+http://new/"]
    assert list(sources(path)) == ["ia", "far", "live", "new"]


def test_a_source_in_full_is_added(file: CollectionsFile, path: Path) -> None:
    file.add_source("many", "new one", FULL)

    assert changes(path) == [
        "+             new one:",
        "+                 type: memento",
        "+                 timegate_url: http://new/{url}",
        "+                 replay_url: http://new/{timestamp}id_/{url}",
    ]
    assert sources(path)["new one"] == MementoSource(
        "new one", "http://new/{url}", "", "http://new/{timestamp}id_/{url}"
    )


def test_a_changed_text_keeps_the_comment_behind_it(file: CollectionsFile, path: Path) -> None:
    file.change_source("many", "ia", "memento+http://other/")

    assert changes(path) == [
        "-             ia: memento+http://ia/web     # slow on Mondays",
        "+             ia: memento+http://other/     # slow on Mondays",
    ]


def test_a_changed_mapping_keeps_the_comment_of_its_name(file: CollectionsFile, path: Path) -> None:
    (_, far, _) = file.sources("many")

    file.change_source("many", "far", far[1].replace("http://far/cdx", "http://far/CDX"))

    assert changes(path) == [
        '-                 api_url: "http://far/cdx?url={url}"',
        '+                 api_url: "http://far/CDX?url={url}"',
    ]


def test_a_text_becomes_a_mapping_and_a_mapping_a_text(file: CollectionsFile, path: Path) -> None:
    file.change_source("many", "ia", FULL)
    file.change_source("many", "far", "$live")

    assert [each.kind for each in sources(path).values()] == ["memento", "live", "live"]
    assert "ia:     # slow on Mondays\n                type: memento\n" in path.read_text()


def test_a_source_gets_another_name(file: CollectionsFile, path: Path) -> None:
    file.change_source("many", "live", "$live", new_name="now")

    assert changes(path) == ["-             'live': $live", "+             now: $live"]


def test_a_source_is_removed_with_the_comment_above_it(file: CollectionsFile, path: Path) -> None:
    file.remove_source("many", "live")

    assert changes(path) == ["-             # last, not least", "-             'live': $live"]


def test_a_source_is_moved_with_its_comments(file: CollectionsFile, path: Path) -> None:
    file.move_source("many", "live", 0)

    assert list(sources(path)) == ["live", "ia", "far"]
    assert "index_group:\n            # last, not least\n            'live': $live\n" in (
        path.read_text()
    )
    assert sorted(TEXT.splitlines()) == sorted(path.read_text().splitlines())


def test_the_last_source_can_not_be_removed(file: CollectionsFile, path: Path) -> None:
    file.remove_source("many", "live")
    file.remove_source("many", "ia")

    with pytest.raises(ConfigError, match="is the only source"):
        file.remove_source("many", "far")

    assert list(sources(path)) == ["far"]


@pytest.mark.parametrize("name", ["near", "other"])
def test_what_is_no_group_is_changed_by_hand(file: CollectionsFile, name: str) -> None:
    with pytest.raises(ConfigError, match="is not a group of sources"):
        file.add_source(name, "new", "$live")


def test_an_unknown_collection_is_named(file: CollectionsFile) -> None:
    with pytest.raises(ConfigError, match="no collection named “nix”"):
        file.sources("nix")


@pytest.mark.parametrize(
    ("name", "source"),
    [
        ("new", "memento+nowhere"),
        ("new", "type: memento"),
        ("new", ""),
        ("new", "# nothing"),
        ("ia", "$live"),
        ("a,b", "$live"),
        ("new", "$live\nother: $live"),
        ("new", "[unclosed"),
        ("new", "*nothing"),
    ],
)
def test_what_makes_no_sense_is_not_written(
    file: CollectionsFile, path: Path, name: str, source: str
) -> None:
    with pytest.raises(ConfigError):
        file.add_source("many", name, source)

    assert path.read_text() == TEXT
    assert list(path.parent.iterdir()) == [path]


def test_an_unknown_source_is_not_changed(file: CollectionsFile, path: Path) -> None:
    with pytest.raises(ConfigError, match="no source named “nix”"):
        file.change_source("many", "nix", "$live")

    assert path.read_text() == TEXT


def test_what_somebody_else_wrote_is_not_lost(file: CollectionsFile, path: Path) -> None:
    file.sources("many")
    path.write_text(TEXT + "    more: $live\n")

    with pytest.raises(ConfigError, match="was changed in the meantime"):
        file.remove_source("many", "live")

    assert path.read_text() == TEXT + "    more: $live\n"
    file.text()
    file.remove_source("many", "live")
    assert "more: $live" in path.read_text()


def test_editing_begins_from_the_default(tmp_path: Path) -> None:
    path = tmp_path / "collections.yaml"
    file = CollectionsFile(path, archive=tmp_path)

    assert file.text() == default_text()
    file.remove_source("all", "arquivo.pt")

    found = read(path, archive=tmp_path)
    assert "arquivo.pt" not in [each.name for each in found.collections[0].steps[0].sources]
    assert path.read_text().startswith("# Where Carrel looks for mementos")


def test_the_whole_text_is_written_if_it_makes_sense(file: CollectionsFile, path: Path) -> None:
    file.write("collections:\n  x: $live\n")

    with pytest.raises(ConfigError, match="Did you mean “"):
        file.write("collections:\n  x: $liv\n")

    assert path.read_text() == "collections:\n  x: $live\n"


def test_a_file_that_makes_no_sense_is_left_as_it_is(file: CollectionsFile, path: Path) -> None:
    path.write_text("collections:\n  x: $liv\n")

    with pytest.raises(ConfigError, match="Did you mean “"):
        file.add_source("x", "new", "$live")

    assert path.read_text() == "collections:\n  x: $liv\n"


def test_line_breaks_and_rights_stay_and_a_link_stays_one(tmp_path: Path) -> None:
    path, link = tmp_path / "real.yaml", tmp_path / "link.yaml"
    path.write_bytes(b"collections:\r\n  x:\r\n    index_group:\r\n      a: $live")
    path.chmod(0o640)
    link.symlink_to(path)

    CollectionsFile(link).add_source("x", "b", {"type": "live"})

    assert link.is_symlink()
    assert stat.S_IMODE(path.stat().st_mode) == 0o640
    assert path.read_bytes() == (
        b"collections:\r\n  x:\r\n    index_group:\r\n      a: $live\r\n"
        b"      b:\r\n        type: live\r\n"
    )


@pytest.mark.parametrize(
    "group",
    ["{a: $live, b: $live}", "\n      ? a\n      : $live\n", "\n      a: &a $live\n      b: *a\n"],
)
def test_what_can_not_be_changed_safely_is_left_alone(tmp_path: Path, group: str) -> None:
    path = tmp_path / "c.yaml"
    path.write_text(text := f"collections:\n  x:\n    index_group: {group}\n")

    with pytest.raises(ConfigError):
        CollectionsFile(path).change_source("x", "a", "memento+http://h/")

    assert path.read_text() == text


NAMES = st.sampled_from(["ia", "far", "live", "new", "null", "1", "- x", "a: b", "#", "é", "'q'"])
SOURCES = st.sampled_from(
    [
        *("$live", "memento+http://h/", "'$live'", '"$live" # why', "type: live", "{type: live}"),
        *("type: cdx\napi_url: http://h/{url}\n# end", "  type: live\n", "&a $live", "- $live"),
        *("x: |\n  y", "", "#", "*a", "type:\n  live", "{type:\n  live}", "type: live\n\n\n"),
    ]
)
EDITS = st.one_of(
    st.tuples(st.just("add"), NAMES, SOURCES),
    st.tuples(st.just("change"), NAMES, SOURCES, NAMES),
    st.tuples(st.just("remove"), NAMES),
    st.tuples(st.just("move"), NAMES, st.integers(-1, 5)),
)


@given(st.lists(EDITS, max_size=6))
@settings(deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_after_any_edits_the_file_is_read_and_all_else_is_there(
    path: Path, edits: list[tuple[str, ...]]
) -> None:
    path.write_text(TEXT)
    file = CollectionsFile(path, archive=path.parent)

    for what, *arguments in edits:
        with suppress(ConfigError):
            getattr(file, f"{what}_source")("many", *arguments)

    found = read(path, archive=path.parent)
    assert [each.name for each in found.collections] == ["near", "many", "other"]
    assert [name for name, _ in file.sources("many")] == [
        each.name for each in many(path).steps[0].sources
    ]
    kept = [*TEXT.splitlines()[:7], *TEXT.splitlines()[-3:]]
    assert [line for line in kept if line not in path.read_text().splitlines()] == []
