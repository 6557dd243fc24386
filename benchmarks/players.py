"""How often our agents win, beside published players as they were measured on this kind of machine.

Win rates are per cent ± one standard error, by the rule of the first click: `safe` (no trap), `opening` (a 0)
and on request `any`. All agents play the same games. Games per second of the processor are those of the last
level under the first rule, without compiling.
"""

import argparse
from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt

from gemhunter.board.position import FirstClick
from gemhunter.experiments.winrate import Experiment, WinRate, new_tallies, play_missing, win_rates
from gemhunter.play.game_ids import read_level
from timing import print_table, run_compiled

AGENTS = ("logic", "logic+random", "fast", "expert")
LEVELS = ("beginner", "intermediate", "expert")
RULES = ("safe", "opening")
NOTHING = "–"


@dataclass(frozen=True, slots=True)
class Peer:
    """A published player: its win rates by level and rule, and its Expert games per CPU second."""

    name: str
    rates: dict[tuple[str, str], str]
    pace: str = NOTHING


PEERS = (
    Peer(
        "JSMinesweeper (JavaScript)",
        {
            ("intermediate", "safe"): "78.88 ± 0.52",
            ("intermediate", "opening"): "90.01 ± 0.40",
            ("expert", "safe"): "40.93 ± 0.98",
            ("expert", "opening"): "54.70 ± 1.12",
        },
        "5.4",
    ),
    Peer(
        "JSMinesweeper's sibling in Java",
        {("expert", "safe"): "41.47 ± 1.27", ("expert", "opening"): "54.53 ± 1.29"},
        "25",
    ),
    Peer(
        "MineSweeperProb PSEQ (C++)",
        {
            ("intermediate", "safe"): "78.21 ± 0.24",
            ("intermediate", "opening"): "88.76 ± 0.18",
            ("expert", "safe"): "40.51 ± 0.55",
            ("expert", "opening"): "52.51 ± 0.56",
        },
        "685",
    ),
    Peer("minesolve, 1 ply (C), its own claim", {("expert", "safe"): "39.00"}, "259"),
    Peer("minesolve, 2 plies, its own claim", {("expert", "safe"): "40.27"}),
    Peer("minesolve, 3 plies, its own claim", {("expert", "safe"): "40.68"}),
    Peer("minesolve, 4 plies, its own claim", {("expert", "safe"): "40.80"}),
)


def measured(rule: str, options: argparse.Namespace) -> dict[tuple[str, str], WinRate]:
    """The win rate of each agent at each level under a rule, by the names they were asked for."""
    levels = {read_level(name): name for name in options.levels}
    experiment = Experiment(tuple(options.agents), tuple(levels), FirstClick(rule), options.seed)
    tallies = new_tallies(experiment, options.games)
    for _ in play_missing(experiment, tallies, jobs=options.jobs):
        pass
    return {(rate.series.agent, levels[rate.series.level]): rate for rate in win_rates(tallies)}


def rate_text(rate: WinRate) -> str:
    """A win rate the way the published ones are written."""
    error = sqrt(rate.won.value * (1 - rate.won.value) / rate.games)
    return f"{100 * rate.won.value:.2f} ± {100 * error:.2f}"


def compare(options: argparse.Namespace) -> None:
    """Play, and print a row for each player."""
    results = {rule: measured(rule, options) for rule in options.rules}
    rows = []
    for agent in options.agents:
        cells = [
            " / ".join(rate_text(results[rule][agent, level]) for rule in options.rules)
            for level in options.levels
        ]
        pace = results[options.rules[0]][agent, options.levels[-1]].games_per_cpu_second
        rows.append([agent, *cells, f"{pace:,.0f}"])
    rows += [peer_row(peer, options.levels, options.rules) for peer in PEERS]
    rules = " / ".join(options.rules)
    headings = [f"{level.capitalize()} {rules}" for level in options.levels]
    print_table(["player", *headings, f"{options.levels[-1].capitalize()} games per CPU second"], rows)


def peer_row(peer: Peer, levels: Sequence[str], rules: Sequence[str]) -> list[str]:
    """What is known of a published player, in the columns that were asked for."""
    cells = [" / ".join(peer.rates.get((level, rule), NOTHING) for rule in rules) for level in levels]
    return [peer.name, *cells, peer.pace if levels[-1] == "expert" else NOTHING]


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--games", type=int, default=1000, help="games per agent, level and rule")
    parser.add_argument("--agents", nargs="+", default=AGENTS, metavar="NAME", help="who plays")
    parser.add_argument("--levels", nargs="+", default=LEVELS, metavar="NAME", help="what they play")
    parser.add_argument("--rules", nargs="+", default=RULES, choices=[rule.value for rule in FirstClick])
    parser.add_argument("--seed", type=int, default=0, help="of the first game")
    parser.add_argument("--jobs", type=int, default=1, help="processes that play")
    compare(parser.parse_args())


if __name__ == "__main__":
    run_compiled(main)
