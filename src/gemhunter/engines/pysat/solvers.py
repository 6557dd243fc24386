"""The solvers PySAT ships: what each is, and how it can be stopped. Data only; nothing here imports PySAT."""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Literal

Control = Literal["interrupt", "budget", "process"]
"""How a running solver is stopped.

`interrupt`: from another thread. It counts conflicts too, but some check only at restarts.
`budget`: it returns after a number of conflicts and continues with what it has learned at the next call.
`process`: neither, or only once, or too late: with a total, Gluecard takes many seconds to react.
It runs in a process of its own that can be ended.
"""


@dataclass(frozen=True, slots=True)
class PySatSolver:
    """One solver: its name, what it is, its aliases in PySAT, and how it is stopped."""

    name: str
    about: str
    aliases: tuple[str, ...]
    control: Control = "interrupt"
    counts_conflicts: bool = True
    native: bool = False
    """Whether it reads "at most k of these" without clauses."""
    package: str = ""
    """A package it needs beyond PySAT."""
    proofs: bool = False
    """Whether PySAT returns its proofs and they hold; those of MapleCOMSPS_LRB do not."""


_ALL = [
    PySatSolver("cadical103", "CaDiCaL 1.0.3", ("cd", "cd103", "cdl", "cdl103"), "budget", proofs=True),
    PySatSolver("cadical153", "CaDiCaL 1.5.3", ("cd15", "cd153", "cdl15", "cdl153"), "budget", proofs=True),
    PySatSolver("cadical195", "CaDiCaL 1.9.5", ("cd19", "cd195", "cdl19", "cdl195"), "budget", proofs=True),
    PySatSolver("cadical300", "CaDiCaL 3.0.0", ("cd30", "cd300", "cdl30", "cdl300"), "budget", proofs=True),
    PySatSolver(
        "cryptominisat",
        "CryptoMiniSat 5",
        ("cms", "cms5", "crypto", "crypto5", "cryptominisat5", "cryptosat"),
        "process",
        counts_conflicts=False,  # it could, but PySAT 1.9 fails to hand it the limit
        package="pycryptosat",
    ),
    PySatSolver("ergo", "Ergo", (), proofs=True),
    PySatSolver(
        "gluecard3", "Gluecard 3, native cardinality", ("gc3", "gc30", "gluecard30"), "process", native=True
    ),
    PySatSolver(
        "gluecard4", "Gluecard 4, native cardinality", ("gc4", "gc41", "gluecard41"), "process", native=True
    ),
    PySatSolver("glucose3", "Glucose 3.0", ("g3", "g30", "glucose30"), proofs=True),
    PySatSolver("glucose4", "Glucose 4.1", ("g4", "g41", "glucose41"), proofs=True),
    PySatSolver("glucose42", "Glucose 4.2.1", ("g42", "g421", "glucose421"), proofs=True),
    PySatSolver("kissat404", "Kissat 4.0.4", ("ks", "ks4", "kissat", "kissat4"), "process"),
    PySatSolver("lingeling", "Lingeling", ("lgl",), "process", counts_conflicts=False, proofs=True),
    PySatSolver("maplechrono", "MapleLCMDistChronoBT", ("mcb", "chrono", "chronobt"), proofs=True),
    PySatSolver("maplecm", "MapleCM", ("mcm",), proofs=True),
    PySatSolver("maplesat", "MapleCOMSPS_LRB", ("mpl", "maple")),
    PySatSolver("mergesat3", "MergeSat 3.0", ("mg3", "mgs3", "mergesat30")),
    PySatSolver("minicard", "MiniCard 1.2, native cardinality", ("mc", "mcard"), native=True),
    PySatSolver("minisat22", "MiniSat 2.2", ("m22", "msat22")),
    PySatSolver("minisat-gh", "MiniSat 2.2 (GitHub version)", ("mgh", "msat-gh", "minisatgh")),
    PySatSolver("minisat-ep", "MiniSat 2.2 with external propagators", ("mep", "msat-ep", "minisatep")),
]

SOLVERS: Mapping[str, PySatSolver] = MappingProxyType({solver.name: solver for solver in _ALL})

BY_ANY_NAME: Mapping[str, PySatSolver] = MappingProxyType(
    {name: solver for solver in _ALL for name in (solver.name, *solver.aliases)}
)
"""Every solver under its name and all aliases, lower case."""

DEFAULT = "cadical153"
"""It decides most of the hard boards with totals within a few seconds, and is as good as most elsewhere: see
docs/benchmarks.md, by `benchmarks/pysat_solvers.py`."""
