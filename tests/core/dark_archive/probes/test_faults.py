# SPDX-License-Identifier: AGPL-3.0-or-later
"""Why nobody answered, told from what the client raises."""

import errno
import os

import httpcore
import pytest

from carrel.dark_archive.probes.faults import fault_of
from carrel.dark_archive.probes.outcomes import speaks_for_loss
from carrel.errors import IngestStop
from carrel.model import Status


def stop_by(cause: BaseException) -> IngestStop:
    stop = IngestStop(Status.NETWORK_ERROR, "example.org cannot be reached.")
    stop.__cause__ = cause
    return stop


def connecting(number: int) -> httpcore.ConnectError:
    error = httpcore.ConnectError()
    error.__cause__ = OSError(number, os.strerror(number))
    return error


@pytest.mark.parametrize("number", [errno.EMFILE, errno.ENFILE])
def test_too_many_open_files_are_our_own_fault(number: int) -> None:
    fault = fault_of(stop_by(connecting(number)), "https://example.org/")

    assert (fault.outcome, fault.may_pass, fault.is_host_down) == ("busy-here", True, False)


def test_a_host_that_can_not_be_reached_is_down() -> None:
    fault = fault_of(stop_by(connecting(errno.EHOSTUNREACH)), "https://example.org/")

    assert (fault.outcome, fault.is_host_down) == ("unreachable", True)


def test_a_host_that_lets_no_one_connect_does_not_respond_and_that_speaks_for_a_loss() -> None:
    stop = IngestStop(Status.READ_TIMEOUT, "example.org did not answer in time.")
    stop.__cause__ = httpcore.ConnectTimeout()

    fault = fault_of(stop, "https://example.org/")

    assert (fault.outcome, fault.is_connecting) == ("timeout", True)
    assert speaks_for_loss(fault.outcome)
