"""Many games by the resolution player, played in compiled code from beginning to end."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gemhunter.play.levels import Level

Numbers = NDArray[np.int64]


@dataclass(frozen=True, slots=True, eq=False)
class ResolutionGames:
    """What became of the games with the seeds from `first_seed` on, one entry per game.

    `marked` cells out of `level`'s, the matching `rounds` it took, `wrong` marks, and whether the knowledge
    base had `clashed`: no game has either of the last two, and tests look at them.
    """

    level: Level
    first_seed: int
    marked: Numbers
    rounds: Numbers
    wrong: Numbers
    clashed: Numbers

    @property
    def finished(self) -> NDArray[np.bool_]:
        """Where every cell was marked."""
        everything: NDArray[np.bool_] = self.marked == self.level.rows * self.level.cols
        return everything


def play_resolution_games(level: Level, given: int, seeds: range) -> ResolutionGames:
    """Let the agent play the games of these seeds, which follow each other, each with `given` safe cells."""
    from gemhunter.engines.resolution.knowledge_base import grown
    from gemhunter.kernels.play import resolution_player as resolving
    from gemhunter.play.agents.resolution import new_knowledge

    known = new_knowledge(level.rows * level.cols)
    memory = np.zeros(resolving.MEMORIES, np.int64)
    codes = np.empty((2, level.rows, level.cols), np.int8)
    results = np.zeros((len(seeds), resolving.COLUMNS), np.int64)
    done = 0
    while done < len(seeds):
        first = seeds.start + done
        done += resolving.play_seeds(known, memory, codes, level.total, given, first, results[done:])
        if done < len(seeds):
            known = grown(known)
    columns = [resolving.CELLS_MARKED, resolving.MATCHING_ROUNDS, resolving.WRONG_MARKS, resolving.CLASHES]
    return ResolutionGames(level, seeds.start, *results.T[columns])
