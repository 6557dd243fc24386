"""Settings of an engine, as they follow the colon of its name: `genetic:population=50,elite=2`.

A frozen dataclass lists them with their defaults; its `__post_init__` refuses what makes no sense. A choice
can be written without its key, `backtracking:reading`, and so can a switch, `dpll:pure-literals`.
"""

from dataclasses import fields
from types import MappingProxyType
from typing import Any, Literal, TypeVar, get_args, get_origin, get_type_hints

from gemhunter.errors import InputError, UnknownNameError

Settings = TypeVar("Settings")

SWITCH = MappingProxyType({"yes": True, "on": True, "true": True, "no": False, "off": False, "false": False})
KINDS = MappingProxyType({int: "a whole number", float: "a number", bool: "yes or no"})


def read_settings(kind: type[Settings], engine: str, argument: str) -> Settings:
    """The settings that `argument` spells, the others at their defaults."""
    hints = get_type_hints(kind)
    keys = {name.replace("_", "-"): name for name in hints}
    given: dict[str, object] = {}
    for part in filter(None, (part.strip() for part in argument.split(","))):
        key, equals, text = part.partition("=")
        if not equals:
            key, text = _meant(part, hints)
        if key not in keys:
            raise UnknownNameError(
                f"setting of {engine}", key, [*keys, *_choices(hints)], see="gemhunter engines"
            )
        given[keys[key]] = _value(f"{engine}: {key}", hints[keys[key]], text.strip())
    return kind(**given)


def settings_text(settings: Any) -> str:
    """What has to follow the colon for these settings; empty if all are at their defaults."""
    changed = [field for field in fields(settings) if getattr(settings, field.name) != field.default]
    return ",".join(f"{_spelled(field.name)}={_text(getattr(settings, field.name))}" for field in changed)


def name_with(engine: str, settings: object) -> str:
    """The name of an engine together with the settings that differ from the defaults."""
    text = settings_text(settings)
    return f"{engine}:{text}" if text else engine


def defaults(kind: type[Any]) -> tuple[str, ...]:
    """Every setting with its default, `key=value`."""
    return tuple(f"{_spelled(field.name)}={_text(field.default)}" for field in fields(kind))


def _spelled(name: str) -> str:
    return name.replace("_", "-")


def _text(value: object) -> str:
    return ("no", "yes")[value] if isinstance(value, bool) else str(value)


def _choices(hints: dict[str, Any]) -> list[str]:
    return [choice for hint in hints.values() if get_origin(hint) is Literal for choice in get_args(hint)]


def _meant(word: str, hints: dict[str, Any]) -> tuple[str, str]:
    """What a word without `=` means: the choice that has it among its values, or the switch of that name."""
    for name, hint in hints.items():
        if get_origin(hint) is Literal and word in get_args(hint):
            return _spelled(name), word
    return word, "yes" if hints.get(word.replace("-", "_")) is bool else ""


def _value(what: str, hint: Any, text: str) -> object:
    if get_origin(hint) is Literal:
        if text not in get_args(hint):
            raise UnknownNameError(what, text, get_args(hint), see="gemhunter engines")
        return text
    try:
        return SWITCH[text.lower()] if hint is bool else hint(text)
    except (ValueError, KeyError):
        raise InputError(f"{what} takes {KINDS[hint]}, found {text!r}") from None
