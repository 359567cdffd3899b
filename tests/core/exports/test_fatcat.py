# SPDX-License-Identifier: AGPL-3.0-or-later
"""Entities of fatcat: what is archived and proven, and nothing claimed beyond that."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from carrel.archive import Archive
from carrel.engine.fatcat import entities_in, entities_in_lines
from carrel.exports.fatcat.entities import entity_of
from carrel.model.fatcat import Entity, EntityKind, NoEntity
from support.fatcat_definitions import faults
from support.fatcat_results import BUNDLE, LANDING, kept, numbered, result, through_the_client

DATASET_URL = {"url": LANDING, "rel": "web"}
ITEM = "https://archive.org/download/zenodo.org-1028059/"
WAYBACK = "https://web.archive.org/web/20260302100000id_/https://zenodo.org/a.csv"
IDENT = "aaaaaaaaaaaaarceaaaaaaaaam"


def made(fields: Mapping[str, Any], replay: str = "") -> Entity:
    """Return the entity of a result, which other people's models and the definitions take."""
    entity = entity_of(fields, replay)
    assert isinstance(entity, Entity), entity
    assert faults(entity.kind, entity.body) == []
    assert through_the_client(entity.kind, entity.body) == entity.body
    return entity


def refused(fields: Mapping[str, Any]) -> str:
    """Return the code of the reason why there is none."""
    entity = entity_of(fields)
    assert isinstance(entity, NoEntity)
    assert entity.reason
    return entity.code


def in_bundle(path: str) -> dict[str, Any]:
    return kept(path, extra={"bundle_member": path})


def test_a_dataset_of_several_files_is_a_fileset_with_the_digests_of_what_arrived() -> None:
    declared = kept("b/c.csv", b"2", md5="0" * 32, declared={"md5": "0" * 32})

    entity = made(result(kept("a.csv", b"1"), declared))

    assert entity.kind is EntityKind.FILESET
    assert entity.body["manifest"][1] == {
        "path": "b/c.csv",
        "size": 1,
        "md5": "c81e728d9d4c2f636f067f89cc14862c",
        "sha1": "da4b9237bacccdf19c0760cab7aec4a8359010b0",
        "sha256": "d4735e3a265e16eee03f59718b9b5d03019c07d8b6c51f90da3a666eec13ab35",
        "mimetype": "text/csv",
        "extra": {"original_url": "https://zenodo.org/api/records/1028059/files/b/c.csv/content"},
    }
    assert entity.body["extra"] == {"platform_id": "1028059"}
    assert entity.body["edit_extra"] == {
        "ingest_request_source": "fatcat-ingest",
        "link_source": "doi",
        "link_source_id": "10.5281/zenodo.1028059",
        "ingest_strategy": "web-fileset",
        "platform_name": "zenodo",
        "platform_domain": "zenodo.org",
        "platform_id": "1028059",
        "ingest_id": "20260302T092958-0000000000000001",
        "ext_ids": {"doi": "10.5281/zenodo.1028059"},
    }


@pytest.mark.parametrize("mimetype", ["application/x-hdf", "application/pdf", None])
def test_a_dataset_of_one_file_is_a_file_of_any_type(mimetype: str | None) -> None:
    entity = made(result(kept("data/a.hdf5", mimetype=mimetype)))

    assert entity.kind is EntityKind.FILE
    assert entity.body.get("mimetype") == mimetype
    assert entity.body["extra"] == {"path": "data/a.hdf5", "platform_id": "1028059"}


def test_empty_files_are_legal() -> None:
    assert made(result(kept("empty", b""), kept("a.csv"))).body["manifest"][0]["size"] == 0
    assert made(result(kept("empty", b""))).body["size"] == 0


@pytest.mark.parametrize(
    ("fields", "code"),
    [
        (result(ingest_strategy="web-fileset"), "empty-manifest"),
        (result(kept("a"), ingest_strategy="web-fileset"), "single-file"),
        (result(kept("a"), kept("b"), ingest_strategy="web-file"), "several-files"),
        (result(kept("a"), kept("b", status="mismatch-md5")), "not-kept"),
        (result(kept("a"), kept("b", status=None)), "not-kept"),
        (result(kept("a"), kept("b", observed=None)), "not-proven"),
        (result(kept("a"), kept("b", observed={"size": 1, "md5": "0" * 32})), "not-proven"),
        (result(kept("a"), kept("b\0c")), "unusable-path"),
        (result(kept("a"), kept("b\udce9")), "invalid-result"),
        (result(kept("a"), kept("b"), hit=False, status="mismatch-md5"), "not-archived"),
        (result(kept("a"), kept("b"), hit=True, status="platform-restricted"), "not-archived"),
        (result(kept("a"), kept("b"), ingest_id=None), "no-ingest"),
        (result(kept("a"), kept("b"), ingest_strategy="other"), "no-strategy"),
        (result(kept("a"), request={"ingest_type": "component", "base_url": "x"}), "not-a-dataset"),
        (result(kept("a"), request={"ingest_type": "dataset-file", "base_url": "x"}), "repeated"),
        (result(kept("a"), manifest=[{"path": 1}]), "invalid-result"),
        ({"status": "success"}, "invalid-result"),
    ],
)
def test_what_is_not_archived_and_proven_is_refused_by_name(
    fields: Mapping[str, Any], code: str
) -> None:
    assert refused(fields) == code


def test_a_refusal_names_the_file_and_what_became_of_it() -> None:
    bad = kept("b.csv", status="mismatch-md5", message="The received file has another MD5.")

    found = entity_of(result(kept("a.csv"), bad))

    assert isinstance(found, NoEntity)
    assert "b.csv" in found.reason
    assert "another MD5" in found.reason
    assert found.ingest_id == "20260302T092958-0000000000000001"


def test_what_is_in_own_warcs_alone_is_claimed_to_be_in_no_archive() -> None:
    entity = made(result(kept("a"), kept("b"), platform_bundle_url=BUNDLE))

    assert entity.body["urls"] == [DATASET_URL]
    assert all(list(file["extra"]) == ["original_url"] for file in entity.body["manifest"])


def test_captures_are_named_where_the_operator_says_they_are_replayed() -> None:
    replay = "https://replay.library.example/data/"

    entity = made(result(kept("a"), kept("b")), replay)

    base = "https://replay.library.example/data"
    assert entity.body["urls"][1] == {
        "url": f"{base}/20260302092959/{LANDING}",
        "rel": "webarchive",
    }
    assert entity.body["manifest"][0]["extra"]["wayback_url"] == (
        f"{base}/20260302093000/https://zenodo.org/api/records/1028059/files/a/content"
    )


def test_a_proven_capture_in_the_wayback_machine_is_named_file_by_file() -> None:
    proven = kept("a.csv", extra={"wayback_url": WAYBACK})

    entity = made(result(proven, kept("b.csv")))

    manifest = entity.body["manifest"]
    assert manifest[0]["extra"]["wayback_url"] == WAYBACK.replace("id_", "")
    assert "wayback_url" not in manifest[1]["extra"]
    assert made(result(proven)).body["urls"] == [
        {"url": WAYBACK.replace("id_", ""), "rel": "webarchive"},
        {"url": "https://zenodo.org/api/records/1028059/files/a.csv/content", "rel": "web"},
    ]


def test_files_in_an_item_are_under_its_address() -> None:
    there = {"archiveorg_item_name": "zenodo.org-1028059"}

    fileset = made(result(kept("a"), kept("b"), **there, ingest_strategy="archiveorg-fileset"))
    file = made(result(kept("N2 on food.hdf5"), **there, ingest_strategy="archiveorg-file"))

    assert fileset.body["urls"] == [{"url": ITEM, "rel": "archive-base"}, DATASET_URL]
    assert file.body["urls"][0] == {"url": f"{ITEM}N2%20on%20food.hdf5", "rel": "archive"}


def test_an_item_that_is_not_where_the_files_were_brought_is_not_claimed() -> None:
    entity = made(result(kept("a"), kept("b"), archiveorg_item_name="zenodo.org-1028059"))

    assert entity.body["urls"] == [DATASET_URL]


def test_a_bundle_in_an_item_is_named_if_all_files_are_in_it() -> None:
    fields = {
        "archiveorg_item_name": "zenodo.org-1028059",
        "ingest_strategy": "archiveorg-fileset-bundled",
        "fileset_bundle": {"archiveorg_bundle_path": "zenodo.org-1028059.zip"},
    }

    whole = made(result(in_bundle("a"), in_bundle("b"), **fields))
    partly = made(result(in_bundle("a"), kept("b"), **fields))

    assert whole.body["urls"][0] == {
        "url": f"{ITEM}zenodo.org-1028059.zip",
        "rel": "archive-bundle",
    }
    assert partly.body["urls"] == [DATASET_URL]


def test_the_zip_of_the_platform_is_named_if_all_files_were_found_in_it() -> None:
    fields = {
        "ingest_strategy": "web-fileset-bundled",
        "platform_bundle_url": BUNDLE,
        "fileset_bundle": {
            "terminal": {"terminal_url": f"{BUNDLE}?x", "terminal_dt": "20260302093001"}
        },
    }

    whole = made(result(in_bundle("a"), in_bundle("b"), **fields))
    partly = made(result(in_bundle("a"), kept("b"), **fields))

    assert whole.body["urls"] == [{"url": BUNDLE, "rel": "repository-bundle"}, DATASET_URL]
    assert partly.body["urls"] == [DATASET_URL]


def test_an_item_that_is_a_test_is_refused() -> None:
    finding = {"code": "archiveorg-test", "message": "…", "level": "warning"}
    fields = {"archiveorg_item_name": "x", "ingest_strategy": "archiveorg-fileset"}

    assert refused(result(kept("a"), kept("b"), **fields, findings=[finding])) == "test-item"


@pytest.mark.parametrize(
    "file",
    [
        kept("a", platform_url="https://s3.example/a?X-Amz-Signature=abc"),
        kept("a", extra={"opened_by_token": True}),
    ],
)
def test_an_address_that_opens_for_its_owner_alone_is_not_published(file: dict[str, Any]) -> None:
    assert "urls" not in made(result(file)).body
    assert "extra" not in made(result(file, kept("b"))).body["manifest"][0]


def test_the_release_that_the_request_names_is_that_of_the_entity() -> None:
    request = {
        "ingest_type": "dataset",
        "base_url": "https://doi.org/10.5072/x",
        "fatcat": {"release_ident": IDENT},
        "release_stage": "published",
    }

    entity = made(result(kept("a"), kept("b"), request=request))

    assert entity.body["release_ids"] == [IDENT]
    assert (entity.release_ident, entity.stage) == (IDENT, "published")


@pytest.mark.parametrize(
    ("request_", "doi", "ids"),
    [
        ({"base_url": "https://doi.org/10.5072/ABC"}, None, {"doi": "10.5072/abc"}),
        ({"base_url": "https://zenodo.org/records/1"}, "10.5072/Z", {"doi": "10.5072/z"}),
        ({"base_url": "https://zenodo.org/records/1"}, None, {}),
        (
            {"base_url": "x", "ext_ids": {"arxiv": "1", "pmid": "2", "doi": "10.5072/A"}},
            "10.5072/other",
            {"doi": "10.5072/a", "pmid": "2", "arxiv": "1"},
        ),
        ({"base_url": "x", "ext_ids": {"pmid": "2"}}, "10.5072/other", {"pmid": "2"}),
    ],
)
def test_identifiers_to_look_a_release_up_by(
    request_: Mapping[str, Any], doi: str | None, ids: Mapping[str, str]
) -> None:
    fields = result(kept("a"), request={"ingest_type": "dataset", **request_}, doi=doi)

    entity = made(fields)

    assert list(entity.ext_ids.items()) == list(ids.items())


def test_the_same_files_at_the_same_release_have_the_same_key() -> None:
    one, other = made(numbered(1)), made({**numbered(1), "ingest_id": "other"})

    assert one.key(IDENT) == other.key(IDENT)
    assert one.key(IDENT) != made(numbered(2)).key(IDENT)
    assert one.key(IDENT) != one.key(IDENT[::-1])


def test_an_ingest_that_the_archive_does_not_know_is_named(archive: Archive) -> None:
    (none,) = entities_in(archive, ["none"])

    assert isinstance(none, NoEntity)
    assert (none.code, none.ingest_id) == ("no-result", "none")


def test_lines_that_are_no_results_are_named_by_their_number(tmp_path: Path) -> None:
    path = tmp_path / "results.jsonl"
    path.write_text(f"{json.dumps(numbered(1))}\n\n[1]\n{{\n")

    with path.open("rb") as stream:
        found = list(entities_in_lines(stream))

    assert isinstance(found[0], Entity)
    assert [each.reason for each in found[1:] if isinstance(each, NoEntity)] == [
        "Line 3 is not a result in JSON.",
        "Line 4 is not a result in JSON.",
    ]


SMALL = st.none() | st.booleans() | st.integers() | st.text(max_size=8)
JSON = SMALL | st.lists(SMALL, max_size=2) | st.dictionaries(st.text(max_size=4), SMALL, max_size=2)
NAMES = [*numbered(1), "fileset_bundle", "archiveorg_item_name", "doi", "platform_bundle_url"]


@given(st.dictionaries(st.sampled_from(NAMES), JSON, max_size=4))
def test_whatever_a_result_says_is_an_entity_or_named(changes: Mapping[str, Any]) -> None:
    found = entity_of({**numbered(1), **changes})

    reason = found.reason if isinstance(found, NoEntity) else faults(found.kind, found.body)
    assert reason == [] or isinstance(reason, str)
