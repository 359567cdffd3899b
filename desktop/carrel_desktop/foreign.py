# SPDX-License-Identifier: AGPL-3.0-or-later
"""Text from outside, as the window shows it: nothing in it may turn the writing around.

A title with U+202E can make a file named "exe.csv" read as another one; the terminal has the same
rule (`carrel.cli.terminal`), and knows no lines or joined letters that would have to be spared.
"""

_LINES = "\n\t"
_CONTROLS = [*range(0x20), *range(0x7F, 0xA0)]
# Unicode 15, annex 9: embeddings and overrides, isolates, and the marks.
_DIRECTIONS = [*range(0x202A, 0x202F), *range(0x2066, 0x206A), 0x200E, 0x200F, 0x061C]
_NEUTRAL = {code: "\ufffd" for code in (*_CONTROLS, *_DIRECTIONS) if chr(code) not in _LINES}


def shown(text: str) -> str:
    """Return a text with a mark in place of each control character but ends of lines and tabs."""
    return text.translate(_NEUTRAL)
