# SPDX-License-Identifier: AGPL-3.0-or-later
"""The window: the only place that imports Qt. Widgets show, models hold, the core decides."""

import os

os.environ.setdefault("QT_API", "pyside6")  # qasync would take the first binding that it finds
