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
        ("text/html; charset=idna", "<title>Лёд</title>".encode()),
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


def test_a_type_that_is_no_text_is_passed_over() -> None:
    block = {"@type": ["schema:Dataset", 5, None]}

    assert read_page(URL, HTML, page_with(json.dumps(block))).json_ld == [{"@type": ["Dataset"]}]


def test_broken_json_ld_costs_only_itself() -> None:
    good = '<!-- {"@type": "Dataset", "name": "line\nbreak"} -->'

    page = read_page(URL, HTML, page_with("{nonsense", "", "[" * 100_000, good, "1", "null"))

    assert [block["name"] for block in page.json_ld] == ["line\nbreak"]
    assert page.unread_json_ld == (
        "Expecting property name enclosed in double quotes in line 1",
        "it is nested too deeply",
    )


@pytest.mark.parametrize(
    "block",
    [
        '{"@type": "Dataset", "name": "A", "files": [1, 2,],}',
        '// {"\n{"@type": "Dataset", /* "name": "B", */ "name": "A", "url": "https://a.example/*"}',
        '\ufeff{"@type": "Dataset", "name": "A"};\ufeff',
        '{"@type": "Dataset", "name": "A", "size": NaN, "version": undefined}',
        '{"@type": "Dataset", "name": "A", "description": "one, ]\r\n// two /* undefined,}"}',
        '{"@type": "Dataset", "name": "A", "description": "\\\\", "url": "\\",}" , }',
    ],
)
def test_json_ld_with_what_javascript_lets_stand_is_read(block: str) -> None:
    page = read_page(URL, HTML, page_with(block))

    assert [(one["@type"], one["name"]) for one in page.json_ld] == [(["Dataset"], "A")]
    assert page.unread_json_ld == ()


@pytest.mark.parametrize("between", ["", "\n", ",", " ;\n"])
def test_objects_in_a_row_are_read(between: str) -> None:
    page = read_page(URL, HTML, page_with(f'{{"name": "A"}}{between}{{"name": "B"}}'))

    assert list(page.json_ld) == [{"name": "A"}, {"name": "B"}]
    assert page.unread_json_ld == ()


@pytest.mark.parametrize(
    ("block", "fault"),
    [
        ('{\n"name": "The "Big" Ice"}', "Expecting ',' delimiter in line 2"),
        ('{"name": "A"', "Expecting ',' delimiter in line 1"),
        ("{&quot;name&quot;: &quot;A&quot;}", "Expecting property name enclosed in"),
        ("{'name': 'A'}", "Expecting property name enclosed in"),
        ('{"name": "C:\\data"}', "Invalid \\escape in line 1"),
        ("{{ schema }}", "Expecting property name enclosed in"),
        ('/*\n*/{"a": 1,}{"b": }', "Expecting value in line 2"),
        ('{"a": 1, "a": 2}', "it has a more than once in one object, and only the last counts"),
        ("[]" * 1001, "it has more than 1000 objects"),
        ("9" * 5000, "a number in it is too long"),
    ],
)
def test_what_one_could_but_guess_is_told_of(block: str, fault: str) -> None:
    page = read_page(URL, HTML, page_with(block))

    (said,) = page.unread_json_ld
    assert said.startswith(fault)
    assert "name" not in str(page.json_ld)


def test_what_stands_before_a_fault_is_read() -> None:
    page = read_page(URL, HTML, page_with('{"name": "A"} {"name": B}'))

    assert list(page.json_ld) == [{"name": "A"}]
    assert len(page.unread_json_ld) == 1


def test_what_is_said_twice_alike_is_no_fault() -> None:
    page = read_page(URL, HTML, page_with('{"name": "A", "name": "A"}'))

    assert (list(page.json_ld), page.unread_json_ld) == ([{"name": "A"}], ())


@pytest.mark.parametrize("block", ["", " \n", "<!-- -->", "null", "[]"])
def test_an_empty_block_is_no_fault(block: str) -> None:
    page = read_page(URL, HTML, page_with(block))

    assert (list(page.json_ld), page.unread_json_ld) == ([], ())


@pytest.mark.parametrize("unit", ['"\\', "/*", ", ", '{"', "//", "[],"])
def test_a_long_broken_block_is_given_up_soon(unit: str) -> None:
    page = read_page(URL, HTML, page_with("{" + unit * 300_000))

    assert len(page.unread_json_ld) == 1


def test_json_ld_behind_the_depth_of_a_page_is_told_of() -> None:
    body = b"<title>Ice</title>" + b"<div>" * 200_000 + page_with('{"name": "A"}')

    page = read_page(URL, HTML, body)

    assert (page.title, list(page.json_ld)) == ("Ice", [])
    assert page.unread_json_ld == ("the page is nested too deeply to read the rest",)


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


def test_a_linkset_is_about_the_page_under_each_address_that_led_to_it() -> None:
    pages = ("https://doi.org/10.1/x", URL)
    text = f'<https://repo.example/a.csv>; rel="item"; anchor="{URL}/"'

    assert linkset_links(text, URL, pages) == [Link("https://repo.example/a.csv", "item")]


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


def test_a_relation_that_a_linkset_has_twice_has_the_targets_of_both() -> None:
    text = '{"linkset": [{"item": [{"href": "/a"}], "item": [{"href": "/b"}]}]}'

    found = linkset_links(text, "https://repo.example/set.json", (URL,))

    assert [link.href for link in found or ()] == [
        "https://repo.example/a",
        "https://repo.example/b",
    ]
