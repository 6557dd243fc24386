"""The game in the terminal: moves, undo, risks, hints, and an agent beside the player."""

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from gemhunter.core.first_click import FirstClick
from gemhunter.core.game_status import Status
from gemhunter.core.grid import HIDDEN, Cell
from gemhunter.core.moves import Action, Move
from gemhunter.play.advice import advise
from gemhunter.play.agents.player import Player, Stuck
from gemhunter.play.game import Game, before_first_move, new_game
from gemhunter.play.game_ids import GameId
from gemhunter.play.hints import Hint, NoHint, hint
from gemhunter.play.review import Judgement, judge
from gemhunter.play.risks import Risks, clues_around, know
from gemhunter.play.turns import Turn, take_turn
from gemhunter.solving.run import Run
from gemhunter.terminal.board_app import BoardApp
from gemhunter.terminal.board_widget import BoardWidget
from gemhunter.terminal.keys import BINDINGS, help_text
from gemhunter.terminal.pictures import ASCII, UNICODE, Picture, risk_legend
from gemhunter.terminal.sitting import Aid, Pace, Setting, Sitting, Stopwatch, sit_down
from gemhunter.terminal.words import (
    FIRST_IS_SAFE,
    NEXT_KEYS,
    WELCOME,
    choice_words,
    clock,
    ending_words,
    hint_words,
    judgement_words,
    refusal_words,
)

if TYPE_CHECKING:
    from textual.timer import Timer

QUICK_CELLS = 10_000
"""On boards with no more cells, a move takes less time than a person notices."""

SHORTEST_WAIT = 0.01
"""Seconds between two steps of an agent, at any pace: the screen must be drawn in between."""

BUTTONS = {2: Action.CHORD, 3: Action.FLAG}
"""What the middle and the right mouse button do; the left one reveals, or chords on a clue."""


class GameApp(BoardApp[Picture]):
    """Lets a person play a game, with hints, risks, undo and an agent at hand."""

    BINDINGS: ClassVar = [*BINDINGS]

    def __init__(self, game: Game, setting: Setting) -> None:
        super().__init__(Picture(game, Cell(game.level.rows // 2, game.level.cols // 2)), setting)
        self.setting = setting
        self.sitting = sit_down(game)
        self.shows_risks = False
        self.pace = Pace(running=setting.watch)
        self._player: Player | None = None
        self._next_step: Timer | None = None

    @property
    def game(self) -> Game:
        """The game as it stands."""
        return self.sitting.game

    def status_texts(self) -> tuple[str, str, str]:
        """Traps that are left and the cursor, the id of the game, how it stands and the time."""
        name = "a game without an id" if self.game.game_id is None else str(self.game.game_id)
        left = f"traps left {self.game.view.counter}   {self.cursor}"
        return left, name, f"{self.game.status.value}   {clock(self.seconds)}"

    def help_text(self) -> str:
        """Keys, mouse and signs of a game."""
        return help_text(ASCII if self.ascii_only else UNICODE)

    def save(self) -> Path:
        """Write a replay."""
        return self.setting.save(self.game.replay)

    def on_mount(self) -> None:
        """Say what can be done."""
        self.say(WELCOME)
        self._enter()

    def on_ready(self) -> None:
        """Begin to watch if that was asked for."""
        if self.pace.running:
            self._ask_agent()

    def action_reveal(self) -> None:
        """Reveal the cell, or chord on a clue."""
        self._click(self.cursor)

    def action_flag(self) -> None:
        """Put a flag or take it away."""
        self.play(Move(Action.FLAG, self.cursor))

    def action_chord(self) -> None:
        """Reveal the cells without flags around a clue."""
        self.play(Move(Action.CHORD, self.cursor))

    def on_board_widget_clicked(self, clicked: BoardWidget.Clicked) -> None:
        """Move the cursor to a clicked cell, and do what the mouse button means."""
        if clicked.button == 1:
            self.point(clicked.cell)
            self._click(clicked.cell)
        elif clicked.button in BUTTONS:
            self.point(clicked.cell)
            self.play(Move(BUTTONS[clicked.button], clicked.cell))

    def _click(self, cell: Cell) -> None:
        self.play(Move(Action.REVEAL if self.game.shown[cell] == HIDDEN else Action.CHORD, cell))

    def play(self, move: Move) -> None:
        """Make a move; on a large board that takes a while, and the screen does not wait for it."""
        if self.tasks.is_busy("move"):
            return
        self.take_over()
        game = self.game
        if game.shown.size <= QUICK_CELLS or move.action is Action.FLAG:
            self._played(move, game.play(move))
        else:
            self.think("move", lambda _: game.play(move), lambda after: self._played(move, after))

    def _played(self, move: Move, after: Game) -> None:
        if after is self.game:
            self.say(refusal_words(after, move))
            return
        self.lasting = ()
        self.say()
        self._sit(self.sitting.after(after))

    def action_undo(self) -> None:
        """Take back the last move."""
        if self.sitting.before is None:
            self.say("nothing to take back")
            return
        self._leave_position()
        self.say("taken back")
        self._sit(self.sitting.undone())

    def action_deal(self) -> None:
        """Begin a new game of the same level."""
        last = self.game.game_id
        rule = last.first_click if last else FirstClick.SAFE
        self._begin(new_game(GameId(self.game.level, self.setting.seeds(), rule)))

    def action_again(self) -> None:
        """Begin this game again."""
        self._begin(before_first_move(self.game))

    def _begin(self, game: Game) -> None:
        self._leave_position()
        self.stopwatch = Stopwatch()
        self.say(WELCOME)
        self._sit(sit_down(game))

    def _sit(self, sitting: Sitting, comment: str = "") -> None:
        """Go on from another position; `comment` is what an agent said about it."""
        self.sitting = sitting
        self.lasting = ()
        self.tasks.drop()
        self.stopwatch = self.stopwatch.at(self.clock(), self.game)
        self._enter(comment)

    def _enter(self, comment: str = "") -> None:
        """Show the position and what goes with it."""
        picture = Picture(self.game, self.nearest_cell(self.cursor))
        if comment:
            self.say(comment)
        if self.game.status is not Status.PLAYING:
            self.show(picture)
            self._end(comment or NEXT_KEYS)
        elif self.shows_risks:
            self._weigh(picture)
        else:
            self.show(picture)

    def _end(self, after: str) -> None:
        """Say how it ended and, after a loss, whether the last move was wise."""
        ending, before = ending_words(self.sitting, self.seconds), self.sitting.before
        self.lasting = (ending,)
        if self.game.status is not Status.LOST or before is None:
            self.say(after)
            return
        view, move = before.view, self.game.moves[-1]
        self.say("was it a fair guess? thinking ...")

        def judged(judgement: Judgement) -> None:
            self.lasting = (ending, judgement_words(judgement))
            self.say(after)

        self.think("judgement", lambda run: judge(view, move, run), judged)

    def action_risks(self) -> None:
        """Show or hide the risk of each cell."""
        self.shows_risks = not self.shows_risks
        self._enter()
        if self.shows_risks and self.game.status is Status.PLAYING:
            self.say(risk_legend(self.board.cell_width))

    def _weigh(self, picture: Picture) -> None:
        """Show the position with its risks, as soon as they are known."""
        view = self.game.view
        if self.game.first_is_safe:
            self.show(replace(picture, known=Risks(np.zeros(view.grid.cells.shape))))
            return
        self.sitting = self.sitting.helped(Aid.RISKS)
        self.show(replace(picture, known=Risks(np.full(view.grid.cells.shape, np.nan))))
        self.think("risks", lambda run: know(view, run), self._weighed)

    def _weighed(self, known: Risks) -> None:
        self.show(replace(self.picture, known=known))
        if known.gap:
            self.say(f"not all risks are known: {known.gap}")

    def action_hint(self) -> None:
        """Say what a good player would do."""
        view, near = self.game.view, self.cursor
        if view.status is not Status.PLAYING:
            self.say(f"it is over: {NEXT_KEYS}")
            return
        self.sitting = self.sitting.helped(Aid.HINTS)
        if self.game.first_is_safe:
            self.say(FIRST_IS_SAFE)
            return
        self.say("thinking ...")
        self.think("hint", lambda run: hint(view, advise(view, run=run), near), self._hinted)

    def _hinted(self, found: Hint) -> None:
        self.say(hint_words(found))
        if not isinstance(found, NoHint):
            clues = clues_around(self.game.view.grid, found.cell)
            self.show(replace(self.picture, cursor=found.cell, marked=frozenset(clues)))

    def action_step(self) -> None:
        """Let the agent make one choice."""
        self.take_over()
        self._ask_agent()

    def action_watch(self) -> None:
        """Let the agent play on, or stop it."""
        if self.pace.running:
            self.take_over()
            self.say(f"{self.setting.agent} has stopped; A lets it go on")
        else:
            self.pace = replace(self.pace, running=True)
            self._ask_agent()

    def action_pace(self, by: int) -> None:
        """Make the agent faster or slower."""
        self.pace = self.pace.changed(by)
        self.say(f"{self.setting.agent} plays a step every {self.pace.seconds:g} s")

    def take_over(self) -> None:
        """Stop the agent."""
        self.pace = replace(self.pace, running=False)
        if self._next_step is not None:
            self._next_step.stop()

    def _leave_position(self) -> None:
        """Stop the agent; in another position a new player begins, as this one may remember the game."""
        self.take_over()
        self._player = None
        self.lasting = ()

    def _ask_agent(self) -> None:
        """Let the agent think about the position, unless it already does or the game is over."""
        game, known = self.game, self._player
        if game.status is not Status.PLAYING or self.tasks.is_busy("move", "agent"):
            return

        def choose(_: Run) -> tuple[Player, Turn[Game]]:
            player = known or self.setting.new_player(self.setting.seeds())
            return player, take_turn(game, player)

        self.think("agent", choose, self._stepped)

    def _stepped(self, answer: tuple[Player, Turn[Game]]) -> None:
        """Show what the agent chose, what came of it and why; go on if it is watched."""
        self._player, turn = answer
        comment = choice_words(self.setting.agent, turn.choice)
        if isinstance(turn.choice, Stuck) or not turn.games:
            self.take_over()
        elif turn.choice.safe:
            self.point(turn.choice.safe[0])
        if not turn.games:
            self.say(comment)
            return
        self._sit(self.sitting.helped(Aid.AGENT).after(*turn.games), comment)
        if self.pace.running and self.game.status is Status.PLAYING:
            self._next_step = self.set_timer(max(self.pace.seconds, SHORTEST_WAIT), self._ask_agent)
