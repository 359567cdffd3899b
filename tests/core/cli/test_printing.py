# SPDX-License-Identifier: AGPL-3.0-or-later
"""Results in words: nothing claimed that is not known, nothing said twice."""

import io
import sys

import click
import pytest

from carrel.cli.presentation import print_preview, print_result, print_summary
from carrel.cli.terminal import say
from carrel.model import (
    Finding,
    IngestFilesetResult,
    IngestRequest,
    ManifestFile,
    PlatformItem,
    Status,
)

URL = "https://data.example/dataset/a"
CLOSED = "The file is restricted."


def result_of(*files: ManifestFile, status: Status, message: str) -> IngestFilesetResult:
    item = PlatformItem("dataverse", "data.example", "a", files, title="Ledgers")
    return IngestFilesetResult(
        IngestRequest(URL), status, error_message=message, item=item, ingest_id="an-id"
    )


def test_a_strategy_that_does_not_fit_is_told_beside_files_that_are_restricted_anyway(
    capsys: pytest.CaptureFixture[str],
) -> None:
    closed = ManifestFile("b.txt", status=Status.PLATFORM_RESTRICTED, message=CLOSED)
    refused = result_of(
        ManifestFile("a.txt"),
        closed,
        status=Status.NO_STRATEGY_HELPER,
        message="web-file archives a single file, but this dataset has 2.",
    )

    print_result(refused)

    shown = capsys.readouterr().out
    assert "web-file archives a single file, but this dataset has 2." in shown
    assert "None" not in shown
    assert "ingest an-id" in shown


def test_of_a_dataset_whose_files_are_hidden_no_number_is_told(
    capsys: pytest.CaptureFixture[str],
) -> None:
    hidden = result_of(status=Status.PLATFORM_RESTRICTED, message="The files are restricted.")

    print_preview(hidden)
    print_summary({**hidden.to_json(), "finished": "2026-03-03T09:10:00Z"})

    shown = capsys.readouterr().out
    assert "number of files unknown" in shown
    assert "platform-restricted · nothing archived" in shown
    assert "0 files" not in shown


def test_on_a_terminal_a_line_is_broken_between_words_and_no_address_is(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    shown = Terminal()
    monkeypatch.setattr(sys, "stdout", shown)
    monkeypatch.setenv("COLUMNS", "40")
    address = f"https://data.example/{'a' * 40}"

    say(f"  The archive has no other copy of these bytes: {address} fetches them again.")
    say(f"  {address}, byte 5")

    assert click.unstyle(shown.getvalue()).splitlines() == [
        "  The archive has no other copy of these",
        "    bytes:",
        f"    {address}",
        "    fetches them again.",
        f"  {address},",
        "    byte 5",
    ]


def test_an_endless_text_from_outside_is_cut(capsys: pytest.CaptureFixture[str]) -> None:
    item = PlatformItem("dataverse", "data.example", "a", (), title="T" * 2**20, license="L" * 300)
    endless = IngestFilesetResult(
        IngestRequest(URL),
        Status.PLATFORM_RESTRICTED,
        item=item,
        findings=(Finding("page", "F" * 2**20),),
        ingest_id="an-id",
    )

    print_preview(endless)
    print_summary(endless.to_json())

    lines = capsys.readouterr().out.splitlines()
    assert f"{'T' * 199}…" in lines
    assert f" · {'L' * 199}… · " in lines[1]
    assert f"note: {'F' * 9000}" in lines[2]
    assert max(map(len, lines)) == len(lines[2]) == 10_000


def test_what_a_message_says_is_no_finding_beside_it(capsys: pytest.CaptureFixture[str]) -> None:
    message = "A bot check blocks https://data.example/."
    blocked = IngestFilesetResult(
        IngestRequest(URL),
        Status.BLOCKED_CHALLENGE,
        error_message=message,
        findings=(Finding("page", message), Finding("other", "The page is old.")),
    )

    print_preview(blocked)

    shown = capsys.readouterr().out
    assert shown.count(message) == 1
    assert "note: The page is old." in shown
