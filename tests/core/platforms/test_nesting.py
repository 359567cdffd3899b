# SPDX-License-Identifier: AGPL-3.0-or-later
"""How deep a page is nested, and where it is cut."""

import pytest

from carrel.platforms.depth import shallow
from carrel.platforms.items import plain_text


@pytest.mark.parametrize(
    "unit",
    [
        "<div>",
        "<DIV class='a'>x",
        "<span>",
        "<b>",
        "<!--><div>-->",
        '<div title="</div>">',
        '<div ">',
        "<div></span>",
        "<span><div></span>",
        "<div><table><td></div>",
        "<form><div></form>",
        "<p><div>",
        "<ul><li></ol>",
        "<div><script></div></script>",
        "<div><!</div>",
        "<svg><td>",
        "<svg><g><title>",
    ],
)
def test_a_page_is_cut_where_it_gets_too_deep(unit: str) -> None:
    page = "<title>Ice</title>" + unit * 200_000

    kept = shallow(page)

    assert page.startswith(kept)
    assert 400 < kept.count("<") < 9000


@pytest.mark.parametrize(
    "unit",
    [
        "<p>x",
        "<ul><li>x<li>y</ul>",
        "<li>x",
        "<dt>x<dd>y",
        "<option>x",
        "<br><img src=x><input>",
        "<div><p>x</div>",
        "<div/></div>",
        "<a name=x>",
        "<p><font size=2>x",
        "<!-- <div> -->",
        "<div ><!--></div>-->",
        "<script>'<div>'</script>",
        "<p title='<div>'>",
        "<svg viewBox='0'><path d='M0'/><g><path></g></svg>",
        "<svg/>",
        "<b><i>x</b></i>",
    ],
)
def test_a_long_flat_page_is_kept_whole(unit: str) -> None:
    page = "<html><body><h1>Ice</h1>" + unit * 20_000

    assert shallow(page) == page


@pytest.mark.parametrize("unit", ["<tr><td>x", "<tr><td><b>x</td></tr>", "<tbody><tr><th><i>x"])
def test_a_long_table_is_kept_whole(unit: str) -> None:
    page = "<table>" + unit * 20_000

    assert shallow(page) == page


def test_formatting_left_open_counts_in_every_paragraph_that_follows() -> None:
    page = "".join(f"<p><b id={number}>x" for number in range(20_000))

    assert len(shallow(page)) < 20_000


@pytest.mark.parametrize(
    "page",
    [
        "<!-- <div>",
        "<div title='",
        "<script><div>",
        "<plaintext></div>",
        "<",
        "</>",
        "<?",
        "<" + "a" * 4_000_000,
    ],
)
def test_markup_that_does_not_end_is_kept(page: str) -> None:
    assert shallow(page) == page


def test_a_description_nested_without_end_gives_its_beginning() -> None:
    assert plain_text("<p>Ice" + "<div>" * 200_000) == "Ice"


@pytest.mark.parametrize(
    ("html", "text"),
    [
        ('Birds &amp; "odd" <names> in the garden', 'Birds & "odd" <names> in the garden'),
        ("<i>Larus</i> H<sub>2</sub>O</p>", "Larus H2O"),
        ("<jats:p>Tides</jats:p>", "Tides"),
        ("p < 0.05 and n<5", "p < 0.05 and n<5"),
    ],
)
def test_what_is_no_element_is_text(html: str, text: str) -> None:
    assert plain_text(html) == text
