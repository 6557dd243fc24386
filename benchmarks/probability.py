"""How likely is each cell a trap: ours against ms_toollib, on Expert positions in the middle of a game.

Both get the position in the form they want and the number of traps. Seconds are those of the processor, the
least of several calls; "ratio" is theirs to ours on one position. The answers must agree.
"""

import argparse
from collections.abc import Callable, Sequence
from importlib.util import find_spec
from statistics import median
from typing import TYPE_CHECKING

import numpy as np

from boards import Board
from gemhunter.compiling.progress import working_cpu_clock
from gemhunter.core.grid import HIDDEN
from gemhunter.queries.answers import Probabilities
from gemhunter.queries.probability import probabilities, probabilities_of_many
from positions import EXPERT, mid_game_positions
from timing import print_table, run_compiled

if TYPE_CHECKING:
    from numpy.typing import NDArray

UNKNOWN = 10
"""What ms_toollib calls a cell that has not been looked at."""

LARGEST_DIFFERENCE = 1e-9


def least_seconds(work: Callable[[], object], repeats: int) -> float:
    """The processor's seconds for one call, the least of several."""
    return min(_processor_seconds(work) for _ in range(repeats))


def _processor_seconds(work: Callable[[], object]) -> float:
    began = working_cpu_clock()
    work()
    return working_cpu_clock() - began


def theirs(board: Board, repeats: int) -> tuple["NDArray[np.float64]", float]:
    """What ms_toollib answers, and how long it takes."""
    import ms_toollib

    rows = np.where(board.grid.cells == HIDDEN, UNKNOWN, board.grid.cells).tolist()
    total = float(board.traps or 0)
    values, _ = ms_toollib.cal_probability_onboard(rows, total)
    return np.array(values), least_seconds(lambda: ms_toollib.cal_probability_onboard(rows, total), repeats)


def ours(board: Board, repeats: int) -> tuple["NDArray[np.float64]", float]:
    """What we answer, and how long it takes."""
    answer = probabilities(board.grid, traps=board.traps)
    if not isinstance(answer, Probabilities):
        raise AssertionError(f"{board.name}: {answer}")
    return answer.values, least_seconds(lambda: probabilities(board.grid, traps=board.traps), repeats)


def compare(boards: Sequence[Board], repeats: int) -> None:
    """Print one row for each way to ask."""
    probabilities_of_many([boards[0].grid], traps=boards[0].traps)
    ours(boards[0], 1)
    peer, single, differences = [], [], []
    for board in boards:
        expected, seconds = theirs(board, repeats)
        values, own_seconds = ours(board, repeats)
        hidden = board.grid.cells == HIDDEN
        peer.append(seconds)
        single.append(own_seconds)
        differences.append(float(np.abs(values - expected)[hidden].max()))
    grids = [board.grid for board in boards]
    batch = least_seconds(lambda: probabilities_of_many(grids, traps=boards[0].traps), repeats) / len(boards)
    if max(differences) > LARGEST_DIFFERENCE:
        raise AssertionError(f"the answers differ by {max(differences)}")
    rows = [
        _row("ms_toollib", peer, peer),
        _row("ours, one by one", single, peer),
        ["ours, all at once", "", f"{1000 * batch:.3f}", "", f"{median(peer) / batch:.1f}"],
    ]
    print(f"{len(boards)} positions, largest difference {max(differences):.1e}")
    print_table(["all cells of one position", "median ms", "mean ms", "most ms", "median ratio"], rows)


def _row(name: str, seconds: Sequence[float], peer: Sequence[float]) -> list[str]:
    ratio = median(other / own for own, other in zip(seconds, peer, strict=True))
    middle, mean, most = median(seconds), sum(seconds) / len(seconds), max(seconds)
    return [name, f"{1000 * middle:.3f}", f"{1000 * mean:.3f}", f"{1000 * most:.3f}", f"{ratio:.1f}"]


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--positions", type=int, default=200, help="how many positions, one per game")
    parser.add_argument(
        "--repeats", type=int, default=5, help="calls per position, the fastest of which counts"
    )
    parser.add_argument("--seed", type=int, default=0, help="of the games")
    options = parser.parse_args()
    if find_spec("ms_toollib") is None:
        parser.error("ms_toollib is not installed; install it: pip install 'gemhunter[peers]'")
    compare(mid_game_positions(options.positions, *EXPERT, seed=options.seed), options.repeats)


if __name__ == "__main__":
    run_compiled(main)
