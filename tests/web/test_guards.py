"""Who is admitted: by which host name, from which page, with which token; and the headers of every answer."""

import socket
from functools import partial
from urllib.parse import urlsplit

import httpx
import pytest

from gemhunter.cli.main import run
from web_server import BOARD, WebServer, running_server

TOKEN = "a-token-for-tests"


def test_every_answer_forbids_scripts_and_styles_from_elsewhere(server: WebServer) -> None:
    for path in ("", "api/v1/about", "static/js/app.js", "no-such-page"):
        headers = httpx.get(f"{server.address}{path}", timeout=60).headers
        policy = headers["content-security-policy"]
        assert "default-src 'none'" in policy
        assert "script-src 'self';" in policy
        assert "unsafe" not in policy
        assert headers["x-content-type-options"] == "nosniff"
        assert "access-control-allow-origin" not in headers


@pytest.mark.parametrize(
    "host", ["evil.example", "evil.example:80", "127.0.0.1.evil.example", "evil@127.0.0.1", "", "["]
)
def test_a_host_name_that_dns_points_here_is_refused(server: WebServer, host: str) -> None:
    for answer in (
        server.post("analyse", {"grid": BOARD}, host=host),
        httpx.get(server.address, headers={"host": host}, timeout=60),
    ):
        assert answer.status_code in (400, 403)


@pytest.mark.parametrize(
    "headers",
    [
        {"origin": "http://evil.example"},
        {"origin": "null"},
        {"origin": "http://["},
        {"sec_fetch_site": "cross-site"},
        {"sec_fetch_site": "same-site"},
    ],
)
def test_requests_of_other_pages_are_refused(server: WebServer, headers: dict[str, str]) -> None:
    answer = server.post("analyse", {"grid": BOARD}, **headers)
    assert answer.status_code == 403
    assert answer.json()["error"]["code"] == "forbidden"


def test_a_token_that_does_not_fit_in_a_link_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["web", "--no-browser", "--token", "a;b"]) == 2
    assert "so that it fits in a link" in capsys.readouterr().err


def test_the_page_itself_and_programs_are_admitted(server: WebServer) -> None:
    own = server.address.rstrip("/")
    for headers in ({}, {"origin": own}, {"origin": own, "sec_fetch_site": "same-origin"}):
        assert server.post("analyse", {"grid": BOARD}, **headers).status_code == 200


def test_a_body_that_is_longer_than_it_says_is_ended(server: WebServer) -> None:
    chunks = (b" " * 2**20 for _ in range(10))
    try:
        answer = httpx.post(f"{server.address}api/v1/analyse", content=chunks, timeout=60)
    except httpx.TransportError:  # the server may close the connection while the client still writes
        return
    assert answer.status_code == 413


def test_a_server_with_a_token_admits_only_its_holders() -> None:
    with running_server("--token", TOKEN, "--workers", "1") as server:
        address = server.address.partition("?")[0]
        assert server.address == f"{address}?token={TOKEN}"
        stranger = httpx.get(address, timeout=60)
        assert stranger.status_code == 401
        assert '<input name="token"' in stranger.text
        assert "form-action 'self'" in stranger.headers["content-security-policy"]
        assert httpx.get(f"{address}?token=wrong", timeout=60).status_code == 401
        ask = f"{address}api/v1/read"
        sample = {"sample": "sample:3x4"}
        assert httpx.post(ask, json=sample, timeout=60).json()["error"]["code"] == "unauthorized"
        bearer = {"authorization": f"Bearer {TOKEN}"}
        assert httpx.post(ask, json=sample, headers=bearer, timeout=60).status_code == 200
        with httpx.Client(follow_redirects=True, timeout=60) as browser:
            page = browser.get(server.address)
            assert (page.status_code, str(page.url)) == (200, address)
            assert browser.post(ask, json=sample).status_code == 200
            cookie = page.history[0].headers["set-cookie"]
            assert "HttpOnly" in cookie
            assert "SameSite=Strict" in cookie


def test_a_client_that_sends_far_too_much_still_gets_its_answer(server: WebServer) -> None:
    """The connection is not reset while the client sends, because it would then lose the answer."""
    size, piece = 30 * 2**20, b" " * 2**16
    parts = urlsplit(server.address)
    head = f"POST /api/v1/analyse HTTP/1.1\r\nhost: {parts.netloc}\r\ncontent-length: {size}\r\n\r\n"
    with socket.create_connection((parts.hostname, parts.port), timeout=60) as connection:
        connection.sendall(head.encode())
        for _ in range(size // len(piece)):
            connection.sendall(piece)
        answer = b"".join(iter(partial(connection.recv, 2**16), b""))
    assert answer.startswith(b"HTTP/1.1 413 ")
    assert b'"too-large"' in answer
