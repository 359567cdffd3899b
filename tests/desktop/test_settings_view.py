# SPDX-License-Identifier: AGPL-3.0-or-later
"""The Settings page: what is written to settings.toml, what is refused, which keys are stored."""

from pathlib import Path

import pytest
from PySide6.QtCore import QLocale, QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel, QLineEdit, QPushButton, QStyle, QStyleOptionComboBox

from carrel.archive import LEDGER_NAME, Archive
from carrel.credentials import TokenKind
from carrel.engine.known_platforms import token_hosts
from carrel.settings import Settings, load
from carrel.settings.person import own_file
from carrel_desktop.beginning import Beginning
from carrel_desktop.main_window import MainWindow
from carrel_desktop.page_kinds import PageKind
from carrel_desktop.views.settings.catalogue import Kind, groups
from carrel_desktop.views.settings.entry import Entry, best_unit, entry_for, number_text
from carrel_desktop.views.settings.form import FILES
from carrel_desktop.views.settings.keys import KeyDialog
from carrel_desktop.views.settings.view import SettingsView, shown
from carrel_desktop.widgets.choice_box import INSET, ChoiceBox
from desktop.conftest import Stage
from support import fake_datasets as sets
from support.copied import archive_of_tides
from support.keyrings import LockedKeyring, MemoryKeyring, Swapped
from support.queues import changed, running

TOKEN = "zzz-very-secret"  # noqa: S105  # opens nothing


def opened(stage: Stage, tmp_path: Path, text: str = "") -> tuple[SettingsView, MainWindow]:
    """Return the page of an archive with these settings."""
    (tmp_path / "settings.toml").write_text(text)
    window, _ = stage.window(sets.script())
    window.show_page(window.pages.settings)
    stage.wait(lambda: not window.pages.settings.keys.trouble.isHidden())
    return window.pages.settings, window


def field(view: SettingsView, name: str) -> Entry:
    return next(entry for entry in view.form.entries if entry.setting.name == name)


def write(view: SettingsView, name: str, text: str) -> Entry:
    """Type into a field as a person would."""
    entry = field(view, name)
    line = entry.focus_widget
    assert isinstance(line, QLineEdit)
    line.selectAll()
    QTest.keyClick(line, Qt.Key.Key_Backspace)
    line.insert(text)
    return entry


def test_every_setting_shown_is_one_there_is() -> None:
    settings = [setting for group in groups() for setting in group.settings]

    assert len({setting.name for setting in settings}) == len(settings)
    assert all(setting.kind is not Kind.TEXT or setting.rule for setting in settings)
    for setting in settings:
        entry = entry_for(setting)
        entry.show_value(setting.default)
        assert (entry.value(), entry.check()) == (setting.default, ""), setting.name


def test_what_the_file_says_is_shown(stage: Stage, tmp_path: Path) -> None:
    view, _ = opened(stage, tmp_path, "[limits]\nmax_file_count = 4000\n")

    assert field(view, "limits.max_file_count").value() == 4000
    assert field(view, "network.attempts").value() == Settings().network.attempts
    assert not view.page_actions.save.isEnabled()


@pytest.mark.parametrize("width", [900, 1600])
def test_the_buttons_end_where_the_cards_do(stage: Stage, tmp_path: Path, width: int) -> None:
    view, window = opened(stage, tmp_path)
    window.resize(width, 700)
    stage.wait(lambda: window.width() == width)
    save = view.findChild(QPushButton, "save_button")
    row = view.form.entries[0].editor.parentWidget()
    card = row and row.parentWidget()
    assert save is not None
    assert card is not None

    ends = [each.mapTo(view, each.rect().topRight()).x() for each in (save, card)]

    assert ends[0] == ends[1]


def test_changes_are_written_and_comments_stay(stage: Stage, tmp_path: Path) -> None:
    view, _ = opened(stage, tmp_path, "# ours\n[limits]\nmax_file_count = 300  # agreed\n")
    write(view, "limits.max_file_count", "500")
    write(view, "network.contact", "archive@example.edu")

    stage.do(view.page_actions.save.trigger)
    stage.wait(lambda: "Saved" in view.state.text())

    text = (tmp_path / "settings.toml").read_text()
    assert "# ours" in text
    assert "max_file_count = 500 # agreed" in text.replace("  #", " #")
    assert "contact" not in text
    assert load(tmp_path / "settings.toml").limits.max_file_count == 500
    assert load(own_file()).network.contact == "archive@example.edu"
    assert not view.is_changed


def test_it_is_said_when_what_was_changed_applies(stage: Stage, tmp_path: Path) -> None:
    view, _ = opened(stage, tmp_path)
    rate, count = "network.max_rate", "limits.max_file_count"
    later = "Saved. It applies when the archive is reopened."
    both = "Saved. The maximum speed applies now, the rest when the archive is reopened."

    said: list[str] = []
    can_reopen: list[bool] = []
    for names in ([rate], [count], [rate, count]):
        for name in names:
            write(view, name, str(7 + len(said)))
        stage.do(view.page_actions.save.trigger)
        stage.wait(lambda: "Saved" in view.state.text())
        said.append(view.state.text())
        can_reopen.append(view.page_actions.reopen.isEnabled())

    assert said == ["Saved. The maximum speed applies now.", later, both]
    assert can_reopen == [False, True, True]


def test_it_is_said_which_file_each_part_is_written_to(stage: Stage, tmp_path: Path) -> None:
    view, _ = opened(stage, tmp_path)

    assert str(tmp_path / "settings.toml") in view.form.archives.text()
    assert str(own_file()) in view.form.own.text()
    titles = {label.text() for label in view.form.findChildren(QLabel)}
    assert {"For this archive", "For all your archives"} <= titles


def test_what_is_the_persons_stands_with_what_holds_for_all_archives(
    stage: Stage, tmp_path: Path
) -> None:
    view, window = opened(stage, tmp_path)
    window.resize(1200, 800)

    sheet = view.form.widget()
    assert sheet
    places = {
        entry.setting.name: entry.label.mapTo(sheet, QPoint()).y() for entry in view.form.entries
    }

    border = view.form.own.y()
    personal = {entry.setting.name for entry in view.form.entries if entry.setting.is_personal}
    assert {name for name, y in places.items() if y > border} == personal
    assert {"network.contact", "archiveorg.by_rule", "mementos.private_networks"} <= personal


def test_what_the_archive_asks_for_is_shown_with_the_answer(stage: Stage, tmp_path: Path) -> None:
    view, window = opened(stage, tmp_path, "[archiveorg]\nby_rule = true\n")
    undecided = view.requests.text.text()
    assert not field(view, "archiveorg.by_rule").value()

    stage.do(window.requests.accept.click)
    stage.wait(lambda: window.closing.following is not None)
    stage.do(view.refresh)
    stage.wait(lambda: view.requests.text.text() != undecided)

    assert undecided.startswith("Not decided yet")
    assert view.requests.text.text().startswith("Accepted")
    assert "Send large datasets without asking: on (yours: off)" in view.requests.text.text()


def test_a_field_says_where_another_value_holds_in_this_archive(
    stage: Stage, tmp_path: Path
) -> None:
    text = "[network]\ntransfers = 20\nattempts = 3\n[archiveorg]\nby_rule = true\n"
    view, window = opened(stage, tmp_path, text)
    parallel, by_rule = field(view, "network.transfers"), field(view, "archiveorg.by_rule")
    stage.wait(lambda: view.requests.text.text().startswith("Not decided yet"))
    assert "In this archive" not in parallel.hint.text()  # until it is accepted
    gentler = field(view, "network.attempts").hint.text()
    assert gentler == "In this archive: 3, which asks less of others."

    stage.do(window.requests.accept.click)
    stage.wait(lambda: window.closing.following is not None)
    stage.do(view.refresh)
    stage.wait(lambda: view.requests.text.text().startswith("Accepted"))

    assert (parallel.value(), by_rule.value()) == (2, False)  # the archivist's own, still
    assert parallel.hint.text() == "In this archive: 20, which you accepted."
    assert by_rule.hint.text().startswith("In this archive: on, which you accepted. This publishes")
    assert parallel.focus_widget.accessibleDescription() == parallel.hint.text()


def test_what_the_bar_above_asks_is_not_said_again_below_it(stage: Stage, tmp_path: Path) -> None:
    view, window = opened(stage, tmp_path, "[archiveorg]\nby_rule = true\n")
    stage.wait(lambda: view.page_actions.ask.isEnabled())
    card = view.requests.parentWidget()
    assert card
    assert window.requests.isVisible()
    assert card.isHidden()

    window.pages.queue.model.apply(changed(running(1)), 1.0)  # which keeps the window
    stage.do(window.requests.accept.click)

    assert window.requests.isHidden()
    assert card.isVisibleTo(view)
    stage.do(view.page_actions.ask.trigger)
    assert card.isHidden()


def test_an_emptied_field_is_the_default_again(stage: Stage, tmp_path: Path) -> None:
    view, _ = opened(stage, tmp_path, "[limits]\nmax_file_count = 300\n")
    write(view, "limits.max_file_count", "")

    stage.do(view.page_actions.save.trigger)
    stage.wait(lambda: "Saved" in view.state.text())

    assert "max_file_count" not in (tmp_path / "settings.toml").read_text()
    assert field(view, "limits.max_file_count").value() == 200


def test_a_size_has_a_unit(stage: Stage, tmp_path: Path) -> None:
    view, _ = opened(stage, tmp_path)
    entry = write(view, "limits.max_total_size", "1.5")

    assert entry.value() == round(1.5 * 1024**3)


def test_saved_settings_hold_when_the_archive_is_opened_again(stage: Stage, tmp_path: Path) -> None:
    view, window = opened(stage, tmp_path)
    write(view, "network.attempts", "7")
    assert not view.page_actions.reopen.isEnabled()

    stage.do(view.page_actions.save.trigger)
    stage.wait(view.page_actions.reopen.isEnabled)
    assert "when the archive is reopened" in view.state.text()
    stage.do(view.page_actions.reopen.trigger)

    assert window.closing.following == Beginning(tmp_path, page=PageKind.SETTINGS)


@pytest.mark.parametrize(
    ("name", "text", "why"),
    [
        ("limits.max_file_count", "many", "Enter a whole number"),
        ("limits.max_file_count", "1,5", "Enter a whole number"),
        ("limits.max_file_count", "1e3", "Enter a whole number"),
        ("limits.max_total_size", "1e9", "Enter a number"),
        ("limits.max_total_size", "999999999999999", "Must be 1000.0 TiB at most"),
        ("network.transfers", "5000", "Must be 100 at most"),
        ("limits.max_file_count", "2.5", "Enter a whole number"),
        ("limits.max_file_count", "0", "Must be more than 0"),
        ("network.api_interval_s", "-1", "Must not be less than 0"),
        ("network.contact", "Büro", "Must be an e-mail address or a web page, in ASCII"),
        ("network.contact", "not an address", "Must be an e-mail address or a web page, in ASCII"),
        ("warc.host", "our machine", "Letters, digits, dots and hyphens only, up to 64"),
        ("archiveorg.collection", "a/b", "Letters, digits, dots, hyphens and underscores only"),
        ("limits.max_total_size", "lots", "Enter a number"),
        ("limits.max_total_size", "nan", "Enter a number"),
        ("limits.max_total_size", "inf", "Enter a number"),
        ("limits.max_file_count", "nan", "Enter a whole number"),
    ],
)
def test_what_can_not_be_is_said_beside_its_field_and_not_saved(
    stage: Stage, tmp_path: Path, name: str, text: str, why: str
) -> None:
    view, _ = opened(stage, tmp_path)

    entry = write(view, name, text)
    stage.do(view.page_actions.save.trigger)

    assert entry.hint.text() == why
    assert entry.hint.property("tone") == "failed"
    assert view.state.text() == "Not saved. Check the highlighted field."
    assert (tmp_path / "settings.toml").read_text() == ""


def test_the_default_of_a_size_is_told_in_the_unit_in_which_it_is_shown(
    stage: Stage, tmp_path: Path
) -> None:
    view, _ = opened(stage, tmp_path)
    names = ("strategy.web_total_max_size", "limits.max_total_size")

    entries = {each.setting.name: each for each in view.form.entries}
    told = [entries[name].focus_widget.toolTip() for name in names]

    assert told == ["Empty for the default, 1 GB", "Empty for the default, 64 GiB"]


def test_no_pace_at_all_is_a_pace(stage: Stage, tmp_path: Path) -> None:
    view, _ = opened(stage, tmp_path)

    assert write(view, "network.api_interval_s", "0").check() == ""


def test_changes_can_be_undone_and_are_not_lost_by_a_refresh(stage: Stage, tmp_path: Path) -> None:
    view, _ = opened(stage, tmp_path)
    entry = write(view, "network.attempts", "7")

    stage.do(view.refresh)
    assert entry.value() == 7
    stage.do(view.page_actions.undo.trigger)
    stage.wait(lambda: entry.value() == 4)

    assert not view.is_changed


def test_a_file_that_makes_no_sense_is_told_and_left_alone(stage: Stage, tmp_path: Path) -> None:
    view, window = opened(stage, tmp_path)
    (tmp_path / "settings.toml").write_text("[limits\n")
    write(view, "network.attempts", "7")

    stage.do(view.page_actions.save.trigger)
    stage.wait(lambda: view.state.text() == "Nothing was saved.")
    stage.wait(lambda: not window.notice.isHidden())

    assert "not valid TOML" in window.notice.label.text()
    assert (tmp_path / "settings.toml").read_text() == "[limits\n"


# Keys


def given_token(stage: Stage, view: SettingsView, host: str, token: str) -> KeyDialog:
    stage.do(view.page_actions.add_keys.trigger)
    dialog = view.findChild(KeyDialog)
    assert dialog
    dialog.host.setCurrentText(host)
    dialog.token.setText(token)
    stage.do(dialog._on_store)
    return dialog


def names(view: SettingsView) -> list[str]:
    return [label.text() for label in view.keys.findChildren(QLabel) if label.isVisibleTo(view)]


def test_a_token_is_stored_and_only_its_name_is_shown(
    stage: Stage, tmp_path: Path, ring: MemoryKeyring
) -> None:
    view, _ = opened(stage, tmp_path)
    assert "None stored. Public datasets need none." in names(view)

    given_token(stage, view, "zenodo.org", TOKEN)
    stage.wait(lambda: "zenodo.org" in names(view))

    assert TOKEN in ring.kept["carrel", "zenodo.org"]
    assert not any(TOKEN in text for text in names(view))


def test_the_hosts_that_take_tokens_are_offered_and_their_kind_is_known(
    stage: Stage, tmp_path: Path
) -> None:
    view, _ = opened(stage, tmp_path)

    stage.do(view.page_actions.add_keys.trigger)
    dialog = view.findChild(KeyDialog)
    assert dialog
    dialog.host.setCurrentText("borealisdata.ca")

    offered = [dialog.host.itemText(place) for place in range(dialog.host.count())]
    assert offered == ["archive.org", *token_hosts()]
    assert dialog.kind.currentData() == TokenKind.DATAVERSE
    stage.do(dialog.reject)


def test_archive_org_wants_two_keys_and_others_a_token(stage: Stage, tmp_path: Path) -> None:
    view, _ = opened(stage, tmp_path)
    stage.do(view.page_actions.add_keys.trigger)
    dialog = view.findChild(KeyDialog)
    assert dialog

    lines = (dialog.access, dialog.secret, dialog.token)
    assert {line.echoMode() for line in lines} == {QLineEdit.EchoMode.Password}
    assert [dialog.access.isHidden(), dialog.token.isHidden()] == [False, True]
    dialog.host.setCurrentText("demo.dataverse.org")

    assert [dialog.access.isHidden(), dialog.token.isHidden()] == [True, False]
    assert dialog.kind.currentText() == "Dataverse"
    stage.do(dialog.reject)


def test_what_is_no_host_is_refused_in_the_dialog(stage: Stage, tmp_path: Path) -> None:
    view, _ = opened(stage, tmp_path)

    dialog = given_token(stage, view, "not a host", TOKEN)
    stage.wait(lambda: not dialog.problem.isHidden())

    assert "is not a host" in dialog.problem.text()
    assert TOKEN not in dialog.problem.text()
    stage.do(dialog.reject)


def test_keys_are_removed(stage: Stage, tmp_path: Path, ring: MemoryKeyring) -> None:
    view, _ = opened(stage, tmp_path)
    given_token(stage, view, "zenodo.org", TOKEN)
    stage.wait(lambda: "zenodo.org" in names(view))
    button = view.findChild(QPushButton, "remove_zenodo.org")
    assert button
    assert button.accessibleName() == "Remove the keys for zenodo.org"

    stage.do(button.click)
    stage.wait(lambda: "zenodo.org" not in names(view))

    assert ("carrel", "zenodo.org") not in ring.kept


def test_a_locked_keyring_is_told_on_the_page(stage: Stage, tmp_path: Path) -> None:
    with Swapped(LockedKeyring()):
        view, _ = opened(stage, tmp_path)

    assert "locked" in view.keys.trouble.text()
    assert not view.page_actions.add_keys.isEnabled()  # nothing could be stored


def test_keys_from_the_environment_are_named_without_a_button(
    stage: Stage, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("IA_ACCESS_KEY_ID", "Access1")
    monkeypatch.setenv("IA_SECRET_ACCESS_KEY", "Secret1")
    (tmp_path / "settings.toml").write_text("")
    window, _ = stage.window(sets.script())
    view = window.pages.settings
    window.show_page(window.pages.settings)

    stage.wait(lambda: "from the environment" in names(view))

    assert view.findChild(QPushButton, "remove_archive.org") is None


# Words


def test_the_password_of_a_proxy_is_not_shown() -> None:
    assert shown("http://me:secret@proxy.example.edu:3128") == "http://me@proxy.example.edu:3128"


@pytest.mark.parametrize(
    ("size", "unit"), [(64 * 1024**3, "GiB"), (10**9, "GB"), (0, "bytes"), (1025, "bytes")]
)
def test_a_size_is_shown_in_the_largest_whole_unit(size: int, unit: str) -> None:
    assert best_unit(size) == unit


def test_numbers_are_written_as_the_locale_writes_them() -> None:
    before = QLocale()
    QLocale.setDefault(QLocale("de_DE"))
    try:
        assert [number_text(0.5), number_text(4000)] == ["0,5", "4000"]
    finally:
        QLocale.setDefault(before)


@pytest.mark.parametrize("name", FILES)
def test_a_file_of_a_setting_that_is_not_there_is_warned_of_and_still_saved(
    stage: Stage, tmp_path: Path, name: str
) -> None:
    view, _ = opened(stage, tmp_path)
    entry, key = field(view, name), tmp_path / "key.pem"
    before = entry.hint.text()

    write(view, name, str(key))

    assert entry.hint.text().startswith("There is no such file now.")
    assert not view.form.invalid_entries()
    key.write_text("a key")
    write(view, name, str(key))
    assert entry.hint.text() == before


def test_a_setting_that_applies_only_beyond_a_limit_says_so(stage: Stage, tmp_path: Path) -> None:
    view, _ = opened(stage, tmp_path)
    bundle = field(view, "strategy.bundle_from_file_count")
    before = bundle.hint.text()

    write(view, "limits.max_file_count", "5000")

    assert "above “Maximum files per dataset” (200) Carrel asks first" in before
    assert "asks first" not in bundle.hint.text()


def test_the_unit_of_a_size_is_not_cut(stage: Stage, tmp_path: Path) -> None:
    view, _ = opened(stage, tmp_path)
    unit = view.findChild(ChoiceBox)
    assert unit is not None

    unit.setCurrentText("bytes")
    option = QStyleOptionComboBox()
    unit.initStyleOption(option)
    part = QStyle.SubControl.SC_ComboBoxEditField
    room = unit.style().subControlRect(QStyle.ComplexControl.CC_ComboBox, option, part, unit)

    assert room.width() - INSET >= unit.fontMetrics().horizontalAdvance("bytes")


def test_a_setting_is_found_by_what_is_said_of_it(stage: Stage, tmp_path: Path) -> None:
    view, _ = opened(stage, tmp_path)

    stage.do(lambda: view.finding.setText("WATCHED every"))
    seen = [it.setting.name for it in view.form.entries if it.editor.isVisible()]
    assert seen == ["schedule.watch_days"]
    assert not field(view, "limits.max_file_count").label.isVisible()
    assert view.form.archives.isHidden()  # nothing of that part was found
    assert view.form.own.isVisible()
    assert view.form.none.isHidden()
    assert [card for card in view.form._others if not card.isHidden()] == []

    stage.do(lambda: view.finding.setText("proxy"))
    assert len([card for card in view.form._others if not card.isHidden()]) == 1
    stage.do(lambda: view.finding.setText("zzz"))
    assert view.form.none.isVisible()
    assert view.form.own.isHidden()

    stage.do(view.finding.clear)
    assert field(view, "limits.max_file_count").label.isVisibleTo(view)


def test_the_watch_page_leads_to_its_schedule(stage: Stage, tmp_path: Path) -> None:
    view, window = opened(stage, tmp_path)
    stage.do(lambda: view.finding.setText("limits"))
    window.show_page(window.pages.watch)

    stage.do(window.pages.watch.page_actions.schedule.trigger)

    assert window.page is view
    assert field(view, "schedule.watch_days").focus_widget.hasFocus()


def test_a_folder_that_is_no_archive_leaves_the_open_one_open(stage: Stage, tmp_path: Path) -> None:
    (tmp_path / "holiday.jpg").write_bytes(b"")
    window, _ = stage.window(sets.script())

    stage.do(lambda: window.pages.settings.wants_archive.emit(tmp_path))

    assert window.isVisible()
    assert window.closing.following is None
    told = window.notice.label.text()
    assert "contains other files and is not an archive. Choose an archive, or an empty" in told


def test_an_archive_whose_ledger_cannot_be_read_is_gone_to_where_it_can_be_rebuilt(
    stage: Stage, tmp_path: Path
) -> None:
    broken = archive_of_tides(tmp_path)
    (broken / LEDGER_NAME).write_bytes(b"no database at all" * 100)
    window, _ = stage.window(sets.script())

    stage.do(lambda: window.pages.settings.wants_archive.emit(broken))

    assert window.closing.following == Beginning(broken)


def test_an_archive_that_can_be_opened_is_gone_to(stage: Stage, tmp_path: Path) -> None:
    other = tmp_path / "other"
    Archive.create_or_open(other).close()
    window, _ = stage.window(sets.script())

    stage.do(lambda: window.pages.settings.wants_archive.emit(other))

    assert window.closing.following == Beginning(other)
