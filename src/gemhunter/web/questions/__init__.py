"""The questions of the page: for each the body of a request, the task that answers it, and its record.

They need neither FastAPI nor a process; `question.py` has what they share.
"""
