"""Answers in JSON: results as `solve` prints them, or whatever else students' programs write."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from gemhunter.formats.claims import Claim
from gemhunter.formats.json_boards import looks_like_json

DEEPEST_DOCUMENT = 20
"""Lists and objects inside each other; what is deeper is no answer."""

CLAIMS = MappingProxyType({"refuted": Claim.NO_SOLUTION, "gave-up": Claim.GAVE_UP, "failed": Claim.GAVE_UP})
"""What the outcomes of a result claim; `solved` comes with a grid."""


@dataclass(frozen=True, slots=True)
class JsonAnswer:
    """Lines that say what a document says, or the claim of a result; `is_result` if `solve` wrote it."""

    label: str
    lines: tuple[str, ...]
    claim: Claim | None
    is_result: bool


def json_answers(text: str) -> list[JsonAnswer] | None:
    """The answers in a JSON text, or in one with a document per line; None if it is not JSON."""
    document = _load(text)
    if document is None:
        return None
    results = document if isinstance(document, list) else [document]
    if not all(isinstance(result, dict) and "outcome" in result for result in results):
        return [JsonAnswer("", tuple(_lines(document)), None, is_result=False)]
    return [_result(result) for result in results]


def _result(result: dict[str, Any]) -> JsonAnswer:
    lines = tuple(_lines(result.get("grid")))
    return JsonAnswer(
        str(result.get("engine", "")), lines, CLAIMS.get(str(result["outcome"])), is_result=True
    )


def _load(text: str) -> Any:
    if not looks_like_json(text):
        return None
    for parts in ([text], [line for line in text.splitlines() if line.strip()]):
        try:
            documents = [json.loads(part.removeprefix("\ufeff")) for part in parts]
        except (ValueError, RecursionError):
            continue
        return documents[0] if len(documents) == 1 else documents
    return None


def _lines(value: Any, depth: int = 0) -> Iterator[str]:
    """A row per list of cells and per text; a key is the heading of what it holds."""
    if depth > DEEPEST_DOCUMENT:
        return
    if isinstance(value, dict):
        for key, held in value.items():
            if isinstance(held, list | dict):
                yield "" if key == "grid" else f"[{key}]"
                yield from _lines(held, depth + 1)
                yield ""
            else:
                yield f"{key}: {held}"
    elif isinstance(value, list) and value and not any(isinstance(entry, list | dict) for entry in value):
        yield from [", ".join(map(_cell, value))] if _is_row(value) else map(_cell, value)
    elif isinstance(value, list):
        for entry in value:
            yield from _lines(entry, depth + 1)
    elif value is not None:
        yield str(value)


def _is_row(entries: list[Any]) -> bool:
    """Whether a list holds cells, and not texts for whole rows."""
    return not all(isinstance(entry, str) and len(entry) > 1 for entry in entries)


def _cell(entry: Any) -> str:
    return "_" if entry is None else str(entry).strip()
