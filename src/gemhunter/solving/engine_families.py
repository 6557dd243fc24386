"""Engines by whose they are."""

from collections.abc import Iterable

from gemhunter.solving.registry import BUILT_IN_ENGINES

WRITTEN_HERE, PYSAT, OTHERS = "written here", "PySAT's solvers", "others"

OTHERS_CODE = ("cp-sat", "cmd", "grid")
"""Engines of this package, beside PySAT's, that run a solver of other people."""


def engine_family(name: str) -> str:
    """Whose an engine is: written here, one of PySAT's, or another one, such as a plug-in."""
    base = name.partition(":")[0]
    if base == "pysat":
        return PYSAT
    return WRITTEN_HERE if base in BUILT_IN_ENGINES and base not in OTHERS_CODE else OTHERS


def by_family(names: Iterable[str]) -> dict[str, list[str]]:
    """Engines under the names of their families; one with an argument comes after the one without."""
    families: dict[str, list[str]] = {WRITTEN_HERE: [], PYSAT: [], OTHERS: []}
    for name in names:
        families[engine_family(name)].append(name)
    return {family: _together(members) for family, members in families.items() if members}


def _together(names: list[str]) -> list[str]:
    bases = list(dict.fromkeys(name.partition(":")[0] for name in names))
    return sorted(names, key=lambda name: bases.index(name.partition(":")[0]))
