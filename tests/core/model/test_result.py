# SPDX-License-Identifier: AGPL-3.0-or-later
"""Results of every kind have the published shape."""

import json
from dataclasses import replace
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from carrel.model import (
    Capture,
    Finding,
    FindingLevel,
    Fixity,
    IngestFilesetResult,
    IngestRequest,
    IngestStrategy,
    ManifestFile,
    PlatformItem,
    Stage,
    Status,
    StrategyChoice,
)
from carrel.schemas import schema

CAPTURE = Capture(
    url="https://data.example/files/1",
    surt="example,data)/files/1",
    timestamp="20260302093015",
    mimetype="text/csv",
    status_code=200,
    size=4,
    md5="0a" * 16,
    sha1="0a" * 20,
    sha256="0a" * 32,
    filename="main-1.warc.gz",
    offset=100,
    length=20,
    record_id="<urn:uuid:1>",
)
FILE = ManifestFile(
    "surf.csv",
    CAPTURE.url,
    Fixity(4, {"md5": "0a" * 16, "sha512": "0b" * 64}),
    "text/csv",
    {"dataverse_file_id": 7},
    Status.SUCCESS,
    Fixity(4, {"md5": "0a" * 16, "sha1": "0a" * 20, "sha256": "0a" * 32}),
    CAPTURE.url,
    CAPTURE.timestamp,
)
ITEM = PlatformItem(
    platform_name="dataverse",
    platform_domain="data.example",
    platform_id="doi:10.5072/a",
    manifest=(FILE,),
    platform_version="1.0",
    title="Surf",
    creators=("Thorne, Beatrix",),
    license="CC0",
    findings=(Finding("original-format", "The original is kept."),),
)
BARE = IngestFilesetResult(IngestRequest("https://doi.org/10.5072/a"), Status.NOT_FOUND)
WHOLE = IngestFilesetResult(
    request=IngestRequest("https://doi.org/10.5072/a", ext_ids={"doi": "10.5072/a"}),
    status=Status.SUCCESS_FILE,
    hops=("https://doi.org/10.5072/a", "https://data.example/a"),
    landing=replace(CAPTURE, url="https://data.example/a", mimetype="text/html"),
    html_biblio={"title": "Surf"},
    item=ITEM,
    choice=StrategyChoice(IngestStrategy.WEB_FILE, "One file."),
    manifest=(FILE,),
    file_capture=CAPTURE,
    findings=(Finding("a", "b", FindingLevel.WARNING),),
    ingest_id="20260302T093015-0a0b0c0d",
    started="2026-03-02T09:30:15Z",
    finished="2026-03-02T09:30:16Z",
    carrel_version="0.1",
)
KINDS = {
    "bare": BARE,
    "whole": WHOLE,
    "preview": replace(WHOLE, status=Status.SUCCESS, manifest=None, ingest_id=None, finished=None),
    "revisits": replace(
        WHOLE,
        landing=replace(CAPTURE, is_revisit=True),
        file_capture=replace(CAPTURE, is_revisit=True),
    ),
    "failed": replace(
        WHOLE,
        status=Status.MISMATCH_MD5,
        stage=Stage.VERIFY,
        error_message="0 of 1 files are kept.",
        manifest=(replace(FILE, status=Status.MISMATCH_MD5, message="Other bytes arrived."),),
        file_capture=None,
    ),
    "unknown-size": replace(WHOLE, manifest=(ManifestFile("a"), ManifestFile("b"))),
    "empty-manifest": replace(WHOLE, item=replace(ITEM, manifest=()), manifest=()),
}


def errors(name: str, document: dict[str, Any]) -> list[str]:
    read = json.loads(json.dumps(document))
    return [error.message for error in Draft202012Validator(schema(name)).iter_errors(read)]


@pytest.mark.parametrize("kind", KINDS)
def test_a_result_of_any_kind_has_the_published_shape(kind: str) -> None:
    assert errors("ingest_fileset_result", KINDS[kind].to_json()) == []


@pytest.mark.parametrize("kind", KINDS)
def test_a_request_has_the_published_shape(kind: str) -> None:
    assert errors("ingest_request", KINDS[kind].request.to_json()) == []


@pytest.mark.parametrize("status", Status)
def test_a_result_of_any_status_has_the_published_shape(status: Status) -> None:
    assert errors("ingest_fileset_result", replace(BARE, status=status).to_json()) == []


@pytest.mark.parametrize("kind", ["whole", "revisits"])
def test_the_result_of_a_single_file_has_the_published_shape(kind: str) -> None:
    document = KINDS[kind].to_file_result_json()

    assert document is not None
    assert errors("ingest_file_result", document) == []


def test_the_result_of_a_single_file_is_one_of_a_file() -> None:
    document = WHOLE.to_file_result_json()

    assert document is not None
    assert document["request"]["ingest_type"] == "dataset-file"
    assert (document["hit"], document["status"]) == (True, "success")
    assert document["hops"][-1] == document["terminal"]["terminal_url"] == CAPTURE.url
    assert document["file_meta"]["sha256hex"] == CAPTURE.sha256
    assert errors("ingest_request", document["request"]) == []


@pytest.mark.parametrize("kind", ["bare", "preview", "failed"])
def test_only_a_single_file_that_was_kept_has_a_result_of_its_own(kind: str) -> None:
    assert KINDS[kind].to_file_result_json() is None


def test_a_landing_page_is_reported_with_the_proposal_s_fields() -> None:
    fields = WHOLE.to_json()

    assert fields["terminal"]["terminal_url"] == "https://data.example/a"
    assert fields["file_meta"]["size_bytes"] == 4
    assert fields["cdx"]["sha1b32"] == "BIFAUCQKBIFAUCQKBIFAUCQKBIFAUCQK"
    assert fields["fileset_file"]["cdx"]["warc_path"] == "main-1.warc.gz"


def test_counts_and_sizes_are_those_of_the_manifest() -> None:
    fields = KINDS["unknown-size"].to_json()

    assert (fields["file_count"], fields["total_size"], fields["unknown_sizes"]) == (2, 0, 2)


def test_what_could_not_be_compared_is_kept_and_not_called_verified() -> None:
    bare = replace(FILE, declared=Fixity())
    fields = replace(WHOLE, manifest=(bare,)).to_json()

    assert (fields["hit"], fields["status"]) == (True, "success-file")
    assert fields["proof"] == {"digest": 0, "size": 0, "nothing": 1}
    assert fields["advice"] == (
        "The file was archived; there was no checksum to compare with, so the only proof is that "
        "the stored bytes are those that arrived."
    )
    assert errors("ingest_fileset_result", fields) == []


def test_what_matched_a_published_digest_is_verified() -> None:
    fields = WHOLE.to_json()

    assert fields["proof"] == {"digest": 1, "size": 0, "nothing": 0}
    assert fields["advice"] == "The file was archived, and its checksum matches."
    assert replace(WHOLE, status=Status.SUCCESS).advice == fields["advice"]


def test_a_preview_proves_nothing() -> None:
    waiting = replace(ITEM, manifest=(replace(FILE, status=None, observed=None),))

    assert "proof" not in replace(KINDS["preview"], item=waiting).to_json()


def test_what_has_no_value_is_left_out() -> None:
    assert None not in WHOLE.to_json().values()
    assert "manifest" not in BARE.to_json()
