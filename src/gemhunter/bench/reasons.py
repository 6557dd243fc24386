"""Why a run has no answer, in a few words for a table, and which limit such words stand for."""

from gemhunter.solving.outcomes import GaveUp, Report, StopReason

SHORT_WORDS = {
    StopReason.TIME: "time limit",
    StopReason.STEPS: "step limit",
    StopReason.DEPTH: "depth limit",
    StopReason.MEMORY: "memory",
    StopReason.STUCK: "stuck",
}
"""Limits for a table; others are named in full."""

TRIED = ("attempts", "generations", "flips")
"""Counters of what engines with a cap of their own have tried."""


def short_reason(report: Report) -> str:
    """Why there is no answer, such as `time limit` or `2,000,000 attempts`; empty if there is one."""
    if not isinstance(report.outcome, GaveUp):
        return ""
    limit = report.outcome.stop_reason
    if limit is StopReason.ATTEMPTS:
        tried = next((name for name in TRIED if name in report.counters), None)
        return report.outcome.reason if tried is None else f"{report.counters[tried]:,} {tried}"
    return SHORT_WORDS.get(limit, limit.value)


def limit_of(reason: str) -> StopReason | None:
    """The limit that the words of `short_reason` stand for; None for words of an engine's own."""
    if reason.endswith(TRIED):
        return StopReason.ATTEMPTS
    named = {words: limit for limit, words in SHORT_WORDS.items()} | {
        limit.value: limit for limit in StopReason
    }
    return named.get(reason)
