# SPDX-License-Identifier: AGPL-3.0-or-later
"""`carrel mementos`, `get` and `index`, as a shell sees them."""

import gzip
import hashlib
import json
import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from carrel.archive import Archive
from carrel.cli.mementos import _tell
from carrel.model import SourceReport, SourceState, SourceType
from carrel.model.memento_part import Part, Parts
from support.archives import carrel, environment, ingest, new_archive
from support.memento_archives import StandIn, redirect
from support.warcs import response, write_warc
from support.wire import WireServer, dataset_page, reply

BODY = b"The tide came late.\n" * 20


@pytest.fixture(scope="module")
def server() -> Iterator[WireServer]:
    with WireServer() as running:
        yield running


@pytest.fixture(scope="module")
def kept(server: WireServer, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str, str]:
    """An archive that keeps a dataset of one file; its landing page and its file."""
    file = server.serve("/tides.txt", reply(BODY))
    page = dataset_page(
        server,
        [
            {
                "name": "tides.txt",
                "contentUrl": file,
                "contentSize": len(BODY),
                "sha256": hashlib.sha256(BODY).hexdigest(),
            }
        ],
        name="Tides",
    )
    archive = new_archive(tmp_path_factory.mktemp("kept") / "archive")
    (result,) = ingest(archive, page)
    assert result.hit
    return archive, page, file


@pytest.fixture
def env(tmp_path: Path) -> dict[str, str]:
    return environment(CARREL_CACHE=str(tmp_path / "cache"))


def test_what_was_kept_is_found_at_once(kept: tuple[Path, str, str], env: dict[str, str]) -> None:
    archive, _, file = kept

    ran = carrel(
        "mementos", file, "--archive", archive, "--collection", "archive", "--json", env=env
    )

    (row,) = ran.lines
    assert ran.code == 0
    assert row["url"] == file
    assert (row["source"], row["source_type"]) == ("archive", "file")


def test_an_inside_address_is_told_to_nobody_and_that_is_no_failure(
    kept: tuple[Path, str, str], env: dict[str, str]
) -> None:
    archive, _, file = kept

    ran = carrel("mementos", file, "--archive", archive, env=env)

    assert ran.code == 0
    assert "archive (here)" in ran.out
    assert [line.partition(":")[0] for line in ran.err.splitlines()] == [
        "archive (here)",
        "not queried",
    ]
    assert "web.archive.org, " in ran.err
    assert "refused" not in ran.err


def test_nothing_found_is_said_and_no_failure(
    kept: tuple[Path, str, str], env: dict[str, str]
) -> None:
    ran = carrel(
        "mementos",
        "http://nobody.example/",
        "--archive",
        kept[0],
        "--collection",
        "archive",
        env=env,
    )

    assert (ran.code, ran.out) == (0, "")
    assert "No capture of http://nobody.example/" in ran.err


def test_a_memento_is_written_and_proven(
    kept: tuple[Path, str, str], env: dict[str, str], tmp_path: Path
) -> None:
    archive, _, file = kept
    output = tmp_path / "tides.txt"

    ran = carrel(
        *("get", file, "-o", output, "--archive", archive, "--collection", "archive", "--json"),
        env=env,
    )

    (told,) = ran.lines
    assert ran.code == 0
    assert output.read_bytes() == BODY
    assert told["sha256"] == hashlib.sha256(BODY).hexdigest()
    assert told["is_proven"] is True


def test_what_nobody_has_is_not_written(
    kept: tuple[Path, str, str], env: dict[str, str], tmp_path: Path
) -> None:
    output = tmp_path / "none.txt"

    ran = carrel(
        *("get", "http://nobody.example/", "-o", output),
        *("--archive", kept[0], "--collection", "archive"),
        env=env,
    )

    assert ran.code == 1
    assert not output.exists()


@pytest.mark.parametrize("collection", [(), ("--collection", "archive")])
def test_a_warc_is_searched_beside_the_archive(
    kept: tuple[Path, str, str], env: dict[str, str], tmp_path: Path, collection: tuple[str, ...]
) -> None:
    archive, _, file = kept
    write_warc(tmp_path / "m1.warc.gz", response(file, b"other"))
    where: tuple[str | Path, ...] = (
        "--open",
        tmp_path / "m1.warc.gz",
        "--archive",
        archive,
        *collection,
    )

    ran = carrel("mementos", file, *where, "--json", env=env)
    got = carrel("get", file, *where, "--closest", "2000", "-o", tmp_path / "other", env=env)

    assert {row["source"] for row in ran.lines} == {"archive", "m1"}
    assert got.code == 0, got.err
    assert (tmp_path / "other").read_bytes() == b"other"


def test_a_capture_that_is_only_a_part_is_told_so_and_is_no_success(
    kept: tuple[Path, str, str], env: dict[str, str], tmp_path: Path
) -> None:
    url = "http://old.example/short.bin"
    short = response(url, b"half", headers=(("Content-Length", "8"),))
    write_warc(tmp_path / "old.warc.gz", short)
    where = ("--open", tmp_path / "old.warc.gz", "--collection", "old", "--archive", kept[0])

    said = carrel("get", url, *where, "-o", tmp_path / "said", env=env)
    told = carrel("get", url, *where, "-o", tmp_path / "told", "--json", env=env)
    record = carrel("get", url, *where, "-o", tmp_path / "x.warc", "--warc", env=env)

    assert (said.code, told.code, record.code) == (1, 1, 0)
    assert "4 bytes." in said.err
    assert "shorter than its server said" in said.err
    assert told.lines[0]["part"] == "short"
    assert (tmp_path / "said").read_bytes() == b"half"


@pytest.mark.parametrize(
    ("status", "why"),
    [
        ("404 Not Found", "This is the server's error message (status 404)."),
        ("302 Found", "The server only redirected to another address (status 302)."),
        ("200 OK", ""),
    ],
)
def test_a_capture_of_an_error_or_a_redirect_is_told_as_that(
    kept: tuple[Path, str, str], env: dict[str, str], tmp_path: Path, status: str, why: str
) -> None:
    url = "http://old.example/a.bin"
    write_warc(tmp_path / "old.warc.gz", response(url, b"four", status=status))
    where = ("--open", tmp_path / "old.warc.gz", "--collection", "old", "--archive", kept[0])

    said = carrel("get", url, *where, "-o", tmp_path / "said", env=env)
    told = carrel("get", url, *where, "-o", tmp_path / "told", "--json", env=env)

    assert (said.code, said.err.rstrip().endswith(why)) == (0, True)
    assert told.lines[0]["status"] == status[:3]


def test_a_warc_is_opened_from_anywhere(
    kept: tuple[Path, str, str], env: dict[str, str], tmp_path: Path
) -> None:
    archive, _, file = kept
    (warc,) = (archive / "collections" / "main" / "archive").iterdir()

    ran = carrel(
        "mementos", file, "--open", warc, "--archive", tmp_path / "none", "--json", env=env
    )

    assert [row["url"] for row in ran.lines] == [file]


@pytest.mark.parametrize("where", ["elsewhere", "in the archive"])
def test_the_collections_of_an_archive_are_those_of_that_archive(
    kept: tuple[Path, str, str], env: dict[str, str], tmp_path: Path, where: str
) -> None:
    archive, _, file = kept
    folder = archive if where == "in the archive" else tmp_path
    config = Path(os.path.relpath(archive / "collections.yaml", folder))

    ran = carrel(
        *("mementos", file, "--config", config, "--collection", "archive", "--json"),
        env={**env, "CARREL_ARCHIVE": str(tmp_path / "none")},
        cwd=folder,
    )

    assert [row["url"] for row in ran.lines] == [file]
    assert "and there is none" not in ran.err


def test_an_index_made_anew_has_the_captures_of_the_archives_own(
    kept: tuple[Path, str, str], env: dict[str, str], tmp_path: Path
) -> None:
    collection = kept[0] / "collections" / "main"
    output = tmp_path / "index.cdxj"

    ran = carrel("index", collection / "archive", "-o", output, env=env)

    own = (collection / "indexes" / "index.cdxj").read_text().splitlines()
    anew = output.read_text().splitlines()
    assert ran.code == 0
    assert set(own) <= set(anew)


def warc_at(path: Path) -> Path:
    """Write a WARC of one record."""
    head = (
        "WARC/1.0\r\nWARC-Type: resource\r\nWARC-Target-URI: http://data.example/tides\r\n"
        "WARC-Record-ID: <urn:uuid:1>\r\nWARC-Date: 2020-01-01T00:00:00Z\r\n"
        f"Content-Type: text/plain\r\nContent-Length: {len(BODY)}\r\n\r\n"
    )
    path.write_bytes(gzip.compress(head.encode() + BODY + b"\r\n\r\n"))
    return path


NOTHING_TO_INDEX = {
    "list.txt": b"doi:10.5072/a\nhttps://data.example/\n",
    "url-list.warc": b"https://data.example/ 1 2 3 4\n",
    "empty.warc": b"",
    "empty.warc.gz": b"",
    "nothing-packed.warc.gz": gzip.compress(b""),
    "breaks.warc.gz": gzip.compress(b"\r\n\r\n"),
    "text.gz": gzip.compress(b"The tide came late."),
    "picture.png": b"\x89PNG\r\n\x1a\n" + b"x" * 200,
    "zeros.warc.gz": b"\0" * 5000,
    "cut.warc.gz": gzip.compress(b"WARC/1.0\r\nWARC-Type: resource\r\n")[:20],
}


@pytest.mark.parametrize("name", NOTHING_TO_INDEX)
def test_a_file_that_is_no_warc_is_named_and_the_others_are_indexed(
    env: dict[str, str], tmp_path: Path, name: str
) -> None:
    (tmp_path / name).write_bytes(NOTHING_TO_INDEX[name])
    warc = warc_at(tmp_path / "good.warc.gz")

    alone = carrel("index", tmp_path / name, env=env)
    beside = carrel("index", tmp_path / name, warc, env=env)

    assert (alone.code, alone.out) == (1, "")
    assert alone.err.startswith(f"{name}, byte 0: ")
    assert (beside.code, len(beside.out.splitlines())) == (1, 1)
    assert f"{name}, byte 0: " in beside.err


@pytest.mark.parametrize("device", ["/dev/null", "/dev/zero"])
def test_a_device_is_no_warc(env: dict[str, str], tmp_path: Path, device: str) -> None:
    ran = carrel("index", device, warc_at(tmp_path / "good.warc.gz"), env=env)

    assert (ran.code, len(ran.out.splitlines())) == (1, 1)
    assert "it is no regular file" in ran.err


def test_a_folder_without_warcs_is_named_beside_others(env: dict[str, str], tmp_path: Path) -> None:
    (tmp_path / "bare").mkdir()
    warc, output = warc_at(tmp_path / "good.warc.gz"), tmp_path / "index.cdxj"

    ran = carrel("index", tmp_path / "bare", warc, "-o", output, "--json", env=env)

    assert (ran.code, ran.lines[0]["lines"], ran.lines[0]["faults"]) == (1, 1, 1)
    assert f"{tmp_path / 'bare'}: This folder has no WARC or ARC file" in ran.err


def test_a_summary_in_json_is_said_to_be_for_files(env: dict[str, str], tmp_path: Path) -> None:
    ran = carrel("index", warc_at(tmp_path / "good.warc.gz"), "--json", env=env)

    assert (ran.code, len(ran.out.splitlines())) == (0, 1)
    assert "--json needs -o" in ran.err


def test_a_source_of_which_only_a_part_could_be_read_is_told_with_its_count(
    capsys: pytest.CaptureFixture[str],
) -> None:
    report = SourceReport("m3", SourceType.FILE, SourceState.ANSWERED, 1, "m3.warc.gz is cut off.")

    _tell(report, [])

    assert capsys.readouterr().err == "m3 (here): answered: 1 capture. m3.warc.gz is cut off.\n"


def test_a_damaged_warc_is_indexed_as_far_as_it_is_whole(
    kept: tuple[Path, str, str], env: dict[str, str], tmp_path: Path
) -> None:
    (whole,) = (kept[0] / "collections" / "main" / "archive").iterdir()
    cut = tmp_path / "cut.warc.gz"
    cut.write_bytes(whole.read_bytes()[:-100])

    ran = carrel("index", cut, env=env)

    assert ran.code == 1
    assert ran.out.count("\n") >= 1
    assert "cut.warc.gz, byte" in ran.err


@pytest.mark.parametrize(
    ("config", "said"),
    [
        ("collections:\n  a:\n    indx: /tmp\n", "index"),
        ("collections:\n  a: memento+nohost\n", "line 2"),
        ("nonsense", "collections"),
    ],
)
def test_a_faulty_configuration_is_named_by_line(
    env: dict[str, str], tmp_path: Path, config: str, said: str
) -> None:
    path = tmp_path / "collections.yaml"
    path.write_text(config)

    ran = carrel(
        "mementos", "http://x.org/", "--config", path, "--archive", tmp_path / "no", env=env
    )

    assert ran.code == 2
    assert said in ran.err
    assert "Traceback" not in ran.err


CHANGING = "http://example.org/changing"
OWN = "collections:\n  own:\n    index: $archive\n    resource: $archive\n"


def lying_in(archive: Path, name: str) -> Path:
    config = archive / name
    config.parent.mkdir(parents=True, exist_ok=True)
    config.write_text(OWN)
    return config


@pytest.mark.parametrize("name", ["own.yaml", "settings/others/own.yaml"])
def test_a_configuration_is_of_the_archive_that_it_lies_in(
    kept: tuple[Path, str, str], env: dict[str, str], tmp_path: Path, name: str
) -> None:
    archive, _, file = kept
    config, output = lying_in(archive, name), tmp_path / "tides.txt"

    found = carrel("mementos", file, "--config", config, "--json", env=env)
    got = carrel("get", file, "--config", config, "-o", output, env=env)

    assert (found.code, found.lines[0]["url"]) == (0, file)
    assert (got.code, output.read_bytes()) == (0, BODY)


def test_a_configuration_that_the_archive_links_to_is_of_that_archive(
    kept: tuple[Path, str, str], env: dict[str, str], tmp_path: Path
) -> None:
    archive, _, file = kept
    link = archive / "linked.yaml"
    link.symlink_to(lying_in(tmp_path, "shared.yaml"))

    ran = carrel("mementos", file, "--config", link, "--json", env=env)

    assert (ran.code, ran.lines[0]["url"]) == (0, file)


def test_an_archive_that_is_named_goes_before_the_one_around(
    kept: tuple[Path, str, str], env: dict[str, str], tmp_path: Path
) -> None:
    archive, _, file = kept
    other = new_archive(tmp_path / "other")
    Archive.create_or_open(other).close()
    config = lying_in(archive, "own.yaml")

    named = carrel("mementos", file, "--config", config, "--archive", other, "--json", env=env)
    usual = carrel(
        "mementos", file, "--config", config, "--json", env={**env, "CARREL_ARCHIVE": str(other)}
    )

    assert (named.code, named.out) == (0, "")
    assert usual.lines[0]["url"] == file


def test_a_configuration_beside_no_archive_says_what_is_missing(
    env: dict[str, str], tmp_path: Path
) -> None:
    config = lying_in(tmp_path, "own.yaml")

    ran = carrel("mementos", "https://data.example/", "--config", config, env=env)

    assert ran.code == 2
    assert "“$archive” is the archive that is open, and there is none: name one" in ran.err


@pytest.mark.parametrize("moment", ["yesterday", "2016-13-01", "20"])
def test_a_moment_that_is_none_is_refused(env: dict[str, str], tmp_path: Path, moment: str) -> None:
    ran = carrel("mementos", "http://x.org/", "--closest", moment, "--archive", tmp_path, env=env)

    assert ran.code == 2


def test_a_port_that_is_taken_is_named(
    server: WireServer, env: dict[str, str], tmp_path: Path
) -> None:
    port = server.origin.rpartition(":")[2]
    config = tmp_path / "collections.yaml"
    config.write_text(json.dumps({"collections": {"live": "$live"}}))

    ran = carrel("serve", "--port", port, "--config", config, "--archive", tmp_path / "no", env=env)

    assert ran.code == 2
    assert port in ran.err


@pytest.mark.parametrize("form", [(), ("--raw",), ("--warc",)])
def test_a_memento_is_written_in_each_form(
    kept: tuple[Path, str, str], env: dict[str, str], tmp_path: Path, form: tuple[str, ...]
) -> None:
    archive, _, file = kept
    output = tmp_path / "out"

    where = ("--archive", archive, "--collection", "archive")
    ran = carrel("get", file, "-o", output, *form, *where, env=env)

    assert ran.code == 0, ran.err
    content = output.read_bytes()
    assert content.startswith(b"WARC/1.") if form == ("--warc",) else content == BODY
    assert BODY in content


def test_what_is_there_is_not_overwritten_unasked(
    kept: tuple[Path, str, str], env: dict[str, str], tmp_path: Path
) -> None:
    archive, _, file = kept
    (warc,) = (archive / "collections" / "main" / "archive").iterdir()
    before = warc.read_bytes()
    there = tmp_path / "there"
    there.write_text("mine")

    refused = carrel("get", file, "-o", there, "--open", warc, env=env)
    over_itself = carrel("index", warc, "-o", warc, "--force", env=env)
    forced = carrel("get", file, "-o", there, "--open", warc, "--force", env=env)

    assert (refused.code, over_itself.code, forced.code) == (2, 2, 0)
    assert "--force" in refused.err
    assert warc.read_bytes() == before
    assert there.read_bytes() == BODY


@pytest.mark.parametrize(
    "text", ["kirchenbuch fenland", "mailto:a@b.org", "", "10.5072/a 10.5072/b", "nothing"]
)
def test_what_is_no_address_is_not_looked_up(
    env: dict[str, str], tmp_path: Path, text: str
) -> None:
    ran = carrel("mementos", text, "--archive", tmp_path / "none", env=env)

    assert ran.code == 2
    assert ran.err.count("\n") <= 2


@pytest.mark.parametrize(
    "option",
    [
        ("--from", "2014-1-20"),
        ("--from", "1/5/2010"),
        ("--to", "16-05-01"),
        ("--closest", "2016-"),
        ("--from", "2027", "--to", "2016"),
    ],
)
def test_a_date_in_another_order_is_refused_by_name(
    env: dict[str, str], tmp_path: Path, option: tuple[str, ...]
) -> None:
    ran = carrel("mementos", "http://x.org/", *option, "--archive", tmp_path / "none", env=env)

    assert ran.code == 2
    assert option[0] in ran.err


def test_a_folder_of_warcs_is_opened_and_several_files_at_once(
    kept: tuple[Path, str, str], env: dict[str, str], tmp_path: Path
) -> None:
    archive, _, file = kept
    folder = archive / "collections" / "main" / "archive"
    index = tmp_path / "other.cdxj"
    index.write_text("")

    ran = carrel("mementos", file, "--open", folder, "--open", index, "--json", env=env)

    assert [row["url"] for row in ran.lines] == [file]
    assert ran.err.count("answered") + ran.err.count("none") == 2


@pytest.mark.parametrize("name", ["notes.md", "carrel.sqlite"])
def test_what_is_no_web_archive_is_not_opened(
    env: dict[str, str], tmp_path: Path, name: str
) -> None:
    (tmp_path / name).write_text("something else")

    ran = carrel("mementos", "http://x.org/", "--open", tmp_path / name, env=env)

    assert ran.code == 2
    assert name in ran.err


def test_standard_output_gets_the_content_alone(
    kept: tuple[Path, str, str], env: dict[str, str]
) -> None:
    archive, _, file = kept

    ran = carrel("get", file, "-o", "-", "--archive", archive, "--collection", "archive", env=env)

    assert ran.code == 0
    assert ran.out.encode() == BODY
    assert "Its checksum matches its index" in ran.err


@pytest.fixture
def two_versions(tmp_path: Path, env: dict[str, str]) -> tuple[Path, Path, int]:
    """A configuration over a WARC with two captures; that WARC, and where the newer one is."""
    folder = tmp_path / "warcs"
    folder.mkdir()
    warc, index = folder / "two.warc.gz", tmp_path / "two.cdxj"
    older = response(CHANGING, b"the first", date="2020-01-01T00:00:00Z")
    newer = response(CHANGING, b"the second", date="2021-01-01T00:00:00Z")
    places = write_warc(warc, older, newer)
    assert carrel("index", warc, "-o", index, env=env).code == 0
    config = tmp_path / "own.yaml"
    config.write_text(f"collections:\n  own:\n    index: {index}\n    resource: {folder}/\n")
    return config, warc, places[1][0]


def test_a_capture_that_is_passed_over_is_named_with_the_reason(
    two_versions: tuple[Path, Path, int], env: dict[str, str], tmp_path: Path
) -> None:
    config, warc, offset = two_versions
    content = bytearray(warc.read_bytes())
    content[offset : offset + 12] = bytes(12)
    warc.write_bytes(content)
    output = tmp_path / "page"

    where = ("--config", config, "--collection", "own")
    told = carrel("get", CHANGING, "-o", output, *where, env=env)
    as_json = carrel("get", CHANGING, "-o", output, *where, "--json", "--force", env=env)

    assert (told.code, output.read_bytes()) == (0, b"the first")
    assert "Passed over: the capture of 20210101000000 from own cannot be loaded: " in told.err
    assert "two.warc.gz" in told.err
    ((passed_over,),) = [each["passed_over"] for each in as_json.lines]
    assert passed_over["timestamp"] == "20210101000000"
    assert "two.warc.gz" in passed_over["message"]
    assert "Passed over" in as_json.err


def test_a_capture_of_another_time_is_told_with_its_own(
    env: dict[str, str], tmp_path: Path
) -> None:
    url, output = "http://site.example/", tmp_path / "page.html"
    config = tmp_path / "collections.yaml"
    with StandIn() as archive:
        archive.hold(url, "20000229000000", "20220101000000")
        archive.on("/web/20000229000000", redirect(f"/web/20220101000000id_/{url}"))
        config.write_text(
            "collections:\n  all:\n    index_group:\n      other:\n        type: memento\n"
            f"        timegate_url: {archive.origin}/timegate/{{url}}\n"
            f"        timemap_url: {archive.origin}/timemap/link/{{url}}\n"
            f"        replay_url: {archive.origin}/web/{{timestamp}}id_/{{url}}\n"
        )
        ran = carrel(
            *("get", url, "--closest", "2000", "-o", output, "--json", "--config", config),
            *("--archive", tmp_path / "none"),
            env=env,
        )

    (told,) = ran.lines
    assert ran.code == 0
    assert (told["timestamp"], told["listed_timestamp"]) == ("20220101000000", "20000229000000")
    assert "delivered its capture of 20220101000000" in ran.err


def test_where_the_closest_is_given_nothing_is_passed_over(
    two_versions: tuple[Path, Path, int], env: dict[str, str], tmp_path: Path
) -> None:
    config, _, _ = two_versions
    output = tmp_path / "page"

    told = carrel(
        *("get", CHANGING, "-o", output, "--config", config, "--collection", "own", "--json"),
        env=env,
    )

    assert (told.code, output.read_bytes()) == (0, b"the second")
    assert told.lines[0]["passed_over"] == []
    assert "Passed over" not in told.err


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        (("--limit", "2"), "answered: 2 captures or more (no more were read: --limit)"),
        (
            ("--limit", "2", "--closest", "2020"),
            "answered: 22 captures or more (no more were read: --limit)",
        ),
        (("--limit", "30"), "answered: 25 captures"),
        (("--limit", "25"), "answered: 25 captures"),
        (("--limit", "5", "--closest", "2020"), "answered: 25 captures"),
        (
            ("--limit", "24"),
            "answered: 24 captures or more (no more were read: --limit)",
        ),
    ],
)
def test_an_answer_that_was_cut_is_not_said_to_be_all(
    env: dict[str, str], tmp_path: Path, asked: tuple[str, ...], said: str
) -> None:
    days = range(1, 26)
    warc = tmp_path / "many.warc.gz"
    made = [response(CHANGING, b"%d" % day, date=f"2020-01-{day:02}T00:00:00Z") for day in days]
    write_warc(warc, *made)
    index, config = tmp_path / "many.cdxj", tmp_path / "own.yaml"
    assert carrel("index", warc, "-o", index, env=env).code == 0
    config.write_text(f"collections:\n  own:\n    index: {index}\n    resource: {tmp_path}/\n")

    ran = carrel("mementos", CHANGING, "--config", config, "--collection", "own", *asked, env=env)

    assert ran.code == 0
    assert f"own (here): {said}\n" in ran.err


URL = "http://cut.example/tides"
DAYS = [f"2020-01-0{day}T03:04:05Z" for day in range(1, 5)]


def cut_off(folder: Path) -> Path:
    """Write a WARC with a whole capture, one that lacks its end, one that was cut off and a
    range."""
    path, length = folder / "cut.warc.gz", len(BODY)
    write_warc(
        path,
        response(URL, BODY, date=DAYS[0], headers=[("Content-Length", str(length))]),
        response(URL, BODY, date=DAYS[1], headers=[("Content-Length", str(length + 1))]),
        response(URL, BODY, date=DAYS[2], truncated="time"),
        response(URL, BODY, date=DAYS[3], status="206 Partial Content"),
    )
    return path


WHY = (
    "It is shorter than its server said: its end is missing.",
    "It was cut off when it was captured.",
    "It is a part of the file, as the server sent it (status 206).",
)
OF_PARTS = [f"{URL} of 2020010{day}030405: {why}" for day, why in enumerate(WHY, 2)]
PARTS = [None, "short", "truncated", "range"]


def test_captures_that_are_only_parts_are_listed_as_such(
    env: dict[str, str], tmp_path: Path
) -> None:
    asked = ("mementos", URL, "--open", cut_off(tmp_path), "--archive", tmp_path / "none")

    listed, as_json = carrel(*asked, env=env), carrel(*asked, "--json", env=env)

    said = [line.partition(URL)[2].strip() for line in listed.out.splitlines()]
    assert said == ["", *WHY]
    assert [row.get("part") for row in as_json.lines] == PARTS


def test_captures_that_are_only_parts_are_named_when_they_are_imported_and_verified(
    env: dict[str, str], tmp_path: Path
) -> None:
    path, archive = cut_off(tmp_path), tmp_path / "archive"

    done = carrel("import", path, "--archive", archive, "--json", env=env)
    read = carrel("verify", "--archive", archive, env=env)
    as_json = carrel("verify", path, "--json", "--archive", archive, env=env)

    assert done.lines[0]["remarks"] == OF_PARTS
    assert (read.code, as_json.code) == (0, 0)
    assert [line for line in read.out.splitlines() if URL in line] == OF_PARTS
    assert as_json.lines[-1]["remarks"] == OF_PARTS
    assert [each["part"] for each in as_json.lines if each.get("url")] == PARTS


def test_of_many_parts_the_first_are_named_and_the_others_counted() -> None:
    parts = Parts()
    for number in range(23):
        parts.add(f"http://cut.example/{number}", "20200102030405", Part.SHORT)

    assert len(parts.sentences) == 21
    assert parts.sentences[-1] == "3 more captures are only parts of what their servers had."
