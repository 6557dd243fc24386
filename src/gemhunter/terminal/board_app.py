"""The screen around a board: status line, message, keys, cursor; and work that must not hold it up."""

import asyncio
import select
import signal
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Generic, TypeVar

from textual.app import App, ComposeResult
from textual.containers import Container, Horizontal, VerticalScroll
from textual.filter import LineFilter, NoColor
from textual.message import Message
from textual.widgets import Footer, Static

from gemhunter.core.grid import Cell
from gemhunter.errors import GemHunterError
from gemhunter.solving.run import Run
from gemhunter.terminal.background_tasks import BackgroundTask, BackgroundTasks, TaskResult
from gemhunter.terminal.board_widget import BoardWidget
from gemhunter.terminal.keys import HelpScreen
from gemhunter.terminal.pictures import Drawn
from gemhunter.terminal.sitting import FillInSetting, Setting, Stopwatch
from gemhunter.terminal.theme import THEME

TICK_SECONDS = 0.25
"""Seconds between two updates of the status line."""

INTERRUPTED = 130
"""The return code after Ctrl-C."""

TERMINATED = 143
"""The return code after SIGTERM."""

AnyPicture = TypeVar("AnyPicture", bound=Drawn)


def terminal_is_gone() -> bool:
    """Whether the terminal was closed without a signal; False on systems that cannot say so."""
    if sys.platform == "win32" or sys.__stdin__ is None:
        return False
    poll = select.poll()
    poll.register(sys.__stdin__, 0)
    return any(event & select.POLLHUP for _, event in poll.poll(0))


class StatusLine(Horizontal):
    """One line with something at the left, in the middle and at the right."""

    def compose(self) -> ComposeResult:
        """The three parts."""
        self.parts = [Static(classes=f"-{side}", markup=False) for side in ("left", "middle", "right")]
        yield from self.parts

    def show(self, *texts: str) -> None:
        """Write the three parts."""
        for part, text in zip(self.parts, texts, strict=True):
            part.update(text)


class MessagePanel(VerticalScroll, can_focus=False):
    """What is said below the board: as high as the text, up to a part of the screen, and then scrolled."""

    def compose(self) -> ComposeResult:
        """The text."""
        self.text = Static(markup=False)
        yield self.text

    def show(self, text: str) -> None:
        """Write a text in place of what was there, and show its beginning."""
        self.text.update(text)
        self.scroll_home(animate=False)


class BoardApp(App[None], Generic[AnyPicture]):
    """What the game and the board to fill in have in common; each adds its moves, words and keys."""

    TITLE = "Gem Hunter"
    ENABLE_COMMAND_PALETTE = False
    ALLOW_SELECT = False
    CSS = """
    Screen { background: $screen-ground; color: $screen-ink; }
    StatusLine { height: 1; padding: 0 1; background: $screen-panel; }
    StatusLine Static { width: 1fr; color: $screen-ink; }
    StatusLine .-middle { text-align: center; color: $screen-quiet-ink; }
    StatusLine .-right { text-align: right; }
    #table { height: 1fr; align: center middle; }
    BoardWidget { background: $screen-ground; }
    MessagePanel { height: auto; min-height: 4; max-height: 60%; padding: 0 2; }
    MessagePanel Static { height: auto; }
    BoardWidget, MessagePanel {
        scrollbar-size: 1 1; scrollbar-color: $screen-edge; scrollbar-background: $screen-ground;
        scrollbar-color-hover: $screen-faint-ink; scrollbar-color-active: $screen-faint-ink;
        scrollbar-background-hover: $screen-ground; scrollbar-background-active: $screen-ground;
        scrollbar-corner-color: $screen-ground;
    }
    BoardWidget:nocolor, MessagePanel:nocolor { scrollbar-size: 0 0; }
    Footer { background: $screen-panel; }
    FooterKey { background: $screen-panel; color: $screen-quiet-ink; }
    FooterKey .footer-key--key { background: $screen-panel; color: $screen-accent; padding: 0 1 0 0; }
    FooterKey .footer-key--description { background: $screen-panel; color: $screen-quiet-ink; padding: 0; }
    """

    class Delivered(Message):
        """A thread has finished a task."""

        def __init__(self, result: TaskResult) -> None:
            super().__init__()
            self.result = result

    def __init__(self, picture: AnyPicture, setting: Setting | FillInSetting) -> None:
        super().__init__(ansi_color=setting.plain or None)
        self.no_color = self._plain = setting.plain
        self.picture = picture
        self.message = ""
        self.lasting: tuple[str, ...] = ()
        self.stopwatch = Stopwatch()
        self.clock = setting.clock
        self.ascii_only = setting.ascii_only
        self.tasks = BackgroundTasks(self._deliver)
        self.board = BoardWidget(picture, plain=setting.plain, ascii_only=setting.ascii_only)
        self._status = StatusLine(id="status")
        self._said = MessagePanel(id="message")

    @property
    def cursor(self) -> Cell:
        """The cell that the next move is about."""
        return self.picture.cursor

    @property
    def seconds(self) -> float:
        """How long it has taken so far."""
        return self.stopwatch.read(self.clock())

    def status_texts(self) -> tuple[str, str, str]:
        """What the status line says at the left, in the middle and at the right."""
        raise NotImplementedError

    def help_text(self) -> str:
        """What the page about keys says."""
        raise NotImplementedError

    def save(self) -> Path:
        """Write a file; returns its path."""
        raise NotImplementedError

    def take_over(self) -> None:
        """Stop an agent that plays."""

    def compose(self) -> ComposeResult:
        """Status line, board, message, keys."""
        yield self._status
        with Container(id="table"):
            yield self.board
        yield self._said
        yield Footer(compact=True)

    def get_theme_variable_defaults(self) -> dict[str, str]:
        """The colours that style sheets name."""
        return THEME.variables()

    def get_line_filters(self) -> Sequence[LineFilter]:
        """What is done to every line before it is drawn."""
        return [*super().get_line_filters(), *[NoColor()] * self._plain]

    def on_mount(self) -> None:
        """Start the clock of the status line."""
        self.set_interval(TICK_SECONDS, self._tick)
        self.show_status()
        if not self.is_headless:
            self._listen()

    def _listen(self) -> None:
        """Let signals end the game from within the event loop.

        An exception that a signal raises somewhere can be lost on its way, for example in a destructor.
        """
        if sys.platform != "win32":
            loop = asyncio.get_running_loop()
            loop.add_signal_handler(signal.SIGINT, self.action_interrupt)
            loop.add_signal_handler(signal.SIGTERM, self.action_terminate)

    def _tick(self) -> None:
        """Bring the status line up to date; quit if the terminal is gone."""
        # Textual would go on reading at its end without a pause.
        if not self.is_headless and terminal_is_gone():
            self.action_leave()
        else:
            self.show_status()

    def on_resize(self) -> None:
        """Make cells as wide as the terminal allows."""
        self.call_after_refresh(self.board.fit)

    def show(self, picture: AnyPicture) -> None:
        """Show a picture of the board, and the status that goes with it."""
        self.picture = picture
        self.board.show(picture)
        self.show_status()

    def show_status(self) -> None:
        """Bring the status line up to date."""
        left, middle, right = self.status_texts()
        busy = self.tasks.notice or "thinking ..." if self.tasks.is_busy() else ""
        self._status.show(left, busy or middle, right)

    def say(self, *lines: str) -> None:
        """Write below the board, in place of what was there; lasting lines stay above it."""
        self.message = "\n".join([*self.lasting, *lines])
        self._said.show(self.message)

    def think(self, kind: str, work: Callable[[Run], Any], then: Callable[[Any], None]) -> None:
        """Do some work about the present position in a thread; another position drops what is unfinished."""
        self.tasks.begin(BackgroundTask(kind, work, then))
        self.show_status()

    def _deliver(self, result: TaskResult) -> None:
        """Called by threads."""
        self.post_message(self.Delivered(result))

    def on_board_app_delivered(self, delivered: Delivered) -> None:
        """Use an answer; an error of ours is shown, any other ends the program."""
        result = delivered.result
        if not self.tasks.take(result):
            return
        if isinstance(result.error, GemHunterError | MemoryError):
            self.take_over()
            self.say(f"error: {str(result.error) or 'out of memory'}")
        elif result.error is not None:
            raise result.error
        else:
            result.task.then(result.answer)
        self.show_status()

    def point(self, cell: Cell) -> None:
        """Move the cursor to a cell, or to the nearest one on the board."""
        self.show(self.picture.at(self.nearest_cell(cell)))

    def nearest_cell(self, cell: Cell) -> Cell:
        """The cell of the board that is nearest to a cell on or off the board."""
        rows, cols = self.picture.shape
        return Cell(min(max(cell.row, 0), rows - 1), min(max(cell.col, 0), cols - 1))

    def action_go(self, down: int, right: int) -> None:
        """Move the cursor."""
        self.point(Cell(self.cursor.row + down, self.cursor.col + right))

    def action_scroll_message(self, pages: int) -> None:
        """Show another part of a long message."""
        self._said.scroll_relative(y=pages * self._said.size.height, animate=False)

    def action_save(self) -> None:
        """Write a file."""
        try:
            self.say(f"saved as {self.save()}")
        except GemHunterError as error:
            self.say(f"not saved: {error}")

    def action_help(self) -> None:
        """List the keys."""
        self.push_screen(HelpScreen(self.help_text(), ascii_only=self.ascii_only))

    def action_leave(self) -> None:
        """Quit."""
        self.tasks.drop()
        self.exit()

    def action_interrupt(self) -> None:
        """Quit because of Ctrl-C."""
        self.tasks.drop()
        self.exit(return_code=INTERRUPTED)

    def action_terminate(self) -> None:
        """Quit because of SIGTERM."""
        self.tasks.drop()
        self.exit(return_code=TERMINATED)
