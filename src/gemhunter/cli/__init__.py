"""The command line: arguments in, text out, no arithmetic on cells."""
