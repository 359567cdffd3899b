# SPDX-License-Identifier: AGPL-3.0-or-later
"""What every model says of indexes."""

from PySide6.QtCore import QModelIndex, QPersistentModelIndex

Index = QModelIndex | QPersistentModelIndex
TOP = QModelIndex()  # the parent of top-level rows
