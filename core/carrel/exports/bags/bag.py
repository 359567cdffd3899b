# SPDX-License-Identifier: AGPL-3.0-or-later
"""A holding as a bag: BagIt 1.0 (RFC 8493), or 0.97 where that is what all tools read alike."""

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date

from carrel import __version__
from carrel.exports import datacite
from carrel.exports.checksums import checksum_list, payload_list
from carrel.exports.folder import WholeFolder
from carrel.exports.papers import Papers
from carrel.exports.texts import one_line
from carrel.model.sizes import in_words

ALGORITHMS = ("sha256", "sha512")
POSSIBLE = ("md5", "sha1", "sha256", "sha512")
"""What bags may have lists of, as all tools know them (RFC 8493, 2.4)."""
CHECKING = "To check them again: sha256sum -c manifest-sha256.txt, or any reader of BagIt bags."


@dataclass(frozen=True, slots=True)
class Issuer:
    """Who makes a bag, on which day; "" for what the settings do not say."""

    day: date
    operator: str = ""
    contact: str = ""


def write_bag(
    folder: WholeFolder, papers: Papers, algorithms: Sequence[str], issuer: Issuer
) -> None:
    """Write what makes a bag of the files: declaration, lists and metadata. Raises OSError."""
    tag_files = dict(_tag_files(papers, algorithms, issuer))
    for algorithm in algorithms:
        digests = {
            name: hashlib.new(algorithm, content).hexdigest() for name, content in tag_files.items()
        }
        folder.write(f"tagmanifest-{algorithm}.txt", checksum_list(digests))
    for name, content in tag_files.items():
        folder.write(name, content)


def _tag_files(
    papers: Papers, algorithms: Sequence[str], issuer: Issuer
) -> Iterator[tuple[str, bytes]]:
    yield "bagit.txt", _declaration(papers)
    yield "bag-info.txt", _lines(_info(papers, issuer))
    for algorithm in algorithms:
        yield f"manifest-{algorithm}.txt", payload_list(papers.payload.copied, algorithm)
    yield from papers.written()
    yield from datacite.documents(papers.holding, papers.payload)


def _declaration(papers: Papers) -> bytes:
    """Return the declaration. A path with “%” is escaped in 1.0 by the text, and by no tool: in
    0.97 it stands as it is, by the text and in all tools."""
    has_percent = any("%" in each.path for each in papers.payload.copied)
    version = "0.97" if has_percent else "1.0"
    return f"BagIt-Version: {version}\nTag-File-Character-Encoding: UTF-8\n".encode()


def _info(papers: Papers, issuer: Issuer) -> Iterator[tuple[str, str]]:
    dataset, payload = papers.dataset, papers.payload
    yield "Source-Organization", issuer.operator
    yield "Contact-Email", issuer.contact if "@" in issuer.contact else ""
    yield "External-Description", dataset.name
    doi = f"doi:{dataset.doi}" if dataset.doi else ""
    for identifier in dict.fromkeys([doi, dataset.platform_id or "", dataset.landing_page]):
        yield "External-Identifier", identifier
    yield "Internal-Sender-Identifier", papers.holding.ingest_id
    yield "Bag-Size", in_words(payload.size)
    yield "Payload-Oxum", f"{payload.size}.{len(payload.copied)}"
    yield "Bagging-Date", issuer.day.isoformat()
    yield "Bag-Software-Agent", f"Carrel {__version__}"


def _lines(fields: Iterator[tuple[str, str]]) -> bytes:
    """Return fields as lines. A value is one line, or what it holds could add fields."""
    told = ((name, one_line(value)) for name, value in fields)
    return "".join(f"{name}: {value}\n" for name, value in told if value).encode()
