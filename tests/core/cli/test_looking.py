# SPDX-License-Identifier: AGPL-3.0-or-later
"""`carrel mementos`, `get` and `index`, as a shell sees them."""

import hashlib
import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from support.archives import carrel, environment, ingest, new_archive
from support.wire import WireServer, dataset_page, reply

BODY = b"The tide came late.\n" * 20


@pytest.fixture(scope="module")
def server() -> Iterator[WireServer]:
    with pytest.MonkeyPatch.context() as context, WireServer() as running:
        for name in ("http_proxy", "https_proxy", "all_proxy", "no_proxy"):
            context.delenv(name, raising=False)
            context.delenv(name.upper(), raising=False)
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


def test_a_warc_is_opened_from_anywhere(
    kept: tuple[Path, str, str], env: dict[str, str], tmp_path: Path
) -> None:
    archive, _, file = kept
    (warc,) = (archive / "collections" / "main" / "archive").iterdir()

    ran = carrel(
        "mementos", file, "--open", warc, "--archive", tmp_path / "none", "--json", env=env
    )

    assert [row["url"] for row in ran.lines] == [file]


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
