"""Running times as text: for people in the unit that suits them, for files in seconds."""

TIME_UNITS = (("µs", 1e6), ("ms", 1e3), ("s", 1.0))
"""Units of running times with how many of them are a second; each is used below 1,000 of it."""

SHORTEST_TIME = 1e-6
"""Seconds. The clock cannot measure shorter times."""


def seconds_text(seconds: float) -> str:
    """A running time for the screen: three significant digits, in the unit that suits it."""
    if seconds < SHORTEST_TIME:
        return "<1 µs"
    for unit, per_second in TIME_UNITS:
        rounded = float(f"{seconds * per_second:.3g}")
        if rounded < 1000:
            decimals = 2 if rounded < 10 else 1 if rounded < 100 else 0
            return f"{rounded:.{decimals}f} {unit}"
    return f"{seconds:,.0f} s"


def seconds_in_file(seconds: float) -> str:
    """A running time for files: seconds with six decimals."""
    return f"{seconds:.6f}"
