# SPDX-License-Identifier: AGPL-3.0-or-later
"""Which release of fatcat a dataset is, as far as its result tells."""

import re
from collections.abc import Mapping

from carrel.exports.fatcat.saved_result import SavedResult
from carrel.model.identifier import Scheme
from carrel.platforms.identifiers import find

# What a release can be looked up by, the most exact first (`/release/lookup`, API 0.5).
_SCHEMES = ("doi", "pmid", "pmcid", "arxiv", "doaj", "dblp", "hdl", "ark")
_IDENT = re.compile(r"[a-z2-7]{26}")
_DOI = re.compile(r"10\.\d{3,9}/\S{1,500}")


def release_ident(result: SavedResult) -> str:
    """Return the release that the request names, "" if it names none."""
    said = result.request.fatcat.release_ident if result.request.fatcat else None
    ident = (said or "").strip().lower()
    return ident if _IDENT.fullmatch(ident) else ""


def ext_ids(result: SavedResult) -> Mapping[str, str]:
    """Return the identifiers to look a release up by, in this order; a DOI in lower case.

    A DOI is that of the request; else the one that its address is, else what the platform says.
    """
    said = result.request.ext_ids or {}
    known = {name: said[name] for name in _SCHEMES if isinstance(said.get(name), str)}
    doi = _doi(known.pop("doi", "")) or _requested_doi(result)
    if not doi and not known:
        doi = _doi(result.doi or "")
    return {**({"doi": doi} if doi else {}), **{name: each for name, each in known.items() if each}}


def _requested_doi(result: SavedResult) -> str:
    request = result.request
    if request.link_source == "doi" and (doi := _doi(request.link_source_id or "")):
        return doi
    found = find(request.base_url).identifiers
    return _doi(found[0].value) if found and found[0].scheme is Scheme.DOI else ""


def _doi(text: str) -> str:
    """Return a DOI as fatcat has it, "" for what is none."""
    doi = text.strip().lower().removeprefix("https://doi.org/").removeprefix("doi:")
    return doi if _DOI.fullmatch(doi) else ""
