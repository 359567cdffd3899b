# SPDX-License-Identifier: AGPL-3.0-or-later
"""What the application sets up once."""

import gc

from PySide6.QtCore import QLocale
from PySide6.QtWidgets import QApplication

from carrel_desktop.app import own_locale
from carrel_desktop.garbage import collected_here


def test_a_system_without_a_language_gets_dates_that_can_be_read() -> None:
    assert own_locale(QLocale.c()).language() is QLocale.Language.English
    assert own_locale(QLocale("de_DE")) == QLocale("de_DE")


def test_numbers_are_written_in_the_same_digits_everywhere() -> None:
    assert own_locale(QLocale("ar_EG")).toString(12) == "12"
    assert own_locale(QLocale("he_IL")) == QLocale("he_IL")


def test_garbage_is_collected_on_the_windows_thread_only(qapp: QApplication) -> None:
    gc.enable()
    with collected_here(qapp) as collector:
        gc.collect()
        assert not gc.isenabled()
        rings = [[] for _ in range(2000)]  # type: list[list[object]]
        for ring in rings:
            ring.append(ring)
        del rings, ring
        due = gc.get_count()[0]
        collector.look()

        assert gc.get_count()[0] < due

    assert gc.isenabled()
