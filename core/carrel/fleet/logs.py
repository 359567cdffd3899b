# SPDX-License-Identifier: AGPL-3.0-or-later
"""The log as lines of JSON, for what collects the logs of many machines."""

import json
import logging
import re
from datetime import UTC, datetime
from typing import Any

from carrel.model.user_information import without_user_information

_INGEST = re.compile(r"\b\d{8}T\d{6}-[0-9a-f]{16}(?:\.\d+)?\b")


def log_as_json(worker: str) -> None:
    """Have every handler of the root logger write lines of JSON that name this worker."""
    for handler in logging.getLogger().handlers:
        handler.setFormatter(_Json(worker))


class _Json(logging.Formatter):
    def __init__(self, worker: str) -> None:
        super().__init__()
        self._worker = worker

    def format(self, record: logging.LogRecord) -> str:
        text = without_user_information(record.getMessage())
        fields: dict[str, Any] = {
            "at": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname,
            "logger": record.name,
            "worker": self._worker,
            "message": text,
        }
        if found := _INGEST.search(text):
            fields["ingest_id"] = found[0]
        if record.exc_info:
            fields["exception"] = without_user_information(self.formatException(record.exc_info))
        return json.dumps(fields, ensure_ascii=False)
