# SPDX-License-Identifier: AGPL-3.0-or-later
"""Sentences, and names from outside in them: short, and harmless to whoever reads them."""

import unicodedata
from collections.abc import Iterable, Sequence

from carrel.translation import tr

# So many names of a list are told one by one.
MOST_LISTED = 5
_LONGEST_SHOWN = 100
_LONGEST_ADDRESS = 1000


def shortlist(names: Iterable[str]) -> str:
    """Return the names in one line that is safe to show, the first few if there are many."""
    names = list(names)
    return ", ".join(map(shown, names[:MOST_LISTED])) + and_more(names)


def and_more(things: Sequence[object]) -> str:
    """Return " and 3 more" of things of which the first few are listed, "" for no more."""
    return (
        tr(" and {things:,} more", things=len(things) - MOST_LISTED)
        if len(things) > MOST_LISTED
        else ""
    )


def shown(name: str, most_chars: int = _LONGEST_SHOWN) -> str:
    """Return a name from outside for a sentence: not too long, and with nothing in it that could
    steer a terminal or turn the line around."""
    if len(name) > most_chars:
        name = f"{name[:60]}…{name[-30:]}"
    return "".join("\ufffd" if _is_steering(character) else character for character in name)


def visible(text: str) -> str:
    """Return a text from outside whole, with a mark (⟨U+202E⟩) for each character in it that is
    seen only by what it does to others. Those that only join letters stay."""
    if text.isascii() and text.isprintable():
        return text
    return "".join(code_point(each) if _is_hidden(each) else each for each in text)


def as_sentence(text: str) -> str:
    """Return words as a sentence that another can follow."""
    text = text.strip()
    return text if not text or text[-1] in ".!?…" else f"{text}."


def code_point(character: str) -> str:
    """Return a character by its number, as ⟨U+202E⟩."""
    return f"⟨U+{ord(character):04X}⟩"


def shown_address(url: str) -> str:
    """Return an address from outside for a sentence: whole, as far as anyone can use it."""
    return shown(url, _LONGEST_ADDRESS)


def _is_hidden(character: str) -> bool:
    # Persian, Hindi and other languages are written with joiners.
    is_joiner = character in "\u200c\u200d"
    return not is_joiner and (_is_steering(character) or unicodedata.category(character) == "Co")


def _is_steering(character: str) -> bool:
    return unicodedata.category(character) in ("Cc", "Cf", "Cs", "Zl", "Zp")
