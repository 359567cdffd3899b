# SPDX-License-Identifier: AGPL-3.0-or-later
"""BibTeX and RIS: the DOI, else the address, of each entry, whatever the rest looks like."""

import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from carrel.engine.batches import Batch, Kind, read

ZOTERO_BIB = r"""
@string{zen = "Zenodo"}
@comment{doi = {10.1000/never}}

@misc{adams_tides_1953,
	title = {{Tides} of 1953, doi = {10.1000/not-this} and more},
	copyright = {Creative Commons Attribution 4.0 International},
	url = {https://zenodo.org/record/7078768},
	doi = {10.5281/ZENODO.7078768},
	publisher = zen # { and others},
}

@dataset{brown_ebb, title = "Ebb \"and\" flow", doi = "10.1000/a\_b{\%}c", year = 1954}
@online{clark, howpublished = {\url{https://figshare.com/articles/dataset/x/1}}, doi = {}}
@misc{dean, url = {\href{https://dean.example/d}{here}}} @misc(evans, doi = {10.1000/evans})
@article{frank,
  title = {Nothing to be had}
}
"""

ZOTERO_RIS = """\
TY  - DATA
TI  - Tides of 1953
DO  - 10.5281/ZENODO.7078768
UR  - https://zenodo.org/record/7078768
ER  - 

TY  - JOUR
T1  - Ebb
M3  - doi: 10.1000/ebb
ER  -
TY  - WEB
TI  - Clark
M3  - Dataset
UR  - https://figshare.com/articles/
dataset/x/1
TY  - BOOK
TI  - Nothing
AB  - A text with 10.1000/never
ER  - 
"""


def batch(text: str, kind: Kind | None = None) -> Batch:
    return read(io.BytesIO(text.encode()), kind=kind)


def urls(of: Batch) -> list[str]:
    return [request.base_url for request in of.requests]


def test_each_bibtex_entry_gives_its_doi_else_its_address() -> None:
    got = batch(ZOTERO_BIB)

    assert got.kind is Kind.BIBTEX
    assert urls(got) == [
        "https://doi.org/10.5281/ZENODO.7078768",
        "https://doi.org/10.1000/a_b%25c",
        "https://figshare.com/articles/dataset/x/1",
        "https://dean.example/d",
        "https://doi.org/10.1000/evans",
    ]


def test_an_entry_without_an_address_is_named_by_line_and_key() -> None:
    (problem,) = batch(ZOTERO_BIB).problems

    assert (problem.line, problem.text) == (16, "@article{frank")
    assert problem.message == "has neither a DOI nor a web address"


def test_an_entry_that_does_not_close_ends_where_the_next_begins() -> None:
    got = batch(
        "@misc{a, title = {open {braces,\n doi = {10.1000/a}\n"
        "@misc{b, doi = {10.1000/b}}\n"
        "@misc{c, doi = {10.1000/c},\n"
    )

    (problem,) = got.problems
    assert urls(got) == ["https://doi.org/10.1000/b", "https://doi.org/10.1000/c"]
    assert (problem.line, problem.message[:12]) == (1, "does not end")


def test_each_ris_record_gives_its_doi_else_its_address() -> None:
    got = batch(ZOTERO_RIS)

    assert got.kind is Kind.RIS
    assert urls(got) == [
        "https://doi.org/10.5281/ZENODO.7078768",
        "https://doi.org/10.1000/ebb",
        "https://figshare.com/articles/dataset/x/1",
    ]


def test_a_ris_record_without_an_address_is_named_by_line_and_title() -> None:
    (problem,) = batch(ZOTERO_RIS).problems

    assert (problem.line, problem.text) == (16, "Nothing")


@pytest.mark.parametrize("kind", [Kind.BIBTEX, Kind.RIS])
@given(text=st.text(alphabet='@a{}()"=,\\#\n\r YTER-doiu10./', max_size=200))
def test_no_text_stops_the_reader(kind: Kind, text: str) -> None:
    got = batch(text, kind)

    assert all(problem.line >= 1 for problem in got.problems)


@pytest.mark.parametrize(
    "entry",
    [
        "@misc{a, doi = " + "{" * 300_000,
        "@misc{a" + "," * 300_000 + "}",
        "@misc{a, url = {" + r"\url" * 100_000 + "}}",
        "@misc{a, url = {" + r"\url{" * 100_000 + "}}",
        "@misc(" * 100_000,
        '@misc{a, x = "' + '{"' * 200_000,
    ],
)
def test_a_hostile_entry_costs_only_itself(entry: str) -> None:
    got = batch(f"{entry}\n@misc{{b, doi = {{10.1000/b}}}}\n", Kind.BIBTEX)

    assert "https://doi.org/10.1000/b" in urls(got)
    assert len(got.requests) == 1
