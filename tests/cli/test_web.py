"""`gemhunter web`: how it begins and how it ends."""

import socket
import subprocess
import sys
from importlib import util

import httpx
import pytest

from gemhunter.cli.main import run
from processes import descendants_of, end, needs_proc, wait_until
from web_server import running_server

Captured = pytest.CaptureFixture[str]


def test_a_port_that_is_taken_is_an_error_in_one_line(capsys: Captured) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        assert run(["web", "--no-browser", "--port", str(port)]) == 2
    error = capsys.readouterr().err
    assert error.startswith(f"error: cannot listen on 127.0.0.1, port {port}: ")
    assert error.count("\n") == 1


def test_without_its_packages_the_command_says_how_to_install_them(
    monkeypatch: pytest.MonkeyPatch, capsys: Captured
) -> None:
    find = util.find_spec
    monkeypatch.setattr(
        "gemhunter.optional_packages.find_spec", lambda name: None if name == "fastapi" else find(name)
    )
    assert run(["web", "--no-browser"]) == 2
    assert "the page needs the package fastapi; install it: " in capsys.readouterr().err


def test_a_server_for_other_machines_asks_for_a_token() -> None:
    with running_server("--host", "0.0.0.0", "--workers", "1") as server:
        assert "?token=" in server.address
        port = server.address.rpartition(":")[2].partition("/")[0]
        assert httpx.get(f"http://127.0.0.1:{port}/", timeout=60).status_code == 401


@needs_proc
def test_a_server_that_is_ended_leaves_no_process_behind() -> None:
    command = [sys.executable, "-m", "gemhunter", "web", "--no-browser", "--no-warmup", "--port", "0"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stdout.readline().startswith("Gem Hunter is at http://127.0.0.1:")
        assert wait_until(lambda: len(descendants_of(process.pid)) >= 2)
        children = descendants_of(process.pid)
        process.send_signal(2)
        _, errors = process.communicate(timeout=60)
    assert errors == "Ctrl-C ends it\n\nstopped\n"
    assert end(*children)
    assert process.returncode == 130
