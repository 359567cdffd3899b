# SPDX-License-Identifier: AGPL-3.0-or-later
"""What a landing page says of itself."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from carrel.model import Link
from carrel.platforms.links import header_links, linkset_links
from carrel.platforms.page import read_page

URL = "https://repo.example/page/1"
HTML = {"content-type": "text/html"}


def links(header: str) -> list[Link]:
    return list(header_links(header, URL))


def page_with(*blocks: str) -> bytes:
    scripts = "".join(f'<script type="application/ld+json">{block}</script>' for block in blocks)
    return f"<!doctype html><head>{scripts}</head>".encode()


def test_a_link_header_is_taken_apart_by_its_grammar() -> None:
    header = (
        '<a,b.csv>; rel="item" ; type="text/csv"; title="one; two, <three>", '
        "</x>;rel=describedby;type=text/turtle,, <https://doi.org/10.1/x>; REL='cite-as', "
        '<https://doi.org/10.1/x>; rel="cite-as item"; rel=author'
    )

    assert links(header) == [
        Link("https://repo.example/page/a,b.csv", "item", "text/csv"),
        Link("https://repo.example/x", "describedby", "text/turtle"),
        Link("https://doi.org/10.1/x", "'cite-as'"),
        Link("https://doi.org/10.1/x", "cite-as"),
        Link("https://doi.org/10.1/x", "item"),
    ]


def test_links_about_another_page_are_left_out() -> None:
    header = (
        '</a>; rel=item; anchor="https://other.example/", </b>; rel=item; anchor="/page/1", '
        '</c>; rel="item"; anchor="#part"'
    )

    assert [link.href for link in links(header)] == [
        "https://repo.example/b",
        "https://repo.example/c",
    ]


def test_targets_that_are_no_web_addresses_are_left_out() -> None:
    assert links("<javascript:alert(1)>; rel=linkset, <http://[::1>; rel=item, <>; rel=item") == []


def test_a_file_at_another_address_than_a_web_address_is_not_lost() -> None:
    assert links("<ftp://a.example/a.csv>; rel=item") == [Link("ftp://a.example/a.csv", "item")]


def test_link_elements_follow_the_base_of_the_page() -> None:
    body = b'<html><base href="/files/"><link rel="item ITEM" href="a.csv" type="text/csv">'

    page = read_page(URL, HTML, body)

    assert page.links == (Link("https://repo.example/files/a.csv", "item", "text/csv"),)


def test_a_page_that_is_no_html_gives_only_its_links() -> None:
    headers = {"content-type": "application/pdf", "link": "</a>; rel=item"}

    page = read_page(URL, headers, b"%PDF-1.4 <title>no</title>")

    assert (page.title, page.html, len(page.links)) == (None, "", 1)


def test_citation_tags_get_the_names_of_sandcrawler() -> None:
    body = b"""<html><head><title> A
      page </title><meta name="citation_title" content="Glaciers &amp; ice">
      <meta name="citation_author" content="Ada"><meta name="citation_author" content="Bob">
      <meta name="DC.identifier" content="internal-7"><meta name="DC.Identifier"
      content="https://doi.org/10.1234/abc"><meta name="citation_publication_date" content="2024">
      <meta property="og:title" content="other"><meta name="dc.publisher" content=""></head>"""

    page = read_page(URL, HTML, body)

    assert page.title == "A page"
    assert page.html_biblio == {
        "title": "Glaciers & ice",
        "doi": "10.1234/abc",
        "contrib_names": ["Ada", "Bob"],
        "release_date": "2024",
    }


@pytest.mark.parametrize(
    ("content_type", "body"),
    [
        ("text/html; charset=windows-1251", "<title>Лёд</title>".encode("cp1251")),
        ("text/html", b'<meta charset="koi8-r">' + "<title>Лёд</title>".encode("koi8-r")),
        ("text/html", "<title>Лёд</title>".encode()),
        ("text/html; charset=latin-1", b"\xef\xbb\xbf" + "<title>Лёд</title>".encode()),
        ("text/html", "\ufeff<title>Лёд</title>".encode("utf-16-le")),
        ("text/html; charset=hex", "<title>Лёд</title>".encode()),
        ("text/html; charset=no-such", "<title>Лёд</title>".encode()),
    ],
)
def test_the_charset_is_found_wherever_it_is_told(content_type: str, body: bytes) -> None:
    assert read_page(URL, {"content-type": content_type}, body).title == "Лёд"


def test_json_ld_is_unfolded_and_its_prefixes_taken_off() -> None:
    graph = {
        "@context": {"schema": "http://schema.org/"},
        "@graph": [
            {"@type": "schema:Dataset", "schema:name": "A"},
            [{"@type": ["https://schema.org/Person"], "http://schema.org/name": "B"}],
        ],
    }

    page = read_page(URL, HTML, page_with(json.dumps(graph)))

    assert list(page.json_ld) == [
        {"@type": ["Dataset"], "name": "A"},
        {"@type": ["Person"], "name": "B"},
    ]


def test_prefixes_are_taken_off_as_the_context_gives_them() -> None:
    context = [{"s": "https://schema.org/", "c": "http://mlcommons.org/croissant/"}, {"x": "urn:x"}]
    block = {"@context": context, "@type": "s:Dataset", "x:name": "A", "sc:url": "c:d", "c:of": 1}

    (found,) = read_page(URL, HTML, page_with(json.dumps(block))).json_ld

    assert {key: found[key] for key in found if key != "@context"} == {
        "@type": ["Dataset"],
        "x:name": "A",
        "url": "c:d",
        "of": 1,
    }


def test_the_main_entity_of_a_page_is_unfolded() -> None:
    block = {
        "@type": "WebPage",
        "mainEntity": [{"@type": "Dataset", "name": "A"}, {"@type": "Dataset", "@id": "urn:b"}],
    }

    page = read_page(URL, HTML, page_with(json.dumps(block)))

    assert [one.get("name") for one in page.json_ld] == [None, "A"]


@pytest.mark.parametrize(
    ("start", "end"),
    [
        ("/*<![CDATA[*/", "/*]]>*/"),
        ("//<![CDATA[\n", "\n//]]>"),
        ("/* <![CDATA[ */\n", "\n/* ]]> */"),
        ("<![CDATA[", "]]>"),
        ("<!--", "-->"),
    ],
)
def test_json_ld_is_taken_out_of_its_wrapping(start: str, end: str) -> None:
    page = read_page(URL, HTML, page_with(f'{start}{{"name": "A]]"}}{end}'))

    assert page.json_ld == [{"name": "A]]"}]


def test_broken_json_ld_costs_only_itself() -> None:
    good = '<!-- {"@type": "Dataset", "name": "line\nbreak"} -->'

    page = read_page(URL, HTML, page_with("{nonsense", "", "[" * 100_000, good, "1", "null"))

    assert [block["name"] for block in page.json_ld] == ["line\nbreak"]


def test_a_linkset_gives_the_links_of_its_page() -> None:
    document = {
        "linkset": [
            {"anchor": URL, "item": [{"href": "a.csv", "type": "text/csv"}, "odd", {"href": 7}]},
            {"anchor": "https://other.example/", "item": [{"href": "b.csv"}]},
            {"describedby": [{"href": "/m.json"}], "odd": 1},
            None,
        ]
    }

    found = linkset_links(json.dumps(document), "https://repo.example/sets/1.json", (URL,))

    assert found is not None
    assert Link("https://repo.example/sets/a.csv", "item", "text/csv") in found
    assert Link("https://repo.example/m.json", "describedby") in found
    assert not any("b.csv" in link.href for link in found)


def test_a_linkset_in_the_form_of_a_header_gives_the_links_of_its_page() -> None:
    text = (
        f'<a.csv>; rel="item"\n ; type="text/csv"; anchor="{URL}",\n'
        '<b.csv>; rel="item"; anchor="https://other.example/",\n'
        '</m.json>; rel="describedby"\n'
    )

    assert linkset_links(text, "https://repo.example/sets/1.txt", (URL,)) == [
        Link("https://repo.example/sets/a.csv", "item", "text/csv"),
        Link("https://repo.example/m.json", "describedby"),
    ]


@given(st.binary(max_size=300), st.text(max_size=60), st.text(max_size=80))
def test_no_page_is_too_hostile_to_read(body: bytes, content_type: str, link: str) -> None:
    read_page(URL, {"content-type": f"text/html;{content_type}", "link": link}, body)


@given(st.text(alphabet='<>;,="\\ arel/:#?', max_size=60))
def test_no_link_header_is_too_hostile_to_read(header: str) -> None:
    assert all(link.href.startswith("http") or link.rel == "item" for link in links(header))


def test_of_a_page_nested_without_end_the_beginning_is_read() -> None:
    body = b'<title>Ice</title><meta name="citation_doi" content="10.1/x">' + b"<div>" * 200_000

    page = read_page(URL, HTML, body)

    assert (page.title, page.html_biblio["doi"]) == ("Ice", "10.1/x")
    assert len(page.html) == len(body)
