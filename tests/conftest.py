"""For all tests: Hypothesis tries the same examples on every run, and no test depends on another."""

import pytest
from hypothesis import HealthCheck, settings

from gemhunter.queries import first_call

settings.register_profile(
    "steady",
    derandomize=True,
    database=None,
    deadline=None,
    max_examples=60,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("steady")


@pytest.fixture(autouse=True)
def no_first_calls(monkeypatch: pytest.MonkeyPatch) -> None:
    """Engines are not called before they are asked, so that it does not matter which test comes first."""
    monkeypatch.setattr(first_call, "FIRST_CALL_ROUNDS", 0)
