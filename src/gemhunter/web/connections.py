"""Connections to the server: how many there may be, how long they may be silent, and how they end."""

from asyncio import Handle, Transport
from collections import Counter
from collections.abc import Callable
from types import FrameType

import uvicorn
from uvicorn.protocols.http.h11_impl import H11Protocol

from gemhunter.web.guards import Application

KEEP_ALIVE_SECONDS = 30
"""How long a connection may be idle between two requests."""

HEAD_SECONDS = 20
"""How long a new connection may take to send the head of its first request."""

MOST_CONNECTIONS, MOST_PER_ADDRESS = 500, 200
"""Of all clients: more are answered with 503. Of one address: more are closed at once."""


class PatientProtocol(H11Protocol):
    """HTTP, but for connections that send nothing, and for more than a fair number of them."""

    connected: Counter[str] = Counter()  # noqa: RUF012 - one table for all connections of a server

    _waiting: Handle | None = None

    def connection_made(self, transport: Transport) -> None:  # type: ignore[override]
        """Begin, unless the address has too many connections."""
        super().connection_made(transport)
        self.connected[self._address] += 1
        if self.connected[self._address] > MOST_PER_ADDRESS:
            transport.close()
            return
        self._waiting = self.loop.call_later(HEAD_SECONDS, self._close_if_silent)

    def connection_lost(self, exc: Exception | None) -> None:
        """End."""
        super().connection_lost(exc)
        self.connected[self._address] -= 1
        if self._waiting is not None:
            self._waiting.cancel()

    @property
    def _address(self) -> str:
        return self.client[0] if self.client else ""

    def _close_if_silent(self) -> None:
        has_asked: object = self.cycle  # None before the first request, whatever its annotation says
        if has_asked is None:
            self.transport.close()


class LeavingServer(uvicorn.Server):
    """A server that says when it is about to end, so that nothing is left to wait for."""

    def __init__(self, config: uvicorn.Config, when_leaving: Callable[[], None]) -> None:
        super().__init__(config)
        self._when_leaving = when_leaving

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """Ctrl-C or SIGTERM."""
        super().handle_exit(sig, frame)
        self._when_leaving()


def server_config(application: Application) -> uvicorn.Config:
    """How the server is run."""
    return uvicorn.Config(
        application,
        http=PatientProtocol,
        log_level="warning",
        access_log=False,
        lifespan="on",
        limit_concurrency=MOST_CONNECTIONS,
        timeout_graceful_shutdown=3,
        timeout_keep_alive=KEEP_ALIVE_SECONDS,
        server_header=False,
    )
