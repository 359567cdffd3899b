# SPDX-License-Identifier: AGPL-3.0-or-later
"""Texts from outside as any text file, database and C program holds them whole."""

from collections.abc import Sequence
from typing import Any


def last_of_each(pairs: Sequence[tuple[str, Any]], repeated: dict[str, None]) -> dict[str, Any]:
    """Return a JSON object of these pairs, its texts whole, noting what it says twice, and not
    alike."""
    known = {whole_characters(name): whole_texts(value) for name, value in pairs}
    if len(known) < len(pairs):
        told = ((whole_characters(name), whole_texts(value)) for name, value in pairs)
        repeated.update((name, None) for name, value in told if known[name] != value)
    return known


def whole_texts(value: Any) -> Any:
    """Return a JSON value with its texts, and those in its lists, as `whole_characters` has them.

    Objects in it are left as they are: they were made by `last_of_each`.
    """
    if isinstance(value, str):
        return whole_characters(value)
    return [whole_texts(one) for one in value] if isinstance(value, list) else value


def whole_characters(text: str) -> str:
    """Return the text with what no text file, database or C program holds whole, that is NUL and
    lone surrogates, made replacement characters."""
    if "\x00" in text:
        text = text.replace("\x00", "\ufffd")
    if text.isascii():
        return text
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
