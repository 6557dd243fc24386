"""The application: the page, its API, and the workers behind them."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path

from fastapi import FastAPI, Request, Response
from fastapi.exceptions import RequestValidationError
from fastapi.responses import FileResponse
from fastapi.staticfiles import StaticFiles
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect

from gemhunter import __version__
from gemhunter.errors import GemHunterError
from gemhunter.web.answers import (
    answer_bad_request,
    answer_failure,
    answer_nobody,
    answer_our_error,
    answer_refusal,
)
from gemhunter.web.api import new_router
from gemhunter.web.guards import Application, Doorkeeper, Guard
from gemhunter.web.jobs import Office
from gemhunter.web.tasks.asked_boards import WebLimits
from gemhunter.web.tasks.prepare import prepare_worker
from gemhunter.work.jobs import JobLimits, JobPool

API_PATH = "/api/v1"
STATIC_FOLDER = Path(__file__).parent / "static"

DESCRIPTION = "Solve, explain, play and make trap grids. Every POST can be streamed as server-sent events."

LEAST_WORKERS = 4
"""Workers beyond the number of cores let short questions pass long ones."""

JOB_MEMORY = 4 * 2**30
"""Bytes that a job may use, where the system can limit it."""


@dataclass(frozen=True, slots=True)
class WebSettings:
    """How a server is run: who is let in, what a question may use, and how many workers there are."""

    doorkeeper: Doorkeeper = field(default_factory=Doorkeeper)
    limits: WebLimits = field(default_factory=WebLimits)
    workers: int = LEAST_WORKERS
    memory: int | None = JOB_MEMORY


def new_pool(settings: WebSettings) -> JobPool:
    """The workers of a server."""
    return JobPool(settings.workers, JobLimits(memory=settings.memory), prepare_worker)


def new_application(settings: WebSettings, pool: JobPool) -> Application:
    """The whole application behind its guard; workers run while it does."""

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        with pool:
            yield

    application = FastAPI(
        title="Gem Hunter",
        version=__version__,
        description=DESCRIPTION,
        lifespan=lifespan,
        docs_url=None,
        redoc_url=None,
        openapi_url=f"{API_PATH}/openapi.json",
        exception_handlers={
            GemHunterError: answer_our_error,
            RequestValidationError: answer_bad_request,
            HTTPException: answer_refusal,
            ClientDisconnect: answer_nobody,
            Exception: answer_failure,
        },
    )
    application.include_router(new_router(Office(pool, settings.limits)), prefix=API_PATH)
    application.mount("/static", _Static(directory=STATIC_FOLDER), name="static")

    @application.get("/", include_in_schema=False)
    async def page() -> Response:
        return FileResponse(STATIC_FOLDER / "index.html", headers={"cache-control": "no-cache"})

    @application.get("/favicon.ico", include_in_schema=False)
    async def icon() -> Response:
        return FileResponse(STATIC_FOLDER / "gem.svg", media_type="image/svg+xml")

    return Guard(application, settings.doorkeeper)


class _Static(StaticFiles):
    """Files that browsers keep, and ask about before they use them again."""

    async def get_response(self, path: str, scope: "Request | object") -> Response:
        response = await super().get_response(path, scope)  # type: ignore[arg-type]
        response.headers["cache-control"] = "no-cache"
        return response
