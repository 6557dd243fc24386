"""The API conforms to its schema for any request."""

from typing import Any

import pytest
import schemathesis
from hypothesis import given, settings
from schemathesis import BaseSchema, Case, GenerationMode
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    negative_data_rejection,
    response_schema_conformance,
    status_code_conformance,
)

from web_server import BOARD, PATIENCE_SECONDS, WebServer

GAME = "5x6n5#3"
EXAMPLES = pytest.mark.parametrize("examples", [3, pytest.param(20, marks=pytest.mark.full)])
"""How many examples each question gets; they are the same in every run."""
TOO_LARGE = 413
"""The answer to a request that is not even read; Schemathesis does not count it as a refusal."""

BOARDS = ["analyse", "solutions", "advise", "explain", "explain-cell", "hint", "check", "export", "clauses"]
BOARDS += ["trace", "trace-graph"]
GAMES = ["play", "play/hint", "play/risks", "play/turn"]
SHORT = ["about", "read", *BOARDS, *GAMES, "play/id", "generate/sheet"]
LONG = ["compare", "report", "play/review", "play/watch", "generate/puzzles", "generate/game"]
"""Questions whose answers may take long; they only get requests that must be refused."""

CHECKS = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_schema_conformance,
    negative_data_rejection,
]


@pytest.fixture(scope="module", name="schema")
def schema_of_server(server: WebServer) -> BaseSchema:
    return schemathesis.openapi.from_url(f"{server.address}api/v1/openapi.json")


def ask_anything(schema: BaseSchema, path: str, mode: GenerationMode, examples: int, **known: Any) -> None:
    """Ask a question with bodies that the schema allows, or forbids, and with some known fields."""
    operation = schema[f"/api/v1/{path}"]["GET" if path == "about" else "POST"]

    @settings(max_examples=examples)
    @given(operation.as_strategy(generation_mode=mode))
    def ask(case: Case[Any]) -> None:
        if known:
            assert isinstance(case.body, dict)
            case.body.update(known)
        response = case.call(timeout=PATIENCE_SECONDS)
        is_refused_unread = response.status_code == TOO_LARGE
        checks = [check for check in CHECKS if check is not negative_data_rejection or not is_refused_unread]
        case.validate_response(response, checks=checks)

    ask()


def test_every_question_of_the_schema_is_asked_here(schema: BaseSchema) -> None:
    asked = {f"/api/v1/{path}" for path in (*SHORT, *LONG)}
    assert {path for path in schema if path.startswith("/api/")} == asked


@EXAMPLES
@pytest.mark.parametrize("path", SHORT)
def test_what_the_schema_allows_is_answered_as_it_says(schema: BaseSchema, path: str, examples: int) -> None:
    ask_anything(schema, path, GenerationMode.POSITIVE, examples)


@EXAMPLES
@pytest.mark.parametrize("path", BOARDS)
def test_odd_questions_about_a_good_board_are_answered_as_the_schema_says(
    schema: BaseSchema, path: str, examples: int
) -> None:
    known = {"filled": BOARD} if path == "check" else {}
    ask_anything(schema, path, GenerationMode.POSITIVE, examples, grid=BOARD, **known)


@EXAMPLES
@pytest.mark.parametrize("path", GAMES)
def test_odd_questions_about_a_good_game_are_answered_as_the_schema_says(
    schema: BaseSchema, path: str, examples: int
) -> None:
    ask_anything(schema, path, GenerationMode.POSITIVE, examples, id=GAME)


@EXAMPLES
@pytest.mark.parametrize("path", [path for path in (*SHORT, *LONG) if path != "about"])
def test_what_the_schema_forbids_is_refused(schema: BaseSchema, path: str, examples: int) -> None:
    ask_anything(schema, path, GenerationMode.NEGATIVE, examples)
