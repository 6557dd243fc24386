"""Where things are, for tests that read the project's own files."""

from pathlib import Path

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
HARD = ROOT / "src" / "gemhunter" / "suites" / "hard"
SUPPORT = ROOT / "tests" / "support"
REGRESSIONS = ROOT / "tests" / "regressions"
