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


def examples_of(page: str) -> list[str]:
    return re.findall(r"```python\n(.*?)```", (ROOT / page).read_text(encoding="utf-8"), re.S)


def output_of(example: str, folder: Path, url: str) -> str:
    """Return what an example prints, run in a folder, where it means a dataset of the demo."""
    code = example.replace('"https://doi.org/10.5281/zenodo.7078768"', repr(url))
    done = subprocess.run(
        [sys.executable, "-c", re.sub(r"\bURL\b", repr(url), code)],
        cwd=folder,
        env=environment(),
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout


def test_the_python_example_of_the_readme_runs(tmp_path: Path) -> None:
    (example,) = examples_of("README.md")
    with DemoRepository() as repository:
        told = output_of(example, tmp_path, repository.dataset(SINGLE).url(repository))

    assert told.startswith("success-file")
    assert (tmp_path / "my-archive" / "carrel.sqlite").is_file()


def test_the_python_examples_of_the_manual_run(tmp_path: Path) -> None:
    with DemoRepository() as repository:
        dataset = repository.dataset(SINGLE)
        url = dataset.url(repository)
        told = [output_of(each, tmp_path, url) for each in examples_of("docs/python.md")]
    ingested, previewed, queued, held, mementos, refused = told

    assert ingested.startswith("success-file")
    assert previewed.startswith("success Burial register")
    assert "\nweb-file One file of " in previewed
    assert queued == "success-file\nintact\n"
    assert held.endswith(" success-file 1\n")
    assert re.search(rf"^\d{{14}} archive {url}$", mementos, re.M)
    assert refused == "“no address at all” contains no DOI, Handle, ARK or web address.\n"
