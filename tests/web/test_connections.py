"""Connections: time limits for every request, slots for holders of the token, and errors as JSON."""

import json
import socket
from collections.abc import Iterator, MutableMapping
from contextlib import ExitStack, contextmanager
from http.client import HTTPResponse
from threading import Thread
from typing import Any, NamedTuple

import pytest

from gemhunter.web.server.connections import ConnectionLimits, NotifyingServer, server_config
from gemhunter.web.server.guards import AccessPolicy, Guard, Receive, Scope, Send
from gemhunter.web.server.serve import listen_on
from processes import wait_until

ADDRESS = "127.0.0.1"
TOKEN = "a-token-for-tests"
LARGE = 32 * 2**20
"""Bytes of an answer that is too large for the buffers of the system."""

DRIPS = 1000
DRIP_SECONDS = 0.02
"""A slow client sends a byte now and then, and gives up after this many, long after its time is over."""

SHORT = ConnectionLimits(head_seconds=0.2, idle_seconds=0.2)
GET = b"GET / HTTP/1.1\r\nhost: localhost\r\n\r\n"


async def read_and_answer(scope: Scope, receive: Receive, send: Send) -> None:
    """An application that reads the body of a POST, and answers with few bytes, or many at `/large`."""
    if scope["type"] == "lifespan":
        await receive()
        await send({"type": "lifespan.startup.complete"})
        await receive()
        await send({"type": "lifespan.shutdown.complete"})
        return
    message: MutableMapping[str, Any] = {"more_body": scope["method"] == "POST"}
    while message.get("more_body"):
        message = await receive()
    body = bytes(LARGE if scope["path"] == "/large" else 4)
    length = (b"content-length", str(len(body)).encode())
    await send({"type": "http.response.start", "status": 200, "headers": [length]})
    await send({"type": "http.response.body", "body": body})


class Served(NamedTuple):
    """A running server and its port."""

    server: NotifyingServer
    port: int


@contextmanager
def limited_server(limits: ConnectionLimits, policy: AccessPolicy | None = None) -> Iterator[Served]:
    """A server in a thread, with these limits."""
    listener = listen_on(ADDRESS, 0)
    application = Guard(read_and_answer, policy or AccessPolicy())
    server = NotifyingServer(server_config(application, limits), lambda: None)
    thread = Thread(target=server.run, kwargs={"sockets": [listener]})
    thread.start()
    try:
        yield Served(server, listener.getsockname()[1])
    finally:
        server.should_exit = True
        thread.join()


def connected(served: Served, sent: bytes = b"") -> socket.socket:
    """A connection that has sent something."""
    connection = socket.create_connection((ADDRESS, served.port), timeout=30)
    connection.sendall(sent)
    return connection


def answer_on(connection: socket.socket) -> HTTPResponse:
    """The next answer on a connection."""
    answer = HTTPResponse(connection)
    answer.begin()
    return answer


def error_on(connection: socket.socket) -> tuple[int, str]:
    """The status of the next answer, and the code of the error in it, which has the common shape."""
    answer = answer_on(connection)
    assert answer.getheader("content-type") == "application/json"
    assert answer.getheader("x-content-type-options") == "nosniff"
    record = json.loads(answer.read())
    assert list(record["error"]) == ["code", "message", "field", "faults"]
    return answer.status, record["error"]["code"]


def is_ended_while_dripping(connection: socket.socket) -> bool:
    """Whether the server ends, without an answer, a connection on which a byte arrives now and then."""
    connection.settimeout(DRIP_SECONDS)
    for _ in range(DRIPS):
        try:
            connection.send(b"x")
            return connection.recv(1) == b""
        except TimeoutError:
            continue
        except ConnectionError:
            return True
    return False


def test_the_first_head_has_a_time_limit() -> None:
    with limited_server(SHORT) as served, connected(served) as connection:
        assert is_ended_while_dripping(connection)


@pytest.mark.parametrize(
    "request_and_rest",
    [GET + b"G", GET.replace(b"\r\n\r\n", b"\r\ncontent-length: 5000\r\n\r\nx")],
    ids=["the next head", "a body that was not read"],
)
def test_after_an_answer_the_next_head_has_a_time_limit(request_and_rest: bytes) -> None:
    with limited_server(SHORT) as served, connected(served, request_and_rest) as connection:
        assert answer_on(connection).read() == bytes(4)
        assert is_ended_while_dripping(connection)


def test_a_body_has_one_time_limit_however_its_bytes_arrive() -> None:
    policy = AccessPolicy(body_seconds=0.2)
    head = b"POST / HTTP/1.1\r\nhost: localhost\r\ncontent-length: 5000\r\n\r\n"
    with limited_server(ConnectionLimits(), policy) as served, connected(served, head) as connection:
        connection.settimeout(DRIP_SECONDS)
        for _ in range(DRIPS):
            connection.send(b"x")
            try:
                connection.recv(1, socket.MSG_PEEK)
                break
            except TimeoutError:
                continue
        assert error_on(connection) == (408, "too-slow")


def test_an_answer_that_is_not_read_has_a_time_limit() -> None:
    request = GET.replace(b"/ ", b"/large ", 1)
    with limited_server(SHORT) as served, connected(served, request * 2) as connection:
        assert connection.recv(4) == b"HTTP"
        assert wait_until(lambda: not served.server.server_state.connections)


@pytest.mark.parametrize("limits", [ConnectionLimits(8, 8), ConnectionLimits(50, 4)])
@pytest.mark.parametrize("sent", [b"", GET[:-2], GET], ids=["silent", "half a head", "no token"])
def test_connections_without_the_token_do_not_keep_its_holder_out(
    limits: ConnectionLimits, sent: bytes
) -> None:
    asked = GET.replace(b"\r\n\r\n", f"\r\nauthorization: Bearer {TOKEN}\r\n\r\n".encode())
    with limited_server(limits, AccessPolicy(token=TOKEN)) as served, ExitStack() as stack:
        early = stack.enter_context(connected(served, asked))
        assert answer_on(early).read() == bytes(4)
        for _ in range(60):
            stack.enter_context(connected(served, sent))
        assert answer_on(stack.enter_context(connected(served, asked))).read() == bytes(4)
        early.sendall(asked)
        assert answer_on(early).read() == bytes(4)


@pytest.mark.parametrize("limits", [ConnectionLimits(4, 8), ConnectionLimits(8, 4)])
def test_a_client_without_a_slot_is_refused_in_json(limits: ConnectionLimits) -> None:
    with limited_server(limits) as served, ExitStack() as stack:
        for _ in range(4):
            assert answer_on(stack.enter_context(connected(served, GET))).status == 200
        late = stack.enter_context(connected(served, GET))
        assert error_on(late) == (503, "busy")
        assert late.recv(1) == b""


def passed_on_for(client: str) -> bytes:
    """A request that a proxy on this machine passes on."""
    return GET.replace(b"\r\n\r\n", f"\r\nx-forwarded-for: {client}\r\n\r\n".encode())


def test_behind_a_proxy_each_client_has_its_own_share_of_the_connections() -> None:
    with limited_server(ConnectionLimits(20, 2)) as served, ExitStack() as stack:
        for number in range(5):
            for _ in range(2):
                sent = passed_on_for(f"192.0.2.{number}")
                assert answer_on(stack.enter_context(connected(served, sent))).status == 200
        late = stack.enter_context(connected(served, passed_on_for("192.0.2.1")))
        assert error_on(late) == (503, "busy")


def test_a_connection_of_a_proxy_counts_for_the_client_of_its_last_request() -> None:
    with limited_server(ConnectionLimits(20, 1)) as served, ExitStack() as stack:
        first = stack.enter_context(connected(served, passed_on_for("192.0.2.1")))
        assert answer_on(first).read() == bytes(4)
        first.sendall(passed_on_for("192.0.2.2"))
        assert answer_on(first).read() == bytes(4)
        second = stack.enter_context(connected(served, passed_on_for("192.0.2.1")))
        assert answer_on(second).read() == bytes(4)
        first.sendall(passed_on_for("192.0.2.1"))
        assert error_on(first) == (503, "busy")


@pytest.mark.parametrize(("token", "path"), [(None, b"/"), (TOKEN, f"/?token={TOKEN}".encode())])
def test_a_request_whose_end_is_ambiguous_is_refused_with_all_that_follows(
    token: str | None, path: bytes
) -> None:
    both = b"content-length: 5\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n"
    head = GET.replace(b"/ ", path + b" ", 1).removesuffix(b"\r\n") + both
    policy = AccessPolicy(token=token)
    with (
        limited_server(ConnectionLimits(), policy) as served,
        connected(served, head + GET) as connection,
    ):
        assert error_on(connection) == (400, "bad-request")
        assert connection.recv(1) == b""


@pytest.mark.parametrize(
    "sent",
    [
        b"\x16\x03\x01\0\0",
        b"GET / HTTP/1.1\r\n\r\n",
        GET.replace(b"/ ", b"/\xe4 "),
        b"POST / HTTP/1.1\r\nhost: localhost\r\ntransfer-encoding: chunked\r\n\r\nxyz\r\n",
        b"GET / HTTP/1.1\r\nhost: localhost\r\nx: " + b"x" * 70_000,
    ],
    ids=["TLS", "no host", "not ASCII", "no chunk", "too long"],
)
def test_what_is_not_http_is_answered_in_json(sent: bytes) -> None:
    with limited_server(ConnectionLimits()) as served, connected(served, sent) as connection:
        assert error_on(connection) == (400, "bad-request")
