"""The screen around a board: status line, message, keys; and work that must not hold it up."""

from collections.abc import Callable, Sequence
from typing import Any

from textual.app import App, ComposeResult
from textual.containers import Container, Horizontal
from textual.filter import LineFilter, NoColor
from textual.message import Message
from textual.widgets import Footer, Static

from gemhunter.core.grid import Cell
from gemhunter.errors import GemHunterError
from gemhunter.solving.run import Run
from gemhunter.terminal.board_widget import BoardWidget
from gemhunter.terminal.cell_styles import Drawn
from gemhunter.terminal.thinking import BackgroundTask, Thinker, Thought

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


INTERRUPTED = 130
"""The return code after Ctrl-C."""


class Screen(App[None]):
    """Shows a board. What can be done with it is for a subclass to say."""

    TITLE = "Gem Hunter"
    ENABLE_COMMAND_PALETTE = False
    ALLOW_SELECT = False
    CSS = """
    Screen { background: #15181d; color: #cfccc4; }
    StatusLine { height: 1; padding: 0 1; background: #1d2127; }
    StatusLine Static { width: 1fr; color: #cfccc4; }
    StatusLine .-middle { text-align: center; color: #8d939c; }
    StatusLine .-right { text-align: right; }
    #table { height: 1fr; align: center middle; }
    BoardWidget {
        background: #15181d;
        scrollbar-size: 1 1; scrollbar-color: #3a4048; scrollbar-background: #15181d;
        scrollbar-color-hover: #5b636e; scrollbar-color-active: #5b636e;
        scrollbar-background-hover: #15181d; scrollbar-background-active: #15181d;
        scrollbar-corner-color: #15181d;
    }
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

    def __init__(self, picture: Drawn, *, plain: bool, ascii_only: bool) -> None:
        super().__init__(ansi_color=plain or None)
        self.no_color = self._plain = plain
        self._ascii_only = ascii_only
        self.message = ""
        self.lasting: tuple[str, ...] = ()
        self._status = StatusLine(id="status")
        self._said = Static(id="message", markup=False)
        self.thinker = Thinker(self._deliver)
        self.board = BoardWidget(picture, plain=plain, ascii_only=ascii_only)

    @property
    def cursor(self) -> Cell:
        """Where the next move goes."""
        return self.board.picture.cursor

    def compose(self) -> ComposeResult:
        """Status line, board, message, keys."""
        yield self._status
        with Container(id="table"):
            yield self.board
        yield self._said
        yield Footer(compact=True)

    def get_line_filters(self) -> Sequence[LineFilter]:
        """What is done to every line before it is drawn."""
        return [*super().get_line_filters(), *[NoColor()] * self._plain]

    def on_mount(self) -> None:
        """Time passes."""
        self.set_interval(TICK_SECONDS, self.show_status)
        self.show_status()

    def on_resize(self) -> None:
        """Cells can be wider on a wider terminal."""
        self.call_after_refresh(self.board.fit)

    def show_status(self) -> None:
        """Bring the status line up to date."""
        left, middle, right = self.status_texts()
        busy = self.thinker.notice or "thinking ..." if self.thinker.is_busy() else ""
        self._status.show(left, busy or middle, right)

    def status_texts(self) -> tuple[str, str, str]:
        """What the status line says at the left, in the middle and at the right."""
        return "", "", ""

    def say(self, *lines: str) -> None:
        """Write below the board, instead of what was there; what is lasting stays above it."""
        self.message = "\n".join([*self.lasting, *lines])
        self._said.update(self.message)

    def think(self, kind: str, work: Callable[[Run], Any], then: Callable[[Any], None]) -> None:
        """Do some work about the present position elsewhere. Another position drops what is not finished."""
        self.thinker.ask(BackgroundTask(kind, work, then))
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

    def action_leave(self) -> None:
        """Quit."""
        self.thinker.drop()
        self.exit()

    def action_interrupt(self) -> None:
        """Quit because of Ctrl-C."""
        self.thinker.drop()
        self.exit(return_code=INTERRUPTED)
