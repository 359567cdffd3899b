# SPDX-License-Identifier: AGPL-3.0-or-later
"""Texts and mappings as YAML that a person would write."""

import json
import re
from collections.abc import Mapping

from carrel.errors import ConfigError

# Addresses, and names with an underscore: they mean nothing but themselves.
_PLAIN = re.compile(r"[a-z][a-z+]*://[!-~]*[!-9;-~]|[a-z]+_[a-z]+")
# How a text begins that no version of YAML takes for a number, a date or a mark.
_WORDS = re.compile(r"[^\W\d_]|\$|\.?/")
# What JSON does not escape, and YAML does not have as it is or takes for the end of a line.
_UNPRINTABLE = re.compile("[\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff]")


def scalar(text: str) -> str:
    """Return a text as YAML has it: as it is where that means the same, else in quotes."""
    return text if _is_safe_bare(text) else _quoted(text)


def mapping_lines(mapping: Mapping[str, str]) -> list[str]:
    """Return a line for each key of a flat mapping."""
    return [f"{scalar(key)}: {scalar(value)}" for key, value in mapping.items()]


def _quoted(text: str) -> str:
    """Return a text in double quotes (YAML 1.2.2, 7.3.1), which are those of JSON but for pairs.

    JSON has a pair of escapes for what lies beyond U+FFFF, which YAML takes for two characters.
    """
    return _UNPRINTABLE.sub(
        lambda found: f"\\u{ord(found[0]):04x}", json.dumps(text, ensure_ascii=False)
    )


def _is_safe_bare(text: str) -> bool:
    """Say whether a text means itself, also as a key."""
    if _PLAIN.fullmatch(text):
        return True
    # Loaded late: a new archive, whose file has plain texts alone, is made without it.
    from carrel.mementos.config.findings import Findings
    from carrel.mementos.config.yaml_tree import Scalar, parse

    findings = Findings("")
    try:
        node = parse(f"{text}\n", findings)
    except ConfigError:
        return False
    is_itself = isinstance(node, Scalar) and node.value == text and not findings.errors
    return is_itself and _WORDS.match(text) is not None and "\n" not in text
