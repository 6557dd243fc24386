"""Encodings: how "exactly k of n are traps" becomes clauses; `ENCODINGS` is the table of them.

An encoding gives a template: clauses over the cells 1..n of one region and auxiliary variables from n+1 on.
`encode` applies it to all regions with the same n and k at once.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache, partial
from itertools import chain, combinations
from types import MappingProxyType

from gemhunter.errors import TooLargeError, UnknownNameError
from gemhunter.wording import counted

Clause = tuple[int, ...]
Clauses = tuple[Clause, ...]


@dataclass(frozen=True, slots=True)
class Template:
    """Clauses that hold when exactly `k` of the variables 1..n are true; `auxiliary` ones follow them."""

    clauses: Clauses
    auxiliary: int = 0


IMPOSSIBLE = Template(clauses=((),))
"""The empty clause: no assignment satisfies it."""


def binomial(n: int, k: int) -> Template:
    """U(k,n): of any k+1 cells one is a gem; L(k,n): of any n-k+1 cells one is a trap."""
    return Template(tuple(binomial_clauses(range(1, n + 1), k)))


def binomial_clauses(cells: Sequence[int], k: int) -> Iterator[Clause]:
    """The clauses of `binomial` for the cells of one region, of which there must be at least `k` ≥ 0."""
    return chain(combinations([-cell for cell in cells], k + 1), combinations(cells, len(cells) - k + 1))


def at_most_one(name: str, n: int, k: int) -> Template:
    """PySAT's encoding of "at most one" for a region with one trap or one gem; `binomial` for others."""
    if n > 2 and k in (1, n - 1):
        rare = [cell if k == 1 else -cell for cell in range(1, n + 1)]
        most_one = _pysat_template(name, "atmost", rare, 1)
        return Template((*most_one.clauses, tuple(rare)), most_one.auxiliary)
    return binomial(n, k)


def cardinality(name: str, n: int, k: int) -> Template:
    """PySAT's encoding of "exactly k", for any k."""
    return _pysat_template(name, "equals", list(range(1, n + 1)), k)


def _pysat_template(name: str, kind: str, literals: list[int], bound: int) -> Template:
    from pysat.card import CardEnc, EncType

    build = getattr(CardEnc, kind)
    formula = build(lits=literals, bound=bound, top_id=len(literals), encoding=getattr(EncType, name))
    clauses = tuple(tuple(sorted(clause, key=abs)) for clause in formula.clauses)
    return Template(clauses, max(formula.nv - len(literals), 0))


@dataclass(frozen=True, slots=True)
class Encoding:
    """`build(n, k)` makes the template of "exactly k of n"; a quadratic one grows with cells times traps.

    `most_literals(n, k)` is an upper bound on the literals for more than `COMBINED_CELLS_LIMIT` cells; tests
    compare it with what PySAT builds. An encoding without it lists combinations of cells, which are too many
    beyond a clue's region; `FOR_THE_TOTAL` replaces it there.
    """

    build: Callable[[int, int], Template]
    most_literals: Callable[[int, int], float] | None = None
    is_quadratic: bool = False


def _sorting_bound(n: int, _: int) -> float:
    bits = n.bit_length()
    return 6.0 * n * bits * bits


def _modulo_bound(n: int, _: int) -> float:
    return 12.5 * float(n**1.5)


ENCODINGS: Mapping[str, Encoding] = MappingProxyType(
    {
        "binomial": Encoding(binomial),
        "seqcounter": Encoding(
            partial(cardinality, "seqcounter"), lambda n, k: 10 * n * min(k, n - k), is_quadratic=True
        ),
        "sortnetwrk": Encoding(partial(cardinality, "sortnetwrk"), _sorting_bound),
        "cardnetwrk": Encoding(partial(cardinality, "cardnetwrk"), _sorting_bound),
        "totalizer": Encoding(partial(cardinality, "totalizer"), lambda n, _: 4 * n * n, is_quadratic=True),
        "mtotalizer": Encoding(partial(cardinality, "mtotalizer"), _modulo_bound),
        "kmtotalizer": Encoding(partial(cardinality, "kmtotalizer"), _modulo_bound),
        "pairwise": Encoding(partial(at_most_one, "pairwise")),
        "bitwise": Encoding(partial(at_most_one, "bitwise")),
        "ladder": Encoding(partial(at_most_one, "ladder")),
    }
)
"""All encodings: `binomial`, and PySAT's by PySAT's names."""

COMBINED_CELLS_LIMIT = 12
"""A clue's region has at most 8 cells, so this limit only concerns the total of the whole board."""

FOR_THE_TOTAL = "kmtotalizer"
"""The encoding of the total if the chosen encoding lists combinations."""


def require_encoding(name: str) -> None:
    """Raise `UnknownNameError` unless there is an encoding of that name."""
    if name not in ENCODINGS:
        raise UnknownNameError("encoding", name, ENCODINGS, see="cnf --help")


def template(encoding: str, n: int, k: int) -> Template:
    """The clauses of one encoding for "exactly k of n"."""
    if k < 0 or k > n:
        return IMPOSSIBLE
    if k in (0, n):
        return Template(tuple((cell if k else -cell,) for cell in range(1, n + 1)))
    if n <= COMBINED_CELLS_LIMIT:
        return _small_template(encoding, n, k)
    name = FOR_THE_TOTAL if ENCODINGS[encoding].most_literals is None else encoding
    if n > 20_000 or (ENCODINGS[name].is_quadratic and n * min(k, n - k) > 5_000_000):
        raise TooLargeError(
            f"{counted(k, 'trap')} among {counted(n, 'cell')} are too many for the encoding {name!r}; "
            "engines without clauses, such as pysat:minicard, can still be asked"
        )
    return ENCODINGS[name].build(n, k)


@lru_cache(maxsize=1024)
def _small_template(encoding: str, n: int, k: int) -> Template:
    return ENCODINGS[encoding].build(n, k)


def most_literals(encoding: str, n: int, k: int) -> int:
    """An upper bound on the literals in `template(encoding, n, k)`, without building a large template."""
    if n <= COMBINED_CELLS_LIMIT or k <= 0 or k >= n:
        return sum(map(len, template(encoding, n, k).clauses)) if 0 < k < n else n
    bound = ENCODINGS[encoding].most_literals or ENCODINGS[FOR_THE_TOTAL].most_literals
    assert bound is not None  # noqa: S101 - the encoding for the total has one
    return int(bound(n, k))
