"""Who may ask: checks that every request passes before the API sees it, and headers of every answer."""

import asyncio
import hmac
import json
import re
from collections.abc import Awaitable, Callable, MutableMapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import parse_qs

from gemhunter.records.answers import error_record

Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]
Application = Callable[[Scope, Receive, Send], Awaitable[None]]

TOKEN_COOKIE = "gemhunter_token"  # noqa: S105 - the name of the cookie, not a token
TOKEN_PAGE = Path(__file__).parent / "static" / "token.html"
LOOPBACK_HOSTS = ("localhost", "127.0.0.1", "::1")

CONTENT_POLICY = (
    b"default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob: data:; "
    b"connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)

_HOST = re.compile(r"(?:(?P<name>[A-Za-z0-9.-]+)|\[(?P<number>[0-9A-Fa-f:.]+)\])(?::\d{1,5})?", re.ASCII)

LET_IN = "gemhunter.let_in"
"""The extension of a request's scope that gives its connection a place, or returns False if all are taken."""

RETRY_SECONDS = 2
"""When to try again if the server is busy."""

PASSED_OVER_BYTES = 128 * 2**20
PASSED_OVER_SECONDS = 5.0
"""How much of a request that was refused is still read."""

SECURITY_HEADERS = (
    (b"content-security-policy", CONTENT_POLICY),
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"no-referrer"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"cross-origin-resource-policy", b"same-origin"),
    (b"x-frame-options", b"DENY"),
)

NO_TOKEN = "open the link with the token that the server printed, or send it as a bearer token"  # noqa: S105


@dataclass(frozen=True, slots=True)
class Doorkeeper:
    """What a request needs to be let in.

    `hosts` are the names that the server is called by; a page of another name, which DNS can make point here,
    is refused. With a `token`, which every request then needs, any name will do. `body_bytes` is the size of
    the largest request, and `body_seconds` how long it may take to arrive.
    """

    hosts: tuple[str, ...] = LOOPBACK_HOSTS
    token: str | None = None
    body_bytes: int = 4 * 2**20
    body_seconds: float = 30.0


class Refusal(NamedTuple):
    """The answer to a request that is not let in."""

    status: int
    code: str
    message: str


def _too_large(most: int) -> Refusal:
    return Refusal(413, "too-large", f"a request has at most {most:,} bytes")


class Guard:
    """An ASGI application behind a doorkeeper."""

    def __init__(self, application: Application, doorkeeper: Doorkeeper) -> None:
        self._application, self._doorkeeper = application, doorkeeper

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let a request in, or say why not."""
        if scope["type"] != "http":
            await self._application(scope, receive, send)
            return
        if scope["method"] == "HEAD":  # the server leaves out the body of the answer
            scope = {**scope, "method": "GET"}
        headers = {name.decode("latin-1"): value.decode("latin-1") for name, value in scope["headers"]}
        guarded = _with_headers(send)
        take_place = scope.get("extensions", {}).get(LET_IN, lambda: True)
        if (cookie := self._token_in_address(scope)) is not None:
            take_place()
            await _redirect(guarded, cookie)
        elif (refusal := self._refusal(scope, headers)) is not None:
            if refusal.status == 401 and scope["path"] == "/":
                await _ask_for_token(guarded)
            else:
                await _refuse(receive, guarded, refusal)
        elif not take_place():
            await _refuse(receive, guarded, Refusal(503, "busy", "there are too many connections; try again"))
        else:
            await self._let_in(scope, receive, guarded)

    def _token_in_address(self, scope: Scope) -> str | None:
        """The cookie for a visitor who opens the page by the link with the token."""
        token = self._doorkeeper.token
        if token is None or scope["method"] != "GET" or scope["path"] != "/":
            return None
        given = parse_qs(scope["query_string"].decode("latin-1")).get("token", [""])[0]
        return token if given and _equal(given, token) else None

    def _refusal(self, scope: Scope, headers: dict[str, str]) -> Refusal | None:
        """Why a request is not let in."""
        door, host = self._doorkeeper, headers.get("host", "")
        if door.token is None and _host_name(host) not in door.hosts:
            return Refusal(403, "forbidden", f"this server is not called {_host_name(host)[:80]!r}")
        if door.token is not None and not _has_token(headers, door.token):
            return Refusal(401, "unauthorized", NO_TOKEN)
        if scope["method"] not in ("GET", "OPTIONS") and not _is_same_origin(headers, host):
            return Refusal(403, "forbidden", "requests from other pages are refused")
        size = headers.get("content-length", "0")
        if not size.isdigit() or int(size[:20]) > door.body_bytes:
            return _too_large(door.body_bytes)
        return None

    async def _let_in(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on; refuse it after all if it is too large or too slow."""
        most, seconds = self._doorkeeper.body_bytes, self._doorkeeper.body_seconds
        received, has_begun, is_whole = 0, False, False
        until = asyncio.get_running_loop().time() + seconds
        refusal: Refusal | None = None

        async def counted() -> MutableMapping[str, Any]:
            nonlocal received, is_whole, refusal
            try:
                async with asyncio.timeout_at(None if is_whole else until):
                    message = await receive()
            except TimeoutError:
                refusal = Refusal(408, "too-slow", f"a request has to arrive within {seconds:g} s")
                return {"type": "http.disconnect"}
            is_whole = not message.get("more_body", False)
            received += len(message.get("body", b""))
            if received > most:
                refusal = _too_large(most)
                return {"type": "http.disconnect"}
            return message

        async def sent(message: MutableMapping[str, Any]) -> None:
            nonlocal has_begun
            if has_begun or refusal is None:
                has_begun = True
                await send(message)

        await self._application(scope, counted, sent)
        if not has_begun and refusal is not None:
            await _refuse(receive, send, refusal)


def _host_name(host: str) -> str:
    """The name in a `Host` header, without the port; empty if it is not one."""
    found = _HOST.fullmatch(host)
    return (found["name"] or found["number"]).lower() if found else ""


def _is_same_origin(headers: dict[str, str], host: str) -> bool:
    """Whether a request was sent by this server's own page, or by something that is not a page."""
    if headers.get("sec-fetch-site", "none") not in ("same-origin", "none"):
        return False
    scheme, _, netloc = headers.get("origin", f"http://{host}").partition("://")
    return scheme in ("http", "https") and netloc == host


def _has_token(headers: dict[str, str], token: str) -> bool:
    scheme, _, given = headers.get("authorization", "").partition(" ")
    if scheme.lower() == "bearer" and _equal(given.strip(), token):
        return True
    cookies = (part.strip().partition("=") for part in headers.get("cookie", "").split(";"))
    return any(name == TOKEN_COOKIE and _equal(value, token) for name, _, value in cookies)


def _equal(given: str, token: str) -> bool:
    return hmac.compare_digest(given.encode("utf-8", "replace"), token.encode())


def _with_headers(send: Send) -> Send:
    async def sent(message: MutableMapping[str, Any]) -> None:
        if message["type"] == "http.response.start":
            own = message.get("headers", ())
            named = {name for name, _ in own}
            message["headers"] = [*own, *(each for each in SECURITY_HEADERS if each[0] not in named)]
        await send(message)

    return sent


async def _redirect(send: Send, token: str) -> None:
    """Keep the token in a cookie, and its address out of the browser's history."""
    cookie = f"{TOKEN_COOKIE}={token}; Path=/; HttpOnly; SameSite=Strict; Max-Age=31536000"
    headers = [(b"location", b"/"), (b"set-cookie", cookie.encode()), (b"content-length", b"0")]
    await send({"type": "http.response.start", "status": 303, "headers": headers})
    await send({"type": "http.response.body", "body": b""})


async def _ask_for_token(send: Send) -> None:
    """A page for people who came without the token."""
    body = TOKEN_PAGE.read_bytes()
    headers = [
        (b"content-type", b"text/html; charset=utf-8"),
        (b"content-length", str(len(body)).encode()),
        (b"content-security-policy", b"default-src 'none'; form-action 'self'; frame-ancestors 'none'"),
    ]
    await send({"type": "http.response.start", "status": 401, "headers": headers})
    await send({"type": "http.response.body", "body": body})


async def _refuse(receive: Receive, send: Send, refusal: Refusal) -> None:
    """Say why a request is refused, and let the client finish what it is sending.

    A connection that is closed before that is reset, and the client may never see the answer.
    """
    status, code, message = refusal
    body = json.dumps(error_record(code, message)).encode()
    headers = [(b"content-type", b"application/json"), (b"content-length", str(len(body)).encode())]
    if status in (401, 408, 413, 503):
        headers.append((b"connection", b"close"))
    if status == 503:
        headers.append((b"retry-after", str(RETRY_SECONDS).encode()))
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body, "more_body": True})
    with suppress(TimeoutError):
        await asyncio.wait_for(_pass_over(receive), PASSED_OVER_SECONDS)
    await send({"type": "http.response.body", "body": b""})


async def _pass_over(receive: Receive) -> None:
    """Read the rest of a request, and keep nothing of it."""
    passed_over, goes_on = 0, True
    while goes_on and passed_over < PASSED_OVER_BYTES:
        message = await receive()
        goes_on = message.get("more_body", False)
        passed_over += len(message.get("body", b""))
