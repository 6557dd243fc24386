"""The command `gemhunter`, also as `python -m gemhunter`; imports little before it can be stopped cleanly."""

import os
import signal

from gemhunter.cli.exit_codes import INTERRUPTED


def main() -> None:
    """The console script: Ctrl-C ends it in one line even while it is being imported."""
    signal.signal(signal.SIGINT, _leave)
    from gemhunter.cli.main import main as run

    run()


def _leave(*_: object) -> None:
    os.write(2, b"stopped\n")
    os._exit(INTERRUPTED)


if __name__ == "__main__":
    main()
