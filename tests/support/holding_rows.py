# SPDX-License-Identifier: AGPL-3.0-or-later
"""Rows of holdings, made without a ledger."""

from dataclasses import replace

from carrel.model import Status
from carrel.model.holdings import HoldingRow
from carrel.model.proof import Grade

DUNES = HoldingRow(
    dataset_id=1,
    ingest_id="h1",
    base_url="https://doi.org/10.5281/zenodo.7041152",
    title="Dunes of the northern coast",
    creators="Okafor, N.",
    identifier="10.5281/zenodo.7041152",
    platform_name="zenodo",
    platform_version="2.1",
    license="CC-BY-4.0",
    status=Status.SUCCESS,
    file_count=12,
    kept_count=12,
    total_size=12_000,
    kept_size=12_000,
    unknown_sizes=0,
    proof=Grade.DIGEST,
    archived="2026-03-03T11:31:45Z",
)


def row(number: int) -> HoldingRow:
    """Return one of very many."""
    return replace(DUNES, dataset_id=number, title=f"Title {number}", kept_size=number)
