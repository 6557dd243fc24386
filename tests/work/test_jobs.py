"""Jobs in worker processes: messages, limits, cancelling, and fair turns."""

from collections.abc import Callable, Iterator
from queue import Queue
from typing import Any

import pytest

from gemhunter.errors import InputError
from gemhunter.work.jobs import (
    BusyError,
    Job,
    JobFaultError,
    JobLimits,
    JobPool,
    Message,
    MessageKind,
    StoppedJobError,
)
from gemhunter.work.memory import can_limit_memory
from job_functions import (
    FOREVER,
    ExitCodeError,
    add,
    die,
    divide_by_zero,
    eat,
    fail_like_a_plug_in,
    fail_unreadably,
    hang,
    pause_twice,
    refuse,
    send_slowly,
    wait_for_cancel,
)


@pytest.fixture(scope="module", name="pool")
def small_pool() -> Iterator[JobPool]:
    with JobPool(2, JobLimits(seconds=FOREVER, memory=2**29)) as pool:
        yield pool


class Inbox:
    """Where the messages of one job arrive."""

    def __init__(self, pool: JobPool, function: Callable[..., Any], *arguments: Any, **more: Any) -> None:
        self.messages: Queue[Message] = Queue()
        self.job: Job = pool.submit(function, *arguments, on_message=self.messages.put, **more)

    def all(self) -> list[Message]:
        found = [self.messages.get(timeout=FOREVER)]
        while not found[-1].is_last:
            found.append(self.messages.get(timeout=FOREVER))
        return found

    def last(self) -> Message:
        return self.all()[-1]


def test_items_come_before_the_result(pool: JobPool) -> None:
    assert Inbox(pool, add, 1, 2).all() == [Message(MessageKind.ITEM, 1), Message(MessageKind.RESULT, 3)]


def test_a_cancelled_job_can_stop_by_itself(pool: JobPool) -> None:
    inbox = Inbox(pool, wait_for_cancel)
    assert inbox.messages.get(timeout=FOREVER) == Message(MessageKind.PROGRESS, {"seconds": 1.5, "steps": 7})
    inbox.job.cancel()
    assert inbox.last() == Message(MessageKind.RESULT, "stopped in time")


def test_a_cancelled_job_that_does_not_listen_is_ended_and_its_worker_replaced(pool: JobPool) -> None:
    inbox = Inbox(pool, hang)
    inbox.job.cancel()
    kind, error = inbox.last()
    assert kind is MessageKind.FAILURE
    assert isinstance(error, StoppedJobError)
    assert str(error) == "cancelled"
    assert [Inbox(pool, add, number, 1).last().value for number in range(4)] == [1, 2, 3, 4]


def test_a_job_that_takes_too_long_is_ended(pool: JobPool) -> None:
    error = Inbox(pool, hang, seconds=0.2).last().value
    assert isinstance(error, StoppedJobError)
    assert str(error) == "time limit of 0.2 s"


def test_a_pause_starts_the_time_limit_again(pool: JobPool) -> None:
    *notes, last = Inbox(pool, pause_twice, seconds=1.0).all()
    assert [note.value for note in notes] == [{"note": "compiling"}] * 2
    assert last.value == "done"


def test_a_job_whose_process_dies_fails_alone(pool: JobPool) -> None:
    error = Inbox(pool, die).last().value
    assert "died (exit code 3)" in str(error)
    assert Inbox(pool, add, 1, 1).last().value == 2


def test_an_error_of_ours_is_passed_on(pool: JobPool) -> None:
    error = Inbox(pool, refuse).last().value
    assert isinstance(error, InputError)
    assert str(error) == "that is not a board"


def test_an_error_of_a_plug_in_is_passed_on_whatever_its_constructor_takes(pool: JobPool) -> None:
    error = Inbox(pool, fail_like_a_plug_in).last().value
    assert isinstance(error, ExitCodeError)
    assert (str(error), error.code) == ("solver ended with exit code 3", 3)


@pytest.mark.skipif(not can_limit_memory(), reason="this system cannot limit memory")
def test_a_job_that_needs_too_much_memory_gives_up(pool: JobPool) -> None:
    error = Inbox(pool, eat, 2**30).last().value
    assert isinstance(error, StoppedJobError)
    assert str(error) == "not enough memory"
    assert Inbox(pool, eat, 2**20).last().value == 2**20


def test_no_owner_has_all_workers(pool: JobPool) -> None:
    greedy = [Inbox(pool, wait_for_cancel, owner="greedy") for _ in range(3)]
    assert Inbox(pool, add, 1, 2, owner="modest").last().value == 3
    for inbox in greedy:
        inbox.job.cancel()
    assert all(inbox.last().is_last for inbox in greedy)


def test_too_many_waiting_jobs_of_an_owner_are_refused() -> None:
    with JobPool(1, JobLimits(waiting_per_owner=2)) as pool:
        first = Inbox(pool, wait_for_cancel, owner="greedy")
        first.messages.get(timeout=FOREVER)  # it has begun
        waiting = [Inbox(pool, add, 1, number, owner="greedy") for number in range(2)]
        with pytest.raises(BusyError, match="the server is busy"):
            Inbox(pool, add, 1, 1, owner="greedy")
        waiting[0].job.cancel()
        first.job.cancel()
        assert [str(inbox.last().value) for inbox in waiting] == ["cancelled", "2"]


def test_leaving_the_pool_lets_jobs_stop_and_ends_those_that_do_not() -> None:
    with JobPool(2) as pool:
        willing, other = Inbox(pool, wait_for_cancel), Inbox(pool, hang, owner="another")
        willing.messages.get(timeout=FOREVER)
    assert [str(inbox.last().value) for inbox in (willing, other)] == ["stopped in time", "cancelled"]


def test_long_jobs_together_leave_workers_to_short_ones(pool: JobPool) -> None:
    long = [Inbox(pool, wait_for_cancel, owner=f"owner {number}", is_long=True) for number in range(2)]
    assert Inbox(pool, add, 1, 2, owner="another").last().value == 3
    for inbox in long:
        inbox.job.cancel()
    assert all(inbox.last().is_last for inbox in long)


def test_jobs_that_were_cancelled_while_they_waited_count_no_more() -> None:
    with JobPool(1, JobLimits(waiting_per_owner=2)) as pool:
        first = Inbox(pool, wait_for_cancel)
        first.messages.get(timeout=FOREVER)
        for inbox in [Inbox(pool, add, 1, 1) for _ in range(2)]:
            inbox.job.cancel()
        last = Inbox(pool, add, 2, 2)
        first.job.cancel()
        assert last.last().value == 4


def test_a_fault_of_ours_fails_one_job_and_keeps_the_worker(capfd: pytest.CaptureFixture[str]) -> None:
    with JobPool(1) as pool:
        assert "something went wrong" in str(Inbox(pool, divide_by_zero).last().value)
        assert Inbox(pool, add, 1, 1).last().value == 2
    assert "ZeroDivisionError" in capfd.readouterr().err


def test_every_item_starts_the_time_limit_again(pool: JobPool) -> None:
    assert Inbox(pool, send_slowly, seconds=1.0).last().value == "done"


@pytest.mark.parametrize(
    "function", [fail_unreadably, lambda job: None], ids=["an unreadable error", "an unpicklable function"]
)
def test_a_message_that_cannot_be_passed_on_fails_one_job_and_keeps_the_worker(
    capfd: pytest.CaptureFixture[str], function: Callable[..., Any]
) -> None:
    with JobPool(1) as pool:
        assert isinstance(Inbox(pool, function).last().value, JobFaultError)
        assert Inbox(pool, add, 1, 1).last().value == 2
    assert "Traceback" in capfd.readouterr().err


@pytest.mark.parametrize("refused", [MessageKind.ITEM, MessageKind.RESULT])
@pytest.mark.parametrize("kind", [RuntimeError, SystemExit])
def test_a_receiver_that_fails_ends_its_own_job_and_keeps_the_worker(
    capfd: pytest.CaptureFixture[str], refused: MessageKind, kind: type[BaseException]
) -> None:
    received: Queue[MessageKind] = Queue()

    def receive(message: Message) -> None:
        received.put(message.kind)
        if message.kind is refused:
            raise kind("the event loop is closed")

    with JobPool(1) as pool:
        pool.submit(add, 1, 2, on_message=receive)
        kinds = [received.get(timeout=FOREVER) for _ in range(2)]
        assert Inbox(pool, add, 1, 1).last().value == 2
    assert kinds == [MessageKind.ITEM, {MessageKind.ITEM: MessageKind.FAILURE}.get(refused, refused)]
    assert "the event loop is closed" in capfd.readouterr().err


def test_a_process_that_cannot_be_started_fails_the_job(capfd: pytest.CaptureFixture[str]) -> None:
    with JobPool(1, prepare=lambda: None) as pool:  # a process of its own cannot import this function
        assert isinstance(Inbox(pool, add, 1, 1).last().value, JobFaultError)
    assert "pickle" in capfd.readouterr().err
