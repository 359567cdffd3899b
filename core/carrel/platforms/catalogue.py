# SPDX-License-Identifier: AGPL-3.0-or-later
"""All platforms in the order of their evidence, and what is known of each before it is asked.

A new platform is a line in `PLATFORMS`, or an installed package adds it (`added.py`). All that
others need to know of platforms is derived here from what each declares (`about.About`).
"""

import re
from collections.abc import Mapping
from functools import lru_cache

from carrel.credentials import TokenKind
from carrel.model import Landing
from carrel.platforms.about import About, KnownLimit, is_under
from carrel.platforms.added import Added, LeftOut, added_beside
from carrel.platforms.addresses import addresses
from carrel.platforms.archiveorg import ArchiveOrg
from carrel.platforms.b2share import B2Share
from carrel.platforms.cernopendata import CernOpenData
from carrel.platforms.ckan import Ckan
from carrel.platforms.dataone import DataOne
from carrel.platforms.dataverse import Dataverse
from carrel.platforms.descriptions.described import Described
from carrel.platforms.directory import Directory
from carrel.platforms.doi_record import DoiRecord
from carrel.platforms.dryad import Dryad
from carrel.platforms.dspace import DSpace
from carrel.platforms.edi import Edi
from carrel.platforms.eprints import EPrints
from carrel.platforms.figshare import Figshare
from carrel.platforms.gbif import Gbif
from carrel.platforms.github import GitHub
from carrel.platforms.hepdata import HepData
from carrel.platforms.huggingface import HuggingFace
from carrel.platforms.hydroshare import HydroShare
from carrel.platforms.icpsr import Icpsr
from carrel.platforms.inveniordm import InvenioRdm
from carrel.platforms.kaggle import Kaggle
from carrel.platforms.linked_file import LinkedFile
from carrel.platforms.mendeley import Mendeley
from carrel.platforms.nakala import Nakala
from carrel.platforms.openneuro import OpenNeuro
from carrel.platforms.osf import Osf
from carrel.platforms.pangaea import Pangaea
from carrel.platforms.platform import Platform
from carrel.platforms.recognised import RECOGNISED
from carrel.platforms.schemaorg import SchemaOrg
from carrel.platforms.scidb import ScienceDataBank
from carrel.platforms.sciencebase import ScienceBase
from carrel.platforms.seanoe import Seanoe
from carrel.platforms.signposting import Signposting

PLATFORMS: tuple[Platform, ...] = (
    Dataverse(),
    CernOpenData(),
    B2Share(),
    HepData(),
    InvenioRdm(),
    Figshare(),
    ArchiveOrg(),
    DataOne(),
    Dryad(),
    Edi(),
    Gbif(),
    GitHub(),
    HuggingFace(),
    Icpsr(),
    HydroShare(),
    Kaggle(),
    Mendeley(),
    Nakala(),
    OpenNeuro(),
    Osf(),
    Pangaea(),
    ScienceBase(),
    ScienceDataBank(),
    Seanoe(),
    DSpace(),
    EPrints(),
    Ckan(),
    Directory(),
    Described(),
    SchemaOrg(),
    Signposting(),
    DoiRecord(),
    LinkedFile(),
)

# Whose addresses lead on to a platform's.
_RESOLVERS = frozenset({"doi.org", "dx.doi.org", "hdl.handle.net", "n2t.net", "arks.org"})
_GENERATOR = re.compile(
    r"<meta[^>]{0,99}\bname=[\"']generator[\"'][^>]{0,99}\bcontent=[\"']([a-z0-9]{1,30})\b",
    re.IGNORECASE,
)


def platforms() -> tuple[Platform, ...]:
    """Return the platforms that can be asked, those of installed packages among them: before the
    readers of any page, and after Carrel's others, so that none takes what was Carrel's before."""
    return _arranged(PLATFORMS)


def left_out() -> tuple[LeftOut, ...]:
    """Return what installed packages add and what cannot be used, with the reasons."""
    return _added(PLATFORMS).left_out


def forget_added() -> None:
    """Have what installed packages add looked for again."""
    _added.cache_clear()
    _arranged.cache_clear()


def everything_known() -> tuple[About, ...]:
    """Return what is known of each platform, those that can be asked first, the best first."""
    return (*(platform.about for platform in platforms()), *RECOGNISED)


def titles() -> Mapping[str, str]:
    """Return how the makers of each platform write the name that it has in results."""
    return _titles(platforms())


def is_known_host(host: str) -> bool:
    """Return whether a bare host in a text can be taken for a web address."""
    host = host.lower().removeprefix("www.")
    hosts, domains = _hosts(platforms())
    return host in hosts or any(is_under(host, domain) for domain in domains)


def token_hosts() -> tuple[str, ...]:
    """Return the hosts to offer to a person who adds a token, in the order of the platforms."""
    uses = (about.token for about in everything_known())
    return tuple(host for use in uses if use for host in use.hosts)


def token_kind_of(host: str) -> TokenKind:
    """Return how a host, in lower case, wants its token: as its platform does if it is known, else
    as the host's name suggests."""
    bare = host.removeprefix("www.")
    uses = [(about, about.token) for about in everything_known() if about.token]
    for about, use in uses:
        if bare in use.hosts or about.runs_at(bare):
            return use.kind
    for _, use in uses:
        if use.suggested_by and use.suggested_by in host:
            return use.kind
    return TokenKind.BEARER


def is_asked_openly(host: str) -> bool:
    """Return whether the interface at a host, in lower case, is asked without the person's token,
    which is for the files there alone."""
    bare = host.removeprefix("www.")
    uses = ((about, about.token) for about in everything_known() if about.token)
    return any(
        use.is_for_files_only and (bare in use.hosts or about.runs_at(bare)) for about, use in uses
    )


def limit_of(host: str) -> KnownLimit | None:
    """Return the published limit that holds for a host, None if none is known."""
    limits = (limit for about in everything_known() for limit in about.limits)
    return next((limit for limit in limits if limit.covers(host)), None)


def oai_address(host: str, local: str) -> str | None:
    """Return the address of the dataset in an OAI-PMH identifier, as its platform makes them; None
    if no known platform made it. `host` is in lower case."""
    for about in everything_known():
        rule = about.oai_records
        match = rule.form.fullmatch(local) if rule and about.runs_at(host) else None
        if rule and match:
            return rule.address.format(host, match[1])
    return None


def unsupported(landing: Landing) -> str | None:
    """Return what a page is and where, as in "a dataset on Dryad", where its platform is recognised
    but cannot be asked; None if that is not known."""
    known = everything_known()
    places = [place for about in known for place in about.places]
    for address in addresses(landing):
        for place in places:
            is_inside = len(address.parts) > 1 and address.parts[0] == place.folder
            if address.host == place.host and (is_inside or (not place.folder and address.parts)):
                return place.what
    for software in _GENERATOR.finditer(landing.html):
        for about in known:
            if what := about.generators.get(software[1].lower()):
                return what
    return None


@lru_cache(maxsize=2)  # each request asks; what is installed stays so while the program runs
def _arranged(own: tuple[Platform, ...]) -> tuple[Platform, ...]:
    are_readers = [platform.tells_of_its_page_alone for platform in own]
    first_reader = are_readers.index(True) if any(are_readers) else len(own)
    return (*own[:first_reader], *_added(own).platforms, *own[first_reader:])


@lru_cache(maxsize=2)
def _added(own: tuple[Platform, ...]) -> Added:
    return added_beside(_titles(own))


@lru_cache(maxsize=2)  # a pasted text is asked about word by word
def _hosts(platforms: tuple[Platform, ...]) -> tuple[frozenset[str], tuple[str, ...]]:
    known = (*(platform.about for platform in platforms), *RECOGNISED)
    hosts = _RESOLVERS.union(*(about.hosts for about in known))
    return hosts, tuple(domain for about in known for domain in about.domains)


@lru_cache(maxsize=2)
def _titles(platforms: tuple[Platform, ...]) -> Mapping[str, str]:
    titles = {platform.name: platform.about.title for platform in platforms}
    for platform in platforms:
        titles.update(platform.about.other_titles)
    return titles
