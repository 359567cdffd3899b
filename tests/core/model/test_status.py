# SPDX-License-Identifier: AGPL-3.0-or-later
"""Every word that an ingest can end with says what it means and what to do."""

import pytest

from carrel.errors import ApiStop, IngestStop
from carrel.model import Side, Status
from carrel.schemas import schema


@pytest.mark.parametrize("status", Status)
def test_every_status_has_a_meaning(status: Status) -> None:
    meaning = status.meaning

    assert meaning.advice.strip()
    assert meaning.advice.endswith(".")
    assert (meaning.side is Side.NOBODY) == status.is_success
    assert not (status.is_success and meaning.is_retryable)


def test_every_status_is_published() -> None:
    published = schema("ingest_fileset_result")["$defs"]["status"]["enum"]

    assert published == [str(status) for status in Status]


@pytest.mark.parametrize(
    "word",
    [
        "success",
        "success-file",
        "success-existing",
        "no-platform-match",
        "platform-scope",
        "platform-restricted",
        "platform-404",
        "empty-manifest",
        "too-large-size",
        "too-many-files",
        "no-strategy-helper",
        "error-platform-download",
        "mismatch",
        "mismatch-size",
        "mismatch-md5",
        "mismatch-sha1",
        "mismatch-sha256",
        "unsafe-path",
        "empty-blob",
        "transfer-encoding-error",
        "redirect-loop",
        "blocked-cookie",
        "link-only",
    ],
)
def test_the_words_of_the_field_are_kept(word: str) -> None:
    assert Status(word) == word


def test_a_stop_may_be_repeated_as_its_status_says() -> None:
    assert IngestStop(Status.TRUNCATED, "x").may_repeat
    assert not IngestStop(Status.NOT_FOUND, "x").may_repeat
    assert not IngestStop(Status.TRUNCATED, "x", may_repeat=False).may_repeat
    assert ApiStop(Status.PLATFORM_ERROR, "x").http_status is None


@pytest.mark.parametrize("status", Status)
def test_what_ends_so_for_good_is_not_tried_again(status: Status) -> None:
    assert not (status.meaning.is_for_good and status.meaning.is_retryable)


@pytest.mark.parametrize("status", [Status.NO_PLATFORM_MATCH, Status.INVALID_URL])
def test_another_address_is_needed_where_this_one_is_the_fault(status: Status) -> None:
    assert status.meaning.is_for_good
