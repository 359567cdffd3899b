# SPDX-License-Identifier: AGPL-3.0-or-later
"""Frozen dataclasses and enums that every room shares. No I/O, no behaviour beyond their own."""

from typing import TYPE_CHECKING

from carrel.lazy import offering

if TYPE_CHECKING:
    from carrel.model.capture import Capture
    from carrel.model.held import Held, PublishedNow, Standing
    from carrel.model.identifier import Identifier, Paste, Scheme
    from carrel.model.ingest_strategy import Destination, IngestStrategy
    from carrel.model.item import AskedItem, Finding, FindingLevel, PlatformItem
    from carrel.model.job import Answer, Job, JobState, Question
    from carrel.model.landing import Landing, Link
    from carrel.model.manifest import Fixity, Manifest, ManifestFile, total_size, unknown_sizes
    from carrel.model.memento import Memento, SourceReport, SourceState, SourceType
    from carrel.model.options import IngestOptions
    from carrel.model.request import IngestRequest
    from carrel.model.result import IngestFilesetResult
    from carrel.model.status import Meaning, Side, Stage, Status
    from carrel.model.strategy import StrategyChoice, StrategyResult
    from carrel.model.verification import (
        Absence,
        Evidence,
        FailedRecord,
        Fate,
        IndexFaults,
        RecordCheck,
        VerificationReport,
    )

__getattr__ = offering(
    __name__,
    {
        "capture": ["Capture"],
        "held": ["Held", "PublishedNow", "Standing"],
        "identifier": ["Identifier", "Paste", "Scheme"],
        "ingest_strategy": ["Destination", "IngestStrategy"],
        "item": ["AskedItem", "Finding", "FindingLevel", "PlatformItem"],
        "job": ["Answer", "Job", "JobState", "Question"],
        "landing": ["Landing", "Link"],
        "manifest": ["Fixity", "Manifest", "ManifestFile", "total_size", "unknown_sizes"],
        "memento": ["Memento", "SourceReport", "SourceState", "SourceType"],
        "options": ["IngestOptions"],
        "request": ["IngestRequest"],
        "result": ["IngestFilesetResult"],
        "status": ["Meaning", "Side", "Stage", "Status"],
        "strategy": ["StrategyChoice", "StrategyResult"],
        "verification": [
            "Absence",
            "Evidence",
            "FailedRecord",
            "Fate",
            "IndexFaults",
            "RecordCheck",
            "VerificationReport",
        ],
    },
)
__all__ = [
    "Absence",
    "Answer",
    "AskedItem",
    "Capture",
    "Destination",
    "Evidence",
    "FailedRecord",
    "Fate",
    "Finding",
    "FindingLevel",
    "Fixity",
    "Held",
    "Identifier",
    "IndexFaults",
    "IngestFilesetResult",
    "IngestOptions",
    "IngestRequest",
    "IngestStrategy",
    "Job",
    "JobState",
    "Landing",
    "Link",
    "Manifest",
    "ManifestFile",
    "Meaning",
    "Memento",
    "Paste",
    "PlatformItem",
    "PublishedNow",
    "Question",
    "RecordCheck",
    "Scheme",
    "Side",
    "SourceReport",
    "SourceState",
    "SourceType",
    "Stage",
    "Standing",
    "Status",
    "StrategyChoice",
    "StrategyResult",
    "VerificationReport",
    "total_size",
    "unknown_sizes",
]
