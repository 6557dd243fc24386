"""The `gemhunter` command, also `python -m gemhunter`; Ctrl-C stops it cleanly even while it starts."""

import os
import signal


def main() -> None:
    """The console script; Ctrl-C ends it with one line of output even during imports."""
    signal.signal(signal.SIGINT, _leave)
    from gemhunter.cli.main import main as run

    run()


def _leave(*_: object) -> None:
    os.write(2, b"stopped\n")
    os._exit(130)  # `INTERRUPTED` of cli/exit_codes.py, which imports more


if __name__ == "__main__":
    main()
