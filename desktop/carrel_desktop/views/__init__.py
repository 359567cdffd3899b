# SPDX-License-Identifier: AGPL-3.0-or-later
"""The pages of the window, one package each: view, model, delegate."""
