# SPDX-License-Identifier: AGPL-3.0-or-later
"""Which identifiers are found in pasted text."""

import re

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from carrel.model import Scheme
from carrel.platforms.identifiers import find, why_nothing

SICI = "10.1002/(SICI)1096-8644(199601)99:1<1::AID-AJPA1>3.0.CO;2-1"


def values(text: str) -> list[str]:
    return [one.value for one in find(text).identifiers]


@pytest.mark.parametrize(
    "spelling",
    [
        "10.5281/zenodo.7078768",
        "doi:10.5281/zenodo.7078768",
        "DOI: 10.5281/zenodo.7078768",
        "doi%3A10.5281%2Fzenodo.7078768",
        "https://doi.org/10.5281/zenodo.7078768",
        "http://doi.org/10.5281/zenodo.7078768",
        "https://dx.doi.org/10.5281/zenodo.7078768",
        "HTTPS://DOI.ORG/10.5281/zenodo.7078768",
        "https://doi.org/10.5281%2Fzenodo.7078768",
        "https://www.doi.org/10.5281/zenodo.7078768",
        "https://doi.org/doi:10.5281/zenodo.7078768",
        "https://doi.org/10.5281/zenodo.7078768?locatt=mode:legacy",
        "doi.org/10.5281/zenodo.7078768",
        "(see 10.5281/zenodo.7078768).",
        '"10.5281/zenodo.7078768";',
        "“10.5281/zenodo.7078768”",
        "<https://doi.org/10.5281/zenodo.7078768>",
        "[data](https://doi.org/10.5281/zenodo.7078768)",
        "[10.5281/zenodo.7078768](https://doi.org/10.5281/ZENODO.7078768)",
        '<a href="https://doi.org/10.5281/zenodo.7078768">10.5281/zenodo.7078768</a>',
        r"\url{https://doi.org/10.5281/zenodo.7078768}",
        "\ufeff10.5281/zenodo.7078768\u200b",
        "info:doi/10.5281/zenodo.7078768",
        "rft_id=info%3Adoi%2F10.5281%2Fzenodo.7078768",
        "&lt;10.5281/zenodo.7078768&gt;",
        "&amp;lt;https://doi.org/10.5281/zenodo.7078768&amp;gt;",
        "&quot;10.5281/zenodo.7078768&quot;",
        "&#39;10.5281/zenodo.7078768&#39;",
        "&#x27;10.5281/zenodo.7078768&#x27;",
        "10.5281/zenodo.7078768&nbsp;and more",
        "**10.5281/zenodo.7078768**",
        "**DOI: https://doi.org/10.5281/zenodo.7078768**.",
        "__10.5281/zenodo.7078768__",
        "*10.5281/zenodo.7078768*",
        "*DOI: 10.5281/zenodo.7078768.*",
        "_doi:10.5281/zenodo.7078768_",
        "_DOI: 10.5281/zenodo.7078768_",
        "***10.5281/zenodo.7078768***",
        "~~10.5281/zenodo.7078768~~",
        "`10.5281/zenodo.7078768`",
        "10.5281/zenodo.7078768—next",
        "10.5281/zenodo.7078768&mdash;next",
        "https://doi.org/10.5281/zenodo.7078768–next",
        "10.5281/zenodo.7078768– and more",
        "10.5281/zenodo.7078768–10.5281/ZENODO.7078768",
        "数据10.5281/zenodo.7078768。",
        "データは10.5281/zenodo.7078768（公開）",
        "자료10.5281/zenodo.7078768",
        "数据：10.5281/zenodo.7078768",
    ],
)
def test_a_doi_is_found_in_any_spelling(spelling: str) -> None:
    (one,) = find(spelling).identifiers

    assert (one.scheme, one.value) == (Scheme.DOI, "10.5281/zenodo.7078768")
    assert one.url == "https://doi.org/10.5281/zenodo.7078768"


@pytest.mark.parametrize(
    "doi",
    [
        SICI,
        "10.1890/0012-9658(2006)87[2445:ANEFTF]2.0.CO;2",
        "10.1016/S0140-6736(05)67889-0",
        "10.6084/m9.figshare.15052236.v6",
        "10.4121/uuid:915b9c5c-83a1-4e1c-a3ab-3e5ae1ed2f3d",
    ],
)
@pytest.mark.parametrize("around", ["{}", "see {}.", "({})", "<{}>", "[{}]", "a, {}; b"])
def test_brackets_and_semicolons_inside_a_doi_are_kept(doi: str, around: str) -> None:
    assert values(around.format(doi)) == [doi]


def test_a_doi_url_is_percent_encoded_where_it_must_be() -> None:
    (one,) = find(SICI).identifiers

    assert one.url.endswith("99:1%3C1::AID-AJPA1%3E3.0.CO;2-1")
    assert values(one.url) == [SICI]


@pytest.mark.parametrize(
    ("text", "scheme", "value", "url"),
    [
        ("hdl:1902.1/12345", Scheme.HANDLE, "1902.1/12345", "https://hdl.handle.net/1902.1/12345"),
        (
            "http://hdl.handle.net/20.500.12690/RIN/IDDOAH?noredirect",
            Scheme.HANDLE,
            "20.500.12690/RIN/IDDOAH",
            "https://hdl.handle.net/20.500.12690/RIN/IDDOAH",
        ),
        (
            "ark:13030/m5rg0r8q",
            Scheme.ARK,
            "ark:/13030/m5rg0r8q",
            "https://n2t.net/ark:/13030/m5rg0r8q",
        ),
        (
            "https://n2t.net/ark:/13030/m5rg0r8q.",
            Scheme.ARK,
            "ark:/13030/m5rg0r8q",
            "https://n2t.net/ark:/13030/m5rg0r8q",
        ),
        (
            "zenodo.org/records/1",
            Scheme.URL,
            "https://zenodo.org/records/1",
            "https://zenodo.org/records/1",
        ),
        (
            "www.example.org/a?b=c,",
            Scheme.URL,
            "https://www.example.org/a?b=c",
            "https://www.example.org/a?b=c",
        ),
        (
            "http://127.0.0.1:8080/dataset.xhtml?persistentId=doi:10.5072/FK2/A&amp;version=1.1",
            Scheme.URL,
            "http://127.0.0.1:8080/dataset.xhtml?persistentId=doi:10.5072/FK2/A&version=1.1",
            "http://127.0.0.1:8080/dataset.xhtml?persistentId=doi:10.5072/FK2/A&version=1.1",
        ),
    ],
)
def test_handles_arks_and_addresses_are_found(
    text: str, scheme: Scheme, value: str, url: str
) -> None:
    (one,) = find(text).identifiers

    assert (one.scheme, one.value, one.url) == (scheme, value, url)


@pytest.mark.parametrize(
    "url",
    [
        "https://datadryad.org/dataset/doi:10.5061/dryad.fbg79cnr0",
        "https://zenodo.org/doi/10.5281/zenodo.1",
        "https://dataverse.harvard.edu/citation?persistentId=doi:10.7910/DVN/C0GO0U",
        "https://example.org/ark:/13030/m5rg0r8q",
    ],
)
def test_an_address_that_contains_a_doi_stays_an_address(url: str) -> None:
    assert values(url) == [url]


@pytest.mark.parametrize(
    "value",
    [
        "10.1007/978–3–030",
        "10.5072/a_b__c",
        "10.5072/a_",
        "https://example.org/?a=1&lt=2&copy=3;quot;x",
        "https://example.org/Michelson–Morley",
        "https://web.archive.org/web/2019*/example.org*",
        "https://example.org/~joe/*/~",
    ],
)
def test_marks_dashes_and_entities_stay_where_they_may_belong_to_it(value: str) -> None:
    assert values(f"see {value} there") == [value]


def test_brackets_inside_a_doi_may_be_entities() -> None:
    escaped = SICI.replace("<", "&lt;").replace(">", "&gt;")

    assert values(f"&lt;{escaped}&gt;") == [SICI]


def test_a_name_of_the_info_scheme_is_found_beside_others() -> None:
    assert values("info:hdl/1902.1/12345 and info:doi/10.1234/a, 10.1234/b") == [
        "1902.1/12345",
        "10.1234/a",
        "10.1234/b",
    ]


def test_several_in_one_paste_keep_their_order_and_lines_once_each() -> None:
    text = "First 10.1234/a,\n\nno luck here\nhttps://doi.org/10.1234/A and 10.1234/b"

    paste = find(text)

    assert [(one.value, one.line) for one in paste.identifiers] == [
        ("10.1234/a", 1),
        ("10.1234/b", 4),
    ]
    assert paste.not_understood == ((3, "no luck here"),)


@pytest.mark.parametrize("separator", [",", ";", "\t"])
def test_cells_of_a_table_end_at_the_separator(separator: str) -> None:
    rows = [["id", "doi", "title"], ["1", "10.5281/zenodo.1", "Foo"], ["2", "https://a.org/x", "B"]]

    paste = find("\n".join(separator.join(row) for row in rows))

    assert [one.value for one in paste.identifiers] == ["10.5281/zenodo.1", "https://a.org/x"]


def test_identifiers_joined_by_bare_commas_are_told_apart() -> None:
    assert values("10.1234/a,10.1234/b;https://c.org/d|10.1234/e") == [
        "10.1234/a",
        "10.1234/b",
        "https://c.org/d",
        "10.1234/e",
    ]


@pytest.mark.parametrize(
    "text",
    [
        "javascript:alert('https://evil.example/10.1234/x')",
        "file:///etc/passwd",
        "ftp://example.org/10.1234/x",
        "mailto:someone@zenodo.org",
        "data:text/html,10.1234/x",
        "https://[::1",
        "https://",
        "and/or e.g. 1.2/3",
        "zenodo.org.evil.example/records/1",
        "foo10.1234/x",
        "foo_10.1234/x",
        "foo__10.1234/x",
    ],
)
def test_what_is_no_identifier_is_not_understood(text: str) -> None:
    paste = find(text)

    assert paste.identifiers == ()
    assert paste.not_understood == ((1, text),)


@pytest.mark.parametrize(
    "text",
    ["https://doi.org/10.9999/", "https://dx.doi.org/doi:10.9999", "see https://doi.org/10.9999/."],
)
def test_the_prefix_of_dois_alone_is_no_dataset(text: str) -> None:
    assert find(text).identifiers == ()
    assert why_nothing(text) == "contains the first part of a DOI alone: add what follows it"


@pytest.mark.parametrize(
    ("text", "host"),
    [
        ("example.org", "example.org"),
        ("Data: example.org/data/1.", "example.org/data/1"),
        ("127.0.0.1:45975/records/x", "127.0.0.1:45975/records/x"),
        ("localhost:8080", "localhost:8080"),
    ],
)
def test_what_looks_like_a_host_is_told_to_lack_its_scheme(text: str, host: str) -> None:
    paste = find(text)

    assert paste.identifiers == ()
    assert paste.without_scheme == {1: host}
    assert why_nothing(text) == (
        f"contains no DOI, Handle, ARK or web address; if “{host}” is one, write https:// before it"
    )


@pytest.mark.parametrize(
    "text", ["no luck here", "joe@example.org/x", "ftp://example.org/x", "and/or", "12:30/14:00"]
)
def test_what_looks_like_no_host_is_not_told_so(text: str) -> None:
    assert find(text).without_scheme == {}
    assert why_nothing(text) == "contains no DOI, Handle, ARK or web address"


def test_a_password_in_an_address_is_dropped() -> None:
    assert values("https://me:secret@example.org/data") == ["https://example.org/data"]


FRAGMENTS = st.sampled_from(
    [
        "10.1234/",
        "doi:",
        "https://",
        "doi.org/",
        "hdl:",
        "ark:/13030/",
        "www.",
        "zenodo.org/",
        "%2F",
        "%25",
        "(",
        ")",
        "<1",
        ">",
        "[",
        "]",
        ",",
        ";",
        ".",
        "'",
        '"',
        " ",
        "\n",
        "a",
        "B1",
        "&amp;",
        "?",
        "#",
        "é",
        "20.500/",
        "@",
        ":",
        "/",
        "\ud800",
        "\u200b",
        "|",
        "{",
        "}",
        "*",
        "**",
        "_",
        "~",
        "–",
        "—",
        "&lt;",
        "&#39;",
        "info:doi/",
        "数",
    ]
)


@given(st.one_of(st.text(), st.lists(FRAGMENTS, max_size=25).map("".join)))
def test_any_text_is_read_and_what_is_found_is_found_again(text: str) -> None:
    found = find(text).identifiers

    spelled = [f"hdl:{one.value}" if one.scheme is Scheme.HANDLE else one.value for one in found]
    again = find(" ".join(spelled)).identifiers
    by_url = find(" ".join(one.url for one in found)).identifiers

    assert [(one.scheme, one.value) for one in again] == [(one.scheme, one.value) for one in found]
    assert {one.url for one in by_url} <= {one.url for one in found}
    assert all(one.url.startswith(("http://", "https://", "HTTP")) for one in found)


WORDS = st.lists(FRAGMENTS.filter(lambda part: part.strip()), max_size=6).map("".join)


# What makes no other address of one, as where it is spelled twice in a line: a place in its page.
PLACE = re.compile(r"#[\w.-]*$")


def names(text: str) -> set[tuple[Scheme, str]]:
    return {(one.scheme, PLACE.sub("", one.value.lower())) for one in find(text).identifiers}


@example(["doi.org/", "doi.org/#"])
@given(st.lists(WORDS, max_size=8))
def test_a_line_holds_what_its_words_hold(words: list[str]) -> None:
    assert names(" ".join(words)) == set().union(*map(names, words))


@pytest.mark.parametrize(
    ("piece", "found"),
    [
        ("a", []),
        ("10.", []),
        ("x://y ", []),
        ("&amp;", []),
        ("amp;", []),
        ("hdl:1,", []),
        ("10.1234/%20(", []),
        ("foo.bar,", []),
        ("data:", []),
        ("https://a.example/((((", []),
        ("%25", []),
        ("_*", []),
        ("&#3", []),
        ("&lt;", []),
        ("数", []),
        ("info:", []),
        ("10.1234/a– ", ["10.1234/a"]),
        ("10.1234/a** ", ["10.1234/a"]),
        ("10.1234/a ", ["10.1234/a"]),
    ],
)
def test_what_stands_in_a_megabyte_on_one_line_is_found(piece: str, found: list[str]) -> None:
    line = "&" + piece * (1_000_000 // len(piece))

    assert values(f"{line} 10.5281/zenodo.1") == [*found, "10.5281/zenodo.1"]


def test_an_identifier_may_be_encoded_oftener_than_once_but_not_without_end() -> None:
    assert values("doi:10.1234%25252Fa") == []
    assert values("https://doi.org/10.1234%25252Fa") == ["10.1234/a"]
    assert len(values(f"10.1234/a%{'25' * 3000}20b")) == 1


def test_one_page_is_named_once_whatever_place_in_it_is_named() -> None:
    text = "https://a.example/d\nHTTPS://A.example/d#top\nhttps://a.example/d#!/other\n"

    paste = find(text)

    assert [one.url for one in paste.identifiers] == [
        "https://a.example/d",
        "https://a.example/d#!/other",
    ]
    assert paste.repeated == (2,)


@given(st.from_regex(r"10\.[0-9]{4,9}/[A-Za-z0-9./-]{0,40}[A-Za-z0-9]\r?\n?", fullmatch=True))
@example("10.5281/zenodo.7078768\n")
@example("10.1234/www.example.org")
@example("10.1234/10.5678/x")
def test_a_doi_alone_on_its_line_is_read_as_one_that_is_labelled(line: str) -> None:
    assert find(line) == find(f"doi:{line}")
