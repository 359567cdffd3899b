# SPDX-License-Identifier: AGPL-3.0-or-later
"""Manifests keep apart what was declared and what was observed."""

import json

from hypothesis import given
from hypothesis import strategies as st

from carrel.model import (
    Finding,
    FindingLevel,
    Fixity,
    IngestRequest,
    ManifestFile,
    Status,
    total_size,
    unknown_sizes,
)

HEX = st.binary(min_size=16, max_size=16).map(bytes.hex)
SIZES = st.none() | st.integers(0, 2**63)
FIXITIES = st.builds(
    Fixity, SIZES, st.dictionaries(st.sampled_from(["md5", "sha1", "sha256", "sha512"]), HEX)
)
TEXTS = st.none() | st.text()
JSON = st.dictionaries(st.text(), st.text() | st.integers() | st.none() | st.booleans())
FILES = st.builds(
    ManifestFile,
    path=st.text(min_size=1),
    platform_url=TEXTS,
    declared=FIXITIES,
    mimetype=TEXTS,
    extra=JSON,
    status=st.none() | st.sampled_from(Status),
    observed=st.none() | FIXITIES,
    terminal_url=TEXTS,
    terminal_dt=TEXTS,
    message=TEXTS,
)
KNOWN = set(IngestRequest.__slots__)
REQUESTS = st.builds(
    IngestRequest,
    base_url=st.text(min_size=1),
    ingest_type=st.sampled_from(["dataset", "dataset-file"]),
    link_source=TEXTS,
    link_source_id=TEXTS,
    ingest_request_source=TEXTS,
    ext_ids=st.dictionaries(st.text(), st.text()),
    force_recrawl=st.booleans(),
    extra=JSON.map(lambda extra: {k: v for k, v in extra.items() if k not in KNOWN}),
)


@given(file=FILES)
def test_a_file_comes_back_from_json_as_it_was(file: ManifestFile) -> None:
    assert ManifestFile.from_json(json.loads(json.dumps(file.to_json()))) == file


@given(fixity=FIXITIES)
def test_a_fixity_comes_back_from_json_as_it_was(fixity: Fixity) -> None:
    assert Fixity.from_json(json.loads(json.dumps(fixity.to_json()))) == fixity


@given(request=REQUESTS)
def test_a_request_comes_back_from_json_as_it_was(request: IngestRequest) -> None:
    assert IngestRequest.from_json(json.loads(json.dumps(request.to_json()))) == request


@given(code=st.text(), message=st.text(), level=st.sampled_from(FindingLevel))
def test_a_finding_comes_back_from_json_as_it_was(
    code: str, message: str, level: FindingLevel
) -> None:
    finding = Finding(code, message, level)

    assert Finding.from_json(json.loads(json.dumps(finding.to_json()))) == finding


def test_declared_and_observed_stand_apart() -> None:
    file = ManifestFile(
        "surf.csv",
        declared=Fixity(5, {"md5": "aa"}),
        observed=Fixity(4, {"md5": "bb", "sha256": "cc"}),
        status=Status.MISMATCH_SIZE,
    )

    fields = file.to_json()

    assert (fields["declared"], fields["observed"]) == (
        {"size": 5, "md5": "aa"},
        {"size": 4, "md5": "bb", "sha256": "cc"},
    )
    assert (fields["size"], fields["md5"], fields.get("sha256")) == (5, "aa", None)


def test_what_was_verified_fills_what_was_not_declared() -> None:
    file = ManifestFile(
        "surf.csv",
        declared=Fixity(None, {"md5": "aa"}),
        observed=Fixity(4, {"md5": "aa", "sha256": "cc"}),
        status=Status.SUCCESS,
    )

    fields = file.to_json()

    assert (fields["size"], fields["md5"], fields["sha256"]) == (4, "aa", "cc")
    assert fields["declared"] == {"md5": "aa"}


def test_what_arrived_in_place_of_a_file_fills_nothing() -> None:
    file = ManifestFile("surf.csv", observed=Fixity(4, {"md5": "bb"}), status=Status.WRONG_MIMETYPE)

    assert file.size is None
    assert file.digest("md5") is None


def test_an_empty_file_has_a_size() -> None:
    assert ManifestFile("empty", declared=Fixity(0)).to_json()["size"] == 0


def test_unknown_sizes_are_counted_and_add_nothing() -> None:
    manifest = [ManifestFile("a", declared=Fixity(5)), ManifestFile("b"), ManifestFile("c")]

    assert (total_size(manifest), unknown_sizes(manifest)) == (5, 2)


def test_what_a_platform_claims_may_be_more_than_any_number() -> None:
    manifest = [ManifestFile(path, declared=Fixity(2**63 - 1)) for path in "abc"]

    assert total_size(manifest) == 2**63 - 1
