"""`gemhunter engines` as people run it."""

import csv
import importlib.util
import io
import json
from typing import Any

import pytest

from gemhunter.cli.main import run
from gemhunter.solving.registry import engine_names

Captured = pytest.CaptureFixture[str]


@pytest.fixture
def no_ortools(monkeypatch: pytest.MonkeyPatch) -> None:
    """Pretend that OR-Tools is not installed."""
    find = importlib.util.find_spec

    def pretend(name: str, package: str | None = None) -> Any:
        return None if name == "ortools" else find(name, package)

    monkeypatch.setattr("gemhunter.solving.engine.find_spec", pretend)


def test_the_list_fits_into_80_columns_and_names_every_engine(capsys: Captured) -> None:
    assert run(["engines"]) == 0
    out = capsys.readouterr().out
    assert max(map(len, out.splitlines())) <= 80
    together = "".join(line[:22].strip() for line in out.splitlines())
    assert [name for name in engine_names() if name not in together] == []


def test_engines_are_grouped_by_whose_they_are(capsys: Captured) -> None:
    run(["engines"])
    groups = {part.splitlines()[0]: part for part in capsys.readouterr().out.split("\n\n")[1:]}
    assert list(groups) == ["written here", "PySAT's solvers", "others"]
    assert "\n  cdcl " in groups["written here"]
    assert "\n  pysat:glucose4 " in groups["PySAT's solvers"]
    assert "\n  cp-sat " in groups["others"]


@pytest.mark.usefixtures("no_ortools")
def test_an_engine_that_is_not_installed_is_marked(capsys: Captured) -> None:
    run(["engines"])
    words = " ".join(capsys.readouterr().out.split())
    assert "linear equations (not installed: needs the package ortools)" in words
    run(["engines", "cp-sat", "--format", "json"])
    (record,) = json.loads(capsys.readouterr().out)
    assert (record["package"], record["installed"]) == ("ortools", False)


def test_one_engine_is_shown_in_full(capsys: Captured) -> None:
    assert run(["engines", "dpll"]) == 0
    name, *lines = capsys.readouterr().out.splitlines()
    assert name == "dpll"
    assert "  limits       time, steps, memory" in lines
    assert "  step         decision" in lines
    assert lines[-1] == "  settings     order=shortest, value=gem, pure-literals=no, depth=0 by default"


def test_an_alias_shows_the_engine_it_stands_for(capsys: Captured) -> None:
    run(["engines", "pysat:g4"])
    assert capsys.readouterr().out.startswith("pysat:glucose4\n")


@pytest.mark.parametrize("form", ["json", "csv", "md"])
def test_every_form_lists_all_engines(form: str, capsys: Captured) -> None:
    assert run(["engines", "--format", form]) == 0
    out = capsys.readouterr().out
    match form:
        case "json":
            names = [record["name"] for record in json.loads(out)]
        case "csv":
            names = [row["name"] for row in csv.DictReader(io.StringIO(out))]
        case _:
            names = [line.split("|")[1].strip() for line in out.splitlines()[2:]]
    assert names == engine_names()


def test_engines_say_what_they_read(capsys: Captured) -> None:
    run(["engines", "--format", "json"])
    reads = {record["name"]: record["reads"] for record in json.loads(capsys.readouterr().out)}
    assert (reads["cdcl"], reads["auto"], reads["pysat:minicard"]) == ("clauses", "board", "board")


def test_quiet_leaves_the_note_out(capsys: Captured) -> None:
    run(["engines"])
    assert capsys.readouterr().err.startswith("gemhunter engines NAME shows")
    run(["engines", "--quiet"])
    assert capsys.readouterr().err == ""
