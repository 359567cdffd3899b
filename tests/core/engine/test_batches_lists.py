# SPDX-License-Identifier: AGPL-3.0-or-later
"""Plain lists and tables: what each line holds, and that none is passed over in silence."""

import io
from pathlib import Path

import pytest

from carrel.engine.batches import Batch, Columns, Kind, Seen, read, read_file
from carrel.engine.batches.table import head_of
from carrel.engine.batches.text import LONGEST_LINE_BYTES, Line, Lines
from carrel.errors import UsageError

DOI = "https://doi.org/10.5281/zenodo.{}"


def batch(text: str | bytes, source: str = "", **options: Columns | str | Kind | None) -> Batch:
    content = text.encode() if isinstance(text, str) else text
    return read(io.BytesIO(content), source=source, **options)  # type: ignore[arg-type]  # by name


def urls(of: Batch) -> list[str]:
    return [request.base_url for request in of.requests]


def told(of: Batch) -> list[tuple[int, str]]:
    return [(problem.line, problem.text) for problem in of.problems]


def test_a_plain_list_has_remarks_text_around_and_lines_that_hold_nothing() -> None:
    got = batch(
        "\ufeff# our datasets\n\n"
        "10.5281/zenodo.1\n"
        "The tides (https://zenodo.org/records/2), 1953  # seen https://elsewhere.example/\n"
        "to be published\n"
        "Dataset # 12: https://figshare.com/articles/3\n"
        "https://a.example/#fragment\n"
    )

    assert got.kind is Kind.PLAIN
    assert urls(got) == [
        DOI.format(1),
        "https://zenodo.org/records/2",
        "https://figshare.com/articles/3",
        "https://a.example/#fragment",
    ]
    assert told(got) == [(5, "to be published")]
    assert got.requests[0].ext_ids == {"doi": "10.5281/zenodo.1"}


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_lines_end_as_any_system_ends_them(end: str) -> None:
    got = batch(end.join(["10.5281/zenodo.1", "", "nothing", "10.5281/zenodo.2"]))

    assert urls(got) == [DOI.format(1), DOI.format(2)]
    assert told(got) == [(3, "nothing")]


def test_a_line_end_may_fall_between_two_reads() -> None:
    content = io.BytesIO(b"a\r\nb\rc\n\nd")

    lines = [(line.number, line.text) for line in Lines(lambda size: content.read(1))]

    assert lines == [(1, "a"), (2, "b"), (3, "c"), (4, ""), (5, "d")]


@pytest.mark.parametrize(
    "encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "utf-32"]
)
def test_unicode_is_read_in_any_of_its_forms(encoding: str) -> None:
    got = batch("Gezeiten, für alle: 10.5281/zenodo.1\nmüde\n".encode(encoding))

    assert urls(got) == [DOI.format(1)]
    assert told(got) == [(2, "müde")]
    assert got.findings == ()


def test_what_is_no_unicode_is_taken_for_windows_and_told() -> None:
    got = batch("10.5281/zenodo.1\nmüde\nmüde – auch\n".encode("cp1252"))

    (finding,) = got.findings
    assert urls(got) == [DOI.format(1)]
    assert told(got) == [(2, "müde"), (3, "müde – auch")]
    assert finding.message.startswith("Line 2 and 1 more")


def test_a_repeated_dataset_is_named_with_the_line_it_repeats() -> None:
    got = batch(
        "10.5281/Zenodo.1\n"
        "https://zenodo.org/records/2\n"
        "http://dx.doi.org/10.5281/ZENODO.1\n"
        "https://hdl.handle.net/10.5281/zenodo.1\n"
        "http://ZENODO.org:80/records/2/\n"
    )

    assert [(each.line, each.first_line) for each in got.duplicates] == [(3, 1), (4, 1), (5, 2)]
    assert urls(got) == ["https://doi.org/10.5281/Zenodo.1", "https://zenodo.org/records/2"]


def test_a_repetition_is_also_found_in_another_list(tmp_path: Path) -> None:
    (tmp_path / "one.txt").write_text("\n10.5281/zenodo.1\n")
    (tmp_path / "two.txt").write_text("doi:10.5281/ZENODO.1\n")
    seen = Seen()

    one = read_file(tmp_path / "one.txt", seen=seen)
    two = read_file(tmp_path / "two.txt", seen=seen)

    (duplicate,) = two.duplicates
    assert (one.name, two.name, two.requests) == ("one", "two", ())
    assert (duplicate.line, duplicate.first_line, duplicate.source) == (1, 2, "one.txt")


def test_a_line_without_end_is_named_and_what_follows_it_is_read() -> None:
    got = batch(b"10.5281/zenodo.1\n" + b"x" * (3 * LONGEST_LINE_BYTES) + b"\n10.5281/zenodo.2\n")

    (problem,) = got.problems
    assert urls(got) == [DOI.format(1), DOI.format(2)]
    assert (problem.line, problem.message) == (2, "is longer than 1 MiB")
    assert len(problem.text) == 200


@pytest.mark.parametrize(
    ("content", "word"),
    [(b"PK\x03\x04rest", "spreadsheet"), (b"%PDF-1.7", "PDF"), (b"\0\1\2\0\0\0", "not text")],
)
def test_what_is_no_list_is_refused_by_name(content: bytes, word: str) -> None:
    with pytest.raises(UsageError, match=rf"^list\.xlsx: .*{word}"):
        batch(content, "list.xlsx")


def test_a_file_that_is_not_there_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="cannot be read: No such file"):
        read_file(tmp_path / "none.txt")


DATAVERSE = (
    '"Dataset Title","Persistent Link","Author"\n'
    '"Tides, 1953",https://doi.org/10.7910/DVN/ABCDEF,"Adams, A."\n'
    '"Tides,\n1954",https://hdl.handle.net/1902.1/00012,"Brown ""B"" B."\n'
    '"No link",,"Clark, C."\n'
)


def test_the_column_of_persistent_links_is_found_and_named() -> None:
    got = batch(DATAVERSE, "export.csv")

    (finding,) = got.findings
    assert got.kind is Kind.CSV
    assert urls(got) == [
        "https://doi.org/10.7910/DVN/ABCDEF",
        "https://hdl.handle.net/1902.1/00012",
    ]
    assert told(got) == [(5, "No link |  | Clark, C.")]
    assert finding.message == "The datasets were read from the column “Persistent Link”."


def test_the_dataset_s_own_column_is_preferred_to_the_article_s_and_the_licence_s() -> None:
    got = batch(
        "Article DOI;License URL;DOI;URL\n"
        "10.1000/a;https://creativecommons.org/licenses/by/4.0/;10.5281/zenodo.1;\n"
        "10.1000/b;https://creativecommons.org/licenses/by/4.0/;;https://zenodo.org/records/2\n"
        "10.1000/c;https://creativecommons.org/licenses/by/4.0/;;\n",
        "list.csv",
    )

    assert urls(got) == [DOI.format(1), "https://zenodo.org/records/2"]
    assert [line for line, _ in told(got)] == [4]
    assert "“DOI”, where that is empty from “URL”" in got.findings[0].message


def test_a_column_can_be_asked_for_by_name_or_number() -> None:
    table = "DOI\tOther\n10.5281/zenodo.1\t10.5281/zenodo.2\n10.5281/zenodo.3\t-\n"

    by_name = batch(table, "list.tsv", columns=Columns("other"))
    by_number = batch(table, "list.tsv", columns=Columns("2"))

    assert urls(by_name) == urls(by_number) == [DOI.format(2)]
    assert [problem.line for problem in by_name.problems] == [3]


def test_a_column_that_there_is_not_is_answered_with_those_that_there_are() -> None:
    with pytest.raises(UsageError, match=r"named “Handle”\. There are: DOI, Other"):
        batch("DOI\tOther\n10.5281/zenodo.1\t-\n", "list.tsv", columns=Columns("Handle"))


def test_only_tables_have_columns() -> None:
    with pytest.raises(UsageError, match="Only tables have columns"):
        batch("10.5281/zenodo.1\n", columns=Columns("DOI"))


def test_a_table_without_names_gives_its_first_row_too() -> None:
    got = batch("Tides|10.5281/zenodo.1\nEbb|10.5281/zenodo.2\n", "list.csv")

    assert urls(got) == [DOI.format(1), DOI.format(2)]


@pytest.mark.parametrize(
    "header",
    [
        "Titel;Link zum Datensatz;Etiketten",
        "Titre;Adresse;Étiquettes",
        "Título;Enlace;Etiquetas",
        "Nombre;URL;etiquetas",
    ],
)
def test_columns_are_known_by_their_german_french_and_spanish_names(header: str) -> None:
    table = f"{header}\nGezeiten;https://doi.org/10.5072/a;Meer\n"
    head = head_of([Line(at, text) for at, text in enumerate(table.splitlines(), 1)])

    assert (head.title, head.identifier, head.tags) == (0, 1, 2)


def test_bare_handles_are_handles_where_the_column_says_so() -> None:
    got = batch("name,handle\nTides,10023/123\n", "list.csv")

    assert urls(got) == ["https://hdl.handle.net/10023/123"]


def test_a_stray_quotation_mark_costs_no_other_line() -> None:
    rows = [f"Set {number},10.5281/zenodo.{number}" for number in range(1, 400)]
    rows[0] = '"Set 1,10.5281/zenodo.1'

    got = batch("title,doi\n" + "\n".join(rows) + "\n", "list.csv")

    assert urls(got) == [DOI.format(number) for number in range(1, 400)]
    assert got.problems == ()


def test_excel_may_name_its_delimiter_first() -> None:
    got = batch("sep=;\r\ntitle;doi\r\nTides, 1953;10.5281/zenodo.1\r\n", "list.csv")

    assert urls(got) == [DOI.format(1)]


def test_a_table_is_known_by_its_header_where_the_name_says_nothing() -> None:
    table = "title\tidentifier\nTides\t10.5281/zenodo.1\nEbb\t10.5281/zenodo.2\n"

    assert batch(table).kind is Kind.CSV
    assert batch(table, kind=Kind.PLAIN).kind is Kind.PLAIN


def test_a_wrong_row_among_the_first_is_named_too() -> None:
    got = batch("doi\n10.5281/zenodo.1\n" + "x" * (2 * LONGEST_LINE_BYTES) + "\nnone\n", "a.csv")

    assert [problem.line for problem in got.problems] == [3, 4]
