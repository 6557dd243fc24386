"""Which kernels Python code calls: those that are named outside of kernels."""

import ast
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any

import gemhunter
from gemhunter.jit.kernel import Kernel

PACKAGE = Path(gemhunter.__file__).parent


def called_from_python() -> set[Kernel[..., Any]]:
    """The kernels that code which is no kernel names, or reaches through a module that it imports."""
    trees = {
        _module_name(file): ast.parse(file.read_text(encoding="utf-8")) for file in PACKAGE.rglob("*.py")
    }
    homes = {name: import_module(name) for name, tree in trees.items() if _has_kernels(tree)}
    return {kernel for name, tree in trees.items() for kernel in _used(name, tree, homes)}


def _module_name(file: Path) -> str:
    parts = file.relative_to(PACKAGE.parent).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def _has_kernels(tree: ast.Module) -> bool:
    return any("kernel" in ast.unparse(mark) for node in tree.body for mark in _decorators(node))


def _decorators(node: ast.AST) -> list[ast.expr]:
    return node.decorator_list if isinstance(node, ast.FunctionDef) else []


def _used(name: str, tree: ast.Module, homes: dict[str, ModuleType]) -> Iterator[Kernel[..., Any]]:
    known: dict[str, object] = dict(vars(homes[name])) if name in homes else {}
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom):
            for alias in node.names:
                home = homes.get(str(node.module))
                module = homes.get(f"{node.module}.{alias.name}")
                known[alias.asname or alias.name] = module or getattr(home, alias.name, None)
    for statement in tree.body:
        if isinstance(statement, ast.FunctionDef) and isinstance(known.get(statement.name), Kernel):
            continue
        for node in ast.walk(statement):
            value = None
            if isinstance(node, ast.Name):
                value = known.get(node.id)
            elif isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
                value = getattr(known.get(node.value.id), node.attr, None)
            if isinstance(value, Kernel):
                yield value
