# SPDX-License-Identifier: AGPL-3.0-or-later
"""`store.json`: what an object store says of itself, with its own digest, so that damage shows."""

import hashlib
import json
from collections.abc import Mapping
from typing import Any

from carrel.errors import ControlFlow

_FORMAT = "carrel object store 1"
_LAYOUT = (
    "An object is stored at AAA/BBB/C/NAME: the digits of the time it was recorded (Unix, "
    "seconds), reversed, and its identifier, percent-encoded. What a name does not say is in "
    "names.tsv beside it. The files in journal/ record what happened to each object."
)


class BadDescription(ControlFlow):
    """A `store.json` is not what was written."""


def written(probed: Mapping[str, Any]) -> bytes:
    """Return the bytes of a `store.json`."""
    said = {"format": _FORMAT, "layout": _LAYOUT, "probed": dict(probed)}
    return _lines(said | {"sum": hashlib.sha256(_lines(said)).hexdigest()})


def read(data: bytes) -> Mapping[str, Any]:
    """Return what was probed. Raises BadDescription unless every byte is as it was written."""
    try:
        said = json.loads(data)
        probed, layout = said["probed"], said["layout"]
        bare = {"format": _FORMAT, "layout": layout, "probed": probed}
        whole = _lines(bare | {"sum": hashlib.sha256(_lines(bare)).hexdigest()})
    except (ValueError, TypeError, KeyError, RecursionError) as error:
        raise BadDescription from error
    if whole != data or not isinstance(probed, dict):
        raise BadDescription
    return probed


def _lines(said: Mapping[str, Any]) -> bytes:
    return json.dumps(said, indent=1, sort_keys=True).encode() + b"\n"
