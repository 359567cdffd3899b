# SPDX-License-Identifier: AGPL-3.0-or-later
"""A holding as an RO-Crate 1.2: its files, those that lack, and how and when it was captured."""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any
from urllib.parse import quote

from carrel.exports.checksums import MANIFEST, whole_list
from carrel.exports.moments import in_iso
from carrel.exports.papers import Papers
from carrel.exports.payload import CopiedFile
from carrel.exports.texts import exact, one_line
from carrel.model.exports import NotExported
from carrel.model.formats import Format
from carrel.model.names import in_utf8

ALGORITHMS = ("sha256",)
CHECKING = "To check them again: sha256sum -c manifest-sha256.txt"
_DOCUMENT = "ro-crate-metadata.json"
_VERSION = "https://w3id.org/ro/crate/1.2"
# What may stand in the path of a URI as it is; letters beyond ASCII stay too (RO-Crate 1.2).
_PLAIN = "/-._~!$&'()*+,;=@"
_DAY = re.compile(r"\d{4}-\d{2}-\d{2}")
Entity = dict[str, Any]


def crate_files(papers: Papers, operator: str) -> Iterator[tuple[str, bytes]]:
    """Yield name and content of what makes a crate of the files; the list of all comes last."""
    graph = list(_Crate(papers, operator).entities())
    document = {"@context": f"{_VERSION}/context", "@graph": graph}
    text = json.dumps(document, indent=1, ensure_ascii=False)
    beside = {**dict(papers.written()), _DOCUMENT: in_utf8(text).encode() + b"\n"}
    yield from beside.items()
    yield MANIFEST, whole_list(papers.payload.copied, beside)


class _Crate:
    """Describes an export. Nothing is stated that the platform, or the ledger, does not say."""

    def __init__(self, papers: Papers, operator: str) -> None:
        self._papers, self._operator = papers, one_line(operator)
        self._dataset, self._holding = papers.dataset, papers.holding
        self._publisher = one_line(self._dataset.publisher or "")
        self._host = one_line(self._dataset.platform_domain or "")
        self._addresses = _addresses(papers)

    def entities(self) -> Iterator[Entity]:
        """Yield what is described: the document, the crate, its files, and all they name."""
        yield {
            "@id": _DOCUMENT,
            "@type": "CreativeWork",
            "name": "What this crate has",
            "about": _to("./"),
            "conformsTo": _to(_VERSION),
            **({"sdPublisher": _to("#operator")} if self._operator else {}),
        }
        yield self._root()
        for each in self._papers.payload.copied:
            yield from _file(each, self._format_of(each))
        yield from self._lacking()
        yield from self._capture()
        yield from self._named()

    def _root(self) -> Entity:
        dataset = self._dataset
        here, lacking = len(self._papers.payload.copied), len(self._papers.lacking)
        name = one_line(dataset.name)
        how = (
            "imported"
            if self._holding.is_import
            else f"published at {dataset.platform_domain or dataset.landing_page} and archived"
        )
        described = (
            f"{here:,} of the {here + lacking:,} files of the dataset “{name}”, as they were "
            f"{how} on {self._holding.finished[:10]}.{self._untold_day()}"
        )
        if dataset.may_have_more:
            described += f" They are {dataset.known_files}; it may have others."
        files = [_identifier(each) for each in self._papers.payload.copied]
        elsewhere = [name for name in self._addresses.values() if not name.startswith("#")]
        return _with_values(
            {
                "@id": "./",
                "@type": "Dataset",
                "name": name,
                "description": one_line(described),
                "datePublished": self._published(),
                "license": _to(self._license()["@id"]),
                "author": [_to(f"#author-{at}") for at in range(1, len(dataset.creators) + 1)],
                "publisher": _to("#publisher") if self._publisher else None,
                "includedInDataCatalog": _to("#platform") if self._host else None,
                "version": one_line(dataset.version or ""),
                "isBasedOn": _to(self._source()),
                "hasPart": [_to(each) for each in [*files, *elsewhere]],
                "mentions": [_to(each["@id"]) for each in self._capture() if _is_action(each)],
            }
        )

    def _published(self) -> str:
        """Return the day of publication, that of archiving where none is known: every crate has to
        have one (RO-Crate 1.2, Root Data Entity)."""
        published = (self._dataset.published or "")[:10]
        return published if _DAY.fullmatch(published) else self._holding.finished[:10]

    def _untold_day(self) -> str:
        """Return that the day of publication is none, as a sentence to add; "" where it is one."""
        finished = self._holding.finished[:10]
        if self._published() == (self._dataset.published or "")[:10]:
            return ""
        return f" The day of its publication is not known: {finished} stands in its place."

    def _lacking(self) -> Iterator[Entity]:
        """Yield what is not here: where the platform has it, if that is known."""
        seen: set[str] = set()
        for each in self._papers.lacking:
            at = self._addresses[each.file]
            if at in seen:
                continue
            seen.add(at)
            kind = "CreativeWork" if at.startswith("#") else "File"
            yield {
                "@id": at,
                "@type": kind,
                "name": exact(each.file),
                "description": one_line(each.reason),
            }

    def _capture(self) -> Iterator[Entity]:
        files = [_to(_identifier(each)) for each in self._papers.payload.copied]
        name = "Import of the files" if self._holding.is_import else "Capture of the files"
        yield self._action("#capture", name, "Completed", {"result": files})
        lacking: Sequence[NotExported] = self._papers.lacking
        if lacking:
            first = one_line(f"{lacking[0].file}: {lacking[0].reason}")
            more = f" ({len(lacking) - 1:,} more)" if len(lacking) > 1 else ""
            without = list(dict.fromkeys(self._addresses[each.file] for each in lacking))
            outcome = {"error": f"{first}{more}", "result": [_to(each) for each in without]}
            yield self._action("#not-kept", "Files that are not here", "Failed", outcome)

    def _action(self, at: str, name: str, ending: str, outcome: Mapping[str, Any]) -> Entity:
        return _with_values(
            {
                "@id": at,
                "@type": "CreateAction",
                "name": name,
                "startTime": self._holding.started,
                "endTime": self._holding.finished,
                "actionStatus": _to(f"http://schema.org/{ending}ActionStatus"),
                "instrument": _to("#carrel"),
                "object": _to(self._source()),
                **outcome,
            }
        )

    def _named(self) -> Iterator[Entity]:
        dataset = self._dataset
        for at, creator in enumerate(dataset.creators, 1):
            yield {"@id": f"#author-{at}", "@type": "Person", "name": one_line(creator)}
        if self._publisher:
            yield {"@id": "#publisher", "@type": "Organization", "name": self._publisher}
        if self._host:  # a host is no one who publishes
            yield {"@id": "#platform", "@type": "DataCatalog", "name": self._host}
        if self._operator:
            yield {"@id": "#operator", "@type": "Organization", "name": self._operator}
        yield {
            "@id": "#carrel",
            "@type": "SoftwareApplication",
            "name": "Carrel",
            "version": self._holding.carrel_version,
            "url": f"urn:x-carrel:software:{self._holding.carrel_version}",
        }
        yield _with_values(
            {
                "@id": self._source(),
                "@type": "CreativeWork",
                "name": one_line(dataset.name),
                "url": _address(dataset.landing_page),
            }
        )
        yield self._license()
        yield from self._formats()

    def _format_of(self, copied: CopiedFile) -> Format | None:
        """Return the format of a file that PRONOM has an entry for, None for another."""
        found = self._holding.formats.get(copied.file.held.position)
        return found if found and found.is_known else None

    def _formats(self) -> Iterator[Entity]:
        """Yield each format that a file has, once (RO-Crate 1.2, Adding detailed descriptions of
        encodings)."""
        formats = map(self._format_of, self._papers.payload.copied)
        known = {each.address: each for each in formats if each is not None}
        for address in sorted(known):
            yield {"@id": address, "@type": "WebPage", "name": one_line(known[address].title)}

    def _license(self) -> Entity:
        said = one_line(self._dataset.license or "")
        is_address = said.startswith(("https://", "http://"))
        return {
            "@id": _address(said) if is_address else "#license",
            "@type": "CreativeWork",
            "name": said or "Not stated",
            "description": "As it was stated with the dataset" if said else "None was stated",
        }

    def _source(self) -> str:
        """Return the address of the dataset itself."""
        doi = self._dataset.doi
        if doi:
            return f"https://doi.org/{quote(doi)}"
        return _address(self._dataset.landing_page) or "#source"


def _file(copied: CopiedFile, found: Format | None) -> Iterator[Entity]:
    file, at = copied.file.held.file, _identifier(copied)
    published = {name: digest for name, digest in file.declared.digests.items() if name != "sha256"}
    named = [f"#{name}-{digest.lower()}-{copied.file.held.position}" for name, digest in
             published.items()]  # fmt: skip
    yield _with_values(
        {
            "@id": at,
            "@type": "File",
            "name": exact(file.path),
            "contentSize": str(copied.fixity.size),
            "encodingFormat": _encoding(one_line(file.mimetype or ""), found),
            "sha256": copied.fixity.digests["sha256"],
            "contentUrl": _address(file.platform_url or ""),
            "sdDatePublished": in_iso(file.terminal_dt),
            "identifier": [_to(each) for each in named],
        }
    )
    for each, (name, digest) in zip(named, published.items(), strict=True):
        yield {
            "@id": each,
            "@type": "PropertyValue",
            "name": f"{name} as published",
            "propertyID": name,
            "value": digest,
        }


def _encoding(mimetype: str, found: Format | None) -> str | list[Any]:
    """Return the media type that the platform states, and the format by PRONOM."""
    if found is None:
        return mimetype
    named = mimetype or found.mimetype
    return [*([named] if named else []), _to(found.address)]


def _addresses(papers: Papers) -> dict[str, str]:
    """Return what stands for each file that lacks: its address at the platform, if it has one."""
    document = json.loads(papers.holding.document)
    urls = {each["path"]: each.get("platform_url") for each in document.get("manifest") or ()}
    return {
        each.file: _address(urls.get(each.file) or "") or f"#not-kept-{number}"
        for number, each in enumerate(papers.lacking, 1)
    }


def _identifier(copied: CopiedFile) -> str:
    """Return a file's path as a relative URI."""
    return "".join(each if each > "\x7f" else quote(each, _PLAIN) for each in copied.path)


def _address(url: str) -> str:
    """Return an address with nothing in it that a URI cannot have, "" if it is none of the web."""
    if not url.startswith(("https://", "http://")):
        return ""
    return quote(in_utf8(url), f"{_PLAIN}:?#[]%")


def _to(at: str) -> dict[str, str]:
    return {"@id": at}


def _is_action(entity: Entity) -> bool:
    return bool(entity["@type"] == "CreateAction")


def _with_values(fields: Entity) -> Entity:
    """Return the fields that have a value; of one value there is no list."""
    return {
        name: value[0] if isinstance(value, list) and len(value) == 1 else value
        for name, value in fields.items()
        if value not in (None, "", [])
    }
