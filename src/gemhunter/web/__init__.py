"""The web page: a server, an API whose questions are jobs with limits, and the page itself in `static/`.

Start with `api`, which turns the questions of `boards`, `games` and `algorithms` into routes. `app` adds the
page and the guard, and `serve` runs it all.
"""
