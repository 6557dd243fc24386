"""Errors as answers: a status and one shape for whatever goes wrong."""

from typing import Any

from fastapi import Request, Response
from fastapi.exceptions import RequestValidationError
from pydantic import BaseModel
from starlette.exceptions import HTTPException

from gemhunter.errors import EngineError, GemHunterError, InputError, TooLargeError
from gemhunter.printable import json_text
from gemhunter.records.errors import error_record
from gemhunter.web.guards import RETRY_SECONDS
from gemhunter.work.desk import JobFaultError
from gemhunter.work.jobs import BusyError, StoppedJobError

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
