"""Limits and access: what a question may use, which requests reach the API, and the headers of every answer.

This module does not need the packages of the server, so the command line can import it before it checks them.
"""

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

from gemhunter.records.engines import error_record

Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]
Application = Callable[[Scope, Receive, Send], Awaitable[None]]

TOKEN_COOKIE = "gemhunter_token"  # noqa: S105 - the name of the cookie, not a token
LOOPBACK_HOSTS = ("localhost", "127.0.0.1", "::1")

ADMIT = "gemhunter.admit"
"""A function in the extensions of a request's scope: give this client a slot, or return False."""

RETRY_SECONDS = 2
"""How many seconds the clients of a busy server should wait before they try again."""

SECURITY_HEADERS = (
    (
        b"content-security-policy",
        (
            b"default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob: data:; "
            b"connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
        ),
    ),
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"no-referrer"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"cross-origin-resource-policy", b"same-origin"),
    (b"x-frame-options", b"DENY"),
)


@dataclass(frozen=True, slots=True)
class WebLimits:
    """The limits of a question: the seconds of each run, and the cells of a board."""

    seconds: float = 10.0
    cells: int = 250_000


@dataclass(frozen=True, slots=True)
class AccessPolicy:
    """What a request needs to reach the application.

    `hosts` are the names of the server. Requests to another name are refused, because DNS can make any name
    point here. With a `token`, every request needs it, and any name is accepted. A request has at most
    `body_bytes`, which must arrive within `body_seconds`.
    """

    hosts: tuple[str, ...] = LOOPBACK_HOSTS
    token: str | None = None
    body_bytes: int = 4 * 2**20
    body_seconds: float = 30.0


class Refusal(NamedTuple):
    """The answer to a request that the policy does not allow."""

    status: int
    code: str
    message: str


class Guard:
    """An ASGI application behind an access policy."""

    def __init__(self, application: Application, policy: AccessPolicy) -> None:
        self._application, self._policy = application, policy
        self._too_large = Refusal(413, "too-large", f"a request has at most {policy.body_bytes:,} bytes")

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, or say why it is refused."""
        if scope["type"] != "http":
            await self._application(scope, receive, send)
            return
        if scope["method"] == "HEAD":  # the server leaves out the body of the answer
            scope = {**scope, "method": "GET"}
        headers = {name.decode("latin-1"): value.decode("latin-1") for name, value in scope["headers"]}
        guarded = _with_headers(send)
        client = scope["client"][0] if scope.get("client") else ""
        admit = scope.get("extensions", {}).get(ADMIT, lambda _: True)
        if headers.keys() >= {"content-length", "transfer-encoding"}:
            # A proxy that goes by the other header would take a part of this request for the next one.
            both = "a request has a content length or a transfer encoding, not both"
            await _refuse(receive, guarded, Refusal(400, "bad-request", both))
        elif (token := self._token_in_address(scope)) is not None:
            admit(client)
            # Keep the token in a cookie, so that it is not in the browser's history.
            cookie = f"{TOKEN_COOKIE}={token}; Path=/; HttpOnly; SameSite=Strict; Max-Age=31536000"
            await _answer(guarded, 303, b"", (b"location", b"/"), (b"set-cookie", cookie.encode()))
        elif (refusal := self._refusal(scope, headers)) is not None:
            if refusal.status == 401 and scope["path"] == "/":
                page = (Path(__file__).parents[1] / "static" / "token.html").read_bytes()
                sources = b"default-src 'none'; form-action 'self'; frame-ancestors 'none'"
                html = (b"content-type", b"text/html; charset=utf-8")
                await _answer(guarded, 401, page, html, (b"content-security-policy", sources))
            else:
                await _refuse(receive, guarded, refusal)
        elif not admit(client):
            await _refuse(receive, guarded, Refusal(503, "busy", "there are too many connections; try again"))
        else:
            await self._pass_on(scope, receive, guarded)

    def _token_in_address(self, scope: Scope) -> str | None:
        """The token, if a visitor opens the page by the link that contains it."""
        token = self._policy.token
        if token is None or scope["method"] != "GET" or scope["path"] != "/":
            return None
        given = parse_qs(scope["query_string"].decode("latin-1")).get("token", [""])[0]
        return token if given and _equal(given, token) else None

    def _refusal(self, scope: Scope, headers: dict[str, str]) -> Refusal | None:
        """Why a request is refused; None if it is not."""
        policy, host = self._policy, headers.get("host", "")
        if policy.token is None and _host_name(host) not in policy.hosts:
            message = f"this server does not answer to the name {_host_name(host)[:80]!r}"
            return Refusal(403, "forbidden", message)
        if policy.token is not None and not _has_token(headers, policy.token):
            message = "open the link with the token that the server printed, or send it as a bearer token"
            return Refusal(401, "unauthorized", message)
        if scope["method"] not in ("GET", "OPTIONS") and not _is_same_origin(headers, host):
            return Refusal(403, "forbidden", "requests from other pages are refused")
        size = headers.get("content-length", "0")
        return None if size.isdigit() and int(size[:20]) <= policy.body_bytes else self._too_large

    async def _pass_on(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on; refuse it if its body turns out to be too large or too slow."""
        seconds = self._policy.body_seconds
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
            if received > self._policy.body_bytes:
                refusal = self._too_large
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
    """The name in a `Host` header, without the port; empty if the header is not valid."""
    pattern = r"(?:(?P<name>[A-Za-z0-9.-]+)|\[(?P<number>[0-9A-Fa-f:.]+)\])(?::\d{1,5})?"
    match = re.fullmatch(pattern, host, re.ASCII)
    return (match["name"] or match["number"]).lower() if match else ""


def _is_same_origin(headers: dict[str, str], host: str) -> bool:
    """Whether a request comes from this server's own page, or from a program that is not a browser."""
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
            message["headers"] = [*own, *(header for header in SECURITY_HEADERS if header[0] not in named)]
        await send(message)

    return sent


async def _answer(
    send: Send, status: int, body: bytes, *headers: tuple[bytes, bytes], more_body: bool = False
) -> None:
    length = (b"content-length", str(len(body)).encode())
    await send({"type": "http.response.start", "status": status, "headers": [length, *headers]})
    await send({"type": "http.response.body", "body": body, "more_body": more_body})


async def _refuse(receive: Receive, send: Send, refusal: Refusal) -> None:
    """Say why a request is refused, and let the client finish sending.

    If the connection were closed before, it would be reset, and the client might never see the answer.
    """
    status, body = refusal.status, json.dumps(error_record(refusal.code, refusal.message)).encode()
    headers = [(b"content-type", b"application/json")]
    if status in (400, 401, 408, 413, 503):
        headers.append((b"connection", b"close"))
    if status == 503:
        headers.append((b"retry-after", str(RETRY_SECONDS).encode()))
    await _answer(send, status, body, *headers, more_body=True)
    unread = 128 * 2**20  # the connection of a client that sends more is reset after all
    with suppress(TimeoutError):
        async with asyncio.timeout(5):
            while unread > 0 and (message := await receive()).get("more_body", False):
                unread -= len(message.get("body", b""))
    await send({"type": "http.response.body", "body": b""})
