"""Random calls: commands with a damaged file, and commands with hostile values of their options."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Literal

from numpy.random import Generator

from gemhunter.formats.game_files import READABLE, WRITABLE
from gemhunter.fuzzing.calls import CallCase
from gemhunter.fuzzing.mutate import mutate
from gemhunter.fuzzing.seed_files import (
    BOARD_FILE,
    SEED_ANSWER,
    SEED_BOARD,
    board_files,
    ledger_files,
    other_files,
)
from gemhunter.render.grids import GRID_PICTURES

CONVERT_FORMS = (*WRITABLE, *GRID_PICTURES)

CONVERT_SOURCES = READABLE

FILE_WORDS: dict[str, tuple[str, ...]] = {
    "FORMULA": ("formula.cnf", "easy.cnf"),
    "PROOF": ("proof.drat", "binary.drat"),
    "MODEL": ("model.txt", "minisat.txt"),
    "FILLED": ("answer.txt", "sections.txt", "claim.txt", "answer.json"),
    "BENCH": ("bench.jsonl", "half.jsonl"),
    "WHOLE": ("board.mbf", "board.abf", "board.mine", "board.sgt", "masked.sgt", "truth.txt", "truth.json"),
    "REPLAY": ("game.json", "dealt.json"),
}
"""Words of a template that stand for one of these files. `SEED_BOARD` stands for any file of a board."""

ON_BOARDS = (
    *(
        "solve BOARD",
        "solve BOARD --format json",
        "solve BOARD --zero unknown",
        "solve BOARD -e dpll -o out.txt",
    ),
    *(
        "solve BOARD --format sat",
        "solve BOARD --all --limit 3",
        "solve BOARD --proof out.drat --format jsonl",
    ),
    *(
        "analyse BOARD",
        "analyse BOARD --format json -o out.json",
        "advise BOARD",
        "advise BOARD --format json",
    ),
    *("explain BOARD", "explain BOARD --format json", "explain BOARD --cell r1c2 --not -o out.txt"),
    *("hint BOARD --rung 5", "hint BOARD --rung 3 --format json"),
    *("check BOARD FILLED", "check BOARD FILLED --format json", "trace BOARD", "trace BOARD --format json"),
    *("cnf BOARD", "cnf BOARD --variables all --comments -o out.cnf", "decode BOARD MODEL"),
    *(f"convert BOARD --to {form}" for form in CONVERT_FORMS),
    *(f"convert WHOLE --to {form}" for form in CONVERT_FORMS),
    *(f"convert BOARD --to {form} -o out" for form in CONVERT_FORMS),
    *(f"convert BOARD --from {source}" for source in CONVERT_SOURCES),
    *("watch WHOLE -a logic", "watch WHOLE -a resolution --initial 2 --format json", "advise WHOLE r1c2"),
)

ON_OTHERS = (
    *(
        "solve FORMULA",
        "solve FORMULA --format json",
        "solve FORMULA -e pysat --proof out.drat",
        "trace FORMULA",
    ),
    *("proof check FORMULA PROOF", "proof check FORMULA PROOF --format json", "proof show FORMULA PROOF"),
    *(
        "proof show impossible.txt PROOF --format json",
        "proof check impossible.txt PROOF",
        "decode board.txt MODEL",
    ),
    *(
        "check board.txt FILLED",
        "check board.txt FILLED --format json",
        "check board.txt FILLED --csv out.csv",
    ),
    *("replay REPLAY", "replay REPLAY --moves --format json", "watch REPLAY -a logic --format json"),
    *("bench show BENCH", "bench show BENCH --format json", "bench show BENCH bench.jsonl --format md"),
    *(
        "bench --resume BENCH",
        "bench show BENCH --format csv --times out.txt",
        "bench --resume BENCH --format tex",
    ),
    *("experiment winrate --resume games.jsonl", "experiment winrate --resume games.jsonl --format json"),
    *(
        "report --resume report.jsonl -o out.html -q",
        "bench show BENCH --every-run --format csv",
    ),
    *("solve tests", "check tests class", "check tests class --format json", "check board.txt class"),
)

CALL_TEMPLATES = (*ON_BOARDS, *ON_OTHERS)

FOLDER_WORDS: dict[str, dict[str, bytes]] = {
    "tests": {
        "tests/testcase_1/input_1.txt": SEED_BOARD.encode(),
        "tests/testcase_2/input_2.txt": b"1, _\n_, _\n",
    },
    "class": {
        "class/ann/output_1.txt": SEED_ANSWER.encode(),
        "class/ann/output_2.txt": b"1, T\nG, G\n",
        "class/bob.txt": f"input_1\n{SEED_ANSWER}".encode(),
    },
}
"""Words of a template that stand for a folder."""

ValueKind = Literal["flag", "whole", "number", "choice", "text", "file", "folder"]

MOST_OPTIONS = 4

ACCEPTED_ARGUMENTS: dict[str, tuple[str, ...]] = {
    "solve": ("board.txt", "formula.cnf", "board.txt board.json", "tests"),
    "analyse": ("board.txt", "total.txt"),
    "hint": ("board.txt --rung 2", "total.txt --rung 5", "impossible.txt --rung 1"),
    "explain": ("board.txt", "total.txt", "impossible.txt", "board.txt --cell r1c2"),
    "advise": ("board.txt", "board.mine r1c2"),
    "check": ("board.txt answer.txt", "tests class"),
    "trace": ("board.txt", "impossible.txt", "formula.cnf"),
    "convert": ("board.txt", "board.mbf", "3x4n2#1", "beginner"),
    "cnf": ("board.txt", "total.txt"),
    "decode": ("board.txt model.txt",),
    "proof check": ("formula.cnf proof.drat", "impossible.txt proof.drat"),
    "proof show": ("formula.cnf proof.drat", "impossible.txt proof.drat"),
    "bench run": ("board.txt", ""),
    "bench show": ("bench.jsonl", "bench.jsonl half.jsonl"),
    "report": ("board.txt",),
    "play": ("beginner", "board.txt"),
    "watch": ("3x4n2#1", "board.mbf", "4x4n2"),
    "replay": ("game.json",),
    "engines": ("dpll",),
    "completion": ("bash",),
}
"""What each command is about: arguments that it accepts."""

HOSTILE_VALUES = (
    *("", " ", "-", "--", "-1", "0", "1", "1e999", "-1e999", "nan", "NaN", "inf", "1_000", "0x10", "٣", "²"),
    *(str(10**30), str(-(10**30)), str(2**31), str(2**63), str(2**64), "9" * 5000, "0.0000000001", "1.5"),
    *("/dev/null", "board.txt", "missing/out.txt", "a" * 300, "\n", "a\nb", "\x1b[31m", "\x9b1m", "\r"),
    *("é", "\U0001f4a3", "\u202e", "\u2028", "\udcff", "{", "}", "{0}", "{level", "%s", "'", '"', ";"),
    *("dpl", "auto:", "auto:x", ":", "pysat:", "pysat:x", "cmd:", "cdcl:restarts=-1", "random:", "sample:"),
    *(
        "sample:x",
        "expert#",
        "expert#x",
        "9x9",
        "0x0n0",
        "9x9n81",
        "99999999x99999999n1",
        "r0c0",
        "r1c",
        "r9c9",
    ),
    *(
        "json",
        "jsn",
        "TEXT",
        "500MB",
        "-5MB",
        "1e9GB",
        "999999999999TB",
        "..",
        ".",
        "~",
        "*",
        "a,b",
        ",",
        "=",
    ),
)
"""No system hands over NUL in an argument, so it is not among them."""

ACCEPTED_VALUES: dict[ValueKind, tuple[str, ...]] = {
    "whole": ("1", "2", "4", "7"),
    "number": ("0.5", "1", "2"),
    "text": ("dpll", "totalizer", "logic", "r1c1", "4", "one", "conflicts", "SELECT 1", "100MB", "4x4n2"),
    "file": ("out.txt", "out.svg", "out", "bench.jsonl", "games.jsonl"),
    "folder": ("out",),
}

SLOW_OPTIONS = ("--charts", "--estimate")
"""Options whose work takes seconds even for the smallest file."""

REFUSED_FOLDERS = ("board.txt", "/dev/null", "board.txt/out")
"""Values that such an option refuses before it works."""


def make_file_case(random: Generator) -> CallCase:
    """A command, the files that it reads, and something wrong with one of them, seldom with two or none."""
    words = [_chosen(word, random) for word in CALL_TEMPLATES[random.integers(len(CALL_TEMPLATES))].split()]
    files = call_files(words)
    names, everything = list(files), list(_contents().values())
    for _ in range(int(random.choice([0, 1, 2], p=[0.02, 0.88, 0.1]))):
        name = names[random.integers(len(names))]
        files[name] = mutate(files[name], everything[random.integers(len(everything))], random)
    return CallCase("files", tuple(words), tuple(sorted(files.items())))


def _chosen(word: str, random: Generator) -> str:
    choices = tuple(board_files()) if word == "BOARD" else FILE_WORDS.get(word, (word,))
    return choices[random.integers(len(choices))]


def call_files(words: Sequence[str]) -> dict[str, bytes]:
    """The valid files that these words of a command line name."""
    files = {word: content for word in words if (content := _contents().get(word)) is not None}
    for word in words:
        files |= FOLDER_WORDS.get(word, {})
    if words[0] in ("bench", "report"):
        files[BOARD_FILE] = SEED_BOARD.encode()
    return files


@cache
def _contents() -> Mapping[str, bytes]:
    return {**board_files(), **other_files(), **ledger_files()}


@dataclass(frozen=True, slots=True)
class OptionFacts:
    """An option of a command: how it is spelled and what it takes."""

    spellings: tuple[str, ...]
    kind: ValueKind
    choices: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class CommandFacts:
    """A command by its words, such as `proof check`, and its options."""

    words: str
    options: tuple[OptionFacts, ...]


def make_option_case(commands: tuple[CommandFacts, ...], random: Generator) -> CallCase:
    """A command with arguments that it accepts and a few options, most of them with a hostile value.

    Seldom the last word is missing.
    """
    command = commands[random.integers(len(commands))]
    bases = ACCEPTED_ARGUMENTS.get(command.words, ("",))
    words = bases[random.integers(len(bases))].split()
    files = call_files([*command.words.split(), *words])
    if words and random.random() < 0.1:
        words[random.integers(len(words))] = _hostile(random)
    for _ in range(int(random.integers(1, MOST_OPTIONS + 1))):
        option = command.options[random.integers(len(command.options))]
        words += _given(option, random)
    if random.random() < 0.03:
        words = words[:-1]
    files |= call_files([*command.words.split(), *words])
    return CallCase("options", (*command.words.split(), *words), tuple(sorted(files.items())))


def _given(option: OptionFacts, random: Generator) -> list[str]:
    """The option as it stands on a command line; seldom misspelled."""
    spelling = option.spellings[random.integers(len(option.spellings))]
    if random.random() < 0.03:
        spelling = spelling[:-1] + str(random.choice(["", "x", "-"]))
    if option.kind == "flag":
        return [] if spelling in SLOW_OPTIONS else [spelling]
    value = _value(option, random)
    return (
        [f"{spelling}={value}"] if spelling.startswith("--") and random.random() < 0.3 else [spelling, value]
    )


def _value(option: OptionFacts, random: Generator) -> str:
    if set(option.spellings) & set(SLOW_OPTIONS):
        return REFUSED_FOLDERS[random.integers(len(REFUSED_FOLDERS))]
    good = option.choices or ACCEPTED_VALUES.get(option.kind, ())
    if good and random.random() < 0.4:
        return good[random.integers(len(good))]
    return _hostile(random)


def _hostile(random: Generator) -> str:
    return HOSTILE_VALUES[random.integers(len(HOSTILE_VALUES))]
