# SPDX-License-Identifier: AGPL-3.0-or-later
"""The manual has a place for everything, and its examples run."""

import re
import subprocess
import sys
from dataclasses import fields
from pathlib import Path

import pytest

from carrel.demo import DemoRepository
from carrel.model import Status
from carrel.platforms.catalogue import PLATFORMS
from carrel.settings import SECTIONS
from support.archives import environment

ROOT = Path(__file__).parents[1]
SINGLE = "OLAVE1"


@pytest.fixture(scope="module")
def generated(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("reference")
    code = "import sys; from pathlib import Path; from reference_pages import write_all; "
    subprocess.run(
        [sys.executable, "-c", f"{code}write_all(Path(sys.argv[1]))", folder],
        env=environment(PYTHONPATH=str(ROOT / "docs")),
        check=True,
    )
    return folder


def test_every_status_is_explained(generated: Path) -> None:
    page = (generated / "statuses.md").read_text(encoding="utf-8")

    assert [each for each in Status if f"| `{each.value}` |" not in page] == []


def test_every_setting_is_listed_in_its_section(generated: Path) -> None:
    page = (generated / "settings.md").read_text(encoding="utf-8")

    for name, section in SECTIONS.items():
        part = page.partition(f"## [{name}]")[2].partition("\n## ")[0]
        assert [key.name for key in fields(section) if f"| `{key.name}` |" not in part] == []


def test_every_platform_has_a_place(generated: Path) -> None:
    page = (generated / "platforms.md").read_text(encoding="utf-8")

    assert [each for each in PLATFORMS if f"\n## {each.about.title}\n" not in page] == []


def test_the_readme_is_short() -> None:
    assert len((ROOT / "README.md").read_text(encoding="utf-8").split()) <= 700


@pytest.mark.parametrize("page", ["README.md", "docs/python.md"])
def test_the_python_example_runs(tmp_path: Path, page: str) -> None:
    text = (ROOT / page).read_text(encoding="utf-8")
    (example,) = re.findall(r"```python\n(.*?)```", text, re.S)
    with DemoRepository() as repository:
        url = repr(repository.dataset(SINGLE).url(repository))
        code = example.replace('"https://doi.org/10.5281/zenodo.7078768"', url)
        done = subprocess.run(
            [sys.executable, "-c", re.sub(r"\bURL\b", url, code)],
            cwd=tmp_path,
            env=environment(),
            capture_output=True,
            text=True,
            check=True,
        )

    assert done.stdout.startswith("success-file")
    assert (tmp_path / "my-archive" / "carrel.sqlite").is_file()
