# SPDX-License-Identifier: AGPL-3.0-or-later
"""The InvenioRDM repositories that are known, Zenodo among them."""

from carrel.platforms.host_list import host_list

HOSTS = host_list(__package__).hosts
