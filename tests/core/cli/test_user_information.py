# SPDX-License-Identifier: AGPL-3.0-or-later
"""A password in an address is told to nobody, kept nowhere and shown to nobody."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from carrel.cli.program import run as main
from support.archives import Ran, new_archive
from support.memento_archives import Held, StandIn
from support.warcs import response, write_warc
from support.wire import Reply, WireServer, dataset_page, html, redirect, reply

HIDDEN = "s3cr3t"
Carrel = Callable[..., Ran]
SPELLINGS = [
    "http://user:s3cr3t@{rest}",
    "http://user%3As3cr3t@{rest}",
    "http://s3cr3t@{rest}",
    "http://user:s3cr3t@other@{rest}",
]


@pytest.fixture
def archive(tmp_path: Path) -> Path:
    return new_archive(tmp_path / "archive")


@pytest.fixture
def stand_in() -> Iterator[StandIn]:
    with StandIn() as running:
        yield running


@pytest.fixture
def carrel(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Carrel:
    monkeypatch.delenv("CARREL_ARCHIVE", raising=False)

    def run(*arguments: str | Path) -> Ran:
        monkeypatch.setattr("sys.argv", ["carrel", *map(str, arguments)])
        capsys.readouterr()
        with pytest.raises(SystemExit) as end:
            main()
        shown = capsys.readouterr()
        return Ran(int(end.value.code or 0), shown.out, shown.err)

    return run


def served(server: WireServer, **files: Reply) -> str:
    listed = [
        {"name": name, "contentUrl": server.serve(f"/{name}", each)} for name, each in files.items()
    ]
    return dataset_page(server, listed)


def spelled(url: str, spelling: str = SPELLINGS[0]) -> str:
    return spelling.format(rest=url.removeprefix("http://"))


def assert_nowhere(ran: Ran, folder: Path) -> None:
    """See that neither the terminal nor any file below a folder has the secret."""
    assert HIDDEN not in ran.out + ran.err
    found = [path for path in folder.rglob("*") if path.is_file()]
    assert [path for path in found if HIDDEN.encode() in path.read_bytes()] == []


@pytest.mark.parametrize("spelling", SPELLINGS)
def test_no_web_archive_is_told_a_password(
    carrel: Carrel, stand_in: StandIn, tmp_path: Path, spelling: str
) -> None:
    config = tmp_path / "collections.yaml"
    prefix = stand_in.on("/", lambda asked: Held("http://example.org/x", "20200101000000"))  # type: ignore[arg-type,return-value]  # is not asked
    config.write_text(f"collections:\n  all: memento+{prefix}\n")

    ran = carrel("mementos", spelling.format(rest="example.org/x"), "--config", config,
                 "--archive", tmp_path / "none")  # fmt: skip

    assert stand_in.asked
    assert HIDDEN not in repr(stand_in.asked)
    assert "had a user name or password" in ran.err
    assert_nowhere(ran, tmp_path)


@pytest.mark.parametrize("spelling", SPELLINGS)
@pytest.mark.parametrize("command", ["preview", "ingest"])
def test_no_server_and_no_archive_has_a_password(
    carrel: Carrel, server: WireServer, archive: Path, command: str, spelling: str
) -> None:
    url = served(server, a=reply(b"tide"))

    ran = carrel(command, spelled(url, spelling), "--archive", archive, "--json")

    assert ran.code == 0
    assert "had a user name or password" in ran.err
    assert HIDDEN not in repr(server.seen)
    assert_nowhere(ran, archive)


def test_a_redirect_with_a_password_is_not_followed_and_is_named(
    carrel: Carrel, server: WireServer, archive: Path
) -> None:
    goal = served(server, a=reply(b"tide"))
    url = server.serve("/led", redirect(spelled(goal)))

    ran = carrel("ingest", url, "--archive", archive, "--json")

    (fields,) = ran.lines
    assert fields["status"] == "bad-redirect"
    assert "with a user name or password in the address" in fields["error_message"]
    assert goal in fields["error_message"]
    assert_nowhere(ran, archive)


def test_a_link_with_a_password_is_followed_without_it(
    carrel: Carrel, server: WireServer, archive: Path
) -> None:
    file = {"name": "a", "contentUrl": spelled(server.serve("/a", reply(b"tide")))}
    url = dataset_page(server, [file])

    ran = carrel("ingest", url, "--archive", archive, "--json")

    assert ran.lines[0]["status"] == "success-file"
    assert HIDDEN not in ran.out + ran.err
    assert HIDDEN.encode() not in (archive / "carrel.sqlite").read_bytes()
    asked = [seen for seen in server.seen if seen.target == "/a"]
    assert asked
    assert "authorization" not in repr(asked).lower()


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a.txt", "http://u:s3cr3t@example.org/x\nu:s3cr3t@nothing\nftp://u:s3cr3t@h/f\n"),
        ("a.csv", "url;remark\nhttp://u:s3cr3t@example.org/x;one\nftp://u:s3cr3t@h/f;two\n"),
        ("a.tsv", "url\tremark\nhttp://u:s3cr3t@example.org/x\tone\n"),
        ("a.bib", "@misc{a, url = {http://u:s3cr3t@example.org/x}}\n@misc{b, title={ftp://u:s3cr3t@h/}}\n"),
        ("a.ris", "TY  - DATA\nUR  - http://u:s3cr3t@example.org/x\nER  -\n"),
        ("a.url", "[InternetShortcut]\nURL=http://u:s3cr3t@example.org/x\n"),
        ("a.html", '<!DOCTYPE html><a href="http://u:s3cr3t&#64;example.org/x">x</a>\n'),
        (
            "a.jsonl",
            json.dumps({"ingest_type": "dataset", "base_url": "http://u:s3cr3t@example.org/x",
                        "fatcat": {"a": ["http://u:s3cr3t@h/"]}, "x": "http://u:s3cr3t@h/"})
            + '\n{"ingest_type": "dataset", "base_url": 3, "x": "http:\\/\\/u:s3cr3t\\u0040h/"}\n'
            + '{"base_url": "http:\\/\\/u:s3cr3t\\u0040h/\n',
        ),
    ],
)  # fmt: skip
@pytest.mark.parametrize("options", [[], ["--json"]])
def test_a_list_is_queued_without_the_passwords_in_it(
    carrel: Carrel, tmp_path: Path, archive: Path, name: str, text: str, options: list[str]
) -> None:
    (tmp_path / name).write_text(text)

    added = carrel("batch", "add", tmp_path / name, "--archive", archive, *options)
    listed = carrel("batch", "list", "--archive", archive, *options)
    exported = carrel("batch", "export", "--archive", archive)

    assert "example.org/x" in listed.out
    for ran in (added, listed, exported):
        assert_nowhere(ran, archive)


@pytest.mark.parametrize(
    "arguments",
    [
        ["{url}"],
        ["batch", "add", "{url}"],
        ["batch", "list", "--cause", "{url}"],
        ["batch", "list", "--batch", "{url}"],
        ["batch", "retry", "{url}"],
        ["results", "{url}"],
        ["results", "--sha256", "{url}"],
        ["verify", "{url}"],
        ["verify", "--ingest", "{url}"],
        ["mementos", "{url}", "--closest", "{url}"],
        ["mementos", "x.org", "--collection", "{url}"],
        ["mementos", "x.org", "--open", "{url}"],
        ["mementos", "x.org", "--limit", "{url}"],
        ["get", "{url}", "-o", "{url}", "--from", "{url}"],
        ["index", "{url}"],
        ["serve", "--port", "{url}"],
        ["dark", "show", "{url}"],
        ["dark", "search", "{url}"],
        ["dark", "lost", "--since", "{url}"],
        ["dark", "lost", "--series", "{url}"],
        ["dark", "open", "{url}", "--reason", "{url}"],
        ["dark", "watch", "add", "{url}"],
        ["dark", "watch", "show", "{url}"],
        ["dark", "{url}"],
        ["credentials", "set", "{url}"],
        ["--log", "{url}", "results"],
        ["--{url}"],
    ],
    ids=" ".join,
)
@pytest.mark.parametrize("given", ["http://user:s3cr3t@example.org/x", "user:s3cr3t@example.org/x"])
def test_no_command_repeats_a_password(
    carrel: Carrel,
    archive: Path,
    monkeypatch: pytest.MonkeyPatch,
    arguments: list[str],
    given: str,
) -> None:
    monkeypatch.setenv("CARREL_ARCHIVE", str(archive))
    for name in ("HTTP_PROXY", "HTTPS_PROXY"):
        monkeypatch.setenv(name, "http://u:s3cr3t@127.0.0.1:9")

    ran = carrel("--log", "DEBUG", *(each.format(url=given) for each in arguments))

    assert ran.code in (0, 1, 2)
    assert_nowhere(ran, archive)


def test_a_list_for_the_dark_archive_with_a_password_is_not_kept(
    carrel: Carrel, archive: Path, tmp_path: Path
) -> None:
    listed = tmp_path / "addresses.txt"
    listed.write_text("http://127.0.0.1:9/y\nhttp://u:s3cr3t@127.0.0.1:9/x\n")

    run = carrel("dark", "run", "--list", listed, "--archive", archive)

    assert run.code == 1
    assert "an address in line 2 has a user name or password" in run.err
    assert_nowhere(run, archive)


def test_an_index_of_a_strangers_warc_has_no_password(carrel: Carrel, tmp_path: Path) -> None:
    write_warc(tmp_path / "a.warc.gz", response("http://u:s3cr3t@example.org/x", b"tide"))

    indexed = carrel("index", tmp_path / "a.warc.gz", "-o", tmp_path / "a.cdxj")
    found = carrel("mementos", "http://example.org/x", "--open", tmp_path / "a.warc.gz", "--json",
                   "--archive", tmp_path / "none", "--collection", "a")  # fmt: skip

    line = (tmp_path / "a.cdxj").read_text()
    assert '"url": "http://example.org/x"' in line
    for ran in (indexed, found):
        assert HIDDEN not in ran.out + ran.err


def test_a_page_that_needs_a_password_ends_with_a_named_outcome(
    carrel: Carrel, server: WireServer, archive: Path
) -> None:
    url = server.serve("/closed", html("<p>Who are you?</p>", status="401 Unauthorized"))

    ran = carrel("preview", spelled(url), "--archive", archive, "--json")

    (fields,) = ran.lines
    assert fields["status"] == "blocked-wall"
    assert_nowhere(ran, archive)
