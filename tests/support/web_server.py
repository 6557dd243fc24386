"""A server for tests, in a process of its own, and what tests ask it."""

import json
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import httpx

PATIENCE_SECONDS = 120.0

BOARD = ["3_2_", "__2_", "_31_"]
"""A board with one solution."""


@dataclass(frozen=True, slots=True)
class WebServer:
    """A server that runs: its address, and its process."""

    address: str
    pid: int

    def post(self, path: str, body: Any, **headers: str) -> httpx.Response:
        """The answer to a question; `_` in names of headers stands for `-`."""
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        url = f"{self.address}api/v1/{path}"
        return httpx.post(url, json=body, headers=named, timeout=PATIENCE_SECONDS)

    def ask(self, path: str, **body: Any) -> dict[str, Any]:
        """The record that answers a question."""
        answer = self.post(path, body)
        assert answer.status_code == 200, answer.text
        record: dict[str, Any] = answer.json()
        return record

    def events(self, path: str, **body: Any) -> list[tuple[str, Any]]:
        """The server-sent events that answer a question: their names and values."""
        found, name = [], ""
        with httpx.stream(
            "POST",
            f"{self.address}api/v1/{path}",
            json=body,
            headers={"accept": "text/event-stream"},
            timeout=PATIENCE_SECONDS,
        ) as answer:
            for line in answer.iter_lines():
                if line.startswith("event: "):
                    name = line.removeprefix("event: ")
                elif line.startswith("data: "):
                    found.append((name, json.loads(line.removeprefix("data: "))))
        return found


@contextmanager
def running_server(*options: str) -> Iterator[WebServer]:
    """A server on a free port of this machine that ends with the block."""
    command = [
        sys.executable,
        "-m",
        "gemhunter",
        "web",
        "--no-browser",
        "--no-warmup",
        "--port",
        "0",
        *options,
    ]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            address = process.stdout.readline().removeprefix("Gem Hunter is at ").strip()
            yield WebServer(address, process.pid)
        finally:
            process.terminate()
            process.wait(timeout=PATIENCE_SECONDS)
