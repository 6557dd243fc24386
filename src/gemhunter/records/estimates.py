"""Estimates as plain data."""

from math import isfinite

from gemhunter.work.estimates import Interval


def interval_fields(
    name: str, interval: Interval | None, digits: int | None = None
) -> dict[str, float | None]:
    """A value and the ends of its interval, rounded to `digits`; a missing bound (after one run) is null."""
    if interval is None:
        return {name: None, f"{name}_low": None, f"{name}_high": None}
    ends = (interval.low, interval.high) if isfinite(interval.high) else (None, None)
    fields = {name: interval.value, f"{name}_low": ends[0], f"{name}_high": ends[1]}
    if digits is None:
        return fields
    return {key: None if value is None else round(value, digits) for key, value in fields.items()}
