"""The first calls of an engine in a process, which are slower than all later ones and belong to no board.

They import modules, fill caches, and make NumPy and PySAT load what they load late: several milliseconds,
where a small board takes a few hundred microseconds.
"""

from collections.abc import Iterator

import numpy as np

from gemhunter.core.grid import Grid
from gemhunter.solving.protocols import EngineInfo
from gemhunter.solving.registry import BUILT_IN_ENGINES
from gemhunter.solving.run import Limits, Run

FIRST_CALL_BOARDS = (
    ((3, -1, 2, -1), (-1, -1, 2, -1), (-1, 3, 1, -1)),
    ((1, -1, 1), (-1, -1, -1), (1, -1, 1)),
)
"""Cell codes. Single clues decide the first; the second needs a search."""

FIRST_CALL_ROUNDS = 4
"""How often each is solved. Python and the processor get faster at the same code for about this long."""

FIRST_CALL_STEPS = 500
"""What an engine may use on each of them."""

_met: set[str] = set()


def needs_first_calls(engine: EngineInfo) -> bool:
    """Whether an engine is asked for the first time in this process, and has first calls that are slow.

    Plug-ins have none that are known, and engines that start a process for every call are always slow.
    """
    if engine.name in _met:
        return False
    return engine.name.partition(":")[0] in BUILT_IN_ENGINES and not engine.own_process


def first_boards(engine: EngineInfo) -> Iterator[tuple[Grid, Run]]:
    """Tiny boards to solve before an engine's first board in this process, with a run for each."""
    if not needs_first_calls(engine):
        return
    _met.add(engine.name)
    limits = Limits(steps=FIRST_CALL_STEPS if engine.step else None)
    for codes in FIRST_CALL_BOARDS * FIRST_CALL_ROUNDS:
        yield Grid(np.array(codes, np.int8)), Run(limits)
