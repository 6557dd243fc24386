"""One word, one meaning: what docs/glossary.md promises of the names in the code."""

import ast
from collections import defaultdict
from collections.abc import Iterator

from places import ROOT

MODULES = {
    path.relative_to(ROOT).as_posix(): ast.parse(path.read_text(encoding="utf-8"))
    for path in sorted((ROOT / "src" / "gemhunter").rglob("*.py"))
}


def constants(module: ast.Module) -> Iterator[tuple[str, str]]:
    """Name and value of every upper-case constant of a module, as they are written."""
    for statement in module.body:
        match statement:
            case ast.Assign(targets=[ast.Tuple(elts=names)], value=ast.Tuple(elts=values)):
                pairs = zip(names, map(ast.unparse, values), strict=True)
            case ast.Assign(targets=[ast.Tuple(elts=names)], value=value):
                pairs = zip(names, (f"{i} of {ast.unparse(value)}" for i in range(len(names))), strict=True)
            case ast.Assign(targets=[name], value=value) | ast.AnnAssign(target=name, value=ast.expr() as value):
                pairs = zip([name], [ast.unparse(value)], strict=True)
            case _:
                continue
        yield from ((name.id, value) for name, value in pairs if isinstance(name, ast.Name) and name.id.isupper())


def test_no_two_classes_share_a_name() -> None:
    homes = defaultdict(list)
    for path, module in MODULES.items():
        for node in ast.walk(module):
            if isinstance(node, ast.ClassDef):
                homes[node.name].append(path)
    assert {name: paths for name, paths in homes.items() if len(paths) > 1} == {}


def test_no_constant_has_two_values() -> None:
    values = defaultdict(dict)
    for path, module in MODULES.items():
        for name, value in constants(module):
            values[name][path] = value
    assert {name: found for name, found in values.items() if len(set(found.values())) > 1} == {}
