"""The report: `plan` is what is measured, `findings` what a ledger holds, `contents` the document.

The document (`document.py`) is written by `html.py`, `markdown.py`, `latex.py` and `typst.py`.
"""
