"""A program that runs pyapproxmc: FOLDER EPSILON DELTA SEED.

It reads `formula.npz` in the folder and writes `count` there. It is a program because ApproxMC cannot be
stopped from within its process, and imports nothing from the package so that it starts quickly.
"""

import sys
from pathlib import Path

import numpy as np


def main(folder: str, epsilon: str, delta: str, seed: str) -> None:
    """Estimate the number of models of the saved clauses, projected onto the saved variables."""
    from pyapproxmc import Counter

    saved = np.load(Path(folder) / "formula.npz")
    counter = Counter(seed=int(seed), epsilon=float(epsilon), delta=float(delta))
    counter.add_clauses(saved["clauses"])
    cells, hashes = counter.count(saved["projection"].tolist())
    (Path(folder) / "count").write_text(str(cells << hashes), encoding="ascii")


if __name__ == "__main__":
    main(*sys.argv[1:])
