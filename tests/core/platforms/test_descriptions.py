# SPDX-License-Identifier: AGPL-3.0-or-later
"""Formats of description: what each says of a dataset, wherever it stands."""

import asyncio
import json
import os
import random
from copy import deepcopy
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from carrel.errors import IngestStop
from carrel.model import Landing, Link, PlatformItem, Status
from carrel.platforms.descriptions import formats
from carrel.platforms.descriptions.description import Document
from carrel.platforms.page import read_page
from carrel.platforms.registry import describe as describe_any
from support.answers import Answers, landing, sample

BASE = "https://repo.example/ice/"
MD5 = "0123456789abcdef0123456789abcdef"
SHA1 = "01234567" * 5
SHA256 = "ab" * 32

MUTATIONS = int(os.environ.get("CARREL_MUTATIONS", "60"))

CROISSANT = {
    "@context": {"@vocab": "https://schema.org/", "sc": "https://schema.org/", "cr": "x"},
    "@type": "sc:Dataset",
    "name": "Ice",
    "url": BASE,
    "version": "1.0.0",
    "license": "https://creativecommons.org/licenses/by/4.0/",
    "conformsTo": "http://mlcommons.org/croissant/1.0",
    "distribution": [
        {
            "@type": "cr:FileObject",
            "@id": "zip",
            "name": "ice.zip",
            "contentUrl": "data/ice.zip",
            "contentSize": "120 B",
            "sha256": MD5,
        },
        {"@type": "cr:FileSet", "@id": "csv", "containedIn": {"@id": "zip"}, "includes": "*.csv"},
        {
            "@type": "cr:FileObject",
            "@id": "log",
            "name": "log.txt",
            "contentUrl": "log.txt",
            "sha256": "sha256",
        },
    ],
}
PACKAGE = {
    "name": "ice",
    "title": "Ice cores",
    "version": "2",
    "licenses": [{"name": "CC0-1.0", "path": "https://cc0.example"}],
    "contributors": [{"title": "Ada", "role": "author"}, {"title": "Bo", "roles": ["editor"]}],
    "resources": [
        {"name": "a", "path": "data/a b.csv", "bytes": 12, "hash": f"sha256:{SHA256}"},
        {"name": "b", "path": ["b1.csv", "b2.csv"], "bytes": 99, "hash": MD5},
        {"name": "c", "path": "https://far.example/c.csv", "hash": MD5, "mediatype": "text/csv"},
        {"name": "d", "data": [{"x": 1}]},
    ],
}
CRATE = {
    "@context": "https://w3id.org/ro/crate/1.1/context",
    "@graph": [
        {
            "@id": "ro-crate-metadata.json",
            "@type": "CreativeWork",
            "about": {"@id": "./"},
            "conformsTo": {"@id": "https://w3id.org/ro/crate/1.1"},
        },
        {
            "@id": "./",
            "@type": "Dataset",
            "name": "Ice",
            "identifier": "https://doi.org/10.1234/ice",
            "license": {"@id": "https://cc0.example"},
            "author": {"@id": "#ada"},
            "hasPart": [{"@id": "data/"}, {"@id": "read%20me.txt"}],
        },
        {"@id": "data/", "@type": "Dataset", "hasPart": {"@id": "data/a.csv"}},
        {"@id": "data/a.csv", "@type": "File", "contentSize": "12", "sha256": SHA256},
        {"@id": "read%20me.txt", "@type": "File", "encodingFormat": "text/plain"},
        {"@id": "#ada", "@type": "Person", "name": "Ada"},
    ],
}
DATA_JSON = {
    "conformsTo": "https://project-open-data.cio.gov/v1.1/schema",
    "@type": "dcat:Catalog",
    "dataset": [
        {
            "@type": "dcat:Dataset",
            "title": "Ice",
            "identifier": "https://repo.example/d/ice",
            "landingPage": "https://repo.example/d/ice",
            "publisher": {"name": "State of Ice"},
            "accessLevel": "public",
            "distribution": [
                {
                    "@type": "dcat:Distribution",
                    "downloadURL": "https://repo.example/rows.csv?accessType=DOWNLOAD",
                    "mediaType": "text/csv",
                },
                {"@type": "dcat:Distribution", "accessURL": "https://repo.example/explore"},
            ],
        }
    ],
}
DCAT = {
    "@context": {"dcat": "http://www.w3.org/ns/dcat#", "dct": "http://purl.org/dc/terms/"},
    "@graph": [
        {
            "@id": "https://repo.example/d/1",
            "@type": "dcat:Dataset",
            "dct:title": [
                {"@language": "de", "@value": "Eis"},
                {"@language": "en", "@value": "Ice"},
            ],
            "dct:license": {"@id": "https://cc0.example"},
            "dcat:distribution": {"@id": "_:b1"},
        },
        {
            "@id": "_:b1",
            "@type": "dcat:Distribution",
            "dcat:downloadURL": {"@id": "https://repo.example/f/a.csv"},
            "dcat:byteSize": {"@type": "xsd:decimal", "@value": "12"},
            "dcat:mediaType": {"@id": "http://www.iana.org/assignments/media-types/text/csv"},
            "spdx:checksum": {
                "spdx:algorithm": {"@id": "spdx:checksumAlgorithm_sha1"},
                "spdx:checksumValue": SHA1,
            },
        },
    ],
}
DCAT_XML = f"""<?xml version="1.0"?>
<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:dcat="http://www.w3.org/ns/dcat#"
 xmlns:dct="http://purl.org/dc/terms/" xmlns:spdx="http://spdx.org/rdf/terms#">
<dcat:Dataset rdf:about="https://repo.example/d/1">
 <dct:title xml:lang="en">Ice</dct:title>
 <dct:identifier>10.1234/ice</dct:identifier>
 <dct:publisher><rdf:Description><name>State of Ice</name></rdf:Description></dct:publisher>
 <dcat:distribution><dcat:Distribution rdf:about="https://repo.example/r/1">
  <dcat:downloadURL rdf:resource="https://repo.example/f/a.csv"/>
  <dcat:byteSize>12</dcat:byteSize>
  <spdx:checksum><spdx:Checksum><spdx:algorithm rdf:resource="http://spdx.org/rdf/terms#checksumAlgorithm_md5"/>
  <spdx:checksumValue>{MD5}</spdx:checksumValue></spdx:Checksum></spdx:checksum>
 </dcat:Distribution></dcat:distribution>
 <dcat:distribution rdf:resource="https://repo.example/r/2"/>
</dcat:Dataset>
<rdf:Description rdf:about="https://repo.example/r/2">
 <rdf:type rdf:resource="http://www.w3.org/ns/dcat#Distribution"/>
 <dcat:accessURL rdf:resource="https://repo.example/wms?service=WMS"/>
</rdf:Description>
</rdf:RDF>"""
STAC_ITEM = {
    "type": "Feature",
    "stac_version": "1.0.0",
    "id": "scene-1",
    "properties": {"title": "Ice from above", "license": "CC-BY-4.0", "datetime": None},
    "links": [{"rel": "parent", "href": "../collection.json"}],
    "assets": {
        "B1": {
            "href": "./B1.tif",
            "type": "image/tiff",
            "file:size": 12,
            "file:checksum": f"1220{SHA256}",
        },
        "raw": {
            "href": "s3://ice/raw.tif",
            "alternate": {"https": {"href": "https://ice.example/raw.tif"}},
        },
    },
}
STAC_COLLECTION = {
    "type": "Collection",
    "stac_version": "1.0.0",
    "id": "ice",
    "title": "All ice",
    "license": "CC-BY-4.0",
    "assets": {"readme": {"href": "readme.txt", "title": "readme"}},
    "links": [{"rel": "item", "href": "scene-1/scene-1.json"}],
}
DATACITE = {
    "data": {
        "attributes": {
            "doi": "10.1234/ice",
            "titles": [{"title": "Ice"}],
            "creators": [{"name": "Ada"}],
            "publicationYear": 2024,
            "rightsList": [{"rightsIdentifier": "cc-by-4.0"}],
            "contentUrl": ["https://repo.example/f/a.csv"],
        }
    }
}
DATACITE_XML = """<resource xmlns="http://datacite.org/schema/kernel-4">
<identifier identifierType="DOI">10.1234/ICE</identifier>
<creators><creator><creatorName>Ada</creatorName></creator></creators>
<titles><title>Ice</title></titles><publicationYear>2024</publicationYear>
<rightsList><rights rightsURI="https://cc0.example">CC0</rights></rightsList></resource>"""
EML = f"""<?xml version="1.0" encoding="UTF-8"?>
<eml:eml packageId="knb-lter-ice.1.2" xmlns:eml="https://eml.ecoinformatics.org/eml-2.2.0"><dataset>
<title>Ice</title>
<creator><individualName><givenName>Ada</givenName><surName>Frost</surName></individualName></creator>
<pubDate>2024</pubDate><licensed><identifier>CC-BY-4.0</identifier></licensed>
<dataTable><entityName>Cores</entityName><physical><objectName>cores.csv</objectName>
 <size unit="bytes">12</size><authentication method="MD5">{MD5}</authentication>
 <distribution><online><url function="information">https://repo.example/about</url></online></distribution>
 <distribution><online><url function="download">https://repo.example/data/1/2</url></online></distribution>
</physical></dataTable>
<otherEntity><entityName>Photos</entityName><physical><objectName>photos.zip</objectName>
 <size unit="megabyte">3</size>
 <distribution><online><url>https://repo.example/data/3</url></online></distribution></physical></otherEntity>
<otherEntity><entityName>Drawer 7</entityName></otherEntity>
</dataset></eml:eml>"""
ISO = """<gmd:MD_Metadata xmlns:gmd="http://www.isotc211.org/2005/gmd" xmlns:gco="http://www.isotc211.org/2005/gco">
<gmd:fileIdentifier><gco:CharacterString>ice-1</gco:CharacterString></gmd:fileIdentifier>
<gmd:identificationInfo><gmd:MD_DataIdentification><gmd:citation><gmd:CI_Citation>
 <gmd:title><gco:CharacterString>Ice</gco:CharacterString></gmd:title>
</gmd:CI_Citation></gmd:citation></gmd:MD_DataIdentification></gmd:identificationInfo>
<gmd:distributionInfo><gmd:MD_Distribution><gmd:transferOptions><gmd:MD_DigitalTransferOptions>
 <gmd:onLine><gmd:CI_OnlineResource><gmd:linkage><gmd:URL>https://repo.example/f/ice.zip</gmd:URL></gmd:linkage>
  <gmd:protocol><gco:CharacterString>WWW:DOWNLOAD-1.0-http--download</gco:CharacterString></gmd:protocol>
 </gmd:CI_OnlineResource></gmd:onLine>
 <gmd:onLine><gmd:CI_OnlineResource><gmd:linkage><gmd:URL>https://repo.example/ows</gmd:URL></gmd:linkage>
  <gmd:protocol><gco:CharacterString>OGC:WMS</gco:CharacterString></gmd:protocol>
 </gmd:CI_OnlineResource></gmd:onLine>
 <gmd:onLine><gmd:CI_OnlineResource><gmd:linkage><gmd:URL>https://repo.example/about/ice</gmd:URL></gmd:linkage>
  <gmd:protocol><gco:CharacterString>WWW:LINK-1.0-http--link</gco:CharacterString></gmd:protocol>
 </gmd:CI_OnlineResource></gmd:onLine>
</gmd:MD_DigitalTransferOptions></gmd:transferOptions></gmd:MD_Distribution></gmd:distributionInfo>
</gmd:MD_Metadata>"""
ORE_ATOM = """<entry xmlns="http://www.w3.org/2005/Atom"><title>Ice</title><author><name>Ada</name></author>
<link rel="http://www.openarchives.org/ore/terms/describes" href="https://repo.example/agg/1"/>
<link rel="http://www.openarchives.org/ore/terms/aggregates" href="https://repo.example/f/a.csv"
 type="text/csv" length="12" title="a.csv"/></entry>"""
ORE_RDF = """<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"
 xmlns:ore="http://www.openarchives.org/ore/terms/" xmlns:dc="http://purl.org/dc/terms/">
<rdf:Description rdf:about="https://repo.example/map#aggregation"><dc:title>Ice</dc:title>
 <ore:aggregates rdf:resource="https://repo.example/f/a.csv"/></rdf:Description></rdf:RDF>"""
ORE_JSON = {
    "@id": "https://repo.example/ore",
    "ore:describes": {
        "@id": "doi:10.1234/ICE",
        "title": "Ice",
        "author": {"citation:authorName": "Ada"},
        "schema:version": "1.0",
        "ore:aggregates": [
            {
                "@id": "https://repo.example/file?id=1",
                "schema:name": "a.csv",
                "dvcore:directoryLabel": "data",
                "dvcore:filesize": 12,
                "dvcore:checksum": {"@type": "MD5", "@value": MD5},
                "schema:sameAs": "https://repo.example/api/access/datafile/1",
            }
        ],
    },
}
LINKSET = {
    "linkset": [
        {
            "anchor": "https://repo.example/ice",
            "cite-as": [{"href": "https://doi.org/10.1234/ice"}],
            "item": [{"href": "https://repo.example/f/a.csv", "type": "text/csv"}],
        }
    ]
}
DOCUMENTS: dict[str, Any] = {
    "croissant": CROISSANT,
    "frictionless": PACKAGE,
    "ro-crate": CRATE,
    "data.json": DATA_JSON,
    "dcat": DCAT,
    "dcat in XML": DCAT_XML,
    "stac": STAC_ITEM,
    "stac collection": STAC_COLLECTION,
    "datacite": DATACITE,
    "datacite in XML": DATACITE_XML,
    "eml": EML,
    "iso19139": ISO,
    "ore in Atom": ORE_ATOM,
    "ore in RDF": ORE_RDF,
    "ore": ORE_JSON,
    "signposting": LINKSET,
}


def text_of(document: Any) -> str:
    return document if isinstance(document, str) else json.dumps(document)


def pasted(document: Any, url: str = f"{BASE}metadata", **headers: str) -> Landing:
    """Return what is landed on where the address is that of a description."""
    body = text_of(document).encode()
    return Landing(url, (url,), 200, headers=headers, body=body)


def describe(of: Landing, table: dict[str, Any] | None = None) -> PlatformItem:
    return asyncio.run(describe_any(of, Answers(table or {})))[0]


def stopped(of: Landing, table: dict[str, Any] | None = None) -> IngestStop:
    with pytest.raises(IngestStop) as stop:
        describe(of, table)
    return stop.value


def codes(found: PlatformItem) -> list[str]:
    return [finding.code for finding in found.findings]


def files(found: PlatformItem) -> list[tuple[str, int | None, str | None]]:
    return [(one.path, one.size, one.platform_url) for one in found.manifest]


@pytest.mark.parametrize("name", DOCUMENTS)
def test_an_address_that_is_a_description_names_its_format(name: str) -> None:
    found = describe(pasted(DOCUMENTS[name]), {f"{BASE}scene-1/scene-1.json": STAC_ITEM})

    assert found.platform_name == name.partition(" ")[0]
    assert (found.platform_domain, found.platform_status) == ("repo.example", Status.SUCCESS) or (
        name == "datacite in XML"
    )


def test_a_croissant_checksum_is_what_its_length_tells() -> None:
    found = describe(pasted(CROISSANT))

    assert files(found) == [
        ("ice.zip", 120, f"{BASE}data/ice.zip"),
        ("log.txt", None, f"{BASE}log.txt"),
    ]
    assert found.manifest[0].declared.digests == {"md5": MD5}
    assert found.manifest[1].declared.digests == {}
    assert {"checksum-misnamed", "checksum-unreadable"} <= set(codes(found))
    assert (found.platform_id, found.shortfall) == (BASE, None)


def test_a_set_of_files_that_no_one_lists_is_missing() -> None:
    loose = {"@type": "cr:FileSet", "@id": "more", "includes": "*.parquet"}
    croissant = {**CROISSANT, "distribution": [*CROISSANT["distribution"], loose]}

    assert "*.parquet" in (describe(pasted(croissant)).shortfall or "")


def test_a_data_package_has_files_in_pieces_and_elsewhere() -> None:
    found = describe(pasted(PACKAGE, f"{BASE}datapackage.json"))

    assert files(found) == [
        ("data/a b.csv", 12, f"{BASE}data/a%20b.csv"),
        ("b1.csv", None, f"{BASE}b1.csv"),
        ("b2.csv", None, f"{BASE}b2.csv"),
        ("c.csv", None, "https://far.example/c.csv"),
    ]
    assert [dict(one.declared.digests) for one in found.manifest] == [
        {"sha256": SHA256},
        {},
        {},
        {"md5": MD5},
    ]
    assert (found.title, found.creators, found.license) == ("Ice cores", ("Ada",), "CC0-1.0")
    assert codes(found) == ["inline-data"]


def test_a_data_package_that_is_sent_as_a_file_is_asked_for() -> None:
    url = f"{BASE}datapackage.json"
    of = replace(landing(url), outcome=Status.WRONG_MIMETYPE, message="a data file")

    assert describe(of, {url: PACKAGE}).platform_name == "frictionless"


def test_an_answer_of_ckan_is_no_data_package() -> None:
    ckan = {"name": "ice", "resources": [{"url": "https://a.example/1", "package_id": "x"}]}

    assert stopped(pasted(ckan, **{"content-type": "application/json"})).status in (
        Status.WRONG_MIMETYPE,
        Status.NO_PLATFORM_MATCH,
    )


def test_a_crate_has_the_files_of_its_folders() -> None:
    found = describe(pasted(CRATE, f"{BASE}ro-crate-metadata.json"))

    assert files(found) == [
        ("read me.txt", None, f"{BASE}read%20me.txt"),
        ("data/a.csv", 12, f"{BASE}data/a.csv"),
    ]
    assert (found.doi, found.license, found.shortfall) == (
        "10.1234/ice",
        "https://cc0.example",
        None,
    )


def test_a_folder_of_which_the_crate_says_nothing_is_missing() -> None:
    graph = [
        {**one, "hasPart": []} if one["@id"] == "data/" else one
        for one in CRATE["@graph"]
        if isinstance(one, dict)
    ]

    found = describe(pasted({**CRATE, "@graph": graph}, f"{BASE}ro-crate-metadata.json"))

    assert "data/" in (found.shortfall or "")
    assert "data/a.csv" in " ".join(one.message for one in found.findings)


def test_a_crate_in_a_page_is_read() -> None:
    html = f'<html><script type="application/ld+json">{json.dumps(CRATE)}</script></html>'
    page = read_page(BASE, {"content-type": "text/html"}, html.encode())
    of = replace(landing(BASE, html=html), json_ld=page.json_ld)

    found = describe(of)

    assert (found.platform_name, len(found.manifest)) == ("ro-crate", 2)


def test_data_json_tells_downloads_from_pages() -> None:
    found = describe(pasted(DATA_JSON, "https://repo.example/data.json"))

    assert [one.platform_url for one in found.manifest] == [
        "https://repo.example/rows.csv?accessType=DOWNLOAD"
    ]
    assert (found.title, found.creators) == ("Ice", ("State of Ice",))
    assert codes(found)[0] == "no-file-distributions"


@pytest.mark.parametrize("name", ["dcat in XML", "data.json", "datacite", "schema.org"])
def test_who_publishes_is_told(name: str) -> None:
    datacite = {"titles": [{"title": "Ice"}], "publicationYear": 2024, "publisher": "State of Ice"}
    block = {"@context": "https://schema.org", "@type": "Dataset", "name": "Ice", "publisher": {}}
    block["publisher"] = {"@type": "Organization", "name": "State of Ice"}
    documents = {
        "dcat in XML": DCAT_XML,
        "data.json": DATA_JSON,
        "datacite": {"id": "10.1234/ice", **datacite},
        "schema.org": block,
    }

    assert describe(pasted(documents[name])).publisher == "State of Ice"


def test_a_word_for_an_unknown_publisher_names_none() -> None:
    datacite = {"id": "10.1234/ice", "titles": [{"title": "Ice"}], "publicationYear": 2024}

    assert describe(pasted({**datacite, "publisher": "(:unav)"})).publisher is None


def test_a_catalogue_is_no_dataset_unless_one_is_named() -> None:
    other = {**DATA_JSON["dataset"][0], "title": "Snow", "identifier": "snow", "landingPage": None}  # type: ignore[dict-item]
    catalogue = {**DATA_JSON, "dataset": [*DATA_JSON["dataset"], other]}
    url = "https://repo.example/data.json"
    link = Link(url, "describedby", "application/json")

    stop = stopped(pasted(catalogue, url))
    named = describe(landing("https://repo.example/d/ice", links=(link,)), {url: catalogue})

    assert stop.status is Status.PLATFORM_SCOPE
    assert "Ice, Snow" in str(stop)
    assert (named.title, len(named.manifest)) == ("Ice", 1)


@pytest.mark.parametrize("name", ["dcat", "dcat in XML"])
def test_dcat_is_read_in_both_its_forms(name: str) -> None:
    found = describe(pasted(DOCUMENTS[name]))

    assert files(found) == [("a.csv", 12, "https://repo.example/f/a.csv")]
    assert (found.title, len(found.manifest[0].declared.digests)) == ("Ice", 1)


def test_a_stac_item_has_its_assets() -> None:
    found = describe(pasted(STAC_ITEM, f"{BASE}scene-1.json"))

    assert files(found) == [
        ("B1.tif", 12, f"{BASE}B1.tif"),
        ("raw.tif", None, "https://ice.example/raw.tif"),
    ]
    assert found.manifest[0].digest("sha256") == SHA256


def test_a_stac_collection_has_the_assets_of_its_items() -> None:
    item = f"{BASE}scene-1/scene-1.json"

    found = describe(pasted(STAC_COLLECTION, f"{BASE}c.json"), {item: STAC_ITEM})

    assert [one.path for one in found.manifest] == [
        "readme.txt",
        "scene-1/B1.tif",
        "scene-1/raw.tif",
    ]
    assert found.title == "All ice"


def test_a_stac_collection_without_one_of_its_items_is_not_called_whole() -> None:
    assert stopped(pasted(STAC_COLLECTION, f"{BASE}c.json")).status is Status.PLATFORM_HTTP_ERROR


def test_a_stac_collection_of_an_interface_is_read_to_its_end() -> None:
    url = f"{BASE}items"
    links = [{"rel": "items", "href": "items"}]
    more = {**STAC_ITEM, "id": "scene-2", "assets": {"B1": {"href": "/2/B1.tif"}}}
    table = {
        url: {
            "features": [STAC_ITEM],
            "numberMatched": 3,
            "links": [{"rel": "next", "href": "items?page=2"}],
        },
        f"{url}?page=2": {"features": [more]},
    }

    found = describe(pasted({**STAC_COLLECTION, "links": links}, f"{BASE}ice"), table)

    assert [one.path for one in found.manifest] == [
        "readme.txt",
        "scene-1/B1.tif",
        "scene-1/raw.tif",
        "scene-2/B1.tif",
    ]
    assert "counts 3 entries but names 2" in (found.shortfall or "")


def test_an_identifier_after_the_address_names_one_of_a_catalogue() -> None:
    other = {**DATA_JSON["dataset"][0], "title": "Snow", "identifier": "snow", "landingPage": None}  # type: ignore[dict-item]
    catalogue = {**DATA_JSON, "dataset": [*DATA_JSON["dataset"], other]}

    assert describe(pasted(catalogue, "https://repo.example/data.json#snow")).title == "Snow"


def test_a_dataset_that_is_not_public_is_restricted() -> None:
    entry = {**DATA_JSON["dataset"][0], "accessLevel": "non-public", "distribution": []}  # type: ignore[dict-item]

    found = describe(pasted({**DATA_JSON, "dataset": [entry]}, "https://repo.example/data.json"))

    assert found.platform_status is Status.PLATFORM_RESTRICTED


def test_a_stac_catalogue_is_no_dataset() -> None:
    links = [{"rel": "child", "href": "a.json", "title": "A"}]
    catalogue = {"type": "Catalog", "stac_version": "1.0.0", "id": "x", "links": links}

    assert stopped(pasted(catalogue)).status is Status.PLATFORM_SCOPE


def test_an_entity_of_eml_has_its_size_only_in_bytes() -> None:
    found = describe(pasted(EML))

    assert files(found) == [
        ("cores.csv", 12, "https://repo.example/data/1/2"),
        ("photos.zip", None, "https://repo.example/data/3"),
    ]
    assert found.manifest[0].digest("md5") == MD5
    assert (found.platform_id, found.creators) == ("knb-lter-ice.1.2", ("Ada Frost",))
    assert "size-not-exact" in codes(found)
    assert "Drawer 7" in (found.shortfall or "")


def test_online_resources_of_iso_19139_are_told_apart() -> None:
    found = describe(pasted(ISO))

    assert [one.path for one in found.manifest] == ["ice.zip"]
    message = next(one.message for one in found.findings if one.code == "no-file-distributions")
    assert "it is a service" in message
    assert "it is a web page" in message


@pytest.mark.parametrize("name", ["ore", "ore in Atom", "ore in RDF", "signposting"])
def test_what_is_aggregated_is_a_file(name: str) -> None:
    (entry,) = describe(pasted(DOCUMENTS[name])).manifest

    assert entry.path.endswith("a.csv")


def test_a_resource_map_of_dataverse_tells_sizes_and_folders() -> None:
    found = describe(pasted(ORE_JSON))

    assert files(found) == [("data/a.csv", 12, "https://repo.example/api/access/datafile/1")]
    assert (found.manifest[0].digest("md5"), found.doi) == (MD5, "10.1234/ICE")


def test_a_record_without_files_is_known_and_empty() -> None:
    found = describe(pasted(DATACITE_XML))

    assert (found.platform_status, found.title) == (Status.EMPTY_MANIFEST, "Ice")


def test_a_bomb_of_entities_is_no_description() -> None:
    bomb = '<!DOCTYPE a [<!ENTITY x "ha"><!ENTITY y "&x;&x;">]>' + EML.partition("?>")[2]

    item = describe(pasted(bomb, **{"content-type": "application/xml"}))

    assert item.platform_name == "file"  # it is archived as what it is


PAGE = {"@type": ["Dataset"], "name": "Ice", "license": "CC0-1.0"}


def page(*hrefs: str, links: tuple[Link, ...] = (), **block: Any) -> Landing:
    nodes = [{**PAGE, **block, "distribution": [{"contentUrl": one} for one in hrefs]}]
    return replace(landing(f"{BASE}page", links=links), json_ld=nodes)


def link(kind: str = "application/vnd.eml+xml") -> Link:
    return Link(f"{BASE}d", "describedby", kind)


def test_what_several_descriptions_say_is_joined() -> None:
    of = page("https://repo.example/data/1/2", f"{BASE}x.csv", links=(link(),))

    found = describe(of, {f"{BASE}d": EML})

    assert found.platform_name == "schema.org"
    assert [(one.platform_url, one.size) for one in found.manifest] == [
        ("https://repo.example/data/1/2", 12),
        (f"{BASE}x.csv", None),
        ("https://repo.example/data/3", None),
    ]
    told = [one.message for one in found.findings if one.code == "descriptions-disagree"]
    assert "licence" in told[0]
    assert "do not name the same files" in told[1]


def test_sizes_that_contradict_each_other_are_told() -> None:
    block = {"contentUrl": "https://repo.example/data/1/2", "contentSize": "7 B"}
    of = replace(page(links=(link(),)), json_ld=[{**PAGE, "distribution": [block]}])

    found = describe(of, {f"{BASE}d": EML})

    assert found.manifest[0].size == 7
    assert "contradiction" in codes(found)


def test_items_of_the_page_and_a_description_are_joined() -> None:
    item = Link("https://repo.example/data/3", "item", "application/zip")

    found = describe(landing(f"{BASE}page", links=(item, link())), {f"{BASE}d": EML})

    assert found.platform_name == "signposting"
    assert len(found.manifest) == 2
    assert found.title == "Ice"


def test_a_description_that_cannot_be_read_costs_nothing() -> None:
    found = describe(page(f"{BASE}x.csv", links=(link(),)), {f"{BASE}d": 404})

    assert [one.path for one in found.manifest] == ["x.csv"]


def test_one_of_two_descriptions_that_cannot_be_read_is_told() -> None:
    other = Link(f"{BASE}e", "describedby", "application/xml")

    found = describe(page(f"{BASE}x.csv", links=(link(), other)), {f"{BASE}d": EML})

    assert "description-unread" in codes(found)


def test_a_dataset_that_is_not_free_stays_so() -> None:
    of = page(links=(link(),), isAccessibleForFree=False)

    found = describe(of, {f"{BASE}d": EML})

    assert found.platform_status is Status.PLATFORM_RESTRICTED
    assert len(found.manifest) == 2


def test_a_linkset_that_cannot_be_read_may_hold_more() -> None:
    linkset = Link(f"{BASE}linkset", "linkset", "application/linkset+json")

    found = describe(landing(f"{BASE}page", links=(linkset, link())), {f"{BASE}d": EML})

    assert len(found.manifest) == 2
    assert "linkset" in (found.shortfall or "")


@pytest.mark.parametrize("kind", ["application/ld+json", "application/json"])
def test_a_crate_behind_a_typed_link_is_read(kind: str) -> None:
    of = landing(f"{BASE}page", links=(link(kind),))

    found = describe(of, {f"{BASE}d": CRATE})

    assert (found.platform_name, len(found.manifest)) == ("ro-crate", 2)


ODD: list[Any] = [
    *(None, True, 0, -1, 1e300, 10**30, "", "\x00", "\ud800", "x" * 2000, [], {}, [[]]),
    *([{"@id": "./"}], {"@id": []}, {"@value": {}}, "http://[", "https://a.example/\x00"),
    *("../../etc/passwd", "javascript:1", "_:b0", "https://repo.example/ice/metadata"),
]


def mutated(document: Any, chance: random.Random) -> str:
    """Return a description with one to three things in it gone wrong."""
    if isinstance(document, str):
        return _torn(document, chance)
    copy = json.loads(json.dumps(document))
    for _ in range(chance.randint(1, 3)):
        _spoil(copy, chance)
    text = json.dumps(copy)
    return _torn(text, chance) if chance.random() < 0.1 else text


def _torn(text: str, chance: random.Random) -> str:
    for _ in range(chance.randint(1, 4)):
        start = chance.randrange(len(text) + 1)
        end = min(len(text), start + chance.randint(0, 30))
        with_what = chance.choice(
            ["", "<", ">", "&", "\x00", "\ud800", '"', text[start:end] * 2, "9"]
        )
        text = text[:start] + with_what + text[end:]
    return text


def _spoil(value: Any, chance: random.Random) -> None:
    while value:
        keys = list(value) if isinstance(value, dict) else list(range(len(value)))
        key = chance.choice(keys)
        inner = value[key]
        if isinstance(inner, dict | list) and inner and chance.random() < 0.75:
            value = inner
        elif chance.random() < 0.15:
            del value[key]
            return
        else:
            value[key] = deepcopy(chance.choice(ODD))
            return


def outcome_of(text: str, chance: random.Random) -> PlatformItem | IngestStop:
    """Return what comes of a text, at an address of its own or behind a typed link."""
    answers = Answers({f"{BASE}d": text, f"{BASE}scene-1/scene-1.json": STAC_ITEM})
    body = text.encode("utf-8", "replace")
    kind = chance.choice(["application/json", "application/xml", "text/plain", ""])
    of = Landing(BASE, (BASE,), 200, {"content-type": kind}, body)
    linked = page(
        f"{BASE}x.csv", links=(link(chance.choice(["application/xml", "application/ld+json"])),)
    )
    try:
        return asyncio.run(describe_any(chance.choice([of, linked]), answers))[0]
    except IngestStop as stop:
        return stop


@pytest.mark.parametrize("name", DOCUMENTS)
@settings(max_examples=MUTATIONS, suppress_health_check=[HealthCheck.too_slow], deadline=None)
@given(seed=st.integers(0, 2**32))
def test_no_description_is_too_hostile(name: str, seed: int) -> None:
    chance = random.Random(seed)

    outcome = outcome_of(mutated(DOCUMENTS[name], chance), chance)

    assert "\0" not in written(outcome)


def written(outcome: PlatformItem | IngestStop) -> str:
    """Return all that a face or the ledger may get to write, as it comes back from UTF-8."""
    if isinstance(outcome, IngestStop):
        return str(outcome).encode().decode()
    told = [text for file in outcome.manifest for text in map(str, file.to_json().values())]
    texts = [outcome.title, outcome.platform_id, outcome.platform_message, *outcome.creators]
    texts += [outcome.license, outcome.published, outcome.platform_version, outcome.shortfall]
    texts += [finding.message for finding in outcome.findings]
    return "\n".join(map(str, [*texts, *told])).encode().decode()


@pytest.mark.samples
@pytest.mark.skipif("CARREL_SAMPLES" not in os.environ, reason="CARREL_SAMPLES is not set")
@pytest.mark.parametrize(
    ("path", "name", "count"),
    [
        ("croissant/titanic-1.0.json", "croissant", 3),
        ("croissant/huggingface-mnist-1.0.json", "croissant", 0),
        ("frictionless/zenodo-datapackage-small.json", "frictionless", 1),
        ("ro-crate/read_crate.json", "ro-crate", 5),
        ("datajson/ny.json", "data.json", 4),
        ("dataone/eml-2.1-example.xml", "eml", 1),
        ("datacite/dois-dryad.8515.json", "datacite", 0),
        ("schemaorg/magic1.jsonld", "schema.org", 1),
        ("signposting/27-linkset.json", "signposting", 1),
    ],
)
def test_a_real_description_is_read(path: str, name: str, count: int) -> None:
    text = sample(path).decode()

    found = formats.read(Document(text, f"{BASE}metadata"))

    assert found is not None
    assert (found.format, len(found.files)) == (name, count)
    assert found.title or found.format in ("signposting", "ro-crate")
