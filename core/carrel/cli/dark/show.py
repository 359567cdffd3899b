# SPDX-License-Identifier: AGPL-3.0-or-later
"""`carrel dark show`: the life of one object, and the text of a template."""

from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

import click

from carrel.cli.dark.dates import MOMENT, day, when
from carrel.cli.dark.queries import questions_of
from carrel.cli.dark.search import hit_line
from carrel.cli.dark.texts import print_difference, print_text, version_fields, wanted_versions
from carrel.cli.options import archive_option, json_option
from carrel.cli.presentation import print_json
from carrel.cli.terminal import complain, say
from carrel.engine.dark import Questions, identified, unrequestable
from carrel.model.dark import ObiKind
from carrel.model.dark_flags import in_words
from carrel.model.dark_views import Life, LifeEvent, ObiState, VersionRow
from carrel.model.sizes import in_words as size_in_words
from carrel.translation import tr

_NEAR = 5
_NAMES_SHOWN = 20


@click.command()
@click.argument("ident", metavar="ID")
@click.option(
    "--at",
    metavar="DATE",
    type=MOMENT,
    help=tr("The version current at DATE; for a day, at its end."),
)
@click.option("--text", "is_text", is_flag=True, help=tr("Print a template's text."))
@click.option(
    "--diff",
    "is_diff",
    is_flag=True,
    help=tr("Print the differences between the last two versions."),
)
@archive_option
@json_option
@click.pass_context
def show(
    context: click.Context,
    ident: str,
    at: int | None,
    is_text: bool,
    is_diff: bool,
    archive: Path,
    as_json: bool,
) -> None:
    """Show the events of a template or full text: ID is a handle, in any spelling, or a URL.

    Versions, files, redirects and later handles are shown with it. --text and --diff are for
    templates, which are public; a full text is opened with “carrel dark open ID --reason WHY”. With
    --at, the version that was current then is meant, and the one before it for --diff.

    Exit status 1 means that the ID is not known here, or had no such version.
    """
    if is_text and is_diff:
        raise click.UsageError(tr("Give --text or --diff, not both."))
    with questions_of(archive) as questions:
        life = _life(questions, ident)
        if life is None:
            context.exit(1)
        current = _current(questions, life, at)
        wanted: Sequence[VersionRow] = ()
        if is_text or is_diff:
            wanted = wanted_versions(questions, life, current, at, is_diff=is_diff)
            if not wanted:
                context.exit(1)
        twins = _twins(questions, life, current)
    if is_diff:
        print_difference(archive, life, *wanted, as_json=as_json)
    elif is_text:
        print_text(archive, life, *wanted, as_json=as_json)
    elif as_json:
        print_json(_fields(life, current, twins))
    else:
        _say(life, current, twins)


def _life(questions: Questions, ident: str) -> Life | None:
    """Return what an ID names; says so, and what is like it, where nothing is named so."""
    kind, ident_n = identified(ident)
    life = questions.life(kind, ident_n)
    if life is None:
        complain(tr("{ident} is not known here.", ident=ident))
        near = questions.near(ident_n, _NEAR)
        if near:
            click.echo(tr("Did you mean one of these?"), err=True)
        for hit in near:
            complain(f"  {hit_line(hit)}")
    return life


def _current(questions: Questions, life: Life, at: int | None) -> VersionRow | None:
    """Return the version of a time, by the data's own date if none was noted by then."""
    _, ident_n = identified(life.ident)
    current = questions.version_at(life.kind, ident_n, at)
    if current is not None or at is None:
        return current
    dated = [
        each for each in life.versions if each.source_tist is not None and each.source_tist <= at
    ]
    if not dated:
        return None
    current = max(dated, key=lambda each: (each.source_tist or 0, each.tist))
    click.echo(
        tr(
            "It was not yet recorded at {when}. This is the version of data dated "
            "{listed}, which was read on {read}.",
            when=when(at),
            listed=day(current.source_tist),
            read=day(current.tist),
        ),
        err=True,
    )
    return current


def _twins(questions: Questions, life: Life, current: VersionRow | None) -> list[str]:
    """Return what else has, or had, the bytes of a version."""
    same = questions.same_bytes(current.sha256) if current else ()
    return [hit.ident for hit in same if hit.ident != life.ident]


def _fields(life: Life, current: VersionRow | None, twins: Sequence[str]) -> dict[str, object]:
    return {
        **asdict(life),
        "found_when": when(life.found),
        "events": [
            {
                **asdict(each),
                "when": when(each.tist),
                "until_when": when(each.until),
                "dated_when": when(each.dated),
            }
            for each in life.events
        ],
        "versions": [version_fields(each) for each in life.versions],
        "current": current and current.tist,
        "same_bytes_as": twins,
    }


def _say(life: Life, current: VersionRow | None, twins: Sequence[str]) -> None:
    say(life.ident, bold=True)
    place = ":".join(part for part in (life.archive, life.series) if part)
    kind = life.type or ("template" if life.kind is ObiKind.TOBI else tr("full text"))
    found = _found(life)
    standing = _standing(life, current)
    say("  " + " · ".join(part for part in (kind, place, standing, found) if part))
    if life.renamed_to:
        likely = "likely" if life.state is ObiState.RENAMED else "perhaps"
        say(
            tr(
                "  {likely} renamed to {renamed_to}",
                likely=likely,
                renamed_to=", ".join(life.renamed_to),
            )
        )
    for event in life.events:
        say(f"  {_event_line(event)}")
    _say_versions(life.versions, current)
    _say_names(tr("same bytes as"), twins)
    if life.kind is ObiKind.TOBI:
        _say_names("files", [_file(life, each) for each in life.names])
    else:
        _say_names(tr("listed by"), life.names)
    for redirect in life.redirects:
        say(
            tr(
                "  redirected ({status}) to {to_url}",
                status=redirect.status,
                to_url=redirect.to_url,
            )
        )
    for opening in life.openings:
        say(f"  {opening}")


def _found(life: Life) -> str:
    """Return when it was found first, by the clock that it goes by."""
    if life.found is None:
        return tr("nothing archived")
    if life.kind is ObiKind.TOBI:
        return tr("first found in data of {when}", when=when(life.found))
    return tr("first fetched {when}", when=when(life.found))


def _standing(life: Life, current: VersionRow | None) -> str:
    """Return how an object stands, and that its bytes are not here as they were if they are not."""
    if life.fault is not None:
        return tr("{state}, our copy is {fault}", state=life.state, fault=life.fault)
    is_purged = current is not None and current.purged is not None
    state = str(life.state)
    if life.last_seen is not None:
        state = tr(
            "{state} when last delivered, {when}", state=life.state, when=when(life.last_seen)
        )
    elif is_purged and life.state is ObiState.PRESENT:
        return tr("purged here, available at its address")
    return tr("{state}, purged here", state=state) if is_purged else state


def _event_line(event: LifeEvent) -> str:
    """Return an event with when it was recorded, by our clock, and the date of the data read."""
    is_span = event.until not in (None, event.tist)
    until = tr(" until {when}", when=when(event.until)) if is_span else ""
    dated = "" if event.dated is None else tr(" (data of {when})", when=when(event.dated))
    detail = f": {event.detail}" * bool(event.detail)
    return f"{when(event.tist)}{until}  {event.what}{detail}{dated}"


def _say_versions(versions: Sequence[VersionRow], current: VersionRow | None) -> None:
    for each in versions:
        mark = "*" if current is not None and each.tist == current.tist else " "
        at = each.source_tist
        dated = "" if at is None else tr(", data of {when}", when=when(at))
        media = f", {each.media}" if each.media else ""
        say(
            tr(
                "{mark} version {tist}: {size}{media}{dated}",
                mark=mark,
                tist=each.tist,
                size=size_in_words(each.size),
                media=media,
                dated=dated,
            )
        )
        say(
            tr(
                "      sha256 {sha256}, MD5 of the text {text_md5}",
                sha256=each.sha256,
                text_md5=each.text_md5,
            )
        )
        if each.flags:
            say(f"      {in_words(each.flags)}")
        if each.purged is None:
            say(f"      {each.path}")
        else:
            say(
                tr(
                    "      purged {when}: {purge_reason}",
                    when=when(each.purged),
                    purge_reason=each.purge_reason,
                )
            )


def _file(life: Life, address: str) -> str:
    """Return the address of a full text, and why it is not requested if it cannot be."""
    if address not in life.not_requested:
        return address
    why = unrequestable(address).removesuffix(".")
    return tr("{address} (not requested: {why})", address=address, why=why)


def _say_names(heading: str, names: Sequence[str]) -> None:
    for name in names[:_NAMES_SHOWN]:
        say(f"  {heading}: {name}")
    if len(names) > _NAMES_SHOWN:
        say(tr("  … and {names:,} more", names=len(names) - _NAMES_SHOWN))
