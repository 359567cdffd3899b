# SPDX-License-Identifier: AGPL-3.0-or-later
"""How the manual is built (Sphinx): from these pages and, for the reference, from the program."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

from reference_pages import write_all

from carrel import __version__

project = "Carrel"
author = "The authors of Carrel"
release = version = __version__
extensions = ["myst_parser", "sphinx_click"]
source_suffix = [".md"]
exclude_patterns = ["images"]
myst_enable_extensions = ["colon_fence", "deflist"]
myst_heading_anchors = 3
html_theme = "furo"
html_title = "Carrel"
man_pages = [("reference/commands", "carrel", "the archivist's desk for datasets", author, 1)]
suppress_warnings = ["myst.xref_missing"]

write_all(Path(__file__).parent / "reference" / "generated")
