# SPDX-License-Identifier: AGPL-3.0-or-later
"""Print who made what is installed beside this Python, and under which licences, word for word.

    build/packages/environment/bin/python packaging/inventory/licences.py LICENSE

A text that several packages share is printed once. The argument is Carrel's own licence.
"""

import sys
from collections.abc import Iterator
from importlib.metadata import Distribution, distributions
from pathlib import Path

_HEAD = """\
Carrel: the archivist's desk for datasets
Copyright: The Carrel developers
License: AGPL-3.0-or-later; its text is the first one below.

Packed with it, each under its own licence:
"""
# Where the texts are on Debian, for packages that name one of these and bring no text along.
_COMMON = """\
The texts of GPL-2, GPL-3, LGPL-2.1, LGPL-3, Apache-2.0 and MPL-2.0 are also on every Debian system,
in /usr/share/common-licenses. Qt and PySide6 are used under the LGPL-3; their sources are at
https://download.qt.io.
"""
_NAMES = ("license", "licence", "copying", "notice", "authors", "lgpl", "gpl", "apache")


def packed() -> list[Distribution]:
    """Return what is installed here, by name, without Carrel."""
    found = {each.name: each for each in distributions() if each.name != "carrel"}
    return [found[name] for name in sorted(found, key=str.casefold)]


def named(package: Distribution) -> str:
    """Return the licence that a package names: as an expression, a field, or by classifiers."""
    metadata = package.metadata
    for field in ("License-Expression", "License"):
        text = "".join(metadata.get_all(field) or ()).strip()
        if text and "\n" not in text and len(text) < 100:
            return text
    classifiers = metadata.get_all("Classifier") or []
    names = [each.rsplit(" :: ", 1)[-1] for each in classifiers if each.startswith("License ::")]
    return ", ".join(names) or "see its text"


def texts(package: Distribution) -> Iterator[str]:
    """Yield the texts that a package brings along, those of what is compiled into it among them."""
    for path in sorted(package.files or (), key=str):
        is_its_own = any(part.endswith(".dist-info") for part in path.parts)
        if is_its_own and path.name.casefold().startswith(_NAMES):
            yield path.read_text(encoding="utf-8").strip()


def main(own: Path) -> None:
    """Print the list, then every text once, with the packages that it is of."""
    packages = packed()
    print(_HEAD)
    for each in packages:
        print(f"  {each.name} {each.version}: {named(each)}")
    print(f"\n{_COMMON}")
    owners: dict[str, list[str]] = {own.read_text(encoding="utf-8").strip(): ["carrel"]}
    for each in packages:
        for text in texts(each):
            owners.setdefault(text, []).append(each.name)
    for text, names in owners.items():
        print(f"{'-' * 80}\n{', '.join(dict.fromkeys(names))}:\n\n{text}\n")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
