# SPDX-License-Identifier: AGPL-3.0-or-later
"""The sample datasets: what is in the repository, and what each of them shows."""

from carrel.demo.content import ROW_SIZE, TABLE_HEADER, Kind
from carrel.demo.dataset import AskedAs, Delivery, DemoDataset, DemoFile, Gate, Hosting, Licence
from carrel.model import Status

BIG_FILE_SIZE = 48 * 1024**2

CC0 = Licence(
    "cc0-1.0",
    "Creative Commons Zero v1.0 Universal",
    "https://creativecommons.org/publicdomain/zero/1.0/",
)
CC_BY = Licence(
    "cc-by-4.0",
    "Creative Commons Attribution 4.0 International",
    "https://creativecommons.org/licenses/by/4.0/",
)

_README = DemoFile("README.txt", 135, Kind.NOTE)
_LONG_NAME = "what the ferryman said about the weather on the way across " * 4


def _table(path: str, rows: int, *, is_tabular: bool = False) -> DemoFile:
    size = len(TABLE_HEADER) + ROW_SIZE * rows
    return DemoFile(path, size, Kind.TABLE, "text/csv", is_tabular=is_tabular)


def _sound(path: str, size: int) -> DemoFile:
    return DemoFile(path, size, Kind.SOUND, "audio/x-wav")


def sample_datasets(big_file_size: int = BIG_FILE_SIZE) -> tuple[DemoDataset, ...]:
    """Return the table; `big_file_size` is that of the single big file, in bytes."""
    return (*_EASY, _one_big_file(big_file_size), *_HARD_TO_FETCH, *_NOT_TO_BE_HAD)


def _one_big_file(size: int) -> DemoDataset:
    return DemoDataset(
        number=103,
        key="SURF87",
        hosting=Hosting.DATAVERSE,
        title="A hydrophone off the mole: one winter night of surf, 1987",
        creators=("Thorne, Beatrix",),
        licence=CC_BY,
        published="2024-02-11",
        shows="a single big file",
        expected=Status.SUCCESS_FILE,
        files=(_sound("mole-1987-11-09.wav", size),),
    )


_REGISTER_PAGES = tuple(
    DemoFile(f"{parish}/{register}/page-{page:03}.txt", 900 + 37 * page)
    for parish in ("Little Marsham", "Outwell", "St Osyth", "Thorpe-le-Fen")
    for register in ("baptisms", "burials", "marriages")
    for page in range(1, 6)
)

_EASY = (
    DemoDataset(
        number=101,
        key="OLAVE1",
        hosting=Hosting.DATAVERSE,
        title="Burial register of St Olave, 1665: a page transcribed",
        creators=("Ashcombe, Ruth", "Adeyemi, Tunde"),
        licence=CC0,
        published="2023-06-05",
        shows="one small file, requested by its DOI",
        expected=Status.SUCCESS_FILE,
        files=(DemoFile("burials-1665-06.txt", 4096),),
        asked_as=AskedAs.DOI,
    ),
    DemoDataset(
        number=102,
        key="FENS60",
        hosting=Hosting.DATAVERSE,
        title="Church books of four fenland parishes, 1754 to 1812",
        creators=("Wrenfield, Martha", "Society for Fenland History"),
        licence=CC_BY,
        published="2022-09-30",
        version="2.1",
        shows="sixty files in nested folders, many with the same name",
        expected=Status.SUCCESS,
        files=_REGISTER_PAGES,
    ),
    DemoDataset(
        number=104,
        key="f1dna-mes7q",
        hosting=Hosting.INVENIORDM,
        title="Field names of the coast, as they were written down",
        creators=("Söderqvist, Åsa", "中村, 雨"),
        licence=CC_BY,
        published="2025-03-14",
        shows="spaces, Unicode, signs with a meaning in addresses, and a name of 200 characters",
        expected=Status.SUCCESS,
        files=(
            DemoFile("Große Wiese & Kleine Wiese.txt", 640),
            DemoFile("question #3 = unanswered.txt", 512),
            DemoFile("100%25 certain, 50% guessed.txt", 777),
            _table("雨の記録 1953年.csv", 40),
            DemoFile("high  water + low water.txt", 300),
            DemoFile("l’été à l’île d’Yeu.txt", 410),
            DemoFile(_LONG_NAME[:196] + ".txt", 2000),
        ),
    ),
    DemoDataset(
        number=105,
        key="DIARY3",
        hosting=Hosting.DATAVERSE,
        title="Diary of the lifeboat station at Sandhaven, with corrections",
        creators=("Sandhaven Lifeboat Museum",),
        licence=CC0,
        published="2021-01-18",
        shows="an empty file, which is legal: there was nothing to correct",
        expected=Status.SUCCESS,
        files=(_README, DemoFile("diary-1911.txt", 30_000), DemoFile("corrections.txt", 0)),
    ),
    DemoDataset(
        number=106,
        key="TIDES5",
        hosting=Hosting.DATAVERSE,
        title="Tide gauge at Northlock, readings every ten minutes, 1953",
        creators=("Northlock Harbour Office",),
        licence=CC_BY,
        published="2024-10-01",
        version="3.0",
        shows="a table that Dataverse converted; the deposited original is archived",
        expected=Status.SUCCESS,
        files=(
            _README,
            _table("readings/northlock-1953.csv", 6000, is_tabular=True),
            _table("readings/gaps-1953.csv", 60, is_tabular=True),
        ),
    ),
    DemoDataset(
        number=107,
        key="HERB12",
        hosting=Hosting.DATAVERSE,
        title="Herbarium sheets of the Moorland Survey: labels and measurements",
        creators=("Okonkwo, Chidi", "Lindqvist, Elin"),
        licence=CC_BY,
        published="2025-05-22",
        shows="published checksums that are SHA-512, not MD5",
        expected=Status.SUCCESS,
        files=(DemoFile("labels.txt", 18_000), _table("measurements.csv", 500)),
        algorithm="sha512",
        asked_as=AskedAs.DOI,
    ),
    DemoDataset(
        number=108,
        key="GLASS4",
        hosting=Hosting.DATAVERSE,
        title="Glass plate negatives of the canal works: the photographer's notebook",
        creators=("Pemberton, Ida",),
        licence=CC0,
        published="2020-08-03",
        shows="published checksums that are SHA-1, and downloads that lead to signed addresses",
        expected=Status.SUCCESS,
        files=(
            DemoFile("notebook-1.txt", 9_000, delivery=Delivery.REDIRECTED),
            DemoFile("notebook-2.txt", 7_500, delivery=Delivery.REDIRECTED),
        ),
        algorithm="sha1",
    ),
    DemoDataset(
        number=109,
        key="d1al3-cts01",
        hosting=Hosting.INVENIORDM,
        title="Dialect recordings of the upper valleys",
        creators=("Ferrari, Livia", "Zgraggen, Urs"),
        licence=CC_BY,
        published="2023-11-20",
        shows="the first of two versions, requested by its own address",
        expected=Status.SUCCESS,
        files=(_README, _sound("andermatt.wav", 60_000)),
        version="1",
        concept="d1al3-all00",
    ),
    DemoDataset(
        number=110,
        key="d1al3-cts02",
        hosting=Hosting.INVENIORDM,
        title="Dialect recordings of the upper valleys",
        creators=("Ferrari, Livia", "Zgraggen, Urs"),
        licence=CC_BY,
        published="2024-06-02",
        shows="the record of all versions, which leads to the newest one",
        expected=Status.SUCCESS,
        files=(_README, _sound("andermatt.wav", 60_000), _sound("realp.wav", 80_000)),
        version="2",
        concept="d1al3-all00",
        version_index=2,
        asked_as=AskedAs.CONCEPT,
    ),
    DemoDataset(
        number=111,
        key="lantern-slides",
        hosting=Hosting.PAGE,
        title="Lantern slides of the polar expedition: captions",
        creators=("Museum of the North",),
        licence=CC0,
        published="2019-04-12",
        shows="a page without an API, and a file of unknown size",
        expected=Status.SUCCESS,
        files=(
            DemoFile("captions.txt", 5_000),
            DemoFile("exposures.txt", 150_000, delivery=Delivery.CHUNKED, is_declared=False),
        ),
        algorithm="sha256",
    ),
)

_HARD_TO_FETCH = (
    DemoDataset(
        number=112,
        key="SLOWBT",
        hosting=Hosting.DATAVERSE,
        title="Log of the slow boat to Lowestoft",
        creators=("Catchpole, Amos",),
        licence=CC0,
        published="2022-12-01",
        shows="a slow server",
        expected=Status.SUCCESS_FILE,
        files=(DemoFile("log.txt", 400_000, delivery=Delivery.SLOW),),
    ),
    DemoDataset(
        number=113,
        key="st0rm-w1res",
        hosting=Hosting.INVENIORDM,
        title="Telegrams sent during the storm surge",
        creators=("General Post Office Archive",),
        licence=CC_BY,
        published="2023-02-01",
        shows="a server that fails twice and then works",
        expected=Status.SUCCESS,
        files=(_README, DemoFile("telegrams.txt", 12_000, delivery=Delivery.FAILS_TWICE)),
    ),
)

_NOT_TO_BE_HAD = (
    DemoDataset(
        number=114,
        key="PRISN5",
        hosting=Hosting.DATAVERSE,
        title="Prison hulk ledgers, with two volumes still closed",
        creators=("County Record Office",),
        licence=CC_BY,
        published="2024-04-25",
        shows="two restricted files of five; the other three are archived",
        expected=Status.PLATFORM_RESTRICTED,
        files=(
            _README,
            DemoFile("ledger-1801.txt", 14_000),
            DemoFile("ledger-1811.txt", 15_000),
            DemoFile("ledger-1925.txt", 16_000, is_restricted=True),
            DemoFile("ledger-1926.txt", 17_000, is_restricted=True),
        ),
    ),
    DemoDataset(
        number=115,
        key="cl0sd-le77s",
        hosting=Hosting.INVENIORDM,
        title="Letters of the last lighthouse keepers",
        creators=("Vogel, Hanna",),
        licence=CC_BY,
        published="2025-01-09",
        shows="a public record with closed files",
        expected=Status.PLATFORM_RESTRICTED,
        files=(DemoFile("letters.txt", 20_000),),
        gate=Gate.RESTRICTED,
    ),
    DemoDataset(
        number=116,
        key="c3nsu-s1841",
        hosting=Hosting.INVENIORDM,
        title="Census of the harbour streets, 1841",
        creators=("Brightwater, Eliza",),
        licence=CC0,
        published="2023-07-17",
        shows="a file whose published checksum is wrong; the others are archived",
        expected=Status.MISMATCH_MD5,
        files=(
            _README,
            DemoFile("quay-street.txt", 8_000, is_digest_wrong=True),
            DemoFile("net-loft-lane.txt", 6_000),
        ),
    ),
    DemoDataset(
        number=117,
        key="b1rds-ng842",
        hosting=Hosting.INVENIORDM,
        title="Birdsong notebooks of a parish clerk",
        creators=("Larkin, Jem",),
        licence=CC_BY,
        published="2022-05-03",
        shows="a file that is listed but missing; the others are archived",
        expected=Status.ERROR_PLATFORM_DOWNLOAD,
        files=(
            _README,
            DemoFile("spring.txt", 5_000),
            DemoFile("autumn.txt", 5_500, delivery=Delivery.MISSING),
        ),
    ),
    DemoDataset(
        number=118,
        key="BRIDGE",
        hosting=Hosting.DATAVERSE,
        title="Load tests of the swing bridge",
        creators=("Borough Surveyor",),
        licence=CC_BY,
        published="2021-10-28",
        shows="a file whose transfer always ends half-way; the other is archived",
        expected=Status.TRUNCATED,
        files=(_README, DemoFile("loads.txt", 90_000, delivery=Delivery.BREAKS_OFF)),
    ),
    DemoDataset(
        number=119,
        key="m4psx-gu4rd",
        hosting=Hosting.INVENIORDM,
        title="Estate maps behind a bot check",
        creators=("Muniment Room",),
        licence=CC_BY,
        published="2024-12-12",
        shows="a bot check in place of the page",
        expected=Status.BLOCKED_CHALLENGE,
        files=(DemoFile("maps.txt", 3_000),),
        gate=Gate.CHALLENGE,
    ),
    DemoDataset(
        number=120,
        key="reading-room",
        hosting=Hosting.PAGE,
        title="Minute books, for members in the reading room",
        creators=("Guild of Ropemakers",),
        licence=CC_BY,
        published="2018-03-21",
        shows="a page that requires a log-in",
        expected=Status.BLOCKED_WALL,
        files=(DemoFile("minutes.txt", 3_000),),
        gate=Gate.LOGIN,
    ),
)
