"""Background work: its messages arrive, and dropping it ends all processes that it started."""

from __future__ import annotations

import os
import time

import pytest

from sitegen.pipeline.workers import CAN_FORK
from sitegen.preview import session
from sitegen.preview.session import BackgroundWork, Report

copying = pytest.mark.skipif(not CAN_FORK, reason="no process is copied on this system")


def heard(work: BackgroundWork) -> list[object]:
    result: list[object] = []
    work.do(result.append)
    return result


@pytest.mark.parametrize(
    "can_copy", [pytest.param(True, marks=copying), False], ids=["a copy", "whoever waits"]
)
def test_what_is_said_is_heard_in_order(can_copy: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each message of the work arrives unchanged, whatever its content, with and without a copy of
    the process."""
    monkeypatch.setattr(session, "CAN_FORK", can_copy)

    def work(say: Report) -> None:
        for number in range(3):
            say({"number": number, "text": "a\nb \udc80 é"})

    assert heard(BackgroundWork(work)) == [
        {"number": number, "text": "a\nb \udc80 é"} for number in range(3)
    ]


@copying
def test_work_leaves_no_trace_here() -> None:
    """Changes that the work makes affect only its copy of the data."""
    here: list[int] = []

    def work(say: Report) -> None:
        here.append(os.getpid())
        say(here)

    assert heard(BackgroundWork(work)) != [[os.getpid()]]
    assert here == []


@copying
def test_what_is_dropped_ends_with_its_helpers() -> None:
    """Dropping the work ends all processes that it started, and a `do` that waits for them
    returns."""

    def work(say: Report) -> None:
        if os.fork():
            say("begun")
        time.sleep(600)

    dropped = BackgroundWork(work)
    dropped.do(
        lambda result: dropped.drop()
    )  # to its end: until nobody is left who could say something
    assert dropped.is_dropped
    dropped.drop()  # once more is no harm: by now another process may have its number


def test_what_is_dropped_before_it_begins_is_not_begun() -> None:
    """Nothing is heard of work that was dropped in time."""
    dropped = BackgroundWork(lambda say: say("begun"))
    dropped.drop()
    assert heard(dropped) == []
