"""Compiles kernels that only kernels call, which are optimised within the kernel that Python calls.

Numba would optimise each of them with all it calls and turn it into machine code, only to do so again in each
of its callers, and theirs.
"""

from typing import Any

from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import Compiler


class InnerLibrary(JITCodeLibrary):
    """Code to be linked into that of callers; there is no machine code of it."""

    @property
    def codegen(self) -> "InnerLibrary":
        """The object that learns where a function's environment is: see `set_env`."""
        return self

    def set_env(self, name: str, environment: object) -> None:
        """Forget the environment; code that no Python function calls has no use for one."""

    def get_pointer_to_function(self, name: str) -> int:  # noqa: ARG002 - Numba's signature
        """Return the address of no function."""
        return 0

    def _optimize_final_module(self) -> None:
        pass

    def _finalize_final_module(self) -> None:
        self._finalized = True


class InnerCompiler(Compiler):
    """Compiles a function into an `InnerLibrary`."""

    def __init__(self, typing_context: Any, target_context: Any, library: Any, *rest: Any) -> None:
        library = library or InnerLibrary(target_context.codegen(), "inner")
        super().__init__(typing_context, target_context, library, *rest)
