"""Sample boards as plain data."""

from typing import Any

from gemhunter.core.grid import HIDDEN
from gemhunter.formats.samples import SAMPLE_PREFIX, SAMPLES
from gemhunter.play.game_names import read_grid


def sample_record(name: str) -> dict[str, Any]:
    """The size of a sample board and what is special about it."""
    sample = SAMPLES[name]
    grid = read_grid(f"{SAMPLE_PREFIX}{name}")
    return {
        "name": f"{SAMPLE_PREFIX}{name}",
        "rows": grid.rows,
        "cols": grid.cols,
        "unknown": int((grid.cells == HIDDEN).sum()),
        "about": sample.about,
    }
