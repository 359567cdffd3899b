# SPDX-License-Identifier: AGPL-3.0-or-later
"""Figshare, its portals and Djehuty: addresses, versions, files and restrictions."""

import asyncio
from dataclasses import replace
from typing import Any

import pytest

from carrel.errors import IngestStop, NotThisPlatform
from carrel.model import Landing, PlatformItem, Status
from carrel.platforms.figshare import Figshare
from support.answers import Answers, Silence, landing, lost_landing

API = "https://api.figshare.com/v2/articles/1234567"
PAGE = "https://figshare.com/articles/dataset/Ice/1234567"
MD5 = "0123456789abcdef0123456789abcdef"


def file(number: int = 1, name: str = "a.csv", **changes: Any) -> dict[str, Any]:
    return {
        "id": number,
        "name": name,
        "size": 10,
        "is_link_only": False,
        "download_url": f"https://ndownloader.figshare.com/files/{number}",
        "supplied_md5": "",
        "computed_md5": MD5,
        "mimetype": "text/csv",
        **changes,
    }


def article(*files: dict[str, Any], **changes: Any) -> dict[str, Any]:
    return {
        "id": 1234567,
        "title": "Ice",
        "doi": "10.6084/m9.figshare.1234567.v3",
        "version": 3,
        "published_date": "2024-05-06T00:00:00Z",
        "files": list(files or [file()]),
        "authors": [{"full_name": "Ada Ice"}],
        "license": None,
        "is_public": True,
        "is_embargoed": False,
        "url_public_html": PAGE,
        **changes,
    }


def describe(page: Landing, answers: Answers) -> PlatformItem:
    platform = Figshare()
    assert platform.match(page)
    return asyncio.run(platform.describe(page, answers))


def stopped(page: Landing, answers: Answers) -> IngestStop:
    with pytest.raises(IngestStop) as stop:
        describe(page, answers)
    return stop.value


def codes(item: PlatformItem) -> list[str]:
    return [finding.code for finding in item.findings]


@pytest.mark.parametrize(
    "page",
    [
        PAGE,
        f"{PAGE}/",
        "https://www.figshare.com/articles/Ice/1234567",
        "https://figshare.com/articles/1234567",
        "https://figshare.com/articles/software/Ice/1234567",
        "https://figshare.com/articles/dataset/2019/1234567",
        "https://figshare.com/articles/unheard_of_type/Ice/1234567",
        "https://figshare.com/articles/dataset/versions/1234567",
        "https://widgets.figshare.com/articles/1234567/embed?show_title=1",
        "https://api.figshare.com/v2/articles/1234567",
    ],
)
def test_an_item_without_version_is_its_current_one(page: str) -> None:
    answers = Answers({API: article()})

    item = describe(landing(page), answers)

    assert answers.asked == [API]
    assert (item.platform_name, item.platform_domain) == ("figshare", "figshare.com")
    assert (item.platform_id, item.platform_version) == ("1234567", "3")
    assert (item.asked_version, item.license) == (None, None)
    assert item.web_bundle_url == "https://ndownloader.figshare.com/articles/1234567/versions/3"
    assert codes(item) == ["current-version"]
    (entry,) = item.manifest
    assert (entry.path, entry.size, entry.digest("md5")) == ("a.csv", 10, MD5)


@pytest.mark.parametrize(
    "page",
    [
        f"{PAGE}/3",
        "https://figshare.com/articles/Ice/1234567/3/",
        "https://figshare.com/articles/dataset/2019/1234567/3",
        "https://figshare.com/articles/1234567/3",
        "https://figshare.com/articles/dataset/Ice/1234567/versions/3",
        "https://figshare.com/articles/dataset/Ice/1234567/3/metrics",
        "https://figshare.com/ndownloader/articles/1234567/versions/3",
        "https://ndownloader.figshare.com/articles/1234567/versions/3",
        "https://api.figshare.com/v2/articles/1234567/versions/3",
    ],
)
def test_a_version_is_asked_for(page: str) -> None:
    answers = Answers({f"{API}/versions/3": article()})

    item = describe(landing(page), answers)

    assert (item.asked_version, item.platform_version, codes(item)) == ("3", "3", [])


def test_a_doi_names_the_version_that_its_page_does_not() -> None:
    page = landing("https://doi.org/10.6084/m9.figshare.1234567.v2", PAGE)

    item = describe(page, Answers({f"{API}/versions/2": article(version=2)}))

    assert (item.asked_version, item.platform_version) == ("2", "2")


@pytest.mark.parametrize(
    "hops",
    [
        ("https://doi.org/10.6084/m9.figshare.1234567.v2", f"{PAGE}/3"),
        (f"{PAGE}/2", PAGE),
        (f"{PAGE}/2", f"{PAGE}/3"),
    ],
)
def test_a_redirect_does_not_change_the_version_that_was_asked_for(hops: tuple[str, ...]) -> None:
    table = {f"{API}/versions/2": article(version=2), f"{API}/versions/3": article()}

    item = describe(landing(*hops), Answers({**table, API: article()}))

    assert (item.asked_version, item.platform_version) == ("2", "2")


@pytest.mark.parametrize(
    "hops",
    [
        (f"{PAGE}?file=9",),
        (f"{PAGE}?file=9", PAGE),
        (f"{PAGE}/files/9",),
        ("https://api.figshare.com/v2/articles/1234567/files/9",),
    ],
)
def test_one_file_leads_to_its_item(hops: tuple[str, ...]) -> None:
    item = describe(landing(*hops), Answers({API: article()}))

    assert codes(item) == ["current-version", "file-of-dataset"]
    assert "the file 9; the whole item 1234567" in item.findings[1].message


def test_a_file_behind_a_version_is_neither_the_item_nor_the_version() -> None:
    answers = Answers({f"{API}/versions/3": article()})

    item = describe(landing(f"{PAGE}/3/files/37511767"), answers)

    assert (item.platform_id, item.platform_version) == ("1234567", "3")
    assert "the file 37511767" in item.findings[0].message


def test_a_portal_is_the_domain_of_its_items() -> None:
    page = "https://springernature.figshare.com/articles/dataset/Ice/1234567"

    assert describe(landing(page), Answers({API: article()})).platform_domain == (
        "springernature.figshare.com"
    )


def test_the_current_version_stands_in_only_if_it_is_the_asked_one() -> None:
    answers = Answers({API: article()})

    assert describe(landing(f"{PAGE}/3"), answers).platform_version == "3"
    assert stopped(landing(f"{PAGE}/2"), answers).status is Status.PLATFORM_HTTP_ERROR


def test_an_institutional_portal_is_recognised_by_the_answer() -> None:
    page = "https://data.uni.example/articles/dataset/Ice/1234567"
    answers = Answers({API: article(url_public_html=page)})

    assert describe(landing(page), answers).platform_domain == "data.uni.example"


def test_an_institutional_portal_is_recognised_by_its_doi() -> None:
    page = landing(
        "https://doi.org/10.6084/m9.figshare.1234567",
        "https://data.uni.example/articles/dataset/Ice/1234567",
    )

    assert describe(page, Answers({API: article()})).platform_id == "1234567"


@pytest.mark.parametrize("answer", [404, article()])
def test_another_site_with_articles_is_not_taken_for_figshare(answer: Any) -> None:
    page = landing("https://news.example/articles/dataset/Ice/1234567")

    with pytest.raises(NotThisPlatform):
        describe(page, Answers({API: answer}))


@pytest.mark.parametrize(
    "page",
    ["https://figshare.com.evil.example/x", "https://notfigshare.com/", "https://news.example/articles/ice",
     "https://news.example/articles/1234567/ice"],
)  # fmt: skip
def test_look_alikes_do_not_match(page: str) -> None:
    assert Figshare().match(landing(page)) is None


def test_a_doi_that_does_not_resolve_names_the_item() -> None:
    answers = Answers({f"{API}/versions/2": article(version=2)})

    item = describe(lost_landing("https://doi.org/10.6084/m9.figshare.1234567.v2"), answers)

    assert (item.platform_id, item.platform_version) == ("1234567", "2")


def test_names_that_are_not_unique_get_the_id_as_a_folder() -> None:
    answers = Answers({API: article(file(1), file(2, "b"), file(3), file(4))})

    item = describe(landing(PAGE), answers)

    assert [entry.path for entry in item.manifest] == ["a.csv", "b", "3/a.csv", "4/a.csv"]
    assert item.manifest[2].extra["original_path"] == "a.csv"
    (told,) = [each.message for each in item.findings if each.code == "duplicate-names"]
    assert told.endswith(
        "each but the first is in a folder of its own, which the platform does not have: 3/a.csv, "
        "4/a.csv."
    )


def test_folders_are_respected() -> None:
    answers = Answers(
        {API: article(file(1), file(2), folder_structure={"1": "raw/x", "2": "y/a.csv", "9": 7})}
    )

    item = describe(landing(PAGE), answers)

    assert [entry.path for entry in item.manifest] == ["raw/x/a.csv", "y/a.csv"]


def test_a_supplied_checksum_stands_in_for_one_not_yet_computed() -> None:
    answers = Answers({API: article(file(computed_md5="", supplied_md5=MD5.upper()))})

    assert describe(landing(PAGE), answers).manifest[0].digest("md5") == MD5


def test_empty_checksums_are_unknown() -> None:
    item = describe(landing(PAGE), Answers({API: article(file(computed_md5=""))}))

    assert item.manifest[0].declared.digests == {}
    assert "checksum-unreadable" not in codes(item)


def test_a_supplied_checksum_that_is_none_is_told_of() -> None:
    odd = file(computed_md5="", supplied_md5="see the paper")

    assert "checksum-unreadable" in codes(describe(landing(PAGE), Answers({API: article(odd)})))


def test_a_linked_file_without_an_address_leads_to_another_site() -> None:
    link = file(is_link_only=True, id=None, uuid="a", download_url=None)

    (entry,) = describe(landing(PAGE), Answers({API: article(link)})).manifest

    assert entry.message == "Figshare has only a link to another site."


def test_a_doi_in_the_place_of_a_file_is_a_linked_file() -> None:
    doi = file(size=0, computed_md5="", download_url="https://doi.org/10.5061/dryad.1")

    (entry,) = describe(landing(PAGE), Answers({API: article(doi, size=0)})).manifest

    assert (entry.status, entry.size) == (Status.LINK_ONLY, None)
    assert "10.5061/dryad.1" in (entry.message or "")


def test_a_linked_file_names_its_target() -> None:
    link = file(1, is_link_only=True, download_url="https://a.example/x", size=0, computed_md5="")

    item = describe(landing(PAGE), Answers({API: article(link, file(2, "b"))}))

    entry = item.manifest[0]
    assert (entry.status, entry.declared.size) == (Status.LINK_ONLY, None)
    assert "https://a.example/x" in (entry.message or "")
    assert "linked-files" in codes(item)


def test_a_list_that_was_cut_is_completed() -> None:
    page = f"{API}/files?page=1&page_size=1000"
    files = [file(number, f"{number}.csv") for number in range(12)]
    answers = Answers({API: article(*files[:10], size=120), page: files})

    item = describe(landing(PAGE), answers)

    assert len(item.manifest) == 12
    assert "incomplete-listing" not in codes(item)


MANY = [file(number, f"{number}.csv") for number in range(1, 36)]
ALL = "files?page=1&page_size=1000"


@pytest.mark.parametrize(
    ("page", "table"),
    [
        (f"{PAGE}/3", {f"{API}/versions/3/{ALL}": MANY}),
        (f"{PAGE}/3", {API: article(), f"{API}/{ALL}": MANY}),
        (f"{PAGE}/3", {API: article(), f"{API}/versions/3/{ALL}": 404, f"{API}/{ALL}": MANY}),
        (PAGE, {f"{API}/{ALL}": MANY}),
        (PAGE, {f"{API}/versions/3/{ALL}": MANY}),
        (PAGE, {f"{API}/{ALL}": MANY[:20], f"{API}/{ALL}".replace("=1&", "=2&"): MANY[20:]}),
    ],
)
def test_ten_of_many_files_are_completed_from_whichever_pages_answer(
    page: str, table: dict[str, Any]
) -> None:
    ten = article(*MANY[:10], size=350)

    item = describe(landing(page), Answers({f"{API}/versions/3": ten, API: ten} | table))

    assert [entry.path for entry in item.manifest] == [f"{number}.csv" for number in range(1, 36)]
    assert (item.shortfall, "incomplete-listing" in codes(item)) == (None, False)


def test_another_versions_pages_do_not_stand_in() -> None:
    table = {
        f"{API}/versions/2": article(*MANY[:10], size=350, version=2),
        API: article(version=3),
        f"{API}/{ALL}": MANY,
    }

    item = describe(landing(f"{PAGE}/2"), Answers(table))

    assert (len(item.manifest), item.shortfall is None) == (10, False)


@pytest.mark.parametrize("page", [502, {"odd": 1}])
def test_a_list_that_stays_cut_is_a_shortfall(page: Any) -> None:
    item = describe(landing(PAGE), Answers({API: article(size=120), f"{API}/{ALL}": page}))

    assert "incomplete-listing" in codes(item)
    assert (item.shortfall or "").startswith("The item has 120 bytes, but the 1 file")
    assert (len(item.manifest), item.platform_status) == (1, Status.SUCCESS)


def test_pages_that_came_before_one_that_failed_are_kept() -> None:
    table = {API: article(*MANY[:10], size=350), f"{API}/{ALL}": MANY[:20]}

    item = describe(landing(PAGE), Answers(table))

    assert (len(item.manifest), item.shortfall is None) == (20, False)


def test_a_page_that_failed_at_one_address_is_asked_for_at_the_other() -> None:
    far = {"size": 0, "is_link_only": True, "download_url": "https://far.example/x"}
    links = [file(number, f"{number}.nc", **far) for number in range(1, 1003)]
    table = {
        API: article(*links[:10], size=0),
        f"{API}/{ALL}": links[:1000],
        f"{API}/versions/3/{ALL}": links[:1000],
    }
    second = {f"{API}/versions/3/files?page=2&page_size=1000": links[1000:]}

    cut = describe(landing(PAGE), Answers(table))
    whole = describe(landing(PAGE), Answers(table | second))

    assert (len(cut.manifest), "incomplete-listing" in codes(cut)) == (1000, True)
    assert (len(whole.manifest), "incomplete-listing" in codes(whole)) == (1002, False)


def test_files_of_unknown_size_prove_no_shortfall() -> None:
    item = describe(landing(PAGE), Answers({API: article(file(size=None), size=120)}))

    assert (item.shortfall, "incomplete-listing" in codes(item)) == (None, True)


def test_ten_files_of_an_item_of_unknown_size_may_not_be_all() -> None:
    item = describe(landing(PAGE), Answers({API: article(*MANY[:10])}))

    assert (item.shortfall, "incomplete-listing" in codes(item)) == (None, True)


def test_links_behind_the_first_ten_files_are_not_lost() -> None:
    link = file(11, "far.nc", size=0, is_link_only=True, download_url="https://far.example/x")
    ten = [file(n, f"{n}.csv") for n in range(1, 11)]
    answers = Answers({API: article(*ten, size=100), f"{API}/files?page=1&page_size=1000": [link]})

    item = describe(landing(PAGE), answers)

    assert [entry.path for entry in item.manifest][9:] == ["10.csv", "far.nc"]
    assert "linked-files" in codes(item)


def test_an_item_that_is_not_there_is_named_before_the_interface() -> None:
    stop = stopped(landing(f"{PAGE}/3"), Answers({f"{API}/versions/3": 404}))

    assert str(stop) == (
        "Version 3 of the item 1234567 at figshare.com does not exist, or no longer: "
        f"{API}/versions/3 answered with HTTP 404."
    )


@pytest.mark.parametrize(
    ("answer", "status", "words"),
    [
        (article(is_public=False), Status.PLATFORM_RESTRICTED, "not public"),
        (article(is_confidential=True, confidential_reason="Patients."),
         Status.PLATFORM_RESTRICTED, "confidential: Patients"),
        (article(is_embargoed=True, embargo_type="article", embargo_date="2030-01-02"),
         Status.PLATFORM_RESTRICTED, "until 2030-01-02"),
        (article(is_embargoed=True, embargo_type="file"),
         Status.PLATFORM_RESTRICTED, "embargo, with no date"),
        (article(download_disabled=True), Status.PLATFORM_RESTRICTED, "downloads off"),
        (article() | {"files": [], "is_embargoed": True, "embargo_type": "file"},
         Status.PLATFORM_RESTRICTED, "embargo"),
        (article() | {"files": [], "is_metadata_record": True, "metadata_reason": "On tape"},
         Status.EMPTY_MANIFEST, "metadata only: On tape"),
        (article() | {"files": []}, Status.EMPTY_MANIFEST, "no files"),
        (article() | {"files": None, "size": 9}, Status.EMPTY_MANIFEST, "no public files"),
    ],
)  # fmt: skip
def test_an_item_of_which_nothing_can_be_had_is_named(
    answer: Any, status: Status, words: str
) -> None:
    item = describe(landing(PAGE), Answers({API: answer}))

    assert item.platform_status is status
    assert words in (item.platform_message or "")
    assert ".." not in (item.platform_message or "")
    assert (item.platform_id, item.platform_version) == ("1234567", "3")
    assert (item.title, item.creators) == ("Ice", ("Ada Ice",))
    assert len(item.manifest) == len(answer["files"] or ())
    assert all(entry.status is status for entry in item.manifest)


def test_of_what_is_closed_djehuty_tells_nothing_else() -> None:
    told = {"embargo_type": "article", "embargo_date": "2039-06-30", "embargo_reason": "Whales"}

    item = describe(landing(PAGE), Answers({API: told}))

    assert item.platform_status is Status.PLATFORM_RESTRICTED
    assert "until 2039-06-30: Whales" in (item.platform_message or "")


@pytest.mark.parametrize(
    ("answer", "status"), [(404, Status.PLATFORM_404), ("text", Status.PLATFORM_ERROR)]
)
def test_an_item_that_is_not_known_ends_in_a_named_outcome(answer: Any, status: Status) -> None:
    assert stopped(landing(PAGE), Answers({API: answer})).status is status


def test_a_refused_item_is_named() -> None:
    item = describe(landing(f"{PAGE}/3"), Answers({f"{API}/versions/3": 403}))

    assert (item.platform_status, item.platform_id) == (Status.PLATFORM_RESTRICTED, "1234567")
    assert (item.asked_version, item.findings) == ("3", ())


@pytest.mark.parametrize("page", [PAGE, f"{PAGE}/3"])
def test_a_silent_figshare_is_asked_once(page: str) -> None:
    answers = Silence()

    assert stopped(landing(page), answers).status is Status.PLATFORM_ERROR
    assert len(answers.asked) == 1


def test_a_linked_file_under_embargo_stays_a_linked_file() -> None:
    link = file(1, is_link_only=True, download_url="https://a.example/x")

    item = describe(landing(PAGE), Answers({API: article(link, is_embargoed=True)}))

    assert item.manifest[0].status is Status.LINK_ONLY


def test_a_private_link_is_explained() -> None:
    stop = stopped(landing("https://figshare.com/s/0123456789abcdef"), Answers({}))

    assert (stop.status, "private link" in str(stop)) == (Status.PLATFORM_RESTRICTED, True)


def test_a_private_link_whose_page_tells_the_item_names_it() -> None:
    biblio = {"title": "Ice", "doi": "10.6084/m9.figshare.1234567"}
    page = replace(landing("https://figshare.com/s/0123456789abcdef"), html_biblio=biblio)

    item = describe(page, Answers({}))

    assert (item.platform_status, item.platform_id) == (Status.PLATFORM_RESTRICTED, "1234567")
    assert (item.title, item.doi) == ("Ice", "10.6084/m9.figshare.1234567")


@pytest.mark.parametrize(
    ("answer", "title", "words"),
    [({"articles_count": 12, "title": "Ice"}, "Ice", "12 items"), (502, None, "a collection")],
)
def test_a_collection_is_named_and_out_of_scope(answer: Any, title: str | None, words: str) -> None:
    page = landing("https://sage.figshare.com/collections/Ice/6701240/1")

    item = describe(page, Answers({"https://api.figshare.com/v2/collections/6701240": answer}))

    assert (item.platform_status, item.platform_id) == (Status.PLATFORM_SCOPE, "6701240")
    assert (item.title, words in (item.platform_message or "")) == (title, True)


@pytest.mark.parametrize(
    ("hops", "html"),
    [
        (("https://data.uni.example/collections/Ice/5001",), "<p>Powered by Figshare</p>"),
        (
            (
                "https://doi.org/10.5522/04/c.5001.v2",
                "https://data.uni.example/collections/2019/5001/2",
            ),
            "",
        ),
    ],
)
def test_a_collection_in_a_portal_that_is_not_known_is_out_of_scope(
    hops: tuple[str, ...], html: str
) -> None:
    answer = {"id": 5001, "title": "Ice", "articles_count": 2}
    page = landing(*hops, html=html)

    item = describe(page, Answers({"https://api.figshare.com/v2/collections/5001": answer}))

    assert (item.platform_status, item.platform_id) == (Status.PLATFORM_SCOPE, "5001")
    assert (item.platform_domain, item.title) == ("data.uni.example", "Ice")


def test_another_site_with_collections_is_not_taken_for_figshare() -> None:
    page = landing("https://museum.example/collections/Ice/5001", html="<p>See Figshare.</p>")

    assert Figshare().match(landing("https://museum.example/collections/Ice/5001")) is None
    with pytest.raises(NotThisPlatform):
        describe(page, Answers({"https://api.figshare.com/v2/collections/5001": 404}))


@pytest.mark.parametrize(
    "page",
    ["https://figshare.com/", "https://ndownloader.figshare.com/files/5474201", "https://figshare.com/ndownloader/files/1"],
)  # fmt: skip
def test_other_pages_are_out_of_scope(page: str) -> None:
    assert stopped(landing(page), Answers({})).status is Status.PLATFORM_SCOPE
    assert Figshare().asked_for(landing(page)) is None


UUID = "e3d4fa51-35b9-4b9e-a0c4-0f3d7d2b1a11"


@pytest.mark.parametrize(
    ("page", "question"),
    [
        (f"https://data.4tu.nl/datasets/{UUID}", f"/{UUID}"),
        (f"https://data.4tu.nl/datasets/{UUID}/1", f"/{UUID}/versions/1"),
        ("https://data.4tu.nl/articles/dataset/Ice/12345678/1", "/12345678/versions/1"),
        (f"https://data.4tu.nl/file/{UUID}/{UUID[::-1]}", f"/{UUID}"),
        (f"https://data.4tu.nl/file/{UUID}/1", f"/{UUID}"),
        (f"https://data.4tu.nl/ndownloader/items/{UUID}/versions/1", f"/{UUID}/versions/1"),
        (f"https://data.4tu.nl/v2/articles/{UUID}/files/{UUID}", f"/{UUID}"),
        (f"https://data.4tu.nl/v3/datasets/{UUID}", f"/{UUID}"),
    ],
)
def test_djehuty_answers_as_figshare_does(page: str, question: str) -> None:
    one = file(uuid="f-1", id=None, download_url=f"https://data.4tu.nl/file/{UUID}/f-1")
    record = article(one, id=None, uuid=UUID, version=1, url_public_html=None)
    answers = Answers({f"https://data.4tu.nl/v2/articles{question}": record})

    item = describe(landing(page), answers)

    assert (item.platform_name, item.platform_domain) == ("djehuty", "data.4tu.nl")
    assert item.platform_id == UUID
    assert item.manifest[0].platform_url == f"https://data.4tu.nl/file/{UUID}/f-1"


@pytest.mark.parametrize(
    "others",
    [
        [file(name=f"{n}.nc", size=0) | {"id": None} for n in range(7)],
        [file(99, f"{n}.nc", size=0) for n in range(7)],
        [
            file(name="a", size=0, download_url=f"https://x.example/{n}") | {"id": None}
            for n in "abc"
        ],
    ],
)
def test_files_without_an_id_of_their_own_are_not_lost(others: list[dict[str, Any]]) -> None:
    page = f"{API}/files?page=1&page_size=1000"
    answers = Answers({API: article(*MANY[:10], size=100), page: [*MANY[:10], *others]})

    item = describe(landing(PAGE), answers)

    assert len(item.manifest) == 10 + len(others)


def test_a_checksum_that_is_not_the_uploaders_is_told_of() -> None:
    item = describe(landing(PAGE), Answers({API: article(file(supplied_md5="ab" * 16))}))

    assert item.manifest[0].digest("md5") == MD5
    (finding,) = [one for one in item.findings if one.code == "contradiction"]
    assert "a.csv (md5 0123456789ab…, also abababababab…)" in finding.message


@pytest.mark.parametrize("odd", [{"computed_md5": ["x"]}, {"supplied_md5": "pending"}])
def test_one_of_two_checksums_that_is_none_is_told_of(odd: dict[str, Any]) -> None:
    both = {"computed_md5": MD5, "supplied_md5": MD5}

    item = describe(landing(PAGE), Answers({API: article(file(**{**both, **odd}))}))

    assert item.manifest[0].digest("md5") == MD5
    assert "checksum-unreadable" in codes(item)
