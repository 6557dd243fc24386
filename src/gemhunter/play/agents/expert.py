"""Players that guess well where nothing is certain.

`fast` takes the least risk. `expert` plays the end of a game, and closed parts of it, exactly, and elsewhere
looks ahead to what each clue would lead to.
"""

from gemhunter.play.agents.kernel_player import KernelPlayer


def fast_player(seed: int) -> KernelPlayer:
    """One that takes the least risk."""
    from gemhunter.kernels.play.guess import FAST

    return KernelPlayer(FAST, seed)


def expert_player(seed: int) -> KernelPlayer:
    """The strongest."""
    from gemhunter.kernels.play.guess import EXPERT

    return KernelPlayer(EXPERT, seed)
