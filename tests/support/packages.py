# SPDX-License-Identifier: AGPL-3.0-or-later
"""Bags and folders with lists of checksums, made by hand, good and bad; and a repacked zip."""

import hashlib
import tarfile
import zipfile
from collections.abc import Callable, Mapping
from pathlib import Path

FILES = {"README.txt": b"The tide came late.\n", "data/heights.csv": b"1,2\n" * 4000, "empty": b""}


def write_files(folder: Path, files: Mapping[str, bytes]) -> Path:
    """Write files below a folder, and return it."""
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    return folder


def listed(files: Mapping[str, bytes], algorithm: str = "sha256") -> bytes:
    """Return a list of checksums as sha256sum writes it."""
    lines = (
        f"{hashlib.new(algorithm, body).hexdigest()}  {name}\n" for name, body in files.items()
    )
    return "".join(lines).encode()


def bag_files(
    files: Mapping[str, bytes],
    *,
    version: str = "1.0",
    algorithms: tuple[str, ...] = ("sha256",),
    info: str = "",
    more: Mapping[str, bytes] | None = None,
) -> dict[str, bytes]:
    """Return the files of a bag of other people's, valid unless `more` makes it otherwise."""
    payload = {f"data/{name}": content for name, content in files.items()}
    size = sum(map(len, files.values()))
    tags = {
        "bagit.txt": f"BagIt-Version: {version}\nTag-File-Character-Encoding: UTF-8\n".encode(),
        "bag-info.txt": f"Payload-Oxum: {size}.{len(files)}\n{info}".encode(),
        **{f"manifest-{each}.txt": listed(payload, each) for each in algorithms},
        **(more or {}),
    }
    lists = {f"tagmanifest-{each}.txt": listed(tags, each) for each in algorithms}
    return {**tags, **lists, **payload}


def write_bag(folder: Path, files: Mapping[str, bytes] = FILES, **how: object) -> Path:
    return write_files(folder, bag_files(files, **how))  # type: ignore[arg-type]


def write_tar(path: Path, folder: Path) -> Path:
    """Pack a folder under its own name, compressed if the name says so."""
    with tarfile.open(path, "w:gz" if path.name.endswith("gz") else "w") as tar:
        tar.add(folder, folder.name)
    return path


def write_zip(path: Path, folder: Path) -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as package:
        for each in sorted(folder.rglob("*")):
            if each.is_file():
                package.write(each, f"{folder.name}/{each.relative_to(folder)}")
    return path


def repacked(path: Path, change: Callable[[dict[str, bytes]], object]) -> None:
    """Write a zip again after its contents were changed."""
    with zipfile.ZipFile(path) as package:
        contents = {name: package.read(name) for name in package.namelist()}
    change(contents)
    with zipfile.ZipFile(path, "w") as package:
        for name, content in contents.items():
            package.writestr(name, content)
