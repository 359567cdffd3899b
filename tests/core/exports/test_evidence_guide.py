# SPDX-License-Identifier: AGPL-3.0-or-later
"""The commands of the guide to evidence, as they stand there, on a machine that has openssl."""

import re
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from carrel.archive import Archive
from carrel.model.evidence import Signing
from carrel.model.exports import ExportForm
from support.authorities import Institution, TimeAuthority
from support.exports import exported, only
from support.held import hold
from support.keyrings import MemoryKeyring, Swapped
from support.wire import WireServer

GUIDE = Path(__file__).parents[3] / "docs/guides/evidence.md"
FORMS = {
    ExportForm.FILES: "manifest-sha256.txt",
    ExportForm.ROCRATE: "manifest-sha256.txt",
    ExportForm.BAGIT: "tagmanifest-sha256.txt",
}


@pytest.fixture(autouse=True)
def ring() -> Iterator[None]:
    with Swapped(MemoryKeyring()):
        yield


def commands() -> str:
    (found,) = re.findall(r"```sh\n(.*?)```", GUIDE.read_text("utf-8"), re.DOTALL)
    return str(found)


def run(script: str, folder: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        ["sh", "-ec", script], cwd=folder, capture_output=True, text=True, check=False
    )


@pytest.mark.parametrize("form", FORMS)
def test_the_commands_of_the_guide_check_a_signed_export(
    server: WireServer, archive: Archive, tmp_path: Path, form: ExportForm
) -> None:
    hold(archive, server, {"tides.csv": b"1,2\n" * 99, "README.txt": b"The tide came late.\n"})
    institution = Institution(tmp_path / "institution")
    issued = institution.issued("Archive of Harbour")
    with TimeAuthority(Institution(tmp_path / "clock", "Clock")) as authority:
        signing = Signing(str(issued.key), str(issued.certificate), authority=authority.url)
        path = only(exported(archive, form, tmp_path / "out", signing=signing))[1]
    script = commands().replace("TIMEROOT.pem", str(authority.root))
    script = script.replace("ROOT.pem", str(institution.root)).replace("LIST", FORMS[form])

    ran = run(script, path)

    assert ran.returncode == 0, ran.stderr
    assert "tides.csv: OK" in ran.stdout
    assert "Verification: OK" in ran.stdout + ran.stderr
    assert "Archive of Harbour" in ran.stdout
    with (path / FORMS[form]).open("ab") as file:
        file.write(b"\n")
    assert run(script, path).returncode != 0
