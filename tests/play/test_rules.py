"""The rules of the game, compared with a naive model of plain sets."""

import copy
from collections.abc import Iterable

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from gemhunter.board.board import Board
from gemhunter.board.grid import Cell
from gemhunter.board.position import Action, FirstClick, Move, Status
from gemhunter.errors import InputError
from gemhunter.files.minesweeper import parse_mines
from gemhunter.play.game import Game, new_game, replayed
from gemhunter.play.game_ids import GameId, Level

PLACES = st.integers(0, 10_000)


class Model:
    """A game as a beginner would write it."""

    def __init__(self, level: Level, rule: FirstClick, traps: set[Cell] | None) -> None:
        self.cells = {Cell(row, col) for row in range(level.rows) for col in range(level.cols)}
        self.total, self.rule, self.traps = level.total, rule, traps
        self.shown: set[Cell] = set()
        self.flags: set[Cell] = set()
        self.status = "playing"
        self.exploded: Cell | None = None

    def around(self, cell: Cell) -> set[Cell]:
        near = {(cell.row + down, cell.col + right) for down in (-1, 0, 1) for right in (-1, 0, 1)}
        return {other for other in self.cells if other in near and other != cell}

    def clue(self, cell: Cell) -> int:
        assert self.traps is not None
        return len(self.around(cell) & self.traps)

    def is_allowed(self, traps: set[Cell], first: Cell) -> bool:
        """Whether the rule for the first click could have dealt these traps."""
        kept_free = {first} | self.around(first) if self.rule is FirstClick.OPENING else {first}
        elsewhere = len(self.cells - kept_free)
        spilled = max(self.total - elsewhere, 0)
        fits = self.rule is FirstClick.ANY or (first not in traps and len(traps & kept_free) == spilled)
        return fits and len(traps) == self.total

    def reveal(self, cell: Cell) -> bool:
        if self.status != "playing" or cell in self.shown | self.flags:
            return False
        self.look_at({cell})
        return True

    def chord(self, cell: Cell) -> bool:
        if self.status != "playing" or cell not in self.shown:
            return False
        hidden = self.around(cell) - self.shown - self.flags
        if not hidden or len(self.around(cell) & self.flags) != self.clue(cell):
            return False
        self.look_at(hidden)
        return True

    def flag(self, cell: Cell) -> bool:
        if self.status != "playing" or cell in self.shown:
            return False
        self.flags ^= {cell}
        return True

    def look_at(self, cells: Iterable[Cell]) -> None:
        assert self.traps is not None
        waiting = set(cells)
        self.exploded = min(waiting & self.traps, default=None)
        waiting -= self.traps
        while waiting:
            cell = waiting.pop()
            self.shown.add(cell)
            if self.clue(cell) == 0:
                waiting |= self.around(cell) - self.shown - self.flags
        if self.exploded is not None:
            self.status = "lost"
        elif len(self.cells - self.shown) == self.total:
            self.status = "won"


class Rules(RuleBasedStateMachine):
    """Games and their models side by side; earlier ones are kept, for undoing."""

    game: Game
    model: Model
    past: list[tuple[Game, Model]]

    @initialize(
        size=st.tuples(st.integers(1, 5), st.integers(1, 7)) | st.tuples(st.just(1), st.integers(1, 12)),
        share=st.floats(0, 0.5),
        seed=st.integers(0, 2**63 - 1),
        first_click=st.sampled_from([rule for rule in FirstClick if not rule.needs_no_guess]),
        is_given=st.booleans(),
    )
    def begin(
        self, size: tuple[int, int], share: float, seed: int, first_click: FirstClick, is_given: bool
    ) -> None:
        rows, cols = size
        level = Level(rows, cols, min(round(share * rows * cols), rows * cols - 1))
        game_id = GameId(level, seed, first_click)
        self.past, self.game, traps = [], new_game(game_id), None
        if is_given:
            board = new_game(game_id).reveal(Cell(0, 0)).board
            assert board is not None
            self.game, traps = new_game(board), traps_of(board)
        self.model = Model(level, first_click, traps)

    def cell(self, place: int) -> Cell:
        return sorted(self.model.cells)[place % len(self.model.cells)]

    @rule(place=PLACES)
    def reveal(self, place: int) -> None:
        self.do(Move(Action.REVEAL, self.cell(place)))

    @rule(place=PLACES)
    def flag(self, place: int) -> None:
        self.do(Move(Action.FLAG, self.cell(place)))

    @rule(place=PLACES)
    def chord(self, place: int) -> None:
        self.do(Move(Action.CHORD, self.cell(place)))

    @precondition(lambda self: self.model.shown)
    @rule(place=PLACES, is_right=st.booleans(), more=st.sampled_from([0, 0, 0, 1, -1]))
    def flag_around_a_clue_and_chord(self, place: int, is_right: bool, more: int) -> None:
        clues = sorted(self.model.shown)
        clue = clues[place % len(clues)]
        hidden = sorted(self.model.around(clue) - self.model.shown)
        assert self.model.traps is not None
        by_truth = sorted(hidden, key=lambda cell: (cell in (self.model.traps or set())) != is_right)
        wanted = set(by_truth[: max(self.model.clue(clue) + more, 0)])
        for cell in hidden:
            if (cell in wanted) != (cell in self.model.flags):
                self.do(Move(Action.FLAG, cell))
        self.do(Move(Action.CHORD, clue))

    @rule(place=st.integers(0, 60))
    def give_up(self, place: int) -> None:
        if place == 0:
            self.past.append((self.game, copy.deepcopy(self.model)))
            was_playing = self.model.status == "playing"
            self.game = self.game.give_up()
            self.model.status = "stuck" if was_playing else self.model.status

    @precondition(lambda self: self.past)
    @rule()
    def undo(self) -> None:
        self.game, self.model = self.past.pop()

    def do(self, move: Move) -> None:
        """Make a move in both; the game returns itself exactly if the model did not change."""
        before, was = self.game, copy.deepcopy(self.model)
        self.game = before.play(move)
        if self.model.traps is None and self.game.board is not None:
            traps = traps_of(self.game.board)
            assert self.model.is_allowed(traps, move.cell)
            self.model.traps = traps
        changed = getattr(self.model, move.action.value)(move.cell)
        assert changed == (self.game is not before)
        if changed:
            assert self.game.moves == (*before.moves, move)
            self.past.append((before, was))

    @invariant()
    def the_player_sees_what_the_model_says(self) -> None:
        if not hasattr(self, "game"):
            return
        view, model = self.game.view, self.model
        seen = {cell: view.grid[cell] for cell in model.cells if not view.is_hidden(cell)}
        assert seen == {cell: model.clue(cell) for cell in model.shown}
        assert {cell for cell in model.cells if view.flags[cell]} == model.flags
        assert (view.status.value, self.game.exploded) == (model.status, model.exploded)
        assert (view.total, view.counter) == (model.total, model.total - len(model.flags))
        assert view.is_fresh == (not model.shown)

    def teardown(self) -> None:
        if hasattr(self, "game") and self.game.board is not None:
            again = replayed(self.game.replay)
            assert (again.view.grid, again.status) == (self.game.view.grid, self.game.status)
            assert again.flags.tolist() == self.game.flags.tolist()


def traps_of(board: Board) -> set[Cell]:
    return {Cell(row, col) for row in range(board.rows) for col in range(board.cols) if board.traps[row, col]}


TestRules = Rules.TestCase
TestRules.settings = settings(max_examples=40, stateful_step_count=25)


def game_on(text: str) -> Game:
    return new_game(Board(parse_mines(text)))


def test_a_chord_on_two_traps_ends_at_the_first_and_shows_the_rest() -> None:
    game = game_on("*.*\n...").reveal(Cell(0, 1)).flag(Cell(1, 0)).flag(Cell(1, 2)).chord(Cell(0, 1))
    assert (game.status, game.exploded) == (Status.LOST, Cell(0, 0))
    assert str(game.view.grid) == "_, 2, _\n_, 2, _"


def test_a_chord_needs_exactly_as_many_flags_as_the_clue_says() -> None:
    game = game_on("*..\n...").reveal(Cell(0, 1))
    assert game.chord(Cell(0, 1)) is game
    flagged = game.flag(Cell(1, 0)).flag(Cell(1, 1))
    assert flagged.chord(Cell(0, 1)) is flagged


def test_a_chord_that_clears_the_board_but_for_a_trap_is_a_loss() -> None:
    game = game_on("*..").flag(Cell(0, 2)).reveal(Cell(0, 1)).chord(Cell(0, 1))
    assert game.status is Status.LOST


def test_an_opening_leaves_flagged_cells_alone_and_the_game_is_not_won_without_them() -> None:
    game = game_on("....*").flag(Cell(0, 1)).reveal(Cell(0, 0))
    assert str(game.view.grid) == "0, _, _, _, _"
    game = game.reveal(Cell(0, 2))
    assert (str(game.view.grid), game.status) == ("0, _, 0, 1, _", Status.PLAYING)
    assert game.flag(Cell(0, 1)).chord(Cell(0, 0)).status is Status.WON


def test_flags_are_not_needed_to_win_and_wrong_ones_only_change_the_counter() -> None:
    game = game_on("*...").flag(Cell(0, 0)).flag(Cell(0, 3))
    assert game.view.counter == -1
    assert game.flag(Cell(0, 3)).flag(Cell(0, 0)).reveal(Cell(0, 3)).status is Status.WON


def test_nothing_happens_after_the_end() -> None:
    for ended in (
        game_on("*.").reveal(Cell(0, 0)),
        game_on("*.").reveal(Cell(0, 1)),
        game_on("*.").give_up(),
    ):
        assert all(ended.play(Move(action, Cell(0, col))) is ended for action in Action for col in (0, 1))
        assert ended.give_up() is ended


@pytest.mark.parametrize("cell", [Cell(-1, 0), Cell(0, -1), Cell(1, 0), Cell(0, 2)])
def test_cells_outside_the_board_are_refused(cell: Cell) -> None:
    for action in Action:
        with pytest.raises(InputError, match="is outside the 1×2 board"):
            game_on("*.").play(Move(action, cell))


def test_nothing_is_dealt_before_the_first_reveal() -> None:
    game = new_game("2x3n2#1").flag(Cell(0, 0))
    assert game.board is None
    with pytest.raises(InputError, match="nothing has been revealed yet"):
        _ = game.replay
