"""Compile everything in advance: every engine written here, the proof checker and the questions."""

from collections.abc import Sequence
from contextlib import suppress

from gemhunter.board.grid import Grid
from gemhunter.board.puzzle import read_puzzle
from gemhunter.counting.linear import LARGE_PRIME, eliminated
from gemhunter.errors import EngineError
from gemhunter.files.text import parse_grid
from gemhunter.questions.bounds import count_bounds
from gemhunter.questions.count import count
from gemhunter.questions.forced import forced
from gemhunter.questions.probability import probabilities, probabilities_of_many
from gemhunter.questions.proof_checker import check_proof
from gemhunter.questions.sample import sample
from gemhunter.questions.solve import solve
from gemhunter.solving.outcomes import Refuted
from gemhunter.solving.registry import PROOF_ENGINE, WRITTEN_HERE, engine_family, engine_names, get_engine

PROOF_CHECKER = "proof checker"
WARMUP_QUESTIONS = "questions"

WARMUP_BOARDS: tuple[tuple[str, int | None], ...] = (
    ("_, 1, _", None),
    ("_, _, _, _", None),
    ("3, _, 2, _\n_, _, 2, _\n_, 3, 1, _", 5),
    ("_, 2, _, _, 1, _\n_, _, _, 3, _, _\n1, _, 2, _, _, 1", None),
    ("1, _, 2, _, 1\n_, _, _, _, _\n2, _, 3, _, 2\n_, _, _, _, _\n1, _, 2, _, 1", None),
    ("_, 1, _, _, 1, _", 3),
    ("1, _, _\n0, _, _", None),
)
"""Boards with and without solutions and totals, so that every kernel meets all types it is used with."""

LARGE_WARMUP_BOARDS: tuple[tuple[str, int | None], ...] = (
    *(("\n".join(["_" * 100 + "1"] * 100), total) for total in (None, 60, 1)),
    ("\n".join(["_" * 100 + "1"] * 98 + ["_0" + "_" * 99, "1" + "_" * 100]), None),
    *(("\n".join(["1_" * 20 + "1", "_" * 41] * 125), total) for total in (None, 3)),
)
"""Boards that `auto` splits, since it uses no kernel on tiny ones. Some clues and totals cannot hold."""


def own_engines() -> list[str]:
    """Every engine written here, and its variants with one switch changed."""
    names = [name for name in engine_names() if has_kernels(name)]
    return names + [f"{name}:{switch}" for name in names if ":" not in name for switch in _switches(name)]


def use_engine(name: str) -> None:
    """Let an engine solve the boards, with and without a proof if it can write one."""
    with suppress(EngineError):  # such as a package that is not installed: nothing to compile then
        info = get_engine(name).info
        for grid, traps in _parsed(WARMUP_BOARDS + LARGE_WARMUP_BOARDS if name == "auto" else WARMUP_BOARDS):
            # An engine that has not answered after 2,000 steps has run all of its code.
            steps = 2000 if info.step else None
            for proof in {False, info.proofs}:
                solve(grid, name, total=traps, step_limit=steps, proof=proof)
    if name == "auto":
        eliminated(read_puzzle(parse_grid("1, _, 2")), LARGE_PRIME)


def use_proof_checker() -> None:
    """Check a proof of every tiny board that has no solution."""
    for grid, traps in _parsed(WARMUP_BOARDS):
        outcome = solve(grid, PROOF_ENGINE, total=traps, proof=True).outcome
        if isinstance(outcome, Refuted) and outcome.proof is not None:
            check_proof(grid, outcome.proof, traps)


def use_questions() -> None:
    """Ask everything about all solutions that kernels answer."""
    for grid, traps in _parsed(WARMUP_BOARDS):
        count(grid, total=traps)
        probabilities(grid, total=traps)
        sample(grid, total=traps)
        forced(grid, total=traps)
        count_bounds(grid, total=traps, steps_per_piece=1)
    probabilities_of_many([grid for grid, _ in _parsed(WARMUP_BOARDS[:1])])
    hidden = parse_grid("\n".join(["_" * 40] * 40 + ["1_1_1" + "_" * 35]))
    for traps in (None, 500):
        count(hidden, total=traps)
        probabilities(hidden, total=traps)
        sample(hidden, total=traps)
    count(parse_grid("\n".join(["_" * 80, "_4" * 40, "_" * 80])))


def _parsed(boards: Sequence[tuple[str, int | None]]) -> list[tuple[Grid, int | None]]:
    return [(parse_grid(text), traps) for text, traps in boards]


def has_kernels(name: str) -> bool:
    """Whether an engine is written here, so that it can be compiled."""
    return engine_family(name) == WRITTEN_HERE


def _switches(name: str) -> list[str]:
    """The settings that are yes or no, each with its other value."""
    try:
        info = get_engine(name).info
    except EngineError:
        return []
    words = [setting.partition("=")[::2] for setting in info.settings]
    other = {"yes": "no", "no": "yes"}
    return [f"{key}={other[value]}" for key, value in words if value in other]
