# SPDX-License-Identifier: AGPL-3.0-or-later
"""Whatever stands on the command line, a command ends as its contract says: 0, 1 or 2, in words."""

import json
import os
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from carrel.archive import Archive
from carrel.cli.program import run as main
from carrel.mementos.warc.indexer import index_files
from carrel.model.names import readable
from support.archives import Ran, command, environment, new_archive
from support.warcs import response, write_warc

Carrel = Callable[..., Ran]
LATIN = os.fsdecode(b"caf\xe9\xff")
TEXTS = {
    "bytes": LATIN,
    "bytes in an address": f"https://127.0.0.1:9/{LATIN}",
    "bytes in a DOI": f"10.5281/{LATIN}",
    "nothing": "",
    "a dash": "-",
    "two dashes": "--",
    "controls": "\x01\x1b[31m\x7f",
    "turned": "\u202eabc",
    "a line break": "\n",
    "long": "a" * 300,
    "longer": "b" * 5_000,
    "longest": "https://127.0.0.1:9/" + "c" * 130_000,
}
NAMES = {
    "bytes": LATIN,
    "nothing": "",
    "a dash": "-",
    "long": "a" * 300,
    "longer": "b" * 5_000,
    "longest": "c" * 130_000,
    "controls": "\x01\x1b",
    "a folder": ".",
    "a file as a folder": "list.txt/x",
    "an empty file": "empty",
    "not text": "a.warc.gz",
}
NUMBERS = ["", "-1", "0", "9" * 30, "9" * 5_000, "1e999", "NaN", "x", LATIN, "1_000", "٣"]
MOMENTS = ["", "-1", "0", "2016-13", "9999-99-99", "9" * 300, LATIN, "2016-05-01T25:61", "٢٠١٦"]
HERE = "http://127.0.0.1:9/x"
# "{}" stands for what is hostile.
WITH_TEXT = [
    "preview {}",
    "ingest {} --dry-run",
    f"preview {HERE} --item-name {{}}",
    f"preview {HERE} --strategy {{}}",
    "results {}",
    "results --sha256 {}",
    "results --table {}",
    "verify --ingest {}",
    "mementos {}",
    f"mementos {HERE} --collection {{}}",
    "get {} -o out",
    f"get {HERE} -o out --collection {{}}",
    "batch list --batch {}",
    "batch list --cause {}",
    "batch list --state {}",
    "batch export --batch {}",
    "batch pause {}",
    "batch retry --batch {}",
    "batch answer leave {}",
    "batch answer {} x",
    "batch add list.txt --name {}",
    "batch add list.csv --column {}",
    "batch {}",
    "dark {}",
    "dark show {}",
    "dark search {}",
    "dark lost --series {}",
    "dark changes --repec-archive {}",
    "dark open {} --reason x",
    "dark open RePEc:aaa:x:1 --reason {}",
    "dark purge {} --reason x --yes",
    "dark export --reason {} -o out",
    "dark run --backfill {}",
    "dark watch add {}",
    "dark watch show {}",
    "dark watch look {}",
    "dark watch remove {}",
    "credentials set {}",
    "credentials set zenodo.org --kind {}",
    "credentials remove {}",
    "--log {} results",
    "{}",
]
WITH_NAME = [
    "results --archive {}",
    "batch list --archive {}",
    "batch add {}",
    "batch add {} --dry-run",
    "batch export --force -o {}",
    "verify {}",
    "verify --archive {}",
    "index {}",
    "index a.warc.gz --force -o {}",
    f"get {HERE} --force -o {{}}",
    f"get {HERE} -o out --open {{}}",
    f"mementos {HERE} --open {{}}",
    f"mementos {HERE} --config {{}}",
    f"mementos {HERE} --archive {{}}",
    "serve --port 0 --config {}",
    "dark run -c {}",
    "dark run -f {}",
    "dark run --list {}",
    "dark read {}",
    "dark lost --force --csv {}",
    "dark series --force --csv {}",
    "dark release RePEc:aaa:x:1 --reason x -o {}",
    "dark export --reason x -o {}",
    "dark verify --archive {}",
    "demo --archive {}",
    "desktop --archive {}",
]
# What would do as it is told: serve for ever, archive the samples there, open a window.
OBEYED = {
    *(("demo --archive {}", kind) for kind in ("bytes", "a dash", "controls", "a folder")),
    *((f"batch add {{}}{option}", "a dash") for option in ("", " --dry-run")),
}
WITH_NUMBER = [
    f"mementos {HERE} --limit {{}}",
    f"preview {HERE} --max-total-size {{}}",
    f"preview {HERE} --max-file-count {{}}",
    "dark search x --limit {}",
]
WITH_MOMENT = [
    f"mementos {HERE} --closest {{}}",
    f"mementos {HERE} --from {{}}",
    f"get {HERE} -o out --closest {{}}",
    "dark show RePEc:aaa:x:1 --at {}",
    "dark lost --since {}",
    "dark export --reason x -o out --since {}",
]


@pytest.fixture(scope="module")
def furnished(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with an archive that is asked by default and asks nobody, to be copied."""
    folder = tmp_path_factory.mktemp("furnished")
    archive = new_archive(folder / "archive")
    with Archive.create_or_open(archive):
        pass
    (archive / "collections.yaml").write_text("collections:\n  all: $archive\n")
    (folder / "list.txt").write_text(f"{HERE}\n")
    (folder / "empty").touch()
    (folder / "list.csv").write_text(f"url;title\n{HERE};x\n")
    write_warc(folder / "a.warc.gz", response("http://example.org/x", b"tide"))
    return folder


@pytest.fixture
def place(furnished: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder to work in, with an archive that is asked by default and asks nobody."""
    shutil.copytree(furnished, tmp_path, dirs_exist_ok=True)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("CARREL_ARCHIVE", str(tmp_path / "archive"))
    for name in ("HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY", "DISPLAY", "QT_QPA_PLATFORM"):
        monkeypatch.delenv(name, raising=False)
    return tmp_path


@pytest.fixture
def carrel(
    place: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Carrel:
    def run(*arguments: str) -> Ran:
        monkeypatch.setattr("sys.argv", ["carrel", *arguments])
        capsys.readouterr()
        with pytest.raises(SystemExit) as end:
            main()
        shown = capsys.readouterr()
        return Ran(int(end.value.code or 0), shown.out, shown.err)

    return run


def filled(words: str, given: str) -> list[str]:
    return [given if word == "{}" else word for word in words.split()]


def assert_kept_its_contract(ran: Ran) -> None:
    assert ran.code in (0, 1, 2)
    assert "Traceback" not in ran.out + ran.err
    assert "bug in Carrel" not in ran.err
    assert not any(sign in ran.err for sign in ("\x1b", "\x01", "\u202e", "\udce9"))
    assert len(ran.err) < 25_000


@pytest.mark.parametrize("given", TEXTS.values(), ids=TEXTS.keys())
@pytest.mark.parametrize("words", WITH_TEXT)
def test_any_text_is_understood_or_refused(carrel: Carrel, words: str, given: str) -> None:
    assert_kept_its_contract(carrel(*filled(words, given)))


@pytest.mark.parametrize("kind", NAMES)
@pytest.mark.parametrize("words", WITH_NAME)
def test_any_name_of_a_file_is_used_or_refused(carrel: Carrel, words: str, kind: str) -> None:
    if (words, kind) in OBEYED:
        pytest.skip("there is nothing wrong with it")

    assert_kept_its_contract(carrel(*filled(words, NAMES[kind])))


@pytest.mark.parametrize("given", NUMBERS, ids=range(len(NUMBERS)))
@pytest.mark.parametrize("words", WITH_NUMBER)
def test_any_number_is_taken_or_refused(carrel: Carrel, words: str, given: str) -> None:
    assert_kept_its_contract(carrel(*filled(words, given)))


@pytest.mark.parametrize("given", MOMENTS, ids=range(len(MOMENTS)))
@pytest.mark.parametrize("words", WITH_MOMENT)
def test_any_moment_is_taken_or_refused(carrel: Carrel, words: str, given: str) -> None:
    assert_kept_its_contract(carrel(*filled(words, given)))


@pytest.mark.parametrize("words", ["results {}", "preview {}", "mementos {}", "dark show {}"])
def test_a_text_that_is_no_utf8_is_refused_and_shown(carrel: Carrel, words: str) -> None:
    ran = carrel(*filled(words, LATIN))

    assert ran.code == 2
    assert "“caf\\xe9\\xff” contains bytes that are not UTF-8." in ran.err


def test_an_empty_name_is_no_name_of_this_folder(carrel: Carrel) -> None:
    ran = carrel("results", "--archive", "")

    assert ran.code == 2
    assert "The value of --archive is empty" in ran.err


@pytest.mark.parametrize(
    "words",
    [
        "batch export --force -o {}",
        "index a.warc.gz --force -o {}",
        f"get {HERE} --force -o {{}}",
        "dark release RePEc:aaa:x:1 --reason x -o {}",
    ],
)
def test_what_is_no_plain_file_is_never_replaced(carrel: Carrel, place: Path, words: str) -> None:
    os.mkfifo(place / "pipe")

    ran = carrel(*filled(words, "pipe"))

    assert ran.code in (1, 2)
    assert (place / "pipe").is_fifo()
    assert_kept_its_contract(ran)


def test_a_file_whose_name_is_no_utf8_is_read(carrel: Carrel, place: Path) -> None:
    named = place / os.fsdecode(b"w\xe9.warc.gz")
    shutil.copy(place / "a.warc.gz", named)

    verified = carrel("verify", str(named), "--json")
    indexed = carrel("index", str(named), "-o", "out.cdxj", "--json")
    alone = ("--open", str(named), "--collection", "w")
    found = carrel("mementos", "http://example.org/x", *alone, "--json")

    assert (verified.code, indexed.code) == (0, 0)
    assert {json.loads(line)["path"] for line in verified.out.splitlines()} == {
        readable(str(named))
    }
    assert len((place / "out.cdxj").read_text().splitlines()) == 1
    assert_kept_its_contract(found)


def test_a_damaged_file_whose_name_is_no_utf8_is_named_readably(
    carrel: Carrel, place: Path
) -> None:
    named = place / os.fsdecode(b"w\xe9.warc.gz")
    named.write_bytes((place / "a.warc.gz").read_bytes()[:-20])

    ran = carrel("verify", str(named))

    assert ran.code == 1
    assert "w\\xe9.warc.gz" in ran.out


def test_folders_whose_names_are_no_utf8_are_looked_through(carrel: Carrel, place: Path) -> None:
    folder = place / os.fsdecode(b"f\xe9")
    folder.mkdir()
    shutil.copy(place / "a.warc.gz", folder / os.fsdecode(b"\xff.warc.gz"))

    verified, indexed = carrel("verify", str(folder)), carrel("index", str(folder), "-o", "out")

    assert (verified.code, indexed.code) == (0, 0)
    assert "1 capture is indexed." in indexed.err


@pytest.mark.parametrize(
    ("content", "found"),
    [
        (f"{HERE}\ncafé\n".encode("latin-1"), 1),
        (f"{HERE}\n".encode("utf-16"), 1),
        (f"\ufeff{HERE}\n".encode(), 1),
        (f"{HERE}\0y\n{HERE}\n".encode(), 0),
        (b'{"ingest_type":"dataset","base_url":"http://127.0.0.1:9/\\ud800"}\n', 0),
        (b"\xff\xfe\x00\xd8\n", 0),
    ],
    ids=["latin-1", "utf-16", "mark", "zero", "half a pair", "half a pair in utf-16"],
)
def test_a_list_of_any_name_in_any_encoding_is_read_or_refused(
    carrel: Carrel, place: Path, content: bytes, found: int
) -> None:
    named = place / os.fsdecode(b"l\xe9.txt")
    named.write_bytes(content)

    added = carrel("batch", "add", str(named))
    listed = carrel("batch", "list", "--json")

    assert_kept_its_contract(added)
    assert len(listed.lines) == found
    assert {each["batch"] for each in listed.lines} <= {"l\\xe9"}


def test_a_list_of_addresses_of_any_name_is_gathered(carrel: Carrel, place: Path) -> None:
    named = place / os.fsdecode(b"l\xe9.txt")
    named.write_bytes(b"http://127.0.0.1:9/caf\xe9\n")

    ran = carrel("dark", "run", "--list", str(named), "--no-full-texts")

    assert ran.code == 0
    assert "was read completely" in ran.out


def run_raw(*arguments: bytes, **extra: str) -> "subprocess.CompletedProcess[bytes]":
    program = [os.fsencode(word) for word in command()]
    return subprocess.run(
        [*program, *arguments],
        env=environment(**extra),
        capture_output=True,
        timeout=120,
        check=False,
    )


@pytest.mark.parametrize(
    "extra",
    [{"LC_ALL": "C.UTF-8"}, {"LC_ALL": "C"}, {"LC_ALL": "C", "PYTHONIOENCODING": "ascii"},
     {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}],
    ids=["UTF-8", "C", "ASCII", "C alone"],
)  # fmt: skip
def test_bytes_of_a_shell_are_told_in_any_locale(place: Path, extra: dict[str, str]) -> None:
    ran = run_raw(b"verify", b"w\xe9.warc.gz", **extra, CARREL_ARCHIVE=str(place / "archive"))

    assert ran.returncode == 1
    assert b"not-found" in ran.stdout
    assert ran.stdout.decode("utf-8").isprintable() or b"\\xe9" in ran.stdout
    assert b"Traceback" not in ran.stderr
    assert b"fault in Carrel" not in ran.stderr


def test_an_archive_whose_name_is_no_utf8_is_used(place: Path) -> None:
    folder = os.fsencode(place) + b"/a\xe9"

    added = run_raw(b"batch", b"add", os.fsencode(place / "list.txt"), b"--archive", folder)
    listed = run_raw(b"batch", b"list", CARREL_ARCHIVE=os.fsdecode(folder))

    assert (added.returncode, listed.returncode) == (0, 0)
    assert HERE.encode() in listed.stdout


def test_a_network_that_is_named_by_a_hostile_proxy_shows_no_password(place: Path) -> None:
    proxies = {name: "http://u:pass/s3cr3t@proxy" for name in ("HTTP_PROXY", "HTTPS_PROXY")}

    ran = run_raw(b"--log", b"DEBUG", b"preview", b"http://example.org/x", **proxies)

    assert ran.returncode in (1, 2)
    assert b"s3cr3t" not in ran.stdout + ran.stderr


def test_an_index_can_be_made_of_any_name(place: Path) -> None:
    named = place / os.fsdecode(b"w\xe9.warc.gz")
    shutil.copy(place / "a.warc.gz", named)

    done = index_files([named], place / "out.cdxj")

    assert (done.lines, len(done.problems)) == (1, 0)
