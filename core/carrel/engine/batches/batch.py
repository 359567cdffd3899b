# SPDX-License-Identifier: AGPL-3.0-or-later
"""What reading a list gives: requests, and a word for each line that gave none."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from itertools import count

from carrel.model import Finding, IngestRequest
from carrel.model.caption import Caption
from carrel.model.user_information import shown

# As much of a line as is repeated to the person.
_TEXT_MAX_CHARS = 200
# A password that is cut in two would not be known for one.
_TEXT_CUT_CHARS = 5000


class Kind(StrEnum):
    """The forms of lists that can be read."""

    PLAIN = "plain"
    CSV = "csv"
    TSV = "tsv"
    JSONL = "jsonl"
    BIBTEX = "bibtex"
    RIS = "ris"
    SHORTCUT = "shortcut"
    BOOKMARKS = "bookmarks"
    OAI_PMH = "oai-pmh"


@dataclass(frozen=True, slots=True)
class Listed:
    """A dataset in a list. `key` is the same for each spelling of one identifier.

    `line` counts from 1: where the entry begins; in a harvest, the number of the record.
    """

    line: int
    request: IngestRequest
    key: str
    caption: Caption = Caption()


@dataclass(frozen=True, slots=True)
class Problem:
    """A line (or entry, or record) that holds no dataset, its beginning, why not, and what it says
    of the one that it should hold."""

    line: int
    text: str
    message: str
    caption: Caption = Caption()

    def __post_init__(self) -> None:
        object.__setattr__(self, "text", shown(self.text[:_TEXT_CUT_CHARS])[:_TEXT_MAX_CHARS])
        object.__setattr__(self, "message", shown(self.message))


@dataclass(frozen=True, slots=True)
class Duplicate:
    """A line that repeats the dataset of another; `source` is where that one stands."""

    line: int
    base_url: str
    first_line: int
    source: str


Entry = Listed | Problem | Finding


@dataclass(frozen=True, slots=True)
class Batch:
    """A list as it was understood. `name` is what its jobs are grouped by in the queue.

    `findings` tell what holds for the list as a whole (its encoding, the columns that were read).
    `captions` has, by the `base_url` of a request, what the list says of it beside;
    `source` is the name of its file, if it has one, and `lines` where in it each request stands.
    """

    name: str
    kind: Kind
    requests: tuple[IngestRequest, ...]
    problems: tuple[Problem, ...] = ()
    duplicates: tuple[Duplicate, ...] = ()
    findings: tuple[Finding, ...] = ()
    captions: Mapping[str, Caption] = field(default_factory=dict)
    source: str = ""
    lines: tuple[int, ...] = ()

    @property
    def has_lines(self) -> bool:
        """Whether it is known on which line each dataset stands."""
        return len(self.lines) == len(self.requests)

    def numbered(self) -> Iterator[tuple[int, IngestRequest]]:
        """Yield each request with its line, or its number where lines are not known."""
        return zip(self.lines if self.has_lines else count(1), self.requests, strict=False)

    @property
    def is_bare(self) -> bool:
        """Whether there is nothing in it at all: no dataset, and no line that should name one."""
        return not (self.requests or self.problems or self.duplicates)


class Seen:
    """Which datasets were listed already, in one list or in several that belong together."""

    def __init__(self) -> None:
        self._places: dict[str, tuple[str, int]] = {}

    def first_place(self, key: str, source: str, line: int) -> tuple[str, int] | None:
        """Return source and line of an earlier mention; None, and remember this one, if none."""
        place = self._places.setdefault(key, (source, line))
        return None if place == (source, line) else place


def gather(
    entries: Iterable[Entry], *, name: str, kind: Kind, source: str, seen: Seen | None = None
) -> Batch:
    """Return the batch of these entries, each dataset once."""
    seen = seen or Seen()
    requests: list[IngestRequest] = []
    problems: list[Problem] = []
    duplicates: list[Duplicate] = []
    findings: list[Finding] = []
    captions: dict[str, Caption] = {}
    lines: list[int] = []
    for entry in entries:
        match entry:
            case Listed(line, request, key, caption):
                if first := seen.first_place(key, source, line):
                    duplicates.append(Duplicate(line, request.base_url, first[1], first[0]))
                else:
                    requests.append(request)
                    lines.append(line)
                    if caption != Caption():
                        captions[request.base_url] = caption
            case Problem():
                problems.append(entry)
            case Finding():
                findings.append(entry)
    found = (tuple(requests), tuple(problems), tuple(duplicates), tuple(findings))
    return Batch(name, kind, *found, captions, source, tuple(lines))
