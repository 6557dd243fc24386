"""`gemhunter completion`: the line that makes a shell complete what is typed."""

import os
import shlex
import shutil
from pathlib import Path

import click
from click.shell_completion import get_completion_class

from gemhunter.cli.commands import COMPLETION_VARIABLE
from gemhunter.cli.declare import argument, command, flag
from gemhunter.wording import PROGRAM_NAME, STARTED_AS

SHELLS = {
    "bash": ('eval "$({command} completion bash --script)"', "~/.bashrc"),
    "zsh": ('eval "$({command} completion zsh --script)"', "~/.zshrc, below the line with compinit"),
    "fish": ("{command} completion fish --script | source", "~/.config/fish/config.fish"),
    "powershell": (
        "{command} completion powershell --script | Out-String | Invoke-Expression",
        "the file that $PROFILE names",
    ),
}
"""The line that makes a shell complete commands, and the file for it."""


@command()
def completion(
    shell: str = argument(type=click.Choice(list(SHELLS))),
    *,
    script: bool = flag("--script", "Print the script that the line runs."),
) -> None:
    """Print the line that makes your shell complete what you type.

    \b
    Examples:
      gemhunter completion bash
      gemhunter completion zsh

    This covers commands, options, and the names of engines, agents, levels and sample boards. From a clone,
    the line also defines the command gemhunter, so that it works in any folder. PowerShell needs Click 8.5.
    """
    started = os.environ.get(STARTED_AS)
    run_script = None if started is None else shutil.which(started)
    # The program of this clone, quoted for the shell, if its `run` started this process.
    clone = None
    if run_script is not None:
        path = str(Path(run_script).absolute())
        clone = f'& "{path}"' if shell == "powershell" else shlex.quote(path)
    text = _script(shell, clone)
    if script:
        click.echo(text, nl=False)
        return
    line, file = SHELLS[shell]
    click.echo(line.format(command=clone or PROGRAM_NAME))
    click.echo(f"put this line into {file}", err=True)


def _script(shell: str, clone: str | None) -> str:
    """Click's script; for a clone, with the path of its program and a command that runs it."""
    kind = get_completion_class(shell)
    if kind is None:
        raise click.UsageError(f"this version of Click cannot complete in {shell}; bash, zsh and fish work")
    program = click.get_current_context().find_root().command
    script = kind(program, {}, PROGRAM_NAME, COMPLETION_VARIABLE).source()
    if clone is None or shell == "powershell":
        return script
    for call in ("bash_complete $1", "zsh_complete gemhunter", "(commandline -t) gemhunter"):
        script = script.replace(f"{call})", f"{call.rpartition(' ')[0]} {clone})")
    script = script.replace(f"(( ! $+commands[{PROGRAM_NAME}] )) && return 1", "")
    # Bash looks up the word that was typed, so `./run` needs an entry too.
    script = script.replace("_completion gemhunter\n}", "_completion gemhunter ./run\n}")
    if shell == "fish":
        return f"function {PROGRAM_NAME}; {clone} $argv; end\n{script}"
    return f'{PROGRAM_NAME}() {{ {clone} "$@"; }}\n{script}'
