# SPDX-License-Identifier: AGPL-3.0-or-later
"""Landing pages, the resolver, and what stands in the way of a page."""

import hashlib
import json

import httpx
import pytest
from selectolax.lexbor import LexborHTMLParser

from carrel.demo import DemoDataset, DemoRepository, Gate, sample_datasets

OPEN_KEYS = [
    dataset.key for dataset in sample_datasets() if dataset.gate in (Gate.OPEN, Gate.RESTRICTED)
]


def page_of(
    client: httpx.Client, repository: DemoRepository, dataset: DemoDataset
) -> httpx.Response:
    return client.get(dataset.url(repository), follow_redirects=True)


@pytest.mark.parametrize("key", OPEN_KEYS)
def test_page_tells_machines_what_it_tells_people(
    repository: DemoRepository, client: httpx.Client, key: str
) -> None:
    dataset = repository.dataset(key)

    page = page_of(client, repository, dataset)

    tree = LexborHTMLParser(page.text)
    doi = tree.css_first('meta[name="citation_doi"]')
    block = tree.css_first('script[type="application/ld+json"]')
    assert page.url == dataset.page_url(repository)
    assert doi is not None
    assert doi.attributes["content"] == dataset.doi
    assert block is not None
    assert json.loads(block.text())["name"] == dataset.title


@pytest.mark.parametrize("key", OPEN_KEYS)
def test_signposts_name_the_open_files(
    repository: DemoRepository, client: httpx.Client, key: str
) -> None:
    dataset = repository.dataset(key)

    header = page_of(client, repository, dataset).headers["Link"]

    is_closed = dataset.gate is Gate.RESTRICTED
    items = [file for file in dataset.files if not (is_closed or file.is_restricted)]
    assert header.count('rel="item"') == len(items)
    assert all(f"<{dataset.file_url(repository, file)}>" in header for file in items)
    assert all(f'rel="{rel}"' in header for rel in ("cite-as", "describedby", "license"))


def test_doi_goes_through_two_redirects_to_a_dataverse(
    repository: DemoRepository, client: httpx.Client
) -> None:
    page = client.get(f"{repository.origin}/doi/10.5072/fk2/olave1", follow_redirects=True)

    assert [hop.status_code for hop in page.history] == [302, 302]
    assert page.history[1].url.path == "/citation"
    assert page.url.path == "/dataset.xhtml"


@pytest.mark.parametrize("doi", ["10.5072/f1dna-mes7q", "10.5072/f1dna-all00"])
def test_doi_of_record_and_concept_lead_to_the_record(
    repository: DemoRepository, client: httpx.Client, doi: str
) -> None:
    page = client.get(f"{repository.origin}/doi/{doi}", follow_redirects=True)

    assert page.url.path == "/records/f1dna-mes7q"


def test_unregistered_doi_is_not_found(repository: DemoRepository, client: httpx.Client) -> None:
    assert client.get(f"{repository.origin}/doi/10.5072/nothing").status_code == 404


def test_plain_page_publishes_digests_in_its_json_ld(
    repository: DemoRepository, client: httpx.Client
) -> None:
    dataset = repository.dataset("lantern-slides")

    declared, undeclared = client.get(dataset.api_url(repository)).json()["distribution"]

    payload = client.get(declared["contentUrl"]).content
    assert declared["contentSize"] == len(payload)
    assert declared["sha256"] == hashlib.sha256(payload).hexdigest()
    assert not {"contentSize", "sha256"} & undeclared.keys()


def test_bot_check_stands_before_page_and_interface(
    repository: DemoRepository, client: httpx.Client
) -> None:
    dataset = repository.dataset("m4psx-gu4rd")

    answers = [client.get(dataset.page_url(repository)), client.get(dataset.api_url(repository))]

    assert [answer.status_code for answer in answers] == [403, 403]
    assert all("Just a moment" in answer.text for answer in answers)


def test_members_page_leads_to_a_log_in(repository: DemoRepository, client: httpx.Client) -> None:
    page = page_of(client, repository, repository.dataset("reading-room"))

    assert page.url.path == "/login"
    assert 'type="password"' in page.text


def test_index_links_every_dataset(repository: DemoRepository, client: httpx.Client) -> None:
    tree = LexborHTMLParser(client.get(repository.origin).text)

    links = {node.attributes["href"] for node in tree.css("td a")}

    assert links == {dataset.url(repository) for dataset in repository.datasets}
