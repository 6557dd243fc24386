"""Random calls: commands with a damaged file, and commands with hostile values of their options."""

from collections.abc import Sequence
from random import Random

import click

from calls import CallCase, all_commands
from gemhunter.cli.convert import FORM_BY_ENDING
from gemhunter.files.boards import READABLE, WRITABLE
from mutate import mutate
from seed_files import SEED_ANSWER, SEED_BOARD, board_files, seed_files

FILE_WORDS: dict[str, tuple[str, ...]] = {
    "BOARD": tuple(board_files()),
    "FORMULA": ("formula.cnf", "easy.cnf"),
    "PROOF": ("proof.drat", "binary.drat"),
    "MODEL": ("model.txt", "minisat.txt"),
    "FILLED": ("answer.txt", "sections.txt", "claim.txt", "answer.json"),
    "BENCH": ("bench.jsonl", "half.jsonl"),
    "WHOLE": ("board.mbf", "board.abf", "board.mine", "board.sgt", "masked.sgt", "truth.txt", "truth.json"),
    "REPLAY": ("game.json", "dealt.json"),
}
"""Words of a template that stand for one of these files."""

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

CALL_TEMPLATES = [
    *"""
solve BOARD
solve BOARD --format json
solve BOARD --zero unknown
solve BOARD -e dpll -o out.txt
solve BOARD --format sat
solve BOARD --all --limit 3
solve BOARD -o out.drat --format jsonl
analyse BOARD
analyse BOARD --format json -o out.json
explain BOARD
explain BOARD --format json
explain BOARD --cell r1c2 --not -o out.txt
hint BOARD --rung 5
hint BOARD --rung 3 --format json
hint WHOLE r1c2
check BOARD FILLED
check BOARD FILLED --format json
trace BOARD
trace BOARD --format json
cnf BOARD
cnf BOARD --variables all --comments -o out.cnf
cnf BOARD --model MODEL
watch WHOLE -a logic
watch WHOLE -a resolution --initial 2 --format json
solve FORMULA
solve FORMULA --format json
solve FORMULA -e pysat -o out.drat
trace FORMULA
proof check FORMULA PROOF
proof check FORMULA PROOF --format json
proof show FORMULA PROOF
proof show impossible.txt PROOF --format json
proof check impossible.txt PROOF
cnf board.txt --model MODEL
check board.txt FILLED
check board.txt FILLED --format json
check tests class -o out.csv
replay REPLAY
replay REPLAY --moves --format json
watch REPLAY -a logic --format json
bench show BENCH
bench show BENCH --format json
bench show BENCH bench.jsonl --format md
bench show BENCH --every-run --format csv
bench show BENCH --format csv -o out.txt
bench --resume BENCH
bench --resume BENCH --format tex
experiment winrate --resume games.jsonl
experiment winrate --resume games.jsonl --format json
report --resume report.jsonl -o out.html -q
solve tests
check tests class
check tests class --format json
check board.txt class
""".strip().splitlines(),
    *(f"convert BOARD --format {form}" for form in (*WRITABLE, "svg")),
    *(f"convert WHOLE --format {form}" for form in (*WRITABLE, "svg")),
    *(f"convert BOARD -o out.{ending}" for ending in FORM_BY_ENDING),
    *(f"convert BOARD --from {source}" for source in READABLE),
]

ACCEPTED_ARGUMENTS: dict[str, tuple[str, ...]] = {
    "solve": ("board.txt", "formula.cnf", "board.txt board.json", "tests"),
    "analyse": ("board.txt", "total.txt"),
    "hint": ("board.txt --rung 2", "total.txt --rung 5", "impossible.txt --rung 1", "board.mine r1c2"),
    "explain": ("board.txt", "total.txt", "impossible.txt", "board.txt --cell r1c2"),
    "check": ("board.txt answer.txt", "tests class"),
    "trace": ("board.txt", "impossible.txt", "formula.cnf"),
    "convert": ("board.txt", "board.mbf", "3x4n2#1", "beginner"),
    "cnf": ("board.txt", "total.txt", "board.txt --model model.txt"),
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

HOSTILE_VALUES = [
    *("", " ", "\n", "a\nb", "\x1b[31m", "\x9b1m", "\r", "\u202e", "\u2028", "\udcff", "a" * 300),
    *("9" * 5000, str(10**30), str(-(10**30)), str(2**31), str(2**63), str(2**64)),
    *("-", "--", "-1", "0", "1", "1e999", "-1e999", "nan", "NaN", "inf", "1_000", "0x10", "٣", "²"),
    *("1e-10", "1.5", "/dev/null", "board.txt", "missing/out.txt", "..", ".", "~", "*", "a,b", ","),
    *("=", "é", "\U0001f4a3", "{", "}", "{0}", "{level", "%s", "'", '"', ";", "dpl", "auto:", "auto:x"),
    *(":", "pysat:", "pysat:x", "cmd:", "cdcl:restarts=-1", "random:", "sample:", "sample:x"),
    *("expert#", "expert#x", "9x9", "0x0n0", "9x9n81", "99999999x99999999n1", "r0c0", "r1c", "r9c9"),
    *("json", "jsn", "TEXT", "500MB", "-5MB", "1e9GB", "999999999999TB"),
]
"""No system hands over NUL in an argument, so it is not among them."""

SLOW_OPTIONS = {"--charts", "--estimate"}
"""Options whose work takes seconds even for the smallest file. They get folders that they refuse at once."""


def make_file_case(random: Random) -> CallCase:
    """A command, the files that it reads, and something wrong with one of them, seldom with two or none."""
    template = random.choice(CALL_TEMPLATES).split()
    words = [random.choice(FILE_WORDS.get(word, (word,))) for word in template]
    files = call_files(words)
    for _ in range(random.choices((1, 2, 0), (0.88, 0.1, 0.02))[0]):
        name = random.choice(sorted(files))
        files[name] = mutate(files[name], random.choice(list(seed_files().values())), random)
    return CallCase("files", tuple(words), files)


def call_files(words: Sequence[str]) -> dict[str, bytes]:
    """The valid files that these words of a command line name."""
    files = {word: content for word in words if (content := seed_files().get(word)) is not None}
    for word in words:
        files |= FOLDER_WORDS.get(word, {})
    if words[0] in ("bench", "report"):  # their ledgers speak of this board
        files["board.txt"] = SEED_BOARD.encode()
    return files


def make_option_case(random: Random) -> CallCase:
    """A command with arguments that it accepts and a few options, most of them with a hostile value.

    Seldom the last word is missing.
    """
    name, command = random.choice([each for each in all_commands() if options_of(each[1])])
    words = random.choice(ACCEPTED_ARGUMENTS.get(name, ("",))).split()
    files = call_files([*name.split(), *words])
    if words and random.random() < 0.1:
        words[random.randrange(len(words))] = random.choice(HOSTILE_VALUES)
    for _ in range(random.randint(1, 4)):
        words += _given(random.choice(options_of(command)), random)
    if random.random() < 0.03:
        words = words[:-1]
    words = [*name.split(), *words]
    return CallCase("options", tuple(words), files | call_files(words))


def options_of(command: click.Command) -> list[click.Option]:
    """The options of a command."""
    return [each for each in command.params if isinstance(each, click.Option)]


def _given(option: click.Option, random: Random) -> list[str]:
    """The option as it stands on a command line; seldom misspelled."""
    spelling = random.choice([*option.opts, *option.secondary_opts])
    if random.random() < 0.03:
        spelling = spelling[:-1] + random.choice(("", "x", "-"))
    if option.is_flag:
        return [] if spelling in SLOW_OPTIONS else [spelling]
    value = _value(option, random)
    return [f"{spelling}={value}"] if spelling[:2] == "--" and random.random() < 0.3 else [spelling, value]


def _value(option: click.Option, random: Random) -> str:
    if SLOW_OPTIONS.intersection(option.opts):
        return random.choice(("board.txt", "/dev/null", "board.txt/out"))
    match option.type:
        case click.Choice(choices=choices):
            good = [str(each) for each in choices]
        case click.Path(file_okay=False):
            good = ["out"]
        case click.Path():
            good = ["out.txt", "out.svg", "out", "bench.jsonl", "games.jsonl"]
        case click.types.IntParamType():
            good = ["1", "2", "4", "7"]
        case click.types.FloatParamType():
            good = ["0.5", "1", "2"]
        case _:
            good = ["dpll", "totalizer", "logic", "r1c1", "4", "one", "conflicts", "100MB", "4x4n2"]
    return random.choice(good if random.random() < 0.4 else HOSTILE_VALUES)
