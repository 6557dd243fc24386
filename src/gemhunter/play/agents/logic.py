"""Players that reveal whatever is certain, by complete inference, the total included.

`logic` stops where a guess is needed. `logic+random` takes any hidden cell then.
"""

from gemhunter.play.agents.kernel_player import KernelPlayer


def logic_player(seed: int) -> KernelPlayer:
    """One that never guesses."""
    from gemhunter.kernels.play.guess import LOGIC

    return KernelPlayer(LOGIC, seed)


def logic_random_player(seed: int) -> KernelPlayer:
    """One that guesses at random."""
    from gemhunter.kernels.play.guess import LOGIC_RANDOM

    return KernelPlayer(LOGIC_RANDOM, seed)
