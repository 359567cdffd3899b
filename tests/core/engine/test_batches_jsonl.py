# SPDX-License-Identifier: AGPL-3.0-or-later
"""JSON lines of ingest requests: what sandcrawler writes is read, what is wrong is said."""

import io
import json

import pytest
from jsonschema import Draft202012Validator

from carrel.engine.batches import Batch, Kind, Line, Problem, read, read_request, refused_request
from carrel.model import IngestRequest, Status
from carrel.schemas import schema

REQUEST = {
    "ingest_type": "dataset",
    "base_url": "https://doi.org/10.7910/dvn/6hclpt",
    "link_source": "doi",
    "link_source_id": "10.7910/dvn/6hclpt",
    "ingest_request_source": "fatcat-ingest",
    "release_stage": "published",
    "ext_ids": {"doi": "10.7910/dvn/6hclpt"},
    "fatcat": {"release_ident": "aaaaaaaaaaaaarceaaaaaaaaam", "work_ident": None},
    "edit_extra": {"source": "pilot"},
}


def batch(*lines: str) -> Batch:
    return read(io.BytesIO("\n".join(lines).encode()))


def problem_of(text: str) -> Problem:
    problem = read_request(Line(7, text))
    assert isinstance(problem, Problem)
    return problem


def test_a_request_keeps_every_field_unchanged() -> None:
    got = batch(json.dumps({**REQUEST, "future_field": [1, {"a": None}]}))

    (request,) = got.requests
    assert got.kind is Kind.JSONL
    assert request.to_json() == {**REQUEST, "future_field": [1, {"a": None}]}
    assert request.extra["release_stage"] == "published"


def test_a_null_stands_for_an_absent_field() -> None:
    given = {**REQUEST, "link_source": None, "ext_ids": {"doi": "10.1/x", "pmid": None}}

    request = read_request(Line(1, json.dumps(given)))

    assert isinstance(request, IngestRequest)
    assert (request.link_source, request.ext_ids) == (None, {"doi": "10.1/x"})


def test_bad_lines_are_named_and_the_others_read() -> None:
    got = batch(json.dumps(REQUEST), "", "nonsense", json.dumps({**REQUEST, "base_url": "b"}))

    assert [request.base_url for request in got.requests] == [REQUEST["base_url"], "b"]
    assert [(problem.line, problem.text) for problem in got.problems] == [(3, "nonsense")]


def test_the_same_dataset_in_another_spelling_is_a_repetition() -> None:
    spellings = ["https://doi.org/10.7910/DVN/6HCLPT", "http://dx.doi.org/10.7910%2Fdvn%2F6hclpt"]

    got = batch(json.dumps(REQUEST), *(json.dumps({**REQUEST, "base_url": u}) for u in spellings))

    assert len(got.requests) == 1
    assert [(each.line, each.first_line) for each in got.duplicates] == [(2, 1), (3, 1)]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{", "is not JSON: Expecting property name"),
        ("[1]", "is not a JSON object"),
        ('{"ingest_type": "dataset"}', "base_url: Field required"),
        ('{"base_url": "https://a.example"}', "ingest_type: Field required"),
        ('{"ingest_type": "dataset", "base_url": ""}', "base_url: String should have at least 1"),
        ('{"ingest_type": "dataset", "base_url": 5}', "base_url: Input should be a valid string"),
        (
            '{"ingest_type": "pdf", "base_url": "b"}',
            "ingest_type: Carrel archives “dataset” and “component”",
        ),
        (
            '{"ingest_type": "dataset", "base_url": "b", "ext_ids": {"doi": 1}}',
            "ext_ids.doi: Input should be a valid string",
        ),
        (
            '{"ingest_type": "dataset", "base_url": "b", "force_recrawl": "yes"}',
            "force_recrawl: Input should be a valid boolean",
        ),
        ('{"ingest_type": "dataset", "base_url": "b", "x": NaN}', "is not JSON: NaN is not a JSON"),
        ('{"ingest_type": "dataset", "base_url": "\\ud800"}', "is not JSON"),
        (
            '{"ingest_type": "dataset", "base_url": "b", "x": ' + "[" * 60 + "]" * 60 + "}",
            "is not JSON: it nests deeper than 50 levels",
        ),
        ("[" * 100_000, "is not JSON"),
        ("1" * 10_000, "is not JSON"),
    ],
)
def test_a_fault_is_told_with_its_place(text: str, message: str) -> None:
    problem = problem_of(text)

    assert problem.line == 7
    assert problem.message.startswith(message)


@pytest.mark.parametrize(
    "text",
    ["nonsense", "[1]", '{"ingest_type": "pdf", "base_url": "b", "rel": 5}', '{"base_url": {}}'],
)
def test_a_refused_line_has_a_result_that_says_so(text: str) -> None:
    line = Line(7, text)

    result = refused_request(line, problem_of(text))

    fields = result.to_json()
    assert (result.hit, result.status) == (False, Status.INVALID_REQUEST)
    assert (fields["request"]["line_number"], fields["request"]["line"]) == (7, text)
    assert fields["error_message"].startswith("Line 7: ")
    assert not list(Draft202012Validator(schema("ingest_fileset_result")).iter_errors(fields))


def test_a_refused_request_is_repeated_as_it_came() -> None:
    text = '{"ingest_type": "pdf", "base_url": "https://a.example/", "fatcat": {"x": 1}}'

    fields = refused_request(Line(7, text), problem_of(text)).to_json()

    assert fields["request"] == {**json.loads(text), "line_number": 7, "line": text}


def test_what_the_schema_of_requests_allows_is_read() -> None:
    validator = Draft202012Validator(schema("ingest_request"))

    request = read_request(Line(1, json.dumps(REQUEST)))

    assert not list(validator.iter_errors(REQUEST))
    assert isinstance(request, IngestRequest)
