"""`python -m gemhunter` is the command `gemhunter`, where that is not on the path."""

from gemhunter.cli.main import main

if __name__ == "__main__":
    main()
