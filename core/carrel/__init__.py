# SPDX-License-Identifier: AGPL-3.0-or-later
"""Carrel, the archivist's desk for datasets: the headless core.

What a program that uses Carrel needs is here by name, and loaded when it is requested. Every
command loads this module first, so that it loads nothing itself; types stand in `__init__.pyi`.
"""

__version__ = "0.1.0"

_PLACES = {
    "carrel.archive": ["Archive"],
    "carrel.engine.engine": ["Engine"],
    "carrel.engine.holdings": ["Holdings"],
    "carrel.engine.library": ["find_mementos", "ingest", "preview"],
    "carrel.engine.mementos": ["Mementos"],
    "carrel.engine.queue": ["Queue"],
    "carrel.errors": [
        "ApiStop",
        "ArchiveError",
        "ArchiveFull",
        "ArchiveLocked",
        "CarrelError",
        "ConfigError",
        "IngestStop",
        "JournalDamaged",
        "JournalTooNew",
        "LedgerLost",
        "NoKeyring",
        "NotAnArchive",
        "NotFetchable",
        "NotLoaded",
        "NothingLoaded",
        "QueryError",
        "SettingsError",
        "SourceTrouble",
        "UsageError",
    ],
    "carrel.model": [
        "Answer",
        "Destination",
        "Fate",
        "Finding",
        "Fixity",
        "Held",
        "Identifier",
        "IngestFilesetResult",
        "IngestOptions",
        "IngestRequest",
        "IngestStrategy",
        "Job",
        "JobState",
        "ManifestFile",
        "Memento",
        "Paste",
        "PlatformItem",
        "Question",
        "RecordCheck",
        "Scheme",
        "SourceReport",
        "SourceState",
        "Stage",
        "Status",
        "StrategyChoice",
        "VerificationReport",
    ],
    "carrel.model.events": ["Event"],
    "carrel.model.memento_views": ["Found"],
    "carrel.settings": ["Settings", "own_settings", "settings_of"],
}
__all__ = sorted(name for names in _PLACES.values() for name in names)


def __getattr__(name: str) -> object:
    from carrel.lazy import offering

    return offering(__name__, _PLACES)(name)
