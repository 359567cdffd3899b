# SPDX-License-Identifier: AGPL-3.0-or-later
"""The loopback server: index and resource API, Memento, and replay for looking."""
