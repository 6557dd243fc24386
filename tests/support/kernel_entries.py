"""Which kernels Python code calls: those that code outside `kernels` imports."""

import ast
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any

import gemhunter
from gemhunter.compiling.kernel import Kernel

PACKAGE = Path(gemhunter.__file__).parent


def called_from_python() -> set[Kernel[..., Any]]:
    """The kernels that modules outside `kernels` import by name, or reach through a module they import."""
    return {kernel for file in PACKAGE.rglob("*.py") for kernel in _used(file)}


def _used(file: Path) -> Iterator[Kernel[..., Any]]:
    if "kernels" in file.relative_to(PACKAGE).parts:
        return
    tree = ast.parse(file.read_text(encoding="utf-8"))
    modules: dict[str, ModuleType] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("gemhunter.kernels"):
            home = import_module(str(node.module))
            for alias in node.names:
                value = getattr(home, alias.name, None)
                if isinstance(value, Kernel):
                    yield value
                elif isinstance(value, ModuleType):
                    modules[alias.asname or alias.name] = value
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            value = getattr(modules.get(node.value.id), node.attr, None)
            if isinstance(value, Kernel):
                yield value
