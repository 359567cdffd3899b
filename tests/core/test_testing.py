# SPDX-License-Identifier: AGPL-3.0-or-later
"""Recordings of previews, and the kit that checks a platform against them."""

import asyncio
import json
from collections.abc import Iterator
from dataclasses import replace
from hashlib import md5
from pathlib import Path

import pytest
from tide_tables import File as TideFile
from tide_tables import TideSet, TideTables

from carrel.credentials import Credentials, Token, TokenKind
from carrel.engine import preview
from carrel.errors import UsageError
from carrel.model import IngestRequest, Landing, ManifestFile, PlatformItem, Status
from carrel.platforms.platform import Api, Shape
from carrel.platforms.recording.recording import INDEX, Recording, exchange_of
from carrel.platforms.recording.secrets import Secrets
from carrel.platforms.shapes import Count, Rows, Text
from carrel.settings import Settings
from carrel.testing import check, outcome
from support.archives import Ran, carrel
from support.keyrings import MemoryKeyring, Swapped
from support.wire import WireServer, html

HIGH = b"06:12 4.1 m\n"
EXAMPLE = Path(__file__).parents[1] / "examples" / "tide-tables"
SET = EXAMPLE / "recordings" / "whole-set"


@pytest.fixture
def server() -> Iterator[WireServer]:
    with WireServer() as running:
        yield running


def serve_tides(server: WireServer, *, title: str = "Brest, 2026") -> str:
    """Serve a page with JSON-LD that names a file, and return its address."""
    block = {
        "@context": "https://schema.org/",
        "@type": "Dataset",
        "name": title,
        "distribution": {
            "@type": "DataDownload",
            "name": "high.txt",
            "contentUrl": f"{server.origin}/high?token=s3cr3t-in-query&part=1",
            "md5": md5(HIGH).hexdigest(),
        },
    }
    script = f'<script type="application/ld+json">{json.dumps(block)}</script>'
    page = f'<meta name="csrf-token" content="s3cr3t-of-form">{script}'
    return server.serve("/sets/42", html(page, Set_Cookie="session=s3cr3t-cookie"))


def recorded(url: str, folder: Path) -> Ran:
    return carrel("preview", "--json", "--record", folder, url)


def test_a_recording_comes_to_the_same_manifest(server: WireServer, tmp_path: Path) -> None:
    ran = recorded(serve_tides(server), tmp_path / "set")

    again = outcome(tmp_path / "set")

    assert ran.code == 0, ran.err
    assert again.item is not None
    (told,), (entry,) = ran.lines[0]["manifest"], again.item.manifest
    assert (told["path"], told["md5"]) == (entry.path, entry.digest("md5"))
    assert json.loads((tmp_path / "set" / "expected.json").read_text()) == again.to_json()


def test_a_recording_has_no_secrets_and_can_be_read(server: WireServer, tmp_path: Path) -> None:
    recorded(serve_tides(server), tmp_path / "set")

    texts = [path.read_text("utf-8") for path in sorted((tmp_path / "set").iterdir())]

    assert len(texts) == 3  # index, page, what is expected
    assert "s3cr3t" not in "".join(texts)
    assert "token=REMOVED&part=1" in "".join(texts)


def test_a_token_that_a_page_repeats_is_not_recorded(server: WireServer, tmp_path: Path) -> None:
    url = server.serve("/me", html("<p>You are s3cr3t-token</p>"))
    with Swapped(MemoryKeyring()):
        Credentials().set(url.split("/")[2], Token("s3cr3t-token", TokenKind.BEARER))
        asyncio.run(preview(IngestRequest(url), Settings(), record=tmp_path / "me"))

    assert server.seen[0].headers["authorization"] == "Bearer s3cr3t-token"
    assert (tmp_path / "me" / "001.html").read_text("utf-8") == "<p>You are REMOVED</p>"


def test_the_guide_shows_the_test_of_the_package() -> None:
    guide = (EXAMPLE.parents[2] / "docs" / "platforms-howto.md").read_text("utf-8")
    test = (EXAMPLE / "test_tide_tables.py").read_text("utf-8")

    assert test.partition("\n\n")[2] in guide


def test_user_information_is_not_recorded(server: WireServer, tmp_path: Path) -> None:
    url = serve_tides(server).replace("http://", "http://ada:s3cr3t@")

    recorded(url, tmp_path / "set")

    assert "s3cr3t" not in (tmp_path / "set" / INDEX).read_text("utf-8")


def test_a_refusal_is_recorded_too(server: WireServer, tmp_path: Path) -> None:
    ran = recorded(server.serve("/gone", html("no", "410 Gone")), tmp_path / "gone")

    again = outcome(tmp_path / "gone")

    assert (str(again.status), again.item) == (ran.lines[0]["status"], None)


def test_nothing_is_written_over(server: WireServer, tmp_path: Path) -> None:
    (tmp_path / "mine.txt").write_text("mine")

    ran = recorded(serve_tides(server), tmp_path)

    assert ran.code == 2
    assert "is not empty: record into a new folder" in ran.err
    assert [path.name for path in tmp_path.iterdir()] == ["mine.txt"]


def test_one_dataset_is_recorded_at_a_time(tmp_path: Path) -> None:
    ran = carrel("preview", "--record", tmp_path / "x", "10.5072/a", "10.5072/b")

    assert (ran.code, "one dataset at a time" in ran.err) == (2, True)


def test_a_folder_without_an_index_is_no_recording(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="is not a recording"):
        outcome(tmp_path)


@pytest.mark.parametrize(
    ("headers", "text", "left"),
    [
        ({"Authorization": "Bearer abcdef123"}, "echo abcdef123!", "echo REMOVED!"),
        ({"Authorization": "Basic YWRhOmtleWtleTE="}, "key is keykey1", "key is REMOVED"),
        ({}, "https://x.example/f?X-Amz-Signature=aa&b=c", "https://x.example/f?X-Amz-Signature=REMOVED&b=c"),
        ({}, '{"access_token": "abc", "size": 3}', '{"access_token": "REMOVED", "size": 3}'),
        ({}, "https://ada:pw@x.example/f", "https://x.example/f"),
        ({}, "?monkey=1&keyword=tide", "?monkey=1&keyword=tide"),
    ],
)  # fmt: skip
def test_secrets_are_left_out(headers: dict[str, str], text: str, left: str) -> None:
    secrets = Secrets()
    secrets.learn(headers)

    assert secrets.left_out_of(text) == left


def test_the_example_is_right() -> None:
    check(TideTables(), SET)


def test_what_is_expected_must_come(tmp_path: Path) -> None:
    expected = json.loads((SET / "expected.json").read_text("utf-8"))
    folder = copied(tmp_path)
    (folder / "expected.json").write_text(json.dumps({**expected, "title": "Saint-Malo"}))

    with pytest.raises(AssertionError, match="“title” is 'Brest, 2026', expected is 'Saint-Malo'"):
        check(TideTables(), folder)


class Hasty(TideTables):
    """Takes an answer without tables for a set that has but its index."""

    async def describe(self, landing: Landing, api: Api) -> PlatformItem:
        item = await super().describe(landing, api)
        index = ManifestFile("index.txt", "https://tides.example/index")
        return replace(
            item,
            manifest=(index, *item.manifest),
            platform_status=Status.SUCCESS,
            platform_message=None,
        )


class Careless(TideTables):
    """Trusts the shape of what it is answered."""

    async def describe(self, landing: Landing, api: Api) -> PlatformItem:
        await api.read("https://tides.example/api/42", TideSet)
        answer = await api.json("https://tides.example/api/42")
        assert answer["tables"][0]["name"].strip()
        return await super().describe(landing, api)


class Nameless(TideTables):
    """Gives another name than its own."""

    async def describe(self, landing: Landing, api: Api) -> PlatformItem:
        return replace(await super().describe(landing, api), platform_name="tides")


@pytest.mark.parametrize(
    ("platform", "fault"),
    [
        (Hasty(), "answers with nothing in it: the manifest lacks 2 files and is called whole"),
        (Careless(), "an exception is no outcome"),
        (Nameless(), "its answer is in the name of “tides”"),
    ],
)
def test_a_platform_that_breaks_a_rule_is_told(
    platform: TideTables, fault: str, tmp_path: Path
) -> None:
    folder = copied(tmp_path)
    (folder / "expected.json").unlink()

    with pytest.raises(AssertionError, match=fault):
        check(platform, folder)


def copied(tmp_path: Path) -> Path:
    recording, folder = Recording.read(SET), tmp_path / "set"
    recording.write(folder)
    (folder / "expected.json").write_bytes((SET / "expected.json").read_bytes())
    return folder


def test_a_recording_without_what_is_expected_compares_nothing(tmp_path: Path) -> None:
    folder = copied(tmp_path)
    (folder / "expected.json").write_text("{}")
    with pytest.raises(AssertionError, match="has no “status”"):
        check(TideTables(), folder)

    (folder / "expected.json").unlink()
    with pytest.raises(AssertionError, match="is missing, so that nothing can be compared"):
        check(TideTables(), folder)


def test_of_a_long_manifest_the_first_file_that_differs_is_told(tmp_path: Path) -> None:
    folder = copied(tmp_path)
    expected = json.loads((folder / "expected.json").read_text())
    expected["manifest"][1]["path"] = "low-2025.csv"
    (folder / "expected.json").write_text(json.dumps(expected))

    with pytest.raises(AssertionError, match=r"“manifest, entry 2” is .+low-2025\.csv") as told:
        check(TideTables(), folder)

    assert expected["manifest"][0]["path"] not in str(told.value)


class Pages(Shape):
    """One page of the listing that `paged` records."""

    rows: Rows[TideFile] = ()
    total: Count = None
    next: Text = None


class Paged(TideTables):
    """Reads the pages of a listing by hand: `reads_on` to the end, and `counts` at the end."""

    reads_on = counts = True

    async def describe(self, landing: Landing, api: Api) -> PlatformItem:
        asked = self.asked_for(landing)
        assert asked
        names: list[str] = []
        url: str | None = f"{landing.origin}/api/{asked.platform_id}"
        total = None
        while url:
            page = await api.read(url, Pages)
            names += [file.name or str(file.href) for file in page.rows]
            url, total = page.next if self.reads_on else None, page.total
        lacks = self.counts and total != len(names)
        return PlatformItem(
            self.name, asked.platform_domain, asked.platform_id,
            manifest=tuple(ManifestFile(name, f"{landing.url}/{name}") for name in names),
            shortfall=f"{total} are counted." if lacks else None,
        )  # fmt: skip


class StopsEarly(Paged):
    reads_on = counts = False


class IgnoresCount(Paged):
    counts = False


def paged(tmp_path: Path, platform: TideTables) -> Path:
    """Return a recording of a listing of two pages, with what a platform makes of it."""
    origin = "https://tides.example"
    rows = [{"name": f"{number}.csv"} for number in range(6)]
    answers = {
        f"{origin}/sets/7": ("text/html", b"<title>Tides</title>"),
        f"{origin}/api/7": (
            "application/json",
            json.dumps({"rows": rows[:3], "total": 6, "next": f"{origin}/api/7?page=2"}).encode(),
        ),
        f"{origin}/api/7?page=2": (
            "application/json",
            json.dumps({"rows": rows[3:], "total": 6}).encode(),
        ),
    }
    made = {(url, ""): exchange_of(url, kind, body) for url, (kind, body) in answers.items()}
    folder = tmp_path / "paged"
    Recording(f"{origin}/sets/7", 200, dict(made)).write(folder)
    (folder / "expected.json").write_text(json.dumps(outcome(folder, platform).to_json()))
    return folder


def test_a_listing_that_is_read_and_counted_passes(tmp_path: Path) -> None:
    check(Paged(), paged(tmp_path, Paged()), mutations=0)


@pytest.mark.parametrize(
    ("platform", "fault"),
    [
        (StopsEarly(), r"page=2 is recorded, and an answer leads there, but it is never requested"),
        (IgnoresCount(), "names fewer files than are counted: the manifest lacks 2 files and is"),
    ],
)
def test_a_listing_that_is_cut_is_told_though_its_author_expects_it(
    tmp_path: Path, platform: Paged, fault: str
) -> None:
    with pytest.raises(AssertionError, match=fault):
        check(platform, paged(tmp_path, platform), mutations=0)


def test_a_set_without_files_is_recorded_as_it_is_previewed(tmp_path: Path) -> None:
    folder = paged(tmp_path, Paged())
    recording = Recording.read(folder)
    url = "https://tides.example/api/7"
    recording.answers[url, ""] = exchange_of(url, "application/json", b'{"total": 0}')
    recording.write(tmp_path / "empty")

    found = outcome(tmp_path / "empty", Paged())

    assert (found.status, found.message) == (Status.EMPTY_MANIFEST, "The platform lists no files.")
