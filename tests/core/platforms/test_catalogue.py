# SPDX-License-Identifier: AGPL-3.0-or-later
"""What is known of platforms before they are asked, and that a new one needs no other place."""

import asyncio
import json
import subprocess
import sys
from collections.abc import Iterator
from hashlib import md5
from pathlib import Path

import pytest
import tide_tables
from click.testing import CliRunner
from tide_tables import TideTables

from carrel.cli.credentials import credentials
from carrel.credentials import Credentials, Token, TokenKind
from carrel.engine import Engine
from carrel.engine.batches.forecast import forecast
from carrel.engine.known_platforms import token_hosts, token_kind_of
from carrel.engine.platform_titles import title_of
from carrel.model import AskedItem, IngestFilesetResult, IngestRequest, Status
from carrel.platforms import catalogue
from carrel.platforms.identifiers import find
from carrel.platforms.registry import candidates
from carrel.platforms.titles import TITLES
from support.answers import landing
from support.archives import ingest, new_archive
from support.keyrings import MemoryKeyring, Swapped
from support.wire import WireServer, html, reply

HOWTO = Path(__file__).parents[3] / "docs" / "platforms-howto.md"
SET = "https://tides.example/sets/42"
HIGH = b"06:12 4.1 m\n"


@pytest.fixture
def registered(monkeypatch: pytest.MonkeyPatch) -> None:
    """Tide Tables, registered by one line."""
    monkeypatch.setattr(catalogue, "PLATFORMS", (TideTables(), *catalogue.PLATFORMS))


@pytest.fixture
def ring() -> Iterator[MemoryKeyring]:
    with Swapped(memory := MemoryKeyring()):
        yield memory


@pytest.fixture
def server() -> Iterator[WireServer]:
    with WireServer() as running:
        yield running


def serve_tides(server: WireServer) -> str:
    """Serve a set of one table, and return the address of its page."""
    table = {"name": "high.txt", "href": "/high", "size": len(HIGH), "md5": md5(HIGH).hexdigest()}
    answer = {"title": "Brest, 2026", "tables": [table]}
    server.serve("/high", reply(HIGH, Content_Type="text/plain"))
    server.serve("/api/42", reply(json.dumps(answer).encode(), Content_Type="application/json"))
    return server.serve("/sets/42", html("<title>Tide Tables</title>"))


@pytest.mark.usefixtures("registered")
def test_a_new_platform_is_detected_by_what_it_declares() -> None:
    ((platform, evidence),) = candidates(landing(SET))

    assert platform.name == "tidetables"
    assert evidence == "the address names 42 at tides.example"


@pytest.mark.usefixtures("registered")
def test_a_bare_host_of_a_new_platform_is_a_web_address() -> None:
    (found,) = find("see tides.example/sets/42").identifiers

    assert found.url == SET


@pytest.mark.usefixtures("registered")
def test_a_new_platform_is_previewed(server: WireServer, tmp_path: Path) -> None:
    url = serve_tides(server)

    async def preview() -> IngestFilesetResult:
        async with Engine.open(new_archive(tmp_path / "archive")) as engine:
            return await engine.preview(IngestRequest(url))

    result = asyncio.run(preview())

    assert result.status is Status.SUCCESS
    assert result.item is not None
    assert (result.item.platform_name, result.item.title) == ("tidetables", "Brest, 2026")
    assert server.times_asked("/high") == 0


@pytest.mark.usefixtures("registered")
def test_a_new_platform_is_archived(server: WireServer, tmp_path: Path) -> None:
    (result,) = ingest(new_archive(tmp_path / "archive"), serve_tides(server))

    assert result.status is Status.SUCCESS_FILE
    assert result.to_json()["platform_name"] == "tidetables"
    assert result.to_json()["manifest"][0]["path"] == "high.txt"


@pytest.mark.usefixtures("registered")
def test_a_new_platform_is_named_in_lists() -> None:
    assert title_of("tidetables") == "Tide Tables"


@pytest.mark.usefixtures("registered", "ring")
def test_a_new_platform_is_asked_for_its_token() -> None:
    told = CliRunner().invoke(credentials, ["set", "api.tides.example"], input="ttt\n")

    assert told.exit_code == 0
    assert token_hosts()[0] == "api.tides.example"
    assert Credentials().headers_for("https://api.tides.example/42") == {
        "Authorization": "token ttt"
    }


@pytest.mark.usefixtures("registered", "ring")
def test_a_new_platform_is_told_its_token(server: WireServer, tmp_path: Path) -> None:
    url = serve_tides(server)
    kind = token_kind_of("tides.example")
    Credentials().set(url.split("/")[2], Token("ttt", kind))

    ingest(new_archive(tmp_path / "archive"), url)

    (asked,) = [seen for seen in server.seen if seen.target == "/api/42"]
    assert asked.headers["authorization"] == "token ttt"


@pytest.mark.usefixtures("registered")
def test_a_new_platform_is_forecast() -> None:
    (found,) = forecast([("tides.example", 120)])

    assert str(found) == (
        "120 requests to tides.example; 60 an hour without a token: 2.0 hours at least, with a "
        "token 12 minutes (tides.example/limits, 2026-11)"
    )


@pytest.mark.usefixtures("registered")
def test_what_was_asked_of_a_new_platform_is_known_though_nobody_answers() -> None:
    assert TideTables().asked_for(landing(SET)) == AskedItem("tidetables", "tides.example", "42")


def test_the_guide_shows_a_platform_that_works() -> None:
    assert Path(tide_tables.__file__).read_text("utf-8") in HOWTO.read_text("utf-8")


@pytest.mark.parametrize(
    ("host", "kind"),
    [
        ("dataverse.harvard.edu", TokenKind.DATAVERSE),
        ("borealisdata.ca", TokenKind.DATAVERSE),
        ("dataverse.unknown.example", TokenKind.DATAVERSE),
        ("api.figshare.com", TokenKind.FIGSHARE),
        ("figshare.com.example", TokenKind.BEARER),
        ("zenodo.org", TokenKind.BEARER),
        ("localhost:8080", TokenKind.BEARER),
    ],
)
def test_a_host_tells_the_kind_of_its_token(host: str, kind: TokenKind) -> None:
    assert token_kind_of(host) is kind


@pytest.mark.parametrize(
    ("name", "title"),
    [
        ("zenodo", "Zenodo"),
        ("cernopendata", "CERN Open Data"),
        ("schema.org", "Schema.org page"),
        ("harvest-machine", None),
    ],
)
def test_a_platform_has_the_title_that_its_makers_write(name: str, title: str | None) -> None:
    assert title_of(name) == title


def test_the_titles_are_those_that_the_platforms_declare() -> None:
    assert dict(TITLES) == dict(catalogue.titles())
    assert list(TITLES) == sorted(TITLES)


def test_who_shows_a_platform_of_carrels_own_loads_none() -> None:
    program = (
        "import sys; from carrel.engine.platform_titles import title_of; "
        "assert title_of('dryad') == 'Dryad' and title_of('') is None; "
        "print([name for name in sys.modules if name.endswith(('.catalogue', '.dryad'))])"
    )
    ran = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )

    assert ran.stdout.strip() == "[]"


@pytest.mark.parametrize(
    ("host", "is_known"),
    [
        ("zenodo.org", True),
        ("www.Zenodo.org", True),
        ("scielo.figshare.com", True),
        ("data.4tu.nl", True),
        ("datadryad.org", True),
        ("osf.io", True),
        ("dx.doi.org", True),
        ("github.com", False),
        ("web.archive.org", False),
        ("notfigshare.com", False),
    ],
)
def test_a_bare_host_is_known_by_its_platform(host: str, *, is_known: bool) -> None:
    assert catalogue.is_known_host(host) is is_known
