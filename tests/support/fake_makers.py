"""Makers of boards that are texts: quick, and one that ends the process it is called in."""

import os

from gemhunter.work.pieces import Piece, Watch


def doubled(piece: Piece[str], watch: Watch) -> list[str]:
    """The wish beside twice the seed, for each seed."""
    return [f"{piece.kind} {2 * seed}" for seed in piece.seeds]


def deadly(piece: Piece[str], watch: Watch) -> list[str]:
    """End this process if the wish is `fatal`."""
    if piece.kind == "fatal":
        os._exit(1)
    return doubled(piece, watch)
