"""For all tests: the same examples of Hypothesis and the same environment everywhere, and `desk`."""

import os
import signal
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

settings.register_profile(
    "steady",
    derandomize=True,
    database=None,
    deadline=None,
    max_examples=60,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.register_profile("quick", settings.get_profile("steady"), max_examples=25)


def pytest_configure(config: pytest.Config) -> None:
    """Try fewer examples where campaigns are left out."""
    settings.load_profile("quick" if config.option.markexpr == "not full" else "steady")


# Output is buffered, as it is for users, and terminals can overwrite text, whatever this machine sets.
for name in ("PYTHONUNBUFFERED", "NO_COLOR", "FORCE_COLOR", "COLORTERM", "COLUMNS", "LINES"):
    os.environ.pop(name, None)
os.environ["TERM"] = "xterm"


# A run in the background inherits that Ctrl-C is ignored; processes that tests interrupt must not.
signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture
def desk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder that is the current one; tests that need files in it override this fixture."""
    monkeypatch.chdir(tmp_path)
    return tmp_path
