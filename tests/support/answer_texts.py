"""The board of SPEC's example, and answers to it as tests look at them."""

from gemhunter.board.grid import Grid
from gemhunter.errors import BoardError
from gemhunter.files.text import parse_grid
from gemhunter.grading.lines import Claim
from gemhunter.grading.sections import AnswerSection, read_sections

GRID = "3, T, 2, G\nT, T, 2, G\nT, 3, 1, G"
FILLED = parse_grid(GRID)
BOARD = parse_grid("3, _, 2, _\n_, _, 2, _\n_, 3, 1, _")
NO, LIMIT = Claim.NO_SOLUTION, Claim.GAVE_UP


def read(text: str, source: str = "answer") -> list[AnswerSection]:
    """All answers to the board of SPEC's example."""
    return read_sections(text, BOARD, source=source)


def labels(text: str) -> list[str]:
    """Whose answers these are."""
    return [section.label for section in read(text)]


def answers(text: str) -> list[Grid | Claim | BoardError]:
    """What they say."""
    return [section.answer for section in read(text)]
