"""The table of commands, as the help page lists them, and the names that people expect instead."""

SECTIONS = {
    "Boards": {
        "solve": "Fill in boards, or show that it cannot be done.",
        "analyse": "Say what is true of all solutions of a board.",
        "explain": "Explain step by step why cells are traps or gems.",
        "hint": "Say what to do next: a deduction, as much of it as you ask for, or the best guess.",
        "check": "Grade filled-in answers, those of one person or of a class.",
        "generate": "Make puzzles and games to order.",
        "convert": "Read a board in any dialect and write it in another form.",
    },
    "Algorithms": {
        "engines": "List all engines, show everything about some of them, or start one of your own.",
        "trace": "Show what an engine does on a board, step by step.",
        "cnf": "Write a board as a DIMACS formula for SAT solvers.",
        "proof": "Check and show proofs that a board has no solution.",
        "bench": "Compare engines on boards: which is fastest, and where.",
        "report": "Measure engines on boards, and write a report about it.",
    },
    "Games": {
        "play": "Play a game in the terminal, with keyboard or mouse.",
        "watch": "Let an agent play a game to its end, and say how it went.",
        "replay": "Play a recorded game again, and show how it ended.",
        "experiment": "Play many games, or deal many boards, and gather statistics.",
    },
    "More": {
        "web": "Open a page to analyse, understand, play, compare and make boards.",
        "samples": "List the boards that come with Gem Hunter.",
        "menu": "Choose boards and engines from a menu.",
    },
}
"""The headings of the help page, and under each its commands: `gemhunter.cli.NAME` has a function NAME."""

COMMAND_NAMES = (*(name for summaries in SECTIONS.values() for name in summaries), "warmup", "completion")
"""All commands; help does not list the last two."""

INSTEAD = {
    "advise": "hint POSITION",
    "decode": "cnf BOARD --model FILE",
    "stats": "analyse BOARD",
    "count": "analyse BOARD",
    "probability": "analyse BOARD",
    "review": "replay GAME.json --review",
    "encode": "cnf BOARD",
    "compare": "bench BOARDS -e ENGINE -e ENGINE",
    "grade": "check TESTS CLASS",
    "sheet": "generate puzzle 9x9 --count 12 -o sheet.pdf",
    "new": "generate puzzle 9x9",
    "make": "generate puzzle 9x9",
    "draw": "convert BOARD -o board.png",
    "show": "convert BOARD",
    "list": "samples",
    "version": "--version",
    "risk": "analyse BOARD",
    "risks": "analyse BOARD",
    "solutions": "solve BOARD --all",
    "dimacs": "cnf BOARD",
    "image": "convert BOARD -o board.png",
    "picture": "convert BOARD -o board.png",
    "marks": "check TESTS CLASS -o marks.csv",
    "puzzle": "generate puzzle 9x9",
    "race": "bench BOARDS -e ENGINE -e ENGINE",
    "agents": "watch --help",
    "animate": "trace BOARD -o search.gif",
    "browser": "web",
    "gui": "web",
    "serve": "web",
    "server": "web",
    "verify": "proof check BOARD PROOF",
    "winrate": "experiment winrate",
}
"""Names that people expect, and what to type for them here."""


OLD_NAMES = {"each": "count", "max-events": "limit", "max-steps": "limit"}
"""Former names of options, which still work until version 0.2, and their names now."""

COMPLETION_VARIABLE = "_GEMHUNTER_COMPLETE"
"""The environment variable by which a shell asks Click for completions."""
