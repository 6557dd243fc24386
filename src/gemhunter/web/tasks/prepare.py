"""Makes a worker ready before its first job: what is imported now need not be waited for later."""

from gemhunter.files.samples import FIRST_SAMPLE
from gemhunter.play.game_names import read_grid
from gemhunter.questions.analyse import analyse
from gemhunter.web.tasks import about, algorithms, boards, games
from gemhunter.web.tasks import boards as making

PREPARED = (about, algorithms, boards, games, making)
"""The modules of all tasks, which import whatever they need."""


def prepare_worker() -> None:
    """Import every task, and analyse a small board."""
    analyse(read_grid(FIRST_SAMPLE))
