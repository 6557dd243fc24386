"""Suites and comparisons with peers as records for other programs."""

from collections.abc import Sequence
from typing import Any

from gemhunter.bench.peers.ratios import PairOnBoard, PairOverall
from gemhunter.bench.peers.runs import ContestantOnBoard
from gemhunter.bench.values import Suite
from gemhunter.report.json_records import interval_fields
from gemhunter.report.tables.peers import PeerConditions


def suite_record(suite: Suite) -> dict[str, Any]:
    """What a suite compares, and how often."""
    return {
        "suite": suite.name,
        "title": suite.title,
        "boards": [board.name for board in suite.boards],
        "engines": list(suite.engines),
        "runs": suite.runs,
        "runs_of": dict(suite.runs_of),
        "seconds": suite.seconds,
    }


def peers_record(
    overall: Sequence[PairOverall], on_boards: Sequence[PairOnBoard], conditions: PeerConditions
) -> dict[str, Any]:
    """How and where peers were measured, a record per pair, and a record per board and pair."""
    return {
        "runs": conditions.setting.runs,
        "processes": len(conditions.setting.shares),
        "seconds": conditions.setting.seconds,
        "machine": dict(conditions.machine),
        "versions": dict(conditions.versions),
        "pairs": [_overall_record(pair) for pair in overall],
        "boards": [
            {
                "board": pair.peer.board,
                "peer": _contestant_record(pair.peer),
                "ours": _contestant_record(pair.ours),
                **interval_fields("ratio", pair.ratio),
            }
            for pair in on_boards
        ],
    }


def _overall_record(pair: PairOverall) -> dict[str, Any]:
    return {
        "question": pair.peer.question.value,
        "peer": pair.peer.name,
        "ours": pair.ours.name,
        "boards": pair.boards,
        "peer_answered": pair.peer_answered,
        "ours_answered": pair.ours_answered,
        "compared": pair.compared,
        **interval_fields("ratio", pair.ratio),
    }


def _contestant_record(result: ContestantOnBoard) -> dict[str, Any]:
    return {
        "name": result.contestant,
        "verdict": result.verdict.value,
        "reason": result.reason,
        "median": result.median,
        "seconds": [list(runs) for runs in result.seconds],
    }
