# SPDX-License-Identifier: AGPL-3.0-or-later
"""A holding as a bag: BagIt 1.0 (RFC 8493), or 0.97 where that is what all tools read alike."""

import hashlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date

from carrel import __version__
from carrel.errors import UsageError
from carrel.exports import datacite
from carrel.exports.bags.fetching import fetch_list
from carrel.exports.bags.profile import ANY, APTRUST_INFO, VERSIONS, Fields, Profile, Tag, chosen
from carrel.exports.checksums import checksum_list, payload_list
from carrel.exports.papers import Papers
from carrel.exports.texts import one_line
from carrel.model.sizes import in_words
from carrel.translation import tr

CHECKING = "To check them again: {command}, or any reader of BagIt bags."
_COMPUTED = ("Bag-Size", "Payload-Oxum", "Bagging-Date", "Bag-Software-Agent")
_STRONG = ("sha256", "sha512")
_STORAGE = "Standard"  # APTrust's own default


@dataclass(frozen=True, slots=True)
class Issuer:
    """Who makes a bag, on which day; "" for what the settings do not say."""

    day: date
    operator: str = ""
    contact: str = ""


@dataclass(frozen=True, slots=True)
class Bagging:
    """How bags are made: with lists by which algorithms, by whom, for which recipient, and with
    tags that were `given` in place of what Carrel knows."""

    issuer: Issuer
    algorithms: Sequence[str]
    profile: Profile = ANY
    given: Fields = ()

    @property
    def checking(self) -> str:
        """How one checks a bag again."""
        algorithm = next((each for each in self.algorithms if each == "sha256"), self.algorithms[0])
        return CHECKING.format(command=f"{algorithm}sum -c manifest-{algorithm}.txt")

    def faults(self, papers: Papers, signatures: Sequence[str] = ()) -> Sequence[str]:
        """Return why a bag with these signatures would not be as its recipient requires, in
        sentences."""
        names = [*dict(self._tag_files(papers)), *signatures]
        info, aptrust = self._info(papers), self._aptrust(papers)
        faults = list(self.profile.faults(info, aptrust, names))
        if _version(self.profile, papers) is None:
            faults.append(tr("It does not allow BagIt 0.97, which names with “%” need."))
        if signatures and not self.signed:
            faults.append(tr("It has no list by SHA-256 or SHA-512 that could be signed."))
        return faults

    def files(self, papers: Papers) -> Iterator[tuple[str, bytes]]:
        """Yield name and content of what makes a bag of the files: declaration, metadata, lists,
        and last of all the list of these by which a bag is signed."""
        tag_files = dict(self._tag_files(papers))
        yield from tag_files.items()
        for algorithm in sorted(self._tag_algorithms, key=lambda each: each == self._strongest):
            digests = {
                name: hashlib.new(algorithm, content).hexdigest()
                for name, content in tag_files.items()
            }
            yield f"tagmanifest-{algorithm}.txt", checksum_list(digests)

    @property
    def signed(self) -> str:
        """The name of the list that a signature is over, "" where a bag has none."""
        return f"tagmanifest-{self._strongest}.txt" if self._strongest else ""

    @property
    def _tag_algorithms(self) -> Sequence[str]:
        return self.profile.tag_algorithms(self.algorithms)

    @property
    def _strongest(self) -> str:
        """Bag-nabit and we sign the list by SHA-256, where there is one; never one that is weak."""
        return next((each for each in _STRONG if each in self._tag_algorithms), "")

    def _tag_files(self, papers: Papers) -> Iterator[tuple[str, bytes]]:
        version = _version(self.profile, papers)
        declared = f"BagIt-Version: {version}\nTag-File-Character-Encoding: UTF-8\n"
        yield "bagit.txt", declared.encode()
        yield "bag-info.txt", _lines(self._info(papers))
        if self.profile.aptrust:
            yield APTRUST_INFO, _lines(self._aptrust(papers))
        for algorithm in self.algorithms:
            yield f"manifest-{algorithm}.txt", payload_list(papers.payload.copied, algorithm)
        if listed := fetch_list(papers.payload):
            yield "fetch.txt", listed
        yield from papers.written()
        yield from datacite.documents(papers.holding, papers.payload)

    def _info(self, papers: Papers) -> Fields:
        given = [field for field in self.given if field[0] not in self.profile.aptrust]
        return _fields(self.profile.tags, self._known(papers), given)

    def _aptrust(self, papers: Papers) -> Fields:
        dataset = papers.dataset
        known = [("Title", dataset.name), ("Description", dataset.citation)]
        known.append(("Storage-Option", _STORAGE))
        given = [field for field in self.given if field[0] in self.profile.aptrust]
        return _fields(self.profile.aptrust, known, given) if self.profile.aptrust else ()

    def _known(self, papers: Papers) -> Iterator[tuple[str, str]]:
        dataset, payload, issuer = papers.dataset, papers.payload, self.issuer
        yield "Source-Organization", issuer.operator
        yield "Contact-Email", issuer.contact if "@" in issuer.contact else ""
        yield "External-Description", dataset.name
        doi = f"doi:{dataset.doi}" if dataset.doi else ""
        own = "" if dataset.platform_id == dataset.doi else dataset.platform_id or ""
        for identifier in dict.fromkeys([doi, own, dataset.landing_page]):
            yield "External-Identifier", identifier
        yield "Internal-Sender-Identifier", papers.holding.ingest_id
        yield "Bag-Size", in_words(payload.size)
        yield "Payload-Oxum", f"{payload.size}.{len(payload.copied)}"
        yield "Bagging-Date", issuer.day.isoformat()
        yield "Bag-Software-Agent", f"Carrel {__version__}"
        yield "BagIt-Profile-Identifier", self.profile.identifier
        yield from ((name, value) for name, value in _asked(papers) if name in self.profile.tags)


def check_given(given: Fields) -> None:
    """Raise UsageError for tags that cannot be given."""
    for name, _ in given:
        if name in _COMPUTED:
            raise UsageError(tr("Carrel sets {tag} itself.", tag=name))


def _asked(papers: Papers) -> Iterator[tuple[str, str]]:
    """Yield what only some recipients ask for."""
    yield "Title", papers.dataset.name
    yield "Internal-Sender-Description", papers.dataset.citation
    for creator in papers.dataset.creators:
        yield "Record-Creators", creator


def _version(profile: Profile, papers: Papers) -> str | None:
    """Return which version a bag is of, None where the profile allows none that fits. A path with
    “%” is escaped in 1.0 by the text, and by no tool: in 0.97 it stands as it is, by the text and
    in all tools."""
    has_percent = any("%" in str(file.path) for file in papers.holding.files)
    fit = (each for each in VERSIONS if each in profile.versions)
    return next((each for each in fit if each == "0.97" or not has_percent), None)


def _fields(tags: Mapping[str, Tag], known: Iterable[tuple[str, str]], given: Fields) -> Fields:
    """Return the tags of a file: in place of what is known, what was given, each in one line."""
    taken = {name for name, _ in given}
    every = [*(field for field in known if field[0] not in taken), *given]
    return chosen(tags, [(name, one_line(value)) for name, value in every])


def _lines(fields: Fields) -> bytes:
    """Return fields as lines. A value is one line, or what it holds could add fields."""
    return "".join(f"{name}: {value}\n" for name, value in fields).encode()
