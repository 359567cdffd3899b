# SPDX-License-Identifier: AGPL-3.0-or-later
"""What is wrong, or odd, in a collections file, each with its line, collection and key."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace
from difflib import get_close_matches

from carrel.errors import CarrelError, ConfigError
from carrel.model.user_information import without_user_information
from carrel.translation import tr

_MOST_SHOWN = 50
_LONGEST_SHOWN = 100


class Misread(CarrelError):
    """A part of the file is not valid; `str` says why. Becomes a finding, and goes no further."""


@dataclass(frozen=True, slots=True)
class Spot:
    """A place in the file: `collection` is "" outside of any, `keys` lead there from it."""

    line: int
    collection: str = ""
    keys: tuple[str, ...] = ()

    def below(self, key: str, line: int) -> "Spot":
        return replace(self, line=line, keys=(*self.keys, key))

    def at(self, line: int) -> "Spot":
        return replace(self, line=line)

    def __str__(self) -> str:
        collection = (
            [tr("collection {collection}", collection=shown(self.collection))]
            if self.collection
            else []
        )
        key = [tr("key {keys}", keys=shown(".".join(self.keys)))] if self.keys else []
        return ", ".join([tr("line {line}", line=self.line), *collection, *key])


@dataclass(slots=True)
class Findings:
    """Gathers all that is wrong, so that a person sees it at once. `name` is the file's."""

    name: str
    errors: list[tuple[int, str]] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)

    def error(self, spot: Spot, sentence: str) -> None:
        self.errors.append((spot.line, f"{self.name}, {spot}: {sentence}"))

    def warn(self, spot: Spot, sentence: str) -> None:
        self.warnings.append(f"{self.name}, {spot}: {sentence}")

    def check(self) -> None:
        """Raise ConfigError if anything is wrong: one line for each, in the order of the file."""
        if not self.errors:
            return
        lines = [sentence for _, sentence in sorted(self.errors, key=lambda each: each[0])]
        more = len(lines) - _MOST_SHOWN
        rest = [tr("{name}: and {more:,} more.", name=self.name, more=more)] if more > 0 else []
        raise ConfigError("\n".join(lines[:_MOST_SHOWN] + rest))


def shown(value: object) -> str:
    """Return a value as it can be shown: in quotes, not too long, without passwords."""
    text = without_user_information(str(value))
    return f"“{text}”" if len(text) <= _LONGEST_SHOWN else f"“{text[:_LONGEST_SHOWN]}…”"


def unknown(
    what: str, word: str, known: Collection[str], hints: Mapping[str, str] | None = None
) -> str:
    """Return the sentence about a word that there is not, with the nearest one that there is."""
    nearest = get_close_matches(word.lower()[:_LONGEST_SHOWN], known, 1)
    if hints and word in hints:
        hint = hints[word]
    elif nearest:
        hint = tr("Did you mean “{nearest}”?", nearest=nearest[0])
    else:
        hint = tr("There are: {known}.", known=", ".join(known))
    return tr("there is no {what} called {word}. {hint}", what=what, word=shown(word), hint=hint)
