"""The application: the page, its API, and the workers behind them."""

import gzip
import re
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from hashlib import blake2b
from pathlib import Path
from posixpath import dirname, normpath

from fastapi import FastAPI, Request, Response
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect

from gemhunter import __version__
from gemhunter.errors import GemHunterError
from gemhunter.web.api import (
    Office,
    answer_bad_request,
    answer_failure,
    answer_nobody,
    answer_our_error,
    answer_refusal,
    new_router,
)
from gemhunter.web.guards import Application, Doorkeeper, Guard
from gemhunter.web.tasks.boards import WebLimits
from gemhunter.web.tasks.prepare import prepare_worker
from gemhunter.work.jobs import JobLimits, JobPool

API_PATH = "/api/v1"
STATIC_FOLDER = Path(__file__).parent / "static"

MEDIA_TYPES = {
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".svg": "image/svg+xml",
}
"""The files of the page. What a system says of such endings is not asked: some say that scripts are text."""

KEPT_FOR_GOOD, REVALIDATED = "max-age=31536000, immutable", "no-cache"
"""What browsers do with a file: keep it, or ask whether it has changed before they use it again."""

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
        redirect_slashes=False,
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
    _add_page(application)
    return Guard(application, settings.doorkeeper)


@dataclass(frozen=True, slots=True)
class PageFile:
    """A file of the page: its content, plain and compressed, and a digest of it."""

    content: bytes
    compressed: bytes
    digest: str
    media_type: str

    def answer(self, request: Request, cached: str) -> Response:
        """The file as a browser can read it, or that the one which the browser has is still good."""
        headers = {"cache-control": cached, "etag": f'W/"{self.digest}"', "vary": "accept-encoding"}
        if headers["etag"] in request.headers.get("if-none-match", ""):
            return Response(status_code=304, headers=headers)
        if "gzip" not in request.headers.get("accept-encoding", ""):
            return Response(self.content, headers=headers, media_type=self.media_type)
        return Response(
            self.compressed, headers=headers | {"content-encoding": "gzip"}, media_type=self.media_type
        )


def _page_file(content: bytes, media_type: str) -> PageFile:
    return PageFile(content, gzip.compress(content), blake2b(content, digest_size=8).hexdigest(), media_type)


def _imported(files: Mapping[str, PageFile], script: str) -> list[str]:
    """A script and all it imports, directly or not, but for what it imports only when needed."""
    found = [script]
    for name in found:
        for path in re.findall(rb'^(?:import|export)\b[^"();]*"([^"]+)";', files[name].content, re.MULTILINE):
            imported = normpath(f"{dirname(name)}/{path.decode()}")
            if imported in files and imported not in found:
                found.append(imported)
    return found


def _add_page(application: FastAPI) -> None:
    """Serve the page and its files, as they are now.

    The files are in a folder that is named after the contents of all of them, so that browsers can keep them:
    files that have changed have another address. Modules import each other by relative paths, so all of them
    come from the folder that the page names.
    """
    paths = sorted(path for path in STATIC_FOLDER.rglob("*") if path.suffix in MEDIA_TYPES)
    files = {
        path.relative_to(STATIC_FOLDER).as_posix(): _page_file(path.read_bytes(), MEDIA_TYPES[path.suffix])
        for path in paths
    }
    listed = "".join(f"{name} {file.digest}\n" for name, file in files.items())
    version = blake2b(listed.encode(), digest_size=8).hexdigest()

    # Without these links, a browser would find modules import by import. `app.js` uses those of a tab.
    shell = _imported(files, "js/app.js")
    links = [f'<link rel="modulepreload" href="/static/{name}">' for name in shell]
    for path in sorted(STATIC_FOLDER.glob("js/*/tab.js")):
        own = [name for name in _imported(files, f"js/{path.parent.name}/tab.js") if name not in shell]
        links += [f'<link data-tab="{path.parent.name}" href="/static/{name}">' for name in own]
    text = (STATIC_FOLDER / "index.html").read_text(encoding="utf-8")
    text = text.replace("</head>", "\n".join([*links, "</head>"])).replace("/static/", f"/static/{version}/")
    index = _page_file(text.encode(), "text/html; charset=utf-8")

    @application.get("/", include_in_schema=False)
    async def page(request: Request) -> Response:
        return index.answer(request, REVALIDATED)

    @application.get("/favicon.ico", include_in_schema=False)
    async def icon(request: Request) -> Response:
        return files["gem.svg"].answer(request, REVALIDATED)

    @application.get("/static/{folder}/{name:path}", include_in_schema=False)
    async def file(folder: str, name: str, request: Request) -> Response:
        if folder != version or name not in files:
            raise HTTPException(404)
        return files[name].answer(request, KEPT_FOR_GOOD)
