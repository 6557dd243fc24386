"""The trace of a search, as plain data."""

from collections.abc import Sequence
from typing import Any

from gemhunter.core.grid import Grid
from gemhunter.formats.json_boards import grid_rows
from gemhunter.queries.trace import Step
from gemhunter.records.engines import asked_record


def trace_record(
    source: str, grid: Grid | None, steps: Sequence[Step], *, engine: str, seed: int, complete: bool
) -> dict[str, Any]:
    """What was traced, a board or (without a grid) a formula, which engine searched, and its steps.

    Each step is an event, and a sentence about it; `complete` says that the steps are all there were.
    """
    traced = {"formula": source} if grid is None else {"board": source, "grid": grid_rows(grid)}
    return {
        **traced,
        **asked_record(engine, seed),
        "complete": complete,
        "events": [step.record for step in steps],
        "sentences": [step.sentence for step in steps],
    }
