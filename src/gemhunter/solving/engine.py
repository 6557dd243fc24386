"""What an engine is: its interfaces, the settings after its name, and SAT solvers as engines."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields
from importlib.util import find_spec
from types import MappingProxyType
from typing import (
    Any,
    Literal,
    NoReturn,
    Protocol,
    TypeAlias,
    TypeVar,
    get_args,
    get_origin,
    get_type_hints,
    runtime_checkable,
)

import numpy as np
from numpy.typing import NDArray

from gemhunter.board.puzzle import Puzzle
from gemhunter.board.solution import Solution
from gemhunter.cnf.drat import Proof
from gemhunter.cnf.encode import Numbering, encode, encode_puzzle, encoding_bytes
from gemhunter.cnf.formula import Cnf
from gemhunter.errors import InputError, TooLargeError, UnknownNameError
from gemhunter.solving.events import Event
from gemhunter.solving.outcomes import GaveUp, Outcome, Solved, StopReason, refuted_by_engine
from gemhunter.solving.run import Run

# The interfaces of an engine: what it takes, what it returns, and what it says about itself.


@dataclass(frozen=True, slots=True)
class EngineInfo:
    """Facts about an engine that are known without running it."""

    name: str
    about: str
    complete: bool = True
    """Whether it decides every board, given time: it gives up only at a limit."""
    deterministic: bool = True
    """Whether the same board, seed and step limit give the same answer."""
    step: str = ""
    """What a step is, such as a conflict; empty for an engine that cannot keep a step limit."""
    time_limit: bool = True
    """Whether it can keep a time limit."""
    memory_limit: bool = False
    """Whether it can keep a memory limit."""
    proofs: bool = False
    """Whether its refutations come with a proof on request."""
    own_process: bool = False
    """Whether every call starts a process."""
    settings: tuple[str, ...] = ()
    """What can follow the colon of its name, `key=value` with the defaults."""
    is_trusted: bool = True
    """Whether it is believed that a board has no solution; otherwise another engine is asked as well."""
    package: str = ""
    """An optional package that it needs; empty if it needs none."""

    @property
    def is_installed(self) -> bool:
        """Whether the package that it needs is installed."""
        return not self.package or find_spec(self.package) is not None

    @property
    def limits(self) -> tuple[str, ...]:
        """The limits it honours, by the names of the arguments that set them."""
        kept = {"time": self.time_limit, "steps": bool(self.step), "memory": self.memory_limit}
        return tuple(name for name, keeps in kept.items() if keeps)


@runtime_checkable
class Engine(Protocol):
    """Reads regions, answers with an outcome.

    Settings go to the constructor, the puzzle to the call. Nothing is kept between calls, nothing printed.
    """

    @property
    def info(self) -> EngineInfo:
        """What this engine is."""

    def solve(self, puzzle: Puzzle, run: Run) -> Outcome:
        """Find a solution, show that there is none, or give up when `run` says so."""


@runtime_checkable
class TracingEngine(Protocol):
    """An engine that can report its search step by step."""

    def trace(self, puzzle: Puzzle, run: Run) -> Iterator[Event]:
        """Everything that happens, in order; the last event is the answer."""


class _SolverAnswer:
    """Raises for `if answer:`, which would mix up "no" and "don't know"."""

    __slots__ = ()

    def __bool__(self) -> NoReturn:
        raise TypeError("an answer is neither true nor false; match it: Satisfied, Unsatisfiable or GaveUp")


@dataclass(frozen=True, slots=True, eq=False)
class Satisfied(_SolverAnswer):
    """A model: the literals that are true."""

    model: NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Unsatisfiable(_SolverAnswer):
    """No assignment satisfies all clauses; `proof` shows it, where one was asked for."""

    proof: Proof | None = None


SatAnswer: TypeAlias = Satisfied | Unsatisfiable | GaveUp


@runtime_checkable
class CnfSolver(Protocol):
    """Reads clauses, answers with a model; the registry makes it an `Engine`."""

    @property
    def info(self) -> EngineInfo:
        """What this solver is."""

    def solve_cnf(self, cnf: Cnf, run: Run) -> SatAnswer:
        """Find a model, show that there is none, or give up when `run` says so."""


@runtime_checkable
class TracingSolver(Protocol):
    """A solver that can report its search step by step; `questions.trace` encodes the board for it."""

    def trace_cnf(self, cnf: Cnf, run: Run) -> Iterator[Event]:
        """Everything that happens, in order; the last event is the answer."""


# The adapter from clauses to boards: it makes any SAT solver an engine.


@dataclass(frozen=True, slots=True)
class CnfEngine:
    """Encodes the puzzle, lets the solver find a model, and reads the solution off it.

    With `variables="all"` every cell has a variable, shown cells have a unit clause each, and repeated
    clauses are kept.
    """

    solver: CnfSolver
    encoding: str = "binomial"
    variables: Numbering = "hidden"

    @property
    def info(self) -> EngineInfo:
        """What the solver says about itself."""
        return self.solver.info

    def encode(self, puzzle: Puzzle) -> Cnf:
        """The clauses for the solver."""
        if self.variables == "hidden":
            return encode_puzzle(puzzle, self.encoding)
        return encode(puzzle.grid, self.encoding, "all", total=puzzle.total, keep_duplicates=True)

    def solve(self, puzzle: Puzzle, run: Run) -> Outcome:
        """Solve by way of clauses; a formula that would exceed the memory limit is not built."""
        if run.limits.memory is not None and not run.fits(encoding_bytes(puzzle, self.encoding)):
            return GaveUp(StopReason.MEMORY, "the clauses would not fit")
        try:
            with run.stage("encode"):
                cnf = self.encode(puzzle)
        except TooLargeError as error:
            return GaveUp(StopReason.MEMORY, str(error))
        run.count(variables=cnf.variables, clauses=cnf.size)
        if reason := run.spend():
            return GaveUp(reason)
        if not cnf.size:
            # Nothing to satisfy, nothing to ask: MapleSAT crashes on a formula without clauses.
            return Solved(Solution(np.zeros(puzzle.hidden.size, bool)))
        answer = self.solver.solve_cnf(cnf, run)
        if self.variables == "all" and isinstance(answer, Satisfied):
            return Solved(Solution(np.isin(puzzle.hidden + 1, answer.model)))
        return outcome_of(answer, puzzle, self.info)


def outcome_of(answer: SatAnswer, puzzle: Puzzle, engine: EngineInfo) -> Outcome:
    """The outcome for a puzzle whose hidden cells are the variables 1..n of a solver's answer."""
    match answer:
        case Satisfied(model):
            return Solved(Solution.of_model(model, puzzle.hidden.size))
        case Unsatisfiable(proof):
            return refuted_by_engine(engine.name, proof)
        case GaveUp() as gave_up:
            return gave_up


# Settings of an engine, as they follow the colon of its name: `genetic:population=50,elite=2`.
#
# A frozen dataclass lists them with their defaults; its `__post_init__` refuses what makes no sense. A
# choice can be written without its key, `backtracking:reading`, and so can a switch, `dpll:pure-literals`.


Settings = TypeVar("Settings")

FirstValue = Literal["gem", "trap"]

CLAUSE_MODE = "clauses"
"""The word after the colon that makes an engine for boards search the clauses instead."""
"""What a search tries first for a cell; true, which is a trap, or false for a variable of a formula."""

SWITCH = MappingProxyType({"yes": True, "on": True, "true": True, "no": False, "off": False, "false": False})
LARGEST_SETTING = 2**62
"""Kernels add to some of these numbers, in 64 bits."""

SETTING_KINDS = MappingProxyType({int: "a whole number", float: "a number", bool: "yes or no"})


def read_settings(kind: type[Settings], engine: str, argument: str, *, also: Sequence[str] = ()) -> Settings:
    """The settings that `argument` spells, the others at their defaults.

    `also` are words that the caller reads, named here only as possible corrections of a misspelt one.
    """
    hints = get_type_hints(kind)
    keys = {name.replace("_", "-"): name for name in hints}
    given: dict[str, object] = {}
    for part in filter(None, (part.strip() for part in argument.split(","))):
        key, equals, text = part.partition("=")
        if not equals:
            key, text = _meant(part, hints)
        if key not in keys:
            known = list(dict.fromkeys([*keys, *_choices(hints), *also]))
            raise UnknownNameError(f"setting of {engine}", key, known, see="engines")
        given[keys[key]] = _value(f"{engine}: {key}", hints[keys[key]], text.strip())
    return kind(**given)


def without_word(argument: str, word: str) -> str | None:
    """The other settings of `argument` if `word`, or `order=word`, is one of them; None if it is not."""
    parts = [part.strip() for part in argument.split(",")]
    if any(part.startswith(f"{word}=") for part in parts):
        raise InputError(f"{word} takes no value: write {word} alone")
    others = [part for part in parts if part not in (word, f"order={word}")]
    return None if len(others) == len(parts) else ",".join(others)


def settings_text(settings: Any) -> str:
    """The text after the colon for these settings; empty if all are at their defaults."""
    changed = [field for field in fields(settings) if getattr(settings, field.name) != field.default]
    return ",".join(f"{_spelled(field.name)}={_text(getattr(settings, field.name))}" for field in changed)


def name_with(engine: str, settings: object) -> str:
    """The name of an engine together with the settings that differ from the defaults."""
    text = settings_text(settings)
    separator = "," if ":" in engine else ":"
    return f"{engine}{separator}{text}" if text else engine


def defaults(kind: type[Any]) -> tuple[str, ...]:
    """Every setting with its default, `key=value`."""
    return tuple(f"{_spelled(field.name)}={_text(field.default)}" for field in fields(kind))


def values(settings: Any) -> tuple[str, ...]:
    """Every setting with the value it has here, `key=value`."""
    return tuple(
        f"{_spelled(field.name)}={_text(getattr(settings, field.name))}" for field in fields(settings)
    )


def _spelled(name: str) -> str:
    return name.replace("_", "-")


def _text(value: object) -> str:
    return ("no", "yes")[value] if isinstance(value, bool) else str(value)


def _choices(hints: dict[str, Any]) -> list[str]:
    return [choice for hint in hints.values() if get_origin(hint) is Literal for choice in get_args(hint)]


def _meant(word: str, hints: dict[str, Any]) -> tuple[str, str]:
    """Key and value of a word without `=`: a choice that has this value, or the switch of that name."""
    for name, hint in hints.items():
        if get_origin(hint) is Literal and word in get_args(hint):
            return _spelled(name), word
    return word, "yes" if hints.get(word.replace("-", "_")) is bool else ""


def _value(what: str, hint: Any, text: str) -> object:
    if get_origin(hint) is Literal:
        return _choice(what, get_args(hint), text)
    try:
        value = SWITCH[text.lower()] if hint is bool else hint(text)
    except (ValueError, KeyError):
        raise InputError(f"{what} takes {SETTING_KINDS[hint]}, found {text!r}") from None
    if hint is int and not -LARGEST_SETTING <= value <= LARGEST_SETTING:
        raise InputError(
            f"{what} takes {SETTING_KINDS[hint]} from {-LARGEST_SETTING} to {LARGEST_SETTING}, found {text!r}"
        )
    return value


def _choice(what: str, choices: tuple[str, ...], text: str) -> str:
    if text in choices:
        return text
    engine, _, key = what.partition(": ")
    error = UnknownNameError(f"{key} of {engine}", text, choices, see="engines")
    if error.nearest:
        raise error
    raise InputError(f"{what} is {', '.join(choices[:-1])} or {choices[-1]}, not {text!r}")
