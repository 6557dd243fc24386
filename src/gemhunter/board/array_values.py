"""What frozen dataclasses with arrays have in common: read-only copies, and equality by content."""

from typing import Any, ClassVar

import numpy as np


class ReadOnlyArrays:
    """A frozen dataclass whose arrays are read-only, as are those of its pickled and deep copies."""

    __slots__ = ()

    __match_args__: ClassVar[tuple[str, ...]]  # the arguments of the constructor, which a dataclass lists

    def __post_init__(self) -> None:
        for name in self.__match_args__:
            if isinstance(value := getattr(self, name), np.ndarray):
                value.setflags(write=False)

    def __reduce__(self) -> tuple[Any, ...]:
        # A copy of an array can be written to until the constructor of the copied value has seen it.
        return type(self), tuple(getattr(self, name) for name in self.__match_args__)


class ArrayValue(ReadOnlyArrays):
    """A value that is equal to another of its class if their arrays and their other fields are equal."""

    __slots__ = ()

    def _content(self) -> tuple[Any, ...]:
        values = (getattr(self, name) for name in self.__match_args__)
        return tuple(
            (value.shape, value.tobytes()) if isinstance(value, np.ndarray) else value for value in values
        )

    def __eq__(self, other: object) -> bool:
        return type(other) is type(self) and self._content() == other._content()

    def __hash__(self) -> int:
        return hash(self._content())
