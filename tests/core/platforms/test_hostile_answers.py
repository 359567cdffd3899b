# SPDX-License-Identifier: AGPL-3.0-or-later
"""No answer of a platform breaks it: each is spoilt in many places, one at a time.

Whatever comes back is a dataset or a named outcome, and can be written. `CARREL_MUTATIONS` sets how
many are tried for each platform; a failure names the place and what was put there.
"""

import asyncio
import json
import os
import random
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import pytest

from carrel.errors import IngestStop
from carrel.model import Landing, PlatformItem
from carrel.platforms.registry import describe
from core.platforms import (
    test_archiveorg,
    test_b2share,
    test_cernopendata,
    test_ckan,
    test_dataone,
    test_dataverse,
    test_described_pages,
    test_directory,
    test_doi_record,
    test_dryad,
    test_dspace,
    test_edi,
    test_eprints,
    test_figshare,
    test_gbif,
    test_github,
    test_hepdata,
    test_huggingface,
    test_hydroshare,
    test_inveniordm,
    test_kaggle,
    test_mendeley,
    test_nakala,
    test_openneuro,
    test_osf,
    test_pangaea,
    test_scidb,
    test_sciencebase,
    test_seanoe,
)
from support.answers import Answers, landing

MUTATIONS = int(os.environ.get("CARREL_MUTATIONS", "120"))
ODD: tuple[Any, ...] = (
    None, True, False, 0, -1, 1.5, 2**70, "", "x", "\x00", "\ud800", "../..", "http://[::1",
    "1e400", "javascript:alert(1)", "file:///etc/passwd", [], {}, [[]], {"": {}}, [None],
    "ä" * 5000, {"href": 5}, [{"a": []}], "2999-01-01", "10.1/x",
)  # fmt: skip


@dataclass(frozen=True)
class Case:
    """A page, and what is answered on the way to its dataset."""

    page: Landing
    table: Mapping[str, Any]


BELOW = f"{test_osf.ROOT}r/"
GRAPHQL = test_openneuro.snapshot(test_openneuro.file("a"), test_openneuro.folder("b"))
RELEASE = {f"{test_github.API}/releases/tags/v1": test_github.release(test_github.asset("a"))}
COMMIT = {
    test_github.API: test_github.REPOSITORY,
    f"{test_github.API}/commits/main": {"sha": test_github.SHA},
}
CASES = {
    "archiveorg": Case(
        landing(test_archiveorg.PAGE),
        {test_archiveorg.API: test_archiveorg.item(test_archiveorg.file())},
    ),
    "cernopendata": Case(
        landing(test_cernopendata.PAGE),
        {
            test_cernopendata.API: test_cernopendata.record(
                test_cernopendata.file(), index=test_cernopendata.index(test_cernopendata.member(1))
            )
        },
    ),
    "dataverse": Case(
        landing(test_dataverse.PAGE),
        {test_dataverse.LATEST: test_dataverse.dataset(test_dataverse.file())},
    ),
    "figshare": Case(
        landing(test_figshare.PAGE),
        {test_figshare.API: test_figshare.article(test_figshare.file())},
    ),
    "github release": Case(landing(f"{test_github.PAGE}/releases/tag/v1"), RELEASE),
    "github commit": Case(landing(test_github.PAGE), COMMIT),
    "inveniordm of old": Case(
        landing(test_inveniordm.PAGE), {test_inveniordm.API: test_inveniordm.legacy()}
    ),
    "inveniordm": Case(
        landing(test_inveniordm.PAGE), {test_inveniordm.API: test_inveniordm.native()}
    ),
    "b2share": Case(
        landing(test_b2share.PAGE), {test_b2share.API: test_b2share.record(test_b2share.FILE)}
    ),
    "ckan": Case(test_ckan.marked(), {test_ckan.SHOW: test_ckan.EVERY}),
    "dataone": Case(
        landing(test_dataone.PAGE),
        {
            **test_dataone.FOUND,
            test_dataone.members(): test_dataone.docs(
                test_dataone.metadata(), test_dataone.data("a.csv"), test_dataone.package("map:b")
            ),
            test_dataone.members("map:b"): test_dataone.docs(test_dataone.data("b.csv")),
        },
    ),
    "doi": Case(
        test_doi_record.BY_DOI, test_doi_record.of_datacite(contentUrl=["https://r.example/a"])
    ),
    "doi of crossref": Case(test_doi_record.BY_DOI, test_doi_record.of_crossref("dataset")),
    "dryad": Case(
        landing(test_dryad.PAGE),
        {
            test_dryad.API: test_dryad.record(),
            test_dryad.FILES: test_dryad.listing(test_dryad.file(1, "a.csv")),
        },
    ),
    "dspace 7": Case(
        landing(test_dspace.PAGE, html=test_dspace.SEVEN),
        test_dspace.hal(test_dspace.bitstream(1)),
    ),
    "dspace 6": Case(test_dspace.RESTED, test_dspace.rested(test_dspace.rest_file("a.csv"))),
    "edi": Case(landing(test_edi.PAGE), test_edi.WHOLE),
    "eprints": Case(
        landing(test_eprints.PAGE, html=test_eprints.HTML),
        {test_eprints.API: test_eprints.record(test_eprints.document(1, "a.csv"))},
    ),
    "gbif download": Case(
        landing(test_gbif.DOWNLOAD),
        {f"{test_gbif.API}/occurrence/download/{test_gbif.KEY}": test_gbif.download()},
    ),
    "gbif dataset": Case(
        landing(test_gbif.DATASET),
        {
            f"{test_gbif.API}/dataset/{test_gbif.UUID}": test_gbif.dataset(
                test_gbif.endpoint("DWC_ARCHIVE", "https://ipt.example/archive.do?r=seals")
            )
        },
    ),
    "hepdata": Case(landing(test_hepdata.PAGE), {test_hepdata.JSON: test_hepdata.EVERY}),
    "huggingface": Case(
        landing(test_huggingface.PAGE),
        {
            test_huggingface.API: test_huggingface.record("a", "b"),
            test_huggingface.TREE: [test_huggingface.plain("a"), test_huggingface.large("b")],
        },
    ),
    "hydroshare": Case(landing(test_hydroshare.PAGE), test_hydroshare.EVERY),
    "kaggle": Case(landing(test_kaggle.PAGE), {test_kaggle.API: test_kaggle.croissant()}),
    "mendeley": Case(
        landing(test_mendeley.PAGE),
        {
            test_mendeley.API: test_mendeley.record(test_mendeley.file("a.csv", "f1")),
            f"{test_mendeley.API}/folders/2": [{"id": "f1", "name": "raw", "parent_id": None}],
        },
    ),
    "nakala": Case(
        landing(test_nakala.PAGE), {test_nakala.API: test_nakala.data(test_nakala.file())}
    ),
    "openneuro": Case(
        landing(f"{test_openneuro.PAGE}/versions/1.0.0"), {test_openneuro.API: GRAPHQL}
    ),
    "osf": Case(
        landing("https://osf.io/ice01/"),
        {
            **test_osf.one_storage(
                test_osf.file("/a.csv"), test_osf.folder("raw", test_osf.ROOT + "r/")
            ),
            test_osf.ROOT + "r/" + test_osf.SIZE: test_osf.rows(test_osf.file("/raw/b.csv")),
        },
    ),
    "sciencebase": Case(
        landing(test_sciencebase.PAGE),
        {test_sciencebase.API: test_sciencebase.record(test_sciencebase.file("a.csv"))},
    ),
    "scidb": Case(landing(test_scidb.PAGE), test_scidb.EVERY),
    "seanoe": Case(landing(test_seanoe.PAGE), {test_seanoe.API: test_seanoe.RECORD}),
}


@pytest.mark.parametrize("name", CASES)
def test_no_spoilt_answer_breaks_a_platform(name: str) -> None:
    case, chance = CASES[name], random.Random(name)
    whole = outcome_of(case.page, case.table)
    assert isinstance(whole, PlatformItem | IngestStop)
    for url, spoilt, what in spoilings(case.table, chance):
        outcome = outcome_of(case.page, {**case.table, url: spoilt})
        assert "\x00" not in written(outcome), what


BLOCK = test_described_pages.dataset(
    {"contentUrl": "/f/a.csv", "encodingFormat": "text/csv", "contentSize": "12 B", "sha256": "x"},
    license={"url": "https://cc0.example"},
    creator={"@list": [{"name": "Ada"}]},
)
PAGES: dict[str, tuple[Any, Callable[[Any], Landing]]] = {
    "pangaea": (test_pangaea.dataset(test_pangaea.TABLE), test_pangaea.page),
    "schema.org": (BLOCK, test_described_pages.page),
    "croissant": (test_described_pages.CROISSANT, test_described_pages.page),
    **{
        f"listing of {server}": (html, lambda spoilt: landing(test_directory.TOP, html=spoilt))
        for server, (html, *_) in test_directory.PAGES.items()
    },
    "thredds": (
        test_directory.THREDDS,
        lambda spoilt: test_directory.answering(test_directory.CATALOG, spoilt, "text/xml"),
    ),
}


@pytest.mark.parametrize("name", PAGES)
def test_no_spoilt_page_breaks_a_platform(name: str) -> None:
    whole, page_of = PAGES[name]
    for _, spoilt, what in spoilings({"page": whole}, random.Random(name)):
        if isinstance(spoilt, type(whole)):
            assert "\x00" not in written(outcome_of(page_of(spoilt), {})), what


def spoilings(table: Mapping[str, Any], chance: random.Random) -> Iterator[tuple[str, Any, str]]:
    """Yield answers of which one place holds something odd, or is missing, and what was done."""
    for _ in range(MUTATIONS):
        url = chance.choice(sorted(table))
        body = table[url]
        if isinstance(body, str):
            at = chance.randrange(len(body) + 1)
            text = chance.choice(("", "\x00", "<", "&x;", "]]>", "é" * 9))
            spoilt = body[:at] + text + body[at + chance.randrange(9) :]
            yield url, spoilt, f"{url} at {at}: {text!r}"
            continue
        copy = json.loads(json.dumps(body))
        place = chance.choice(list(places(copy)))
        odd = chance.choice(ODD)
        yield url, put(copy, place, odd), f"{url} at {place}: {odd!r}"


def places(value: Any, at: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    yield at
    keys: Iterable[Any] = value if isinstance(value, dict) else ()
    for key in range(len(value)) if isinstance(value, list) else keys:
        yield from places(value[key], (*at, key))


def put(value: Any, at: tuple[Any, ...], odd: Any) -> Any:
    if not at:
        return odd
    target = value
    for key in at[:-1]:
        target = target[key]
    target[at[-1]] = odd
    return value


def outcome_of(page: Landing, table: Mapping[str, Any]) -> PlatformItem | IngestStop:
    try:
        return asyncio.run(describe(page, Answers(table)))[0]
    except IngestStop as stop:
        return stop


def written(outcome: PlatformItem | IngestStop) -> str:
    """Return all that a face or the ledger may get to write, as it comes back from UTF-8."""
    if isinstance(outcome, IngestStop):
        return str(outcome).encode().decode()
    files = [text for file in outcome.manifest for text in map(str, file.to_json().values())]
    texts = [outcome.title, outcome.platform_id, outcome.platform_message, *outcome.creators]
    texts += [finding.message for finding in outcome.findings]
    return "\n".join(map(str, [*texts, *files])).encode().decode()
