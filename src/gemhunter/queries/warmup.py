"""The wish "compile everything now": every engine written here, the proof checker and the questions."""

import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import partial

from gemhunter.core.grid import Grid
from gemhunter.errors import EngineError
from gemhunter.formats.text import parse_grid
from gemhunter.queries.count import count
from gemhunter.queries.forced import forced
from gemhunter.queries.probability import probabilities, probabilities_of_many
from gemhunter.queries.proof import check_proof
from gemhunter.queries.sample import sample
from gemhunter.queries.solve import solve
from gemhunter.solving.outcomes import Refuted
from gemhunter.solving.registry import BUILT_IN, PROOF_ENGINE, engine_names, get_engine

WITHOUT_KERNELS = ("pysat", "cmd")
"""Built-in engines that run other people's code."""

PROOF_CHECKER = "proof checker"
QUESTIONS = "questions"

STEPS = 2000
"""For an engine that does not find the answer by then: it has been through all of its code."""

BOARDS: tuple[tuple[str, int | None], ...] = (
    ("_, 1, _", None),
    ("_, _, _, _", None),
    ("3, _, 2, _\n_, _, 2, _\n_, 3, 1, _", 5),
    ("_, 2, _, _, 1, _\n_, _, _, 3, _, _\n1, _, 2, _, _, 1", None),
    ("1, _, 2, _, 1\n_, _, _, _, _\n2, _, 3, _, 2\n_, _, _, _, _\n1, _, 2, _, 1", None),
    ("_, 1, _, _, 1, _", 3),
    ("1, _, _\n0, _, _", None),
)
"""Solvable or not, with and without a total, so that every kernel meets the types it is used with."""

LARGE_BOARD = "\n".join(["_" * 100 + "1"] * 100)
"""One that `auto` takes apart; it uses no kernel on tiny ones. It can have 60 traps, but not a single one."""


@dataclass(frozen=True, slots=True)
class Part:
    """Something with kernels: an engine, an agent or the like, and how to use all of them."""

    name: str
    use: Callable[[], None]


@dataclass(frozen=True, slots=True)
class Warmed:
    """How many kernels a part compiled, and how long that took."""

    name: str
    compiled: int
    seconds: float


def warm_up(parts: Iterable[Part], begin: Callable[[str], None]) -> Iterator[Warmed]:
    """Compile the kernels of these parts that are not in the cache yet; `begin` is told whose turn it is."""
    for part in parts:
        begin(part.name)
        yield _timed(part)


def solving_parts() -> list[Part]:
    """Everything that solves boards and answers questions about them."""
    engines = [Part(name, partial(use_engine, name)) for name in own_engines()]
    return [*engines, Part(PROOF_CHECKER, use_proof_checker), Part(QUESTIONS, use_questions)]


def own_engines() -> list[str]:
    """Every engine written here, also with each of its switches the other way round."""
    names = [name for name in engine_names() if _is_own(name.partition(":")[0])]
    return names + [f"{name}:{switch}" for name in names if ":" not in name for switch in _switches(name)]


def use_engine(name: str) -> None:
    """Let an engine meet all tiny boards, with and without a proof if it can write one."""
    with suppress(EngineError):  # such as a package that is not installed: nothing to compile then
        info = get_engine(name).info
        large = [(parse_grid(LARGE_BOARD), traps) for traps in (None, 60, 1)] if name == "auto" else []
        for grid, traps in [*_tiny_boards(), *large]:
            steps = STEPS if info.step else None
            for proof in {False, info.proofs}:
                solve(grid, name, traps=traps, step_limit=steps, proof=proof)


def use_proof_checker() -> None:
    """Check a proof of every tiny board that has no solution."""
    for grid, traps in _tiny_boards():
        outcome = solve(grid, PROOF_ENGINE, traps=traps, proof=True).outcome
        if isinstance(outcome, Refuted) and outcome.proof is not None:
            check_proof(grid, outcome.proof, traps)


def use_questions() -> None:
    """Ask everything about all solutions that kernels answer."""
    for grid, traps in _tiny_boards():
        count(grid, traps=traps)
        probabilities(grid, traps=traps)
        sample(grid, traps=traps)
        forced(grid, traps=traps)
    probabilities_of_many([grid for grid, _ in _tiny_boards()])


def _tiny_boards() -> list[tuple[Grid, int | None]]:
    return [(parse_grid(text), traps) for text, traps in BOARDS]


def _is_own(base: str) -> bool:
    return base in BUILT_IN and base not in WITHOUT_KERNELS


def _switches(name: str) -> list[str]:
    """The settings that are yes or no, each with the other value than it has."""
    try:
        info = get_engine(name).info
    except EngineError:
        return []
    words = [setting.partition("=")[::2] for setting in info.settings]
    other = {"yes": "no", "no": "yes"}
    return [f"{key}={other[value]}" for key, value in words if value in other]


def _timed(part: Part) -> Warmed:
    began = time.perf_counter()
    with _counting() as kernels:
        part.use()
    return Warmed(part.name, len(kernels), time.perf_counter() - began)


@contextmanager
def _counting() -> Iterator[list[str]]:
    """The kernels that are compiled inside."""
    from numba.core.event import install_listener

    from gemhunter.solving.compiling import KernelListener

    listener = KernelListener()
    with install_listener("numba:compile", listener):
        yield listener.kernels
