"""An agent of your own: it always reveals the cell that is least likely a trap.

Copy this folder, rename it, and replace the body of `choose`. The entry point in pyproject.toml is all it
takes for `gemhunter watch --agent safest-cell` to find it.
"""

from dataclasses import dataclass

from gemhunter import Cell, Choice, Probabilities, Stuck, View, probabilities


def new_player(seed: int) -> "SafestCellPlayer":
    """The registry calls this for every game with its seed; this player draws no random numbers."""
    del seed
    return SafestCellPlayer()


@dataclass(frozen=True, slots=True)
class SafestCellPlayer:
    """Knows exactly how likely each cell is a trap, and looks no further ahead."""

    def choose(self, view: View) -> Choice | Stuck:
        """Reveal every cell that is certainly a gem, or else the first of the safest ones."""
        if view.is_fresh:
            return Choice((Cell(0, 0),), (), view.risk_of_first, "first click")
        risks = probabilities(view.grid, total=view.total)
        if not isinstance(risks, Probabilities):
            return Stuck((), "the position is too large to count")
        safest = risks.safest()
        risk = risks[safest[0]]
        if risk == 0:
            return Choice(tuple(safest), (), 0.0, "certain")
        return Choice((safest[0],), (), risk, "the safest cell")
