"""The game in the terminal: moves, undo, risks, hints, and an agent that can play along."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import accumulate
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from gemhunter.board.grid import HIDDEN, Cell
from gemhunter.board.position import Action, FirstClick, Move, Status
from gemhunter.explanation.hint import HintLadder
from gemhunter.explanation.steps import ExplanationStep
from gemhunter.play.advice import BestGuess, Comparison, GameHint, compare_guess, compared_words, game_hint
from gemhunter.play.game import Game, View, before_first_move, new_game
from gemhunter.play.game_ids import GameId
from gemhunter.play.player import Player, Stuck, Turn, choice_words, take_turn
from gemhunter.play.review import Guess, Judgement, judge, judgement_words
from gemhunter.play.risks import Risks, clues_around, risks_of_view
from gemhunter.solving.run import Run
from gemhunter.terminal.board_app import HintedApp
from gemhunter.terminal.board_widget import ASCII, UNICODE, BoardWidget, GamePicture, risk_legend
from gemhunter.terminal.keys import BINDINGS, help_text
from gemhunter.terminal.messages import (
    FIRST_IS_SAFE,
    NEXT_KEYS,
    WELCOME,
    ShownHintLadder,
    clock,
    ending_words,
    flagged_words,
    guess_hint_words,
    refusal_words,
)
from gemhunter.terminal.session import Aid, Pace, PlaySession, Setting, Stopwatch, begin_session

if TYPE_CHECKING:
    from textual.timer import Timer


# A game in which an agent plays along: one step at a time, or continuously.


class AgentApp(HintedApp[GamePicture]):
    """A session of play in which an agent can make moves."""

    def __init__(self, picture: GamePicture, setting: Setting) -> None:
        super().__init__(picture, setting)
        self.setting = setting
        self.session = begin_session(picture.game)
        self.pace = Pace(running=setting.watch)
        self._player: Player | None = None
        self._next_step: Timer | None = None

    @property
    def game(self) -> Game:
        """The game as it stands."""
        return self.session.game

    def continue_from(self, session: PlaySession, comment: str = "") -> None:
        """Continue from another position; `comment` is shown with it."""
        raise NotImplementedError

    def on_ready(self) -> None:
        """Start the agent if the game was opened to watch it."""
        if self.pace.running:
            self._ask_agent()

    def action_step(self) -> None:
        """Let the agent make one choice."""
        self.take_over()
        self._ask_agent()

    def action_watch(self) -> None:
        """Let the agent continue, or stop it."""
        if self.pace.running:
            self.take_over()
            if self.tasks.is_busy("agent"):
                self.tasks.drop("agent")
                self._player = None  # its thread may still be thinking
            self.say(f"{self.setting.agent} has stopped; press A to continue")
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

    def leave_position(self) -> None:
        """Stop the agent; a new player continues elsewhere, because this one may remember the game."""
        self.take_over()
        self._player = None
        self.lasting = ()

    def _ask_agent(self) -> None:
        """Let the agent think, unless it already does or the game is over."""
        game, known = self.game, self._player
        if game.status is not Status.PLAYING or self.tasks.is_busy("move", "agent"):
            return

        def choose(_: Run) -> tuple[Player, Turn[Game]]:
            player = known or self.setting.new_player(self.setting.seeds())
            return player, take_turn(game, player)

        self.think("agent", choose, self._stepped)

    def _stepped(self, answer: tuple[Player, Turn[Game]]) -> None:
        """Show what the agent chose, the result and the reason; continue if it is watched."""
        self._player, turn = answer
        comment = choice_words(self.setting.agent, turn.choice)
        if isinstance(turn.choice, Stuck) or not turn.games:
            self.take_over()
        elif turn.choice.safe:
            self.point(turn.choice.safe[0])
        if not turn.games:
            self.say(comment)
            return
        self.continue_from(self.session.helped(Aid.AGENT).after(*turn.games), comment)
        if self.pace.running and self.game.status is Status.PLAYING:
            # At any pace, the screen must be drawn before the next step.
            self._next_step = self.set_timer(max(self.pace.seconds, 0.01), self._ask_agent)


# What a person does in a game: moves, undo, risks and hints.


THINK_SECONDS = 5.0
"""How long guesses are compared by simulated games."""

BUTTONS = {2: Action.CHORD, 3: Action.FLAG}
"""What the middle and the right mouse button do; the left one reveals, or chords on a clue."""


class GameApp(AgentApp):
    """Lets a person play a game, with hints, risks, undo and an agent."""

    BINDINGS: ClassVar = [*BINDINGS]

    def __init__(self, game: Game, setting: Setting) -> None:
        middle = game.level.middle
        super().__init__(GamePicture(game, cursor=middle), setting)
        self.shows_risks = False
        self._has_guess = False
        """Whether the hint for this position was a guess that can be compared with others."""

    def status_texts(self) -> tuple[str, str, str]:
        """The number of traps left and the cursor; the id of the game; its status and the time."""
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
        """Show the most important keys and the board."""
        self.say(WELCOME)
        self._enter()

    def action_reveal(self) -> None:
        """Reveal the cell, or chord on a clue."""
        self._click(self.cursor)

    def action_flag(self) -> None:
        """Place or remove a flag."""
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
        """Make a move; one that takes longer than a person would notice is made in a thread."""
        if self.tasks.is_busy("move"):
            return
        self.take_over()
        game = self.game
        # A board that needs no guess is made for the first click, and moves on large boards take a while.
        is_made_now = game.board is None and game.view.first_click.needs_no_guess
        if move.action is Action.FLAG or (game.shown.size <= 10_000 and not is_made_now):
            self._played(move, game.play(move))
        else:
            self.think("move", lambda _: game.play(move), lambda after: self._played(move, after))

    def _played(self, move: Move, after: Game) -> None:
        if after is self.game:
            self.say(refusal_words(after, move))
            return
        self.lasting = ()
        self.say()
        self.continue_from(self.session.after(after))

    def action_undo(self) -> None:
        """Take back the last move."""
        if self.session.before is None:
            self.say("nothing to take back")
            return
        self.leave_position()
        self.say("taken back")
        self.continue_from(self.session.undone())

    def action_deal(self) -> None:
        """Begin a new game of the same level."""
        last = self.game.game_id
        rule = last.first_click if last else FirstClick.SAFE
        self._begin(new_game(GameId(self.game.level, self.setting.seeds(), rule)))

    def action_again(self) -> None:
        """Begin this game again."""
        self._begin(before_first_move(self.game))

    def _begin(self, game: Game) -> None:
        self.leave_position()
        self.stopwatch = Stopwatch()
        self.say(WELCOME)
        self.continue_from(begin_session(game))

    def continue_from(self, session: PlaySession, comment: str = "") -> None:
        """Continue from another position; `comment` is shown with it."""
        self.session = session
        self.hint_ladder = None
        self._has_guess = False
        self.lasting = ()
        self.tasks.drop()
        self.stopwatch = self.stopwatch.at(self.clock(), self.game)
        self._enter(comment)

    def _enter(self, comment: str = "") -> None:
        """Show the position, with its risks if they are wanted, or how the game ended."""
        picture = GamePicture(self.game, cursor=self.nearest_cell(self.cursor))
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
        """Show how the game ended and, after a loss, a judgement of the last move."""
        ending, before = ending_words(self.session, self.seconds), self.session.before
        self.lasting = (ending,)
        if self.game.status is not Status.LOST or before is None:
            self.say(after)
            return
        view, move = before.view, self.game.moves[-1]
        self.say("was it a fair guess? thinking ...")

        def judged(judgement: Judgement) -> None:
            self.lasting = (ending, judgement_words(judgement))
            self.say(after)
            if isinstance(judgement, Guess):
                self._compare(view, judgement.cell)

        self.think("judgement", lambda run: judge(view, move, run), judged)

    def _compare(self, view: View, guess: Cell) -> None:
        """Compare a guess with the cell that `expert` would have opened."""

        def compared(found: Comparison | None) -> None:
            if found is not None:
                said = self.message.removeprefix("\n".join(self.lasting)).strip("\n")
                self.lasting = (*self.lasting, compared_words(found))
                self.say(said)

        self.think(
            "comparison", lambda run: compare_guess(view, guess, run.of_seconds(THINK_SECONDS)), compared
        )

    def action_risks(self) -> None:
        """Show or hide the risk of each cell."""
        self.shows_risks = not self.shows_risks
        self._enter()
        if self.shows_risks and self.game.status is Status.PLAYING:
            self.say(risk_legend(self.board.cell_width))

    def _weigh(self, picture: GamePicture) -> None:
        """Show the position, and its risks as soon as they are known."""
        view = self.game.view
        if self.game.first_is_safe:
            self.show(replace(picture, known=Risks(np.zeros(view.grid.cells.shape))))
            return
        self.session = self.session.helped(Aid.RISKS)
        self.show(replace(picture, known=Risks(np.full(view.grid.cells.shape, np.nan))))
        self.think("risks", lambda run: risks_of_view(view, run), self._weighed)

    def _weighed(self, known: Risks) -> None:
        self.show(replace(self.picture, known=known))
        if known.gap:
            self.say(f"not all risks are known: {known.gap}")

    def action_hint(self) -> None:
        """Show the next rung of a hint, or the best guess."""
        view, near = self.game.view, self.cursor
        if view.status is not Status.PLAYING:
            self.say(f"the game is over: {NEXT_KEYS}")
            return
        self.session = self.session.helped(Aid.HINTS)
        if self.game.first_is_safe:
            self.say(FIRST_IS_SAFE)
            return
        think = THINK_SECONDS if self._has_guess else None
        self.ask_for_hint(lambda run: game_hint(view, near, run, think=think), self._hinted)

    def _hinted(self, found: GameHint) -> None:
        if isinstance(found, HintLadder):
            self.show_rung(ShownHintLadder(found))
            return
        self._has_guess = isinstance(found, BestGuess) and found.is_comparable
        self.say(guess_hint_words(found))
        if isinstance(found, BestGuess):
            clues = clues_around(self.game.view.grid, found.cell)
            self.show(self.picture.at(found.cell).pointing(frozenset(clues), {}))

    def cells_to_point_at(self, step: ExplanationStep) -> Sequence[Cell]:
        """The gems of a conclusion, to be revealed; without gems, the traps that have no flag."""
        return step.gems or self._unflagged(step)

    def advance_hint_ladder(self, hint_ladder: ShownHintLadder) -> None:
        """Show the next rung; after the conclusion, flag its traps, or visit the next gem."""
        unflagged = self._unflagged(hint_ladder.step)
        if not hint_ladder.is_concluded or not unflagged:
            super().advance_hint_ladder(hint_ladder)
            return
        self.take_over()
        _, *games = accumulate(unflagged, Game.flag, initial=self.game)
        self.continue_from(self.session.after(*games), flagged_words(unflagged))

    def _unflagged(self, step: ExplanationStep) -> list[Cell]:
        """The traps of a conclusion that have no flag yet."""
        return [cell for cell in step.traps if not self.game.flags[cell]]
