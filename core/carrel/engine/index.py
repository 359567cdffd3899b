# SPDX-License-Identifier: AGPL-3.0-or-later
"""The index of WARC and ARC files from anywhere, as a sorted CDXJ."""

from carrel.mementos.warc.indexer import Indexed, Progress, index_files
from carrel.mementos.warc.stretches import Options

__all__ = ["Indexed", "Options", "Progress", "index_files"]
