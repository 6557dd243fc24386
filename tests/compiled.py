"""Kernels as they are compiled, and as they are written."""

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]
FOLDERS = os.pathsep.join(str(ROOT / name) for name in ("src", "benchmarks"))
"""Where the programs find the package beside these tests, and boards."""


def output_either_way(program: str) -> str:
    """What a Python program prints; it must be the same with compiled kernels and with uncompiled ones."""
    compiled, plain = (
        subprocess.run(
            [sys.executable, "-c", program],
            env={**os.environ, "NUMBA_DISABLE_JIT": disabled, "PYTHONPATH": FOLDERS},
            cwd=Path(__file__).parent,
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for disabled in ("0", "1")
    )
    assert compiled == plain
    return compiled
