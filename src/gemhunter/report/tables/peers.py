"""Tables of a comparison with peers."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from gemhunter.bench.peers.ratios import PairOnBoard, PairOverall
from gemhunter.bench.peers.runs import ContestantOnBoard, PeerSetting
from gemhunter.bench.summary import VERDICT_WORDS
from gemhunter.bench.values import Verdict
from gemhunter.core.plurals import counted
from gemhunter.render.times import seconds_in_file, seconds_text
from gemhunter.report.tables.summaries import FEWEST_FOR_INTERVAL, ratio_texts
from gemhunter.report.tables.text_table import TextTable

INTERVAL = "95 % interval"


def overall_table(pairs: Sequence[PairOverall]) -> TextTable:
    """A row per pair: the question, the boards that each side answered, and the ratio over all of them."""
    rows = tuple(
        (
            each.peer.question.value,
            each.peer.name,
            f"{each.peer_answered} of {each.boards}",
            each.ours.name,
            f"{each.ours_answered} of {each.boards}",
            *ratio_texts(each.ratio, each.boards),
        )
        for each in pairs
    )
    return TextTable(("question", "peer", "answered", "ours", "answered", "peer ÷ ours", INTERVAL), rows)


def board_table(
    pairs: Sequence[PairOnBoard], sizes: Mapping[str, str], *, in_file: bool = False
) -> TextTable:
    """A row per board and pair: the medians of both sides, and their ratio."""
    unit = " (s)" if in_file else ""
    rows = tuple(
        (
            each.peer.board,
            sizes[each.peer.board],
            each.peer.contestant,
            _time_text(each.peer, in_file),
            each.ours.contestant,
            _time_text(each.ours, in_file),
            *ratio_texts(each.ratio, FEWEST_FOR_INTERVAL),
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


@dataclass(frozen=True, slots=True)
class PeerConditions:
    """How and where peers were measured: the setting, the machine, and versions by package."""

    setting: PeerSetting
    machine: Mapping[str, str | int]
    versions: Mapping[str, str]

    @property
    def sentence(self) -> str:
        """The number of runs, the time limit, the machine and the versions in one line."""
        setting, processes = self.setting, len(self.setting.shares)
        used = ", ".join(f"{name} {number}" for name, number in self.versions.items())
        where = f"{self.machine['processor']}, {self.machine['cores']} cores"
        spread = f" in {processes} processes" if processes > 1 else ""
        runs = counted(setting.runs, "run")
        return f"{runs} each{spread}, time limit {setting.seconds:g} s; {where}; {used}."


def _time_text(result: ContestantOnBoard, in_file: bool) -> str:
    """A median, in brackets `no solution` for a refutation; the reason if there is no time."""
    if result.median is None:
        return result.reason if result.verdict is Verdict.GAVE_UP else VERDICT_WORDS[result.verdict]
    time = (seconds_in_file if in_file else seconds_text)(result.median)
    return f"{time} ({VERDICT_WORDS[result.verdict]})" if result.verdict is Verdict.REFUTED else time
