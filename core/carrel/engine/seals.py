# SPDX-License-Identifier: AGPL-3.0-or-later
"""Whether a job of the queue was put there by the person who runs it.

The queue is in the archive folder, which can come from anyone. What publishes (uploads to
archive.org, captures by Save Page Now) must not begin because someone else wrote it there: each
job carries a code over what it asks for, made with a key that never leaves the person's own
configuration.
"""

import hmac
import json
import logging
import threading
from dataclasses import replace
from hashlib import sha256
from pathlib import Path
from secrets import token_bytes

from carrel.errors import SettingsError
from carrel.ledger.jobs import request_key
from carrel.model import Job
from carrel.settings.person import alone, own_folder
from carrel.whole_file import replace_file

log = logging.getLogger(__name__)

_KEY_BYTES = 32


class Seals:
    """Makes and checks the seals of one person. Threads may share it.

    Where the key cannot be kept, its seals hold as long as the process runs.
    """

    def __init__(self, path: Path | None = None) -> None:
        self._path = path or own_folder() / "queue.key"
        self._lock = threading.Lock()
        self._key: bytes | None = None

    def sealed(self, job: Job) -> Job:
        """Return the job as one that this person wants."""
        return replace(job, seal=self._code(job))

    def holds(self, job: Job) -> bool:
        """Say whether this person wanted this very job, published as it would be."""
        seal = job.seal if isinstance(job.seal, str) else ""
        return hmac.compare_digest(seal.encode("utf-8", "replace"), self._code(job).encode())

    def _code(self, job: Job) -> str:
        options = job.options
        wanted = [job.job_id, request_key(job.request), options.strategy, options.to]
        text = json.dumps([*wanted, options.item_name])
        return hmac.new(self._own_key(), text.encode(), sha256).hexdigest()

    def _own_key(self) -> bytes:
        with self._lock:
            if self._key is None:
                self._key = _kept_key(self._path)
            return self._key


def _kept_key(path: Path) -> bytes:
    """Return the person's key, made and kept if there is none."""
    try:
        with alone(path):
            key = path.read_bytes() if path.exists() else b""
            if len(key) == _KEY_BYTES:
                return key
            if key:
                log.warning(
                    "%s is damaged; a new key is made, and older jobs are asked about", path
                )
            fresh = token_bytes(_KEY_BYTES)
            replace_file(path, fresh, is_private=True)
            return fresh
    except SettingsError as error:
        log.warning("What you queue for publication is asked about again later: %s", error)
        return token_bytes(_KEY_BYTES)
