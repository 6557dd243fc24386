"""The settings of an engine, which follow the colon in its name: `genetic:population=50,elite=2`.

A frozen dataclass lists them with their defaults, and its `__post_init__` rejects bad values. A choice can
be written without its key, `backtracking:reading`, and so can a switch, `dpll:pure-literals`.
"""

from collections.abc import Sequence
from dataclasses import fields
from typing import Any, Literal, TypeVar, get_args, get_origin, get_type_hints

from gemhunter.errors import InputError, UnknownNameError

Settings = TypeVar("Settings")

FirstValue = Literal["gem", "trap"]
"""The value that a search tries first; for a variable of a formula, `trap` is true and `gem` is false."""

CLAUSE_MODE = "clauses"
"""The word after the colon that makes an engine search the clauses instead of the board."""


def read_settings(kind: type[Settings], engine: str, argument: str, *, also: Sequence[str] = ()) -> Settings:
    """The settings that `argument` spells; the others have their defaults.

    The caller reads the words of `also` itself; they only serve as corrections of misspelt words.
    """
    hints = get_type_hints(kind)
    keys = {name.replace("_", "-"): name for name in hints}
    given: dict[str, object] = {}
    for part in filter(None, (part.strip() for part in argument.split(","))):
        key, equals, text = part.partition("=")
        if not equals:
            key, text = _meant(part, hints)
        if key not in keys:
            literals = (hint for hint in hints.values() if get_origin(hint) is Literal)
            choices = (choice for hint in literals for choice in get_args(hint))
            known = list(dict.fromkeys([*keys, *choices, *also]))
            raise UnknownNameError(f"setting of {engine}", key, known, see="engines")
        given[keys[key]] = _value(engine, key, hints[keys[key]], text.strip())
    return kind(**given)


def without_word(argument: str, word: str) -> str | None:
    """The rest of `argument` without the setting `word` or `order=word`; None if it has neither."""
    parts = [part.strip() for part in argument.split(",")]
    if any(part.startswith(f"{word}=") for part in parts):
        raise InputError(f"{word} takes no value: write {word} alone")
    others = [part for part in parts if part not in (word, f"order={word}")]
    return None if len(others) == len(parts) else ",".join(others)


def name_with(engine: str, settings: Any) -> str:
    """The name of an engine with the settings that differ from the defaults."""
    both = zip(fields(settings), values(settings), strict=True)
    text = ",".join(setting for field, setting in both if getattr(settings, field.name) != field.default)
    separator = "," if ":" in engine else ":"
    return f"{engine}{separator}{text}" if text else engine


def defaults(kind: type[Any]) -> tuple[str, ...]:
    """Every setting with its default, `key=value`."""
    return values(kind())


def values(settings: Any) -> tuple[str, ...]:
    """Every setting with its value, `key=value`."""
    pairs = ((field.name.replace("_", "-"), getattr(settings, field.name)) for field in fields(settings))
    switch = {True: "yes", False: "no"}
    return tuple(f"{key}={switch[value] if isinstance(value, bool) else value}" for key, value in pairs)


def _meant(word: str, hints: dict[str, Any]) -> tuple[str, str]:
    """The key and value of a word without `=`: a choice with this value, or a switch with this name."""
    for name, hint in hints.items():
        if get_origin(hint) is Literal and word in get_args(hint):
            return name.replace("_", "-"), word
    return word, "yes" if hints.get(word.replace("-", "_")) is bool else ""


def _value(engine: str, key: str, hint: Any, text: str) -> object:
    """The value of a setting; `InputError` if `text` is not one of the type `hint`."""
    if get_origin(hint) is Literal:
        choices = get_args(hint)
        if text in choices:
            return text
        error = UnknownNameError(f"{key} of {engine}", text, choices, see="engines")
        if error.nearest:
            raise error
        raise InputError(f"{engine}: {key} is {', '.join(choices[:-1])} or {choices[-1]}, not {text!r}")
    kind = {int: "a whole number", float: "a number", bool: "yes or no"}[hint]
    switch = {"yes": True, "on": True, "true": True, "no": False, "off": False, "false": False}
    try:
        value = switch[text.lower()] if hint is bool else hint(text)
    except (ValueError, KeyError):
        raise InputError(f"{engine}: {key} takes {kind}, found {text!r}") from None
    most = 2**62  # kernels add to some of these numbers, in 64 bits
    if hint is int and not -most <= value <= most:
        raise InputError(f"{engine}: {key} takes {kind} from {-most} to {most}, found {text!r}")
    return value
