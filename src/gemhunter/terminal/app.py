"""The game in the terminal: hints and an agent beside the player, and everything that is no move."""

from dataclasses import replace
from typing import TYPE_CHECKING

from gemhunter.core.game_status import Status
from gemhunter.errors import GemHunterError
from gemhunter.play.advice import advise
from gemhunter.play.agents.player import Player, Stuck
from gemhunter.play.game import Game
from gemhunter.play.hints import Hint, NoHint, hint
from gemhunter.play.risks import clues_around
from gemhunter.play.turns import Turn, take_turn
from gemhunter.solving.run import Run
from gemhunter.terminal.cell_styles import ASCII, UNICODE
from gemhunter.terminal.keys import HelpScreen, help_text
from gemhunter.terminal.moving import MovingTable
from gemhunter.terminal.pace import Pace
from gemhunter.terminal.setting import Setting
from gemhunter.terminal.sitting import Aid
from gemhunter.terminal.words import NEXT, choice_words, hint_words

if TYPE_CHECKING:
    from textual.timer import Timer

SHORTEST_WAIT = 0.01
FIRST_IS_SAFE = "the first cell is never a trap: begin anywhere"


class GameApp(MovingTable):
    """Lets a person play a game, with hints, risks, undo and an agent at hand."""

    def __init__(self, game: Game, setting: Setting) -> None:
        super().__init__(game, setting)
        self.pace = Pace(running=setting.watch)
        self._player: Player | None = None
        self._next_step: Timer | None = None

    def on_ready(self) -> None:
        """Begin to watch if that was asked for."""
        if self.pace.running:
            self._ask_agent()

    def action_hint(self) -> None:
        """Say what a good player would do."""
        view, near = self.game.view, self.cursor
        if view.status is not Status.PLAYING:
            self.say(f"it is over: {NEXT}")
            return
        self.sitting = self.sitting.helped(Aid.HINTS)
        if self.game.first_is_safe:
            self.say(FIRST_IS_SAFE)
            return
        self.say("thinking ...")
        self.think("hint", lambda run: hint(view, advise(view, run=run), near), self._hinted)

    def action_step(self) -> None:
        """Let the agent make one choice."""
        self.take_over()
        self._ask_agent()

    def action_watch(self) -> None:
        """Let the agent go on by itself, or stop it."""
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

    def action_save(self) -> None:
        """Write a replay."""
        try:
            self.say(f"saved as {self.setting.save(self.game.replay)}")
        except GemHunterError as error:
            self.say(f"not saved: {error}")

    def action_help(self) -> None:
        """List the keys."""
        signs = ASCII if self.setting.ascii_only else UNICODE
        self.push_screen(HelpScreen(help_text(signs), ascii_only=self.setting.ascii_only))

    def take_over(self, *, elsewhere: bool = False) -> None:
        """The agent stops; in another position a new one begins, as it may remember the old one."""
        self.pace = replace(self.pace, running=False)
        if self._next_step is not None:
            self._next_step.stop()
        if elsewhere:
            self._player = None

    def _hinted(self, found: Hint) -> None:
        self.say(hint_words(found))
        if not isinstance(found, NoHint):
            clues = clues_around(self.game.view.grid, found.cell)
            self.show(replace(self.picture, cursor=found.cell, marked=frozenset(clues)))

    def _ask_agent(self) -> None:
        """Let the agent think about the position, unless it does or there is nothing to think about."""
        game, known = self.game, self._player
        if game.status is not Status.PLAYING or self.thinker.is_busy("move", "agent"):
            return

        def choose(_: Run) -> tuple[Player, Turn[Game]]:
            player = known or self.setting.new_player(self.setting.seeds())
            return player, take_turn(game, player)

        self.think("agent", choose, self._stepped)

    def _stepped(self, answer: tuple[Player, Turn[Game]]) -> None:
        """The agent has chosen: show where, what came of it and why; go on if it is watched."""
        self._player, taken = answer
        told = choice_words(self.setting.agent, taken.choice)
        if isinstance(taken.choice, Stuck) or not taken.games:
            self.take_over()
        elif taken.choice.safe:
            self.point(taken.choice.safe[0])
        if not taken.games:
            self.say(told)
            return
        self.sit(self.sitting.helped(Aid.AGENT).after(*taken.games), told)
        if self.pace.running and self.game.status is Status.PLAYING:
            self._next_step = self.set_timer(max(self.pace.seconds, SHORTEST_WAIT), self._ask_agent)
