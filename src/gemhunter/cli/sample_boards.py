"""The boards that come with the package."""

from pathlib import Path

import gemhunter

SAMPLE = "sample-3x4.txt"


def boards_folder() -> Path:
    """Where they are."""
    return Path(gemhunter.__file__).parent / "boards"
