"""Advice: what `expert` plays, with win chances and forced cells compared with trying everything."""

import pytest
from hypothesis import assume, given

import oracles
from gemhunter import Advice, Candidate, Grid, InputError, Position, Refuted, advise, new_game, new_player
from gemhunter.board.grid import HIDDEN, Cell
from gemhunter.board.position import Status
from gemhunter.explanation.hint import HintLadder
from gemhunter.files.text import parse_grid
from gemhunter.jit.choice import Mode, compiling
from gemhunter.play.advice import BestGuess, game_hint
from gemhunter.play.game import Game, View
from gemhunter.play.guessing.choose import EXACT_SOLUTIONS
from gemhunter.play.player import END_GAME, WHY, Choice, take_turn
from gemhunter.solving.outcomes import GaveUp
from gemhunter.solving.run import Limits, Run
from random_positions import most_won, random_positions, shown_by_solutions, won_after
from strategies import Planted, planted_boards

LONG_ROW = "_, 1, _, _, _, _, _, _"
LARGE = "\n".join(["_" * 40] * 260 + ["_" * 20 + "3" + "_" * 19])


def advised(
    position: Game | View | Position | Grid | str, *, traps: int | None = None, density: float | None = None
) -> Advice:
    found = advise(position, total=traps, density=density)
    assert isinstance(found, Advice)
    return found


def views_of_expert(level: str, seeds: range) -> list[tuple[View, Choice]]:
    """Every view of some games, and what `expert` does there."""
    found = []
    for seed in seeds:
        game, player = new_game(f"{level}#{seed}"), new_player("expert")
        while game.status is Status.PLAYING:
            turn = take_turn(game, player)
            assert isinstance(turn.choice, Choice)
            found.append((game.view, turn.choice))
            game = turn.game
    return found


@pytest.mark.parametrize(
    ("level", "seeds"),
    [
        ("6x7n9", range(3)),
        pytest.param("9x9n14", range(3), marks=pytest.mark.full),
        pytest.param("16x30n99", range(1), marks=pytest.mark.full),
    ],
)
def test_the_best_cell_is_what_expert_plays_unless_the_end_can_be_searched(level: str, seeds: range) -> None:
    guesses = 0
    for view, choice in views_of_expert(level, seeds):
        found = advised(view)
        if choice.risk == 0 and not view.is_fresh:
            assert set(choice.safe) <= set(found.gems)
            assert found.best in found.gems
        else:
            guesses += 1
            if found.why == WHY[END_GAME] != choice.why:
                continue
            assert (found.best, found.why) == (choice.safe[0], choice.why)
            assert found.risk == pytest.approx(choice.risk)
    assert guesses > 0


@pytest.mark.parametrize(
    ("level", "seeds"), [("6x7n9", range(5, 8)), pytest.param("9x9n14", range(3, 5), marks=pytest.mark.full)]
)
def test_the_hint_of_a_game_agrees_with_the_advice(level: str, seeds: range) -> None:
    kinds = set()
    for view, _ in views_of_expert(level, seeds):
        found = advised(view)
        hinted = game_hint(view, Cell(2, 2))
        kinds.add(type(hinted))
        if isinstance(hinted, HintLadder):
            assert set(hinted.step.gems) <= set(found.gems)
            assert set(hinted.step.traps) <= set(found.traps)
        else:
            assert not found.gems
            assert isinstance(hinted, BestGuess)
            assert (hinted.cell, hinted.risk, hinted.win_chance) == _best(found)
    assert kinds == {HintLadder, BestGuess}


def _best(found: Advice) -> tuple[Cell, float, float | None]:
    assert found.best is not None
    assert found.risk is not None
    return found.best, found.risk, found.win_chance


def test_win_chances_are_those_of_trying_everything() -> None:
    compared = exact = 0
    for grid, total in random_positions(5, 250, most_hidden=8):
        shows = shown_by_solutions(grid, total)
        found = advised(grid, traps=total)
        if not 2 <= len(shows) <= 24 or found.win_chance is None:
            continue
        exact += 1
        assert found.win_chance == pytest.approx(most_won(shows) / len(shows))
        hidden = [*grid.where(HIDDEN)]
        for each in found.candidates:
            compared += 1
            assert each.win_chance == pytest.approx(won_after(shows, hidden.index(each.cell)) / len(shows))
    assert exact > 60
    assert compared > 100


def test_forced_cells_and_risks_are_what_all_solutions_say() -> None:
    for grid, total in random_positions(6, 80):
        chances = dict(zip(grid.where(HIDDEN), oracles.marginals(grid, total) or [], strict=True))
        found = advised(grid, traps=total)
        assert found.gems == tuple(cell for cell, chance in chances.items() if chance == 0)
        assert found.traps == tuple(cell for cell, chance in chances.items() if chance == 1)
        for each in found.candidates:
            assert each.risk == pytest.approx(float(chances[each.cell]))


@given(planted_boards(rows=3, cols=4))
def test_known_traps_and_gems_count(planted: Planted) -> None:
    grid = planted.grid
    assume(planted.traps is not None and HIDDEN in grid.cells)
    chances = dict(zip(grid.where(HIDDEN), oracles.marginals(grid, planted.traps) or [], strict=True))
    found = advised(grid, traps=planted.traps or 0)
    assert found.gems == tuple(cell for cell, chance in chances.items() if chance == 0)
    for each in found.candidates:
        assert each.risk == pytest.approx(float(chances[each.cell]))


def test_a_known_gem_is_not_opened() -> None:
    found = advised("G, 1, _", traps=1)
    assert (found.best, found.traps) == (None, (Cell(0, 2),))
    assert found.why == "every hidden cell is a trap"
    assert found.win_chance == 1.0


def test_without_a_total_one_cell_in_five_is_a_trap() -> None:
    found = advised(LONG_ROW)
    assert (found.total, found.density) == (None, 0.2)
    assert found.risk == pytest.approx(0.2)
    assert [density for density, _ in found.at_other_densities] == [0.12]
    assert advised(LONG_ROW, density=0.2) == found


def test_a_density_of_ones_own_is_taken_as_it_is() -> None:
    found = advised(LONG_ROW, density=0.4)
    assert found.density == 0.4
    assert found.at_other_densities == ()
    assert found.risk == pytest.approx(0.4)


def test_a_density_decides_between_cells() -> None:
    sparse, dense = (advised("_, 1, _, _, _, _, _, _", density=density).best for density in (0.1, 0.9))
    assert sparse not in (Cell(0, 0), Cell(0, 2))
    assert dense in (Cell(0, 0), Cell(0, 2))


def test_a_total_that_the_clues_imply_makes_the_end_exact() -> None:
    assert advised("_, 1, _").win_chance == 0.5


def test_flags_are_opinions_and_wrong_ones_are_named() -> None:
    found = advised("F, 1, 0\nF, 1, 0\n1, 1, 0", traps=1)
    assert (found.gems, found.traps, found.wrong_flags) == ((Cell(0, 0),), (Cell(1, 0),), (Cell(0, 0),))


def test_clues_that_clash_are_no_advice() -> None:
    assert isinstance(advise("1, _, 2", total=1), Refuted)


@pytest.mark.parametrize("total", [0, 3])
def test_a_total_that_cannot_be_is_no_advice(total: int) -> None:
    assert isinstance(advise("_, 1, _", total=total), Refuted)


def test_where_nothing_is_hidden_there_is_nothing_to_advise() -> None:
    with pytest.raises(InputError, match="nothing is hidden"):
        advise("0, 0")


def test_a_total_and_a_density_exclude_each_other() -> None:
    with pytest.raises(InputError, match="not both"):
        advise(LONG_ROW, total=2, density=0.2)


def test_a_game_that_is_over_gets_no_advice() -> None:
    game = new_game("1x2n1#1").reveal(Cell(0, 0))
    assert game.status is Status.WON
    with pytest.raises(InputError, match="the game is won"):
        advise(game)


def test_before_the_first_move_the_rule_of_the_game_counts() -> None:
    safe, anything = (advised(new_game(f"9x9n10#4:{rule}")) for rule in ("safe", "any"))
    assert (safe.best, safe.risk, safe.why) == (Cell(0, 0), 0.0, "first move")
    assert anything.risk == pytest.approx(10 / 81)


@pytest.mark.parametrize(
    ("rows", "cols", "total"), [(1, 6, 2), (1, 2, 1), (2, 3, 2), (2, 4, 3), (3, 3, 4), (2, 2, 3)]
)
def test_the_first_move_of_a_small_game_is_the_best_of_trying_everything(
    rows: int, cols: int, total: int
) -> None:
    grid = parse_grid("\n".join(["_" * cols] * rows))
    shows = shown_by_solutions(grid, total)
    found = advised(grid, traps=total)
    assert found.win_chance == pytest.approx(most_won(shows) / len(shows))
    for each in found.candidates:
        won = won_after(shows, each.cell.row * cols + each.cell.col) / len(shows)
        assert each.win_chance == pytest.approx(won)
        assert each.risk == pytest.approx(total / (rows * cols))
    # Where the first cell is safe, the boards that are left are those on which it is a gem.
    game = new_game(f"{rows}x{cols}n{total}#1:safe")
    safe = advised(game)
    assert (safe.best, safe.risk) == (found.best, 0.0)
    assert safe.win_chance == pytest.approx((found.win_chance or 0.0) / (1 - total / (rows * cols)))
    choice = new_player("expert").choose(game.view)
    assert isinstance(choice, Choice)
    assert (choice.safe, choice.risk, choice.why) == ((safe.best,), 0.0, safe.why)


@pytest.mark.parametrize(("rows", "cols", "total"), [(1, 13, 9), (2, 6, 7)])
def test_more_boards_than_expert_lists_are_searched_to_the_end(rows: int, cols: int, total: int) -> None:
    shows = shown_by_solutions(parse_grid("\n".join(["_" * cols] * rows)), total)
    assert len(shows) > EXACT_SOLUTIONS
    found = advised(parse_grid("\n".join(["_" * cols] * rows)), traps=total)
    assert found.win_chance == pytest.approx(most_won(shows) / len(shows))
    for each in found.candidates:
        won = won_after(shows, each.cell.row * cols + each.cell.col) / len(shows)
        # On a slow machine, there may be no time for cells other than the best.
        assert each.win_chance in (pytest.approx(won), None)


@pytest.mark.full
def test_the_best_first_cell_of_four_by_four_cells_with_four_traps_is_on_the_edge() -> None:
    with compiling(Mode.ALWAYS):
        found = advised(parse_grid("\n".join(["____"] * 4)), traps=4)
    assert found.best == Cell(0, 1)
    assert found.win_chance == pytest.approx(961 / 1820)


def test_on_a_large_board_the_safest_cell_is_named() -> None:
    found = advised(LARGE, density=0.1)
    assert found.why.startswith("the safest cell")
    assert found.win_chance is None


def test_a_position_that_takes_too_long_is_given_up() -> None:
    assert isinstance(advise(parse_grid(LONG_ROW), total=2, run=Run(Limits(steps=1))), GaveUp)


def test_advice_prints_what_to_do_and_a_notebook_shows_the_cells_that_were_compared() -> None:
    advice = advise("_, 1, _, _\n_, 2, F, 1\n_, _, _, _\n_, _, 1, _", total=3)
    assert isinstance(advice, Advice)
    assert str(advice).splitlines() == [
        "open r4c2: the best cell by exact search to the end of the game, risk 16.7 %",
        "chance of winning: 83.3 %",
        "traps: 3",
    ]
    assert advice._repr_html_().count("<tr><td>") == len(advice.candidates)


def test_a_notebook_shows_games_with_flags_and_the_trap_that_was_opened() -> None:
    game = new_game("4x6n5#7:opening").reveal(Cell(0, 0)).flag(Cell(3, 0))
    trap = Cell(*divmod(int(game.board.traps.argmax()), 6)) if game.board else Cell(0, 0)
    for picture in (game._repr_svg_(), game.view._repr_svg_()):
        assert (picture.count("<rect "), picture.count(">F</text>")) == (24, 1)
    assert game.reveal(trap)._repr_svg_().count('class="trap"') == 1


def test_advice_is_a_value() -> None:
    found = advised("_, 1, _", traps=1)
    assert found == advised("_, 1, _", traps=1)
    assert found.runners_up == (Candidate(Cell(0, 2), 0.5, 0.5),)
