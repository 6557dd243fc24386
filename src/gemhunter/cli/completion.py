"""`gemhunter completion`: what makes a shell complete commands, options and names."""

import os
import shlex
import shutil
from pathlib import Path

import click
from click.shell_completion import get_completion_class

from gemhunter.cli.main import COMPLETION_VARIABLE, gemhunter
from gemhunter.printable import PROGRAM_NAME, STARTED_AS

SHELL_LINES = {
    "bash": 'eval "$({command} completion bash --script)"',
    "zsh": 'eval "$({command} completion zsh --script)"',
    "fish": "{command} completion fish --script | source",
    "powershell": "{command} completion powershell --script | Out-String | Invoke-Expression",
}
"""The line for the shell's own file."""

SHELL_FILES = {
    "bash": "~/.bashrc",
    "zsh": "~/.zshrc, below the line with compinit",
    "fish": "~/.config/fish/config.fish",
    "powershell": "the file that $PROFILE names",
}


@click.command()
@click.argument("shell", type=click.Choice(list(SHELL_LINES)))
@click.option("--script", is_flag=True, help="Print the script that the line runs.")
def completion(shell: str, *, script: bool) -> None:
    """Print the line that makes your shell complete what you type.

    Commands, options, and the names of engines, agents, levels and sample boards are completed. From a clone,
    the line defines the command gemhunter too, so that it works in any folder. PowerShell needs Click 8.5.

    \b
    Examples:
      gemhunter completion bash
      gemhunter completion zsh
      gemhunter completion fish
      gemhunter completion powershell
    """
    clone = _program_of_clone()
    text = _script(shell, clone)
    if script:
        click.echo(text, nl=False)
        return
    click.echo(SHELL_LINES[shell].format(command=PROGRAM_NAME if clone is None else _quoted(shell, clone)))
    click.echo(f"put this line into {SHELL_FILES[shell]}", err=True)


def _program_of_clone() -> str | None:
    """The path of `run`, if this is a clone that was started by it."""
    started = os.environ.get(STARTED_AS)
    found = None if started is None else shutil.which(started)
    return None if found is None else str(Path(found).absolute())


def _script(shell: str, clone: str | None) -> str:
    """Click's script; for a clone, with the path of its program and a command that runs it."""

    kind = get_completion_class(shell)
    if kind is None:
        raise click.UsageError(f"this version of Click cannot complete in {shell}; bash, zsh and fish work")
    script = kind(gemhunter, {}, PROGRAM_NAME, COMPLETION_VARIABLE).source()
    if clone is None or shell == "powershell":
        return script
    program = _quoted(shell, clone)
    for call in ("bash_complete $1", "zsh_complete gemhunter", "(commandline -t) gemhunter"):
        script = script.replace(f"{call})", f"{call.rpartition(' ')[0]} {program})")
    script = script.replace(f"(( ! $+commands[{PROGRAM_NAME}] )) && return 1", "")
    # Bash looks up what was typed, so `./run` is a name of its own; what is called is this clone's program.
    script = script.replace("_completion gemhunter\n}", "_completion gemhunter ./run\n}")
    if shell == "fish":
        return f"function {PROGRAM_NAME}; {program} $argv; end\n{script}"
    return f'{PROGRAM_NAME}() {{ {program} "$@"; }}\n{script}'


def _quoted(shell: str, path: str) -> str:
    if shell == "powershell":
        return f'& "{path}"'
    return shlex.quote(path)
