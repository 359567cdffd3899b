# SPDX-License-Identifier: AGPL-3.0-or-later
"""What has to hold at the end, whatever happened. Each returns a figure, or fails."""

from collections import Counter, defaultdict
from collections.abc import Callable, Mapping
from urllib.parse import urlsplit

from acceptance.evidence import Evidence
from acceptance.hosts import Host
from acceptance.requested import SECRET
from carrel.demo import Delivery
from carrel.model import Status


def one_row_each(seen: Evidence) -> str:
    """Each address has exactly one row, and a platform row iff its platform was known."""
    wanted = {each["base_url"] for each in (*seen.wanted.ordinary, seen.wanted.killer)}
    rows = [url for (url,) in seen.rows(_ROWS)]
    assert len(rows) == len(set(rows)), "an address has two rows"
    assert set(rows) == wanted, f"{set(rows) ^ wanted}"
    known = {
        body["request"]["base_url"]
        for each in seen.results
        if all((body := each.body).get(f"platform_{name}") for name in ("name", "domain", "id"))
    }
    platforms = [url for (url,) in seen.rows("SELECT base_url FROM ingest_fileset_platform")]
    assert sorted(platforms) == sorted(known), f"{set(platforms) ^ known}"
    return f"{len(rows)} rows, {len(platforms)} with platform"


def same_as_one_machine(seen: Evidence) -> str:
    """The status of each is that of an undisturbed run on one machine."""
    there = dict(seen.rows(f"SELECT base_url, status FROM ({_ROWS_WITH_STATUS}) AS r"))
    killer = there.pop(seen.wanted.killer["base_url"], None)
    assert killer == "internal-error", f"what kills ended as {killer}"
    other = {
        url: (there.get(url), status)
        for url, status in seen.one_machine.items()
        if there.get(url) != status
    }
    assert set(there) == set(seen.one_machine), f"{set(there) ^ set(seen.one_machine)}"
    assert not other, f"here and on one machine: {other}"
    return f"{len(there)} statuses"


def each_result_is_an_attempt(seen: Evidence) -> str:
    """Every result that was sent has its attempt; the same id has the same words."""
    bodies: dict[str, bytes] = {}
    for each in seen.results:
        ingest_id = each.body["ingest_id"]
        assert bodies.setdefault(ingest_id, each.value) == each.value, f"{ingest_id} in two words"
    stored = {ingest_id for (ingest_id,) in seen.rows("SELECT ingest_id FROM carrel_attempt")}
    assert stored == set(bodies), f"{stored ^ set(bodies)}"
    return f"{len(seen.results)} results, {len(stored)} attempts"


def few_attempts(seen: Evidence) -> str:
    """A message is one attempt of each worker that was given it, and of no other."""
    attempts: dict[tuple[str, int, int], Counter[str]] = defaultdict(Counter)
    for worker, topic, partition, offset in seen.rows(_ATTEMPTS):
        attempts[topic, partition, offset][worker] += 1
    given = defaultdict(set)
    for change in seen.changes:
        given[change.topic, change.partition].add(change.worker)
    for (topic, partition, offset), by in attempts.items():
        place = f"{topic}/{partition}/{offset}"
        assert max(by.values()) == 1, f"{place}: twice by one worker: {by}"
        assert set(by) <= given[topic, partition], f"{place}: {by}, given to {given}"
    again = sum(len(by) - 1 for by in attempts.values())
    return f"{len(attempts)} messages, {again} ingested by a second worker"


def rejects_are_the_poison(seen: Evidence) -> str:
    """Set aside is the poison, each with its reason, told by its source; nothing else."""
    by_source = {each.headers["source"]: each for each in seen.rejects}
    assert all(each.headers.get("reason") for each in seen.rejects)
    there = Counter(each.value for each in by_source.values())
    killers = [value for value in there if seen.wanted.killer["base_url"].encode() in value]
    assert len(killers) == 1, f"the killer was set aside {len(killers)} times"
    expected = Counter([*seen.wanted.unreadable, *seen.wanted.no_results, *killers])
    assert there == expected, (
        f"{[value[:200] for value in (there - expected) + (expected - there)]}"
    )
    return f"{len(by_source)} set aside, {len(seen.rejects) - len(by_source)} told twice"


def not_fetched_twice(seen: Evidence) -> str:
    """No worker fetches the bytes of a file twice, but those that a fault cut off."""
    fetched: dict[tuple[str, str, str], list[float]] = defaultdict(list)
    for host in seen.scene.hosts:
        of_successes = _files_of_successes(host)
        for each in host.asked:
            if each.target in of_successes and not each.was_refused:
                fetched[host.address, each.worker, each.target].append(each.at)
    again = [
        (key, before)
        for key, times in fetched.items()
        for before in times[:-1]
        if not _was_cut_off(seen, key[1], before)
    ]
    assert not again, f"{again}"
    return f"{len(fetched)} files, {sum(len(times) - 1 for times in fetched.values())} cut off"


def one_worker_at_a_host(seen: Evidence) -> str:
    """A host is asked by who has its partition, and while that changes hands by who had it."""
    partitions = _partitions(seen)
    asked, late = 0, []
    for host in seen.scene.hosts:
        changes = [each for each in seen.changes if each.place in partitions[host.address]]
        assert len(partitions[host.address]) == 1, f"{host.address}: {partitions[host.address]}"
        for each in host.asked:
            if each.worker not in seen.scene.workers:
                continue  # that was the one machine, afterwards
            given = [change for change in changes if change.at <= each.at]
            asked += 1
            owner = given[-1] if given else None
            if owner and owner.worker != each.worker and each.at > owner.at + _HANDS_OVER_WITHIN_S:
                late.append((host.address, each.worker, each.at, owner))
    assert not late, f"{late}"
    return f"{asked} requests, {len(seen.changes)} times a partition was given"


def refusals_are_heeded(seen: Evidence) -> str:
    """Who was answered 429 does not ask again before the time that it was told.

    A process forgets what servers of its own machine asked for; it may ask once more.
    """
    refused = 0
    for host in seen.scene.hosts:
        told: dict[tuple[str, int], float] = {}
        for each in host.asked:
            if each.was_refused:
                refused += 1
                ends = seen.scene.workers[each.worker].ended_at
                process = each.worker, sum(end < each.at for end in ends)
                told_at = told.setdefault(process, each.at)
                # What was on its way already is no disregard.
                assert each.at - told_at < 2.0, f"{each.worker} asked {host.address} all the same"
    return f"{refused} refused"


def no_secret(seen: Evidence) -> str:
    """A password in an address is in no log, message or row."""
    logs = [*seen.scene.folder.glob("*.log")]
    for path in logs:
        assert SECRET not in path.read_text(errors="replace"), f"{path} has a secret"
    for sent in (*seen.results, *seen.rejects):
        assert SECRET.encode() not in sent.value, "a message has a secret"
    for table in ("ingest_request", "ingest_file_result", "carrel_attempt"):
        assert not seen.rows(f"SELECT 1 FROM {table} t WHERE t::text LIKE '%{SECRET}%'")
    return f"{len(logs)} logs"


def _partitions(seen: Evidence) -> Mapping[str, set[tuple[str, int]]]:
    """Return which partition of which topic each host's requests stood in."""
    found: dict[str, set[tuple[str, int]]] = defaultdict(set)
    for each in seen.results:
        topic, partition, _ = each.headers["carrel-request"].split("/")
        address = urlsplit(each.body["request"]["base_url"]).netloc
        found[address].add((topic, int(partition)))
    return found


def _files_of_successes(host: Host) -> set[str]:
    """Return where the files are that one answer is enough for.

    One without a published checksum is fetched once more by each request: it may be another by now.
    """
    return {
        dataset.file_url(host, file).removeprefix(host.origin)
        for dataset in host.datasets
        if dataset.expected in (Status.SUCCESS, Status.SUCCESS_FILE)
        for file in dataset.files
        if file.delivery is not Delivery.FAILS_TWICE and file.is_declared
    }


def _was_cut_off(seen: Evidence, worker: str, asked_at: float) -> bool:
    """Say whether a worker ended, or lost partitions, before a file that it asked for was there."""
    if worker not in seen.scene.workers:
        return False
    ends = [*seen.scene.workers[worker].ended_at, *seen.withdrawn[worker]]
    return any(0 <= end - asked_at < _ARRIVES_WITHIN_S for end in ends)


_ROWS = "SELECT base_url FROM ingest_file_result WHERE ingest_type = 'dataset'"
_ROWS_WITH_STATUS = _ROWS.replace("base_url", "base_url, status")
_ATTEMPTS = "SELECT worker, request_topic, request_partition, request_offset FROM carrel_attempt"
# The slow file, and the longest answers besides.
_ARRIVES_WITHIN_S = 10.0
# Who lost its partitions with its session learns that by a heartbeat.
_HANDS_OVER_WITHIN_S = 5.0
Check = Callable[[Evidence], str]
CHECKS: tuple[Check, ...] = (
    one_row_each,
    same_as_one_machine,
    each_result_is_an_attempt,
    few_attempts,
    rejects_are_the_poison,
    not_fetched_twice,
    one_worker_at_a_host,
    refusals_are_heeded,
    no_secret,
)
