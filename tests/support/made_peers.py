"""A peer written by hand that stands in for a package, in this process and in those that are started."""

from pathlib import Path

import pytest

from gemhunter.bench.values import BenchBoard
from gemhunter.formats.text import parse_grid


def fake_ms_toollib(folder: Path, body: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Put a package of this name in the place of the real one, here and in processes that are started."""
    lines = (
        "import os, time",
        "def cal_probability_onboard(rows, total):",
        f"    if len(rows) == 2: {body}",
        "    return [[0.0 for _ in row] for row in rows], []",
    )
    (folder / "ms_toollib.py").write_text("\n".join(lines), encoding="utf-8")
    monkeypatch.syspath_prepend(str(folder))
    monkeypatch.setenv("PYTHONPATH", str(folder))


TWO_ROWS = BenchBoard("two rows", parse_grid("_, 1, _\n_, _, _"), 1)
