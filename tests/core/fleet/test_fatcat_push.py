# SPDX-License-Identifier: AGPL-3.0-or-later
"""A push to fatcat: looked up first, submitted for review, never twice, each end named."""

import json
import subprocess
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from support.archives import Ran, carrel, command, environment
from support.fatcat_results import kept, numbered, result, saved, through_the_client
from support.fatcat_server import (
    ADMIN,
    EDITOR,
    STRANGER,
    FatcatServer,
    Fault,
    fatcat_server,
    ident,
    token,
)

Pushing = Callable[..., Ran]


@pytest.fixture
def server() -> Iterator[FatcatServer]:
    with fatcat_server() as running:
        yield running


@pytest.fixture
def push(server: FatcatServer, tmp_path: Path) -> Pushing:
    """Run `carrel fatcat push` on results, with the token of an editor."""
    settings = tmp_path / "config" / "carrel" / "settings.toml"
    settings.parent.mkdir(parents=True)
    settings.write_text("[network]\nattempts = 2\ntimeout_s = 20\n")

    def run(*results: Mapping[str, Any], options: tuple[str, ...] = (), role: str = EDITOR) -> Ran:
        file = saved(tmp_path / "results.jsonl", *results)
        env = {"CARREL_TOKEN_FATCAT": token(role)} if role else {}
        env["XDG_CONFIG_HOME"] = str(settings.parents[1])
        return carrel(
            "fatcat", "push", "--json", "--api", server.api, *options, file, env=env, cwd=tmp_path
        )

    return run


def ends(ran: Ran) -> list[str]:
    """Return what became of each result, by ingest."""
    return [each["outcome"] for each in sorted(ran.lines, key=lambda each: each["ingest_id"])]


def add_releases(server: FatcatServer, *numbers: int) -> list[str]:
    return [server.add_release(f"10.5072/{number}") for number in numbers]


def sent(server: FatcatServer) -> list[str]:
    """Return the ingests of all entities that are in editgroups, sorted."""
    groups = server.editgroups.values()
    return sorted(
        body["edit_extra"]["ingest_id"] for group in groups for body in server.bodies(group)
    )


def ingest_ids(*numbers: int) -> list[str]:
    return sorted(numbered(number)["ingest_id"] for number in numbers)


def test_datasets_are_submitted_for_review_and_nothing_is_accepted(
    server: FatcatServer, push: Pushing
) -> None:
    one, two = add_releases(server, 1, 2)

    ran = push(numbered(1), numbered(2, is_file=True))

    assert (ran.code, ends(ran)) == (0, ["submitted", "submitted"]), ran.err
    (group,) = server.group("submitted")
    fileset, file = server.bodies(group)
    assert (fileset["release_ids"], file["release_ids"]) == ([one], [two])
    assert group["extra"]["ingest_ids"] == ingest_ids(1, 2)
    assert group["extra"]["agent"].startswith("carrel/")
    assert server.accepted == []
    assert {each["editgroup"] for each in ran.lines} == {group["editgroup_id"]}


def test_what_is_sent_is_what_other_peoples_models_of_the_api_know(
    server: FatcatServer, push: Pushing
) -> None:
    add_releases(server, 1, 2)

    push(numbered(1), numbered(2, is_file=True))

    (group,) = server.group("submitted")
    for body, kind in zip(server.bodies(group), ("fileset", "file"), strict=True):
        assert through_the_client(kind, body) == body


def test_a_second_push_sends_nothing_while_the_first_waits_for_review(
    server: FatcatServer, push: Pushing
) -> None:
    add_releases(server, 1, 2)
    push(numbered(1), numbered(2))

    again = push(numbered(1), {**numbered(2), "ingest_id": "of-another-ingest"})

    assert (again.code, ends(again)) == (0, ["in-review", "in-review"])
    assert len(server.editgroups) == 1


def test_what_is_accepted_is_found_by_its_files(server: FatcatServer, push: Pushing) -> None:
    add_releases(server, 1, 2, 3)
    push(numbered(1), numbered(2, is_file=True))
    server.accept(server.group("submitted")[0])

    again = push(numbered(1), numbered(2, is_file=True), numbered(3))

    assert (again.code, ends(again)) == (0, ["exists", "exists", "submitted"])
    assert sent(server) == ingest_ids(1, 2, 3)


def test_a_fileset_that_is_listed_without_its_manifest_is_read(
    server: FatcatServer, push: Pushing
) -> None:
    add_releases(server, 1)
    push(numbered(1))
    server.accept(server.group("submitted")[0])
    server.hides_manifests = True

    assert ends(push(numbered(1))) == ["exists"]


def test_another_fileset_at_the_release_is_not_the_same(
    server: FatcatServer, push: Pushing
) -> None:
    add_releases(server, 1)
    push(numbered(1))
    server.accept(server.group("submitted")[0])
    newer = {**numbered(1), "manifest": [kept("a.csv", b"new"), kept("b.csv", b"newer")]}

    assert ends(push(newer)) == ["submitted"]


def test_the_same_files_twice_in_a_push_go_once(server: FatcatServer, push: Pushing) -> None:
    add_releases(server, 1)

    ran = push(numbered(1), {**numbered(1), "ingest_id": "z"})

    assert (ran.code, ends(ran)) == (0, ["submitted", "repeated"])
    assert len(sent(server)) == 1


def test_editgroups_have_at_most_a_hundred(server: FatcatServer, push: Pushing) -> None:
    add_releases(server, *range(101))

    ran = push(*map(numbered, range(101)))

    assert ran.code == 0, ran.err
    assert sorted(len(server.bodies(each)) for each in server.group("submitted")) == [1, 100]


def test_editgroups_are_found_on_every_page(server: FatcatServer, push: Pushing) -> None:
    add_releases(server, 1)
    push(numbered(1))
    (mine,) = server.editgroups.values()
    for number in range(250):
        created = f"2099-01-01T00:{number // 60:02}:{number % 60:02}.500000Z"
        other = {**mine, "extra": {"agent": "other"}, "editgroup_id": ident(10**6 + number)}
        server.editgroups[other["editgroup_id"]] = {**other, "created": created}

    assert ends(push(numbered(1))) == ["in-review"]


def test_an_admin_accepts_only_when_told_to(server: FatcatServer, push: Pushing) -> None:
    add_releases(server, 1, 2)

    plain = push(numbered(1), role=ADMIN)
    told = push(numbered(2), role=ADMIN, options=("--accept",))

    assert (ends(plain), ends(told)) == (["submitted"], ["accepted"])
    assert [each["edit_extra"]["ingest_id"] for each in server.accepted] == ingest_ids(2)


def test_an_editor_cannot_accept_and_learns_it_before_anything_is_written(
    server: FatcatServer, push: Pushing
) -> None:
    add_releases(server, 1)

    ran = push(numbered(1), options=("--accept",))

    assert ran.code == 2
    assert "Only admins" in ran.err
    assert server.editgroups == {}


def test_a_dry_run_writes_nothing_and_needs_no_token(server: FatcatServer, push: Pushing) -> None:
    add_releases(server, 1)

    ran = push(numbered(1), numbered(2), options=("--dry-run",), role="")

    assert (ran.code, ends(ran)) == (1, ["would-push", "no-release"])
    assert server.asked("POST") + server.asked("PUT") == 0


@pytest.mark.parametrize(
    ("role", "words"),
    [("", "needs the token"), (STRANGER, "does not accept the token")],
)
def test_without_a_valid_token_nothing_is_pushed(
    server: FatcatServer, push: Pushing, role: str, words: str
) -> None:
    ran = push(numbered(1), role=role)

    assert ran.code == 2
    assert words in ran.err
    assert server.editgroups == {}


def test_the_token_is_in_nothing_that_is_said(server: FatcatServer, push: Pushing) -> None:
    server.faults = [Fault("POST", "/editgroup", 403)]
    add_releases(server, 1)

    ran = push(numbered(1), options=())

    assert ends(ran) == ["failed"]
    assert token(EDITOR) not in ran.out + ran.err


def test_a_secret_of_the_service_manager_is_taken(
    server: FatcatServer, push: Pushing, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    add_releases(server, 1)
    (tmp_path / "fatcat").write_text(token(EDITOR) + "\n")
    monkeypatch.setenv("CREDENTIALS_DIRECTORY", str(tmp_path))

    assert ends(push(numbered(1), role="")) == ["submitted"]


def test_a_token_is_not_sent_in_the_clear(push: Pushing) -> None:
    ran = push(numbered(1), options=("--api", "http://fatcat.example/v0"))

    assert ran.code == 2
    assert "over https only" in ran.err


def test_a_server_that_is_away_at_the_start_is_69(push: Pushing) -> None:
    assert push(numbered(1), options=("--api", "http://127.0.0.1:9/v0")).code == 69


@pytest.mark.parametrize(
    ("fields", "release", "end"),
    [
        ({}, {"ext_ids": {"doi": "10.5072/1"}, "state": "deleted"}, "no-release"),
        ({"hops": []}, {}, "no-release"),
        ({"release_stage": "draft"}, {"release_stage": "published"}, "other-stage"),
        ({"release_stage": "published"}, {"release_stage": "published"}, "submitted"),
    ],
)
def test_only_the_release_of_the_dataset_gets_its_files(
    server: FatcatServer,
    push: Pushing,
    fields: Mapping[str, Any],
    release: Mapping[str, Any],
    end: str,
) -> None:
    server.add_release("10.5072/1" if "release_stage" in release else "", **release)

    ran = push({**numbered(1), "request": {**numbered(1)["request"], **fields}})

    assert ends(ran) == [end]


def test_a_release_is_found_by_its_ident_and_a_redirect_is_followed(
    server: FatcatServer, push: Pushing
) -> None:
    target = server.add_release()
    merged = server.add_release(state="redirect", redirect=target)
    request = {**numbered(1)["request"], "fatcat": {"release_ident": merged}}

    assert push({**numbered(1), "request": request}).lines[0]["release"] == target


def test_a_malformed_identifier_is_passed_over_for_the_next(
    server: FatcatServer, push: Pushing
) -> None:
    release = server.add_release(ext_ids={"pmid": "7"})
    ids = {"doi": "10.1234567/x", "pmid": "7"}
    request = {"ingest_type": "dataset", "base_url": "https://x.example/", "ext_ids": ids}

    assert push({**numbered(1), "request": request}).lines[0]["release"] == release


def test_a_file_that_exists_elsewhere_is_said_to(server: FatcatServer, push: Pushing) -> None:
    add_releases(server, 1, 2)
    push(numbered(1, is_file=True))
    server.accept(server.group("submitted")[0])
    request = numbered(2)["request"]

    (line,) = push({**numbered(1, is_file=True), "request": request}).lines

    assert line["outcome"] == "exists"
    assert "not at this release" in line["message"]


def test_refused_results_are_named_and_the_others_are_pushed(
    server: FatcatServer, push: Pushing
) -> None:
    add_releases(server, 1)
    single = result(kept("a"), ingest_strategy="web-fileset")

    ran = push(single, numbered(1))

    assert ran.code == 1
    assert {(each["outcome"], each.get("code")) for each in ran.lines} == {
        ("refused", "single-file"),
        ("submitted", None),
    }


def test_an_entity_that_the_server_refuses_does_not_hold_the_others_back(
    server: FatcatServer, push: Pushing
) -> None:
    add_releases(server, 1, 2)
    server.faults = [Fault("POST", "/editgroup/.*/fileset", 400)]

    ran = push(numbered(1), numbered(2))

    assert (ran.code, ends(ran)) == (1, ["rejected", "submitted"])
    assert server.group("submitted")[0]["extra"]["ingest_ids"] == ingest_ids(2)


@pytest.mark.parametrize(
    ("status", "words"),
    [
        (400, "as invalid"),
        (401, "does not accept the token"),
        (403, "may not do that"),
        (404, "no such thing"),
        (409, "in conflict"),
        (418, "HTTP 418"),
        (429, "fewer requests"),
        (500, "failed (HTTP 500)"),
        (503, "failed (HTTP 503)"),
    ],
)
def test_each_refusal_is_a_sentence_and_no_result_is_left_out(
    server: FatcatServer, push: Pushing, status: int, words: str
) -> None:
    add_releases(server, 1, 2)
    server.faults = [Fault("POST", "/editgroup/.*/file.*", status, times=99)]

    ran = push(numbered(1), numbered(2))

    assert (ran.code, len(ran.lines)) == (1, 2)
    assert {each["outcome"] for each in ran.lines} <= {"rejected", "failed", "not-pushed"}
    assert all(words in each["message"] for each in ran.lines)
    assert server.group("submitted") == []


def test_after_the_server_is_gone_the_rest_is_named_without_asking_it(
    server: FatcatServer, push: Pushing
) -> None:
    server.faults = [Fault("GET", "/release/lookup", 503, times=99)]

    ran = push(*map(numbered, range(5)))

    assert (ran.code, ends(ran)) == (1, ["failed", *["not-pushed"] * 4])
    assert server.asked("GET", "/release") == 2


def test_a_pause_that_the_server_asks_for_is_kept(server: FatcatServer, push: Pushing) -> None:
    add_releases(server, 1)
    server.faults = [Fault("POST", "/editgroup", 429, headers={"Retry-After": "1"})]

    assert ends(push(numbered(1))) == ["submitted"]


@pytest.mark.parametrize(
    ("method", "path"),
    [
        ("POST", "/editgroup"),
        ("POST", "/editgroup/.*/fileset"),
        ("PUT", "/editgroup/.*"),
        ("POST", "/editgroup/.*/accept"),
    ],
)
@pytest.mark.parametrize("is_done", [True, False])
def test_a_call_that_failed_is_made_again_only_if_it_had_no_effect(
    server: FatcatServer, push: Pushing, method: str, path: str, is_done: bool
) -> None:
    add_releases(server, 1)
    server.faults = [Fault(method, path, 502, is_done=is_done)]
    options = ("--accept",) if "accept" in path else ()

    ran = push(numbered(1), role=ADMIN, options=options)

    assert ends(ran) == ["accepted" if options else "submitted"]
    assert len(server.editgroups) == len(sent(server)) == 1


# An editgroup, two entities, and its end.
WRITES = [(number, is_done) for number in range(1, 5) for is_done in (False, True)]


@pytest.mark.parametrize("options", [(), ("--accept",)])
@pytest.mark.parametrize(("number", "is_done"), WRITES)
def test_a_push_that_was_killed_is_continued_and_nothing_is_there_twice(
    server: FatcatServer,
    push: Pushing,
    tmp_path: Path,
    number: int,
    is_done: bool,
    options: tuple[str, ...],
) -> None:
    add_releases(server, 1, 2)
    file = saved(tmp_path / "killed.jsonl", numbered(1), numbered(2, is_file=True))
    process = subprocess.Popen(
        command("fatcat", "push", "--api", server.api, *options, file),
        env=environment(CARREL_TOKEN_FATCAT=token(ADMIN)),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )

    def kill(at: int, was_done: bool) -> None:
        if (at, was_done) == (number, is_done):
            process.kill()
            process.wait()

    server.at_write = kill
    process.wait(60)
    server.at_write = lambda at, was_done: None

    again = push(numbered(1), numbered(2, is_file=True), role=ADMIN, options=options)

    assert process.returncode == -9
    assert again.code == 0, again.out
    assert sent(server) == ingest_ids(1, 2)
    assert len(server.editgroups) == 1
    assert server.group("open") == []


def test_an_open_editgroup_of_other_results_is_left_and_named(
    server: FatcatServer, push: Pushing
) -> None:
    add_releases(server, 1, 2)
    server.faults = [Fault("PUT", "/editgroup/.*", 403)]
    push(numbered(1))
    (left,) = server.group("open")

    ran = push(numbered(2))

    assert ends(ran) == ["submitted"]
    assert f"Editgroup {left['editgroup_id']} of an earlier push is still open" in ran.err
    assert server.group("open") == [left]


def test_for_people_each_result_is_a_line(server: FatcatServer, push: Pushing) -> None:
    add_releases(server, 1)
    file = json.dumps(numbered(1))

    ran = subprocess.run(
        command("fatcat", "push", "--api", server.origin),
        input=file,
        env=environment(CARREL_TOKEN_FATCAT=token(EDITOR)),
        capture_output=True,
        text=True,
        check=True,
    )

    first, last = ran.stdout.splitlines()
    assert first.startswith("https://doi.org/10.5072/1: submitted for review (fileset ")
    assert last == "1 of 1 result settled: submitted 1."
