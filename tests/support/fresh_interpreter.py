"""Programs run in an interpreter of their own, with all kernels compiled."""

import os
import subprocess
import sys
from pathlib import Path

import gemhunter


def output_of(program: str, **environment: str) -> str:
    """What a fresh interpreter prints, with all kernels compiled."""
    path = os.pathsep.join([str(Path(gemhunter.__file__).parents[1]), os.environ.get("PYTHONPATH", "")])
    done = subprocess.run(
        [sys.executable, "-c", program],
        env={**os.environ, "PYTHONPATH": path, "GEMHUNTER_COMPILE": "always", **environment},
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout
