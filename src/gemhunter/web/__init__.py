"""The web page: a server, an API whose questions are jobs with limits, and the page itself in `static/`.

Start with `server/api`, which turns `questions/` into routes.
"""
