# SPDX-License-Identifier: AGPL-3.0-or-later
"""What was foreseen of an ingest is not told beside an outcome that has overtaken it."""

from carrel.engine.result_builder import ResultBuilder
from carrel.model import (
    Finding,
    IngestRequest,
    IngestStrategy,
    ManifestFile,
    Status,
    StrategyResult,
)
from carrel.model.result import NEEDS_TOKEN

TOKEN = Finding(NEEDS_TOKEN, "With a token for repo.example, 1 file more can be archived.")
OPEN = ManifestFile("open.md", status=Status.SUCCESS_EXISTING)


def told_of(closed: ManifestFile) -> list[str]:
    """Return the findings of an ingest that was told what a token opens, and had these files."""
    builder = ResultBuilder(IngestRequest("https://repo.example/1"), "i")
    builder.add_findings(TOKEN)
    strategy, manifest = IngestStrategy.WEB_FILESET, (OPEN, closed)
    builder.note_outcome(StrategyResult(strategy, closed.status or Status.SUCCESS, manifest))
    return [each.code for each in builder.result.findings]


def test_no_token_is_asked_for_where_the_closed_files_had_been_archived_before() -> None:
    assert NEEDS_TOKEN not in told_of(ManifestFile("md.md", status=Status.SUCCESS_EXISTING))


def test_a_token_is_named_where_a_file_that_it_opens_lacks() -> None:
    assert NEEDS_TOKEN in told_of(ManifestFile("md.md", status=Status.PLATFORM_RESTRICTED))
