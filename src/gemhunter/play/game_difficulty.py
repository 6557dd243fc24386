"""How hard a game is for a player who thinks and never guesses."""

from gemhunter.core.game_status import Status
from gemhunter.core.grid import TRAP, Cell, Grid
from gemhunter.core.puzzle import read_puzzle
from gemhunter.deduce.difficulty import NEEDS_A_GUESS, Difficulty, rate
from gemhunter.deduce.steps import ExplanationStep
from gemhunter.play.game import Game
from gemhunter.queries.explain import Thinking
from gemhunter.solving.outcomes import GaveUp
from gemhunter.solving.run import Limits, Run, given_run


def game_difficulty(
    game: Game,
    *,
    time_limit: float | None = None,
    step_limit: int | None = None,
    run: Run | None = None,
) -> Difficulty | GaveUp:
    """The difficulty of a game from here on: again and again the easiest deduction, and its gems are opened.

    A gem is opened before the next deduction, because its clue may make that an easier one.
    """
    run = given_run(run, Limits(time_limit, step_limit))
    steps, traps = list[ExplanationStep](), list[Cell]()
    while game.status is Status.PLAYING:
        thinking = Thinking(read_puzzle(_with_traps(game.view.grid, traps), game.level.total), run)
        gems: tuple[Cell, ...] = ()
        for step in thinking.steps():
            steps.append(step)
            traps += step.traps
            gems = step.gems
            if gems:
                break
        if thinking.gave_up is not None:
            return thinking.gave_up
        if not gems:
            return rate(steps, word=NEEDS_A_GUESS)
        for cell in gems:
            game = game.reveal(cell)
    return rate(steps)


def _with_traps(grid: Grid, traps: list[Cell]) -> Grid:
    codes = grid.cells.copy()
    for cell in traps:
        codes[cell] = TRAP
    return Grid(codes)
