# SPDX-License-Identifier: AGPL-3.0-or-later
"""From what a person asks for to a run over a source: configuration, terms, and who asks hosts."""

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

from carrel.archive import Archive
from carrel.capture.bandwidth import Bandwidth
from carrel.capture.client import Client
from carrel.capture.throttle import Throttle
from carrel.dark_archive.config import GatheringConfig, read_config
from carrel.dark_archive.harvest import Gathering, Terms
from carrel.dark_archive.place import begin_folder, configuration, remember_store, store_root
from carrel.dark_archive.probes import Asker
from carrel.dark_archive.sources import Directory, Source, Tarball, UrlList
from carrel.dark_archive.store_session import StoreSession
from carrel.errors import ConfigError, UsageError
from carrel.hosts.remembered import remembered
from carrel.model.dark import REPEC, RunSource
from carrel.model.dark_views import GatheringOrder, RunProgress, RunReport, TellRun
from carrel.model.names import readable
from carrel.settings.consequences import REACHES_OWN_NETWORK
from carrel.settings.effective import settings_of
from carrel.settings.person import own_file
from carrel.translation import tr

_DAY_S = 86_400


@dataclass(frozen=True, slots=True)
class _Wishes:
    scope: str
    config: GatheringConfig
    full_texts: bool
    bandwidth: Bandwidth | None = None


def configured(archive: Path, order: GatheringOrder) -> GatheringConfig:
    """Return the configuration of an order: the one it names, else that of the archive, if any.

    Raises ConfigError, and UsageError for a file that is not there.
    """
    named = order.config or configuration(archive)
    if named.exists():
        return read_config(named)
    if order.config is not None:
        raise UsageError(tr("There is no configuration at {config}.", config=order.config))
    return GatheringConfig()


def gather(
    archive: Archive,
    order: GatheringOrder,
    tell: TellRun,
    is_cancelled: Callable[[], bool],
    bandwidth: Bandwidth | None = None,
) -> RunReport:
    """Make the run that an order asks for. Blocks: for a worker thread.

    `bandwidth` is what other transfers of the process keep to as well.

    Raises UsageError, ConfigError, ArchiveError (nothing is concluded then).
    """
    config = _for_others_too(archive, order, configured(archive.path, order))
    if config.object_store is not None:
        remember_store(archive.path, config.object_store)
    source = _source(archive, order, config, tell, is_cancelled)
    try:
        wishes = _Wishes(_scope(source, order), config, _wants_full_texts(order, config), bandwidth)
        return _gather_from(archive, source, wishes, tell, is_cancelled)
    finally:
        source.close()


def _for_others_too(
    archive: Archive, order: GatheringOrder, config: GatheringConfig
) -> GatheringConfig:
    """Return a configuration as far as a file in the archive's folder may decide about hosts.

    The folder can come from anyone: hosts are asked no faster than the person has them asked, and
    addresses inside the person's network only if their own configuration says so, since the answers
    would be stored in the archive. Raises ConfigError.
    """
    named = order.config or configuration(archive.path)
    if not Path(os.path.realpath(named)).is_relative_to(os.path.realpath(archive.path)):
        return config
    settings = archive.settings
    asks_inside = config.private_networks and _wants_full_texts(order, config)
    if asks_inside and not settings.mementos.private_networks:
        raise ConfigError(_not_allowed(archive, named))
    pause_s = max(config.min_interval_s, settings.network.api_interval_s)
    return replace(config, min_interval_s=pause_s)


def _not_allowed(archive: Archive, named: Path) -> str:
    """Return why addresses inside the network are not requested, and what would allow it: settings
    that were saved since the archive was opened do not hold for it yet."""
    if settings_of(archive.path).mementos.private_networks:
        return tr(
            "“{setting}” was switched on after this archive was opened. Open the archive again "
            "(“Reopen archive now” in Settings), then harvest. Nothing was requested.",
            setting=REACHES_OWN_NETWORK,
        )
    return tr(
        "{named} has “private_networks = yes”: addresses inside your network, and on this "
        "machine, would be requested for full texts. An archive cannot decide that. To allow it, "
        "switch on “{setting}” in Settings, or write “private_networks = true” under [mementos] "
        "into {own_file}, and open the archive again; otherwise remove that line, or switch it off "
        "in “Harvest settings”. Nothing was requested.",
        named=named,
        setting=REACHES_OWN_NETWORK,
        own_file=own_file(),
    )


def gather_watched(
    archive: Archive, source: Source, tell: TellRun, is_cancelled: Callable[[], bool]
) -> RunReport:
    """Make a run over watched datasets; their files are compared by manifest, and not fetched."""
    config = configured(archive.path, GatheringOrder())
    return _gather_from(archive, source, _Wishes("watch", config, False), tell, is_cancelled)


def _gather_from(
    archive: Archive,
    source: Source,
    wishes: _Wishes,
    tell: TellRun,
    is_cancelled: Callable[[], bool],
) -> RunReport:
    config = wishes.config
    begin_folder(archive.path)
    with (
        StoreSession.open(store_root(archive.path), archive.ledger.dark) as keeping,
        _asking(archive, wishes) as asker,
    ):
        terms = Terms(
            scope=wishes.scope,
            confirm_after_s=round(config.confirm_after_days * _DAY_S),
            batch_objects=config.batch_objects,
            every_s=round(config.every_days * _DAY_S),
            asker=asker,
            links=config.links,
        )
        return Gathering(keeping, source, terms, tell, is_cancelled).run()


def _wants_full_texts(order: GatheringOrder, config: GatheringConfig) -> bool:
    return config.full_texts if order.full_texts is None else order.full_texts


def _source(
    archive: Archive,
    order: GatheringOrder,
    config: GatheringConfig,
    tell: TellRun,
    is_cancelled: Callable[[], bool],
) -> Source:
    """Return what is to be read. A tarball that is named is read, or nothing is."""
    if order.tarball is not None and order.url_list is not None:
        raise UsageError(tr("A tarball and a list of URLs are two sources: give one of them."))
    if order.tarball is not None:
        return Tarball(
            order.tarball,
            archive.staging,
            is_backfill=order.backfill is not None,
            tell=lambda read, size: _tell_tarball(read, size, tell, is_cancelled),
        )
    if order.backfill is not None:
        raise UsageError(tr("--backfill is for an old tarball; name it with -f."))
    if order.url_list is not None:
        return UrlList(order.url_list)
    if config.redif_directory is None:
        raise UsageError(
            tr(
                "There is no source to read. Give a configuration with a line “ReDIF_directory = "
                "/path/to/RePEc” (-c FILE), a tarball (-f TARBALL), or a list of URLs (--list "
                "FILE)."
            )
        )
    return Directory(config.redif_directory)


def _tell_tarball(read: int, size: int, tell: TellRun, is_cancelled: Callable[[], bool]) -> None:
    if is_cancelled():
        raise UsageError(
            tr("Stopped before the tarball was read to its end; nothing was concluded.")
        )
    tell(RunProgress("tarball", "", "", read, size, tr("Reading the tarball")))


def _scope(source: Source, order: GatheringOrder) -> str:
    if source.source is RunSource.LIST and order.url_list is not None:
        return f"list:{readable(order.url_list.stem)}"
    return REPEC if order.backfill is None else f"backfill:{order.backfill}"


@contextmanager
def _asking(archive: Archive, wishes: _Wishes) -> Iterator[Asker | None]:
    """Give who asks for full texts: with no credentials, as any reader could."""
    if not wishes.full_texts:
        yield None
        return
    network, config = archive.settings.network, wishes.config
    throttle = Throttle(network, open_store=remembered)
    with Client(network, None, throttle, wishes.bandwidth) as client:
        yield Asker(
            client,
            max_bytes=config.max_file_size,
            private_networks=config.private_networks,
            min_interval_s=config.min_interval_s,
        )
