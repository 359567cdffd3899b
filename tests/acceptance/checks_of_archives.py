# SPDX-License-Identifier: AGPL-3.0-or-later
"""What has to hold of the archives at the end, and of a database that is filled again."""

import hashlib
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from acceptance.evidence import Evidence
from acceptance.machines import persist
from support.archives import carrel
from support.fleet import lag, write_config
from support.persisting import prints

_STORED_WITHIN_S = 120.0
_HELD = ("success", "success-file")


def archives_are_true(seen: Evidence) -> str:
    """Each archive verifies; no WARC has the name of another; nothing is left in staging."""
    names: Counter[str] = Counter()
    for archive in seen.scene.archives.values():
        ran = carrel("verify", "--archive", archive)
        assert ran.code == 0, f"{archive.name}: {ran.out[-1000:]}{ran.err[-1000:]}"
        names.update(path.name for path in _warcs(archive))
    assert not seen.scene.staged(), f"left in staging: {seen.scene.staged()}"
    assert max(names.values()) == 1, f"{[name for name, count in names.items() if count > 1]}"
    return f"{len(names)} WARC files"


def merged_they_hold_every_file(seen: Evidence) -> str:
    """Merged they verify, and hold every file of every success with the digest of its source."""
    merged = seen.scene.folder / "merged"
    ran = carrel("archive", "merge", *seen.scene.archives.values(), "--into", merged)
    assert ran.code == 0, ran.out[-1000:] + ran.err[-1000:]
    ran = carrel("verify", "--archive", merged)
    assert ran.code == 0, ran.out[-1000:] + ran.err[-1000:]
    kept, wanted = set(_payloads(merged)), dict(_wanted(seen))
    missing = {name for name, digest in wanted.items() if digest not in kept}
    assert not missing, f"not held: {sorted(missing)[:5]} … ({len(missing)})"
    return f"{len(wanted)} files"


def stored_again_nothing_changes(seen: Evidence) -> str:
    """Read from the first message again, the tables stay as they are."""
    before = prints(seen.scene.db)
    _store_all(seen, "again", seen.scene.db)
    assert prints(seen.scene.db) == before
    return f"{sum(count for count, _ in before.values())} rows"


def stored_anew_all_is_the_same(seen: Evidence) -> str:
    """Into an empty database, the same rows."""
    db = seen.scene.postgres.new_database()
    assert carrel("persist", "--db", db, "--init").code == 0
    _store_all(seen, "anew", db)
    there, here = prints(seen.scene.db), prints(db)
    assert there == here, f"{there} and {here}"
    return f"{len(here)} tables"


def _store_all(seen: Evidence, group: str, db: str) -> None:
    settings = seen.scene.settings
    groups = settings.groups.model_copy(update={"persist": group})
    other = settings.model_copy(update={"groups": groups})
    config = write_config(seen.scene.folder / f"{group}.toml", other)
    machine = persist(seen.scene.folder, f"persist-{group}", config, db)
    machine.start()
    try:
        until = time.monotonic() + _STORED_WITHIN_S
        topics = (settings.topics.results, settings.topics.file_results)
        while any(lag(other, topic, group) for topic in topics):
            assert time.monotonic() < until, f"not stored: {machine.last_words()}"
            machine.mind()
            time.sleep(1)
        assert machine.end() == 0
    finally:
        machine.kill()


def _warcs(archive: Path) -> list[Path]:
    return sorted((archive / "collections/main/archive").glob("*.warc.gz"))


def _payloads(archive: Path) -> Iterator[str]:
    """Yield the SHA-256 of the payload of each response."""
    from warcio.archiveiterator import ArchiveIterator

    for path in _warcs(archive):
        with path.open("rb") as file:
            for record in ArchiveIterator(file):
                if record.rec_type == "response":
                    yield hashlib.sha256(record.content_stream().read()).hexdigest()


def _wanted(seen: Evidence) -> Iterator[tuple[str, str]]:
    """Yield each file of each success: its address, and its digest at the source."""
    for host in seen.scene.hosts:
        for dataset in host.datasets:
            if str(dataset.expected) in _HELD:
                for file in dataset.files:
                    yield dataset.file_url(host, file), dataset.content(file).digest("sha256")


CHECKS_OF_ARCHIVES = (
    archives_are_true,
    merged_they_hold_every_file,
    stored_again_nothing_changes,
    stored_anew_all_is_the_same,
)
