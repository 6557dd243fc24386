"""Puzzles and games to order, and sheets of puzzles to print."""

from base64 import b64encode
from typing import Any

from gemhunter.errors import TooLargeError
from gemhunter.formats.cells import read_cell
from gemhunter.generate.games import generate_games
from gemhunter.generate.puzzles import generate_puzzle
from gemhunter.generate.wishes import NotGenerated, PuzzleWish
from gemhunter.play.game_ids import new_seed
from gemhunter.play.levels import read_level
from gemhunter.printable import printable
from gemhunter.records.games import generated_game_record
from gemhunter.records.puzzles import puzzle_record
from gemhunter.render.sheets import SheetBoard, draw_sheets, sheet_pages
from gemhunter.report.charts.sheets import pdf_of_sheets
from gemhunter.web.tasks.asked_boards import LARGEST_WEB_PUZZLE, Asked, Worker

SOLUTIONS_TITLE = "Solutions"

WISH_FIELDS = (
    *("rows", "cols", "density", "clues", "given"),
    *("difficulty", "rule", "symmetry", "solutions"),
)


def make_puzzles(worker: Worker, asked: Asked) -> dict[str, Any]:
    """Puzzles as they are made; those that cannot be made say why."""
    wish = PuzzleWish(**{name: asked[name] for name in WISH_FIELDS})
    if wish.cells > LARGEST_WEB_PUZZLE:
        raise TooLargeError(f"a puzzle has at most {LARGEST_WEB_PUZZLE:,} cells here, not {wish.cells:,}")
    made = 0
    for seed in range(asked["seed"], asked["seed"] + asked["count"]):
        found = generate_puzzle(wish, seed=seed, run=worker.new_run(asked))
        if worker.desk.is_cancelled():
            break
        if isinstance(found, NotGenerated):
            worker.desk.send({"seed": found.seed, "missing": found.reason})
        else:
            made += 1
            worker.desk.send(puzzle_record(found))
    return {"made": made}


def make_game(worker: Worker, asked: Asked) -> dict[str, Any]:
    """A game that needs no guess."""
    level = read_level(asked["level"])
    worker.require_size(level.rows * level.cols)
    seed = new_seed() if asked["seed"] is None else asked["seed"]
    first = None if asked["first"] is None else read_cell(asked["first"])
    games = generate_games(level, using=asked["using"], seed=seed, number=1, first=first)
    return generated_game_record(next(games))


def draw_sheet(worker: Worker, asked: Asked) -> dict[str, Any]:
    """Pages with puzzles, and pages with their solutions: SVG documents, or a PDF file in base64."""
    title, puzzles, solutions = printable(asked["title"]), list[SheetBoard](), list[SheetBoard]()
    for number, each in enumerate(asked["puzzles"], 1):
        label = f"{number} · {printable(each['label'])}" if each["label"] else str(number)
        puzzles.append(SheetBoard(label, worker.position(each).grid))
        if each["solution"] is not None:
            solutions.append(SheetBoard(str(number), worker.position(each, "solution").grid))
    if asked["format"] == "pdf":
        pages = [*sheet_pages(title, puzzles), *sheet_pages(SOLUTIONS_TITLE, solutions)]
        return {"pdf": b64encode(pdf_of_sheets(pages)).decode()}
    return {"pages": [*draw_sheets(title, puzzles), *draw_sheets(SOLUTIONS_TITLE, solutions)]}
