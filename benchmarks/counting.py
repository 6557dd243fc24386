"""How many solutions a board has: ours against pyganak, which counts the models of the board's clauses.

Seconds are those of the processor. Theirs are for adding the clauses and counting, not for encoding; they
work in a process of their own, which is ended at the limit. Ours are for the grid, the least of several
calls. The counts must agree. Clues are binomial clauses; where a total needs auxiliary variables, theirs is
projected on the cells.
"""

import argparse
import sys
from importlib.util import find_spec
from multiprocessing import get_context
from multiprocessing.connection import Connection

import numpy as np

from boards import Board, even_lattice, random_board, random_board_with_total
from gemhunter.cnf.encode import encode
from gemhunter.compiling.progress import working_cpu_clock
from gemhunter.core.grid import HIDDEN, Grid
from gemhunter.queries.count import count
from gemhunter.solving.outcomes import GaveUp
from timing import print_table, run_compiled


def families() -> dict[str, list[Board]]:
    """The boards, by family; a mask hides 50 % or 70 % of all cells, and traps anyway."""
    return {
        **{
            f"random {size}×{size}, {hidden:.0%} hidden": [
                random_board(size, 0.2, 1 - hidden, seed) for seed in range(3)
            ]
            for size in (20, 40, 66)
            for hidden in (0.5, 0.7)
        },
        **{f"all-2 checkerboard {size}": [checkerboard(size)] for size in (20, 21, 40, 41)},
        **{f"even lattice {size}": [even_lattice(size)] for size in (12, 16, 20)},
        "random 66×66, 70% hidden, total": [random_board_with_total(66, 0.2, 0.3, seed) for seed in range(3)],
    }


def checkerboard(size: int) -> Board:
    """The clue 2 on every square of one colour, the others hidden; odd sizes have hidden corners.

    With even sizes two corners decide everything; with odd ones propagation decides nothing.
    """
    row, col = np.indices((size, size))
    codes = np.where((row + col) % 2 == size % 2, 2, HIDDEN).astype(np.int8)
    return Board(f"all-2 checkerboard {size}×{size}", Grid(codes))


def theirs(board: Board, limit: float) -> tuple[int, float] | None:
    """What pyganak counts and how long it takes, or None if it does not within the limit."""
    fork = get_context("fork")
    receiver, sender = fork.Pipe(duplex=False)
    process = fork.Process(target=_send_count, args=(sender, board))
    process.start()
    sender.close()
    try:
        answer: tuple[int, float] | None = receiver.recv() if receiver.poll(limit) else None
    except EOFError:
        answer = None
    finally:
        process.kill()
        process.join()
    return answer


def _send_count(sender: Connection, board: Board) -> None:
    from pyganak import Counter

    formula = encode(board.grid, traps=board.traps)
    clauses = formula.clauses()
    cells = int(np.count_nonzero(board.grid.cells == HIDDEN))
    began = working_cpu_clock()
    counter = Counter()
    counter.new_vars(formula.variables)
    counter.add_clauses(clauses)
    if formula.variables > cells:
        counter.set_sampling_set(range(1, cells + 1))
    sender.send((counter.count(), working_cpu_clock() - began))


def ours(board: Board, limit: float, repeats: int) -> tuple[int, float] | None:
    """What we count and how long it takes, or None if we give up within the limit."""
    best = None
    for _ in range(repeats):
        began = working_cpu_clock()
        found = count(board.grid, traps=board.traps, time_limit=limit)
        seconds = working_cpu_clock() - began
        if isinstance(found, GaveUp):
            return None
        if best is None or seconds < best[1]:
            best = (found, seconds)
        if seconds > 1:
            break
    return best


def row(name: str, boards: list[Board], limit: float, repeats: int) -> list[str]:
    """One row of the table: sums over the boards of a family; raises if a count differs."""
    mine = [ours(board, limit, repeats) for board in boards]
    peer = [theirs(board, limit) for board in boards]
    for board, own, other in zip(boards, mine, peer, strict=True):
        if own and other and own[0] != other[0]:
            raise AssertionError(f"{board.name}: {own[0]} against {other[0]}")
    known = [own or other for own, other in zip(mine, peer, strict=True)]
    digits = max((len(str(answer[0])) for answer in known if answer), default=0)
    own_seconds = sum(answer[1] for answer in mine if answer)
    ratio = sum(limit if answer is None else answer[1] for answer in peer) / max(own_seconds, 1e-9)
    at_least = "≥ " if None in peer else ""
    return [
        name,
        str(digits) if digits else "?",
        "-" if None in mine else f"{own_seconds:.4f}",
        f"> {limit:g} each" if None in peer else f"{sum(answer[1] for answer in peer if answer):.4f}",
        "" if None in mine else f"{at_least}{ratio:.1f}",
    ]


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--limit", type=float, default=20.0, help="seconds for one board")
    parser.add_argument("--repeats", type=int, default=3, help="calls of ours, the fastest of which counts")
    parser.add_argument("--families", nargs="+", metavar="NAME", help="only these, as the table names them")
    options = parser.parse_args()
    if find_spec("pyganak") is None:
        parser.error("pyganak is not installed; install it: pip install 'gemhunter[peers]'")
    every = families()
    chosen = options.families or list(every)
    if unknown := [name for name in chosen if name not in every]:
        parser.error(f"no family named {unknown[0]!r}; there are: {', '.join(every)}")
    count(Grid(np.array([[HIDDEN, 1, HIDDEN]], np.int8)))
    count(random_board(10).grid, traps=20)
    rows = []
    for name in chosen:
        rows.append(row(name, every[name], options.limit, options.repeats))
        print(*rows[-1], sep=" | ", file=sys.stderr)
    print_table(["boards", "digits", "ours s", "pyganak s", "ratio"], rows)


if __name__ == "__main__":
    run_compiled(main)
