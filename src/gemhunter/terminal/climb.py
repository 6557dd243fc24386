"""How far up the ladder of a hint a player has come, and what the board shows of it."""

from dataclasses import dataclass, replace

from gemhunter.core.grid import GEM, TRAP, Cell
from gemhunter.deduce.steps import ExplanationStep
from gemhunter.queries.hint import CLUES_RUNG, CONCLUSION_RUNG, HintLadder


@dataclass(frozen=True, slots=True, eq=False)
class Climb:
    """A ladder and the rung that has been shown, counted from 1; the conclusion is the last."""

    ladder: HintLadder
    rung: int = 1

    @property
    def step(self) -> ExplanationStep:
        """The deduction that the ladder leads to."""
        return self.ladder.step

    @property
    def is_concluded(self) -> bool:
        """Whether the conclusion has been shown."""
        return self.rung >= CONCLUSION_RUNG

    @property
    def clues(self) -> frozenset[Cell]:
        """The clues that have been named."""
        return frozenset(self.step.clues) if self.rung >= CLUES_RUNG else frozenset()

    @property
    def decided(self) -> dict[Cell, int]:
        """`TRAP` or `GEM` for each cell that the conclusion is about, once it has been shown."""
        if not self.is_concluded:
            return {}
        return dict.fromkeys(self.step.traps, TRAP) | dict.fromkeys(self.step.gems, GEM)

    def higher(self) -> "Climb":
        """On the next rung."""
        return replace(self, rung=self.rung + 1)
