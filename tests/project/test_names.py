"""One word, one meaning: what docs/glossary.md promises of the names in the code."""

import ast
from collections import defaultdict
from collections.abc import Iterator

from places import ROOT

MODULES = {
    path.relative_to(ROOT).as_posix(): ast.parse(path.read_text(encoding="utf-8"))
    for path in sorted((ROOT / "src" / "gemhunter").rglob("*.py"))
}


def assignments(module: ast.Module) -> Iterator[tuple[ast.expr, str]]:
    """Target and value of every assignment at the top of a module, those of tuples one by one."""
    for statement in module.body:
        match statement:
            case ast.Assign(targets=[ast.Tuple(elts=names)], value=ast.Tuple(elts=values)):
                yield from zip(names, map(ast.unparse, values), strict=True)
            case ast.Assign(targets=[ast.Tuple(elts=names)], value=value):
                yield from ((name, f"{i} of {ast.unparse(value)}") for i, name in enumerate(names))
            case ast.Assign(targets=[name], value=value):
                yield name, ast.unparse(value)
            case ast.AnnAssign(target=name, value=ast.expr() as value):
                yield name, ast.unparse(value)


def test_no_two_classes_share_a_name() -> None:
    homes: dict[str, list[str]] = defaultdict(list)
    for path, module in MODULES.items():
        for node in ast.walk(module):
            if isinstance(node, ast.ClassDef):
                homes[node.name].append(path)
    assert {name: paths for name, paths in homes.items() if len(paths) > 1} == {}


def test_no_constant_has_two_values() -> None:
    values: dict[str, dict[str, str]] = defaultdict(dict)
    for path, module in MODULES.items():
        for target, value in assignments(module):
            if isinstance(target, ast.Name) and target.id.isupper():
                values[target.id][path] = value
    assert {name: found for name, found in values.items() if len(set(found.values())) > 1} == {}
