"""Commands that read files, with one of the files damaged; the same generator state gives the same case."""

from collections.abc import Mapping, Sequence
from functools import cache

from numpy.random import Generator

from gemhunter.fuzzing.call_cases import CallCase
from gemhunter.fuzzing.mutate import mutate
from gemhunter.fuzzing.seed_files import ANSWER, BOARD, board_files, other_files
from gemhunter.fuzzing.seed_ledgers import BOARD_FILE, ledger_files

FORMS = ("text", "compact", "json", "svg", "png", "mine", "mines", "mbf", "sgt", "sgt-masked")
SOURCES = ("text", "mines", "mine", "mbf", "sgt", "replay")

PLACES: dict[str, tuple[str, ...]] = {
    "FORMULA": ("formula.cnf", "easy.cnf"),
    "PROOF": ("proof.drat", "binary.drat"),
    "MODEL": ("model.txt", "minisat.txt"),
    "FILLED": ("answer.txt", "sections.txt", "claim.txt", "answer.json"),
    "BENCH": ("bench.jsonl", "half.jsonl"),
    "WHOLE": ("board.mbf", "board.abf", "board.mine", "board.sgt", "masked.sgt", "truth.txt", "truth.json"),
    "REPLAY": ("game.json", "dealt.json"),
}
"""Words of a template that stand for one of these files. `BOARD` stands for any file of a board."""

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
    *("check BOARD FILLED", "check BOARD FILLED --format json", "trace BOARD", "trace BOARD --format json"),
    *("cnf BOARD", "cnf BOARD --variables all --comments -o out.cnf", "decode BOARD MODEL"),
    *(f"convert BOARD --to {form}" for form in FORMS),
    *(f"convert WHOLE --to {form}" for form in FORMS),
    *(f"convert BOARD --to {form} -o out" for form in FORMS),
    *(f"convert BOARD --from {source}" for source in SOURCES),
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
        "bench show BENCH --parquet out.parquet",
    ),
    *("solve tests", "check tests class", "check tests class --format json", "check board.txt class"),
)
TEMPLATES = (*ON_BOARDS, *ON_OTHERS)

FOLDERS: dict[str, dict[str, bytes]] = {
    "tests": {
        "tests/testcase_1/input_1.txt": BOARD.encode(),
        "tests/testcase_2/input_2.txt": b"1, _\n_, _\n",
    },
    "class": {
        "class/ann/output_1.txt": ANSWER.encode(),
        "class/ann/output_2.txt": b"1, T\nG, G\n",
        "class/bob.txt": f"input_1\n{ANSWER}".encode(),
    },
}
"""Words of a template that stand for a folder."""


def make_file_case(random: Generator) -> CallCase:
    """A command, the files that it reads, and something wrong with one of them, seldom with two or none."""
    words = [_chosen(word, random) for word in TEMPLATES[random.integers(len(TEMPLATES))].split()]
    files = call_files(words)
    names, everything = list(files), list(_contents().values())
    for _ in range(int(random.choice([0, 1, 2], p=[0.02, 0.88, 0.1]))):
        name = names[random.integers(len(names))]
        files[name] = mutate(files[name], everything[random.integers(len(everything))], random)
    return CallCase("files", tuple(words), tuple(sorted(files.items())))


def _chosen(word: str, random: Generator) -> str:
    choices = tuple(board_files()) if word == "BOARD" else PLACES.get(word, (word,))
    return choices[random.integers(len(choices))]


def call_files(words: Sequence[str]) -> dict[str, bytes]:
    """The valid files that these words of a command line name."""
    files = {word: content for word in words if (content := _contents().get(word)) is not None}
    for word in words:
        files |= FOLDERS.get(word, {})
    if words[0] in ("bench", "report"):
        files[BOARD_FILE] = BOARD.encode()
    return files


@cache
def _contents() -> Mapping[str, bytes]:
    return {**board_files(), **other_files(), **ledger_files()}
