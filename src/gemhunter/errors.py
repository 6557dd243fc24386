"""Everything that can go wrong, as one tree.

GemHunterError
├── InputError            input that cannot be used
│   ├── BoardError        a board that cannot be read; lists every fault
│   ├── FormulaError      a formula that cannot be read; says where
│   ├── ModelError        a solver's output that cannot be read as a model
│   ├── ProofError        a proof that cannot be read; says where
│   ├── UnknownNameError  no engine or encoding of that name; suggests the nearest
│   └── TooLargeError     clauses that would not fit into memory
├── EngineError           an engine could not do its work: missing program, crash, garbage
└── WrongAnswerError      an engine's solution broke a clue; it is not shown to anyone

No solution and running out of time are outcomes, not errors.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from numbers import Real
from operator import index
from typing import Any

from gemhunter.printable import printable_lines, shown
from gemhunter.wording import program_name

FAULTS_SHOWN = 20
FAULTS_COLLECTED = 1000
"""Reading stops after this many, so that a large file of another kind does not fill the memory."""


class GemHunterError(Exception):
    """Any error that Gem Hunter raises on purpose; its text can be printed whatever it quotes."""

    def __str__(self) -> str:
        return printable_lines(super().__str__())

    def __reduce__(self) -> tuple[Any, ...]:
        # A copy is made without the constructor, because an error does not keep the constructor's arguments.
        return type(self).__new__, (type(self),), {**self.__dict__, "args": self.args}


class InputError(GemHunterError):
    """Input that cannot be used; `field` is the part of it to correct, if one is known by a name."""

    def __init__(self, message: str, *, field: str | None = None) -> None:
        super().__init__(message)
        self.field = field


@dataclass(frozen=True, slots=True, order=True)
class Fault:
    """An error at a place in a text; line and column count from 1, and 0 means all of it."""

    line: int
    column: int
    message: str

    def place(self, source: str) -> str:
        """The place of the fault, as `source:line:column`."""
        return ":".join([source, *(str(number) for number in (self.line, self.column) if number)])


class BoardError(InputError):
    """A board that cannot be read, with all of its faults."""

    def __init__(self, faults: Sequence[Fault], source: str = "board") -> None:
        """`source` names the file in the message."""
        self.faults = tuple(faults)
        self.source = source
        lines = [f"{fault.place(source)}: {fault.message}" for fault in self.faults[:FAULTS_SHOWN]]
        if len(self.faults) > FAULTS_SHOWN:
            lines.append(f"{source}: faults not shown: {len(self.faults) - FAULTS_SHOWN}")
        super().__init__("\n".join(lines))


def board_error(message: str, source: str) -> BoardError:
    """An error about a whole board, not a place in it."""
    return BoardError([Fault(0, 0, message)], source)


class FormulaError(InputError):
    """A formula that cannot be read, with its first fault."""

    def __init__(self, fault: Fault, source: str = "formula") -> None:
        """`source` names the file in the message."""
        self.fault, self.source = fault, source
        super().__init__(f"{fault.place(source)}: {fault.message}")


class ModelError(InputError):
    """A solver's output that cannot be read as a model of this board."""


class ProofError(InputError):
    """A proof that cannot be read."""

    def __init__(self, place: str, message: str, source: str = "proof") -> None:
        """`place` is `line 3` of a text or `offset 17` of a binary file, `source` names the file."""
        self.place, self.message, self.source = place, message, source
        super().__init__(f"{source}: {place}: {message}")


class UnknownNameError(InputError):
    """An unknown name of an engine, an encoding or the like; the message lists the names if they are few."""

    def __init__(
        self, kind: str, name: str, known: Iterable[str], see: str = "", *, field: str | None = None
    ) -> None:
        """`known` are the valid names; `see` is the command that lists them, such as `engines`."""
        self.kind, self.name, self.known, self.see = kind, name, tuple(known), see
        self.nearest = tuple(get_close_matches(name.lower(), self.known, n=3, cutoff=0.55))
        guess = f"; did you mean {' or '.join(map(repr, self.nearest))}?" if self.nearest else ""
        # If there are more, only the nearest are suggested; `see` lists them all.
        listed = f"known: {', '.join(self.known)}" if 0 < len(self.known) <= 20 else ""
        where = "; ".join(filter(None, (listed, f"see: {program_name()} {see}" if see else "")))
        super().__init__(f"no {kind} named {name!r}{guess}" + (f" ({where})" if where else ""), field=field)


class TooLargeError(InputError):
    """Clauses that would not fit into memory."""


class EngineError(GemHunterError):
    """An engine could not do its work: a missing program, a crash, output that is not an answer."""


class WrongAnswerError(GemHunterError):
    """An engine returned a solution that breaks a clue."""


# Numbers from callers: an invalid one is an error that says what was expected.


LARGEST_SEED = 2**63 - 1


def whole_number(value: Any, what: str, low: int, high: int | None = None) -> int:
    """A number of Python or NumPy as an `int`; an error unless it is whole, and from `low` to `high`."""
    try:
        # NumPy's booleans are not accepted by `index`, Python's are.
        number = None if isinstance(value, bool) else index(value)
    except TypeError:
        number = None
    if number is None or number < low or (high is not None and number > high):
        expected = f"≥ {low}" if high is None else f"from {low} to {high}"
        raise InputError(f"{what} must be a whole number {expected}, not {shown(value)}")
    return number


def require_seconds(value: Any) -> None:
    """Raise an error unless this is a number of seconds above 0, which may be infinite."""
    is_number = isinstance(value, Real) and not isinstance(value, bool)
    if not is_number or not float(value) > 0:
        raise InputError(f"a time limit must be a number of seconds above 0, not {shown(value)}")
