"""The report: what it plans, what it measures, what it keeps in a ledger, and the document that it becomes.

Start with `plan.py`, then `collect.py` and `findings.py`. `contents.py` puts the document together from
`sections/`, `figures.py` has its figures, and `formats/` writes it as HTML, PDF or Markdown.
"""
