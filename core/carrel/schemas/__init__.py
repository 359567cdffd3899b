# SPDX-License-Identifier: AGPL-3.0-or-later
"""The published shapes of request and result, as JSON Schema (draft 2020-12)."""

import json
from importlib.resources import files
from typing import Any


def schema(name: str) -> dict[str, Any]:
    """Return a schema, parsed: ingest_request, ingest_fileset_result or ingest_file_result."""
    text = files(__name__).joinpath(f"{name}.schema.json").read_text(encoding="utf-8")
    parsed: dict[str, Any] = json.loads(text)
    return parsed
