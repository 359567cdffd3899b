# SPDX-License-Identifier: AGPL-3.0-or-later
"""Which platform is behind a page, and that none can be broken by what it is answered."""

import asyncio
import json
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from carrel.errors import ApiStop, IngestStop
from carrel.model import AskedItem, Finding, Landing, PlatformItem, Status
from carrel.platforms import catalogue
from carrel.platforms.about import About
from carrel.platforms.catalogue import PLATFORMS
from carrel.platforms.registry import candidates, describe
from support.answers import Answers, Silence, landing, lost_landing

MD5 = "0123456789abcdef0123456789abcdef"


def names(of: Landing) -> list[str]:
    return [platform.name for platform, _ in candidates(of)]


def stopped(of: Landing, table: dict[str, Any]) -> IngestStop:
    with pytest.raises(IngestStop) as stop:
        asyncio.run(describe(of, Answers(table)))
    return stop.value


def test_every_platform_is_registered_once_in_the_order_of_evidence() -> None:
    assert [platform.name for platform in PLATFORMS] == [
        "dataverse",
        "cernopendata",
        "b2share",
        "hepdata",
        "inveniordm",
        "figshare",
        "archiveorg",
        "dataone",
        "dryad",
        "edi",
        "gbif",
        "github",
        "huggingface",
        "icpsr",
        "hydroshare",
        "kaggle",
        "mendeley",
        "nakala",
        "openneuro",
        "osf",
        "pangaea",
        "sciencebase",
        "scidb",
        "seanoe",
        "dspace",
        "eprints",
        "ckan",
        "listing",
        "description",
        "schema.org",
        "signposting",
        "doi",
        "file",
    ]


@pytest.mark.parametrize(
    ("url", "name"),
    [
        ("https://dataverse.harvard.edu/citation?persistentId=doi:10.7910/DVN/C0GO0U", "dataverse"),
        ("https://zenodo.org/record/3783238", "inveniordm"),
        ("https://scielo.figshare.com/articles/Energy/9927458/1", "figshare"),
        ("https://kilthub.cmu.edu/articles/Group_Support_/6614933", "figshare"),
        ("https://archive.org/details/CAT_DATASET", "archiveorg"),
    ],
)
def test_an_address_alone_tells_the_platform(url: str, name: str) -> None:
    ((platform, evidence),) = candidates(lost_landing(url))

    assert platform.name == name
    assert evidence


@pytest.mark.parametrize(
    ("url", "words"),
    [
        (
            "https://www.usap-dc.org/view/dataset/601234",
            "a page of the U.S. Antarctic Program Data Center",
        ),
    ],
)
def test_a_platform_that_is_not_supported_yet_is_named(url: str, words: str) -> None:
    stop = stopped(landing(url), {})

    assert stop.status is Status.NO_PLATFORM_MATCH
    assert str(stop) == f"This is {words}, a platform that Carrel does not know yet."


OF_CERN = {"key": "a.txt", "size": 10, "checksum": "adler32:1c1f1ff7", "uri": "root://x//eos/a.txt"}


@pytest.mark.parametrize("name", ["files", "_files", "_file_indices"])
@pytest.mark.parametrize("listing", [404, 500, {}, {"entries": []}])
def test_a_record_of_another_invenio_is_not_said_to_be_empty(name: str, listing: object) -> None:
    url = "http://invenio.example/api/records/1"
    record = {"id": 1, "links": {"self": url}, "metadata": {"title": "Muons", name: [OF_CERN]}}

    stop = stopped(
        landing("http://invenio.example/record/1"), {url: record, f"{url}/files": listing}
    )

    assert stop.status is Status.NO_PLATFORM_MATCH


def test_software_that_is_not_supported_yet_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    known = About(title="Tides", generators={"tides": "a page of Tides"})
    monkeypatch.setattr(catalogue, "RECOGNISED", (known,))
    page = landing("https://x.example/", html='<meta name="Generator" content="Tides 2.9.5">')

    assert "This is a page of Tides, a platform" in str(stopped(page, {}))


@pytest.mark.parametrize(
    "url", ["https://datadryad.org/", "https://www.kaggle.com/ada", "https://not-osf.io/p5rvj"]
)
def test_other_pages_at_such_a_platform_are_not_taken_for_a_dataset(url: str) -> None:
    assert "does not know yet" not in str(stopped(landing(url), {}))


def test_an_unsupported_platform_that_describes_its_page_is_named_beside_what_it_tells() -> None:
    block = {"@type": ["Dataset"], "name": "Ice"}
    of = landing("https://www.usap-dc.org/view/dataset/601234")

    item, _ = asyncio.run(describe(replace(of, json_ld=[block]), Answers({})))

    assert (item.platform_status, item.title) == (Status.EMPTY_MANIFEST, "Ice")
    assert "U.S. Antarctic Program Data Center, a platform" in (item.platform_message or "")


@pytest.mark.parametrize(
    "url",
    [
        "https://example.org/",
        "https://repository.example/handle/20.500.11850/83547",
        "https://cdr.lib.unc.edu/concern/articles/c821gt97r",
    ],
)
def test_an_unknown_page_is_not_guessed_at(url: str) -> None:
    assert names(landing(url)) == []
    assert stopped(landing(url), {}).status is Status.NO_PLATFORM_MATCH


def test_a_mistaken_match_gives_way_to_the_next() -> None:
    of = landing("https://news.example/articles/dataset/Ice/1234567")

    assert names(of) == ["figshare"]
    stop = stopped(of, {"https://api.figshare.com/v2/articles/1234567": 404})
    assert stop.status is Status.NO_PLATFORM_MATCH


def test_a_page_that_could_not_be_read_keeps_its_own_outcome() -> None:
    stop = stopped(lost_landing("https://example.org/"), {})

    assert stop.status is Status.REMOTE_SERVER_ERROR
    assert "HTTP 502" in str(stop)


def test_a_platform_out_of_reach_leaves_the_outcome_of_the_page() -> None:
    silence = ApiStop(Status.PLATFORM_ERROR, "zenodo.org does not answer.")
    api = "https://zenodo.org/api/records/1"
    of = lost_landing("https://zenodo.org/records/1")

    stop = stopped(of, {api: silence, f"{api}/files": silence})

    assert stop.status is Status.REMOTE_SERVER_ERROR


def test_a_platform_that_answers_has_the_last_word() -> None:
    of = lost_landing("https://zenodo.org/records/1")

    stop = stopped(of, {"https://zenodo.org/api/records/1": 404})

    assert stop.status is Status.PLATFORM_404


PID = "doi:10.5072/FK2/A"


@pytest.mark.parametrize("answer", [404, 410, 503, "no record", []])
@pytest.mark.parametrize(
    ("page", "name", "identity"),
    [
        (f"https://dataverse.harvard.edu/dataset.xhtml?persistentId={PID}", "dataverse", PID),
        ("https://dataverse.harvard.edu/file.xhtml?fileId=7", "dataverse", "fileId=7"),
        ("https://zenodo.org/records/1", "zenodo", "1"),
        ("https://data.caltech.edu/records/abcde-12345", "inveniordm", "abcde-12345"),
        ("https://zenodo.org/doi/10.5281/zenodo.7", "zenodo", "7"),
        ("https://figshare.com/articles/dataset/Ice/1234567", "figshare", "1234567"),
        ("https://archive.org/details/ICE", "archiveorg", "ICE"),
        ("https://opendata.cern.ch/record/1", "cernopendata", "1"),
    ],
)
def test_what_was_asked_for_is_known_though_the_platform_gives_none(
    page: str, name: str, identity: str, answer: Any
) -> None:
    of = landing(page)

    with pytest.raises(IngestStop) as stop:
        asyncio.run(describe(of, Always(answer)))

    assert stop.value.asked == AskedItem(name, of.domain, identity)


class Always(Answers):
    """An `Api` that has one answer to everything."""

    def __init__(self, answer: Any) -> None:
        super().__init__({})
        self._same = answer

    def _answer(self, url: str) -> Any:
        self.table[url] = self._same
        return super()._answer(url)


def test_what_was_asked_for_is_known_though_nobody_answers() -> None:
    with pytest.raises(IngestStop) as stop:
        asyncio.run(describe(lost_landing("https://zenodo.org/records/1"), Silence()))

    assert stop.value.status is Status.REMOTE_SERVER_ERROR
    assert stop.value.asked == AskedItem("zenodo", "zenodo.org", "1")


def test_a_page_of_a_platform_that_is_no_datasets_names_the_platform_alone() -> None:
    stop = stopped(landing("https://archive.org/about/"), {})

    assert stop.status is Status.PLATFORM_SCOPE
    assert stop.asked == AskedItem("archiveorg", "archive.org", "")


VERSION = {
    "datasetPersistentId": "doi:10.5072/FK2/A",
    "versionNumber": 1,
    "versionState": "RELEASED",
    "license": {"name": "CC0"},
    "metadataBlocks": {
        "citation": {
            "fields": [
                {"typeName": "title", "value": "Ice"},
                {"typeName": "author", "value": [{"authorName": {"value": "Ada"}}]},
            ]
        }
    },
    "files": [
        {
            "label": "t.tab",
            "directoryLabel": "d",
            "restricted": False,
            "dataFile": {
                "id": 1,
                "filesize": 2,
                "originalFileName": "t.csv",
                "originalFileFormat": "text/csv",
                "embargo": {"dateAvailable": "2020-01-01"},
                "checksum": {"type": "MD5", "value": MD5},
            },
        }
    ],
}
WELL_FORMED: dict[str, tuple[str, Any]] = {
    "https://d.example/dataset.xhtml?persistentId=doi:10.5072/FK2/A": (
        "https://d.example/api/datasets/:persistentId/?persistentId=doi:10.5072/FK2/A",
        {"status": "OK", "data": {"id": 1, "latestVersion": VERSION}},
    ),
    "https://zenodo.org/records/100": (
        "https://zenodo.org/api/records/100",
        {
            "id": 101,
            "conceptrecid": "100",
            "doi": "10.5281/zenodo.101",
            "metadata": {
                "title": "Ice",
                "access_right": "open",
                "license": {"id": "cc0"},
                "rights": [{"title": {"en": "CC0"}}],
                "creators": [{"name": "Ada"}],
                "relations": {"version": [{"index": 0, "is_last": False}]},
            },
            "access": {"files": "public", "embargo": {"active": False}},
            "parent": {"id": "100", "pids": {"doi": {"identifier": "10.5281/zenodo.100"}}},
            "links": {"archive": "https://zenodo.org/x"},
            "files": {
                "enabled": True,
                "count": 1,
                "entries": {"a": {"size": 1, "checksum": f"md5:{MD5}", "links": {"self": "/a"}}},
            },
        },
    ),
    "https://figshare.com/articles/dataset/Ice/1234567": (
        "https://api.figshare.com/v2/articles/1234567",
        {
            "id": 1234567,
            "version": 1,
            "size": 3,
            "files": [{"id": 1, "name": "a", "size": 3, "computed_md5": MD5}],
            "folder_structure": {"1": "d"},
            "authors": [{"full_name": "Ada"}],
            "license": {"name": "CC0", "url": "https://cc0.example"},
            "is_embargoed": False,
            "url_public_html": "https://figshare.com/articles/dataset/Ice/1234567",
        },
    ),
    "https://archive.org/details/ICE": (
        "https://archive.org/metadata/ICE",
        {
            "metadata": {"title": "Ice", "creator": ["Ada"], "description": "<b>x</b>"},
            "files": [{"name": "a", "source": "original", "size": "1", "md5": MD5}],
            "files_count": 1,
        },
    ),
    "https://opendata.cern.ch/record/1": (
        "https://opendata.cern.ch/api/records/1",
        {
            "id": "1",
            "metadata": {
                "title": "Ice",
                "authors": [{"name": "Ada"}],
                "license": {"attribution": "CC0"},
                "distribution": {"number_files": 1},
                "relations": [{"type": "isParentOf", "recid": "2"}],
                "_files": [{"key": "a", "uri": "https://x.example/a"}],
                "_file_indices": [
                    {"key": "i", "number_files": 1, "files": [{"uri": "https://x.example/a"}]}
                ],
            },
        },
    ),
}
ODD = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.floats(allow_nan=False),
    st.text(max_size=8),
    st.sampled_from(["", "\ud800", "../..", "http://[::1", "1e400", "\x00", 2**70, [[]], {"": {}}]),
    st.lists(st.none() | st.integers(), max_size=2),
    st.dictionaries(st.text(max_size=3), st.integers(), max_size=2),
)


def places(value: Any, at: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    inner: list[tuple[Any, Any]] = list(value.items()) if isinstance(value, dict) else []
    inner = list(enumerate(value)) if isinstance(value, list) else inner
    return [at, *(place for key, one in inner for place in places(one, (*at, key)))]


def changed(value: Any, at: tuple[Any, ...], to: Any) -> Any:
    if not at:
        return to
    copy = json.loads(json.dumps(value))
    target = copy
    for key in at[:-1]:
        target = target[key]
    target[at[-1]] = to
    return copy


@pytest.mark.parametrize("page", WELL_FORMED)
def test_a_well_formed_answer_is_described(page: str) -> None:
    url, answer = WELL_FORMED[page]

    item, _ = asyncio.run(describe(landing(page), Answers({url: answer})))

    assert len(item.manifest) == 1


@pytest.mark.parametrize("page", WELL_FORMED)
@settings(max_examples=150, suppress_health_check=[HealthCheck.too_slow], deadline=None)
@given(data=st.data())
def test_no_answer_is_too_hostile(page: str, data: st.DataObject) -> None:
    url, answer = WELL_FORMED[page]
    place = data.draw(st.sampled_from(places(answer)))
    hostile = changed(answer, place, data.draw(ODD))

    outcome = outcome_of(landing(page), Answers({url: hostile}))

    assert isinstance(outcome, PlatformItem | IngestStop)
    assert "\0" not in written(outcome)


def written(outcome: PlatformItem | IngestStop) -> str:
    """Return all that a face or the ledger may get to write, as it comes back from UTF-8."""
    if isinstance(outcome, IngestStop):
        return str(outcome).encode().decode()
    files = [text for file in outcome.manifest for text in map(str, file.to_json().values())]
    texts = [outcome.title, outcome.platform_id, outcome.platform_message, *outcome.creators]
    texts += [finding.message for finding in outcome.findings]
    return "\n".join(map(str, [*texts, *files])).encode().decode()


def outcome_of(of: Landing, answers: Answers) -> PlatformItem | IngestStop:
    try:
        return asyncio.run(describe(of, answers))[0]
    except IngestStop as stop:
        return stop


NODES = st.recursive(
    ODD,
    lambda inner: st.dictionaries(
        st.sampled_from(
            [
                "@type",
                "@id",
                "@list",
                "@set",
                "encoding",
                "distribution",
                "contentUrl",
                "url",
                "name",
                "identifier",
                "license",
                "creator",
                "contentSize",
                "sha256",
                "encodingFormat",
                "hasPart",
                "value",
            ]
        ),
        inner | st.lists(inner, max_size=2),
        max_size=4,
    ),
    max_leaves=12,
)


@settings(max_examples=200, suppress_health_check=[HealthCheck.too_slow], deadline=None)
@given(st.lists(NODES, max_size=3))
def test_no_json_ld_is_too_hostile(nodes: list[Any]) -> None:
    block = {"@type": ["Dataset"], "distribution": nodes, "creator": nodes, "identifier": nodes}
    of = Landing("https://a.example/", ("https://a.example/",), 200, json_ld=[block])

    assert isinstance(outcome_of(of, Answers({})), PlatformItem | IngestStop)


def test_what_is_odd_about_an_answer_is_told_with_the_item() -> None:
    class Repeating(Answers):
        async def json(self, url: str) -> Any:
            self.findings.append(Finding("repeated-fields", url))
            return await super().json(url)

    url = "https://zenodo.org/api/records/101"
    record = {"id": 101, "metadata": {}, "files": [{"key": "a", "checksum": "md5:" + "ab" * 16}]}

    item, _ = asyncio.run(
        describe(landing("https://zenodo.org/records/101"), Repeating({url: record}))
    )

    assert [(one.code, one.message) for one in item.findings] == [("repeated-fields", url)]
