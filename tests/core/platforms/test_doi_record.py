# SPDX-License-Identifier: AGPL-3.0-or-later
"""The record of a DOI: what is no dataset is told apart, and what has no page is described."""

import asyncio
import json
import os
from typing import Any

import pytest

from carrel.errors import IngestStop
from carrel.model import FindingLevel, Landing, PlatformItem, Status
from carrel.platforms.doi_record.record import Record, record_of
from carrel.platforms.registry import describe
from support.answers import Answers, landing, lost_landing, sample

DOI = "10.1234/ice.1"
PAGE = "https://r.example/page/1"
AGENCY = f"https://doi.org/ra/{DOI}"
DATACITE = f"https://api.datacite.org/dois/{DOI}"
CROSSREF = f"https://api.crossref.org/works/{DOI}"
BY_DOI = landing(f"https://doi.org/{DOI}", PAGE)


def datacite(kind: str = "Dataset", **changes: Any) -> dict[str, Any]:
    attributes = {
        "doi": DOI,
        "titles": [{"title": "Ice cores"}],
        "creators": [{"name": "Lovelace, Ada"}],
        "publisher": "Ice House",
        "publicationYear": 2019,
        "types": {"resourceTypeGeneral": kind},
        "rightsList": [{"rights": "CC0", "rightsIdentifier": "cc0-1.0"}],
        "sizes": ["12 boxes"],
        "formats": [],
        "contentUrl": None,
        **changes,
    }
    return {"data": {"id": DOI, "attributes": attributes}}


def crossref(kind: str) -> dict[str, Any]:
    work = {
        "type": kind,
        "title": ["On ice"],
        "publisher": "Cold Letters",
        "author": [{"given": "Ada", "family": "Lovelace"}],
        "issued": {"date-parts": [[2016, 3]]},
    }
    return {"status": "ok", "message": work}


def of_datacite(kind: str = "Dataset", **changes: Any) -> dict[str, Any]:
    return {AGENCY: [{"DOI": DOI, "RA": "DataCite"}], DATACITE: datacite(kind, **changes)}


def of_crossref(kind: str) -> dict[str, Any]:
    return {AGENCY: [{"DOI": DOI, "RA": "Crossref"}], CROSSREF: crossref(kind)}


def item_of(table: dict[str, Any], page: Landing = BY_DOI) -> PlatformItem:
    item, _ = asyncio.run(describe(page, Answers(table)))
    return item


def stopped(table: dict[str, Any], page: Landing = BY_DOI) -> IngestStop:
    with pytest.raises(IngestStop) as stop:
        item_of(table, page)
    return stop.value


@pytest.mark.parametrize(
    ("table", "sentence"),
    [
        (
            of_datacite("PhysicalObject"),
            "This DOI names a physical sample (“Ice cores”, Ice House); it has no files.",
        ),
        (
            of_datacite("Image"),
            "This DOI names an image (“Ice cores”, Ice House), not a dataset.",
        ),
        (
            of_crossref("journal-article"),
            "This DOI names an article (“On ice”, Cold Letters), not a dataset.",
        ),
    ],
)
def test_what_is_no_dataset_is_told_apart(table: dict[str, Any], sentence: str) -> None:
    stop = stopped(table)

    assert stop.status is Status.NOT_A_DATASET
    assert str(stop) == sentence


def test_a_collection_is_no_single_dataset() -> None:
    stop = stopped(of_datacite("Collection"))

    assert stop.status is Status.PLATFORM_SCOPE
    assert str(stop) == "This DOI names a collection (“Ice cores”, Ice House), not one dataset."


def test_a_dataset_whose_page_says_nothing_is_described() -> None:
    stop = stopped(of_datacite())

    assert stop.status is Status.NO_PLATFORM_MATCH
    assert "DataCite describes it as “Ice cores”, Ice House (2019, cc0-1.0, 12 boxes)." in str(stop)


def test_a_dataset_whose_page_is_gone_is_described() -> None:
    stop = stopped(of_datacite(), lost_landing(f"https://doi.org/{DOI}", PAGE))

    assert stop.status is Status.REMOTE_SERVER_ERROR
    assert "DataCite describes it as “Ice cores”" in str(stop)


def test_files_that_the_record_names_are_listed() -> None:
    urls = ["https://r.example/a.zip", "https://r.example/b/a.zip"]

    item = item_of(of_datacite(contentUrl=urls, version="2"))

    assert (item.platform_name, item.platform_domain, item.platform_id) == ("doi", "doi.org", DOI)
    assert [entry.platform_url for entry in item.manifest] == urls
    assert [entry.path for entry in item.manifest] == ["a.zip", "2/a.zip"]
    assert (item.title, item.creators, item.license) == ("Ice cores", ("Lovelace, Ada",), "cc0-1.0")
    told = item.findings[0]
    assert (told.code, told.level) == ("listed-by-doi-record", FindingLevel.WARNING)
    assert "Whether they are all is not known." in told.message


def test_the_record_speaks_where_the_page_names_no_file() -> None:
    about = {"@context": "https://schema.org", "@type": "Dataset", "name": "Ice"}
    html = f'<script type="application/ld+json">{json.dumps(about)}</script>'
    page = Landing(BY_DOI.asked, BY_DOI.hops, 200, html=html, json_ld=(about,))

    sample_told = stopped(of_datacite("PhysicalObject"), page)
    dataset = item_of(of_datacite(), page)

    assert sample_told.status is Status.NOT_A_DATASET
    assert dataset.platform_status is Status.EMPTY_MANIFEST
    assert dataset.platform_name == "schema.org"
    assert "DataCite describes it as" in (dataset.platform_message or "")


def test_a_record_that_can_not_be_read_is_told_of() -> None:
    stop = stopped({AGENCY: [{"DOI": DOI, "RA": "DataCite"}], DATACITE: 502})

    assert stop.status is Status.NO_PLATFORM_MATCH
    assert "The record of the DOI could not be read" in str(stop)


def test_a_doi_that_no_agency_describes_is_unknown() -> None:
    stop = stopped({AGENCY: 404, DATACITE: 404})

    assert stop.status is Status.NO_PLATFORM_MATCH
    assert "record" not in str(stop)


def test_nobody_is_asked_about_a_doi_that_leads_nowhere() -> None:
    api = Answers({})

    with pytest.raises(IngestStop):
        asyncio.run(describe(lost_landing(f"https://doi.org/{DOI}"), api))

    assert api.asked == []


@pytest.mark.parametrize(
    ("url", "what"),
    [
        ("https://app.geosamples.org/sample/igsn/IEVA1", "a physical sample; it has no files"),
        ("https://ba.e-pics.ethz.ch/catalog/1", "a digitised picture, not a dataset"),
    ],
)
def test_a_site_known_for_what_is_no_dataset_is_told_apart_without_a_doi(
    url: str, what: str
) -> None:
    stop = stopped({}, landing(url))

    assert stop.status is Status.NOT_A_DATASET
    assert str(stop) == f"This address names {what}."


@pytest.mark.parametrize("body", [[], {}, {"data": 3}, {"data": {"attributes": {"types": "x"}}}])
def test_an_answer_of_another_shape_breaks_nothing(body: Any) -> None:
    assert stopped({DATACITE: body}).status is Status.NO_PLATFORM_MATCH


@pytest.mark.samples
@pytest.mark.skipif(not os.environ.get("CARREL_SAMPLES"), reason="needs CARREL_SAMPLES")
def test_real_records_are_read() -> None:
    body = json.loads(sample("datacite/dois-dryad.8515.json"))
    doi = "10.5061/dryad.8515"

    found = asyncio.run(record_of(doi, Answers({f"https://api.datacite.org/dois/{doi}": body})))

    assert isinstance(found, Record)
    assert (found.kind, found.publisher, found.published) == ("dataset", "Dryad", "2011")
    assert found.sizes == ("107328 bytes",)


def test_a_site_of_samples_is_told_apart_though_no_record_can_be_read() -> None:
    page = landing(f"https://doi.org/{DOI}", "http://pid.geoscience.gov.au/sample/AU1")

    stop = stopped({AGENCY: 502, DATACITE: 502}, page)

    assert stop.status is Status.NOT_A_DATASET
    assert "a physical sample" in str(stop)
