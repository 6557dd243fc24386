"""How long a proof takes to check, against finding it, and against a checker in plain Python."""

import argparse

from boards import hard_board, lattice_without_solution, one_clue_raised, random_board
from gemhunter.bench.suites import BenchBoard
from gemhunter.board.grid import Grid
from gemhunter.cnf.drat import Proof
from gemhunter.cnf.encode import encode
from gemhunter.cnf.formula import Cnf
from gemhunter.questions.proof_checker import Accepted, check_formula_proof
from gemhunter.questions.solve import solve
from gemhunter.solving.outcomes import Refuted
from timing import cpu_seconds, print_table, run_compiled

LARGEST_FOR_LOOP = 1000
"""Steps; plain Python gets no longer proofs."""

LATTICE = [[1, 2, 2, 1], [2, 3, 3, 2], [2, 3, 4, 2], [1, 2, 2, 1]]
"""Clues on every second cell of every second row, whose alternating sum is not 0, as it must be."""


def lattice(clues: list[list[int]]) -> Grid:
    """The board with these clues, and unknown cells between them."""
    codes = lattice_without_solution(len(clues), len(clues[0])).cells.copy()
    codes[::2, ::2] = clues
    return Grid(codes)


def boards() -> list[BenchBoard]:
    """Refuted boards, from a handful of steps to a hundred thousand."""
    raised = one_clue_raised(random_board(40, 0.3, 0.4, 1))
    return [
        BenchBoard("lattice 3×4", lattice_without_solution(3, 4)),
        BenchBoard("lattice 4×4", lattice_without_solution(4, 4)),
        BenchBoard("lattice 4×4, middling clues", lattice(LATTICE)),
        BenchBoard("random 40×40, one clue raised", raised.grid),
        *(hard_board(number) for number in (12, 1, 6)),
    ]


def holds_by_loop(cnf: Cnf, proof: Proof) -> bool:
    """The checker one would write first: every clause is looked at until none has a single literal left."""
    clauses = [set(clause) for clause in cnf.clauses()]
    literals, starts = proof.literals.tolist(), proof.starts.tolist()
    for step, deletes in enumerate(proof.deletes.tolist()):
        clause = set(literals[starts[step] : starts[step + 1]])
        if deletes:
            clauses.remove(clause)
            continue
        if not _breaks(clauses, {-literal for literal in clause}):
            return False
        clauses.append(clause)
    return _breaks(clauses, set())


def _breaks(clauses: list[set[int]], true: set[int]) -> bool:
    changed = True
    while changed:
        changed = False
        for clause in clauses:
            if not true.isdisjoint(clause):
                continue
            rest = [literal for literal in clause if -literal not in true]
            if not rest:
                return True
            if len(rest) == 1:
                true.add(rest[0])
                changed = True
    return False


def measured(board: BenchBoard, engine: str, repeats: int) -> list[str]:
    """One row of the table."""
    outcome = solve(board.grid, engine, total=board.total, proof=True).outcome
    if not isinstance(outcome, Refuted) or outcome.proof is None:
        raise ValueError(f"{engine} did not refute {board.name}")
    proof, cnf = outcome.proof, encode(board.grid, total=board.total)
    verdict = check_formula_proof(cnf, proof)
    if not isinstance(verdict, Accepted):
        raise TypeError(f"{board.name}: {verdict}")
    finding = min(cpu_seconds(lambda: solve(board.grid, engine, total=board.total)) for _ in range(repeats))
    checking = min(cpu_seconds(lambda: check_formula_proof(cnf, proof)) for _ in range(repeats))
    loop = cpu_seconds(lambda: holds_by_loop(cnf, proof)) if proof.size < LARGEST_FOR_LOOP else None
    return [
        *(board.name, f"{proof.size:,}", f"{finding:.4f}", f"{checking:.4f}"),
        *(f"{checking / finding:.1f}", "" if loop is None else f"{loop / checking:.0f}"),
    ]


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--engine", default="pysat:glucose4", help="who writes the proofs")
    parser.add_argument("--repeats", type=int, default=3, help="the least time of this many calls is shown")
    options = parser.parse_args()
    header = ["board", "steps", "solve s", "check s", "check ÷ solve", "loop ÷ check"]
    print_table(header, [measured(board, options.engine, options.repeats) for board in boards()])


if __name__ == "__main__":
    run_compiled(main)
