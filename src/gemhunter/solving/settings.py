"""Settings of an engine, as they follow the colon of its name: `genetic:population=50,elite=2`.

A frozen dataclass lists them with their defaults; its `__post_init__` refuses what makes no sense. A choice
can be written without its key, `backtracking:reading`, and so can a switch, `dpll:pure-literals`.
"""

from collections.abc import Sequence
from dataclasses import fields
from types import MappingProxyType
from typing import Any, Literal, TypeVar, get_args, get_origin, get_type_hints

from gemhunter.errors import InputError, UnknownNameError

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
