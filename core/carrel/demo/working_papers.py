# SPDX-License-Identifier: AGPL-3.0-or-later
"""A sample archive of working papers in ReDIF, at three moments of its history, and its full texts.

Between the moments everything happens that a dark archive is for: a paper is revised, one is
withdrawn, one goes under another handle, one's file is gone for good, and for a while a bot check
stands before another.
"""

import io
import tarfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from carrel.demo.answer import Answer, html_answer, plain_answer

_CHALLENGE = (
    "<!doctype html><title>Just a moment...</title>"
    '<script src="/cdn-cgi/challenge-platform/h/b/orchestrate/chl_page/v1"></script>'
)
_PATH = "/papers/"


@dataclass(frozen=True, slots=True)
class Paper:
    """A paper as it stands in the data. `text` is what its file says, "" for none."""

    handle: str
    title: str
    file: str
    restriction: str = ""


@dataclass(frozen=True, slots=True)
class Moment:
    """A state of the archive: its date, its papers, what their files answer, and what a run over it
    is to find, by the names under which a run counts."""

    date: str
    papers: Sequence[Paper]
    answers: Mapping[str, str | int]
    expected: Mapping[str, int]

    @property
    def tarball_name(self) -> str:
        return f"{self.date}-RePEc.tar.gz"

    def tarball(self, origin: str) -> bytes:
        """Return the data of this moment, as RePEc is laid out, packed."""
        files = {"dmoarch.rdf": _ARCHIVE, "dmoseri.rdf": _SERIES}
        files["wpaper/papers.rdf"] = "\n".join(_template(each, origin) for each in self.papers)
        seconds = int(datetime.fromisoformat(self.date).replace(tzinfo=UTC).timestamp())
        packed = io.BytesIO()
        with tarfile.open(fileobj=packed, mode="w:gz") as tar:
            for name, text in files.items():
                member = tarfile.TarInfo(f"RePEc/dmo/{name}")
                member.size, member.mtime = len(text.encode()), seconds
                tar.addfile(member, io.BytesIO(text.encode()))
        return packed.getvalue()


def paper_answer(moment: Moment, path: str) -> Answer | None:
    """Return what the address of a full text answers at a moment, None for another address."""
    if not path.startswith(_PATH):
        return None
    answer = moment.answers.get(path.removeprefix(_PATH), 404)
    if isinstance(answer, str):
        return plain_answer(_pdf(answer), "application/pdf")
    if answer == 403:
        return html_answer(_CHALLENGE, 403, (("cf-mitigated", "challenge"),))
    return html_answer("<!doctype html><title>Gone</title>", answer)


_ARCHIVE = """\
Template-Type: ReDIF-Archive 1.0
Handle: RePEc:dmo
Name: The demonstration archive
Maintainer-Email: papers@example.org
URL: http://papers.example.org/RePEc/dmo/
"""
_SERIES = """\
Template-Type: ReDIF-Series 1.0
Name: Demonstration working papers
Maintainer-Email: papers@example.org
Type: ReDIF-Paper
Handle: RePEc:dmo:wpaper
"""


def _template(paper: Paper, origin: str) -> str:
    lines = [
        "Template-Type: ReDIF-Paper 1.0",
        "Author-Name: A. Sample",
        f"Title: {paper.title}",
        f"File-URL: {origin}{_PATH}{paper.file}",
        "File-Format: application/pdf",
        *([f"File-Restriction: {paper.restriction}"] if paper.restriction else []),
        f"Handle: {paper.handle}",
    ]
    return "\n".join(lines) + "\n"


def _pdf(text: str) -> bytes:
    return f"%PDF-1.4\n% {text}\ntrailer << >>\n%%EOF\n".encode()


_FISH = Paper("RePEc:dmo:wpaper:1", "The price of fish on Fridays", "fish.pdf")
_RAIN = Paper("RePEc:dmo:wpaper:2", "Does rain move wages?", "rain.pdf")
_TOLLS = Paper("RePEc:dmo:wpaper:3", "Turnpike tolls, 1750 to 1830", "tolls.pdf")
_BREAD = Paper("RePEc:dmo:wpaper:4", "Bread and circuses: a budget", "bread.pdf")
_CLUB = Paper("RePEc:dmo:wpaper:5", "The club as a firm", "club.pdf", "Members only")

MOMENTS = (
    Moment(
        "2019-03-01",
        (_FISH, _RAIN, _TOLLS, _BREAD, _CLUB),
        {"fish.pdf": "fish, draft", "rain.pdf": "rain", "tolls.pdf": "tolls", "bread.pdf": "bread"},
        {"appeared": 7, "full texts appeared": 4},
    ),
    Moment(
        "2019-09-01",
        (_FISH, Paper(_RAIN.handle, "Does rain move wages? (revised)", "rain.pdf"), _TOLLS, _BREAD),
        {"fish.pdf": "fish, revised", "rain.pdf": 403, "tolls.pdf": "tolls", "bread.pdf": "bread"},
        {"changed": 1, "lost": 1, "full texts changed": 1, "full texts: bot-wall": 1},
    ),
    Moment(
        "2020-03-01",
        (
            _FISH,
            Paper(_RAIN.handle, "Does rain move wages? (revised)", "rain.pdf"),
            Paper("RePEc:dmo:wpaper:2019-03", _TOLLS.title, "tolls.pdf"),
            _BREAD,
            _CLUB,
        ),
        {"fish.pdf": "fish, revised", "rain.pdf": "rain", "tolls.pdf": "tolls", "bread.pdf": 410},
        {"appeared": 1, "lost": 1, "reappeared": 1, "full texts lost": 1},
    ),
)
