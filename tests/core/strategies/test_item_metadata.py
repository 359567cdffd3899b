# SPDX-License-Identifier: AGPL-3.0-or-later
"""The item as it is planned: its name, what it says of itself, which files can stand in it."""

from typing import Any

import pytest

from carrel.errors import IngestStop
from carrel.model import Fixity, IngestOptions, ManifestFile, PlatformItem, Status
from carrel.platforms.items import identifier, item_name
from carrel.settings import ArchiveOrg
from carrel.strategies.item_listing import Listing, Standing
from carrel.strategies.item_metadata import planned_item, unsafe_paths

SETTINGS = ArchiveOrg()


def dataset(**fields: Any) -> PlatformItem:
    known = {
        "platform_name": "dataverse",
        "platform_domain": "data.example",
        "platform_id": "doi:10.5072/FK2/ABC",
        "platform_version": "2.1",
    }
    return PlatformItem(**{**known, **fields})


def metadata(**fields: Any) -> dict[str, tuple[str, ...]]:
    return dict(planned_item(dataset(**fields), SETTINGS).metadata)


def test_the_name_is_the_platforms() -> None:
    plan = planned_item(dataset(archiveorg_item_name="data.example-ABC-v2.1"), SETTINGS)

    assert plan.name == "data.example-ABC-v2.1"
    assert plan.url == "https://archive.org/details/data.example-ABC-v2.1"


def test_a_dataset_that_has_no_name_gets_one() -> None:
    assert planned_item(dataset(), SETTINGS).name == "data.example-doi-10.5072-FK2-ABC-v2.1"


def test_the_person_may_name_the_item() -> None:
    assert planned_item(dataset(), SETTINGS, IngestOptions(item_name="Our_1")).name == "Our_1"


@pytest.mark.parametrize("name", ["", "ab", ".hidden", "a b", "a/b", "é" * 5, "a" * 101, "abc\n"])
def test_a_name_that_can_be_none_is_refused_and_not_bent(name: str) -> None:
    with pytest.raises(IngestStop, match="is not a valid item name") as stop:
        planned_item(dataset(), SETTINGS, IngestOptions(item_name=name))

    assert stop.value.status is Status.INVALID_REQUEST


def test_long_names_are_shortened_and_stay_apart() -> None:
    one, other = (item_name("data.example", "x" * 200 + end) for end in ("1", "2"))

    assert (len(one), len(other)) == (100, 100)
    assert one != other


@pytest.mark.parametrize("text", ["", "-", "ü", "日本", "a"])
def test_a_text_without_letters_for_a_name_becomes_a_digest(text: str) -> None:
    assert len(identifier(text)) >= 10


def test_a_test_has_a_name_and_a_collection_of_its_own() -> None:
    plan = planned_item(dataset(archiveorg_item_name="abc"), ArchiveOrg(test=True))

    assert (plan.name, plan.metadata["collection"]) == ("abc-test", ("test_collection",))


def test_the_collection_is_that_of_the_settings_and_not_the_platforms() -> None:
    said = metadata(archiveorg_item_meta={"collection": "datasets", "mediatype": "texts"})

    assert (said["collection"], said["mediatype"]) == (("opensource",), ("data",))


def test_what_the_platform_says_of_the_item_comes_before_what_is_known_else() -> None:
    said = metadata(title="One", archiveorg_item_meta={"title": "Other", "source": "https://d.e/1"})

    assert (said["title"], said["source"]) == (("Other",), ("https://d.e/1",))


@pytest.mark.parametrize(
    ("text", "field", "value"),
    [
        ("https://example.org/terms", "licenseurl", "https://example.org/terms"),
        ("CC-BY-NC-SA-4.0", "licenseurl", "https://creativecommons.org/licenses/by-nc-sa/4.0/"),
        ("CC BY 4.0", "licenseurl", "https://creativecommons.org/licenses/by/4.0/"),
        ("cc-zero", "licenseurl", "https://creativecommons.org/publicdomain/zero/1.0/"),
        ("CC0 1.0", "licenseurl", "https://creativecommons.org/publicdomain/zero/1.0/"),
        ("Ask the author.", "rights", "Ask the author."),
    ],
)
def test_a_licence_is_an_address_where_there_is_one(text: str, field: str, value: str) -> None:
    assert metadata(license=text)[field] == (value,)


@pytest.mark.parametrize(
    ("published", "date"),
    [
        ("2026-03-01T10:00:00Z", ("2026-03-01",)),
        ("2026", ("2026",)),
        ("spring", None),
        ("2020-02-30", None),
    ],
)
def test_a_date_is_one_that_archive_org_takes(published: str, date: tuple[str, ...] | None) -> None:
    assert metadata(published=published).get("date") == date


def test_nothing_of_a_value_can_leave_its_header() -> None:
    said = metadata(
        title="One\r\nx-archive-meta-collection: theirs\x00\u202e", creators=("\ud800",)
    )

    assert said["title"] == ("One x-archive-meta-collection: theirs",)
    assert said["creator"] == ("?",)


def test_fields_that_are_none_are_left_out() -> None:
    said = metadata(archiveorg_item_meta={"x y": "1", "identifier": "theirs", "a": None, "b": {}})

    assert not {"x y", "identifier", "a", "b"} & said.keys()


def test_what_is_too_much_for_headers_is_shortened() -> None:
    said = metadata(title="波" * 5000, creators=[f"Author {n}" for n in range(500)])

    assert said["title"][0].endswith("波…")
    assert len(said["title"][0]) < 700
    assert said["creator"][-1] == "and 460 others"


def test_the_plan_names_every_file_and_what_keeps_it_from_the_item() -> None:
    files = (
        ManifestFile("a/b.csv", declared=Fixity(5)),
        ManifestFile("../up"),
        ManifestFile("shut", status=Status.PLATFORM_RESTRICTED, message="Closed until May."),
    )

    plan = planned_item(dataset(archiveorg_item_name="abc", manifest=files), SETTINGS).to_json()

    good, unsafe, shut = plan["files"]
    assert good == {"path": "a/b.csv", "size": 5}
    assert "“../up” leads out of its folder" in unsafe["refusal"]
    assert shut["refusal"] == "Closed until May."
    assert plan["metadata"]["mediatype"] == "data"


@pytest.mark.parametrize(
    "paths",
    [
        ["a", "a"],
        ["a/b", "a"],
        ["abc_files.xml"],
        ["__ia_thumb.jpg"],
        ["history/files/a.~1~"],
        ["C:\\x"],
        ["C:/x"],
        ["a\u2028b"],
        ["\ud800"],
        ["x" * 256],
        ["/".join(["x" * 200] * 6)],
        [""],
        ["a/"],
    ],
)
def test_of_paths_that_can_not_stand_together_one_is_refused(paths: list[str]) -> None:
    assert len(unsafe_paths("abc", paths)) == 1


def test_two_paths_that_differ_by_case_alone_are_two() -> None:
    assert unsafe_paths("abc", ["A.txt", "a.txt", "names", "sub/name", "ABC_meta.xml"]) == {}


@pytest.mark.parametrize(
    ("listed", "standing"),
    [
        (Fixity(3, {"md5": "aa", "sha1": "bb"}), Standing.SAME),
        (Fixity(None, {"md5": "aa"}), Standing.SAME),
        (Fixity(4, {"md5": "aa"}), Standing.OTHER),
        (Fixity(3, {"md5": "aa", "sha1": "cc"}), Standing.OTHER),
        (Fixity(3), Standing.UNPROVEN),
    ],
)
def test_a_file_is_the_same_only_if_a_digest_says_so(listed: Fixity, standing: Standing) -> None:
    listing = Listing(exists=True, files={"a": listed})

    assert listing.standing("a", Fixity(3, {"md5": "aa", "sha1": "bb"})) is standing
    assert listing.standing("b", Fixity(3)) is Standing.ABSENT


@pytest.mark.parametrize(
    ("dois", "sources", "is_ours"),
    [
        (("https://doi.org/10.5072/FK2/abc",), ("https://moved.example/",), True),
        (("doi:10.5072/other",), ("https://data.example/1",), False),
        ((), ("http://www.data.example/1/",), True),
        ((), ("https://data.example/2",), False),
        ((), ("http://[",), False),
        ((), (), False),
    ],
)
def test_an_item_is_ours_by_its_doi_or_its_source(
    dois: tuple[str, ...], sources: tuple[str, ...], is_ours: bool
) -> None:
    plan = planned_item(
        dataset(doi="10.5072/FK2/ABC", archiveorg_item_meta={"source": "https://data.example/1"}),
        SETTINGS,
    )
    listing = Listing(exists=True, dois=dois, sources=sources)

    assert (listing.stranger(plan, is_chosen=False) is None) is is_ours
