# SPDX-License-Identifier: AGPL-3.0-or-later
"""What is wrong with single templates. A sound one is told at a glance, as most are."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

from carrel.dark_archive.redif.flaws import Flaw
from carrel.dark_archive.redif.problems import Problems, quoted
from carrel.dark_archive.redif.stretches import Stretch
from carrel.dark_archive.redif.template import Template
from carrel.dark_archive.redif.values import type_and_version
from carrel.dark_archive.redif.vocabulary import FIELDS

# After redif.spec, with room for what real archives have: codes of six, series of five letters.
_HANDLE = re.compile(
    r"(?:[Rr][Ee][Pp][Ee][Cc]|ReLIS|mapin):[A-Za-z0-9]{2,8}+"
    r"(?::[A-Za-z0-9_-]{2,16}+(?::[^\x00-\x20\x7f]++)?)?"
)
_WEB = ("http://", "https://")
_SCHEME = re.compile(r"([A-Za-z][A-Za-z0-9+.-]*+):")
_VERSION = re.compile(r"\d+\.\d+")
_AFTER_HYPHEN = re.compile(r"-\s+\S")
_GLUED = re.compile(
    r"(?<=[^\n-])(Template-Type(?=\s*+:\s*+ReDIF-)|Handle(?=:\s*+RePEc:)|File-URL(?=:\s*+https?:))",
    re.IGNORECASE,
)
# Of so many handles of a file, and of others, it is known whether they come again: memory stays
# flat.
_MOST_HANDLES = 100_000
_MOST_TYPES = 100


@dataclass(frozen=True, slots=True)
class _Place:
    """A template and where it is: the `body`th of a stretch."""

    template: Template
    stretch: Stretch
    body: int

    def line(self, field: int | None = None) -> Callable[[], int]:
        """Return what tells the line of a field, or of the template's beginning."""
        return partial(self._line, field)

    def line_at(self, at: int) -> Callable[[], int]:
        """Return what tells the line of a place in the template's body."""
        return partial(self.stretch.line, self.body, at)

    def _line(self, field: int | None) -> int:
        return self.stretch.line(self.body, 0 if field is None else self.template.place(field))


class Checks:
    """Looks at the templates of one file, one after another.

    `elsewhere` are handles of other files, each with the path of the first that has it.
    """

    def __init__(self, problems: Problems, elsewhere: dict[int, str]) -> None:
        self._problems, self._elsewhere = problems, elsewhere
        self._handles: set[int] = set()
        self._sound_types: set[str] = set()

    def look(self, stretch: Stretch, body: int, template: Template, handle: str | None) -> None:
        """Note what is wrong with a template but for its addresses."""
        key = hash(handle.lower()) if handle else 0
        is_sound = (
            handle is not None
            and template.shape.is_plain
            and not template.blanks
            and template.type_value in self._sound_types
            and _HANDLE.fullmatch(handle)
            and key not in self._handles
            and key not in self._elsewhere
        )
        if not is_sound:
            place = _Place(template, stretch, body)
            self._names(place)
            self._blanks(place)
            self._type(place)
            self._handle(place, handle, is_there=key in self._handles)
            self._handle_elsewhere(place, handle, self._elsewhere.get(key))
        if handle and len(self._handles) < _MOST_HANDLES:
            self._handles.add(key)

    def end(self, path: str) -> None:
        """Have the handles of this file known to those that come after it."""
        for key in self._handles:
            if len(self._elsewhere) >= _MOST_HANDLES:
                return
            self._elsewhere.setdefault(key, path)

    def look_at_addresses(
        self, stretch: Stretch, body: int, template: Template, addresses: Sequence[str]
    ) -> None:
        """Note what is wrong with the File-URLs of a template, given what was read from them."""
        for file, address in zip(template.shape.files, addresses, strict=True):
            raw = template.value(file.url)
            # A sound address stands behind one blank.
            if not address.startswith(_WEB) or len(address) + 1 < len(raw):
                self._address(_Place(template, stretch, body), file.url, address, raw)

    def _names(self, place: _Place) -> None:
        shape, template = place.template.shape, place.template
        for field in shape.unknown:
            name = template.name(field)
            message = f"ReDIF has no field {quoted(name)}; RePEc ignores it."
            line = place.line(field)
            self._problems.add_once(Flaw.UNKNOWN_FIELD, message, line, of=name.lower())
        for field in shape.unclaimed:
            message = f"{template.name(field)} comes before any File-URL: it belongs to no file."
            self._problems.add(Flaw.FILE_WITHOUT_URL, message, place.line(field))
        if len(shape.handles) > 1:
            message = f"The template has {len(shape.handles)} Handles; the first one counts."
            self._problems.add(Flaw.SEVERAL_HANDLES, message, place.line(shape.handles[1]))
        if len(shape.handles) > 1 or shape.unclaimed:
            self._glued(place)

    def _type(self, place: _Place) -> None:
        value = place.template.type_value
        if value in self._sound_types:
            return
        named, version, is_known = type_and_version(value)
        if not is_known:
            message = f"{quoted(named or '')} is not a ReDIF template type."
            self._problems.add(Flaw.UNKNOWN_TYPE, message, place.line())
        elif not _VERSION.fullmatch(version):
            message = f"{quoted(value)} should end in a version, 1.0."
            self._problems.add(Flaw.NO_VERSION, message, place.line())
        elif len(self._sound_types) < _MOST_TYPES:
            self._sound_types.add(value)

    def _handle(self, place: _Place, handle: str | None, *, is_there: bool) -> None:
        shape = place.template.shape
        if handle is None:
            if not shape.has_archive_handle:  # a Mirror, which has that instead
                message = "The template has no Handle: RePEc cannot identify it."
                self._problems.add(Flaw.NO_HANDLE, message, place.line())
                self._glued(place)
            return
        line = place.line(shape.handles[0])
        if not _HANDLE.fullmatch(handle):
            message = f"{quoted(handle)} is not a RePEc handle, RePEc:aaa:series:item."
            self._problems.add(Flaw.ODD_HANDLE, message, line)
        if is_there:
            message = f"The Handle {quoted(handle)} is a duplicate of one further up in the file."
            self._problems.add(Flaw.DUPLICATE_HANDLE, message, line)

    def _handle_elsewhere(self, place: _Place, handle: str | None, path: str | None) -> None:
        if handle is not None and path is not None:
            message = f"The Handle {quoted(handle)} is also in {path}."
            line = place.line(place.template.shape.handles[0])
            self._problems.add(Flaw.DUPLICATE_HANDLE, message, line)

    def _address(self, place: _Place, field: int, address: str, raw: str) -> None:
        line = place.line(field)
        scheme = _SCHEME.match(address)
        if not address:
            self._problems.add(Flaw.EMPTY_URL, "The File-URL is empty.", line)
        elif scheme is not None and scheme[1].lower() + "://" not in _WEB:
            message = f"{quoted(address)} is neither http nor https, and is not fetched."
            self._problems.add(Flaw.SCHEME, message, line)
        elif not address.lower().startswith(_WEB):
            message = f"{quoted(address)} is not a web address; it should begin with https://."
            self._problems.add(Flaw.NO_URL, message, line)
        if _AFTER_HYPHEN.search(raw.strip()):
            message = f"{quoted(address)} was split after a hyphen, which RePEc does not repair."
            self._problems.add(Flaw.FOLDED_URL, message, line)

    def _blanks(self, place: _Place) -> None:
        for blank in place.template.blanks:
            name = blank.rstrip()
            if name.lower() in FIELDS:  # else it is a word of a sentence
                message = (
                    f"There is a space before the colon: {name} is not a field but continues the "
                    "line before."
                )
                at = place.template.body.find(f"\n{blank}:") + 1
                self._problems.add(Flaw.BLANK_BEFORE_COLON, message, place.line_at(at))

    def _glued(self, place: _Place) -> None:
        """Look for a field within a line, where one is missing or there is one too many."""
        for glued in _GLUED.finditer(place.template.body):
            message = f"{glued[1]} is within a line, where it is not a field."
            self._problems.add(Flaw.GLUED_FIELD, message, place.line_at(glued.start()))
