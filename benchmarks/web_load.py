"""The web server under load: many clients that analyse Expert positions, with a hostile one beside them.

Each client edits a board and asks for its analysis again, once a second on average, from an address of its
own on the loopback network, as people in a class do. The hostile client sends counting bombs, boards of too
many cells and garbage, as fast as it gets answers. Target: the 95th percentile below 300 ms, and no failed
request.
"""

import argparse
import asyncio
import json
import random
import subprocess
import sys
import time
from pathlib import Path

import numpy as np

from gemhunter.board.grid import Grid
from gemhunter.board.position import Position
from gemhunter.play.agents.registry import new_player
from gemhunter.play.game import new_game
from gemhunter.play.player import play_game
from gemhunter.records.games import position_record
from timing import print_table

BOMB = {"grid": ["_" * 81, "_4" * 40 + "_"] * 40}
HOSTILE = ({**BOMB, "seconds": 10}, {"grid": ["_" * 50_000] * 60}, {"grid": ["12", "1"]}, {"gird": 1})


class Client:
    """A connection of its own to the server, kept open, from an address of its own."""

    def __init__(self, port: int, address: str) -> None:
        self._port, self._address = port, address
        self._streams: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None

    async def post(self, path: str, body: bytes) -> int:
        """The status of the answer to a request, which is read to its end."""
        try:
            return await self._post(path, body)
        except (OSError, asyncio.IncompleteReadError, IndexError):  # the server closed an idle connection
            self._streams = None
            return await self._post(path, body)

    async def _post(self, path: str, body: bytes) -> int:
        if self._streams is None:
            self._streams = await asyncio.open_connection(
                "127.0.0.1", self._port, local_addr=(self._address, 0)
            )
        reader, writer = self._streams
        head = f"POST /api/v1/{path} HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-type: application/json\r\n"
        writer.write(head.encode() + f"content-length: {len(body)}\r\n\r\n".encode() + body)
        await writer.drain()
        status = int((await reader.readline()).split()[1])
        length = 0
        while (line := await reader.readline()) not in (b"\r\n", b""):
            name, _, value = line.decode().partition(":")
            if name.lower() == "content-length":
                length = int(value)
            elif name.lower() == "connection" and value.strip() == "close":
                self._streams = None
        await reader.readexactly(length)
        return status


def positions(games: int) -> list[bytes]:
    """Bodies of requests: positions of Expert games, each with its total."""
    found = []
    for seed in range(games):
        for number, turn in enumerate(play_game(new_game(f"expert#{seed}:opening"), new_player("fast"))):
            view = turn.game.view
            if number % 5 == 2:
                found.append(_body(view.grid, view.total))
    return found


def _body(grid: Grid, total: int) -> bytes:
    record = position_record(Position(grid, np.zeros(grid.cells.shape, bool), total))
    return json.dumps({"grid": record["grid"], "traps": total}).encode()


async def analyse(client: Client, bodies: list[bytes], requests: int, pause: float) -> list[float]:
    """Seconds of each request of a client that thinks in between."""
    taken = []
    for _ in range(requests):
        await asyncio.sleep(random.expovariate(1 / pause) if pause else 0)
        began = time.perf_counter()
        status = await client.post("analyse", random.choice(bodies))
        taken.append(time.perf_counter() - began)
        if status != 200:
            taken[-1] = float("inf")
    return taken


async def attack(port: int) -> int:
    """Send what hurts until cancelled; how many requests had an answer."""
    clients = [Client(port, "127.0.9.9") for _ in range(8)]
    answered = 0

    async def forever(client: Client) -> None:
        nonlocal answered
        while True:
            await client.post("analyse", json.dumps(random.choice(HOSTILE)).encode())
            answered += 1

    try:
        await asyncio.gather(*(forever(client) for client in clients))
    except asyncio.CancelledError:
        return answered
    return answered


def memory_of(pid: int) -> float:
    """MiB that a process and its children hold, on Linux."""
    pids = [pid]
    for each in pids:
        for file in Path(f"/proc/{each}/task").glob("*/children"):
            pids += map(int, file.read_text().split())
    pages = sum(int(Path(f"/proc/{each}/statm").read_text().split()[1]) for each in pids)
    return pages * 4096 / 2**20


async def measured(
    port: int, number: int, requests: int, *, hostile: bool = False, pause: float = 0.0
) -> list[str]:
    """A row of the table: this number of clients, and the requests of all of them."""
    bodies = positions(20)
    attackers = asyncio.create_task(attack(port)) if hostile else None
    clients = [Client(port, f"127.0.1.{place + 1}") for place in range(number)]
    began = time.perf_counter()
    each = requests // number
    taken = np.array(
        sum(await asyncio.gather(*(analyse(c, bodies, each, pause) for c in clients)), list[float]())
    )
    seconds = time.perf_counter() - began
    answered = "–"
    if attackers is not None:
        attackers.cancel()
        answered = str(await attackers)
    failed = int(np.isinf(taken).sum())
    name = "without a pause" if not pause else f"a request in {pause:g} s"
    marks = [f"{1000 * np.quantile(taken, share):.0f}" for share in (0.5, 0.95, 0.99)]
    return [name, answered, str(taken.size), str(failed), f"{taken.size / seconds:.0f}", *marks]


async def main() -> None:
    """Start a server, measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--clients", type=int, default=50)
    parser.add_argument("--requests", type=int, default=3000, help="of clients that pause, together")
    parser.add_argument("--flood", type=int, default=10_000, help="requests without a pause")
    options = parser.parse_args()
    command = [sys.executable, "-m", "gemhunter", "web", "--no-browser", "--port", "0", "-q"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
        try:
            line = server.stdout.readline() if server.stdout else ""
            port = int(line.rpartition(":")[2].strip().rstrip("/"))
            await measured(port, 4, 400)  # what is compiled or imported once
            kinds = [
                (options.requests, False, 1.0),
                (options.requests, True, 1.0),
                (options.flood, False, 0.0),
            ]
            rows, memory = [], [memory_of(server.pid)]
            for requests, hostile, pause in kinds:
                row = await measured(port, options.clients, requests, hostile=hostile, pause=pause)
                rows.append(row)
                memory.append(memory_of(server.pid))
            heads = [
                "each client",
                "hostile requests",
                "requests",
                "failed",
                "per s",
                "median ms",
                "p95",
                "p99",
            ]
            print_table(heads, rows)
            print("memory in MiB:", ", ".join(f"{size:.0f}" for size in memory))
        finally:
            server.terminate()


if __name__ == "__main__":
    asyncio.run(main())
