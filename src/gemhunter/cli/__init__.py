"""The command line: one file per command, which declares options, calls other packages and prints answers.

Start with `main`, the table of commands, and `solve`; `commands` says how options are declared. All commands
share `options` (and how boards are read), `output`, `progress`, and `exit_codes` (also standard error).
"""
