"""The API: a route for each question, jobs in worker processes for the requests, and errors as answers."""

import asyncio
import os
from collections.abc import AsyncIterator, Callable, Coroutine, Mapping
from dataclasses import dataclass
from typing import Any

from fastapi import APIRouter, Request, Response
from fastapi.exceptions import RequestValidationError
from fastapi.responses import StreamingResponse
from pydantic import BaseModel
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect

from gemhunter import __version__
from gemhunter.board.position import FirstClick
from gemhunter.errors import EngineError, GemHunterError, InputError, TooLargeError
from gemhunter.explanation.hint import CONCLUSION_RUNG, RUNGS
from gemhunter.explanation.rules import RULES
from gemhunter.files.samples import FIRST_SAMPLE, SAMPLES
from gemhunter.generate.games import Using
from gemhunter.generate.puzzles import DIFFICULTIES, SYMMETRIES
from gemhunter.jit.choice import listening
from gemhunter.optional_packages import FOR_CLIENTS
from gemhunter.play.advice import USUAL_DENSITY
from gemhunter.play.agents.registry import AGENTS
from gemhunter.play.game_ids import LEVELS
from gemhunter.play.game_names import read_grid
from gemhunter.printable import json_text
from gemhunter.questions.analyse import analyse
from gemhunter.questions.trace import TRACEABLE
from gemhunter.records.engines import engine_record, error_record, sample_record
from gemhunter.solving.registry import NEEDS_ARGUMENT, engine_names, get_engine
from gemhunter.web.questions.algorithms import (
    ALGORITHM_QUESTIONS,
    COMPARISON_BOARDS,
    COMPARISON_ENGINES,
    TRACE_STEPS,
)
from gemhunter.web.questions.boards import BOARD_QUESTIONS, EXPORT_KINDS
from gemhunter.web.questions.games import GAME_QUESTIONS
from gemhunter.web.questions.question import ApiQuestion, Task, Worker
from gemhunter.web.server.guards import RETRY_SECONDS, WebLimits
from gemhunter.wording import STARTED_AS
from gemhunter.work.jobs import BusyError, Job, JobContext, JobPool, Message, MessageKind, StoppedJobError

EVENT_STREAM = "text/event-stream"


def new_router(queue: "JobQueue") -> APIRouter:
    """The routes of the API."""
    router = APIRouter()
    for question in (*BOARD_QUESTIONS, *ALGORITHM_QUESTIONS, *GAME_QUESTIONS):
        _add(router, queue, question)
    offered: list[Any] = []

    @router.get("/about", summary="What this server offers.", responses=ERROR_RESPONSES)
    async def describe(request: Request) -> Response:
        if not offered:
            pending = queue.submit(describe_server, None, client=_client(request))
            offered.append((await pending.answer())[0])
        return _json(offered[0])

    return router


def _add(router: APIRouter, queue: "JobQueue", question: ApiQuestion) -> None:
    async def answer(body: Any, request: Request) -> Response:
        pending = queue.submit(
            question.task, body, client=_client(request), seconds=question.seconds, is_long=question.is_long
        )
        # A file may be bytes, which events cannot carry, and it does not take long to make.
        if question.media_type is None and EVENT_STREAM in request.headers.get("accept", ""):
            return StreamingResponse(_stream(pending), media_type=EVENT_STREAM)
        result, items = await _unless_left(pending, request)
        if question.media_type is not None:
            return _file(result, getattr(body, "to", "svg"))
        return _json({**result, "items": items} if question.is_long else result)

    answer.__annotations__["body"] = question.body
    answer.__name__ = question.path.replace("/", "_").replace("-", "_")
    router.add_api_route(
        f"/{question.path}",
        answer,
        methods=["POST"],
        summary=question.about,
        responses={
            200: {"description": "The answer.", "content": {question.media_type or "application/json": {}}},
            **ERROR_RESPONSES,
        },
    )


async def _unless_left(pending: "PendingJob", request: Request) -> tuple[Any, list[Any]]:
    """The answer of a job, which is cancelled if the client leaves first."""

    async def disconnected() -> None:
        while (await request.receive())["type"] != "http.disconnect":
            pass

    answer, leaving = asyncio.ensure_future(pending.answer()), asyncio.ensure_future(disconnected())
    try:
        await asyncio.wait({answer, leaving}, return_when=asyncio.FIRST_COMPLETED)
        if answer.done():
            return answer.result()
        raise ClientDisconnect
    finally:
        pending.job.cancel()
        answer.cancel()
        leaving.cancel()


async def _stream(pending: "PendingJob") -> AsyncIterator[str]:
    """The messages of a job as server-sent events; the job is cancelled when the client leaves."""
    try:
        yield _event("progress", {"waiting": True})
        async for message in pending.messages():
            if message is None:
                yield ": still here\n\n"
            elif message.kind is MessageKind.FAILURE:
                yield _event("error", error_of(message.value)[1])
            else:
                yield _event(message.kind.value, message.value)
    finally:
        pending.job.cancel()


def _event(name: str, value: Any) -> str:
    return f"event: {name}\ndata: {json_text(value)}\n\n"


def _client(request: Request) -> str:
    return request.client.host if request.client else ""


def _json(value: Any, status: int = 200, headers: Mapping[str, str] | None = None) -> Response:
    return Response(json_text(value), status, headers, "application/json")


FILE_TYPES = {
    "svg": ("image/svg+xml", ".svg"),
    "heat-svg": ("image/svg+xml", "-risks.svg"),
    "png": ("image/png", ".png"),
    "heat-png": ("image/png", "-risks.png"),
    "json": ("application/json", ".json"),
    "dimacs": ("text/plain; charset=utf-8", ".cnf"),
    "mbf": ("application/octet-stream", ".mbf"),
    "mine": ("text/plain; charset=utf-8", ".mine"),
    "sgt": ("text/plain; charset=utf-8", ".sgt"),
}
"""Media types and endings of exported files; other kinds are text."""


def _file(content: str | bytes, kind: str) -> Response:
    media_type, ending = FILE_TYPES.get(kind, ("text/plain; charset=utf-8", ".txt"))
    disposition = f'attachment; filename="board{ending}"'
    return Response(content, media_type=media_type, headers={"content-disposition": disposition})


# Requests as jobs: each task runs in a worker process, and ends when its client leaves.


@dataclass(frozen=True, slots=True, eq=False)
class PendingJob:
    """A submitted job, and the queue where its messages arrive."""

    job: Job
    inbox: "asyncio.Queue[Message]"

    async def messages(self) -> AsyncIterator[Message | None]:
        """Yield every message of the job, and None after five silent seconds to keep the connection alive."""
        while True:
            try:
                message = await asyncio.wait_for(self.inbox.get(), 5.0)
            except TimeoutError:
                yield None
                continue
            yield message
            if message.is_last:
                return

    async def answer(self) -> tuple[Any, list[Any]]:
        """The result of the job and the items that it sent before; raises the error if it failed."""
        items = []
        async for message in self.messages():
            if message is None or message.kind is MessageKind.PROGRESS:
                continue
            if message.kind is MessageKind.ITEM:
                items.append(message.value)
            elif message.kind is MessageKind.FAILURE:
                raise message.value
            else:
                return message.value, items
        raise AssertionError("the last message is a result or a failure")


class JobQueue:
    """Submits the tasks of clients to the workers."""

    def __init__(self, pool: JobPool, limits: WebLimits) -> None:
        self.pool, self.limits = pool, limits

    def submit(
        self, task: Task, body: Any, *, client: str, seconds: float | None = None, is_long: bool = False
    ) -> PendingJob:
        """Start a job, which the caller cancels if the client leaves; `BusyError` if too many are waiting."""
        loop = asyncio.get_running_loop()
        inbox: asyncio.Queue[Message] = asyncio.Queue()

        def receive(message: Message) -> None:
            if not loop.is_closed():
                loop.call_soon_threadsafe(inbox.put_nowait, message)

        if seconds is None:  # a task may ask several questions, each with the time limit
            seconds = 2 * self.limits.seconds + 5
        job = self.pool.submit(
            do_task,
            task,
            body,
            self.limits,
            on_message=receive,
            owner=client,
            seconds=seconds,
            is_long=is_long,
        )
        return PendingJob(job, inbox)


# In a worker process.


def prepare_worker() -> None:
    """Analyse a small board before the first job, so that clients do not wait for imports.

    From now on, messages that suggest a command name no path of this machine.
    """
    os.environ[FOR_CLIENTS] = "1"
    os.environ.pop(STARTED_AS, None)
    analyse(read_grid(FIRST_SAMPLE))


def do_task(job: JobContext, task: Task, body: Any, limits: WebLimits) -> Any:
    """The answer to a request; while kernels are compiled, the client gets a note."""

    def report(line: str, *, lasting: bool) -> None:
        if line and not lasting:
            job.pause(line)

    with listening(report):
        return task(Worker(job, limits), body)


def describe_server(worker: Worker, _: None) -> dict[str, Any]:
    """Everything that this server offers; the page makes its lists from it."""
    course = ["pysat:glucose4", "cdcl", "dpll", "backtracking", "brute-force", "genetic", "resolution"]
    solvers = ["cadical195", "glucose4", "kissat404", "lingeling", "maplechrono", "minisat22"]
    engines = []
    for name in engine_names():
        if name.partition(":")[0] in NEEDS_ARGUMENT:  # it would start a program that the request names
            continue
        try:
            engine = get_engine(name)
        except EngineError:  # a plug-in that cannot be loaded
            continue
        engines.append({**engine_record(engine.info, engine), "name": name})
    return {
        "version": __version__,
        "limits": {"cells": worker.limits.cells, "seconds": worker.limits.seconds},
        "engines": engines,
        "traceable": list(TRACEABLE),
        "trace_steps": TRACE_STEPS,
        "comparison": {
            "boards": COMPARISON_BOARDS,
            "engines": COMPARISON_ENGINES,
            "presets": {
                "Course algorithms": course,
                "SAT solvers": [*(f"pysat:{name}" for name in solvers), "cdcl"],
            },
            # Backtracking, the last of these engines, does not solve the largest sample in time.
            "first": {
                "engines": course[:4],
                "samples": ["sample:thrashing", "sample:learning", "sample:66x66-hard"],
            },
        },
        "agents": [{"name": agent.name, "about": agent.about} for agent in AGENTS.values()],
        "levels": [
            {"name": name, "rows": level.rows, "cols": level.cols, "traps": level.total}
            for name, level in LEVELS.items()
        ],
        "samples": [sample_record(name) for name in SAMPLES],
        "first_click": [rule.value for rule in FirstClick],
        "using": [using.value for using in Using],
        "difficulties": list(DIFFICULTIES),
        "symmetries": list(SYMMETRIES),
        "rules": [{"name": rule.name, "level": rule.level, "about": rule.about} for rule in RULES.values()],
        "rungs": {"all": RUNGS, "conclusion": CONCLUSION_RUNG},
        "usual_density": USUAL_DENSITY,
        "export_kinds": list(EXPORT_KINDS),
    }


# Errors as answers: one shape for everything that goes wrong.


class FaultModel(BaseModel):
    """A fault at a place in a text; line and column 0 mean the whole text."""

    line: int
    column: int
    message: str


class ErrorModel(BaseModel):
    """An error: a code for programs, a line for people, the field to correct, and every fault of a board."""

    code: str
    message: str
    field: str | None
    faults: list[FaultModel]


class ErrorAnswer(BaseModel):
    """The shape of every error."""

    error: ErrorModel


ERROR_RESPONSES: dict[int | str, dict[str, Any]] = {
    status: {"model": ErrorAnswer, "description": description}
    for status, description in {
        400: "The request is not JSON.",
        401: "The request lacks the token.",
        403: "The request comes from another page.",
        408: "The work took too long or too much memory, or the request arrived too slowly.",
        413: "The request or its board is too large.",
        422: "The request cannot be used; the message says why.",
        429: "The server is busy; try again.",
        500: "An engine failed, or the server made an error.",
        503: "There are too many connections; try again.",
    }.items()
}
"""What the schema says about errors."""


def error_of(error: GemHunterError) -> tuple[int, dict[str, Any]]:
    """The status and the record of an error."""
    match error:
        case BusyError():
            return 429, error_record("busy", error)
        case StoppedJobError():
            return 408, error_record("stopped", f"gave up: {error}")
        case TooLargeError():
            return 413, error_record("too-large", error)
        case InputError():
            return 422, error_record("bad-request", error)
        case _:
            return 500, error_record("failed", error)


async def _answer_our_error(_: Request, error: GemHunterError) -> Response:
    status, record = error_of(error)
    return _json(record, status, {"retry-after": str(RETRY_SECONDS)} if status == 429 else None)


async def _answer_bad_request(_: Request, error: RequestValidationError) -> Response:
    first = error.errors()[0]
    place = ".".join(str(part) for part in first["loc"][1:])
    message = first["msg"].lower().removeprefix("value error, ")
    text = f"{place}: {message}" if place else message
    field = None if first["type"] == "json_invalid" else place or None  # the place in JSON is a number
    return _json(error_record("bad-request", text, field), 422)


async def _answer_refusal(_: Request, error: HTTPException) -> Response:
    """The answer to an error of the framework, such as a path that does not exist."""
    codes = {400: "bad-request", 404: "not-found", 405: "not-found", 413: "too-large", 422: "bad-request"}
    record = error_record(codes.get(error.status_code, "failed"), str(error.detail).lower())
    return _json(record, error.status_code, error.headers)


async def _answer_absent_client(_: Request, __: ClientDisconnect) -> Response:
    """An empty answer: the client has left, so nothing will read it."""
    return Response(status_code=408)


async def _answer_failure(_: Request, __: Exception) -> Response:
    """The answer to a fault in the server, which prints the traceback."""
    return _json(error_record("failed", "the server made an error"), 500)


ERROR_HANDLERS: dict[int | type[Exception], Callable[[Request, Any], Coroutine[Any, Any, Response]]] = {
    GemHunterError: _answer_our_error,
    RequestValidationError: _answer_bad_request,
    HTTPException: _answer_refusal,
    ClientDisconnect: _answer_absent_client,
    Exception: _answer_failure,
}
