"""Tables of a comparison with peers, and their records for other programs."""

from collections.abc import Mapping, Sequence
from math import isfinite
from typing import TYPE_CHECKING, Any

from gemhunter.core.plurals import counted
from gemhunter.printable import json_text

if TYPE_CHECKING:
    from gemhunter.bench.peers.ratios import PairOnBoard, PairOverall
    from gemhunter.bench.peers.runs import ContestantOnBoard
    from gemhunter.report.tables.text_table import TextTable
    from gemhunter.work.estimates import Interval

INTERVAL = "95 % interval"


def overall_table(pairs: "Sequence[PairOverall]") -> "TextTable":
    """A row per pair: the question, the boards that each side answered, and the ratio over all of them."""
    from gemhunter.report.tables.text_table import TextTable

    rows = tuple(
        (
            each.peer.question.value,
            each.peer.name,
            f"{each.peer_answered} of {each.boards}",
            each.ours.name,
            f"{each.ours_answered} of {each.boards}",
            *_ratio_texts(each.ratio),
        )
        for each in pairs
    )
    return TextTable(("question", "peer", "answered", "ours", "answered", "peer ÷ ours", INTERVAL), rows)


def board_table(
    pairs: "Sequence[PairOnBoard]", sizes: Mapping[str, str], *, in_file: bool = False
) -> "TextTable":
    """A row per board and pair: the medians of both sides, and their ratio."""
    from gemhunter.report.tables.text_table import TextTable

    unit = " (s)" if in_file else ""
    rows = tuple(
        (
            each.peer.board,
            sizes[each.peer.board],
            each.peer.contestant,
            _time_text(each.peer, in_file),
            each.ours.contestant,
            _time_text(each.ours, in_file),
            *_ratio_texts(each.ratio),
        )
        for each in pairs
    )
    names = (
        "board",
        "size",
        "peer",
        f"peer's time{unit}",
        "ours",
        f"our time{unit}",
        "peer ÷ ours",
        INTERVAL,
    )
    return TextTable(names, rows)


def table_text(table: "TextTable", form: str) -> str:
    """A table for people, or for one of the formats that documents are made of."""
    from gemhunter.cli.screen import aligned
    from gemhunter.report.tables.text_table import write_csv, write_latex, write_markdown

    match form:
        case "csv":
            return write_csv(table)
        case "md":
            return write_markdown(table)
        case "tex":
            return write_latex(table)
    return "".join(f"{line}\n" for line in aligned([table.headings, *table.rows]))


def how_made(facts: Mapping[str, Any]) -> str:
    """The machine, the versions and the limits of a comparison, in one line."""
    used = ", ".join(f"{name} {number}" for name, number in facts["versions"].items())
    where = f"{facts['machine']['processor']}, {facts['machine']['cores']} cores"
    runs = counted(facts["runs"], "run")
    spread = f" in {facts['processes']} processes" if facts["processes"] > 1 else ""
    return f"{runs} each{spread}, time limit {facts['seconds']:g} s; {where}; {used}."


def peers_json(
    overall: "Sequence[PairOverall]", on_boards: "Sequence[PairOnBoard]", facts: Mapping[str, Any]
) -> str:
    """What was measured, with `facts` about how and where, as one JSON object."""
    record = {
        **facts,
        "pairs": [
            {
                "question": each.peer.question.value,
                "peer": each.peer.name,
                "ours": each.ours.name,
                "boards": each.boards,
                "peer_answered": each.peer_answered,
                "ours_answered": each.ours_answered,
                "compared": each.compared,
                **_ratio_record(each.ratio),
            }
            for each in overall
        ],
        "boards": [
            {
                "board": each.peer.board,
                "peer": _result_record(each.peer),
                "ours": _result_record(each.ours),
                **_ratio_record(each.ratio),
            }
            for each in on_boards
        ],
    }
    return json_text(record, indent=2) + "\n"


def _time_text(result: "ContestantOnBoard", in_file: bool) -> str:
    """A median, in brackets `no solution` for a refutation; the reason if there is no time."""
    from gemhunter.bench.summary import VERDICT_WORDS
    from gemhunter.bench.values import Verdict
    from gemhunter.render.times import seconds_in_file, seconds_text

    if result.median is None:
        return result.reason if result.verdict is Verdict.GAVE_UP else VERDICT_WORDS[result.verdict]
    time = (seconds_in_file if in_file else seconds_text)(result.median)
    return f"{time} ({VERDICT_WORDS[result.verdict]})" if result.verdict is Verdict.REFUTED else time


def _ratio_texts(ratio: "Interval | None") -> tuple[str, str]:
    from gemhunter.report.tables.summaries import ratio_text

    if ratio is None:
        return "", ""
    ends = f"{ratio_text(ratio.low)} to {ratio_text(ratio.high)}" if isfinite(ratio.high) else ""
    return ratio_text(ratio.value), ends


def _ratio_record(ratio: "Interval | None") -> dict[str, float | None]:
    """A ratio and its ends; a missing bound, such as after one run, is null."""
    if ratio is None:
        return {"ratio": None, "ratio_low": None, "ratio_high": None}
    low, high = (ratio.low, ratio.high) if isfinite(ratio.high) else (None, None)
    return {"ratio": ratio.value, "ratio_low": low, "ratio_high": high}


def _result_record(result: "ContestantOnBoard") -> dict[str, Any]:
    return {
        "name": result.contestant,
        "verdict": result.verdict.value,
        "reason": result.reason,
        "median": result.median,
        "seconds": [list(runs) for runs in result.seconds],
    }
