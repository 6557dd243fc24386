"""Which values the next cell of a part of the board can take, given those before it in reading order."""

from collections.abc import Callable

import numpy as np

from gemhunter.queries.open_clauses import Slack
from gemhunter.solving.outcomes import GaveUp
from gemhunter.solving.protocols import Satisfied
from gemhunter.solving.session import SatSession

FREE = 0
"""Stands where a touched cell has its variable."""


class FreePart:
    """One cell that nothing constrains."""

    def __init__(self) -> None:
        self.values: list[bool] = []

    def may_be(self, *, trap: bool) -> bool | GaveUp:  # noqa: ARG002 - as a part with clauses is asked
        """Always."""
        return True

    def push(self, *, trap: bool) -> None:
        """The next cell gets a value."""
        self.values.append(trap)

    def pop(self) -> bool:
        """The last cell loses its value."""
        return self.values.pop()


class ClausePart:
    """Cells that clauses constrain, in reading order; the first of them have `values`.

    `variables` has the variable of each cell, or `FREE`. Invariant: `values` can be completed to a solution,
    and `_model` is one that agrees with the first `_agreed` of them.
    """

    def __init__(
        self,
        open_session: Callable[[], SatSession],
        variables: list[int],
        model: list[bool],
        *,
        slack: Slack | None = None,
        remembers: int = 0,
    ) -> None:
        """`model` is a solution; `remembers` is how many answers to keep."""
        self.values: list[bool] = []
        self._open_session = open_session
        self._variables = variables
        self._model = model
        self._agreed = 0
        self._slack = slack
        self._free_left = variables.count(FREE)
        self._free_traps = 0
        self._literals: list[int] = []
        self._prefix = 1
        self._remembers = remembers
        self._remembered: dict[int, bool] = {}

    def may_be(self, *, trap: bool) -> bool | GaveUp:
        """Whether a solution has these values and `trap` as the next."""
        at = len(self.values)
        if self._agreed == at and self._model[at] == trap:
            return True
        key = self._prefix << 1 | trap
        if key in self._remembered:
            return self._remembered[key]
        answer = self._ask(trap=trap)
        if not isinstance(answer, GaveUp):
            self._remember(key, answer)
        return answer

    def push(self, *, trap: bool) -> None:
        """The next cell gets a value."""
        at = len(self.values)
        if self._agreed == at and self._model[at] == trap:
            self._agreed += 1
        self.values.append(trap)
        self._prefix = self._prefix << 1 | trap
        if self._variables[at] == FREE:
            self._free_left -= 1
            self._free_traps += trap
        else:
            self._literals.append(self._variables[at] if trap else -self._variables[at])

    def pop(self) -> bool:
        """The last cell loses its value."""
        trap = self.values.pop()
        at = len(self.values)
        self._agreed = min(self._agreed, at)
        self._prefix >>= 1
        if self._variables[at] == FREE:
            self._free_left += 1
            self._free_traps -= trap
        else:
            self._literals.pop()
        return trap

    def _ask(self, *, trap: bool) -> bool | GaveUp:
        self.push(trap=trap)
        assumptions = self._assumptions()
        answer = None if assumptions is None else self._open_session().ask(assumptions)
        if isinstance(answer, Satisfied):
            self._model = self._completed(answer.model.tolist())
        self.pop()
        if isinstance(answer, Satisfied):
            self._agreed = len(self.values)
            return True
        return answer if isinstance(answer, GaveUp) else False

    def _assumptions(self) -> list[int] | None:
        """What the values so far say, and that the free cells to come can make up the total."""
        if self._slack is None:
            return self._literals
        bounds = self._slack.between(self._free_traps, self._free_traps + self._free_left)
        return None if bounds is None else self._literals + bounds

    def _completed(self, literals: list[int]) -> list[bool]:
        """The solution in a model; the free cells to come that are traps are the last ones."""
        model = [variable != FREE and literals[variable - 1] > 0 for variable in self._variables]
        model[: len(self.values)] = self.values
        if self._slack is not None:
            slack = self._slack
            counted = literals[slack.first - 1 : slack.first - 1 + slack.size]
            traps = slack.least + int(np.count_nonzero(np.array(counted) > 0)) - self._free_traps
            free = [at for at in range(len(self.values), len(model)) if self._variables[at] == FREE]
            for at in free[len(free) - traps :]:
                model[at] = True
        return model

    def _remember(self, key: int, answer: bool) -> None:
        if self._remembers:
            if len(self._remembered) >= self._remembers:
                self._remembered.clear()
            self._remembered[key] = answer
