"""Text files for tests to read."""

from pathlib import Path


def put(path: Path, text: str) -> Path:
    """Write a file, with the folders it is in."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8", newline="\n")
    return path
