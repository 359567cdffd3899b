# SPDX-License-Identifier: AGPL-3.0-or-later
"""The published shapes of request and result, as JSON Schema (draft 2020-12)."""

import json
from importlib.resources import files
from typing import Any


def schema(name: str) -> dict[str, Any]:
    """Return the schema `ingest_request` or `ingest_fileset_result`, parsed."""
    text = files(__name__).joinpath(f"{name}.schema.json").read_text(encoding="utf-8")
    parsed: dict[str, Any] = json.loads(text)
    return parsed
