# SPDX-License-Identifier: AGPL-3.0-or-later
"""The table of sample datasets: complete, unambiguous, and hard in the ways it promises."""

from carrel.demo import Delivery, Hosting, sample_datasets
from carrel.model import Status

DATASETS = sample_datasets()
FILES = [file for dataset in DATASETS for file in dataset.files]


def test_keys_and_numbers_name_one_dataset_each() -> None:
    assert len({dataset.key for dataset in DATASETS}) == len(DATASETS) >= 12
    assert len({dataset.number for dataset in DATASETS}) == len(DATASETS)


def test_paths_name_one_file_each() -> None:
    for dataset in DATASETS:
        assert len({file.path for file in dataset.files}) == len(dataset.files)


def test_every_kind_of_delivery_and_hosting_is_shown() -> None:
    assert {file.delivery for file in FILES} == set(Delivery)
    assert {dataset.hosting for dataset in DATASETS} == set(Hosting)


def test_names_are_as_unusual_as_promised() -> None:
    names = {file.name for file in FILES}

    assert max(len(name) for name in names) == 200
    assert all(any(sign in name for name in names) for sign in " &#%+’雨")


def test_single_files_are_expected_as_success_file() -> None:
    for dataset in DATASETS:
        is_single = dataset.expected is Status.SUCCESS_FILE
        assert not is_single or len(dataset.files) == 1


def test_the_big_file_is_of_the_size_asked_for() -> None:
    big = next(dataset for dataset in sample_datasets(12_345) if dataset.key == "SURF87")

    assert big.total_size == 12_345
