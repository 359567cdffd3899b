# SPDX-License-Identifier: AGPL-3.0-or-later
"""Every form that a collections file can have, and what it stands for."""

from pathlib import Path

import pytest

from carrel.errors import ConfigError
from carrel.mementos.config.collection import (
    CdxSource,
    Collection,
    Collections,
    FileSource,
    LedgerSource,
    Live,
    LiveSource,
    MementoSource,
    RedisSource,
    ResourceConfig,
    SourceConfig,
    Step,
    WarcIndexFile,
    WarcIndexRedis,
    WarcPrefix,
)
from carrel.mementos.config.grammar import read, understand, understand_source

BASE = Path("/base")
ARCHIVE = Path("/archive")
ARCHIVE_WARCS = WarcPrefix(Path("/archive/collections/main/archive"))
CDX_QUERY = "url={url}&closest={timestamp}&sort=closest"


def understood(text: str) -> Collections:
    return understand(text, name="collections.yaml", base=BASE, archive=ARCHIVE)


def collection(value: str) -> Collection:
    return understood(f"collections:\n  x: {value}\n").collections[0]


def step(value: str) -> Step:
    (only,) = collection(value).steps
    return only


def source(value: str) -> SourceConfig:
    (only,) = step(value).sources
    return only


def resources(value: str) -> tuple[ResourceConfig, ...]:
    return step(f"{{index: ./index, resource: {value}}}").resources


def warnings(value: str) -> str:
    return "\n".join(understood(f"collections:\n  x: {value}\n").warnings)


@pytest.mark.parametrize(
    ("form", "path"),
    [
        ("{index: {type: file, path: 'file:///local/index/'}}", "/local/index"),
        ("{index: {type: file, path: local/index}}", "/base/local/index"),
        ("{index: /local/index}", "/local/index"),
        ("{index: ./local/index}", "/base/local/index"),
        ("./local/index", "/base/local/index"),
        ("file:///local/index/", "/local/index"),
        ("file:/local/index", "/local/index"),
        ("file://localhost/local/index", "/local/index"),
        ("file:///a%20folder/%C3%A9", "/a folder/é"),
        ("/data/some.cdxj", "/data/some.cdxj"),
        ("c+d/index", "/base/c+d/index"),
        ("~/index", "/base/~/index"),
    ],
)
def test_a_path_is_seen_from_the_folder_of_the_file(form: str, path: str) -> None:
    assert source(form) == FileSource("x", Path(path))


@pytest.mark.parametrize("ending", ["warc", "warc.gz", "arc", "arc.gz", "wacz", "WARC.GZ"])
def test_a_warc_is_the_place_of_its_own_records(ending: str) -> None:
    found = step(f"/drive/some.{ending}")

    path = Path(f"/drive/some.{ending}")
    assert found == Step((FileSource("x", path),), (WarcPrefix(path),))


def test_a_memento_archive_in_full() -> None:
    form = (
        "{index: {type: memento, timegate_url: 'http://h/g/{url}', timemap_url: 'http://h/m/{url}',"
        " replay_url: 'http://h/{timestamp}id_/{url}'}, resource: $live}"
    )

    assert step(form) == Step(
        (
            MementoSource(
                "x", "http://h/g/{url}", "http://h/m/{url}", "http://h/{timestamp}id_/{url}"
            ),
        ),
        (Live(),),
    )


@pytest.mark.parametrize("missing", ["timegate_url", "timemap_url"])
def test_a_memento_archive_needs_one_way_of_being_asked_only(missing: str) -> None:
    keys = {
        "timegate_url": "http://h/g/{url}",
        "timemap_url": "http://h/m/{url}",
        "replay_url": "http://h/{timestamp}id_/{url}",
    }
    del keys[missing]
    pairs = ", ".join(f"{key}: '{value}'" for key, value in keys.items())

    found = source(f"{{index: {{type: memento, {pairs}}}}}")

    assert getattr(found, missing) == ""


@pytest.mark.parametrize("slashes", ["", "/", "//"])
def test_a_memento_archive_in_short(slashes: str) -> None:
    assert source(f"memento+http://arquivo.pt/wayback{slashes}") == MementoSource(
        "x",
        "http://arquivo.pt/wayback/{url}",
        "http://arquivo.pt/wayback/timemap/link/{url}",
        "http://arquivo.pt/wayback/{timestamp}id_/{url}",
    )


def test_a_cdx_server_in_full() -> None:
    form = (
        "{index: {type: cdx, api_url: 'http://h/cdx?url={url}&closest={closest}',"
        " replay_url: 'http://h/{timestamp}id_/{url}'}}"
    )

    assert source(form) == CdxSource(
        "x", "http://h/cdx?url={url}&closest={closest}", "http://h/{timestamp}id_/{url}"
    )


@pytest.mark.parametrize(
    ("form", "replay"),
    [
        ("cdx+http://h/all-cdx", "http://h/all/{timestamp}id_/{url}"),
        ("cdx+http://h/cdx /web/", "http://h/web/{timestamp}id_/{url}"),
        ("cdx+http://h/cdx /web", "http://h/web/{timestamp}id_/{url}"),
        ("cdx+http://h/a/cdx web/", "http://h/a/web/{timestamp}id_/{url}"),
        ("cdx+http://h/cdx https://g/web", "https://g/web/{timestamp}id_/{url}"),
        ("cdx+http://h/all-cdx /web/", "http://h/web/{timestamp}id_/{url}"),
        ("cdx+http://h/cdx", None),
    ],
)
def test_a_cdx_server_in_short(form: str, replay: str | None) -> None:
    found = source(form)

    api = form.removeprefix("cdx+").split(" ")[0]
    assert found == CdxSource("x", f"{api}?{CDX_QUERY}", replay)


def test_the_query_of_a_cdx_server_is_kept() -> None:
    found = source("cdx+http://h/cdx?coll=a")

    assert isinstance(found, CdxSource)
    assert found.api_url == f"http://h/cdx?coll=a&{CDX_QUERY}"


def test_a_semicolon_before_the_prefix_is_read_with_a_warning() -> None:
    found = source("cdx+http://web.archive.org/cdx;/web")

    assert isinstance(found, CdxSource)
    assert found.replay_url == "http://web.archive.org/web/{timestamp}id_/{url}"
    assert "cdx+http://web.archive.org/cdx /web" in warnings("cdx+http://web.archive.org/cdx;/web")


def test_a_cdx_server_with_warcs_elsewhere() -> None:
    found = step("{index: 'cdx+http://path/to/cdx/server', resource: 'http://path/to/warcs'}")

    assert found.resources == (WarcPrefix("http://path/to/warcs/"),)


@pytest.mark.parametrize("form", ["$live", "live", "{index: $live}", "{index: {type: live}}"])
def test_the_live_web(form: str) -> None:
    assert step(form) == Step((LiveSource("x"),), (Live(),))


@pytest.mark.parametrize("form", ["$archive", "{index: $archive}", "{index: {type: archive}}"])
def test_the_archive_that_is_open(form: str) -> None:
    assert step(form) == Step((LedgerSource("x"),), (ARCHIVE_WARCS,))


@pytest.mark.parametrize(
    "form",
    ["redis://h:6379/2/a:key", "{index: {type: redis, redis_url: 'redis://h:6379/2/a:key'}}"],
)
def test_a_sorted_set_in_redis(form: str) -> None:
    assert source(form) == RedisSource("x", "redis://h:6379/2/a:key")


def test_a_group_is_one_step_with_a_name_for_each_source() -> None:
    found = collection(
        "{index_group: {ia: 'memento+http://a/', near: /idx, now: {type: live}},"
        " resource: [/warcs, $live], index_timeout: 3}"
    )

    (only,) = found.steps
    assert [each.name for each in only.sources] == ["ia", "near", "now"]
    assert only.resources == (WarcPrefix(Path("/warcs")), Live())
    assert only.timeout_s == 3.0


def test_a_group_without_resource_has_that_of_its_sources() -> None:
    found = step("{index_group: {a: $archive, b: ./b.wacz, c: 'memento+http://c/', d: $live}}")

    assert found.resources == (ARCHIVE_WARCS, WarcPrefix(Path("/base/b.wacz")), Live())


def test_a_sequence_has_a_step_for_each_item() -> None:
    found = collection(
        "{sequence: [{index: ./near, resource: ./warcs, name: near},"
        " {index_group: {ia: $live}, index_timeout: 0.5}, {index: $live}], index_timeout: 7}"
    )

    assert [each.sources[0].name for each in found.steps] == ["near", "ia", "x:3"]
    assert [each.timeout_s for each in found.steps] == [7.0, 0.5, 7.0]
    assert found.steps[0].resources == (WarcPrefix(Path("/base/warcs")),)
    assert found.steps[1].resources == (Live(),)


def test_the_first_step_of_a_sequence_is_called_after_the_collection() -> None:
    found = collection("{sequence: [{index: $live}, {index: $live}]}")

    assert [each.sources[0].name for each in found.steps] == ["x", "x:2"]


def test_the_deadline_is_five_seconds_unless_said_otherwise() -> None:
    assert step("$live").timeout_s == 5.0


@pytest.mark.parametrize(
    ("form", "expected"),
    [
        ("$live", (Live(),)),
        ("$archive", (ARCHIVE_WARCS,)),
        ("file:///warcs", (WarcPrefix(Path("/warcs")),)),
        (
            "['file:///warcs', 'http://h/p']",
            (WarcPrefix(Path("/warcs")), WarcPrefix("http://h/p/")),
        ),
        ("warc-prefix+file:///d", (WarcPrefix(Path("/d")),)),
        ("warc-prefix+http://h/p/", (WarcPrefix("http://h/p/"),)),
        ("warc-prefix+d", (WarcPrefix(Path("/base/d")),)),
        ("warc-index+file:///p/paths.txt", (WarcIndexFile(Path("/p/paths.txt")),)),
        ("warc-index+redis://redis/hash_key", (WarcIndexRedis("redis://redis/hash_key"),)),
        ("redis://redis/1/hash_key", (WarcIndexRedis("redis://redis/1/hash_key"),)),
    ],
)
def test_a_resource(form: str, expected: tuple[ResourceConfig, ...]) -> None:
    assert resources(form) == expected


def test_a_file_that_is_there_is_guessed_to_say_where_warcs_are(tmp_path: Path) -> None:
    paths, warc = tmp_path / "paths.txt", tmp_path / "some.warc.gz"
    paths.touch()
    warc.touch()

    assert resources(f"[{paths}, {warc}, {tmp_path}]") == (
        WarcIndexFile(paths),
        WarcPrefix(warc),
        WarcPrefix(tmp_path),
    )


def test_variables_of_the_environment_are_not_expanded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SECRET", "told")

    assert source("a/${SECRET}") == FileSource("x", Path("/base/a/${SECRET}"))


def test_a_collection_has_a_title_and_the_order_of_the_file() -> None:
    found = understood("collections:\n  b: $live\n  a: {index: $live, title: The web}\n")

    assert [(each.name, each.title) for each in found.collections] == [("b", ""), ("a", "The web")]


def test_an_alias_stands_for_what_it_names() -> None:
    found = understood(
        "collections:\n  a: {index: $live, resource: &r [/d]}\n  b: {index: /i, resource: *r}\n"
    )

    assert [each.steps[0].resources for each in found.collections] == [
        (WarcPrefix(Path("/d")),)
    ] * 2


def test_a_file_is_read_and_its_paths_start_from_its_folder(tmp_path: Path) -> None:
    path = tmp_path / "collections.yaml"
    path.write_bytes(b"\xef\xbb\xbfcollections:\r\n  x: ./index\r\n")

    found = read(path, archive=None)

    assert found.collections[0].steps[0].sources == (FileSource("x", tmp_path / "index"),)


def test_one_source_is_understood_alone() -> None:
    found = understand_source("memento+https://h/w", name="mine", base=BASE, archive=None)

    assert isinstance(found, MementoSource)
    assert found.name == "mine"


def test_what_is_no_source_is_refused_alone() -> None:
    with pytest.raises(ConfigError, match="needs a “type”"):
        understand_source("url: x", name="mine", base=BASE, archive=None)


# What works, but perhaps not as somebody thinks


@pytest.mark.parametrize(
    "form", ["cdx+http://h/cdx", "/i", "redis://h/0/k", "{index: $archive, resource: $live}"]
)
def test_rows_that_name_warcs_need_a_place_of_warcs(form: str) -> None:
    assert "“x” cannot be loaded" in warnings(form)


@pytest.mark.parametrize("form", ["$live", "memento+http://h/"])
def test_rows_of_the_network_need_live(form: str) -> None:
    assert "“x” cannot be loaded" in warnings(f"{{index: '{form}', resource: /warcs}}")


@pytest.mark.parametrize(
    "form",
    [
        "cdx+http://h/all-cdx",
        "$live",
        "memento+http://h/",
        "$archive",
        "{index: 'cdx+http://h/cdx', resource: 'http://h/w'}",
    ],
)
def test_what_can_be_loaded_is_no_matter_of_doubt(form: str) -> None:
    assert warnings(form) == ""


def test_a_path_that_is_missing_now_is_a_warning() -> None:
    found = warnings("{index: /not/there, resource: /nor/there}")

    assert "nothing at “/not/there”" in found
    assert "nothing at “/nor/there”" in found


def test_an_index_that_is_not_sorted_is_a_warning(tmp_path: Path) -> None:
    (tmp_path / "a.cdxj").write_bytes(b"com,b)/ 2016 {}\ncom,a)/ 2016 {}\n")
    (tmp_path / "b.cdxj").write_bytes(b" CDX N b a\ncom,a)/ 2016 x\ncom,b)/ 2016 x\n")

    found = warnings(f"{{index: {tmp_path}, resource: {tmp_path}}}")

    assert "a.cdxj” is not sorted" in found
    assert "b.cdxj" not in found


def test_a_long_index_is_sampled(tmp_path: Path) -> None:
    lines = [f"com,a{number:07})/ 2016 {{}}\n" for number in range(50_000)]
    (tmp_path / "sorted.cdxj").write_text("".join(lines))
    (tmp_path / "not.cdxj").write_text("".join([*lines[25_000:], *lines[:25_000]]))

    found = warnings(f"{{index: {tmp_path}, resource: {tmp_path}}}")

    assert "not.cdxj” is not sorted" in found
    assert "sorted.cdxj" not in found


def test_a_folder_without_index_is_a_warning(tmp_path: Path) -> None:
    assert "there is no index" in warnings(f"{{index: {tmp_path}, resource: {tmp_path}}}")


def test_one_name_in_several_steps_is_a_warning() -> None:
    form = "{sequence: [{index: $live, name: a}, {index: $live, name: a}]}"

    assert "sources of several steps are named “a”" in warnings(form)
