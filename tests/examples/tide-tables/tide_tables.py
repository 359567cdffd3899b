# SPDX-License-Identifier: AGPL-3.0-or-later
"""Tide Tables, any installation: what is in a set of tables."""

from typing import Annotated

from pydantic import Field

from carrel.credentials import TokenKind
from carrel.errors import NotThisPlatform
from carrel.model import AskedItem, Fixity, Landing, ManifestFile, PlatformItem
from carrel.platforms.about import About, KnownLimit, TokenUse
from carrel.platforms.addresses import addresses, web_address
from carrel.platforms.entries import digests, unique_paths
from carrel.platforms.platform import Api, Platform, Shape
from carrel.platforms.review import closed, nothing_there
from carrel.platforms.shapes import Count, Rows, Text


class File(Shape):
    name: Text = None
    href: Text = None
    size: Count = None
    md5: Text = None


class TideSet(Shape):
    title: Text = None
    files: Annotated[Rows[File], Field(validation_alias="tables")] = ()


class TideTables(Platform):
    """Any Tide Tables: at its known host, and wherever a page says that it is one."""

    name = "tidetables"
    about = About(
        title="Tide Tables",
        hosts=frozenset({"tides.example"}),
        token=TokenUse(TokenKind.FIGSHARE, hosts=("api.tides.example",)),
        limits=(KnownLimit("tides.example", 60, 600, "2026-11", "tides.example/limits"),),
    )

    def asked_for(self, landing: Landing) -> AskedItem | None:
        """Return the set that the address names: `/sets/NUMBER`."""
        says_so = self.about.title in landing.html
        for address in addresses(landing):
            is_set = address.parts[:1] == ("sets",) and len(address.parts) == 2
            if is_set and (says_so or self.about.runs_at(address.host)):
                return AskedItem(self.name, address.netloc, address.parts[1])
        return None

    async def describe(self, landing: Landing, api: Api) -> PlatformItem:
        """Return what the installation says of the set."""
        asked = self.asked_for(landing)
        if asked is None:
            raise NotThisPlatform("No address on the way to this page is a set of tide tables.")
        url = f"{landing.origin}/api/{asked.platform_id}"
        answer = await api.read(url, TideSet)
        manifest, findings = unique_paths(
            (
                ManifestFile(
                    file.name or f"table-{number}",
                    declared=Fixity(file.size, digests("md5", file.md5)),
                    platform_url=web_address(url, file.href),
                ),
                str(number),
            )
            for number, file in enumerate(answer.files, 1)
        )
        item = PlatformItem(
            self.name,
            asked.platform_domain,
            asked.platform_id,
            manifest=manifest,
            title=answer.title,
            findings=findings,
        )
        return closed(item, None if manifest else nothing_there(f"{url} lists no tables."))
