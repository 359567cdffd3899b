# SPDX-License-Identifier: AGPL-3.0-or-later
"""A list of addresses as a source: one file, whose one template names all of them."""

import hashlib
import os
import re
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import BinaryIO

from carrel.dark_archive.identifiers import normal_url
from carrel.dark_archive.redif.encodings import Decoding, Encoding, Sniffer
from carrel.dark_archive.sources.source import Container, ReadContainer, ReadTemplate
from carrel.errors import NotFetchable, UsageError
from carrel.model.dark import ContainerState, Reference, RunSource
from carrel.model.names import readable
from carrel.model.sizes import in_words
from carrel.model.user_information import shown, without_user_information
from carrel.translation import forms, plural, tr

TYPE = "list"
# Some two million addresses.
_LARGEST_BYTES = 256 * 1024 * 1024
_SCHEME = r"[A-Za-z][A-Za-z0-9+.\-]*://"
_ALONE = re.compile(rf"{_SCHEME}[^\s<>\"]+")
_WITHIN = re.compile(rf"{_SCHEME}[^\s<>\"'`{{}}|\\^]+")
_NEXT = re.compile(rf"[,;|](?={_SCHEME})")
_REMARK = re.compile(r"(?:^|\s)#.*")
_FOLLOWED = re.compile(rf"{_SCHEME}\S+ +\S")
_CLOSING = {")": "(", "]": "["}
_UNFIT_IN_NAME = re.compile(r"[^\w.\-]+")


class UrlList:
    """A list of web addresses: one a line, or any text that holds some. "#" begins a remark.

    Raises UsageError where there is no file that can be read.
    """

    source = RunSource.LIST
    unread: Sequence[str] = ()

    def __init__(self, path: Path, *, now: Callable[[], float] = time.time) -> None:
        self._path = Path(os.path.abspath(path))
        self.reference = readable(str(self._path))
        self.notes: Sequence[str] = ()
        if not path.is_file():
            raise UsageError(
                tr(
                    "There is no list {reference}: give the path of a file.",
                    reference=self.reference,
                )
            )
        try:
            with path.open("rb") as file:
                status = os.fstat(file.fileno())
        except OSError as error:
            message = tr(
                "The list {reference} cannot be read: {strerror}.",
                reference=self.reference,
                strerror=error.strerror or error,
            )
            raise UsageError(message) from error
        self.date: int = max(0, min(int(status.st_mtime), int(now())))
        self._size = status.st_size

    def containers(self) -> Iterator[Container]:
        opened = partial(_opened, self._path)
        yield Container(readable(self._path.name), self.date, self._size, opened)

    def read(self, file: BinaryIO, path: str) -> ReadContainer:
        content = file.read(_LARGEST_BYTES + 1)
        if len(content) > _LARGEST_BYTES:
            raise OSError(
                tr(
                    "a list of more than {size} is too long to be read",
                    size=in_words(_LARGEST_BYTES),
                )
            )
        encoding, text = _decoded(content)
        _refuse_secrets(text)
        self.notes = (*_unnamed(text), *_cut_off(text))
        references = tuple(_references(text))
        urls = sorted({each.url for each in references if each.url is not None})
        template = _ListTemplate("".join(f"{url}\n" for url in urls), _handle(path), references)
        return _ReadList(
            ContainerState.READ if urls else ContainerState.UNREADABLE,
            str(encoding),
            None if urls else tr("it has no web address"),
            hashlib.sha256(content).hexdigest(),
            len(content),
            (template,) if urls else (),
        )

    def close(self) -> None:
        """There is nothing to let go of."""


@dataclass(frozen=True, slots=True)
class _ListTemplate:
    """A list's addresses in their normal form, one a line; `read_references` in their own order."""

    text: str
    handle: str | None
    read_references: Sequence[Reference]
    position: int = 0
    type: str | None = TYPE
    restriction: str | None = None

    @property
    def text_md5(self) -> str:
        return hashlib.md5(self.text.encode()).hexdigest()

    def references(self) -> Sequence[Reference]:
        return self.read_references


@dataclass(frozen=True, slots=True)
class _ReadList:
    state: ContainerState
    encoding: str | None
    problem: str | None
    sha256: str
    size: int
    read_templates: Sequence[ReadTemplate]

    def templates(self) -> Iterator[ReadTemplate]:
        return iter(self.read_templates)


def _opened(path: Path) -> BinaryIO:
    return path.open("rb")


def _handle(path: str) -> str:
    """Return the handle of a list, after its file's name without the ending."""
    stem = path.rpartition("/")[2]
    stem = stem.rpartition(".")[0] or stem
    return f"list:{_UNFIT_IN_NAME.sub('-', stem).strip('-') or 'list'}"


def _decoded(content: bytes) -> tuple[Encoding, str]:
    sniffer = Sniffer()
    sniffer.feed(content)
    encoding = sniffer.encoding()
    return encoding, "".join(Decoding(encoding).texts([content]))


def _refuse_secrets(text: str) -> None:
    """Raise OSError for a list with user names or passwords: it would be kept byte for byte."""
    if without_user_information(text) == text:
        return
    lines = enumerate(text.splitlines(), 1)
    number = next((number for number, line in lines if without_user_information(line) != line), 1)
    raise OSError(
        tr(
            "an address in line {number} has a user name or password, and the list is archived "
            "unchanged: remove it from the list",
            number=number,
        )
    )


def _unnamed(text: str) -> Sequence[str]:
    """Return a sentence about the lines that say something and name nothing that can be asked."""
    lines = [
        (number, line.strip())
        for number, line in enumerate(text.splitlines(), 1)
        if _REMARK.sub("", line).strip()
        and not any(_normal_or_none(raw) for raw in _addresses(line))
    ]
    if not lines:
        return ()
    first = "; ".join(
        tr("line {number}, “{line}”", number=number, line=shown(line)[:60])
        for number, line in lines[:3]
    )
    more = tr(", and {lines:,} more", lines=len(lines) - 3) if len(lines) > 3 else ""
    return [
        tr("Lines without a valid address are left out: {first}{more}.", first=first, more=more)
    ]


def _cut_off(text: str) -> Sequence[str]:
    """Return a sentence about the lines that are one address and go on behind a blank."""
    lines = [
        (number, line.strip())
        for number, line in enumerate(text.splitlines(), 1)
        if _FOLLOWED.match(_REMARK.sub("", line).strip()) and len(list(_addresses(line))) == 1
    ]
    if not lines:
        return ()
    number, line = lines[0]
    words = forms(
        "Line {number}, “{line}”, has text after a blank; only the address before it is used. "
        "Write a blank in an address as %20.",
        "{count} lines have text after a blank (first: line {number}, “{line}”); only the address "
        "before it is used. Write a blank in an address as %20.",
    )
    return [plural(*words, len(lines), count=len(lines), number=number, line=shown(line)[:60])]


def _references(text: str) -> Iterator[Reference]:
    """Yield what a list names, in its order, each once; also what cannot be fetched."""
    seen: set[str] = set()
    for line in text.splitlines():
        for raw in _addresses(line):
            url = _normal_or_none(raw)
            if (url or raw) not in seen:
                seen.add(url or raw)
                yield Reference(raw, url)


def _addresses(line: str) -> Iterator[str]:
    """Yield the addresses in a line: the whole of it, if it is one, else those within its text."""
    line = _REMARK.sub("", line).strip()
    if _ALONE.fullmatch(line) and not _NEXT.search(line):
        yield line
        return
    for found in _WITHIN.findall(line):
        yield from map(_without_stops, _NEXT.split(found))


def _without_stops(text: str) -> str:
    """Return an address without the stops and brackets of the sentence that it stands in."""
    while text:
        last = text[-1]
        is_bracket = last in _CLOSING and text.count(last) > text.count(_CLOSING[last])
        if last not in ".,;:!?*" and not is_bracket:
            return text
        text = text[:-1]
    return text


def _normal_or_none(raw: str) -> str | None:
    try:
        return normal_url(raw)
    except NotFetchable:
        return None
