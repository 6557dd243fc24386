"""The screen around a board: status line, message, keys, cursor and hints."""

import asyncio
import codecs
import select
import signal
import sys
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any, Generic, TypeVar

from textual.app import App, ComposeResult
from textual.containers import Container, Horizontal, VerticalScroll
from textual.driver import Driver
from textual.filter import LineFilter, NoColor
from textual.message import Message
from textual.widgets import Footer, Static

from gemhunter.board.grid import Cell
from gemhunter.errors import GemHunterError
from gemhunter.explanation.steps import ExplanationStep
from gemhunter.play.risks import nearest
from gemhunter.solving.run import Run
from gemhunter.terminal.background_tasks import BackgroundTask, BackgroundTasks
from gemhunter.terminal.board_widget import THEME, BoardWidget, Picture
from gemhunter.terminal.keys import HelpScreen
from gemhunter.terminal.messages import ShownHintLadder, hint_ladder_words
from gemhunter.terminal.session import FillInSetting, Setting, Stopwatch

# The screen around a board: status line, message, keys and cursor.


AnyPicture = TypeVar("AnyPicture", bound=Picture)


def terminal_is_gone() -> bool:
    """Whether the terminal was closed without a signal; False where the system cannot say."""
    if sys.platform == "win32" or sys.__stdin__ is None:
        return False
    poll = select.poll()
    poll.register(sys.__stdin__, 0)
    return any(event & select.POLLHUP for _, event in poll.poll(0))


class StatusLine(Horizontal):
    """One line with texts at the left, in the middle and at the right."""

    def compose(self) -> ComposeResult:
        """The three parts."""
        self.parts = [Static(classes=f"-{side}", markup=False) for side in ("left", "middle", "right")]
        yield from self.parts

    def show(self, *texts: str) -> None:
        """Write the three parts."""
        for part, text in zip(self.parts, texts, strict=True):
            part.update(text)


class MessagePanel(VerticalScroll, can_focus=False):
    """The message below the board, which takes up to 60 % of the screen and scrolls if it is longer."""

    def compose(self) -> ComposeResult:
        """The text."""
        self.text = Static(markup=False)
        yield self.text

    def show(self, text: str) -> None:
        """Replace the text, and show its beginning."""
        self.text.update(text)
        self.scroll_home(animate=False)


class BoardApp(App[None], Generic[AnyPicture]):
    """The screen that games and boards to fill in share; each adds its moves, words and keys."""

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

        def __init__(self, task: BackgroundTask, answer: Any, error: Exception | None) -> None:
            super().__init__()
            self.task, self.answer, self.error = task, answer, error

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
        """The cell under the cursor."""
        return self.picture.cursor

    @property
    def seconds(self) -> float:
        """The time taken so far."""
        return self.stopwatch.read(self.clock())

    def get_driver_class(self) -> type[Driver]:
        """The usual driver; bytes that are not UTF-8, such as a key of a Latin-1 terminal, are ignored."""
        driver = super().get_driver_class()
        home = sys.modules[driver.__module__]
        if hasattr(home, "getincrementaldecoder"):  # Textual would end the program with a traceback
            lenient = partial(codecs.getincrementaldecoder("utf-8"), errors="ignore")
            vars(home)["getincrementaldecoder"] = lambda _: lenient
        return driver

    def status_texts(self) -> tuple[str, str, str]:
        """The left, middle and right part of the status line."""
        raise NotImplementedError

    def help_text(self) -> str:
        """The page about keys."""
        raise NotImplementedError

    def save(self) -> Path:
        """Write a file, and return its path."""
        raise NotImplementedError

    def take_over(self) -> None:
        """Stop the agent, if one is playing."""

    def compose(self) -> ComposeResult:
        """Status line, board, message, keys."""
        yield self._status
        with Container(id="table"):
            yield self.board
        yield self._said
        yield Footer(compact=True)

    def get_theme_variable_defaults(self) -> dict[str, str]:
        """The colours that style sheets use."""
        return THEME.variables()

    def get_line_filters(self) -> Sequence[LineFilter]:
        """Remove colours from every line if the screen is plain."""
        return [*super().get_line_filters(), *[NoColor()] * self._plain]

    def on_mount(self) -> None:
        """Start the clock of the status line."""
        self.set_interval(0.25, self._tick)  # seconds
        self.show_status()
        if not self.is_headless:
            self._listen()

    def _listen(self) -> None:
        """Let the event loop handle signals: an exception from a handler can be lost in a destructor."""
        if sys.platform != "win32":
            loop = asyncio.get_running_loop()
            loop.add_signal_handler(signal.SIGINT, self.action_interrupt)
            loop.add_signal_handler(signal.SIGTERM, self.action_terminate)

    def _tick(self) -> None:
        """Update the status line; quit if the terminal is gone, or Textual would read in a busy loop."""
        if not self.is_headless and terminal_is_gone():
            self.action_leave()
        else:
            self.show_status()

    def on_resize(self) -> None:
        """Make cells as wide as the terminal allows."""
        self.call_after_refresh(self.board.fit)

    def show(self, picture: AnyPicture) -> None:
        """Show a picture of the board, and update the status line."""
        self.picture = picture
        self.board.show(picture)
        self.show_status()

    def show_status(self) -> None:
        """Update the status line."""
        left, middle, right = self.status_texts()
        busy = self.tasks.notice or "thinking ..." if self.tasks.is_busy() else ""
        self._status.show(left, busy or middle, right)

    def say(self, *lines: str) -> None:
        """Replace the message below the board, except its lasting lines."""
        self.message = "\n".join([*self.lasting, *lines])
        self._said.show(self.message)

    def think(self, kind: str, work: Callable[[Run], Any], then: Callable[[Any], None]) -> None:
        """Work on the present position in a thread; if the position changes first, the work is dropped."""
        self.tasks.begin(BackgroundTask(kind, work, then))
        self.show_status()

    def _deliver(self, task: BackgroundTask, answer: Any, error: Exception | None) -> None:
        """Called by threads."""
        self.post_message(self.Delivered(task, answer, error))

    def on_board_app_delivered(self, delivered: Delivered) -> None:
        """Use an answer; an error of ours is shown, any other ends the program."""
        if not self.tasks.end(delivered.task):
            return
        if isinstance(error := delivered.error, GemHunterError | MemoryError):
            self.take_over()
            self.say(f"error: {str(error) or 'out of memory'}")
        elif error is not None:
            raise error
        else:
            delivered.task.then(delivered.answer)
        self.show_status()

    def point(self, cell: Cell) -> None:
        """Move the cursor to the nearest cell on the board."""
        self.show(self.picture.at(self.nearest_cell(cell)))

    def nearest_cell(self, cell: Cell) -> Cell:
        """The cell on the board that is nearest to a cell on or off it."""
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
        self.exit(return_code=130)  # `INTERRUPTED` of cli/exit_codes.py

    def action_terminate(self) -> None:
        """Quit because of SIGTERM."""
        self.tasks.drop()
        self.exit(return_code=143)  # `TERMINATED` of cli/exit_codes.py


# Hints on the screen: each press of the key says more, and the board shows what the text is about.


Found = TypeVar("Found")


class HintedApp(BoardApp[AnyPicture], Generic[AnyPicture]):
    """A board whose player can ask for hints, one rung after another."""

    def __init__(self, picture: AnyPicture, setting: Setting | FillInSetting) -> None:
        super().__init__(picture, setting)
        self.hint_ladder: ShownHintLadder | None = None
        """The hint for the present position, if there is one."""

    def cells_to_point_at(self, step: ExplanationStep) -> Sequence[Cell]:
        """The cells of a conclusion that the cursor visits; there is at least one."""
        raise NotImplementedError

    def ask_for_hint(self, work: Callable[[Run], Found], then: Callable[[Found], None]) -> None:
        """Show the next rung; if there is no hint yet, look for one in a thread."""
        if self.hint_ladder is not None:
            self.advance_hint_ladder(self.hint_ladder)
        elif not self.tasks.is_busy("hint"):
            self.say("thinking ...")
            self.think("hint", work, then)

    def advance_hint_ladder(self, hint_ladder: ShownHintLadder) -> None:
        """Show the next rung; after the conclusion, move the cursor to the next of its cells."""
        if not hint_ladder.is_concluded:
            self.show_rung(replace(hint_ladder, rung=hint_ladder.rung + 1))
            return
        self.say(hint_ladder_words(hint_ladder))
        cells = self.cells_to_point_at(hint_ladder.step)
        later = [cell for cell in cells if cell > self.cursor]
        self.point((later or cells)[0])

    def show_rung(self, hint_ladder: ShownHintLadder) -> None:
        """Show a rung as text and on the board; at the conclusion, move the cursor to one of its cells."""
        self.hint_ladder = hint_ladder
        self.say(hint_ladder_words(hint_ladder))
        cursor = self.cursor
        if hint_ladder.is_concluded:
            cursor = nearest([*self.cells_to_point_at(hint_ladder.step)], cursor)
        self.show(self.picture.at(cursor).pointing(hint_ladder.clues, hint_ladder.decided))
