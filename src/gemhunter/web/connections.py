"""Connections to the server: how many there may be, how long they may take, and how they end."""

import json
from asyncio import TimerHandle, Transport
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from types import FrameType
from typing import Any

import h11
import uvicorn
from uvicorn.protocols.http.h11_impl import H11Protocol

from gemhunter.records.answers import error_record
from gemhunter.web.guards import LET_IN, SECURITY_HEADERS, Application, Receive, Scope, Send

LEAST_READ = 2**16
"""Bytes of an answer that a client has to read within `idle_seconds`, unless that is the rest."""


@dataclass(frozen=True, slots=True)
class ConnectionLimits:
    """How many connections a server has, of all clients and of one address, and how long they may take.

    The head of the first request has to arrive within `head_seconds`, and that of the next one within
    `idle_seconds` of the answer before it. Each `LEAST_READ` bytes of an answer have to be read within
    `idle_seconds`. How long the body of a request may take is up to the `Doorkeeper`.
    """

    connections: int = 500
    per_address: int = 200
    head_seconds: float = 20.0
    idle_seconds: float = 30.0


class Places:
    """The connections of a server: strangers, which have not been let in yet, and all others.

    A stranger has sent no request, or none that was let in. Strangers have at most half of the places, and no
    address has more than its share: if there are too many, the oldest stranger loses its place. So a client
    with the token always gets as far as showing it.
    """

    def __init__(self, limits: ConnectionLimits) -> None:
        self._limits = limits
        self._strangers: dict[LimitedProtocol, None] = {}  # the oldest first
        self._let_in: set[LimitedProtocol] = set()

    def enter(self, connection: "LimitedProtocol") -> None:
        """Give a new connection a place, at the expense of the oldest stranger if necessary."""
        self._strangers[connection] = None
        neighbours = [each for each in self._strangers if each.address == connection.address]
        if self._is_crowded(connection.address) and len(neighbours) > 1:
            self._end(neighbours[0])
        left = self._limits.connections - len(self._let_in)
        # There is always room for one, which is then answered that there is none.
        if len(self._strangers) > max(1, min(left, self._limits.connections // 2)):
            self._end(next(iter(self._strangers)))

    def let_in(self, connection: "LimitedProtocol") -> bool:
        """Whether a connection whose request is let in can stay; from then on it is not a stranger."""
        if connection in self._let_in:
            return True
        total = len(self._strangers) + len(self._let_in)
        if (
            connection not in self._strangers  # it has just lost its place
            or total > self._limits.connections
            or self._is_crowded(connection.address)
        ):
            return False
        del self._strangers[connection]
        self._let_in.add(connection)
        return True

    def leave(self, connection: "LimitedProtocol") -> None:
        """Free the place of a connection that has ended."""
        self._strangers.pop(connection, None)
        self._let_in.discard(connection)

    def _is_crowded(self, address: str) -> bool:
        count = sum(each.address == address for each in (*self._strangers, *self._let_in))
        return count > self._limits.per_address

    def _end(self, stranger: "LimitedProtocol") -> None:
        del self._strangers[stranger]
        stranger.transport.abort()


class LimitedProtocol(H11Protocol):
    """HTTP for connections that have a place, and a time limit whenever the client has to do something."""

    def __init__(self, *args: Any, limits: ConnectionLimits, places: Places, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._limits, self._places = limits, places
        self._timer: TimerHandle | None = None
        self._application: Application = self.app
        self.app = self._answer

    @property
    def address(self) -> str:
        """The address of the client."""
        return self.client[0] if self.client else ""

    def connection_made(self, transport: Transport) -> None:  # type: ignore[override]
        """Take a place, and wait for the first request."""
        super().connection_made(transport)
        self._places.enter(self)
        self._end_after(self._limits.head_seconds)

    def connection_lost(self, exc: Exception | None) -> None:
        """Free the place."""
        super().connection_lost(exc)
        self._places.leave(self)
        self._end_after(None)

    def handle_events(self) -> None:
        """Read what has arrived: once the head of a request is there, it is the server's turn."""
        before = self.cycle
        super().handle_events()
        if self.cycle is not before:
            self._end_after(self._limits.idle_seconds if self.flow.write_paused else None)

    def on_response_complete(self) -> None:
        """Wait for the next request, which may have arrived already, or for the client to read and leave."""
        self._end_after(self._limits.idle_seconds)
        super().on_response_complete()

    def pause_writing(self) -> None:
        """Wait for the client to read: there is too much to send."""
        super().pause_writing()
        self._end_after(self._limits.idle_seconds)

    def resume_writing(self) -> None:
        """Go on answering."""
        super().resume_writing()
        self._end_after(self._limits.idle_seconds if self.cycle.response_complete else None)

    def send_400_response(self, msg: str) -> None:  # noqa: ARG002 - ours is JSON
        """Answer something that is not HTTP, unless the answer to a request before it has begun."""
        if self.conn.our_state in (h11.IDLE, h11.SEND_RESPONSE):
            body = json.dumps(error_record("bad-request", "this is not a request of HTTP/1.1")).encode()
            headers = [
                (b"content-type", b"application/json"),
                (b"content-length", str(len(body)).encode()),
                (b"connection", b"close"),
                *SECURITY_HEADERS,
            ]
            answer = h11.Response(status_code=400, headers=headers, reason=b"Bad Request")
            for event in (answer, h11.Data(data=body), h11.EndOfMessage()):
                self.transport.write(self.conn.send(event) or b"")
        self.transport.close()
        self._end_after(self._limits.idle_seconds)

    async def _answer(self, scope: Scope, receive: Receive, send: Send) -> None:
        scope["extensions"] = {LET_IN: partial(self._places.let_in, self)}
        await self._application(scope, receive, send)

    def _end_after(self, seconds: float | None) -> None:
        """End the connection when this time is over, unless an answer is being read; None stops the clock."""
        if self._timer is not None:
            self._timer.cancel()
        unread = self.transport.get_write_buffer_size()
        self._timer = None
        if seconds is not None:
            self._timer = self.loop.call_later(seconds, self._end_unless_read, seconds, unread)

    def _end_unless_read(self, seconds: float, unread: int) -> None:
        if unread - self.transport.get_write_buffer_size() >= LEAST_READ:
            self._end_after(seconds)
        else:
            self.transport.abort()


class LeavingServer(uvicorn.Server):
    """A server that says when it is about to end, so that nothing is left to wait for."""

    def __init__(self, config: uvicorn.Config, when_leaving: Callable[[], None]) -> None:
        super().__init__(config)
        self._when_leaving = when_leaving

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """Ctrl-C or SIGTERM."""
        super().handle_exit(sig, frame)
        self._when_leaving()


def server_config(application: Application, limits: ConnectionLimits | None = None) -> uvicorn.Config:
    """How the server is run."""
    limits = limits or ConnectionLimits()
    protocol: Any = partial(LimitedProtocol, limits=limits, places=Places(limits))
    return uvicorn.Config(
        application,
        http=protocol,
        ws="none",
        log_level="error",  # what clients do wrong is their business
        access_log=False,
        lifespan="on",
        timeout_graceful_shutdown=3,
        timeout_keep_alive=limits.idle_seconds,  # type: ignore[arg-type]
        server_header=False,
    )
