# SPDX-License-Identifier: AGPL-3.0-or-later
"""A capture beside a preview: by digest, by size, and where neither says anything."""

import json
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest

from carrel.engine.watch import Look, compare
from carrel.engine.watch.comparison import compare_look
from carrel.engine.watch.look import look_of
from carrel.engine.watch.published import published_then
from carrel.model import (
    Finding,
    Fixity,
    IngestFilesetResult,
    IngestRequest,
    ManifestFile,
    PlatformItem,
    Status,
)
from carrel.model.dark_views import FileDifference

URL = "https://repository.example/records/1"
MD5, OTHER_MD5 = "0" * 32, "1" * 32
SHA256 = "a" * 64
ITEM = PlatformItem("zenodo", "repository.example", "1", title="Soundings", platform_version="1")


def kept(path: str, size: int | None = 10, **digests: str) -> ManifestFile:
    """A file that was captured; nothing was declared of it."""
    return ManifestFile(path, status=Status.SUCCESS, observed=Fixity(size, digests))


def declared(path: str, size: int | None = None, **digests: str) -> ManifestFile:
    return ManifestFile(path, declared=Fixity(size, digests))


def captured(*files: ManifestFile, **changes: Any) -> Mapping[str, Any]:
    """The result object of an ingest, as the ledger has it."""
    item = replace(ITEM, manifest=files, **changes)
    return IngestFilesetResult(
        IngestRequest(URL), Status.SUCCESS, item=item, findings=item.findings, ingest_id="i1"
    ).to_json()


def previewed(*files: ManifestFile, **changes: Any) -> IngestFilesetResult:
    item = replace(ITEM, manifest=files, **changes)
    return IngestFilesetResult(
        IngestRequest(URL),
        item.platform_status,
        item=item,
        findings=item.findings,
        error_message=item.platform_message,
    )


def refused(status: Status) -> IngestFilesetResult:
    return IngestFilesetResult(IngestRequest(URL), status, error_message=f"It says {status}")


def the_file(then: ManifestFile, now: ManifestFile) -> FileDifference:
    _, (found,) = compare(captured(then), previewed(now))
    return found


@pytest.mark.parametrize(
    ("then", "now", "what"),
    [
        (kept("a", md5=MD5, sha256=SHA256), declared("a", md5=MD5), "same"),
        (kept("a", md5=MD5, sha256=SHA256), declared("a", md5=MD5.upper()), "same"),
        (kept("a", md5=MD5, sha256=SHA256), declared("a", md5=OTHER_MD5), "changed"),
        (kept("a", 10, md5=MD5), declared("a", 11, md5=MD5), "same"),
        (kept("a", 10, md5=MD5), declared("a", 10), "unverified"),
        (kept("a", 10, md5=MD5), declared("a", 11), "changed"),
        (kept("a", 10, md5=MD5), declared("a", 11, sha512="f" * 128), "changed"),
        (kept("a", 0), declared("a", 0), "same"),
        (kept("a", 10, md5=MD5), declared("a"), "unverified"),
        (declared("a"), declared("a", 10, md5=MD5), "unverified"),
        (declared("a", md5=MD5), declared("a", md5=MD5), "same"),
    ],
)
def test_only_a_digest_tells_that_a_file_is_the_same_and_a_size_that_it_is_not(
    then: ManifestFile, now: ManifestFile, what: str
) -> None:
    assert the_file(then, now).what == what


def test_a_digest_that_both_have_is_told_of_both() -> None:
    found = the_file(kept("a", md5=MD5, sha256=SHA256), declared("a", 10, md5=OTHER_MD5))

    assert (found.digest_then, found.digest_now) == (f"md5:{MD5}", f"md5:{OTHER_MD5}")
    assert (found.size_then, found.size_now) == (10, 10)


def test_what_arrived_counts_more_than_what_was_declared() -> None:
    entry = replace(kept("a", 12), declared=Fixity(10))

    assert the_file(entry, declared("a", 12)).what == "unverified"
    assert the_file(entry, declared("a", 10)).what == "changed"


def test_a_renamed_file_is_neither_gone_nor_new() -> None:
    row, (file,) = compare(
        captured(kept("b.txt", md5=MD5, sha256=SHA256)), previewed(declared("a.txt", md5=MD5))
    )

    assert (row.state, row.renamed, row.gone, row.added) == ("changed", 1, 0, 0)
    assert row.message.startswith("1 file renamed. Archive it again to add what is published now;")
    assert (file.path, file.what) == ("a.txt", "renamed")
    assert file.reason == "It was listed as b.txt: renamed. The published MD5 is the same."


def test_a_renamed_file_that_is_not_at_its_address_is_gone() -> None:
    look = look_of(previewed(declared("a.txt", md5=MD5)), 0)
    then = published_then(captured(kept("b.txt", md5=MD5)))

    row, (file,) = compare_look(then, replace(look, missing={"a.txt": 404}), captured="i1")

    assert (row.renamed, row.gone, file.what) == (0, 1, "gone")
    assert file.reason == (
        "It was listed as b.txt: renamed. The platform lists it, but its address answers with "
        "HTTP 404."
    )


def test_empty_files_are_all_alike_and_none_is_renamed() -> None:
    row, found = compare(captured(kept("b", 0, md5=MD5)), previewed(declared("a", 0, md5=MD5)))

    assert (row.renamed, [each.what for each in found]) == (0, ["added", "gone"])


def test_each_new_path_is_the_new_name_of_one_file() -> None:
    then = captured(kept("a", md5=MD5), kept("b", md5=MD5))

    _, found = compare(then, previewed(declared("c", md5=MD5)))

    assert [each.reason for each in found] == [
        "The platform no longer lists it.",
        "It was listed as a: renamed. The published MD5 is the same.",
    ]


def test_files_of_the_same_path_are_told_apart_by_their_order() -> None:
    then = captured(kept("a", 1, md5=MD5), kept("a", 2))

    row, found = compare(then, previewed(declared("a", 1, md5=MD5), declared("a", 3)))

    assert [each.what for each in found] == ["same", "changed"]
    assert (row.same, row.changed) == (1, 1)


def test_what_an_incomplete_list_lacks_is_not_gone() -> None:
    now = previewed(declared("a", 10), shortfall="Only 1 of 2 files is listed.")

    row, (_, other) = compare(captured(kept("a"), kept("b")), now)

    assert (row.state, row.gone, other.what) == ("unverified", 0, "unverified")
    assert other.reason.endswith("Only 1 of 2 files is listed.")


def test_a_dataset_without_files_has_lost_them_all() -> None:
    now = previewed(platform_status=Status.EMPTY_MANIFEST)

    row, found = compare(captured(kept("a"), kept("b")), now)

    assert (row.state, row.gone, len(found)) == ("changed", 2, 2)
    assert "Archive it again" not in row.message
    assert "Nothing new is published, so there is nothing to archive" in row.message


@pytest.mark.parametrize(
    ("status", "state"),
    [
        (Status.PLATFORM_404, "gone"),
        (Status.NOT_FOUND, "gone"),
        (Status.PLATFORM_HTTP_ERROR, "unreachable"),
        (Status.NETWORK_ERROR, "unreachable"),
        (Status.BLOCKED_CHALLENGE, "unreachable"),
        (Status.BLOCKED_WALL, "restricted now"),
        (Status.FORBIDDEN, "unreachable"),
        (Status.NO_PLATFORM_MATCH, "no dataset"),
        (Status.PLATFORM_SCOPE, "no dataset"),
        (Status.RATE_LIMITED, "unreachable"),
    ],
)
def test_only_a_plain_no_is_a_loss(status: Status, state: str) -> None:
    row, _ = compare(captured(kept("a")), refused(status))

    assert row.state == state
    assert row.message.endswith((".", "!"))
    assert f"It says {status}." in row.message


@pytest.mark.parametrize("status", [Status.PLATFORM_404, Status.NO_PLATFORM_MATCH])
def test_what_was_never_seen_is_not_gone(status: Status) -> None:
    row, found = compare_look(None, look_of(refused(status), 1), captured=None)

    assert (row.state, row.gone, found) == ("no dataset", 0, [])
    assert row.message.startswith("No check has seen a dataset at this address.")


FIRST_MISSED = 1_764_288_000  # 2025-11-28
LATER = "That was first found on 2025-11-28; check again a week after it before you tell the"
CONFIRMED = "That was first found on 2025-11-28, and a check a week or more later found the same:"


@pytest.mark.parametrize(("days", "told"), [(1, LATER), (6, LATER), (7, CONFIRMED), (8, CONFIRMED)])
@pytest.mark.parametrize(
    "now", [refused(Status.PLATFORM_404), previewed(platform_status=Status.EMPTY_MANIFEST)]
)
def test_once_a_loss_is_confirmed_after_a_week_the_repository_is_to_be_told(
    now: IngestFilesetResult, days: int, told: str
) -> None:
    then = published_then(captured(kept("a")))
    first, _ = compare_look(then, look_of(now, FIRST_MISSED), captured="i1")
    before = replace(first, lost=FIRST_MISSED)

    again = look_of(now, FIRST_MISSED + days * 86_400)
    row, _ = compare_look(then, again, captured="i1", before=before)

    assert "Check again in a week before you tell the repository." in first.message
    assert told in row.message
    assert "Check again in a week" not in row.message


def test_what_went_since_is_not_confirmed_by_an_older_loss() -> None:
    then = published_then(captured(kept("a"), kept("b")))
    first, _ = compare_look(then, look_of(previewed(declared("b")), FIRST_MISSED), captured="i1")
    before = replace(first, lost=FIRST_MISSED)

    now = look_of(previewed(platform_status=Status.EMPTY_MANIFEST), FIRST_MISSED + 30 * 86_400)
    row, _ = compare_look(then, now, captured="i1", before=before)

    assert (first.gone, row.gone) == (1, 2)
    assert "Check again in a week before you tell the repository." in row.message


def test_another_record_does_not_lend_its_title() -> None:
    now = previewed(kept("a"), platform_id="other", title="Of somebody else")

    row, _ = compare(captured(kept("a")), now)

    assert "leads to another record" in row.message
    assert row.title != "Of somebody else"


def test_a_page_that_is_cut_off_is_not_called_a_file() -> None:
    row, _ = compare(captured(kept("a")), refused(Status.TRUNCATED))

    assert "What arrived is incomplete" in row.message
    assert "file" not in row.message


def test_a_bot_check_is_told_once() -> None:
    message = f"A bot check blocks {URL} (HTTP 403)."
    blocked = replace(refused(Status.BLOCKED_CHALLENGE), error_message=message)

    row, _ = compare(captured(kept("a")), blocked)

    assert row.message.count("blocks") == 1


def test_a_record_whose_list_is_not_there_is_not_gone() -> None:
    now = previewed(platform_status=Status.PLATFORM_404, platform_message="No list.")

    row, _ = compare(captured(kept("a")), now)

    assert (row.state, row.gone) == ("unreachable", 0)


@pytest.mark.parametrize(
    "status", [Status.TOO_MANY_FILES, Status.TOO_LARGE_SIZE, Status.CREDENTIALS_REQUIRED]
)
def test_limits_of_an_ingest_make_no_difference(status: Status) -> None:
    now = replace(previewed(declared("a", 10, md5=MD5)), status=status)

    row, _ = compare(captured(kept("a", md5=MD5)), now)

    assert row.state == "same"


def test_another_version_of_the_same_record_is_new() -> None:
    now = previewed(declared("a", 10), platform_version="2")

    row, _ = compare(captured(kept("a")), now)

    assert (row.state, row.version_then, row.version_now) == ("new version", "1", "2")
    assert not row.is_other_record
    assert row.message.startswith("Version 2 is published; it was version 1.")


def test_another_record_at_the_address_is_no_version() -> None:
    now = previewed(declared("a", 10), platform_version="2", platform_id="77")

    row, _ = compare(captured(kept("a")), now)

    assert (row.state, row.is_other_record) == ("changed", True)
    assert "now leads to another record, 77 at repository.example" in row.message
    assert row.message.endswith(
        "Open the page to see which it is. Archiving the address again adds the other record; your "
        "capture stays."
    )


def test_a_concept_that_leads_to_a_record_without_version_is_new_all_the_same() -> None:
    finding = Finding("concept-record", "The record 0 stands for all versions.")
    now = previewed(declared("a", 10), platform_version=None, platform_id="2", findings=(finding,))

    row, _ = compare(captured(kept("a"), platform_version=None), now)

    assert row.state == "new version"
    assert row.message.startswith("The record 0 stands for all versions.")


def test_a_version_that_one_side_does_not_tell_is_no_new_one() -> None:
    row, _ = compare(
        captured(kept("a", md5=MD5), platform_version=None), previewed(declared("a", md5=MD5))
    )

    assert row.state == "same"


@pytest.mark.parametrize(
    ("look", "state", "what", "reason"),
    [
        ({"sizes": {"a": 10}}, "changed", "changed", "its address has it now"),
        ({"missing": {"a": 404}}, "unverified", "unverified", "answers with HTTP 404"),
        ({}, "unverified", "unverified", "nothing to compare it with"),
    ],
)
def test_a_file_that_was_not_archived_is_never_called_unchanged(
    look: dict[str, Any], state: str, what: str, reason: str
) -> None:
    lost = replace(declared("a", 10, md5=MD5), status=Status.NOT_FOUND)
    seen = replace(look_of(previewed(declared("a", 10, md5=MD5)), 1), **look)

    row, (found,) = compare_look(published_then(captured(lost)), seen, captured="i1")

    assert (row.state, found.what) == (state, what)
    assert reason in found.reason
    assert "not archived here" in found.reason


@pytest.mark.parametrize(
    ("digest", "what", "reason"),
    [
        (MD5, "unverified", "The MD5 is not the published one"),
        (OTHER_MD5, "changed", "The published MD5 differs."),
    ],
)
def test_a_file_that_was_refused_for_its_checksum_is_news_only_with_another_one(
    digest: str, what: str, reason: str
) -> None:
    refused = replace(declared("a", 10, md5=MD5), status=Status.MISMATCH_MD5)
    seen = replace(look_of(previewed(declared("a", 10, md5=digest)), 1), sizes={"a": 10})

    row, (found,) = compare_look(published_then(captured(refused)), seen, captured="i1")

    assert (row.state, found.what) == (what, what)
    assert reason in found.reason
    assert found.reason.startswith("It is not archived here. ")


def test_where_not_every_address_was_requested_not_all_is_known_to_be_unchanged() -> None:
    seen = replace(look_of(previewed(declared("a", md5=MD5)), 1), unasked=1800)

    row, _ = compare_look(published_then(captured(kept("a", md5=MD5))), seen, captured="i1")

    assert row.state == "unverified"
    assert row.message == (
        "The platform has published no change since it was captured. The addresses of 1,800 files "
        "were not requested; the next check resumes there."
    )


def test_a_file_whose_address_was_not_requested_is_not_counted_as_unchanged() -> None:
    files = [
        replace(declared(path, md5=MD5), platform_url=f"https://data.example/{path}")
        for path in "abc"
    ]
    shut = replace(files[2], status=Status.PLATFORM_RESTRICTED)
    look = look_of(previewed(*files[:2], shut), 1)
    then = captured(kept("a", md5=MD5), kept("b", md5=MD5), shut)

    row, found = compare_look(
        published_then(then), replace(look, asked=1, unasked=1, requested=["a"]), captured="i1"
    )
    again = Look.from_json(json.loads(json.dumps(replace(look, requested=["a"]).to_json())))

    assert (row.state, row.same, row.unverified) == ("unverified", 2, 1)
    assert found[1].reason == "The published MD5 is the same. Its address was not requested."
    assert compare_look(published_then(then), again, captured="i1")[1] == found


@pytest.mark.parametrize(
    ("word", "reason", "told"),
    [
        ("429", "Its address answered HTTP 429.", "gave no clear answer."),
        ("blocked-challenge", "Its address answered with a bot check.", "gave no clear answer."),
        ("redirect-loop", "Its address gave no clear answer.", "gave no clear answer."),
        ("network-error", "Its address was requested, and did not answer.", "did not answer."),
        (
            "rate-limited",
            "Its address was not requested: its host wants a pause first.",
            "was not requested.",
        ),
        (
            "inside",
            "Its address is inside a private network, and was not requested.",
            "was not requested.",
        ),
    ],
)
def test_why_an_address_told_nothing_is_said(word: str, reason: str, told: str) -> None:
    file = replace(declared("a", md5=MD5), platform_url="https://data.example/a")
    seen = replace(look_of(previewed(file), 1), requested=["a"], unclear={"a": word})

    row, (found,) = compare_look(published_then(captured(kept("a", md5=MD5))), seen, captured="i1")

    assert (row.state, found.what) == ("unverified", "unverified")
    assert found.reason == f"The published MD5 is the same. {reason}"
    assert row.message.endswith(f"The address of 1 file {told}")


def test_a_file_that_is_closed_now_is_told() -> None:
    shut = replace(declared("b", md5=MD5), status=Status.PLATFORM_RESTRICTED)
    then = captured(kept("a", md5=MD5), kept("b", md5=MD5))

    row, (_, found) = compare(then, previewed(declared("a", md5=MD5), shut))

    assert (row.state, row.same, row.restricted) == ("restricted now", 1, 1)
    assert (found.what, found.reason.endswith("Access to it is now restricted.")) == (
        "restricted",
        True,
    )
    assert row.message.startswith("1 of 2 files can no longer be had without a login")


@pytest.mark.parametrize("http_status", [401, 403])
def test_a_file_whose_address_refuses_it_now_is_told_and_is_not_gone(http_status: int) -> None:
    now = look_of(previewed(declared("a", md5=MD5), declared("b")), 1)
    then = published_then(captured(kept("a", md5=MD5), kept("b", md5=MD5)))
    look = replace(now, refused={"a": http_status, "b": http_status})

    row, found = compare_look(then, look, captured="i1")

    assert (row.state, row.restricted, row.gone) == ("restricted now", 2, 0)
    assert row.message.startswith("2 of 2 files can no longer be had without a login")
    assert all(f"refuses it now (HTTP {http_status})" in each.reason for each in found)
    again = Look.from_json(json.loads(json.dumps(look.to_json())))
    assert compare_look(then, again, captured="i1") == (row, found)


@pytest.mark.parametrize(
    ("refused_now", "is_closed"), [({"a": 401, "b": 401}, True), ({"a": 401}, False)]
)
def test_a_new_version_that_no_one_may_download_is_not_to_be_archived(
    refused_now: Mapping[str, int], is_closed: bool
) -> None:
    files = (declared("a", md5=MD5), declared("b", md5=OTHER_MD5))
    now = look_of(previewed(*files, platform_version="2"), 1)
    then = published_then(captured(kept("a", md5=MD5), kept("b", md5=MD5)))

    row, _ = compare_look(then, replace(now, refused=refused_now), captured="i1")

    assert (row.state, row.is_closed) == ("new version", is_closed)
    assert ("Archive it again" in row.message) is not is_closed
    assert ("All files that it publishes need a login" in row.message) is is_closed


def test_beside_a_change_is_told_what_is_closed_now() -> None:
    now = look_of(previewed(declared("a", md5=MD5), declared("b", md5=OTHER_MD5)), 1)
    then = published_then(captured(kept("a", md5=MD5), kept("b", md5=MD5)))

    row, _ = compare_look(then, replace(now, refused={"a": 401}), captured="i1")

    assert (row.state, row.changed, row.restricted) == ("changed", 1, 1)
    assert "1 file can no longer be had without a login or permission." in row.message


def test_a_file_that_was_refused_before_is_no_news() -> None:
    lost = replace(declared("a", 10, md5=MD5), status=Status.FORBIDDEN)
    seen = replace(look_of(previewed(declared("a", 10, md5=MD5)), 1), refused={"a": 403})

    row, (found,) = compare_look(published_then(captured(lost)), seen, captured="i1")

    assert (row.state, row.restricted) == ("unverified", 0)
    assert found.reason == "It is not archived here: its address refuses it (HTTP 403)."


@pytest.mark.parametrize(
    "status",
    [Status.TRUNCATED, Status.READ_TIMEOUT, Status.NETWORK_ERROR, Status.EMPTY_BLOB],
)
def test_an_announced_size_does_not_say_that_a_file_would_arrive_that_never_arrived_whole(
    status: Status,
) -> None:
    lost = replace(declared("a", 10, md5=MD5), status=status)
    seen = replace(look_of(previewed(declared("a", 10, md5=MD5)), 1), sizes={"a": 10})

    row, (found,) = compare_look(published_then(captured(lost)), seen, captured="i1")

    assert (row.state, found.what) == ("unverified", "unverified")
    assert "it never arrived whole" in found.reason


def test_of_a_file_that_never_arrived_whole_another_published_size_is_news() -> None:
    lost = replace(declared("a", 10), status=Status.TRUNCATED)

    row, (found,) = compare(captured(lost), previewed(declared("a", 11)))

    assert (row.state, found.reason) == (
        "changed",
        "It is not archived here. Its size differs.",
    )


def test_a_file_that_was_closed_already_is_no_news() -> None:
    shut = replace(declared("a", 10), status=Status.PLATFORM_RESTRICTED)

    row, _ = compare(captured(shut, kept("b", md5=MD5)), previewed(shut, declared("b", md5=MD5)))

    assert row.state == "same"


def test_a_title_that_changed_is_told() -> None:
    row, _ = compare(captured(kept("a")), previewed(declared("a", 10), title="Old soundings"))

    assert (row.state, row.title) == ("changed", "Old soundings")
    assert row.message.startswith("Its title was “Soundings”.")


def test_what_could_not_be_compared_is_told() -> None:
    row, _ = compare(captured(kept("a")), previewed(declared("a")))

    assert (row.state, row.same, row.unverified) == ("unverified", 0, 1)
    assert row.message == (
        "The platform has published no change since it was captured; 1 of 1 file could not be "
        "fully compared. The reason is given with each file."
    )


def test_beside_a_change_is_told_what_could_not_be_compared() -> None:
    then = captured(kept("a", 10), kept("b"))

    row, _ = compare(then, previewed(declared("a", 11), declared("b")))

    assert (row.state, row.changed, row.unverified) == ("changed", 1, 1)
    assert row.message.startswith(
        "1 file changed. 1 file could not be fully compared. Archive it again"
    )


@pytest.mark.parametrize(
    ("then", "now", "what", "size_now"),
    [
        (kept("a", 25, md5=MD5), declared("a"), "changed", 39),
        (kept("a", 39, md5=MD5), declared("a"), "unverified", 39),
        (declared("a"), declared("a"), "unverified", 39),
        (kept("a", 25, md5=MD5), declared("a", md5=MD5), "changed", None),
        (kept("a", 39, md5=MD5), declared("a", md5=MD5), "same", None),
        (kept("a", 25, md5=MD5), declared("a", 25), "unverified", 25),
    ],
    ids=[
        *("another", "the same", "none of then", "another beside a digest"),
        *("the same beside a digest", "beside a size"),
    ],
)
def test_a_size_that_only_the_address_announces_shows_a_change_and_proves_none(
    then: ManifestFile, now: ManifestFile, what: str, size_now: int | None
) -> None:
    look = replace(look_of(previewed(now), 1), sizes={"a": 39})

    _, (found,) = compare_look(published_then(captured(then)), look, captured="i1")

    assert (found.what, found.size_now) == (what, size_now)


@pytest.mark.parametrize(
    ("then", "looks", "what"),
    [
        (replace(kept("a", md5=MD5), mimetype="text/csv"), "text/html", "unverified"),
        (replace(kept("a", md5=MD5), mimetype="image/png"), "text/plain", "unverified"),
        (kept("a.zip", md5=MD5), "text/plain", "unverified"),
        (replace(kept("a", md5=MD5), mimetype="text/csv"), "text/plain", "same"),
        (replace(kept("a", md5=MD5), mimetype="text/html"), "text/html", "same"),
        (kept("a.html", md5=MD5), "text/html", "same"),
        (replace(kept("a.csv", md5=MD5), extra={"came_as_page": True}), "text/html", "same"),
        (declared("a.csv", md5=MD5), "text/html", "same"),
    ],
    ids=[
        *("data", "text for a picture", "text for an archive", "text for text", "page by type"),
        *("page by name", "a page before", "never archived"),
    ],
)
def test_a_page_is_told_where_what_was_archived_is_none(
    then: ManifestFile, looks: str, what: str
) -> None:
    now = look_of(previewed(declared(then.path, md5=MD5)), 1)
    seen = replace(now, pages={then.path: looks}, requested=[then.path])

    _, (found,) = compare_look(published_then(captured(then)), seen, captured="i1")

    assert (found.what, "web page" in found.reason) == (what, what == "unverified")


def test_a_look_is_the_same_after_it_was_stored() -> None:
    look = replace(
        look_of(previewed(declared("a")), 1),
        sizes={"a": 39},
        missing={"b": 404},
        pages={"c": "text/html"},
        unclear={"d": "503"},
    )

    assert Look.from_json(json.loads(json.dumps(look.to_json()))) == look
