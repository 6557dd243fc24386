"""Kernels as they are compiled, and as they are written."""

import os
import subprocess
import sys
from pathlib import Path

BENCHMARKS = Path(__file__).parents[1] / "benchmarks"
"""Where the programs find boards; pytest has that folder on its path, too."""


def output_either_way(program: str) -> str:
    """What a Python program prints; it must be the same with compiled kernels and with uncompiled ones."""
    path = os.pathsep.join(filter(None, [str(BENCHMARKS), os.environ.get("PYTHONPATH")]))
    compiled, plain = (
        subprocess.run(
            [sys.executable, "-c", program],
            env={**os.environ, "NUMBA_DISABLE_JIT": disabled, "PYTHONPATH": path},
            cwd=Path(__file__).parent,
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for disabled in ("0", "1")
    )
    assert compiled == plain
    return compiled
