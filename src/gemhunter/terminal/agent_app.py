"""A game in which an agent plays along: one step when asked, or on and on."""

from dataclasses import replace
from typing import TYPE_CHECKING

from gemhunter.core.game_status import Status
from gemhunter.play.agents.player import Player, Stuck
from gemhunter.play.game import Game
from gemhunter.play.turns import Turn, take_turn
from gemhunter.play.words import choice_words
from gemhunter.solving.run import Run
from gemhunter.terminal.hinted_app import HintedApp
from gemhunter.terminal.pictures import Picture
from gemhunter.terminal.sitting import Aid, Pace, Setting, Sitting, sit_down

if TYPE_CHECKING:
    from textual.timer import Timer

SHORTEST_WAIT = 0.01
"""Seconds between two steps of an agent, at any pace: the screen must be drawn in between."""


class AgentApp(HintedApp[Picture]):
    """A sitting at a game, with an agent that makes moves when it is asked."""

    def __init__(self, picture: Picture, setting: Setting) -> None:
        super().__init__(picture, setting)
        self.setting = setting
        self.sitting = sit_down(picture.game)
        self.pace = Pace(running=setting.watch)
        self._player: Player | None = None
        self._next_step: Timer | None = None

    @property
    def game(self) -> Game:
        """The game as it stands."""
        return self.sitting.game

    def sit(self, sitting: Sitting, comment: str = "") -> None:
        """Go on from another position; `comment` is what is said about it."""
        raise NotImplementedError

    def on_ready(self) -> None:
        """Begin to watch if that was asked for."""
        if self.pace.running:
            self._ask_agent()

    def action_step(self) -> None:
        """Let the agent make one choice."""
        self.take_over()
        self._ask_agent()

    def action_watch(self) -> None:
        """Let the agent play on, or stop it."""
        if self.pace.running:
            self.take_over()
            if self.tasks.is_busy("agent"):
                self.tasks.drop("agent")
                self._player = None  # its thread may still be thinking
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

    def leave_position(self) -> None:
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
        self.sit(self.sitting.helped(Aid.AGENT).after(*turn.games), comment)
        if self.pace.running and self.game.status is Status.PLAYING:
            self._next_step = self.set_timer(max(self.pace.seconds, SHORTEST_WAIT), self._ask_agent)
