"""The keys: what each does, and the page that lists them."""

from collections.abc import Sequence

from textual import events
from textual.app import ComposeResult
from textual.binding import Binding
from textual.screen import ModalScreen
from textual.widgets import Static

from gemhunter.terminal.board_widget import PLAIN_WIDTH, RISK_WIDTH, Signs, risk_legend

CURSOR_BINDINGS = [
    Binding("up,k", "go(-1, 0)", "up", show=False),
    Binding("down,j", "go(1, 0)", "down", show=False),
    Binding("left,h", "go(0, -1)", "left", show=False),
    Binding("right,l", "go(0, 1)", "right", show=False),
    Binding("pageup", "scroll_message(-1)", "earlier lines", show=False),
    Binding("pagedown", "scroll_message(1)", "further lines", show=False),
]

LEAVING_BINDINGS = [
    Binding("f1,H", "help", "help", key_display="F1"),
    Binding("q", "leave", "quit"),
    Binding("ctrl+c", "interrupt", "stop", show=False, priority=True),
]

BINDINGS = [
    *CURSOR_BINDINGS,
    Binding("space,enter", "reveal", "reveal", key_display="space"),
    Binding("f", "flag", "flag"),
    Binding("c", "chord", "chord", show=False),
    Binding("question_mark", "hint", "hint", key_display="?"),
    Binding("p", "risks", "risks"),
    Binding("u", "undo", "undo"),
    Binding("a", "step", "agent", key_display="a"),
    Binding("A", "watch", "watch", key_display="A"),
    Binding("plus,equals_sign", "pace(1)", "faster", show=False),
    Binding("minus", "pace(-1)", "slower", show=False),
    Binding("n", "deal", "new"),
    Binding("r", "again", "same game again", show=False),
    Binding("s", "save", "save a replay", show=False),
    *LEAVING_BINDINGS,
]

FILL_IN_BINDINGS = [
    *CURSOR_BINDINGS,
    Binding("t,T,f", "mark('trap')", "trap", key_display="t"),
    Binding("g,G,space,enter", "mark('gem')", "gem", key_display="g"),
    Binding("x,backspace,delete", "mark('nothing')", "clear", key_display="x"),
    Binding("u", "undo", "undo"),
    Binding("c", "check", "check"),
    Binding("question_mark", "hint", "hint", key_display="?"),
    Binding("r", "again", "begin again", show=False),
    Binding("s", "save", "save"),
    *LEAVING_BINDINGS,
]

HELP = (
    ("arrows, h j k l", "move the cursor"),
    ("space, enter", "reveal the cell; on a clue, chord"),
    ("f", "add or remove a flag"),
    ("c", "chord: reveal the unflagged cells around a clue"),
    ("?", "hint: more with each press; if nothing is certain, a guess"),
    ("p", "show or hide the risk of each cell"),
    ("u", "undo the last move, even after a loss"),
    ("a, A", "the agent makes one move; plays on until you press A again"),
    ("+, -", "the agent plays faster, slower"),
    ("n, r", "deal a new game; begin the same game again"),
    ("s", "save a replay in this folder"),
    ("pageup, pagedown", "scroll a long message"),
    ("F1, H", "this page"),
    ("q", "quit"),
)
FILL_IN_HELP = (
    ("arrows, h j k l", "move the cursor"),
    ("t, f", "mark a trap; press again to remove the mark"),
    ("g, space, enter", "mark a gem; press again to remove the mark"),
    ("x, backspace, delete", "remove the mark"),
    ("u", "take back the last mark, and those before it"),
    ("c", "check: which marks and clues conflict"),
    ("?", "hint: each press says more about the next deduction"),
    ("r", "start over; u restores the marks"),
    ("s", "save in this folder; the command `play FILE` continues"),
    ("pageup, pagedown", "scroll a long message"),
    ("F1, H", "this page"),
    ("q", "quit"),
)
FILL_IN_MOUSE = "mouse: left marks a gem, right a trap, middle removes the mark"
MOUSE = "mouse: left reveals, on a clue it chords; right flags; middle chords"


class HelpScreen(ModalScreen[None]):
    """A page about keys and signs; any key or click closes it."""

    DEFAULT_CSS = """
    HelpScreen { align: center middle; background: $screen-ground 70%; }
    HelpScreen > Static { width: auto; max-width: 100%; height: auto; padding: 0 2; }
    HelpScreen > Static { background: $screen-panel; border: round $screen-edge; }
    HelpScreen > Static.-ascii { border: ascii $screen-edge; }
    """

    def __init__(self, text: str, *, ascii_only: bool) -> None:
        super().__init__()
        self._text, self._ascii_only = text, ascii_only

    def compose(self) -> ComposeResult:
        """The page."""
        yield Static(self._text, markup=False, classes="-ascii" if self._ascii_only else "")

    def on_key(self, event: events.Key) -> None:
        """Close the page, and ignore the key otherwise."""
        event.stop()
        event.prevent_default()
        self.dismiss()

    def on_click(self) -> None:
        """Close the page."""
        self.dismiss()


def help_text(signs: Signs) -> str:
    """The keys, mouse buttons and signs of a game, in lines of at most 76 characters."""
    cells = f"signs: {signs.hidden} hidden, {signs.flag} flag, {signs.trap} trap"
    ends = f"{signs.exploded} the trap that was hit, {signs.wrong_flag} a wrong flag"
    risks = [risk_legend(width) for width in (RISK_WIDTH, PLAIN_WIDTH)]
    return "\n".join([*_columns(HELP), "", MOUSE, f"{cells}, {ends}", *risks])


def fill_in_help() -> str:
    """The keys and mouse buttons for a board to fill in, in lines of at most 76 characters."""
    return "\n".join([*_columns(FILL_IN_HELP), "", FILL_IN_MOUSE])


def _columns(keys: Sequence[tuple[str, str]]) -> list[str]:
    width = max(len(key) for key, _ in keys)
    return [f"{key.ljust(width)}  {what}" for key, what in keys]
