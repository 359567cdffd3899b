# SPDX-License-Identifier: AGPL-3.0-or-later
"""What goes wrong, in an order that a seed draws, while requests come."""

import random
from collections.abc import Callable, Sequence

from acceptance.machines import Machine
from acceptance.requested import Requested
from acceptance.scene import SESSION_S, Scene
from support.fleet import submit
from support.persisting import send

_BROKER_DOWN_S, _DISK_FULL_S, _REFUSES_S = 10.0, 15.0, 60.0
_SECONDS_PER_KILL = 20.0
Fault = Callable[[Scene, random.Random], None]


def let_happen(scene: Scene, wanted: Requested, chance: random.Random, seconds: float) -> None:
    """Submit all that is requested in portions, with a fault after each; then let all come back."""
    faults = _drawn(chance, seconds)
    gap_s = seconds / len(faults)
    for number, fault in enumerate(faults):
        _submit_some(scene, wanted, number, len(faults))
        scene.idle(gap_s * chance.uniform(0.5, 1.0))
        fault(scene, chance)
    for each in scene.workers.values():
        if each.process is None:
            each.start()
    scene.note("no more faults")


def _drawn(chance: random.Random, seconds: float) -> Sequence[Fault]:
    """Return the faults: each kind once, a kill for every 20 s, shuffled; one worker joins before
    it leaves."""
    kills = [kill_worker] * max(3, round(seconds / _SECONDS_PER_KILL))
    faults = [*kills, kill_persist, kill_persist, stop_worker, stop_worker, stop_persist]
    faults += [broker_down, restart_postgres, fill_disk, refuse]
    chance.shuffle(faults)
    first, second = sorted(chance.sample(range(len(faults) + 1), 2))
    return [*faults[:first], join, *faults[first:second], leave, *faults[second:]]


def _submit_some(scene: Scene, wanted: Requested, number: int, of: int) -> None:
    """Submit a portion. What is to go wrong by itself comes early: three tries take their time."""
    if number == 0:
        submit(scene.settings, *wanted.unreadable)
        submit(scene.settings, wanted.with_secret, key=scene.hosts[0].address.encode())
        send(scene.settings, wanted.no_results)
    if number == 1:
        scene.submit([wanted.killer])
    if portion := wanted.wanted[number::of]:
        scene.submit(portion)


def kill_worker(scene: Scene, chance: random.Random) -> None:
    victim = _running(scene, chance)
    _hurt(scene, chance, victim, "kill -9", victim.kill)


def stop_worker(scene: Scene, chance: random.Random) -> None:
    victim = _running(scene, chance)
    _hurt(scene, chance, victim, "SIGTERM", lambda: _stop(victim))


def kill_persist(scene: Scene, chance: random.Random) -> None:
    _hurt(scene, chance, scene.persist, "kill -9", scene.persist.kill)


def stop_persist(scene: Scene, chance: random.Random) -> None:
    _hurt(scene, chance, scene.persist, "SIGTERM", lambda: _stop(scene.persist))


def join(scene: Scene, chance: random.Random) -> None:
    scene.note("w4 joins")
    scene.workers["w4"].start()


def leave(scene: Scene, chance: random.Random) -> None:
    scene.note("w4 leaves")
    _stop(scene.workers["w4"])


def broker_down(scene: Scene, chance: random.Random) -> None:
    scene.note(f"the broker is down for {_BROKER_DOWN_S:.0f} s")
    scene.broker.take_down()
    scene.idle(_BROKER_DOWN_S)
    scene.broker.bring_up()


def restart_postgres(scene: Scene, chance: random.Random) -> None:
    scene.note("Postgres is restarted")
    scene.postgres.stop()
    scene.idle(chance.uniform(1, 5))
    scene.postgres.start()


def fill_disk(scene: Scene, chance: random.Random) -> None:
    if not scene.disk.is_real:
        scene.note("no disk is full: only root can mount a small one")
        return
    scene.note(f"the disk of w2 is full for {_DISK_FULL_S:.0f} s")
    scene.disk.fill()
    scene.idle(_DISK_FULL_S)
    if scene.workers["w2"].process is not None:
        code, said = scene.workers["w2"].asked("/metrics")
        told = 'carrel_hindered{reason="disk-full"} 1.0' in said
        scene.note(f"/metrics of w2 ({code}) {'says so' if told else 'DOES NOT SAY SO'}")
    scene.disk.empty()


def refuse(scene: Scene, chance: random.Random) -> None:
    host = chance.choice(scene.hosts[:-1])  # the last has the killer
    scene.note(f"{host.address} answers 429 for {_REFUSES_S:.0f} s")
    host.refuse(_REFUSES_S)


def _running(scene: Scene, chance: random.Random) -> Machine:
    names = sorted(name for name, each in scene.workers.items() if each.process is not None)
    return scene.workers[chance.choice(names)]


def _hurt(
    scene: Scene, chance: random.Random, victim: Machine, how: str, deed: Callable[[], None]
) -> None:
    """Hurt a machine; it comes back within its session, or now and then long after."""
    away_s = chance.choice([0.5, 1.0, 2.0, 2 * SESSION_S])
    scene.note(f"{how} {victim.name}, back in {away_s:.1f} s")
    deed()
    scene.idle(away_s)
    victim.start()


def _stop(machine: Machine) -> None:
    code = machine.end()
    assert code in (0, -9), f"{machine.name} was stopped and ended with {code}"
