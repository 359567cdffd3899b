# SPDX-License-Identifier: AGPL-3.0-or-later
"""Formats are identified from what signatures look at, by a process that any file may end."""

import sys
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path

import pytest

from carrel.access.formats import availability
from carrel.access.formats.apart import Identifier
from carrel.access.reading_process import Limits
from carrel.capture.ends import END_BYTES, MOST_OF_A_CONTAINER, Ends
from carrel.errors import FormatsUnavailable
from carrel.model.formats import Format, FormatRisk, extension_of
from carrel.model.sizes import MEBIBYTE
from support.bundles import zipped

PNG = bytes.fromhex(
    "89504e470d0a1a0a0000000d4948445200000001000000010802000000907753de0000000049454e44ae426082"
)
DOCX = zipped(
    {
        "[Content_Types].xml": b'<Types><Override ContentType="application/vnd.openxmlformats-'
        b'officedocument.wordprocessingml.document.main+xml"/></Types>'
    }
)
# Stand-ins for the process: what each does when it is asked for the first file.
READERS = {
    "crash": ("import os, signal; os.kill(os.getpid(), signal.SIGSEGV)", "ended unexpectedly"),
    "exit": ("raise SystemExit(3)", "exit status 3"),
    "hang": ("import time; time.sleep(600)", "took longer than"),
    "endless": ("print('x' * 10_000_000)", "ended unexpectedly"),
    "no JSON": ("print('nonsense', flush=True); sys.stdin.read()", "invalid answer"),
    "no PUID": (
        "import json; names = 'puid name version mimetype basis warning signatures'.split(); "
        "print(json.dumps([dict.fromkeys(names, 'javascript:')]), flush=True); sys.stdin.read()",
        "invalid answer",
    ),
}
GREETING = 'import sys; sys.stdin.readline(); print(\'{"tool": "x"}\', flush=True); '


@pytest.fixture(scope="module")
def identifier() -> Iterator[Identifier]:
    opened = Identifier()
    yield opened
    opened.close()


def identified(identifier: Identifier, folder: Path, name: str, content: bytes) -> Format:
    path = folder / name
    path.write_bytes(content)
    return identifier.identify(path)


def ends_of(*pieces: bytes) -> tuple[bytes, bool]:
    file = BytesIO()
    ends = Ends(file)
    for piece in pieces:
        ends.write(piece)
    ends.finish()
    return file.getvalue(), ends.is_cut


def test_a_format_is_told_with_how_and_by_what_it_was_found(
    identifier: Identifier, tmp_path: Path
) -> None:
    found = identified(identifier, tmp_path, "file.png", PNG)

    assert (found.puid, found.title) == ("fmt/11", "Portable Network Graphics 1.0")
    assert (found.mimetype, found.warning, found.risk) == ("image/png", "", None)
    assert "byte match at [[0 16]" in found.basis
    assert found.tool.startswith("siegfried 1.")
    assert "PRONOM " in found.tool
    assert found.address == "https://www.nationalarchives.gov.uk/PRONOM/fmt/11"


@pytest.mark.parametrize(
    ("name", "content", "puid", "risk"),
    [
        ("file.jpg", PNG, "fmt/11", FormatRisk.MISMATCH),
        ("file.csv", b"a,b\n1,2\n", "x-fmt/18", FormatRisk.EXTENSION),
        ("file.odd", bytes(range(256)), "UNKNOWN", FormatRisk.UNKNOWN),
        ("file.docx", b"\0\1\2 no container", "UNKNOWN", FormatRisk.UNKNOWN),
        ("file.txt", b"tide\n", "x-fmt/111", None),
        ("file.docx", DOCX, "fmt/412", None),
        ("file", PNG, "fmt/11", None),
        ("file", b"tide\n", "x-fmt/111", None),
        ("file", b"", "UNKNOWN", FormatRisk.UNKNOWN),
    ],
)
def test_what_the_tool_warns_of_needs_attention(
    identifier: Identifier, tmp_path: Path, name: str, content: bytes, puid: str, risk: str | None
) -> None:
    found = identified(identifier, tmp_path, name, content)

    assert (found.puid, found.risk) == (puid, risk)


def test_a_format_whose_name_says_that_it_is_encrypted_needs_attention() -> None:
    assert Format("fmt/494", "Microsoft Office Encrypted Document").risk is FormatRisk.ENCRYPTED
    assert Format("fmt/755", "Word (Password Protected)").risk is FormatRisk.ENCRYPTED


def test_what_could_not_be_identified_is_no_format_unknown_to_pronom() -> None:
    assert Format("", warning="the identifying process ended").risk is None


@pytest.mark.parametrize("reader", READERS)
def test_a_process_that_fails_is_a_reason_and_the_next_file_has_another_one(
    tmp_path: Path, reader: str
) -> None:
    program, reason = READERS[reader]
    path = tmp_path / "file.txt"
    path.write_bytes(b"tide\n")
    limits = Limits(time_s=1 if reader == "hang" else 60)
    failing = Identifier(limits, ("-c", f"{GREETING}sys.stdin.readline(); {program}"))

    first, second = failing.identify(path), failing.identify(path)

    assert (first.puid, first.risk) == ("", None)
    assert reason in first.warning
    assert reason in second.warning
    failing.close()


def test_a_file_that_ends_the_process_once_is_tried_once_more(tmp_path: Path) -> None:
    path = tmp_path / "file.txt"
    path.write_bytes(b"tide\n")
    mark = tmp_path / "was here"
    answers = (
        f"{GREETING}import pathlib; mark = pathlib.Path({str(mark)!r}); sys.stdin.readline()\n"
        "if not mark.exists(): mark.touch(); raise SystemExit(9)\n"
        'print(\'[{"puid": "fmt/1", "name": "n", "version": "", "mimetype": "", "basis": "",\''
        '\' "warning": "", "signatures": "s"}]\', flush=True)'
    )
    identifier = Identifier(reader=("-c", answers))

    assert identifier.identify(path).puid == "fmt/1"
    identifier.close()


def test_of_several_that_one_ends_the_process_for_the_others_have_their_format(
    tmp_path: Path,
) -> None:
    paths = [tmp_path / name for name in ("good", "bad", "better")]
    answers = (
        f"{GREETING}import json\n"
        "names = 'puid name version mimetype basis warning signatures'.split()\n"
        "for line in sys.stdin:\n"
        "    asked = json.loads(line)\n"
        "    if any(path.endswith('bad') for path in asked): raise SystemExit(9)\n"
        "    found = [{**dict.fromkeys(names, ''), 'puid': f'fmt/{len(path)}'} for path in asked]\n"
        "    print(json.dumps(found), flush=True)"
    )
    identifier = Identifier(reader=("-c", answers))

    found = identifier.identify_all([(path, False) for path in paths])

    assert [each.puid for each in found] == [
        f"fmt/{len(str(paths[0]))}",
        "",
        f"fmt/{len(str(paths[2]))}",
    ]
    assert "exit status 9" in found[1].warning
    identifier.close()


def test_a_process_that_does_not_start_keeps_all_files_from_being_identified(
    tmp_path: Path,
) -> None:
    (tmp_path / "file").write_bytes(b"tide\n")

    with pytest.raises(FormatsUnavailable, match="exit status 5"):
        Identifier(reader=("-c", "raise SystemExit(5)")).identify(tmp_path / "file")


def test_without_the_package_one_sentence_says_what_to_install(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "pygfried", None)
    (tmp_path / "file").write_bytes(b"tide\n")

    assert "Install carrel[formats]" in availability.why_unavailable()
    with pytest.raises(FormatsUnavailable, match=r"carrel\[formats\]"):
        Identifier().identify(tmp_path / "file")


def test_of_a_large_file_its_two_ends_are_looked_at_and_of_others_all() -> None:
    head, middle, tail = b"H" * END_BYTES, b"m" * (3 * END_BYTES + 1), b"T" * END_BYTES

    assert ends_of(head, tail) == (head + tail, False)
    assert ends_of(head + middle[:7] + tail) == (head + tail, True)
    assert ends_of(head[:5], head[5:], middle, tail[:9], tail[9:]) == (head + tail, True)
    assert ends_of() == (b"", False)


def test_a_container_is_looked_at_as_a_whole_up_to_a_limit() -> None:
    content = b"PK\x03\x04" + bytes(3 * END_BYTES)

    assert ends_of(content) == (content, False)
    assert len(content) < MOST_OF_A_CONTAINER


def test_who_begins_anew_leaves_nothing_of_what_was_written_before() -> None:
    file = BytesIO()
    ends = Ends(file)
    ends.write(bytes(4 * END_BYTES))
    ends.seek(0)
    ends.truncate()
    ends.write(b"tide")
    ends.finish()

    assert (file.getvalue(), ends.is_cut) == (b"tide", False)


def test_the_ends_of_a_large_file_tell_its_format(identifier: Identifier, tmp_path: Path) -> None:
    large = b"%PDF-1.4\n" + b"x\n" * (6 * MEBIBYTE) + b"\n%%EOF\n"
    content, is_cut = ends_of(large)

    found = identified(identifier, tmp_path, "file.pdf", content)

    assert (is_cut, found.puid, found.warning) == (True, "fmt/18", "")


@pytest.mark.parametrize(
    ("path", "extension"),
    [
        ("a/b.CSV", "csv"),
        ("a.b/c", ""),
        (".hidden", ""),
        ("x.tar.gz", "gz"),
        ("x.c s", ""),
        ("x.\u202egpj", ""),
        ("x." + "y" * 40, ""),
        ("x.", ""),
    ],
)
def test_an_extension_is_what_a_tool_would_take_for_one(path: str, extension: str) -> None:
    assert extension_of(path) == extension
