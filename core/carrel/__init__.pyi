# SPDX-License-Identifier: AGPL-3.0-or-later

from carrel.archive import (
    Archive,
)
from carrel.engine.engine import (
    Engine,
)
from carrel.engine.holdings import (
    Holdings,
)
from carrel.engine.library import (
    find_mementos,
    ingest,
    preview,
)
from carrel.engine.mementos import (
    Mementos,
)
from carrel.engine.queue import (
    Queue,
)
from carrel.errors import (
    ApiStop,
    ArchiveError,
    ArchiveFull,
    ArchiveLocked,
    CarrelError,
    ConfigError,
    IngestStop,
    JournalDamaged,
    JournalTooNew,
    LedgerLost,
    NoKeyring,
    NotAnArchive,
    NotFetchable,
    NothingLoaded,
    NotLoaded,
    QueryError,
    SettingsError,
    SourceTrouble,
    UsageError,
)
from carrel.model import (
    Answer,
    Destination,
    Fate,
    Finding,
    Fixity,
    Held,
    Identifier,
    IngestFilesetResult,
    IngestOptions,
    IngestRequest,
    IngestStrategy,
    Job,
    JobState,
    ManifestFile,
    Memento,
    Paste,
    PlatformItem,
    Question,
    RecordCheck,
    Scheme,
    SourceReport,
    SourceState,
    Stage,
    Status,
    StrategyChoice,
    VerificationReport,
)
from carrel.model.events import (
    Event,
)
from carrel.model.memento_views import (
    Found,
)
from carrel.settings import (
    Settings,
    own_settings,
    settings_of,
)

__version__: str
__all__ = [
    "Answer",
    "ApiStop",
    "Archive",
    "ArchiveError",
    "ArchiveFull",
    "ArchiveLocked",
    "CarrelError",
    "ConfigError",
    "Destination",
    "Engine",
    "Event",
    "Fate",
    "Finding",
    "Fixity",
    "Found",
    "Held",
    "Holdings",
    "Identifier",
    "IngestFilesetResult",
    "IngestOptions",
    "IngestRequest",
    "IngestStop",
    "IngestStrategy",
    "Job",
    "JobState",
    "JournalDamaged",
    "JournalTooNew",
    "LedgerLost",
    "ManifestFile",
    "Memento",
    "Mementos",
    "NoKeyring",
    "NotAnArchive",
    "NotFetchable",
    "NotLoaded",
    "NothingLoaded",
    "Paste",
    "PlatformItem",
    "QueryError",
    "Question",
    "Queue",
    "RecordCheck",
    "Scheme",
    "Settings",
    "SettingsError",
    "SourceReport",
    "SourceState",
    "SourceTrouble",
    "Stage",
    "Status",
    "StrategyChoice",
    "UsageError",
    "VerificationReport",
    "find_mementos",
    "ingest",
    "own_settings",
    "preview",
    "settings_of",
]
