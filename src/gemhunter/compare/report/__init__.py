"""The report: `findings.py` measures and reads a ledger, and `contents.py` makes a document of the findings.

The document (`document.py`) is written in each format by `html.py`, `markdown.py` and `typst.py`.
"""
