# SPDX-License-Identifier: AGPL-3.0-or-later
"""Write a list of made-up requests for a whole catalogue, as JSON lines: what a fleet may be given.

How many each platform has is assumed; the others are many hosts of falling size (the share of the
n-th is as n^-0.9), the largest with 6 %, as in a random sample of DataCite's DOIs of 2023.

usage: fleet_list.py [--datasets N] [--seed N] [--hinted 0…1] | carrel fleet submit --dry-run -
"""

import argparse
import os
import random
import sys
from collections.abc import Iterator

# Of 30 million: host, prefix of the DOI, address of the landing page, datasets.
_PLATFORMS = (
    ("10.6084/m9.figshare.{n}.v1", "https://figshare.com/articles/dataset/x/{n}/1", 2_000_000),
    ("10.5281/zenodo.{n}", "https://zenodo.org/records/{n}", 1_500_000),
    ("10.15468/dl.{n}", "https://www.gbif.org/occurrence/download/{n}", 1_500_000),
    ("10.1594/PANGAEA.{n}", "https://doi.pangaea.de/10.1594/PANGAEA.{n}", 400_000),
    ("10.17632/{n}.1", "https://data.mendeley.com/datasets/{n}/1", 200_000),
    (
        "10.7910/DVN/{n}",
        "https://dataverse.harvard.edu/dataset.xhtml?persistentId=doi:10.7910/DVN/{n}",
        150_000,
    ),
    ("10.17605/OSF.IO/{n}", "https://osf.io/{n}", 150_000),
    ("10.5061/dryad.{n}", "https://datadryad.org/dataset/doi:10.5061/dryad.{n}", 60_000),
)
_ALL = 30_000_000
_OTHER_HOSTS = 3_000
_AT_ONCE = 10_000


def lines(count: int, seed: int, hinted: float) -> Iterator[str]:
    """Yield so many requests in random order; a share `hinted` of them names its landing page."""
    chance = random.Random(seed)
    kinds, weights = _kinds()
    for start in range(0, count, _AT_ONCE):
        numbers = range(start + 1, min(start + _AT_ONCE, count) + 1)
        chosen = chance.choices(kinds, cum_weights=weights, k=len(numbers))
        for n, (doi, page) in zip(numbers, chosen, strict=True):
            known = doi.replace("{n}", str(n))
            has_hint = hinted >= 1 or chance.random() < hinted
            landing = page.replace("{n}", str(n)) if has_hint else None
            extra = f',"extra":{{"landing_url":"{landing}"}}' if landing else ""
            yield (
                f'{{"ingest_type":"dataset","base_url":"https://doi.org/{known}",'
                f'"ext_ids":{{"doi":"{known}"}}{extra}}}\n'
            )


def _kinds() -> tuple[list[tuple[str, str]], list[float]]:
    kinds = [(doi, page) for doi, page, _ in _PLATFORMS]
    shares = [float(datasets) for _, _, datasets in _PLATFORMS]
    ranks = [number**-0.9 for number in range(1, _OTHER_HOSTS + 1)]
    left = _ALL - sum(shares)
    for number, rank in enumerate(ranks):
        prefix = 80_000 + number
        host = f"repository-{number}.example"
        kinds.append((f"10.{prefix}/{{n}}", f"https://{host}/{{n}}"))
        shares.append(left * rank / sum(ranks))
    total = 0.0
    return kinds, [total := total + share for share in shares]


def main() -> None:
    """Write the list to standard output."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--datasets", type=int, default=_ALL)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--hinted", type=float, default=1.0)
    given = parser.parse_args()
    try:
        sys.stdout.writelines(lines(given.datasets, given.seed, given.hinted))
        sys.stdout.flush()
    except BrokenPipeError:  # who reads has enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


if __name__ == "__main__":
    main()
