"""The API: a table of questions, each with what it asks and the task that answers it."""

import asyncio
from collections.abc import AsyncIterator, Callable, Mapping
from dataclasses import dataclass
from typing import Any

from fastapi import APIRouter, Request, Response
from fastapi.exceptions import RequestValidationError
from fastapi.responses import StreamingResponse
from pydantic import BaseModel
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect

from gemhunter.errors import EngineError, GemHunterError, InputError, TooLargeError
from gemhunter.printable import json_text
from gemhunter.records.answers import error_record
from gemhunter.web import bodies
from gemhunter.web.guards import RETRY_SECONDS
from gemhunter.web.tasks import about, algorithms, boards, games
from gemhunter.web.tasks import boards as making
from gemhunter.web.tasks.boards import WebLimits, Worker
from gemhunter.work.jobs import BusyError, Desk, Job, JobFaultError, JobPool, Message, News, StoppedJobError

# Errors as answers: a status and one shape for whatever goes wrong.


STATUS_CODES = {
    400: "bad-request",
    404: "not-found",
    405: "not-found",
    413: "too-large",
    422: "bad-request",
}
"""The word for each status that the framework answers with itself."""


class FaultModel(BaseModel):
    """One thing wrong at one place of a text; 0 means the whole."""

    line: int
    column: int
    message: str


class ErrorModel(BaseModel):
    """What went wrong: a word for programs, a line for people, and every fault of a board."""

    code: str
    message: str
    faults: list[FaultModel]


class ErrorAnswer(BaseModel):
    """The shape of every error."""

    error: ErrorModel


ERROR_RESPONSES: dict[int | str, dict[str, Any]] = {
    400: {"model": ErrorAnswer, "description": "The request is not JSON."},
    401: {"model": ErrorAnswer, "description": "The request lacks the token."},
    403: {"model": ErrorAnswer, "description": "The request comes from another page."},
    408: {
        "model": ErrorAnswer,
        "description": "The work took too long or too much memory, or the request arrived too slowly.",
    },
    413: {"model": ErrorAnswer, "description": "The request or its board is too large."},
    422: {"model": ErrorAnswer, "description": "The request cannot be used; the message says why."},
    429: {"model": ErrorAnswer, "description": "There is too much to do; try again."},
    500: {"model": ErrorAnswer, "description": "An engine could not do its work."},
    503: {"model": ErrorAnswer, "description": "There are too many connections; try again."},
}
"""What the schema says of errors."""


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
        case EngineError() | JobFaultError():
            return 500, error_record("failed", error)
        case _:
            return 408, error_record("stopped", error)


async def answer_our_error(_: Request, error: Exception) -> Response:
    """An error of ours."""
    if not isinstance(error, GemHunterError):
        raise error
    status, record = error_of(error)
    headers = {"retry-after": str(RETRY_SECONDS)} if status == 429 else None
    return Response(json_text(record), status, headers, "application/json")


async def answer_bad_request(_: Request, error: Exception) -> Response:
    """A body that does not fit its question."""
    if not isinstance(error, RequestValidationError):
        raise error
    first = error.errors()[0]
    place = ".".join(str(part) for part in first["loc"][1:])
    message = first["msg"].lower().removeprefix("value error, ")
    message = f"{place}: {message}" if place else message
    return Response(json_text(error_record("bad-request", message)), 422, media_type="application/json")


async def answer_refusal(_: Request, error: Exception) -> Response:
    """An error of the framework, such as a path that does not exist."""
    if not isinstance(error, HTTPException):
        raise error
    record = error_record(STATUS_CODES.get(error.status_code, "failed"), str(error.detail).lower())
    return Response(json_text(record), error.status_code, error.headers, "application/json")


async def answer_nobody(_: Request, __: Exception) -> Response:
    """A client that has left; nothing of the answer arrives."""
    return Response(status_code=408)


async def answer_failure(_: Request, __: Exception) -> Response:
    """A fault of ours; the server prints where."""
    record = error_record("failed", "something went wrong in the server")
    return Response(json_text(record), 500, media_type="application/json")


# Requests as jobs: each task is done in a worker process, and ends when its client leaves.


Task = Callable[[Worker, Mapping[str, Any]], Any]

SILENCE_SECONDS = 5.0
"""How long a job is silent at most: a beat in between shows that the server is still there."""

HARD_FACTOR, HARD_SECONDS = 2.0, 5.0
"""A task may ask several questions, each with the time limit; one that takes longer than this is ended."""


def do_task(desk: Desk, task: Task, asked: Mapping[str, Any], limits: WebLimits) -> Any:
    """In a worker: the answer to a request."""
    worker = Worker(desk, limits)
    with worker.at_work():
        return task(worker, asked)


@dataclass(frozen=True, slots=True, eq=False)
class Ticket:
    """A job that was handed in, and where its messages arrive."""

    job: Job
    inbox: "asyncio.Queue[Message]"

    async def messages(self) -> AsyncIterator[Message | None]:
        """All that the job sends, and None now and then while it sends nothing."""
        while True:
            try:
                message = await asyncio.wait_for(self.inbox.get(), SILENCE_SECONDS)
            except TimeoutError:
                yield None
                continue
            yield message
            if message.is_last:
                return

    async def answer(self) -> tuple[Any, list[Any]]:
        """The result of the job, and the items that it sent before; raises the error that ended it."""
        items = []
        async for message in self.messages():
            if message is None or message.kind is News.PROGRESS:
                continue
            if message.kind is News.ITEM:
                items.append(message.value)
            elif message.kind is News.FAILURE:
                raise message.value
            else:
                return message.value, items
        raise AssertionError("the last message is a result or a failure")


class Office:
    """Hands tasks to the workers on behalf of clients."""

    def __init__(self, pool: JobPool, limits: WebLimits) -> None:
        self.pool, self.limits = pool, limits

    def hand_in(
        self,
        task: Task,
        asked: Mapping[str, Any],
        *,
        client: str,
        seconds: float | None = None,
        is_long: bool = False,
    ) -> Ticket:
        """A job for a task; `BusyError` if too many wait. It is to be cancelled if its client leaves."""
        loop = asyncio.get_running_loop()
        inbox: asyncio.Queue[Message] = asyncio.Queue()

        def tell(message: Message) -> None:
            if not loop.is_closed():
                loop.call_soon_threadsafe(inbox.put_nowait, message)

        hard = HARD_FACTOR * self.limits.seconds + HARD_SECONDS if seconds is None else seconds
        job = self.pool.submit(
            do_task, task, asked, self.limits, tell=tell, owner=client, seconds=hard, is_long=is_long
        )
        return Ticket(job, inbox)


# The API: a table of questions, each with what it asks and the task that answers it.


EVENT_STREAM = "text/event-stream"

MEASURED_SECONDS = 300.0
"""For a run that is measured: its engine may have to be compiled first."""

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
"""Media types and endings of exported files; all others are text."""


@dataclass(frozen=True, slots=True)
class ApiQuestion:
    """A question of the API: its path, what it asks, the task that answers, and a sentence about it.

    `media_type` says that the answer is a file. A question that `is_long` is answered part by part. `seconds`
    is the most that a part may take, if it is more than for others.
    """

    path: str
    body: type[bodies.Body]
    task: Task
    about: str
    media_type: str | None = None
    seconds: float | None = None
    is_long: bool = False


QUESTIONS = (
    ApiQuestion("read", bodies.ReadBody, boards.read_board, "Read a board or game in any format."),
    ApiQuestion("analyse", bodies.WeightedBoardBody, boards.analyse_board, "What is true of all solutions."),
    ApiQuestion("solutions", bodies.SolutionsBody, boards.list_solutions, "The first solutions, in order."),
    ApiQuestion("advise", bodies.WeightedBoardBody, boards.advise_on_board, "The best move in a position."),
    ApiQuestion(
        "explain", bodies.TimedBoardBody, boards.explain_board, "Why forced cells are what they are."
    ),
    ApiQuestion("explain-cell", bodies.CellBody, boards.explain_one_cell, "Why one cell is what it is."),
    ApiQuestion("hint", bodies.HintBody, boards.hint_on_board, "The next deduction, up to a rung."),
    ApiQuestion("check", bodies.CheckBody, boards.check_filled, "Whether what is filled in can be right."),
    ApiQuestion("export", bodies.ExportBody, boards.export_board, "A board as a file.", "*/*"),
    ApiQuestion("trace", bodies.TraceBody, algorithms.trace_engine, "What an engine does, step by step."),
    ApiQuestion(
        "trace-graph",
        bodies.GraphBody,
        algorithms.draw_conflict,
        "The implication graph behind a learned clause.",
        "image/svg+xml",
    ),
    ApiQuestion("clauses", bodies.ClueBody, algorithms.list_clauses, "The clauses of one clue."),
    ApiQuestion(
        "compare",
        bodies.CompareBody,
        algorithms.compare_engines,
        "Engines on boards, each engine in a process of its own.",
        seconds=MEASURED_SECONDS,
        is_long=True,
    ),
    ApiQuestion(
        "report",
        bodies.CompareBody,
        algorithms.write_report,
        "A report about engines on boards, measured now.",
        seconds=MEASURED_SECONDS,
        is_long=True,
    ),
    ApiQuestion("play", bodies.GameBody, games.show_game, "What the player of a game sees."),
    ApiQuestion("play/id", bodies.NewGameBody, games.name_game, "The id of a new game."),
    ApiQuestion("play/hint", bodies.GameHintBody, games.hint_in_game, "A hint to the player of a game."),
    ApiQuestion("play/risks", bodies.GameBody, games.risks_in_game, "The risk of each hidden cell."),
    ApiQuestion("play/turn", bodies.AgentBody, games.take_agents_turn, "The next moves of an agent."),
    ApiQuestion("play/watch", bodies.AgentBody, games.watch_agent, "A whole game by an agent."),
    ApiQuestion(
        "play/review",
        bodies.GameBody,
        games.review_game,
        "Every move of a game judged.",
        is_long=True,
    ),
    ApiQuestion(
        "generate/puzzles", bodies.PuzzlesBody, making.make_puzzles, "Puzzles to order.", is_long=True
    ),
    ApiQuestion("generate/game", bodies.MadeGameBody, making.make_game, "A game that needs no guess."),
    ApiQuestion("generate/sheet", bodies.SheetBody, making.draw_sheet, "Puzzles on pages to print."),
)


def new_router(office: Office) -> APIRouter:
    """The routes of the API."""
    router = APIRouter()
    for question in QUESTIONS:
        _add(router, office, question)
    known: list[Any] = []

    @router.get("/about", summary="What this server offers.", responses=ERROR_RESPONSES)
    async def describe(request: Request) -> Response:
        if not known:
            ticket = office.hand_in(about.describe, {}, client=_client(request))
            known.append((await ticket.answer())[0])
        return _json(known[0])

    return router


def _add(router: APIRouter, office: Office, question: ApiQuestion) -> None:
    async def answer(body: Any, request: Request) -> Response:
        asked, client = body.asked(), _client(request)
        seconds, is_long = question.seconds, question.is_long
        ticket = office.hand_in(question.task, asked, client=client, seconds=seconds, is_long=is_long)
        if EVENT_STREAM in request.headers.get("accept", ""):
            return StreamingResponse(_stream(ticket), media_type=EVENT_STREAM)
        found, items = await _unless_left(ticket, request)
        if question.media_type is not None:
            return _file(found, asked.get("to", "svg"))
        return _json({**found, "items": items} if question.is_long else found)

    answer.__annotations__["body"] = question.body
    answer.__name__ = question.path.replace("/", "_").replace("-", "_")
    content: dict[str, Any] = {question.media_type: {}} if question.media_type else {}
    router.add_api_route(
        f"/{question.path}",
        answer,
        methods=["POST"],
        summary=question.about,
        responses={
            200: {"description": "The answer.", "content": content or {"application/json": {}}},
            **ERROR_RESPONSES,
        },
    )


async def _unless_left(ticket: Ticket, request: Request) -> tuple[Any, list[Any]]:
    """The answer of a job; cancels the job if the client leaves first."""
    answer = asyncio.ensure_future(ticket.answer())
    leaving = asyncio.ensure_future(_leaves(request))
    try:
        await asyncio.wait({answer, leaving}, return_when=asyncio.FIRST_COMPLETED)
        if answer.done():
            return answer.result()
        raise ClientDisconnect
    finally:
        ticket.job.cancel()
        answer.cancel()
        leaving.cancel()


async def _leaves(request: Request) -> None:
    while (await request.receive())["type"] != "http.disconnect":
        pass


async def _stream(ticket: Ticket) -> AsyncIterator[str]:
    """The messages of a job as server-sent events; the job is cancelled when the client leaves."""
    try:
        yield _event("progress", {"waiting": True})
        async for message in ticket.messages():
            if message is None:
                yield ": still here\n\n"
            elif message.kind is News.FAILURE:
                yield _event("error", error_of(message.value)[1])
            else:
                yield _event(message.kind.value, message.value)
    finally:
        ticket.job.cancel()


def _event(name: str, value: Any) -> str:
    return f"event: {name}\ndata: {json_text(value)}\n\n"


def _client(request: Request) -> str:
    return request.client.host if request.client else ""


def _json(value: Any) -> Response:
    return Response(json_text(value), media_type="application/json")


def _file(content: str | bytes, kind: str) -> Response:
    media_type, ending = FILE_TYPES.get(kind, ("text/plain; charset=utf-8", ".txt"))
    disposition = f'attachment; filename="board{ending}"'
    return Response(content, media_type=media_type, headers={"content-disposition": disposition})
