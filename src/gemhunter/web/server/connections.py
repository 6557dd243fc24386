"""Connections to the server: limits on their number and time, and how they end."""

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

from gemhunter.records.engines import error_record
from gemhunter.web.server.guards import ADMIT, SECURITY_HEADERS, Application, Receive, Scope, Send


@dataclass(frozen=True, slots=True)
class ConnectionLimits:
    """How many connections a server accepts, in total and of one client, and how long they may take.

    The head of the first request must arrive within `head_seconds`, and that of the next within
    `idle_seconds` after an answer. A client must read each 64 KiB of an answer within `idle_seconds`. The
    `AccessPolicy` limits the time for the body of a request.
    """

    connections: int = 500
    per_address: int = 200
    head_seconds: float = 20.0
    idle_seconds: float = 30.0


class ConnectionSlots:
    """The connections of a server, which are pending until a request passes the access policy.

    Pending connections have at most half of the slots, and each address has a share. If there are too many,
    the oldest pending one is closed, so a client with the token always has the time to show it. An admitted
    connection counts for the client of its last request, whose address a proxy passes on.
    """

    def __init__(self, limits: ConnectionLimits) -> None:
        self._limits = limits
        self._pending: dict[IdleTimeoutProtocol, None] = {}  # the oldest first
        self._admitted: dict[IdleTimeoutProtocol, str] = {}  # with the address of the client

    def add(self, connection: "IdleTimeoutProtocol") -> None:
        """Give a new connection a slot, and close the oldest pending one if there are too many."""
        self._pending[connection] = None
        address = connection.address
        same_address = [other for other in self._pending if other.address == address]
        is_crowded = len(same_address) + self._admitted_of(address) > self._limits.per_address
        if is_crowded and len(same_address) > 1:
            self._end(same_address[0])
        left = self._limits.connections - len(self._admitted)
        # One is always accepted, to answer that there is no slot for it.
        if len(self._pending) > max(1, min(left, self._limits.connections // 2)):
            self._end(next(iter(self._pending)))

    def admit(self, connection: "IdleTimeoutProtocol", client: str) -> bool:
        """Admit a connection whose request passed the policy; return whether its client has a slot for it."""
        if self._admitted.get(connection) == client:
            return True
        total = len(self._pending) + len(self._admitted)
        if (
            (connection not in self._pending and connection not in self._admitted)  # it has just been closed
            or total > self._limits.connections
            or self._admitted_of(client) >= self._limits.per_address
        ):
            return False
        self._pending.pop(connection, None)
        self._admitted[connection] = client
        return True

    def remove(self, connection: "IdleTimeoutProtocol") -> None:
        """Free the slot of a connection that has ended."""
        self._pending.pop(connection, None)
        self._admitted.pop(connection, None)

    def _admitted_of(self, address: str) -> int:
        return sum(client == address for client in self._admitted.values())

    def _end(self, connection: "IdleTimeoutProtocol") -> None:
        del self._pending[connection]
        connection.transport.abort()


class IdleTimeoutProtocol(H11Protocol):
    """HTTP/1.1 on a connection with a slot, with a time limit whenever it is the client's turn."""

    def __init__(self, *args: Any, limits: ConnectionLimits, slots: ConnectionSlots, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._limits, self._slots = limits, slots
        self._timer: TimerHandle | None = None
        self._application: Application = self.app
        self.app = self._answer

    @property
    def address(self) -> str:
        """The address of the client."""
        return self.client[0] if self.client else ""

    def connection_made(self, transport: Transport) -> None:  # type: ignore[override]
        """Take a slot and wait for the first request."""
        super().connection_made(transport)
        self._slots.add(self)
        self._end_after(self._limits.head_seconds)

    def connection_lost(self, exc: Exception | None) -> None:
        """Free the slot."""
        super().connection_lost(exc)
        self._slots.remove(self)
        self._end_after(None)

    def handle_events(self) -> None:
        """Read the data that has arrived; after the head of a request, it is the server's turn."""
        before = self.cycle
        super().handle_events()
        if self.cycle is not before:
            self._end_after(self._limits.idle_seconds if self.flow.write_paused else None)

    def on_response_complete(self) -> None:
        """Wait for the next request, which may be there already, or for the client to read and leave."""
        self._end_after(self._limits.idle_seconds)
        super().on_response_complete()

    def pause_writing(self) -> None:
        """Wait for the client to read what has been sent."""
        super().pause_writing()
        self._end_after(self._limits.idle_seconds)

    def resume_writing(self) -> None:
        """Continue the answer."""
        super().resume_writing()
        self._end_after(self._limits.idle_seconds if self.cycle.response_complete else None)

    def send_400_response(self, msg: str) -> None:  # noqa: ARG002 - ours is JSON
        """Answer data that is not HTTP, unless the answer to an earlier request has begun."""
        if self.conn.our_state in (h11.IDLE, h11.SEND_RESPONSE):
            body = json.dumps(error_record("bad-request", "this is not an HTTP/1.1 request")).encode()
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
        scope["extensions"] = {ADMIT: partial(self._slots.admit, self)}
        await self._application(scope, receive, send)

    def _end_after(self, seconds: float | None) -> None:
        """End the connection after this time, unless the client reads an answer; None stops the timer."""
        if self._timer is not None:
            self._timer.cancel()
        unread = self.transport.get_write_buffer_size()
        self._timer = None
        if seconds is not None:
            self._timer = self.loop.call_later(seconds, self._end_unless_read, seconds, unread)

    def _end_unless_read(self, seconds: float, unread: int) -> None:
        if unread - self.transport.get_write_buffer_size() >= 2**16:
            self._end_after(seconds)
        else:
            self.transport.abort()


class NotifyingServer(uvicorn.Server):
    """A server that calls `when_leaving` before it ends, so that it does not wait for jobs."""

    def __init__(self, config: uvicorn.Config, when_leaving: Callable[[], None]) -> None:
        super().__init__(config)
        self._when_leaving = when_leaving

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """Handle Ctrl-C or SIGTERM."""
        super().handle_exit(sig, frame)
        self._when_leaving()


def server_config(application: Application, limits: ConnectionLimits | None = None) -> uvicorn.Config:
    """The configuration of the server."""
    limits = limits or ConnectionLimits()
    protocol: Any = partial(IdleTimeoutProtocol, limits=limits, slots=ConnectionSlots(limits))
    return uvicorn.Config(
        application,
        http=protocol,
        ws="none",
        log_level="error",  # faults of clients are not logged
        access_log=False,
        lifespan="on",
        timeout_graceful_shutdown=3,
        timeout_keep_alive=limits.idle_seconds,  # type: ignore[arg-type]
        server_header=False,
    )
