"""The keys: what each does, and the page that lists them."""

from textual import events
from textual.app import ComposeResult
from textual.binding import Binding
from textual.screen import ModalScreen
from textual.widgets import Static

from gemhunter.terminal.painting import ASCII, UNICODE, Signs

BINDINGS = [
    Binding("up,k", "go(-1, 0)", "up", show=False),
    Binding("down,j", "go(1, 0)", "down", show=False),
    Binding("left,h", "go(0, -1)", "left", show=False),
    Binding("right,l", "go(0, 1)", "right", show=False),
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
    Binding("f1,H", "help", "help", key_display="F1"),
    Binding("q", "leave", "quit"),
    Binding("ctrl+c", "interrupt", "stop", show=False, priority=True),
]

HELP = (
    ("arrows, h j k l", "move the cursor"),
    ("space, enter", "reveal the cell; on a clue the same as c"),
    ("f", "put a flag, or take it away"),
    ("c", "chord: reveal what the flags around a clue leave"),
    ("?", "hint: a cell that is certain, or the safest guess"),
    ("p", "show or hide how likely each cell is a trap"),
    ("u", "take back the last move, also after a loss"),
    ("a, A", "the agent makes one step; it goes on until A again"),
    ("+, -", "the agent plays faster, slower"),
    ("n, r", "deal a new game; begin the same game again"),
    ("s", "save a replay in this folder"),
    ("F1, H", "this page"),
    ("q", "quit"),
)
MOUSE = "mouse: left reveals, on a clue it chords; right flags; middle chords"


class HelpScreen(ModalScreen[None]):
    """All keys and signs; any key or click closes it."""

    DEFAULT_CSS = """
    HelpScreen { align: center middle; background: #15181d 70%; }
    HelpScreen > Static { width: auto; max-width: 100%; height: auto; padding: 0 2; background: #1d2127; }
    HelpScreen > Static { border: round #3a4048; }
    HelpScreen > Static.-ascii { border: ascii #3a4048; }
    """

    def __init__(self, *, ascii_only: bool) -> None:
        super().__init__()
        self._ascii_only = ascii_only

    def compose(self) -> ComposeResult:
        """The page."""
        signs, border = (ASCII, "-ascii") if self._ascii_only else (UNICODE, "")
        yield Static(help_text(signs), markup=False, classes=border)

    def on_key(self, event: events.Key) -> None:
        """Close, and do nothing else."""
        event.stop()
        event.prevent_default()
        self.dismiss()

    def on_click(self) -> None:
        """Close."""
        self.dismiss()


def help_text(signs: Signs) -> str:
    """Keys, mouse and signs, in lines of at most 76 characters."""
    width = max(len(key) for key, _ in HELP)
    lines = [f"{key.ljust(width)}  {what}" for key, what in HELP]
    cells = f"signs: {signs.hidden} hidden, {signs.flag} flag, {signs.trap} trap"
    ends = f"{signs.exploded} the trap that was hit, {signs.wrong_flag} a wrong flag"
    risks = "risks: ok cannot be a trap, !! is one, -- not known, else percent"
    return "\n".join([*lines, "", MOUSE, f"{cells}, {ends}", risks])
