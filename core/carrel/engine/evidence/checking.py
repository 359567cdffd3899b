# SPDX-License-Identifier: AGPL-3.0-or-later
"""What was attested, checked for several paths, with what is trusted read from files."""

from collections.abc import Callable, Sequence
from pathlib import Path

from carrel.exports.evidence.checking import check_evidence
from carrel.exports.evidence.keys import certificates_in
from carrel.exports.evidence.library import need_library
from carrel.model.evidence import EvidenceReport


def checked_evidence(
    paths: Sequence[Path], trusted: Sequence[str], tell: Callable[[int, int], None]
) -> Sequence[EvidenceReport]:
    """Return what was found at each path. Blocks, and asks no one.

    `trusted` are files with certificates (PEM); `tell` is told how many bytes were read. Raises
    UsageError for a file that has none.
    """
    need_library()
    roots = [each for path in trusted for each in certificates_in(path)]
    total = sum(_size(path) for path in paths)
    done = 0

    def attend(count: int) -> None:
        nonlocal done
        done += count
        tell(done, max(done, total))

    return [check_evidence(path, roots, attend) for path in paths]


def _size(path: Path) -> int:
    """Return about how many bytes there are to read; what cannot be read is told later."""
    try:
        if not path.is_dir():
            return path.stat().st_size
        return sum(each.stat().st_size for each in path.rglob("*") if each.is_file())
    except OSError:
        return 0
