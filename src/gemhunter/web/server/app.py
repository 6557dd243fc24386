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
from starlette.exceptions import HTTPException

from gemhunter import __version__
from gemhunter.web.server.api import ERROR_HANDLERS, JobQueue, new_router, prepare_worker
from gemhunter.web.server.guards import AccessPolicy, Application, Guard, WebLimits
from gemhunter.work.jobs import JobLimits, JobPool

STATIC_FOLDER = Path(__file__).parents[1] / "static"

MEDIA_TYPES = {
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".svg": "image/svg+xml",
}
"""The kinds of files of the page. `mimetypes` is not used, because on some systems it calls scripts text."""


@dataclass(frozen=True, slots=True)
class WebSettings:
    """Who may use a server, the limits of a question, and the number of workers."""

    access: AccessPolicy = field(default_factory=AccessPolicy)
    limits: WebLimits = field(default_factory=WebLimits)
    workers: int = 4  # if there are more than cores, short questions overtake long ones
    memory: int | None = 4 * 2**30  # bytes that a job may use, where the system can limit it


def new_pool(settings: WebSettings) -> JobPool:
    """The workers of a server."""
    return JobPool(settings.workers, JobLimits(memory=settings.memory), prepare_worker)


def new_application(settings: WebSettings, pool: JobPool) -> Application:
    """The whole application behind its guard; the workers run as long as it does."""

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        with pool:
            yield

    application = FastAPI(
        title="Gem Hunter",
        version=__version__,
        description="Solve, explain, play and make trap grids. "
        "Every POST can be streamed as server-sent events.",
        lifespan=lifespan,
        docs_url=None,
        redoc_url=None,
        redirect_slashes=False,
        openapi_url="/api/v1/openapi.json",
        exception_handlers=ERROR_HANDLERS,
    )
    application.include_router(new_router(JobQueue(pool, settings.limits)), prefix="/api/v1")
    _add_page(application)
    return Guard(application, settings.access)


class PageFile:
    """A file of the page: its content, plain and compressed, and a digest of it."""

    def __init__(self, content: bytes, media_type: str) -> None:
        self.content, self.compressed, self.media_type = content, gzip.compress(content), media_type
        self.digest = blake2b(content, digest_size=8).hexdigest()

    def answer(self, request: Request, cached: str = "no-cache") -> Response:
        """The file in an encoding that the browser reads, or "not modified" if the browser has it already.

        By default the browser asks each time whether the file has changed.
        """
        headers = {"cache-control": cached, "etag": f'W/"{self.digest}"', "vary": "accept-encoding"}
        if headers["etag"] in request.headers.get("if-none-match", ""):
            return Response(status_code=304, headers=headers)
        if "gzip" not in request.headers.get("accept-encoding", ""):
            return Response(self.content, headers=headers, media_type=self.media_type)
        headers["content-encoding"] = "gzip"
        return Response(self.compressed, headers=headers, media_type=self.media_type)


def _imported(files: Mapping[str, PageFile], script: str) -> list[str]:
    """A script and all its imports, direct and indirect, except those that it loads on demand."""
    scripts = [script]
    for name in scripts:
        for path in re.findall(rb'^(?:import|export)\b[^"();]*"([^"]+)";', files[name].content, re.MULTILINE):
            imported = normpath(f"{dirname(name)}/{path.decode()}")
            if imported in files and imported not in scripts:
                scripts.append(imported)
    return scripts


def _add_page(application: FastAPI) -> None:
    """Serve the page and its files as they are now.

    The address of the files has a folder named after the contents of all of them. Browsers can keep them for
    good, because files that change get another address. Modules import each other by relative paths, so all
    come from the folder that the page names.
    """
    paths = sorted(path for path in STATIC_FOLDER.rglob("*") if path.suffix in MEDIA_TYPES)
    files = {
        path.relative_to(STATIC_FOLDER).as_posix(): PageFile(path.read_bytes(), MEDIA_TYPES[path.suffix])
        for path in paths
    }
    listed = "".join(f"{name} {file.digest}\n" for name, file in files.items())
    version = blake2b(listed.encode(), digest_size=8).hexdigest()

    # Without these links, a browser would discover modules import by import. `app.js` uses those of a tab.
    shell = _imported(files, "js/app.js")
    links = [f'<link rel="modulepreload" href="/static/{name}">' for name in shell]
    for path in sorted(STATIC_FOLDER.glob("js/*/tab.js")):
        own = [name for name in _imported(files, f"js/{path.parent.name}/tab.js") if name not in shell]
        links += [f'<link data-tab="{path.parent.name}" href="/static/{name}">' for name in own]
    text = (STATIC_FOLDER / "index.html").read_text(encoding="utf-8")
    text = text.replace("</head>", "\n".join([*links, "</head>"])).replace("/static/", f"/static/{version}/")
    index = PageFile(text.encode(), "text/html; charset=utf-8")

    @application.get("/", include_in_schema=False)
    async def page(request: Request) -> Response:
        return index.answer(request)

    @application.get("/favicon.ico", include_in_schema=False)
    async def icon(request: Request) -> Response:
        return files["gem.svg"].answer(request)

    @application.get("/static/{folder}/{name:path}", include_in_schema=False)
    async def file(folder: str, name: str, request: Request) -> Response:
        if folder != version or name not in files:
            raise HTTPException(404)
        return files[name].answer(request, "max-age=31536000, immutable")
