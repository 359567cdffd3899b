# SPDX-License-Identifier: AGPL-3.0-or-later
"""Texts and mappings as YAML that a person would write."""

import json
from collections.abc import Mapping

from carrel.errors import ConfigError
from carrel.mementos.config.findings import Findings
from carrel.mementos.config.yaml_tree import Scalar, parse


def scalar(text: str) -> str:
    """Return a text as YAML has it: as it is where that means the same, else in quotes."""
    return text if _is_safe_bare(text) else json.dumps(text)


def mapping_lines(mapping: Mapping[str, str]) -> list[str]:
    """Return a line for each key of a flat mapping."""
    return [f"{scalar(key)}: {scalar(value)}" for key, value in mapping.items()]


def _is_safe_bare(text: str) -> bool:
    """Say whether a text means itself, also as a key."""
    findings = Findings("")
    try:
        node = parse(f"{text}\n", findings)
    except ConfigError:
        return False
    is_itself = isinstance(node, Scalar) and node.value == text and not findings.errors
    return is_itself and text[0] not in "\"'" and "\n" not in text
