"""The process that runs a solver that the user has written: `python -m …python_file_child FILE NAME CELLS`.

It imports the file once and then answers each board, a line of JSON, with lines of JSON. What the solver
prints is discarded, and it has no input to read. If it finds the pipe of the answers and writes into it, its
lines lack the key that begins each of ours. Nothing here needs NumPy, so the process starts quickly.
"""

import importlib
import importlib.util
import inspect
import json
import os
import re
import sys
import traceback
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from queue import SimpleQueue
from threading import Thread
from time import perf_counter
from types import GeneratorType, ModuleType
from typing import Any

from gemhunter.work.memory import address_space, limit_address_space

CLAUSE_NAMES = re.compile(r"cnf|clause|formula|knowledge|\bkb\b|^kb", re.IGNORECASE)
"""What people call a parameter that is a list of clauses; any other first parameter is a board."""

COUNTER_NAMES = {
    "decide": "decisions",
    "imply": "implications",
    "conflict": "conflicts",
    "backtrack": "backtracks",
    "learn": "learned",
    "node": "nodes",
    "attempt": "attempts",
}
"""The names of the counters of such events; other events are counted under their first word."""


class SolverFaultError(Exception):
    """What is wrong with the solver, in words for its author."""


class ClauseList(list[list[int]]):
    """A list of clauses that can also be used like PySAT's `CNF`."""

    nv = 0

    @property
    def clauses(self) -> "ClauseList":
        """The clauses themselves."""
        return self


def main() -> None:
    """Import the file that the command line names, then answer questions until there are no more."""
    file, name, cells = Path(sys.argv[1]), sys.argv[2], sys.argv[3]
    # The solver may print and ask for input, so our own lines go through copies that it does not know of.
    questions, answers = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    nothing = os.open(os.devnull, os.O_RDWR)
    os.dup2(nothing, 0)
    os.dup2(nothing, 1)
    sys.argv = [str(file)]
    key, process = questions.readline().strip(), os.getpid()

    def say(answer: Mapping[str, Any]) -> None:
        if os.getpid() != process:
            os._exit(0)  # the solver called `os.fork`, and this is the copy
        answers.write(b"%s %s\n" % (key, json.dumps(answer).encode()))
        answers.flush()

    try:
        solver = find_solver(import_file(file), file, name)
        reads = what_it_reads(solver)
    except SolverFaultError as fault:
        return say({"fault": str(fault)})
    except BaseException as error:  # noqa: BLE001 - whatever an unknown program does
        return say({"fault": fault_text(error, file, at_import=True)})
    called = getattr(solver, "solve") if inspect.isclass(solver) else solver  # noqa: B009
    named = getattr(solver, "__name__", name or "solve")
    say({"ready": {"name": named, "reads": reads, "traceable": inspect.isgeneratorfunction(called)}})
    tasks: SimpleQueue[bytes] = SimpleQueue()

    def read() -> None:
        for line in questions:
            tasks.put(line)
        os._exit(0)  # the parent process has ended, so no one waits for an answer

    Thread(target=read, daemon=True).start()
    while True:
        for answer in answers_to(solver, reads, json.loads(tasks.get()), file, cells=cells):
            say(answer)


def import_file(file: Path) -> ModuleType:
    """Import a file as if it had been started from its own folder, or from the root folder of its project."""
    folders = [file.parent]
    marks = (".git", "pyproject.toml", "requirements.txt", "main.py", "README.md")  # of the root folder
    while not any((folders[-1] / mark).exists() for mark in marks) and len(folders) < 4:
        folders.append(folders[-1].parent)
    sys.path[:0] = [str(folder) for folder in folders]
    package = file.parent
    while (package / "__init__.py").exists():
        package = package.parent
    if package != file.parent:  # only as a module of its package can it use `from .utils import ...`
        sys.path.append(str(package))
        return importlib.import_module(".".join(file.relative_to(package).with_suffix("").parts))
    spec = importlib.util.spec_from_file_location(file.stem, file)
    if spec is None or spec.loader is None:
        raise SolverFaultError("it is not a file of Python code")
    module = importlib.util.module_from_spec(spec)
    sys.modules[file.stem] = module
    spec.loader.exec_module(module)
    return module


def find_solver(module: ModuleType, file: Path, name: str) -> Any:
    """The function or class of this name; without a name, the only one that looks like a solver."""
    known = {key: value for key, value in vars(module).items() if _can_solve(value) and key[0] != "_"}
    if name:
        if name not in known:
            names = f"it has {', '.join(known)}" if known else "it has no function and no class with `solve`"
            raise SolverFaultError(f"no function or class is named {name!r}; {names}")
        return known[name]
    for usual in ("solve", "solve_cnf"):
        if usual in known:
            return known[usual]
    likely = [key for key in known if "solve" in key.lower()]
    own = [key for key in likely if getattr(known[key], "__module__", None) == module.__name__] or likely
    if len(own) == 1:
        return known[own[0]]
    if own:
        raise SolverFaultError(
            f"it has several solvers: {', '.join(own)}; name one after a colon, such as {file.name}:{own[0]}"
        )
    raise SolverFaultError(
        f"no function or class has `solve` in its name; name one after a colon, such as {file.name}:NAME"
    )


def _can_solve(value: Any) -> bool:
    """Whether this is a function, or a class with `solve`, perhaps from another file."""
    return hasattr(value, "solve") if inspect.isclass(value) else callable(value)


def what_it_reads(solver: Any) -> str:
    """`board` or `clauses`, by the name of the first parameter."""
    parameters = _parameters(solver)
    if not parameters and inspect.isclass(solver):
        parameters = _parameters(getattr(solver, "solve"))[1:]  # noqa: B009 - the first is `self`
    name = getattr(solver, "__name__", "it")
    if not parameters:
        raise SolverFaultError(f"{name} takes no arguments; expected a parameter such as `grid` or `clauses`")
    first = parameters[0].name
    takes_clauses = CLAUSE_NAMES.search(first) or (
        "cnf" in name.lower() and first not in ("grid", "board", "matrix")
    )
    return "clauses" if takes_clauses else "board"


def _parameters(function: Callable[..., Any]) -> list[inspect.Parameter]:
    """The parameters that can be given by position, `*args` too; those of `__init__` for a class."""
    by_name = (inspect.Parameter.KEYWORD_ONLY, inspect.Parameter.VAR_KEYWORD)
    parameters = inspect.signature(function).parameters.values()
    return [parameter for parameter in parameters if parameter.kind not in by_name]


def arguments_for(function: Callable[..., Any], first: Any, task: Mapping[str, Any]) -> list[Any]:
    """The arguments of a call: `first`, then for each parameter without a default what its name means."""
    known = {
        **dict.fromkeys(("rows", "n_rows", "num_rows", "height", "n", "r", "row"), len(task["rows"])),
        **dict.fromkeys(("cols", "columns", "n_cols", "num_cols", "width", "m", "c", "col"), task["cols"]),
        **dict.fromkeys(("total", "traps", "mines", "n_traps", "num_traps"), task["total"]),
    }
    given: list[Any] = []
    for parameter in _parameters(function):
        if not given and first is not None:
            given.append(first)
        elif parameter.default is not inspect.Parameter.empty or parameter.kind is parameter.VAR_POSITIONAL:
            break
        elif re.search(r"var|^n$|^num$", parameter.name) and isinstance(first, ClauseList):
            given.append(task["variables"])
        elif parameter.name in known:
            given.append(known[parameter.name])
        else:
            raise SolverFaultError(
                f"its parameter {parameter.name!r} is unknown; give it a default, or name it rows, cols, "
                "total or num_vars"
            )
    return given


def answers_to(
    solver: Any, reads: str, task: Mapping[str, Any], file: Path, *, cells: str
) -> Iterator[dict[str, Any]]:
    """The events of a search, if requested, then its answer or what went wrong."""
    if reads == "clauses":
        given: Any = ClauseList(task["clauses"])
        given.nv = task["variables"]
    else:
        given = [[str(cell) for cell in row] if cells == "str" else list(row) for row in task["rows"]]
    counts: Counter[str] = Counter()
    try:
        if task["memory"] is not None:
            limit_address_space(address_space() + task["memory"])
        began = perf_counter()
        if inspect.isclass(solver):
            takes_it = bool(_parameters(solver))
            instance: Any = solver(*(arguments_for(solver, given, task) if takes_it else ()))
            answer = instance.solve(*arguments_for(instance.solve, None if takes_it else given, task))
        else:
            instance, answer = None, solver(*arguments_for(solver, given, task))
        if isinstance(answer, GeneratorType):
            events, answer = answer, None
            while True:
                try:
                    event = next(events)
                except StopIteration as end:
                    answer = end.value
                    break
                words = event_text(event)
                first = words.partition(" ")[0].strip(":,")
                counts[COUNTER_NAMES.get(first, first)] += 1
                if task["events"]:
                    yield {"event": words}
        seconds = perf_counter() - began
        yield {**shape_of(answer, task, given, instance), "seconds": seconds, "counts": counts}
    except MemoryError:
        yield {"memory": True}
    except SolverFaultError as fault:
        yield {"fault": str(fault)}
    except BaseException as error:  # noqa: BLE001 - whatever an unknown program does
        yield {"fault": fault_text(error, file)}
    finally:
        if task["memory"] is not None:
            import resource

            limit_address_space(resource.getrlimit(resource.RLIMIT_AS)[1])


def event_text(event: Any) -> str:
    """An event in one line: a text as it is, the parts of a tuple with spaces between them.

    A longer line could fill the memory of a trace of many events, and would not be read.
    """
    parts = event if isinstance(event, tuple | list) else (event,)
    text = " ".join(" ".join(map(str, parts)).split()) or "event"
    return text if len(text) <= 2000 else f"{text[:2000]} …"


def fault_text(error: BaseException, file: Path, *, at_import: bool = False) -> str:
    """What a solver did wrong, with the last line of its own code that was reached."""
    if isinstance(error, SyntaxError) and error.filename:
        return f"{_place(error.filename, error.lineno, file)}: {error.msg}"
    own = [
        frame
        for frame in traceback.extract_tb(error.__traceback__)
        if Path(frame.filename).is_relative_to(file.parent) and "site-packages" not in frame.filename
    ]
    where = f"{_place(own[-1].filename, own[-1].lineno, file)}: " if own else ""
    guard = "; put that under `if __name__ == '__main__':`" if at_import else ""
    if isinstance(error, EOFError):
        return f"{where}it calls input(), but there is no input{guard}"
    if isinstance(error, SystemExit):
        return f"{where}it ends the program with sys.exit(){guard}"
    if isinstance(error, KeyboardInterrupt):
        return f"{where}interrupted"
    text = f"{type(error).__name__}: {error}".strip(": ")
    return f"{where}{' '.join(text.split())[:300]}"


def _place(filename: str, line: int | None, file: Path) -> str:
    """A line of the file itself or, with its name, of another file."""
    return f"line {line}" if Path(filename) == file else f"{Path(filename).name}, line {line}"


def shape_of(answer: Any, task: Mapping[str, Any], given: Any, instance: Any) -> dict[str, Any]:
    """An answer as plain data under its kind: `none`, `grid`, `literals`, `cells`, `values`, `text`.

    `given` is what the solver was given, which it may have changed.
    """
    if inspect.iscoroutine(answer):
        answer.close()
        raise SolverFaultError("it is async; expected a plain function")
    if (rows := rows_of(answer, task)) is not None:
        return {"grid": rows}
    answer = plain(answer)
    if isinstance(answer, tuple):
        kinds = {type(item) for item in answer}
        if "clauses" in task and len(answer) > 2 and kinds in ({bool}, {int}):
            answer = list(answer)
        elif (
            len(answer) > 1
            and answer[0] is True
            and "unknown" not in shape_of(answer[1], task, given, instance)
        ):
            return shape_of(answer[1], task, given, instance)  # a verdict and then the answer
        elif answer:
            answer = answer[0]
    if answer is None or answer is False:
        # Some solvers fill in the rows that they are given and return nothing; for others, nothing means that
        # there is no solution.
        left = rows_of(given, task) if answer is None else None
        return {"none": True} if left is None else {"none": True, "left": left}
    if answer is True:
        # The solution is in the rows that the solver was given, or in a copy that its object keeps.
        kept = [given, *(vars(instance).values() if hasattr(instance, "__dict__") else ())]
        grids = [rows for value in kept if (rows := rows_of(value, task)) is not None]
        filled = [grid for grid in grids if not any(cell in ("_", None) for row in grid for cell in row)]
        return {"grid": (filled or grids)[-1 if filled else 0]} if grids else {"unknown": "True"}
    if isinstance(answer, str):
        # A longer text would take longer to read than most searches.
        is_short = len(answer) < 500_000
        return {"text": answer} if is_short else {"unknown": f"a text of length {len(answer):,}"}
    if isinstance(answer, dict):
        pairs = [[key, value] for key, value in answer.items()]
        is_known = all(type(key) is int or _is_place(key) for key in answer)
        return {"values": pairs} if is_known and not _is_strange(pairs) else {"unknown": repr(answer)[:200]}
    if isinstance(answer, list | tuple | set | frozenset):
        return _shape_of_list(answer, task)
    return {"unknown": repr(answer)[:200]}


def _shape_of_list(answer: Any, task: Mapping[str, Any]) -> dict[str, Any]:
    items, reads_clauses = list(answer), "clauses" in task
    if reads_clauses and not items and task["clauses"]:
        return {"none": True}
    if (rows := rows_of(items, task)) is not None:
        return {"grid": rows}
    if reads_clauses and len(items) == task["variables"] and set(items) <= {0, 1}:
        return {"values": [[number, bool(item)] for number, item in enumerate(items, 1)]}
    if all(type(item) is bool for item in items) and items:
        return {"values": [[number, item] for number, item in enumerate(items, 1)]}
    if all(type(item) is int for item in items) and items:
        return {"literals": items}
    if all(_is_place(item) for item in items):
        return {"cells": [list(item) for item in items]}
    if all(isinstance(row, list | tuple | str) for row in items) and not _is_strange(items):
        return {"grid": [_cells_of_text(row) if isinstance(row, str) else row for row in items]}
    return {"unknown": repr(answer)[:200]}


def plain(value: Any) -> Any:
    """A value with Python's own numbers in place of NumPy's, and whole numbers as ints."""
    if hasattr(value, "tolist"):
        value = value.tolist()
    if isinstance(value, float) and value.is_integer():
        return int(value)
    if isinstance(value, dict):
        return {plain(key): plain(item) for key, item in value.items()}
    if type(value) in (list, tuple, set, frozenset):
        return type(value)(plain(item) for item in value)
    return value


def rows_of(value: Any, task: Mapping[str, Any]) -> list[list[Any]] | None:
    """The cells of a list that has as many rows and columns as the board; its rows can be texts.

    None for anything else, and for a question about clauses.
    """
    if hasattr(value, "tolist"):
        value = value.tolist()
    if not task["rows"] or not isinstance(value, list | tuple) or len(value) != len(task["rows"]):
        return None
    rows = [_cells_of_text(row) if isinstance(row, str) else row for row in plain(value)]
    if not all(isinstance(row, list | tuple) and len(row) == task["cols"] for row in rows):
        return None
    return rows if not _is_strange(rows) else None


def _is_place(item: Any) -> bool:
    """Whether this is a pair of a row and a column."""
    return isinstance(item, list | tuple) and len(item) == 2 and all(type(part) is int for part in item)


def _is_strange(rows: Any) -> bool:
    """Whether these rows contain anything that JSON cannot represent."""
    try:
        json.dumps(rows)
    except (TypeError, ValueError):
        return True
    return False


def _cells_of_text(row: str) -> list[str]:
    """The cells of a row that is a text, with or without something between them."""
    cells = re.findall(r"[^\s,;|\[\]'\"]+", row)
    return list(cells[0]) if len(cells) == 1 else cells


if __name__ == "__main__":
    main()
