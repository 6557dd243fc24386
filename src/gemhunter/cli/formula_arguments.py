"""Formulas among the arguments of a command, and the options that do not go with them."""

from collections.abc import Sequence

import click
from click.core import ParameterSource


def are_formulas(arguments: Sequence[str]) -> bool:
    """Whether the files are formulas; an error if only some of them are."""
    from gemhunter.cnf.formula_files import is_formula

    formulas = [argument for argument in arguments if is_formula(argument)]
    boards = [argument for argument in arguments if argument not in formulas]
    if formulas and boards:
        raise click.UsageError(
            f"{formulas[0]} is a formula, {boards[0]} is not; ask about them one at a time"
        )
    return bool(formulas)


def refuse_options_about_boards(formula: str, *kept: str) -> None:
    """Raise an error if an option was typed, other than those in `kept`, that means nothing to a formula."""
    context = click.get_current_context()
    for option in context.command.params:
        typed = context.get_parameter_source(option.name or "") is ParameterSource.COMMANDLINE
        if isinstance(option, click.Option) and typed and option.name not in kept:
            raise click.UsageError(f"{option.opts[-1]} is about boards, but {formula} is a formula")
