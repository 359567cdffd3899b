# SPDX-License-Identifier: AGPL-3.0-or-later
"""What bodies fatcat's API takes and gives (definitions of its Swagger 2 description, version 0.5),
as JSON Schema Draft 4: by these the stand-in judges what it is sent."""

from typing import Any

from jsonschema import Draft4Validator

_IDENT = {"type": "string", "minLength": 26, "maxLength": 26, "pattern": "^[a-zA-Z2-7]{26}$"}
_UUID = {
    "type": "string",
    "pattern": "^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$",
}
_FREE = {"type": "object", "additionalProperties": {}}
_TEXT = {"type": "string"}
_SIZE = {"type": "integer", "minimum": -(2**63), "maximum": 2**63 - 1}


def _hex(digits: int) -> dict[str, Any]:
    return {"type": "string", "minLength": digits, "maxLength": digits, "pattern": "^[a-f0-9]+$"}


_DIGESTS = {"md5": _hex(32), "sha1": _hex(40), "sha256": _hex(64)}
_URL = {
    "type": "object",
    "required": ["url", "rel"],
    "properties": {"url": {"type": "string", "pattern": "^[a-z]+://"}, "rel": _TEXT},
    "additionalProperties": False,
}
_ENTITY = {
    "state": {"type": "string", "enum": ["wip", "active", "redirect", "deleted"]},
    "ident": _IDENT,
    "revision": _UUID,
    "redirect": _IDENT,
    "extra": _FREE,
    "edit_extra": _FREE,
    "release_ids": {"type": "array", "items": _IDENT},
    "content_scope": _TEXT,
}
_FILESET_FILE = {
    "type": "object",
    "required": ["path", "size"],
    "properties": {"path": _TEXT, "size": _SIZE, **_DIGESTS, "mimetype": _TEXT, "extra": _FREE},
    "additionalProperties": False,
}
DEFINITIONS: dict[str, dict[str, Any]] = {
    "fileset": {
        "type": "object",
        "properties": {
            **_ENTITY,
            "manifest": {"type": "array", "items": _FILESET_FILE},
            "urls": {"type": "array", "items": _URL},
        },
        "additionalProperties": False,
    },
    "file": {
        "type": "object",
        "properties": {
            **_ENTITY,
            "size": _SIZE,
            **_DIGESTS,
            "mimetype": _TEXT,
            "urls": {"type": "array", "items": _URL},
        },
        "additionalProperties": False,
    },
    "editgroup": {
        "type": "object",
        "properties": {
            "editgroup_id": _IDENT,
            "editor_id": _IDENT,
            "description": _TEXT,
            "extra": _FREE,
        },
        "additionalProperties": False,
    },
}


def faults(name: str, body: Any) -> list[str]:
    """Return what is wrong with a body, by the definition of this name."""
    found = Draft4Validator(DEFINITIONS[name]).iter_errors(body)
    return [f"{'.'.join(map(str, each.absolute_path))}: {each.message}" for each in found]
