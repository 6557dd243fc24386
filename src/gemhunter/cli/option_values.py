"""The options of a command as one typed value."""

from collections.abc import Callable
from dataclasses import fields
from functools import wraps
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

Returned = TypeVar("Returned")


def options_as(
    kind: "type[DataclassInstance]", parameter: str = "options"
) -> Callable[[Callable[..., Returned]], Callable[..., Returned]]:
    """Hand a command those options that are fields of the dataclass `kind` as one value, `parameter`.

    This decorator stands below those of the options.
    """
    names = {field.name for field in fields(kind)}

    def decorate(command: Callable[..., Returned]) -> Callable[..., Returned]:
        @wraps(command)
        def with_options(**given: Any) -> Returned:
            value = kind(**{name: given.pop(name) for name in names})
            return command(**given, **{parameter: value})

        return with_options

    return decorate
