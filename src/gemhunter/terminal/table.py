"""The screen around a board: status line, message, keys; and work that must not hold it up."""

from collections.abc import Callable, Sequence
from typing import Any, ClassVar

from textual.app import App, ComposeResult
from textual.containers import Container, Horizontal
from textual.filter import LineFilter, NoColor
from textual.message import Message
from textual.widgets import Footer, Static

from gemhunter.core.grid import Cell
from gemhunter.errors import GemHunterError
from gemhunter.play.game import Game
from gemhunter.solving.run import Run
from gemhunter.terminal.board_widget import BoardWidget
from gemhunter.terminal.keys import BINDINGS
from gemhunter.terminal.painting import Picture
from gemhunter.terminal.setting import Setting
from gemhunter.terminal.sitting import Stopwatch, sit_down
from gemhunter.terminal.thinking import Question, Thinker, Thought
from gemhunter.terminal.words import clock

TICK_SECONDS = 0.25


class StatusLine(Horizontal):
    """One line with something at the left, in the middle and at the right."""

    def compose(self) -> ComposeResult:
        """The three parts."""
        self.parts = [Static(classes=f"-{place}", markup=False) for place in ("left", "middle", "right")]
        yield from self.parts

    def show(self, *texts: str) -> None:
        """Write the three parts."""
        for part, text in zip(self.parts, texts, strict=True):
            part.update(text)


class Table(App[None]):
    """Shows a sitting. What happens in it is for a subclass to say."""

    TITLE = "Gem Hunter"
    ENABLE_COMMAND_PALETTE = False
    ALLOW_SELECT = False
    BINDINGS: ClassVar = [*BINDINGS]
    CSS = """
    Screen { background: #15181d; color: #cfccc4; }
    StatusLine { height: 1; padding: 0 1; background: #1d2127; }
    StatusLine Static { width: 1fr; color: #cfccc4; }
    StatusLine .-middle { text-align: center; color: #8d939c; }
    StatusLine .-right { text-align: right; }
    #table { height: 1fr; align: center middle; }
    BoardWidget {
        background: #15181d; border: round #3a4048;
        scrollbar-size: 1 1; scrollbar-color: #3a4048; scrollbar-background: #15181d;
        scrollbar-color-hover: #5b636e; scrollbar-color-active: #5b636e;
        scrollbar-background-hover: #15181d; scrollbar-background-active: #15181d;
        scrollbar-corner-color: #15181d;
    }
    BoardWidget.-won { border: round #7fc98b; }
    BoardWidget.-lost { border: round #f06a5f; }
    BoardWidget.-ascii { border: ascii #3a4048; }
    BoardWidget:nocolor { scrollbar-size: 0 0; }
    #message { height: 4; padding: 0 2; }
    Footer { background: #1d2127; }
    FooterKey { background: #1d2127; color: #8d939c; }
    FooterKey .footer-key--key { background: #1d2127; color: #f2c14e; padding: 0 1 0 0; }
    FooterKey .footer-key--description { background: #1d2127; color: #8d939c; padding: 0; }
    """

    class Delivered(Message):
        """A thread has finished some work."""

        def __init__(self, thought: Thought) -> None:
            super().__init__()
            self.thought = thought

    def __init__(self, game: Game, setting: Setting) -> None:
        super().__init__(ansi_color=setting.plain or None)
        self.no_color = setting.plain
        self.setting = setting
        self.sitting = sit_down(game)
        self.stopwatch = Stopwatch()
        self.message = ""
        self._status = StatusLine(id="status")
        self._said = Static(id="message", markup=False)
        self.thinker = Thinker(self._deliver)
        self.board = BoardWidget(first_picture(game), plain=setting.plain, ascii_only=setting.ascii_only)
        self.board.set_class(setting.ascii_only, "-ascii")

    @property
    def game(self) -> Game:
        """The game as it stands."""
        return self.sitting.game

    @property
    def cursor(self) -> Cell:
        """Where the next move goes."""
        return self.board.picture.cursor

    @property
    def seconds(self) -> float:
        """How long this game has been played."""
        return self.stopwatch.read(self.setting.clock())

    def compose(self) -> ComposeResult:
        """Status line, board, message, keys."""
        yield self._status
        with Container(id="table"):
            yield self.board
        yield self._said
        yield Footer(compact=True)

    def get_line_filters(self) -> Sequence[LineFilter]:
        """What is done to every line before it is drawn."""
        return [*super().get_line_filters(), *[NoColor()] * self.setting.plain]

    def on_mount(self) -> None:
        """Time passes."""
        self.set_interval(TICK_SECONDS, self.show_status)
        self.show_status()

    def show_status(self) -> None:
        """Bring the status line up to date."""
        name = "a game without an id" if self.game.game_id is None else str(self.game.game_id)
        busy = self.thinker.notice or "thinking ..." if self.thinker.is_busy() else ""
        self._status.show(
            f"traps left {self.game.view.counter}   {self.cursor}",
            busy or name,
            f"{self.game.status.value}   {clock(self.seconds)}",
        )

    def show(self, picture: Picture) -> None:
        """Show the board like this, and all else that goes with it."""
        self.board.show(picture)
        for status in ("won", "lost"):
            self.board.set_class(picture.game.status == status, f"-{status}")
        self.show_status()

    def say(self, *lines: str) -> None:
        """Write below the board, instead of what was there."""
        self.message = "\n".join(lines)
        self._said.update(self.message)

    def think(self, kind: str, work: Callable[[Run], Any], then: Callable[[Any], None]) -> None:
        """Do some work about the present position elsewhere. Another position drops what is not finished."""
        self.thinker.ask(Question(kind, work, then))
        self.show_status()

    def _deliver(self, thought: Thought) -> None:
        """Called by threads."""
        self.post_message(self.Delivered(thought))

    def on_table_delivered(self, delivered: Delivered) -> None:
        """An answer is there; an error of ours is said, any other ends the program."""
        thought = delivered.thought
        if not self.thinker.take(thought):
            return
        if isinstance(thought.error, GemHunterError | MemoryError):
            self.take_over()
            self.say(f"error: {str(thought.error) or 'out of memory'}")
        elif thought.error is not None:
            raise thought.error
        else:
            thought.question.then(thought.answer)
        self.show_status()

    def take_over(self, *, elsewhere: bool = False) -> None:
        """A person acts; `elsewhere` means in another position than the one after the last move."""


def first_picture(game: Game) -> Picture:
    """A game with the cursor in the middle and nothing else."""
    return Picture(game, Cell(game.level.rows // 2, game.level.cols // 2))
