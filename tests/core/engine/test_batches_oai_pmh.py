# SPDX-License-Identifier: AGPL-3.0-or-later
"""OAI-PMH: saved harvests and endpoints, whole, broken off, and hostile."""

import asyncio
import io
from urllib.parse import quote

import pytest

from carrel.capture.client import Client
from carrel.engine.batches import Batch, Kind, harvest, read
from carrel.errors import UsageError
from carrel.hosts.retry import RetryPolicy
from carrel.settings import Network
from support.wire import Reply, WireServer, reply

_HEAD = (
    '<?xml version="1.0" encoding="UTF-8"?>\n'
    '<OAI-PMH xmlns="http://www.openarchives.org/OAI/2.0/">'
    "<responseDate>2026-11-21T10:00:00Z</responseDate>"
    '<request verb="ListRecords" metadataPrefix="oai_dc">https://data.example/oai</request>'
)


def answer(*parts: str, verb: str = "ListRecords") -> str:
    return f"{_HEAD}<{verb}>{''.join(parts)}</{verb}></OAI-PMH>"


def refusal(code: str, words: str) -> str:
    return f'{_HEAD}<error code="{code}">{words}</error></OAI-PMH>'


def token(value: str, size: int | None = None) -> str:
    announced = f' completeListSize="{size}"' if size else ""
    return f"<resumptionToken{announced}>{value}</resumptionToken>"


def header(identifier: str, status: str = "") -> str:
    deleted = f' status="{status}"' if status else ""
    return (
        f"<header{deleted}><identifier>{identifier}</identifier>"
        "<datestamp>2026-01-01</datestamp></header>"
    )


def dublin_core(identifier: str, *identifiers: str) -> str:
    """Return a record as Zenodo and Dataverse write it in oai_dc."""
    inside = "".join(f"<dc:identifier>{each}</dc:identifier>" for each in identifiers)
    return (
        f"<record>{header(identifier)}<metadata>"
        '<oai_dc:dc xmlns:oai_dc="http://www.openarchives.org/OAI/2.0/oai_dc/"'
        ' xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:title>Tides &amp; Ebbs</dc:title>'
        f"{inside}<dc:relation>https://doi.org/10.1000/never</dc:relation></oai_dc:dc>"
        "</metadata></record>"
    )


def datacite(identifier: str, doi: str) -> str:
    """Return a record as Zenodo writes it in oai_datacite."""
    return (
        f"<record>{header(identifier)}<metadata>"
        '<oai_datacite xmlns="http://schema.datacite.org/oai/oai-1.1/"><payload>'
        '<resource xmlns="http://datacite.org/schema/kernel-4">'
        f'<identifier identifierType="DOI">{doi}</identifier><relatedIdentifiers>'
        '<relatedIdentifier relatedIdentifierType="DOI">10.1000/never</relatedIdentifier>'
        "</relatedIdentifiers></resource></payload></oai_datacite></metadata></record>"
    )


def saved(text: str | bytes, source: str = "") -> Batch:
    return read(io.BytesIO(text.encode() if isinstance(text, str) else text), source=source)


def urls(of: Batch) -> list[str]:
    return [request.base_url for request in of.requests]


def codes(of: Batch) -> list[str]:
    return [finding.code for finding in of.findings]


def test_a_record_s_doi_is_taken_before_its_address_and_never_a_related_one() -> None:
    got = saved(
        answer(
            dublin_core("oai:zenodo.org:1", "https://zenodo.org/records/1", "10.5281/zenodo.1"),
            datacite("oai:zenodo.org:2", "10.5281/zenodo.2"),
            dublin_core("oai:x.example:3", "https://x.example/datasets/3", "local-3"),
        )
    )

    assert got.kind is Kind.OAI_PMH
    assert urls(got) == [
        "https://doi.org/10.5281/zenodo.1",
        "https://doi.org/10.5281/zenodo.2",
        "https://x.example/datasets/3",
    ]
    assert (got.problems, got.findings) == ((), ())


@pytest.mark.parametrize(
    ("identifier", "url"),
    [
        ("oai:zenodo.org:7078768", "https://zenodo.org/records/7078768"),
        ("oai:figshare.com:article/28", "https://figshare.com/articles/28"),
        ("oai:pangaea.de:doi:10.1594/PANGAEA.1", "https://doi.org/10.1594/PANGAEA.1"),
        ("doi:10.7910/DVN/ABCDEF", "https://doi.org/10.7910/DVN/ABCDEF"),
        ("oai:repository.example:10023/123", "https://hdl.handle.net/10023/123"),
        ("https://data.example/1", "https://data.example/1"),
    ],
)
def test_a_record_s_own_identifier_is_read_by_its_platform_s_rule(
    identifier: str, url: str
) -> None:
    assert urls(saved(answer(header(identifier), verb="ListIdentifiers"))) == [url]


def test_a_record_that_names_nothing_is_named_by_its_number() -> None:
    got = saved(answer(dublin_core("oai:zenodo.org:1"), dublin_core("oai:x.example:local")))

    (problem,) = got.problems
    assert (problem.line, problem.text) == (2, "oai:x.example:local")
    assert len(got.requests) == 1


def test_deleted_records_are_passed_over_and_counted() -> None:
    deleted = f"<record>{header('oai:zenodo.org:1', 'deleted')}</record>"

    got = saved(answer(deleted, dublin_core("oai:zenodo.org:2")))

    assert urls(got) == ["https://zenodo.org/records/2"]
    assert codes(got) == ["deleted-records"]


def test_a_harvest_without_its_last_page_says_so() -> None:
    got = saved(answer(dublin_core("oai:zenodo.org:1"), token("next", 500)))

    assert codes(got) == ["records-missing", "harvest-unfinished"]


def test_pages_that_were_appended_to_one_file_are_all_read() -> None:
    first = answer(dublin_core("oai:zenodo.org:1"), token("next", 2))
    last = answer(dublin_core("oai:zenodo.org:2"), token(""))

    got = saved(f"{first}\n\n{last}\n")

    assert urls(got) == ["https://zenodo.org/records/1", "https://zenodo.org/records/2"]
    assert (got.problems, got.findings) == ((), ())


def test_a_broken_harvest_keeps_what_came_before() -> None:
    whole = answer(dublin_core("oai:zenodo.org:1"), dublin_core("oai:zenodo.org:2"))

    got = saved(whole[: whole.rindex("<record>") + 40])

    (problem,) = got.problems
    assert urls(got) == ["https://zenodo.org/records/1"]
    assert (problem.line, problem.message[:22]) == (2, "the XML ends too early")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("<html><body>Sign in</body></html>", "contains no OAI-PMH records"),
        ("<!DOCTYPE OAI-PMH [<!ENTITY a 'b'>]>" + answer()[39:], "it declares a document type"),
        ("<OAI-PMH>" + "<a>" * 300, "its elements nest deeper than 200"),
        ("<OAI-PMH a='" + "x" * 5_000_000, "a tag in it is longer than 4 MiB"),
        ("<OAI-PMH>&a;</OAI-PMH>", "it is not well-formed XML"),
        (refusal("badArgument", "no such set"), "the repository says badArgument: no such set"),
    ],
)
def test_what_is_no_harvest_is_told(text: str, message: str) -> None:
    (problem,) = saved(text, "harvest.xml").problems

    assert problem.message.startswith(message)


def test_no_records_that_match_are_no_failure() -> None:
    got = saved(refusal("noRecordsMatch", "nothing since then"))

    assert (got.problems, codes(got)) == ((), ["no-records"])


def xml(text: str, status: str = "200 OK", **headers: str) -> Reply:
    return reply(text.encode(), status, Content_Type="text/xml; charset=utf-8", **headers)


def harvested(url: str, waits: list[float] | None = None) -> Batch:
    noted: list[float] = [] if waits is None else waits
    patience = RetryPolicy(tries=3, first_pause_s=1.0, sleep=noted.append)

    async def run() -> Batch:
        with Client(Network(timeout_s=20)) as client:
            return await harvest(url, client, pause_s=0, patience=patience)

    return asyncio.run(run())


def test_an_endpoint_is_asked_on_until_its_list_ends(server: WireServer) -> None:
    first = answer(dublin_core("oai:zenodo.org:1"), token("a b/+=", 3))
    second = answer(dublin_core("oai:zenodo.org:2"), dublin_core("oai:zenodo.org:3"), token(""))
    asked = server.serve("/oai?verb=ListRecords&set=tides&metadataPrefix=oai_dc", xml(first))
    server.serve("/oai?verb=ListRecords&resumptionToken=a+b%2F%2B%3D", xml(second))

    got = harvested(server.origin + "/oai?verb=ListRecords&set=tides")

    assert urls(got) == [f"https://zenodo.org/records/{number}" for number in (1, 2, 3)]
    assert (got.problems, got.findings, got.name) == ((), (), "127.0.0.1")
    assert server.seen[0].target == asked.removeprefix(server.origin)


def test_an_endpoint_that_is_busy_is_asked_again_when_it_says(server: WireServer) -> None:
    server.serve(
        "/oai?verb=ListRecords&metadataPrefix=oai_dc",
        xml("wait", "503 Service Unavailable", Retry_After="3"),
        xml(answer(dublin_core("oai:zenodo.org:1"))),
    )
    waits: list[float] = []

    got = harvested(server.origin + "/oai", waits)

    assert urls(got) == ["https://zenodo.org/records/1"]
    assert len(server.seen) == 2
    assert sum(waits) == pytest.approx(3.0)


@pytest.mark.parametrize(
    ("second", "why"),
    [
        (xml(answer(dublin_core("oai:zenodo.org:2"), token("next"))), "same resumption token"),
        (xml("gone", "404 Not Found"), "answered with HTTP 404"),
        (xml(answer(dublin_core("oai:zenodo.org:2"))[:-30]), "the XML ends too early"),
    ],
)
def test_a_harvest_that_breaks_off_keeps_its_records_and_says_so(
    server: WireServer, second: Reply, why: str
) -> None:
    first = answer(dublin_core("oai:zenodo.org:1"), token("next"))
    server.serve("/oai?verb=ListRecords&metadataPrefix=oai_dc", xml(first))
    server.serve("/oai?verb=ListRecords&resumptionToken=next", second)

    got = harvested(server.origin + "/oai")

    (problem,) = got.problems
    assert urls(got)[0] == "https://zenodo.org/records/1"
    assert "the harvest was interrupted after" in problem.message
    assert why in problem.message


def test_an_expired_token_is_a_problem_and_no_end(server: WireServer) -> None:
    first = answer(dublin_core("oai:zenodo.org:1"), token("next"))
    server.serve("/oai?verb=ListRecords&metadataPrefix=oai_dc", xml(first))
    server.serve(
        "/oai?verb=ListRecords&resumptionToken=next", xml(refusal("badResumptionToken", "expired"))
    )

    got = harvested(server.origin + "/oai")

    (problem,) = got.problems
    assert problem.message == "the repository says badResumptionToken: expired"


def test_pages_without_records_are_not_asked_for_for_ever(server: WireServer) -> None:
    server.serve("/oai?verb=ListRecords&metadataPrefix=oai_dc", xml(answer(token("0"))))
    for number in range(20):
        page = xml(answer(token(str(number + 1))))
        server.serve(f"/oai?verb=ListRecords&resumptionToken={quote(str(number))}", page)

    got = harvested(server.origin + "/oai")

    (problem,) = got.problems
    assert "3 pages without records" in problem.message
    assert len(server.seen) == 3


def test_an_address_that_asks_for_no_list_is_refused() -> None:
    with pytest.raises(UsageError, match="asks for Identify"):
        harvested("https://data.example/oai?verb=Identify")
