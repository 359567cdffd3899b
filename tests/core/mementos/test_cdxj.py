# SPDX-License-Identifier: AGPL-3.0-or-later
"""The index: sorted, without repeats, never half there."""

import json
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from carrel.mementos import cdxj
from carrel.mementos.cdxj import CdxjIndex, line_of
from carrel.model import Capture
from support.records import CAPTURE, files_in


def capture(key: str, timestamp: int = 20260302093015) -> Capture:
    return replace(CAPTURE, surt=f"org,example)/{key}", timestamp=str(timestamp))


def lines_of(index: CdxjIndex) -> list[bytes]:
    return index.path.read_bytes().splitlines(keepends=True)


def test_a_line_holds_what_pywb_reads() -> None:
    key, timestamp, fields = line_of(CAPTURE).split(" ", 2)

    assert (key, timestamp) == ("org,example)/a", "20260302093015")
    assert json.loads(fields) == {
        "url": "http://example.org/a",
        "mime": "text/csv",
        "status": "200",
        "digest": "sha1:" + "A" * 32,
        "length": "20",
        "offset": "100",
        "filename": "main-1.warc.gz",
    }


def test_a_revisit_is_marked_as_one() -> None:
    assert '"mime": "warc/revisit"' in line_of(replace(CAPTURE, is_revisit=True))


@given(
    batches=st.lists(
        st.lists(
            st.builds(capture, st.text("az,-./:)?~Zé", max_size=3), st.integers(10**13, 10**14 - 1))
        ),
        max_size=4,
    )
)
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_however_it_came_together_it_is_sorted_by_bytes_without_repeats(
    tmp_path_factory: pytest.TempPathFactory, batches: list[list[Capture]]
) -> None:
    index = CdxjIndex(tmp_path_factory.mktemp("indexes"))

    for batch in [[CAPTURE], *batches, [CAPTURE]]:
        index.add(batch)

    everything = {line_of(each).encode() + b"\n" for batch in batches for each in batch}
    expected = sorted(everything | {line_of(CAPTURE).encode() + b"\n"})
    assert lines_of(index) == expected


def test_nothing_new_leaves_the_index_alone(tmp_path: Path) -> None:
    CdxjIndex(tmp_path / "indexes").add([])

    assert not (tmp_path / "indexes").exists()


def test_a_large_index_is_set_aside(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cdxj, "_SET_ASIDE_FROM_BYTES", 400)
    index = CdxjIndex(tmp_path)

    for number in range(7):
        index.add([capture(f"{number}")])

    kept = b"".join(path.read_bytes() for path in sorted(tmp_path.iterdir()))
    aside = [f"index-000{number}.cdxj" for number in (1, 2, 3)]
    assert files_in(tmp_path) == [*aside, "index.cdxj"]
    assert kept.decode().splitlines() == [line_of(capture(f"{n}")) for n in range(7)]


def test_of_many_small_files_one_is_made(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    one_line = len(line_of(capture("000"))) + 1
    monkeypatch.setattr(cdxj, "_SET_ASIDE_FROM_BYTES", one_line)
    monkeypatch.setattr(cdxj, "_GROWN_FROM_BYTES", one_line * 64)
    index = CdxjIndex(tmp_path)

    for number in reversed(range(100)):
        index.add([capture(f"{number:03}")])

    sizes = sorted(path.stat().st_size // one_line for path in tmp_path.iterdir())
    assert sizes == [1] * 4 + [8] * 4 + [64]
    kept = [path.read_text().splitlines() for path in tmp_path.iterdir()]
    assert all(lines == sorted(lines) for lines in kept)
    assert sorted(line for lines in kept for line in lines) == [
        line_of(capture(f"{number:03}")) for number in range(100)
    ]


def test_killed_while_one_is_made_of_many_no_line_is_lost(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cdxj, "_SET_ASIDE_FROM_BYTES", 1)
    index = CdxjIndex(tmp_path)

    for number in range(7):
        index.add([capture(f"{number}")])

    def killed(path: Path, missing_ok: bool = False) -> None:
        if path.name.startswith("index-"):
            raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(Path, "unlink", killed)
        with pytest.raises(KeyboardInterrupt):
            index.add([capture("7")])

    kept = {line for path in tmp_path.iterdir() for line in path.read_text().splitlines()}
    assert kept == {line_of(capture(f"{number}")) for number in range(8)}


def test_setting_aside_never_replaces_an_index(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cdxj, "_SET_ASIDE_FROM_BYTES", 1)
    older = tmp_path / "index-0002.cdxj"
    older.write_text("the first was merged elsewhere, this one stayed\n")

    CdxjIndex(tmp_path).add([CAPTURE])

    assert older.read_text().startswith("the first was merged")


def test_a_fault_while_writing_leaves_the_index_as_it_was(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    index = CdxjIndex(tmp_path)
    index.add([CAPTURE])
    before = index.path.read_bytes()

    def full(handle: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.fsync", full)
    with pytest.raises(OSError, match="No space"):
        index.add([capture("b")])

    assert index.path.read_bytes() == before


def test_what_an_interrupted_writer_left_is_no_index(tmp_path: Path) -> None:
    (tmp_path / "index.cdxj.tmp").write_bytes(b"org,example)/half")
    index = CdxjIndex(tmp_path)

    index.add([CAPTURE])

    assert lines_of(index) == [line_of(CAPTURE).encode() + b"\n"]
    assert files_in(tmp_path) == ["index.cdxj"]
