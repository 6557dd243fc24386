"""Advice on a position as plain data."""

from typing import Any

from gemhunter import __version__
from gemhunter.play.advice import Advice
from gemhunter.play.candidates import Candidate
from gemhunter.play.rollouts import Rollouts
from gemhunter.queries.probability import assumption_words
from gemhunter.records.estimates import interval_fields
from gemhunter.solving.outcomes import GaveUp, Refuted


def advice_record(position: str, advised: Advice | Refuted | GaveUp) -> dict[str, Any]:
    """What to play in a position, or why there is no advice; both have the same fields."""
    found = advised if isinstance(advised, Advice) else None
    best = found.best if found is not None else None
    gems, traps, wrong_flags = ((), (), ()) if found is None else (found.gems, found.traps, found.wrong_flags)
    densities = () if found is None else found.at_other_densities
    return {
        "position": position,
        "traps": None if found is None else found.total,
        "density": None if found is None else found.density,
        "assumption": None if found is None else assumption_words(found.total, found.density),
        "verdict": _verdict(advised),
        "reason": None if isinstance(advised, Advice) else advised.reason,
        "best": None if best is None else str(best),
        "risk": None if found is None else found.risk,
        "why": None if found is None else found.why,
        "win_chance": None if found is None else found.win_chance,
        "safe_twice": None if not found or not found.candidates else found.candidates[0].safe_twice,
        "worth": None if not found or not found.candidates else found.candidates[0].worth,
        "runners_up": [] if found is None else [*map(_candidate_record, found.runners_up)],
        "forced": {
            "gems": [*map(str, gems)],
            "traps": [*map(str, traps)],
            "complete": found is not None and not found.gap,
        },
        "wrong_flags": [*map(str, wrong_flags)],
        "version": __version__,
        "at_other_densities": [{"density": density, "best": str(cell)} for density, cell in densities],
        "rollouts": None if found is None or found.rollouts is None else _rollouts_record(found.rollouts),
    }


def _rollouts_record(rollouts: Rollouts) -> dict[str, Any]:
    """How often the best guesses win, and by how much less often than the first of them."""
    rows = zip(rollouts.cells, rollouts.win_rates, rollouts.behind, strict=True)
    return {
        "games": rollouts.games,
        "cells": [
            {"cell": str(cell), **interval_fields("win_rate", rate), **interval_fields("behind", behind)}
            for cell, rate, behind in rows
        ],
    }


def _verdict(advised: Advice | Refuted | GaveUp) -> str:
    match advised:
        case Advice():
            return "advised"
        case Refuted():
            return "refuted"
        case GaveUp():
            return "gave-up"


def _candidate_record(candidate: Candidate) -> dict[str, Any]:
    return {
        "cell": str(candidate.cell),
        "risk": candidate.risk,
        "win_chance": candidate.win_chance,
        "safe_twice": candidate.safe_twice,
        "worth": candidate.worth,
    }
