"""Makers of boards that are texts: quick, and one that ends the process it is called in."""

import os

from gemhunter.generate.parallel import Order, Watch


def doubled(order: Order[str], watch: Watch) -> list[str]:
    """The wish beside twice the seed, for each seed."""
    return [f"{order.wish} {2 * seed}" for seed in order.seeds]


def deadly(order: Order[str], watch: Watch) -> list[str]:
    """End this process if the wish is `fatal`."""
    if order.wish == "fatal":
        os._exit(1)
    return doubled(order, watch)
